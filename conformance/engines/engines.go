// Package engines compares octable with real engines. Each line of a case file has a packet and
// the result of an engine, which octable must reproduce.
//
// Cases are either recorded or fresh, written a moment ago by godot4.gd or godot3.gd running
// inside the engine. A case file has one JSON object a line; see [Case].
package engines

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sort"
	"strings"

	"github.com/octable/octable/interp"
)

// A Case is what one engine said of one packet.
type Case struct {
	Kind    string `json:"kind"`    // "random": a value the engine wrote; "damaged": a packet it was given
	Hex     string `json:"hex"`     // the packet
	Objects bool   `json:"objects"` // whether full objects were allowed

	Text      string `json:"text"`       // the value in Godot's notation
	TextExact bool   `json:"text_exact"` // whether the engine makes the same bytes of that text

	From     string `json:"from"`     // the packet the damaged one was made from
	How      string `json:"how"`      // what was done to it
	Accepted bool   `json:"accepted"` // whether the engine took the damaged packet
	Used     int    `json:"used"`     // the bytes it took, if it tells
	Again    string `json:"again"`    // what the engine writes of what it read there

	Line int `json:"-"`
}

// An Answer is a line of octable's.
type Answer struct {
	OK        bool   `json:"ok"`
	Text      string `json:"text"`
	Hex       string `json:"hex"`
	Used      int    `json:"used"`
	Canonical bool   `json:"canonical"`
	Kind      string `json:"kind"`
	Offset    int    `json:"offset"`
	Path      string `json:"path"`
	Error     string `json:"error"`
}

func (a Answer) String() string {
	if a.OK {
		return "ok " + a.Hex
	}
	return fmt.Sprintf("%s at %d: %s", a.Kind, a.Offset, a.Error)
}

// A Subject answers lines: octable, or a substitute for it in tests.
type Subject interface {
	Decode(spec string, objects, strict bool, packets []string) ([]Answer, error)
	Encode(spec string, texts []string) ([]Answer, error)
}

// Octable runs the command at this path, once for all the lines of a call.
type Octable string

func (o Octable) Decode(spec string, objects, strict bool, packets []string) ([]Answer, error) {
	args := []string{"decode", "-lines", "-spec", spec}
	if objects {
		args = append(args, "-objects")
	}
	if strict {
		args = append(args, "-strict")
	}
	return o.run(args, packets)
}

func (o Octable) Encode(spec string, texts []string) ([]Answer, error) {
	lines := make([]string, len(texts))
	for i, t := range texts {
		b, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		lines[i] = string(b)
	}
	return o.run([]string{"encode", "-lines", "-spec", spec}, lines)
}

func (o Octable) run(args, lines []string) ([]Answer, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	cmd := exec.Command(string(o), args...)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	// Refused lines may make the exit status say so; whether every line got its answer is what counts.
	out, runErr := cmd.Output()
	var exit *exec.ExitError
	if runErr != nil && !errors.As(runErr, &exit) {
		return nil, runErr
	}
	var answers []Answer
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var a Answer
		err := dec.Decode(&a)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("octable %s: answer %d: %w", strings.Join(args, " "), len(answers)+1, err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(lines) {
		return nil, fmt.Errorf("octable %s: %d answers to %d lines (%v) %.2000s",
			strings.Join(args, " "), len(answers), len(lines), runErr, stderr.String())
	}
	return answers, nil
}

// ReadCases reads a cases file.
func ReadCases(name string) ([]Case, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var cases []Case
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		var c Case
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, len(cases)+1, err)
		}
		c.Line = len(cases) + 1
		if c.Kind != "random" && c.Kind != "damaged" {
			return nil, fmt.Errorf("%s:%d: unknown kind %q", name, c.Line, c.Kind)
		}
		cases = append(cases, c)
	}
	return cases, s.Err()
}

// A Failure is a case where octable and the engine part and no rule excuses it.
type Failure struct {
	Case Case
	What string // which promise is broken
	Want string
	Got  string
}

func (f Failure) String() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "line %d: %s", f.Case.Line, f.What)
	if f.Case.How != "" {
		fmt.Fprintf(b, " (%s)", f.Case.How)
	}
	fmt.Fprintf(b, "\n\tpacket %s\n\tengine %s\n\tours   %s", clip(f.Case.Hex), clip(f.Want), clip(f.Got))
	ours := strings.TrimPrefix(f.Got, "ok ")
	if at := differ(f.Want, ours); ours != f.Got && at >= 0 {
		fmt.Fprintf(b, "\n\tfirst difference at byte %d: engine %s, ours %s", at, window(f.Want, at), window(ours, at))
	}
	return b.String()
}

const clipAt = 1200

func clip(s string) string {
	if len(s) <= clipAt {
		return s
	}
	return fmt.Sprintf("%s (%d characters)", interp.Clip(s, clipAt), len(s))
}

// differ returns the first byte at which two hex texts differ, or -1.
func differ(a, b string) int {
	for i := 0; i < len(a) || i < len(b); i += 2 {
		if i+2 > len(a) || i+2 > len(b) || a[i:i+2] != b[i:i+2] {
			return i / 2
		}
	}
	return -1
}

func window(s string, at int) string {
	from := 2 * at
	if from >= len(s) {
		return "(ends)"
	}
	return s[from:min(from+16, len(s))]
}

// A Tally counts how often something held.
type Tally struct{ Held, Of int }

func (t *Tally) add(held bool) bool {
	t.Of++
	if held {
		t.Held++
	}
	return held
}

func (t Tally) String() string { return fmt.Sprintf("%d of %d", t.Held, t.Of) }

// A Report is the result of a comparison.
type Report struct {
	Values    Tally // values that decode, and encode again to the engine's bytes
	Texts     Tally // exact texts that encode to the engine's bytes
	Verdicts  Tally // damaged packets taken or refused as the engine did
	Rewritten Tally // taken packets written again as the engine did
	SameText  Tally // texts of ours that equal the engine's: for information, nothing is promised
	Strict    Tally // packets taken or refused when strict as they should
	Read      Tally // texts of ours in which the engine finds the value
	Excused   map[rule]int
	Failures  []Failure
	Answers   []Answer // to the cases, in their order
}

// String is the closing line of figures.
func (r *Report) String() string {
	b := &strings.Builder{}
	for _, t := range []struct {
		tally Tally
		of    string
	}{{r.Values, "values"}, {r.Texts, "exact texts"}, {r.Verdicts, "verdicts"}, {r.Rewritten, "written again"},
		{r.Strict, "strict"}, {r.Read, "of our texts read by the engine"}} {
		if t.tally.Of == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%v %s", t.tally, t.of)
	}
	for _, n := range ruleNames {
		if c := r.Excused[n.rule]; c > 0 {
			fmt.Fprintf(b, "; excused by %s: %d", n.name, c)
		}
	}
	if r.SameText.Of > 0 {
		fmt.Fprintf(b, "; (our text is the engine's in %v)", r.SameText)
	}
	return b.String()
}

// Summary groups the failures, most frequent first, so that a thousand of them can be read.
func (r *Report) Summary(limit int) string {
	groups := map[string][]Failure{}
	for _, f := range r.Failures {
		key := f.What
		if f.Case.How != "" {
			key += " (" + strings.TrimRight(f.Case.How, "0123456789 ") + ")"
		}
		groups[key] = append(groups[key], f)
	}
	keys := make([]string, 0, len(groups))
	for k := range groups {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if a, b := len(groups[keys[i]]), len(groups[keys[j]]); a != b {
			return a > b
		}
		return keys[i] < keys[j]
	})
	b := &strings.Builder{}
	for _, k := range keys {
		fmt.Fprintf(b, "%d × %s\n", len(groups[k]), k)
	}
	for i, f := range r.Failures {
		if i == limit {
			fmt.Fprintf(b, "… and %d more\n", len(r.Failures)-limit)
			break
		}
		fmt.Fprintln(b, f)
	}
	return b.String()
}

// Compare puts every case to the subject and checks the promises.
func Compare(subject Subject, spec string, cases []Case) (*Report, error) {
	d := dialects[spec]
	if d == nil {
		return nil, fmt.Errorf("no engine writes %q", spec)
	}
	answers, strict := make([]Answer, len(cases)), make([]Answer, len(cases))
	for _, objects := range []bool{false, true} {
		var packets []string
		var at []int
		for i, c := range cases {
			if c.Objects == objects {
				packets = append(packets, c.Hex)
				at = append(at, i)
			}
		}
		for _, to := range []struct {
			answers []Answer
			strict  bool
		}{{answers, false}, {strict, true}} {
			part, err := subject.Decode(spec, objects, to.strict, packets)
			if err != nil {
				return nil, err
			}
			for i, a := range part {
				to.answers[at[i]] = a
			}
		}
	}
	// texts are the texts without objects. An engine reads the properties of an
	// object through its class, which converts them (0.1 to a single if the
	// property is one), and may load a script from a file.
	var texts []string
	var exact []int
	for i, c := range cases {
		if c.Kind == "random" && c.TextExact && !c.Objects {
			texts = append(texts, c.Text)
			exact = append(exact, i)
		}
	}
	encoded, err := subject.Encode(spec, texts)
	if err != nil {
		return nil, err
	}

	r := &Report{Excused: map[rule]int{}, Answers: answers}
	for i, c := range cases {
		if c.Kind == "random" {
			r.value(d, c, answers[i])
		} else {
			r.damaged(d, c, answers[i])
		}
		// Strict reading accepts canonical bytes, which are those that the engine writes.
		a := answers[i]
		want := a.OK && a.Canonical && a.Used == len(c.Hex)/2
		if got := strict[i]; !r.Strict.add(got.OK == want && (!want || got.Hex == a.Hex)) {
			r.fail(c, fmt.Sprintf("to be taken when strict: %v", want), c.Hex, got.String())
		}
	}
	for i, a := range encoded {
		c := cases[exact[i]]
		ok := a.OK && r.same(d, c, c.Hex, a.Hex, 0)
		if !r.Texts.add(ok) {
			r.fail(c, "exact text gives other bytes: "+clip(c.Text), c.Hex, a.String())
		}
	}
	return r, nil
}

func (r *Report) fail(c Case, what, want, got string) {
	r.Failures = append(r.Failures, Failure{c, what, want, got})
}

func (r *Report) value(d *dialect, c Case, a Answer) {
	what := ""
	switch {
	case !a.OK:
		what = "value does not decode"
	case !r.same(d, c, c.Hex, a.Hex, ruleNaNKeys): // lost before it was written
		what = "value encodes to other bytes"
	case a.Used != len(c.Hex)/2:
		what = fmt.Sprintf("value said to take %d bytes, not %d", a.Used, len(c.Hex)/2)
	case a.Canonical != (a.Hex == c.Hex):
		what = fmt.Sprintf("value said to be canonical: %v", a.Canonical)
	case !a.Canonical && !d.oldPath:
		what = "value not canonical though the engine wrote it"
	}
	if !r.Values.add(what == "") {
		r.fail(c, what, c.Hex, a.String())
	}
	if a.OK && c.Text != "" {
		r.SameText.add(a.Text == c.Text)
	}
}

func (r *Report) damaged(d *dialect, c Case, a Answer) {
	if c.Accepted && a.Kind == "depth" && d.old {
		if packet, err := hex.DecodeString(c.Hex); err == nil {
			if _, seen, err := normal(d, packet, 0); err == nil && seen.deep {
				r.Excused[ruleDepth]++
				r.Verdicts.add(true)
				return
			}
		}
	}
	if d.misread != nil && (a.OK != c.Accepted || c.Accepted && c.Again != "" && a.Hex != c.Again) {
		if packet, err := hex.DecodeString(c.Hex); err == nil {
			// The place in the packet does not matter: the engine was lost after it.
			if _, seen, _ := normal(d, packet, 0); seen.misread {
				r.Excused[ruleMisread]++
				return
			}
		}
	}
	if !r.Verdicts.add(a.OK == c.Accepted) {
		if c.Accepted {
			r.fail(c, "refused, the engine takes it", c.Again, a.String())
		} else {
			r.fail(c, "taken, the engine refuses it", "refused", a.String())
		}
		return
	}
	// If the engine read a packet but was not asked to write it, or could not, nothing is compared.
	if !c.Accepted || c.Again == "" {
		return
	}
	what := ""
	switch {
	// Godot 4 also counts padding that is missing at the end of a packet.
	case c.Used > 0 && a.Used != min(c.Used, len(c.Hex)/2):
		what = fmt.Sprintf("said to take %d bytes, not %d", a.Used, c.Used)
	case !r.same(d, c, c.Again, a.Hex, ruleIDs|ruleElements|ruleRoot|ruleSurrogates|ruleNaNKeys):
		what = "written again differently"
	case a.Canonical && !strings.HasPrefix(c.Hex, a.Hex):
		what = "said to be canonical, and written again differently"
	}
	if !r.Rewritten.add(what == "") {
		r.fail(c, what, c.Again, a.String())
	}
}

// same reports whether our bytes are the engine's, with what the rules excuse set aside and counted.
// The padding of NodePaths is excused wherever the engine leaves it unwritten, and nowhere else.
func (r *Report) same(d *dialect, c Case, engine, ours string, rules rule) bool {
	if engine == ours {
		return true
	}
	theirs, err := hex.DecodeString(engine)
	if err != nil {
		return false
	}
	mine, err := hex.DecodeString(ours)
	if err != nil {
		return false
	}
	if !d.old {
		rules &^= ruleNaNKeys
	}
	if !d.old && !d.spaces {
		rules &^= ruleSurrogates
	}
	if !d.oldPath {
		rules &^= ruleRoot
	} else {
		rules |= rulePadding
		// Unwritten bytes are the engine's excuse, not ours: we write zeros.
		if zeroed, _, err := normal(d, mine, rulePadding); err == nil && !bytes.Equal(zeroed, mine) {
			return false
		}
	}
	if c.Objects {
		rules &^= ruleIDs
	}
	// An effect that only some packets can have is excused in those packets alone.
	if packet, err := hex.DecodeString(c.Hex); err == nil {
		_, seen, err := normal(d, packet, 0)
		if rules&ruleIDs != 0 && err == nil && seen.idKey {
			rules |= ruleIDKeys
		}
		if err != nil || !seen.wrong {
			rules &^= ruleElements
		}
		if err != nil || !seen.surrogate {
			rules &^= ruleSurrogates
		}
		if err != nil || !seen.nanKey {
			rules &^= ruleNaNKeys
		}
	}
	if !equal(d, theirs, mine, rules) {
		return false
	}
	// Rules that are not needed are not counted, nor do they help.
	for _, n := range ruleNames {
		if rules&n.rule != 0 && equal(d, theirs, mine, rules&^n.rule) {
			rules &^= n.rule
		}
	}
	for _, n := range ruleNames {
		if rules&n.rule != 0 {
			r.Excused[n.rule]++
		}
	}
	return true
}
