// Variables that reading a value sets, for expressions that need its elements, its arm or its numbers.

package wireshark

import (
	"cmp"
	"fmt"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// look is a part of a cell's value that an expression uses. It is the number of elements, whether there is a value,
// the number of its arm, or the numbers of its record.
type look struct {
	op   builtin.Op
	cell int
}

// lookNames has the beginning of the name of the variable for each operation that looks at a cell.
var lookNames = map[builtin.Op]string{builtin.Count: "n", builtin.Present: "has", builtin.Arm: "arm", model.ExprMember: "m"}

// String returns the name of the variable.
func (l look) String() string { return fmt.Sprint(lookNames[l.op], l.cell) }

// unread is what the variable is as long as there is no value.
func (l look) unread() string {
	if l.op == model.ExprMember {
		return "{}"
	}
	return "0"
}

func (l look) compare(other look) int { return cmp.Compare(l.String(), other.String()) }

// looksOf returns what the expressions of a record need of values, but for numbers of elements that registers have.
func (w *writer) looksOf(block []*model.Stmt) map[look]bool {
	looks, counts := map[look]bool{}, model.Counts(block)
	model.Walk(block, func(s *model.Stmt) {
		s.Exprs(false, func(e *model.Expr) {
			e.Walk(func(x *model.Expr) {
				if _, ok := lookNames[x.Op]; ok && (x.Op != builtin.Count || counts[x.Cell] == nil) {
					looks[look{x.Op, x.Cell}] = true
				}
			})
		})
	})
	return looks
}

// findResults finds the routines whose functions return what expressions of others need. That is the number of an
// arm, or the numbers of a record.
func (w *writer) findResults() {
	w.results = map[*model.Routine]bool{}
	w.m.Each(func(_ *model.Routine, _ *model.Type, body []*model.Stmt) {
		looks := w.looksOf(body)
		model.Walk(body, func(s *model.Stmt) {
			if s.Op == model.OpCall && (looks[look{builtin.Arm, s.Cell}] || looks[look{model.ExprMember, s.Cell}]) {
				w.results[s.Elem] = true
			}
		})
	})
}

// result returns the beginning of a statement that keeps the result of a call.
func (w *writer) result(s *model.Stmt) string {
	for _, op := range []builtin.Op{builtin.Arm, model.ExprMember} {
		if l := (look{op, s.Cell}); w.looks[l] {
			return l.String() + " = "
		}
	}
	return ""
}

// member returns the beginning of a statement that keeps a number of the record.
func (w *writer) member(s *model.Stmt) string {
	if !w.members {
		return ""
	}
	return fmt.Sprintf("members[%d] = ", s.Cell+1)
}

// all returns the beginning of a statement that keeps all numbers of a tuple.
func (w *writer) all() string {
	if !w.members {
		return ""
	}
	return "members = "
}

// counted prints a statement that keeps the number of elements of an array whose bytes were counted.
func (w *writer) counted(s *model.Stmt) {
	if l := (look{builtin.Count, s.Cell}); w.looks[l] {
		w.f("%s = last / %d", l, s.Width*s.Scalar.Width())
	}
}

// note prints a statement that keeps that a cell has a value.
func (w *writer) note(s *model.Stmt) {
	if l := (look{builtin.Present, s.Cell}); s.Op.Keeps() && w.looks[l] {
		w.f("%s = 1", l)
	}
}
