// Explaining a single result: the expected answer, the actual one, the bytes.

package report

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// scheme is what is known of the schema of a run. All of it is missing where the
// schema is not at hand: bytes are shown as digits then, and values as JSON.
type scheme struct {
	title   string
	codec   *codec.Codec
	viewer  *inspect.Viewer
	numbers map[string]int // of types, by name
}

// schemes are those of octable's own schemas that were asked for, by spec.
var schemes sync.Map

// schemaOf finds the schema that a run names.
func schemaOf(spec string) *scheme {
	if s, ok := schemes.Load(spec); ok {
		return s.(*scheme)
	}
	s := findSchema(spec)
	if s.viewer != nil && !compile.IsPath(spec) {
		schemes.Store(spec, s)
	}
	return s
}

func findSchema(spec string) *scheme {
	id, choice := spec, ""
	if i := strings.LastIndexByte(spec, '+'); i >= 0 && !strings.ContainsAny(spec[i:], `./\`) {
		id, choice = spec[:i], spec[i+1:]
	}
	parsed, err := compile.Load(id)
	if err != nil {
		return &scheme{}
	}
	s := &scheme{title: parsed.Title, numbers: map[string]int{}}
	if parsed, err = parsed.With(choice); err != nil {
		return s
	}
	p, err := compile.Schema(parsed)
	if err != nil {
		return s
	}
	for i := range p.Routines {
		if table, ok := p.UnionTable(uint32(i)); ok {
			for _, arm := range table.Arms {
				if !arm.Else {
					s.numbers[p.Types[arm.Type].Name] = int(min(arm.ID, math.MaxInt32)) + 1
				}
			}
		}
	}
	if s.viewer, err = inspect.NewViewer(p, parsed); err != nil {
		s.viewer = nil
	}
	if s.codec, err = raw.Codec(p); err != nil {
		s.codec = nil
	}
	return s
}

// number is that of a type, from 1; 0 for other things, such as the union itself.
func (s *scheme) number(name string) int { return s.numbers[name] }

// most is how many bytes of a text, and digits of a packet, are shown of one thing.
const most = 600

// value prints a value that is given as JSON, in Godot's notation if the schema has
// one. It reports whether it could be read.
func (s *scheme) value(raw json.RawMessage) (text string, ok bool) {
	const largest = 64 << 10 // a value of which all could be wanted
	if s.codec != nil && len(raw) <= largest {
		if v, err := godot.ParseJSON(raw); err == nil {
			if text, err := s.codec.Text(v); err == nil {
				return brief(text, most), true
			}
		}
	}
	return compact(raw), false
}

// compact prints JSON in one line.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if len(raw) > 1<<20 || json.Compact(&b, raw) != nil {
		return brief(string(raw), most)
	}
	return brief(b.String(), most)
}

// expected says in words what a result should have been, and got what it was. Where
// both would read the same, values are given as JSON.
func (s *scheme) explain(r *runner.CaseResult) (expected, got string) {
	c := caseOf(r)
	expected, got = s.expected(r.Op, c), s.got(r)
	if expected == got && other(r) && r.Answer.Value != nil && c.Value != nil {
		expected, got = compact(c.Value), compact(r.Answer.Value)
	}
	return expected, got
}

func (s *scheme) expected(op protocol.Op, c *vectors.Case) string {
	if c.Result == vectors.Invalid {
		if c.Error == nil {
			return "refused"
		}
		where := ""
		if op != protocol.Encode {
			where = fmt.Sprintf(" at byte %d", c.Error.Offset)
		}
		return brief(fmt.Sprintf("refused (%s%s): %s", c.Error.Kind, where, c.Error.Text), most)
	}
	text := ""
	switch {
	case op == protocol.Decode && c.Value != nil:
		text, _ = s.value(c.Value)
		if c.Used > 0 {
			text += fmt.Sprintf(", from the first %s", count(c.Used, "byte"))
		}
	case op != protocol.Decode:
		text = digits(canonical(c))
	}
	if c.Result == vectors.Acceptable && c.Level != vectors.Must {
		text += "; or refused"
	}
	return text
}

func (s *scheme) got(r *runner.CaseResult) string {
	a := &r.Answer
	text := string(r.Outcome)
	switch {
	case a.Unsupported != "":
		text = "unsupported: " + brief(a.Unsupported, most)
	case a.Error != "":
		kind := ""
		switch {
		case a.Kind != "" && a.Offset != nil:
			kind = fmt.Sprintf(" (%s at byte %d)", brief(a.Kind, 60), *a.Offset)
		case a.Kind != "":
			kind = fmt.Sprintf(" (%s)", brief(a.Kind, 60))
		case a.Offset != nil:
			kind = fmt.Sprintf(" (at byte %d)", *a.Offset)
		}
		text = "refused" + kind + ": " + brief(a.Error, most)
	case a.Bytes != "":
		text = digits(a.Bytes)
	case a.Value != nil:
		text, _ = s.value(a.Value)
		if a.Used > 0 && r.Case != nil && a.Used != used(r.Case) {
			text += fmt.Sprintf("; it read %d bytes, not %d", a.Used, used(r.Case))
		}
	case a.OK && r.Op != protocol.Decode:
		text = "no bytes"
	case a.OK:
		text = "no value"
	}
	if r.Ambiguous {
		text += ", which it also gives for an error"
	}
	return text
}

// stderr is the end of what a child wrote while it died, in lines.
func stderr(r *runner.CaseResult) []string {
	text := strings.TrimSpace(clean(tail(r.Stderr, 2*most), true))
	if text == "" {
		return nil
	}
	const mostLines = 8
	lines := strings.Split(strings.ReplaceAll(text, "\t", "    "), "\n")
	if left := len(lines) - mostLines; left > 0 {
		lines = append([]string{"… " + count(left, "line") + " before these"}, lines[left:]...)
	}
	return lines
}

// used is how many bytes of a case a reader takes.
func used(c *vectors.Case) int {
	if c.Used > 0 {
		return c.Used
	}
	return len(c.Bytes) / 2
}

// canonical is what a writer gives for the value of a case.
func canonical(c *vectors.Case) string {
	if c.Canonical != "" {
		return c.Canonical
	}
	return c.Bytes
}

// digits prints hexadecimal digits in groups of four bytes.
func digits(hexText string) string {
	text := brief(hexText, most)
	shown, note, _ := strings.Cut(text, " ")
	var b strings.Builder
	for len(shown) > 8 {
		b.WriteString(shown[:8] + " ")
		shown = shown[8:]
	}
	b.WriteString(shown)
	if note != "" {
		fmt.Fprintf(&b, " … %d bytes in all", len(hexText)/2)
	}
	return b.String()
}

// tree shows the bytes that a result is about, with the byte of the difference
// marked. They are the packet, or what should have been written.
func (s *scheme) tree(r *runner.CaseResult, opt inspect.Options) []string {
	c := caseOf(r)
	text := c.Bytes
	if r.Op == protocol.Encode || r.Op == protocol.Recode && r.Answer.Bytes != "" && c.Result != vectors.Invalid {
		text = canonical(c)
	}
	at := -1
	if placed(r) {
		at = r.Offset
	}
	opt.Brief = c.Error != nil // what was expected says it
	return s.lines(text, c.Objects, at, "here: "+string(r.Outcome), opt)
}

// placed reports whether the difference of a result is at a byte.
func placed(r *runner.CaseResult) bool {
	if !other(r) {
		return false
	}
	switch r.Outcome {
	case runner.Wrong, runner.Lossy:
		return r.Op == protocol.Decode || r.Answer.Bytes != ""
	case runner.RefusedWrongly:
		return r.Op != protocol.Encode && r.Answer.Offset != nil
	}
	return false
}

// wrote shows the bytes that an implementation gave, if they are others than
// those that tree shows.
func (s *scheme) wrote(r *runner.CaseResult, opt inspect.Options) []string {
	if r.Answer.Bytes == "" || !other(r) || strings.EqualFold(r.Answer.Bytes, canonical(caseOf(r))) {
		return nil
	}
	return s.lines(r.Answer.Bytes, caseOf(r).Objects, -1, "", opt)
}

// The most lines of a tree that are shown.
const (
	mostLines = 48
	keepFirst = 16 // if there are more
	keepMark  = 6  // before and after the mark
	keepLast  = 6
	mostBytes = 4096
)

// lines returns the tree of a packet, the middle of a long one left out.
func (s *scheme) lines(hexText string, objects bool, at int, why string, opt inspect.Options) []string {
	b, err := hex.DecodeString(hexText[:min(len(hexText), 2*mostBytes)])
	if err != nil {
		return []string{opt.Paint.Paint(inspect.Bad, "no hexadecimal digits: "+brief(hexText, 80))}
	}
	if len(b) == 0 {
		return nil
	}
	if s.viewer == nil || len(hexText) > 2*mostBytes {
		return []string{opt.Paint.Paint(inspect.Plain, digits(hexText))}
	}
	opt.Read = interp.Options{}
	if objects {
		opt.Read.Open = 0xff
	}
	var out strings.Builder
	sheet := inspect.NewSheet(s.viewer, &out, b, opt)
	if at >= 0 {
		sheet.Mark(min(at, len(b)), why)
	}
	sheet.Packet(0, len(b))
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if len(lines) <= mostLines {
		return lines
	}
	mark := -1
	for i, l := range lines {
		if strings.Contains(l, "^^") {
			mark = i
		}
	}
	var short []string
	left := 0
	flush := func() {
		if left > 0 {
			short = append(short, opt.Paint.Paint(inspect.Faint, fmt.Sprintf("        … %s", count(left, "line"))))
		}
		left = 0
	}
	for i, l := range lines {
		near := mark >= 0 && i >= mark-keepMark && i <= mark+keepMark
		if i < keepFirst || i >= len(lines)-keepLast || near {
			flush()
			short = append(short, l)
			continue
		}
		left++
	}
	return short
}

// Command returns the command line that runs the case of a result again. It is "" for an
// implementation that was not a child process.
func Command(run *runner.Run, r *runner.CaseResult) string {
	if len(run.Command) == 0 {
		return ""
	}
	return commandLine(run, "-id", r.ID, "-op", string(r.Op))
}

// commandLine is the command line of a run, with more flags.
func commandLine(run *runner.Run, more ...string) string {
	words := append([]string{"octable", "conform", "-spec", run.Spec}, run.Flags...)
	words = append(append(append(words, more...), "--"), run.Command...)
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return cut(strings.Join(words, " "), 4*most)
}

// shellWord quotes a word for a shell of Unix, if it needs to be.
func shellWord(s string) string {
	plain := s != ""
	for i := range len(s) {
		c := s[i]
		plain = plain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-+./:=@%,", c) >= 0)
	}
	if plain {
		return s
	}
	if isClean(s, false) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder // in the form of bash and zsh
	for _, c := range []byte(s) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return "$'" + b.String() + "'"
}

// count is a number of things, in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// rowPlace is the place of a row of the schema, if it is known.
func rowPlace(c *vectors.Case, row string) string {
	if c.Source == "" || row != c.Row {
		return row
	}
	return row + " in " + c.Source
}
