package examples

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// A Result is how one example came out.
type Result struct {
	Pos dsl.Pos // of the example
	Of  string  // the arm or type that it stands in
	Hex string  // its bytes, as they are written there
	// From is the schema that the example was written for, where it is not the
	// one that was run: an arm that a schema takes over brings its examples.
	From string
	// Superseded says why an example of another schema need not hold here: the
	// numbers or names of types have changed since, or this schema, or one that it
	// extends, says something else of the same bytes. Nothing was run.
	Superseded string
	// Wrong says what is wrong, "" where the example holds.
	Wrong string
}

// OK reports whether the example holds, or need not.
func (r *Result) OK() bool { return r.Wrong == "" }

// Diagnostic returns a result that is wrong in the form of other errors in schemas.
func (r *Result) Diagnostic(s *schema.Schema) *dsl.Diagnostic {
	code := dsl.CodeExample
	if strings.HasPrefix(r.Wrong, "the bytes are not hex") {
		code = dsl.CodeExampleBytes
	}
	var ds dsl.Diagnostics
	d := ds.Errorf(s.Files[r.Pos.Filename], r.Pos, len("example"), code, "%s", r.Wrong)
	if len(d.Line) > 160 {
		d.Line = "" // the sentence says enough
	}
	if r.From != "" {
		d.WithHint("the example was written for %s and is taken over by %s", r.From, s.ID)
	}
	return d
}

// Run runs the examples of a schema under a choice of its axis ("" is the first),
// those in arms taken over from other schemas included: every example is decoded,
// and encoded again. What an example says of the bytes when encoding holds for the
// first choice; under another one, what is encoded has to stand for the same value.
//
// The error is about the schema, not about its examples.
func Run(s *schema.Schema, choice string) ([]Result, error) {
	p, err := compile.Schema(s, choice)
	if err != nil {
		return nil, err
	}
	return RunProgram(s, p)
}

// RunProgram is Run with a program that the schema has been compiled to.
func RunProgram(s *schema.Schema, p *bytecode.Program) ([]Result, error) {
	print, err := NewPrinter(p)
	if err != nil {
		return nil, err
	}
	print.Limit = 200
	slow, err := interp.NewUnfused(p, nil)
	if err != nil {
		return nil, err
	}
	r := runner{s: s, m: print.m, slow: slow, print: print, choice: p.Choice, first: p.Choice == compile.Choices(s)[0], own: map[string]string{}}
	lineage := s.Lineage()
	r.order = map[string]int{}
	for i, one := range lineage {
		r.order[one.File.Name] = i
	}
	r.lineage = lineage
	for _, u := range s.Unions {
		for _, a := range u.Arms {
			r.note(a.Items)
		}
		r.note(u.Items)
	}
	for _, t := range s.Types {
		r.note(t.Items)
	}
	for _, t := range s.Types {
		r.items(t.Name, t.Items)
	}
	for _, u := range s.Unions {
		r.items(u.Name, u.Items)
		for _, a := range u.Arms {
			r.items(a.Name, a.Items)
		}
	}
	return r.results, nil
}

type runner struct {
	s       *schema.Schema
	m       *interp.Machine
	slow    *interp.Machine // m without the fast loops
	print   *Printer
	choice  string
	first   bool // the choice is the first one
	lineage []*schema.Schema
	order   map[string]int    // place in the lineage by file
	own     map[string]string // newest file that has an example of the same bytes
	results []Result
}

// note remembers which file speaks last about some bytes.
func (r *runner) note(items []*dsl.Item) {
	for _, it := range items {
		if e := it.Example; e != nil {
			k := key(e)
			if old, ok := r.own[k]; !ok || r.order[old] < r.order[e.Pos.Filename] {
				r.own[k] = e.Pos.Filename
			}
		}
	}
}

func key(e *dsl.Example) string {
	k := strings.Join(strings.Fields(e.Bytes.Text), "")
	for _, g := range e.Open {
		k += " " + g.Text
	}
	return k
}

func (r *runner) items(of string, items []*dsl.Item) {
	for _, it := range items {
		if it.Example != nil {
			r.results = append(r.results, r.one(of, it.Example))
		}
	}
}

func (r *runner) one(of string, e *dsl.Example) Result {
	res := Result{Pos: e.Pos, Of: of, Hex: e.Bytes.Text}
	if e.Pos.Filename != r.s.File.Name {
		at, ok := r.order[e.Pos.Filename]
		if ok {
			res.From = r.lineage[at].ID
		}
		if newer := r.own[key(e)]; newer != e.Pos.Filename {
			res.Superseded = fmt.Sprintf("%s says what these bytes are", r.lineage[r.order[newer]].ID)
			return res
		}
		for _, later := range r.lineage[min(at+1, len(r.lineage)):] {
			if why := changes(later, e.Value); why != "" {
				res.Superseded = later.ID + " " + why
				return res
			}
		}
	}
	for _, n := range e.Open {
		if r.chooses(n) && n.Text != r.choice {
			res.Superseded = "it is about the choice " + n.Text
			return res
		}
	}
	res.Wrong = r.run(e)
	return res
}

// chooses reports whether a name in the with of an example is that of a choice.
func (r *runner) chooses(n *dsl.Name) bool {
	return r.s.Gate(n.Text) < 0 && slices.Contains(compile.Choices(r.s), n.Text)
}

// changes says what a schema changes of the one it extends that an example in an
// arm that it leaves alone depends on.
func changes(s *schema.Schema, value *dsl.Literal) string {
	for _, d := range s.File.Decls {
		switch c := d.Change; {
		case c == nil:
		case c.Renumber != nil:
			return "gives types other numbers"
		case c.Rename != nil:
			return "gives types other names"
		case c.Replace != nil && c.Replace.Encoding != nil:
			return "changes the rules for text"
		case c.Replace != nil && c.Replace.Union != nil:
			return "changes what all types begin with"
		case c.Replace != nil && c.Replace.Arm != nil && mentions(value, c.Replace.Arm.Name.Text):
			return "has another " + c.Replace.Arm.Name.Text
		}
	}
	return ""
}

// mentions reports whether a type is named in a literal.
func mentions(l *dsl.Literal, name string) bool {
	if l == nil {
		return false
	}
	if l.Name != nil && l.Name.Text == name {
		return true
	}
	for _, part := range append(append([]*dsl.Literal(nil), l.Args...), l.Elems...) {
		if mentions(part, name) {
			return true
		}
	}
	for _, p := range l.Pairs {
		if mentions(p.Key, name) || mentions(p.Value, name) {
			return true
		}
	}
	return false
}

// run returns what is wrong with an example, or "".
func (r *runner) run(e *dsl.Example) string {
	b, err := bytesOf(e.Bytes.Text)
	if err != nil {
		return "the bytes are not hex: " + err.Error()
	}
	opt := interp.Options{}
	for _, g := range e.Open {
		if r.chooses(g) {
			continue
		}
		i := r.s.Gate(g.Text)
		if i < 0 {
			return fmt.Sprintf("there is no gate %s", g.Text)
		}
		opt.Open |= 1 << i
	}
	v, used, err := r.m.Decode(b, opt)
	if _, slowUsed, slowErr := r.slow.Decode(b, opt); used != slowUsed || (err == nil) != (slowErr == nil) {
		return fmt.Sprintf("the fast reader takes %d bytes with the error %v, the plain one %d with %v", used, err, slowUsed, slowErr)
	}
	if e.Refuse != nil {
		return refused(e, v, err, r.print)
	}
	if err != nil {
		return fmt.Sprintf("the bytes are refused: %v", err)
	}
	if used != len(b) {
		return fmt.Sprintf("the value takes %d bytes, the example has %d", used, len(b))
	}
	if !r.print.match(e.Value, v) {
		return fmt.Sprintf("the bytes are %s, the example says %s", r.print.String(v), literalText(e.Value))
	}
	return r.write(e, b, v, opt)
}

// write encodes the value of an example.
func (r *runner) write(e *dsl.Example, b []byte, v interp.Value, opt interp.Options) string {
	out, err := r.m.NewWriter(opt).Append(nil, v)
	if err != nil {
		return fmt.Sprintf("the value is read, but not written: %v", err)
	}
	if r.first || slices.ContainsFunc(e.Open, r.chooses) {
		want := b
		if e.Again != nil {
			if want, err = bytesOf(e.Again.Text); err != nil {
				return "the bytes are not hex: " + err.Error()
			}
		}
		if !bytes.Equal(out, want) {
			return fmt.Sprintf("the value is written as %s, the example says %s", groups(out), groups(want))
		}
		if e.Again != nil && bytes.Equal(want, b) {
			return "the bytes after again are those of the example; leave them out"
		}
		return ""
	}
	back, used, err := r.m.Decode(out, opt)
	switch {
	case err != nil:
		return fmt.Sprintf("the value is written as %s, which is refused: %v", groups(out), err)
	case used != len(out):
		return fmt.Sprintf("the value is written as %s, of which %d bytes are read", groups(out), used)
	}
	if e.Again != nil { // a writer may change the value, but not a second time
		if twice, err := r.m.NewWriter(opt).Append(nil, back); err != nil || !bytes.Equal(out, twice) {
			return fmt.Sprintf("the value is written as %s, and what that stands for as %s", groups(out), groups(twice))
		}
	} else if before, after := r.print.String(v), r.print.String(back); before != after {
		return fmt.Sprintf("%s is written as %s, which is %s", before, groups(out), after)
	}
	return ""
}

func refused(e *dsl.Example, v interp.Value, err error, print *Printer) string {
	if err == nil {
		return fmt.Sprintf("the bytes are not refused; they are %s", print.String(v))
	}
	var ie *interp.Error
	if !errors.As(err, &ie) {
		return err.Error()
	}
	if ie.Word() != e.Refuse.Text {
		return fmt.Sprintf("the bytes are refused for another reason, %s: %v", ie.Word(), err)
	}
	if e.At != nil {
		if at, ok := schema.Uint(e.At); !ok || uint64(ie.Offset) != at {
			return fmt.Sprintf("the bytes are refused at %d, not at %s: %v", ie.Offset, e.At.Text, err)
		}
	}
	return ""
}

func bytesOf(s string) ([]byte, error) {
	return hex.DecodeString(strings.Join(strings.Fields(s), ""))
}

// groups prints bytes as examples do, four at a time.
func groups(b []byte) string {
	if len(b) == 0 {
		return `""`
	}
	var s strings.Builder
	for i, x := range b[:min(len(b), 200)] {
		if i > 0 && i%4 == 0 {
			s.WriteByte(' ')
		}
		fmt.Fprintf(&s, "%02x", x)
	}
	if len(b) > 200 {
		s.WriteString(" …")
	}
	return s.String()
}
