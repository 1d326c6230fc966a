package examples

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// A Result is the result of one example.
type Result struct {
	Pos   dsl.Pos // of the example
	Of    string  // the type, union or arm that has it
	Name  string  // "" without a name
	Bytes []byte
	// From is the schema that the example is inherited from, or "".
	From string
	// Wrong is the reason why the example does not hold, or "".
	Wrong string

	at   dsl.Pos // of the schema that broke an inherited example; else of the example
	hint string
	fix  *dsl.Fix // the replacement that the hint names, or nil
}

// OK reports whether the example holds.
func (r *Result) OK() bool { return r.Wrong == "" }

// Diagnostic returns a result that is wrong in the form of other errors in schemas. An
// inherited example is reported at the schema that broke it.
func (r *Result) Diagnostic(s *schema.Schema) *dsl.Diagnostic {
	width := len("example")
	if r.at != r.Pos {
		width = len("schema")
	}
	d := s.Errorf(r.at, width, dsl.CodeExample, "%s", r.Wrong)
	if len(d.Line) > 160 {
		d.Line = "" // the sentence says enough
	}
	if r.hint != "" {
		d.WithHint("%s", r.hint)
		d.Fix = r.fix
	}
	return d
}

// Run runs the examples of a schema under a choice of its option, with inherited ones. The
// choice "" is the first. Every example is decoded, and encoded again. The encoded bytes are
// compared with the example under the first choice only; under another choice they must be
// decoded to the same value. Examples about another choice are left out.
//
// The error is about the schema, not about its examples.
func Run(s *schema.Schema, choice string) ([]Result, error) {
	s, err := s.With(choice)
	if err != nil {
		return nil, err
	}
	p, err := compile.Schema(s)
	if err != nil {
		return nil, err
	}
	return RunProgram(s, p)
}

// RunProgram is Run with a program that the schema has been compiled to.
func RunProgram(s *schema.Schema, p *bytecode.Program) ([]Result, error) {
	root, err := newRunner(s, p)
	if err != nil {
		return nil, err
	}
	all := &runners{known: map[of]*runner{{s.ID, s.Root.Name}: root}}
	var out []Result
	for _, b := range s.Bodies() {
		for _, e := range b.Examples {
			if e.Choice != nil && e.Choice != s.Choice {
				continue
			}
			res := Result{Pos: e.Pos, at: e.Pos, Of: b.Name, Name: e.Name, Bytes: e.Bytes, Wrong: all.run(s, b.Type, e)}
			if e.From != s.ID {
				res.From = e.From
			}
			if !res.OK() && res.From != "" {
				all.blame(&res, s, b, e)
			}
			out = append(out, res)
		}
	}
	return out, nil
}

// of is a type or a union of a schema.
type of struct{ schema, name string }

// runners are the runners of the types of schemas.
type runners struct {
	known map[of]*runner
}

// run returns what is wrong with an example of a type, or "".
func (all *runners) run(s *schema.Schema, name string, e *schema.Example) string {
	r, err := all.of(s, name)
	if err != nil {
		return fmt.Sprintf("values of %s cannot be read alone: %v", name, err)
	}
	return r.run(e)
}

// of returns the runner for the examples of a type: its values are packets.
func (all *runners) of(s *schema.Schema, name string) (*runner, error) {
	if r := all.known[of{s.ID, name}]; r != nil {
		return r, nil
	}
	rooted, err := s.Rooted(name)
	if err != nil {
		return nil, err
	}
	p, err := compile.Schema(rooted)
	if err != nil {
		return nil, err
	}
	r, err := newRunner(rooted, p)
	if err == nil {
		all.known[of{s.ID, name}] = r
	}
	return r, err
}

// blame finds the schema that broke an inherited example: the oldest in which it does
// not hold. If that is the one that declares it, its declaration is wrong.
func (all *runners) blame(res *Result, s *schema.Schema, body schema.Body, e *schema.Example) {
	broke := s
	for base := s.Base(); base != nil; base = base.Base() {
		in, old := exampleAt(base, e.Pos)
		if old == nil {
			break
		}
		wrong := all.run(base, in.Type, old)
		if wrong == "" {
			break
		}
		if base.ID == e.From {
			res.Wrong, res.hint = wrong, fmt.Sprintf("%s inherits it from %s", s.ID, e.From)
			return
		}
		broke, body, e = base, in, old
	}
	res.at = broke.Pos
	what := "does not hold: " + all.run(broke, body.Type, e)
	if r, err := all.of(broke, body.Type); err == nil {
		what = r.now(e)
	}
	path := body.Type
	if body.Name != body.Type {
		path += "." + body.Name
	}
	if res.Wrong, res.hint = schema.Broken(e, path, what); e.Name != "" {
		res.fix = &dsl.Fix{New: schema.Dropped(path, e.Name), At: broke.End}
	}
}

// exampleAt returns the example of a schema that is declared at a place, or nil. It also
// returns the body that has it.
func exampleAt(s *schema.Schema, pos dsl.Pos) (schema.Body, *schema.Example) {
	for _, b := range s.Bodies() {
		for _, e := range b.Examples {
			if e.Pos == pos {
				return b, e
			}
		}
	}
	return schema.Body{}, nil
}

// most is how many bytes of a value a message has.
const most = 200

// runner runs the examples of one type.
type runner struct {
	m     *interp.Machine
	slow  *interp.Machine // m without the fast loops
	print *notation.Notation
	first bool // the choice is the first one
}

func newRunner(s *schema.Schema, p *bytecode.Program) (*runner, error) {
	print, err := notation.New(p)
	if err != nil {
		return nil, err
	}
	slow, err := interp.NewUnfused(p, nil)
	if err != nil {
		return nil, err
	}
	return &runner{m: print.Machine(), slow: slow, print: print, first: p.Choice == s.Choices()[0]}, nil
}

// openGates returns the gates that are open for an example, a bit for each.
func openGates(e *schema.Example) (gates uint8) {
	for _, g := range e.Open {
		gates |= 1 << g.Index
	}
	return gates
}

// options returns the options of an example.
func options(e *schema.Example) interp.Options { return interp.Options{Open: openGates(e)} }

// run returns what is wrong with an example, or "".
func (r *runner) run(e *schema.Example) string {
	b, opt := e.Bytes, options(e)
	v, used, err := r.m.Decode(b, opt)
	if err == nil && e.Strict {
		err = r.m.NewReader(opt).Canonical(b, v, used)
	}
	slow, slowUsed, slowErr := r.slow.Decode(b, opt)
	if slowErr == nil && e.Strict {
		slowErr = r.slow.NewReader(opt).Canonical(b, slow, slowUsed)
	}
	if used != slowUsed || (err == nil) != (slowErr == nil) {
		return fmt.Sprintf("the fast reader takes %d bytes with the error %v, the plain one %d with %v", used, err, slowUsed, slowErr)
	}
	if e.Refuse != "" {
		return refused(e, v, err, r.print)
	}
	if err != nil {
		return fmt.Sprintf("the bytes are refused: %v", err)
	}
	if used != len(b) {
		return fmt.Sprintf("the value takes %d bytes, the example has %d", used, len(b))
	}
	if !Match(r.print, e.Value, v) {
		return matcher{r.print}.difference("", e.Value, v)
	}
	return r.write(e, b, v, opt)
}

// now returns the verdict on the bytes of an example that does not hold any more.
func (r *runner) now(e *schema.Example) string {
	opt := options(e)
	v, used, err := r.m.Decode(e.Bytes, opt)
	if err == nil && e.Strict {
		err = r.m.NewReader(opt).Canonical(e.Bytes, v, used)
	}
	if err != nil {
		return fmt.Sprintf("is now refused: %v", err)
	}
	text := "now gives " + r.print.Clipped(v, most)
	switch out, err := r.m.NewWriter(opt).Append(nil, v); {
	case used != len(e.Bytes):
		text += fmt.Sprintf(", which takes %d of %d bytes", used, len(e.Bytes))
	case err != nil:
		text += fmt.Sprintf(", which is not written: %v", err)
	case !bytes.Equal(out, e.Bytes):
		text += fmt.Sprintf(" again %q", groups(out))
	}
	return text
}

// write encodes the value of an example.
func (r *runner) write(e *schema.Example, b []byte, v interp.Value, opt interp.Options) string {
	out, err := r.m.NewWriter(opt).Append(nil, v)
	if err != nil {
		return fmt.Sprintf("the value is read, but not written: %v", err)
	}
	if r.first || e.Choice != nil {
		want := e.Rewritten()
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
			return fmt.Sprintf("the value is written as %s, and the value of that as %s", groups(out), groups(twice))
		}
	} else if before, after := r.print.Clipped(v, most), r.print.Clipped(back, most); before != after {
		return fmt.Sprintf("%s is written as %s, which is %s", before, groups(out), after)
	}
	return ""
}

func refused(e *schema.Example, v interp.Value, err error, print *notation.Notation) string {
	if err == nil {
		return fmt.Sprintf("the bytes are not refused; they are %s", print.Clipped(v, most))
	}
	var ie *interp.Error
	if !errors.As(err, &ie) {
		return err.Error()
	}
	if ie.Word() != e.Refuse {
		return fmt.Sprintf("the bytes are refused for another reason, %s: %v", ie.Word(), err)
	}
	return ""
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
