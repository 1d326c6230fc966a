// Running the schemas and packets of the manual.

package manual

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/examples"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

const manualFile = "../../dsl/LANGUAGE.md"

// fence is a fenced block of the manual.
type fence struct {
	kind string // the word after the backquotes
	text string
	line int // of the manual, of the first line of text
}

// page is the manual: its fenced blocks, and the text around them.
type page struct {
	fences []fence
	prose  string
}

func readManual(t *testing.T) page {
	t.Helper()
	text, err := os.ReadFile(manualFile)
	if err != nil {
		t.Fatal(err)
	}
	var p page
	var prose, body strings.Builder
	var open *fence
	for i, line := range strings.SplitAfter(string(text), "\n") {
		kind, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && open == nil:
			open = &fence{kind: kind, line: i + 2}
			body.Reset()
		case isFence:
			open.text = body.String()
			p.fences = append(p.fences, *open)
			open = nil
		case open != nil:
			body.WriteString(line)
		default:
			prose.WriteString(line)
		}
	}
	if open != nil {
		t.Fatalf("line %d: the block is not closed", open.line)
	}
	p.prose = prose.String()
	return p
}

// manualExample is a schema of the manual with its results: packets, or mistakes.
type manualExample struct {
	fence
	schema, results string
	wrong           bool // the results are mistakes
}

// examples returns the examples of the manual.
func (p page) examples(t *testing.T) []manualExample {
	t.Helper()
	var out []manualExample
	for _, f := range p.fences {
		switch f.kind {
		case "oct":
			source, results, ok := strings.Cut(f.text, "\n---\n")
			if !ok || results == "" {
				t.Errorf("line %d: the schema has no results", f.line)
			}
			out = append(out, manualExample{f, source + "\n", results, strings.HasPrefix(results, "line ")})
		case "ebnf", "page":
		default:
			t.Errorf("line %d: a block is oct, page or ebnf, not %q", f.line, f.kind)
		}
	}
	return out
}

// id returns the name of the schema.
func (e manualExample) id() string {
	if name := schemaName.FindStringSubmatch(e.schema); name != nil {
		return name[1]
	}
	return "none"
}

var schemaName = regexp.MustCompile(`(?m)^schema "([^"]+)"`)

// TestManual runs every schema of the manual, which may extend another one. Packets are decoded and encoded, and
// mistakes are compared with those in the manual.
//
// With OCTABLE_UPDATE=1 it formats the schemas of the manual and writes their mistakes,
// and fails, so that the setting is never left on.
func TestManual(t *testing.T) {
	fresh := map[int]string{} // text of blocks by line, if it differs
	all := readManual(t).examples(t)
	known := map[string][]byte{}
	for _, e := range all {
		if id := e.id(); known[id] != nil {
			t.Errorf("line %d: there are two schemas %q", e.line, id)
		} else {
			known[id] = []byte(e.schema)
		}
	}
	load := func(id string) (*dsl.File, error) {
		if known[id] == nil {
			return nil, fmt.Errorf("there is no schema %q", id)
		}
		return dsl.Parse(id+".oct", known[id])
	}
	for _, e := range all {
		t.Run(fmt.Sprintf("%d %s", e.line, e.id()), func(t *testing.T) {
			f, err := dsl.Parse(e.id()+".oct", []byte(e.schema))
			var s *schema.Schema
			if err == nil {
				s, err = schema.Resolve(f, load)
			}
			if e.wrong {
				if got := mistakes(t, s, err); got != e.results {
					t.Errorf("the manual says\n%sthe schema has\n%s", e.results, got)
					fresh[e.line] = e.schema + "---\n" + got
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if formatted := string(dsl.Format(f)); formatted != e.schema {
				t.Errorf("the schema is not formatted; it should be\n%s", formatted)
				fresh[e.line] = formatted + "---\n" + e.results
			}
			packets(t, e, s)
		})
	}
	if os.Getenv("OCTABLE_UPDATE") == "1" && len(fresh) > 0 {
		rewrite(t, fresh)
	}
}

// rewrite replaces the texts of blocks of the manual, given by their lines.
func rewrite(t *testing.T, fresh map[int]string) {
	old, err := os.ReadFile(manualFile)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	inside := false
	for i, line := range strings.SplitAfter(string(old), "\n") {
		text, replaced := fresh[i+1]
		if replaced {
			out.WriteString(text)
			inside = true
		}
		if inside = inside && !strings.HasPrefix(line, "```"); !inside {
			out.WriteString(line)
		}
	}
	if err := os.WriteFile(manualFile, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%d blocks are written anew", len(fresh))
}

// mistakes returns the mistakes of a schema and of the examples in it, one a line.
func mistakes(t *testing.T, s *schema.Schema, err error) string {
	var got strings.Builder
	var list dsl.Diagnostics
	if err != nil && !errors.As(err, &list) {
		t.Fatal(err)
	}
	if err == nil {
		results, err := examples.Run(s, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if !r.OK() {
				list = append(list, r.Diagnostic(s))
			}
		}
	}
	for _, d := range list {
		fmt.Fprintf(&got, "line %d: %s: %s\n", d.Pos.Line, d.Code, d.Message)
	}
	return got.String()
}

// packets runs the packets of an example, and the examples in the schema.
func packets(t *testing.T, e manualExample, s *schema.Schema) {
	for _, choice := range s.Choices() {
		results, err := examples.Run(s, choice)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if !r.OK() {
				t.Error(r.Diagnostic(s))
			}
		}
	}
	cases, first := 0, e.line+strings.Count(e.schema, "\n")+1
	for i, line := range strings.Split(e.results, "\n") {
		if line, _, _ = strings.Cut(line, "  //"); line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		cases++
		if err := packet(s, line); err != nil {
			t.Errorf("line %d: %s: %v", first+i, line, err)
		}
	}
	if cases == 0 {
		t.Error("there is no packet")
	}
}

var packetLine = regexp.MustCompile(`^(?:write +(.+?)|([0-9a-f]{2}[0-9a-f ]*?|""))(?: +with ([a-z0-9_, ]+?))? +(is|gives|refused) +(.+)$`)

// packet runs one line. Its form is BYTES is VALUE, with again BYTES, BYTES refused KIND at OFFSET, write VALUE
// gives BYTES, or write VALUE refused KIND at OFFSET.
func packet(s *schema.Schema, line string) error {
	m := packetLine.FindStringSubmatch(line)
	if m == nil {
		return errors.New("the line has none of the forms")
	}
	c, err := newPacketCase(s, strings.FieldsFunc(m[3], func(r rune) bool { return r == ',' }))
	if err != nil {
		return err
	}
	input, err := unhex(m[2])
	if err != nil {
		return err
	}
	value, verb, rest := m[1], m[4], m[5]
	switch {
	case verb == "is" && value == "":
		value, again, _ := cutLast(rest, " again ")
		want := input
		if again != "" {
			if want, err = unhex(again); err != nil {
				return err
			}
		}
		return c.accepted(input, value, want)
	case verb == "gives" && value != "":
		want, err := unhex(rest)
		if err != nil {
			return err
		}
		return c.written(value, want)
	case verb == "refused" && value == "":
		_, err := c.decode(input)
		return refusal(rest, err)
	case verb == "refused":
		v, err := c.value(value)
		if err != nil {
			return err
		}
		_, err = c.encode(v)
		return refusal(rest, err)
	}
	return errors.New("bytes are something, and a value gives bytes")
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+len(sep):]), true
}

func unhex(s string) ([]byte, error) {
	return hex.DecodeString(strings.ReplaceAll(strings.Trim(s, `" `), " ", ""))
}

// refusal compares an error with KIND at OFFSET.
func refusal(want string, err error) error {
	var e *interp.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("the error is %v", err)
	}
	if got := fmt.Sprintf("%s at %d", e.Word(), e.Offset); got != want {
		return fmt.Errorf("refused %s: %w", got, err)
	}
	return nil
}

// packetCase is a schema and the options of one line.
type packetCase struct {
	s      *schema.Schema
	print  *notation.Notation
	plain  *interp.Machine // the instructions without the fast loops
	walk   *fuzz.Reference // the definition of meaning
	opt    interp.Options
	strict bool
}

// newPacketCase takes the words after with: gates, a choice, and options.
func newPacketCase(s *schema.Schema, words []string) (*packetCase, error) {
	c := &packetCase{}
	for _, w := range words {
		name, number, _ := strings.Cut(strings.TrimSpace(w), " ")
		switch {
		case name == "strict":
			c.strict = true
		case name == "widths":
			c.opt.KeepWidths = true
		case name == "memory":
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, err
			}
			c.opt.MaxMemory = n
		case s.Gate(name) != nil:
			c.opt.Open |= 1 << s.Gate(name).Index
		case slices.Contains(s.Choices(), name):
			var err error
			if s, err = s.With(name); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("%q is neither a gate, a choice nor an option", name)
		}
	}
	p, err := compile.Schema(s)
	if err != nil {
		return nil, err
	}
	if c.print, err = notation.New(p); err != nil {
		return nil, err
	}
	c.s, c.walk = s, fuzz.NewReference(s, c.print.Machine())
	c.plain, err = interp.NewUnfused(p, func(i int, _ *bytecode.Type) uint16 { return uint16(i + 1) })
	return c, err
}

// decode reads a packet, and compares the fast loops with the instructions and with the
// definition of meaning.
func (c *packetCase) decode(b []byte) (interp.Value, error) {
	r := c.print.Machine().NewReader(c.opt)
	v, used, err := r.Read(b)
	_, plainUsed, plainErr := c.plain.Decode(b, c.opt)
	if used != plainUsed || fmt.Sprint(err) != fmt.Sprint(plainErr) {
		return v, fmt.Errorf("%d bytes are read with the error %v, by instructions %d with %v", used, err, plainUsed, plainErr)
	}
	if err := c.walk.Packet(b, c.opt); err != nil {
		return v, err
	}
	switch {
	case err != nil:
		return v, err
	case c.strict:
		return v, r.Canonical(b, v, used)
	case used != len(b):
		return v, fmt.Errorf("%d of %d bytes are read", used, len(b))
	}
	return v, nil
}

// encode writes a value, and compares the fast loops with the instructions and with the
// definition of meaning.
func (c *packetCase) encode(v interp.Value) ([]byte, error) {
	out, err := c.print.Machine().Append(nil, v, c.opt)
	if err := c.walk.Value(v, c.opt); err != nil {
		return out, err
	}
	plain, plainErr := c.plain.Append(nil, v, c.opt)
	if !bytes.Equal(out, plain) || fmt.Sprint(err) != fmt.Sprint(plainErr) {
		return out, fmt.Errorf("%x is written with the error %v, by instructions %x with %v", out, err, plain, plainErr)
	}
	return out, err
}

// accepted reads a packet, compares the value, and writes it. It writes the value that
// was read, and the one that the text says. What is written is written again equal.
func (c *packetCase) accepted(input []byte, value string, want []byte) error {
	v, err := c.decode(input)
	if err != nil {
		return err
	}
	l, err := parseLiteral(value)
	if err != nil {
		return err
	}
	if !examples.Match(c.print, l, v) {
		return fmt.Errorf("the value is %s", c.print.String(v))
	}
	out, err := c.encode(v)
	if err != nil {
		return err
	}
	if !bytes.Equal(out, want) {
		return fmt.Errorf("the value is written as %x", out)
	}
	if v, err = c.decode(out); err != nil {
		return err
	}
	if again, err := c.encode(v); err != nil || !bytes.Equal(again, out) {
		return fmt.Errorf("%x is written again as %x with the error %v", out, again, err)
	}
	if c.opt.KeepWidths {
		return nil // only a value that was read has widths
	}
	return c.written(value, want)
}

// written writes a value of the manual.
func (c *packetCase) written(value string, want []byte) error {
	v, err := c.value(value)
	if err != nil {
		return err
	}
	out, err := c.encode(v)
	if err != nil {
		return fmt.Errorf("as a value: %w", err)
	}
	if !bytes.Equal(out, want) {
		return fmt.Errorf("as a value it is written as %x", out)
	}
	return nil
}

// parseLiteral reads a value in the notation of examples.
func parseLiteral(text string) (*schema.Literal, error) {
	source := "schema \"literal\" {\n    root T\n}\n\ntype T {\n    | 0 | 1 | u8 | x |\n    example \"00\" is " + text + "\n}\n"
	f, err := dsl.Parse("literal.oct", []byte(source))
	if err != nil {
		return nil, err
	}
	s, err := schema.Resolve(f, nil)
	if err != nil {
		return nil, err
	}
	return s.Record("T").Examples[0].Value, nil
}
