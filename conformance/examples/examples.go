package examples

import (
	"bytes"
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
	d := s.Errorf(r.Pos, len("example"), code, "%s", r.Wrong)
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
	print, err := NewPrinter(p)
	if err != nil {
		return nil, err
	}
	print.Limit = 200
	slow, err := interp.NewUnfused(p, nil)
	if err != nil {
		return nil, err
	}
	r := runner{s: s, m: print.m, slow: slow, print: print, choice: p.Choice, first: p.Choice == s.Choices()[0], order: map[string]int{}, own: map[string]string{}}
	r.lineage = s.Lineage()
	for i, one := range r.lineage {
		r.order[one.File] = i
	}
	for _, b := range s.Bodies() {
		for _, e := range b.Examples {
			r.note(e)
		}
	}
	for _, b := range s.Bodies() {
		for _, e := range b.Examples {
			r.results = append(r.results, r.one(b.Name, e))
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

// note remembers the newest file that has an example of some bytes.
func (r *runner) note(e *schema.Example) {
	k := key(e)
	if old, ok := r.own[k]; !ok || r.order[old] < r.order[e.File] {
		r.own[k] = e.File
	}
}

func key(e *schema.Example) string {
	k := strings.Join(strings.Fields(e.Bytes), "")
	for _, g := range e.Open {
		k += " " + g.Name
	}
	if e.Choice != nil {
		k += " " + e.Choice.Name
	}
	return k
}

func (r *runner) one(of string, e *schema.Example) Result {
	res := Result{Pos: e.Pos, Of: of, Hex: e.Bytes}
	if e.File != r.s.File {
		at, ok := r.order[e.File]
		if ok {
			res.From = r.lineage[at].ID
		}
		if newer := r.own[key(e)]; newer != e.File {
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
	if e.Choice != nil && e.Choice.Name != r.choice {
		res.Superseded = "it is about the choice " + e.Choice.Name
		return res
	}
	res.Wrong = r.run(e)
	return res
}

// changes returns a change of a schema to the one that it extends by which an example
// that it takes over may mean something else, or "".
func changes(s *schema.Schema, value *schema.Literal) string {
	base := s.Base()
	for _, e := range s.Encodings {
		if old := base.Encoding(e.Name); old != nil && old.Pos != e.Pos {
			return "changes the rules for text"
		}
	}
	for _, u := range s.Unions {
		old := base.Union(u.Name)
		if old == nil {
			continue
		}
		if old.Pos != u.Pos {
			return "changes what all types begin with"
		}
		for _, a := range u.Arms {
			was := old.Arm(a.Was)
			switch {
			case was == nil:
			case was.ID != a.ID:
				return "gives types other numbers"
			case was.Name != a.Name:
				return "gives types other names"
			case was.Pos != a.Pos && mentions(value, a.Name):
				return "has another " + a.Name
			}
		}
	}
	return ""
}

// mentions reports whether a type is named in a literal.
func mentions(l *schema.Literal, name string) bool {
	if l == nil {
		return false
	}
	return l.Kind == schema.Named && l.Name == name || slices.ContainsFunc(l.Parts, func(part *schema.Literal) bool { return mentions(part, name) })
}

// run returns what is wrong with an example, or "".
func (r *runner) run(e *schema.Example) string {
	b, err := e.Packet()
	if err != nil {
		return "the bytes are not hex: " + err.Error()
	}
	opt := interp.Options{}
	for _, g := range e.Open {
		opt.Open |= 1 << g.Index
	}
	v, used, err := r.m.Decode(b, opt)
	if _, slowUsed, slowErr := r.slow.Decode(b, opt); used != slowUsed || (err == nil) != (slowErr == nil) {
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
	if !r.print.Match(e.Value, v) {
		return fmt.Sprintf("the bytes are %s, the example says %s", r.print.String(v), literalText(e.Value))
	}
	return r.write(e, b, v, opt)
}

// write encodes the value of an example.
func (r *runner) write(e *schema.Example, b []byte, v interp.Value, opt interp.Options) string {
	out, err := r.m.NewWriter(opt).Append(nil, v)
	if err != nil {
		return fmt.Sprintf("the value is read, but not written: %v", err)
	}
	if r.first || e.Choice != nil {
		want, err := e.Rewritten()
		if err != nil {
			return "the bytes are not hex: " + err.Error()
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

func refused(e *schema.Example, v interp.Value, err error, print *Printer) string {
	if err == nil {
		return fmt.Sprintf("the bytes are not refused; they are %s", print.String(v))
	}
	var ie *interp.Error
	if !errors.As(err, &ie) {
		return err.Error()
	}
	if ie.Word() != e.Refuse {
		return fmt.Sprintf("the bytes are refused for another reason, %s: %v", ie.Word(), err)
	}
	if e.At >= 0 && ie.Offset != e.At {
		return fmt.Sprintf("the bytes are refused at %d, not at %d: %v", ie.Offset, e.At, err)
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
