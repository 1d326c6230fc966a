// Written values: what a writer computes for fields that are not stored.

package schema

import (
	"fmt"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// written is an expression that a writer computes at a moment.
type written struct {
	x      *Expr
	moment int
}

// derive notes what a writer computes for a field.
func (s *scope) derive(f *Field, value *Expr) {
	f.Derive = value
	if value != nil && value.Op == builtin.Form {
		value.Forms.computed = append(value.Forms.computed, f)
	}
}

// keepWidths lets flags that select between two forms of a row obey a caller who keeps widths. It wraps what a writer
// computes for them. The number that form() gives obeys by itself.
func (s *scope) keepWidths() {
	for _, n := range s.forms {
		if narrow, ok := n.keeps(); ok {
			flag := n.Selector.Field
			flag.Derive = n.keep(flag.Derive, narrow.Type.Scalar, narrow.IDs.Contains(1))
		}
	}
	if flag := s.rec.Selector; flag != nil {
		var kept *Expr
		for _, f := range s.rec.Stored {
			if !f.selected() {
				continue
			}
			wide := &Expr{Op: builtin.Wide, Pos: flag.Pos, Field: f}
			if kept != nil {
				wide = binary(builtin.Either, kept, wide)
			}
			kept = wide
		}
		if kept != nil {
			flag.Derive = &Expr{Op: builtin.Keep, Pos: flag.Pos, Args: []*Expr{flag.Derive, kept}}
		}
	}
}

// keep returns an expression for a flag: the declared number, or another one for a caller who keeps widths. The other
// is 1 if the number was read in the wide form or the scalar of the narrow form cannot hold it, else 0; inverted
// exchanges them.
func (n *Forms) keep(declared *Expr, narrow builtin.Scalar, inverted bool) *Expr {
	kept := binary(builtin.Either,
		&Expr{Op: builtin.Wide, Pos: n.Pos, Field: n.Field},
		&Expr{Op: builtin.Outside, Pos: n.Pos, Field: n.Field, Scalar: narrow})
	if inverted {
		kept = &Expr{Op: builtin.Not, Pos: n.Pos, Args: []*Expr{kept}}
	}
	return &Expr{Op: builtin.Keep, Pos: n.Pos, Args: []*Expr{declared, kept}}
}

// keeps returns the narrower one of two forms that a computed flag selects without form(). It
// is not ok if they have the same width or a reader accepts one number of the flag.
func (n *Forms) keeps() (narrow *Row, ok bool) {
	if len(n.Rows) != 2 || n.Selector.Op != builtin.Ref || n.Field.Index < 0 {
		return nil, false
	}
	flag := n.Selector.Field
	if flag.Derive == nil || flag.Derive.Op == builtin.Form {
		return nil, false
	}
	if _, constant := flag.Derive.constant(); constant && !flag.Ignored {
		return nil, false
	}
	narrow, wide := n.Rows[0], n.Rows[1]
	if narrow.Type.width() > wide.Type.width() {
		narrow, wide = wide, narrow
	}
	low, high := narrow.IDs, wide.IDs
	if low.Contains(1) {
		low, high = high, low
	}
	flags := low.Count() == 1 && low.Contains(0) && high.Count() == 1 && high.Contains(1)
	return narrow, flags && narrow.Type.width() < wide.Type.width() && !narrow.Type.Delimited() && !wide.Type.Delimited()
}

// selected reports whether the record's selector selects the scalar of the field.
func (f *Field) selected() bool {
	var t *Type
	switch n := f.Node.(type) {
	case *Row:
		t = n.Type
	case *List:
		t = n.Elem
	case nil:
		t = f.Record.Tuple.Type // the tuple of the record has no node
	}
	return t != nil && t.Narrow != builtin.NoScalar
}

// wordOf returns the row of a field, or the row whose bits hold it, or nil.
func (f *Field) wordOf() *Row {
	switch n := f.Node.(type) {
	case *Row:
		return n
	case *Bit:
		return n.Row
	}
	return nil
}

// sizes binds the words that hold the size of a row after them, in the whole word or in bits.
func (s *scope) sizes() {
	for _, f := range s.rec.Fields {
		row := f.wordOf()
		if row == nil || f.Derive == nil {
			continue
		}
		word := row.Field
		taken := sizesAfter(f.Derive, word)
		if len(taken) == 0 {
			continue
		}
		if len(taken) > 1 {
			d := s.errorf(row.Pos, 1, dsl.CodeUnderived, "a word can hold the size of one row, not of %d", len(taken)).
				WithHint("put the rows into a type, and take the size of the row that holds it")
			for _, x := range taken {
				if advice := sizeOfValue(x.Field); advice != "" {
					d.WithHint("%s, or put the rows into a type and take the size of the row that holds it", advice)
					break
				}
			}
			continue
		}
		target := taken[0].Field
		switch {
		case row.Type.Form == Truth:
			s.errorf(row.Pos, 1, dsl.CodeUnderived, "%s is a truth, which holds no size", f.Name).
				WithHint("give the row an integer type")
		case f.signed():
			s.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "a size is never negative, and %s is signed", f.Name).
				WithHint("leave `signed` out")
		case target == nil || target == word || target.state.passed <= f.state.passed:
			s.errorf(row.Pos, 1, dsl.CodeUnderived, "the size that %s holds is of a row that is neither before nor after it in this record", f.Name).
				WithHint("name another row or list of the record")
		case f != word && row.Type.Coding.Varies():
			s.errorf(row.Pos, 1, dsl.CodeUnderived, "%s holds a size in bits, and its width varies", word.Name).
				WithHint("give the row an integer type of one width")
		case word.Measures != nil && word.Measures != target:
			s.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "the bits of a word can hold the size of one row, and %s holds that of %s", word.Name, word.Measures.Name).
				WithHint("put the size of %s into another word", target.Name)
		case target.Measured != nil && target.Measured != word:
			s.errorf(row.Pos, 1, dsl.CodeUnderived, "the size of %s is in %s already", target.Name, target.Measured.Name).
				WithHint("keep one of the words; parts of one number are bits of one row: { 8..14 high = size(%s) >> 7 }", target.Name)
		default:
			f.Measures, word.Measures, target.Measured = target, target, word
		}
	}
}

// signed reports whether a field is signed bits of a word.
func (f *Field) signed() bool {
	bit, ok := f.Node.(*Bit)
	return ok && bit.Signed
}

// sizeOfValue advises an expression in place of the size of a row of text or single bytes, or "". A writer knows it
// before the row.
func sizeOfValue(f *Field) string {
	if f == nil {
		return ""
	}
	function := ""
	switch row, ok := f.Node.(*Row); {
	case !ok || row.Pad != nil || row.Type.Fill != "" || row.Type.Until != "":
	case row.Type.Form == Text:
		function = "len"
	case row.Type.Form == Array && row.Type.Scalar.Width() == 1:
		function = "count"
	}
	if function == "" {
		return ""
	}
	return fmt.Sprintf("the size of %s follows from its value; write %s(%[1]s) in place of size(%[1]s)", f.Name, function)
}

// inserted reports sizes of numbers of varying width that hold a size. A writer inserts such a number when it has
// written the rows behind it.
func (s *scope) inserted() {
	for _, f := range s.rec.Fields {
		if row, ok := f.Node.(*Row); ok && f.Bytes != nil && f.Measures != nil && row.Type.Coding.Varies() {
			s.errorf(row.Pos, 1, dsl.CodeUnderived, "a writer does not know the size of %s before that of %s", f.Name, f.Measures.Name).
				WithHint("use the number %s in place of its size", f.Name)
		}
	}
}

// sizesAfter returns the sizes in an expression that are not yet known at a word. A reader and a writer keep the
// bytes of rows and lists before the word, so it marks their sizes and leaves them out.
func sizesAfter(x *Expr, word *Field) (later []*Expr) {
	var taken []*Expr
	sizesIn(x, &taken)
	for _, x := range taken {
		f := x.Field
		if f == nil || f.Record == nil || f.isBits() || f.state.passed == 0 || f.state.passed >= word.state.passed {
			later = append(later, x)
			continue
		}
		f.measure()
		x.Passed = true
	}
	return later
}

// early is an expression that a writer evaluates at a moment, as a reader does.
type early struct {
	x      *Expr
	moment int
	of     *Type // that it is an argument of, or nil
	index  int   // of the argument
}

// needed reports whether a number that depends on the expression is used.
func (e *early) needed() bool {
	switch {
	case e.of == nil:
		return true
	case e.of.Form == OfRecord:
		return e.index >= len(e.of.Record.Params) || e.of.Record.Params[e.index].Used
	}
	u := e.of.Union
	return e.index >= len(u.Params) || u.Params[e.index].Used || u.Params[e.index] == u.By
}

// tooEarly reports expressions that a writer evaluates before it has the size that a word
// in them holds.
func (s *scope) tooEarly() {
	for _, e := range s.early {
		if e.needed() {
			s.measuredLater(e.x, e.moment)
		}
	}
}

// measuredLater reports an expression with a word whose size a writer does not have at a
// moment.
func (r *resolver) measuredLater(x *Expr, moment int) {
	f, at := unmeasured(x, moment, nil, map[*Field]bool{})
	if f == nil {
		return
	}
	of := f.Measures
	d := r.name(at.name(), dsl.CodeDirection, "%s is the size of %s, which a writer has only after that row", f.Name, of.Name)
	if row, ok := of.Node.(*Row); ok && row.Type != nil && row.Type.Size == x && x.Op == builtin.Ref {
		d.WithHint("write %s as the length of the row, and [until end] after its type", f.Name)
		return
	}
	if row, ok := of.Node.(*Row); ok && row.When == x {
		d.WithHint("leave the condition out; if the length may be 0, give %s a type with its rows in if more() { … }", of.Name)
		return
	}
	if advice := sizeOfValue(of); advice != "" {
		d.WithHint("%s, which a writer has before", advice)
		return
	}
	d.WithHint("write size(%s) in a check of %s, or use %s in a row after it; before, only the length of %s may, unless %s is stored", of.Name, of.Name, f.Name, of.Name, f.Name)
}

// unmeasured returns the first word in an expression whose size a writer does not have at a moment. It also looks into lets
// that the expression names, and returns the name in the expression that led to the word. At is the name that led to x, or
// nil.
func unmeasured(x *Expr, moment int, at *Expr, seen map[*Field]bool) (*Field, *Expr) {
	if f := x.Field; x.Op == builtin.Ref && f != nil && !seen[f] {
		seen[f] = true
		if at == nil {
			at = x
		}
		switch {
		case f.Measures != nil && f.Measures.state.passed > moment:
			return f, at
		}
	}
	for _, a := range x.Args {
		if f, at := unmeasured(a, moment, at, seen); f != nil {
			return f, at
		}
	}
	return nil, nil
}

func sizesIn(x *Expr, out *[]*Expr) {
	if x.Op == builtin.Size {
		*out = append(*out, x)
		return
	}
	for _, a := range x.Args {
		sizesIn(a, out)
	}
}

// derivations checks what a writer computes together with all that it is computed from.
func (s *scope) derivations() {
	after := map[*Expr]*Field{} // what a writer computes when it has written a row
	for _, f := range s.rec.Fields {
		if f.Measures != nil && f.Derive != nil {
			after[f.Derive] = f.Measures
		}
	}
	for _, w := range s.written {
		e := &expansion{scope: s, dir: writing, moment: w.moment, after: after[w.x]}
		e.visit(w.x, 0, s.measure[w.x])
	}
	for _, w := range s.written {
		var taken []*Expr
		sizesIn(w.x, &taken)
		for _, x := range taken {
			x.Args = nil
		}
	}
}

// The limits of one expression, together with what it is computed from.
const (
	maxDepth = 100
	maxSteps = 1000
)

// expansion visits an expression and, if a writer computes it, what the fields in it
// are computed from.
type expansion struct {
	*scope
	dir    direction
	moment int
	after  *Field // the row after which a writer computes it; nil: before the rows that follow
	steps  int
	failed bool
}

// expand reports an expression that is too long or defined by itself. It also reports
// one that a writer cannot compute at a moment.
func (s *scope) expand(x *Expr, dir direction, moment int) {
	e := &expansion{scope: s, dir: dir, moment: moment}
	e.visit(x, 0, s.measure[x])
}

// visit visits an expression; row reports whether a writer has the sizes in it.
func (e *expansion) visit(x *Expr, depth int, row bool) {
	if e.failed {
		return
	}
	if depth > maxDepth || e.steps > maxSteps {
		e.failed = true
		e.errorf(x.Pos, 1, dsl.CodeArgs, "the expression is too long, or defined by itself").WithHint("follow the names in it: one of them must not lead back here")
		return
	}
	e.steps++
	switch x.Op {
	case builtin.Ref:
		if e.dir == writing {
			e.field(x, depth)
		}
		return
	case builtin.Size:
		known := row
		if x.Passed {
			known = x.Field.state.passed <= e.moment || e.after != nil && x.Field.state.passed <= e.after.state.passed
		}
		if !known && e.dir == writing {
			e.failed = true
			name := x.Args[0].name()
			e.name(name, dsl.CodeUnderived, "the size of %s is known only in the value of a row, or of bits of a row, before it", name.Text).
				WithHint("write it as the value of a row above that of %s", name.Text)
		}
		return
	}
	for _, a := range x.Args {
		e.visit(a, depth+1, row)
	}
}

// field visits what a field is computed from.
func (e *expansion) field(x *Expr, depth int) {
	f := x.Field
	switch {
	case e.word != nil && f == e.word.Field && e.rec.Arm != nil && e.rec.Arm.Form != nil:
		e.visit(e.rec.Arm.Form, depth+1, false)
	case f.Param:
	case f.Index >= 0:
		if f.Kind > builtin.Float || f.Kind == builtin.None && f.ArmOf == nil {
			e.failed = true
			e.name(x.name(), dsl.CodeDirection, "%s is %s, and expressions are of integers", f.Name, f.sort()).WithHint("use an integer, a truth or a float that is stored")
		}
	case f.Derive != nil && f.Measures != nil && (e.after == nil || f.Measures.state.passed > e.after.state.passed):
		e.failed = true
		e.name(x.name(), dsl.CodeUnderived, "%s is the size of %s, which a writer has only after that row", f.Name, f.Measures.Name).
			WithHint("only a value with the size of %s, or of a row after it, may use %s", f.Measures.Name, f.Name)
	case f.Derive != nil:
		e.visit(f.Derive, depth+1, f.Measures != nil)
	case f.state.number == 0 || f.state.number > e.moment:
		e.failed = true
		e.name(x.name(), dsl.CodeDirection, "%s is not a number that a writer knows here", f.Name).WithHint("use a field that is stored, or computed from stored fields")
	}
}
