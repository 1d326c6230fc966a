// Questions of back ends about a model: the registers and cells that are used, and the
// statements that padding depends on.

package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// Each calls f for every record and arm: its routine, its type, and how it is read
// and written.
func (m *Model) Each(f func(r *Routine, t *Type, body []*Stmt)) {
	for _, r := range m.Routines {
		if r.Union == nil {
			f(r, r.Type, r.Body)
			continue
		}
		for _, a := range r.Union.Arms {
			f(r, a.Type, a.Body)
		}
	}
}

// Has reports whether a statement of a record or an arm is one that is asked for.
func (m *Model) Has(is func(*Stmt) bool) (found bool) {
	m.Each(func(_ *Routine, _ *Type, body []*Stmt) {
		Walk(body, func(s *Stmt) { found = found || is(s) })
	})
	return found
}

// Members returns the places of the numbers in each record that expressions of other records have.
func (m *Model) Members() map[*Type][]int {
	out := map[*Type][]int{}
	m.Each(func(_ *Routine, _ *Type, body []*Stmt) {
		rows := map[int]*Type{}
		Walk(body, func(s *Stmt) {
			switch {
			case s.Op == OpCall && s.Elem.Type != nil:
				rows[s.Cell] = s.Elem.Type
			case s.Op == OpLet && s.Expr.Op == ExprMember:
				t := rows[s.Expr.Cell]
				if i, found := slices.BinarySearch(out[t], s.Expr.Place); !found {
					out[t] = slices.Insert(out[t], i, s.Expr.Place)
				}
			}
		})
	})
	return out
}

// Called returns the name of a type in descriptions. It is that of the format, with what
// the document calls it if that is another name.
func (t *Type) Called() string {
	switch {
	case t.Union == "":
		return t.Name
	case t.Label != "" && !strings.EqualFold(t.Label, t.Name):
		return fmt.Sprintf("%s %s (%s)", t.Union, t.Name, t.Label)
	}
	return t.Union + " " + t.Name
}

// NamedUnions returns the unions whose arms fields hold by their names.
func (m *Model) NamedUnions() []*Routine { return m.elements(OpArmRef) }

// ReplacedUnions returns the unions some of whose arms are written as others.
func (m *Model) ReplacedUnions() []*Routine { return m.elements(OpSubst) }

// elements returns the routines that statements of an operation have as elements.
func (m *Model) elements(op Op) []*Routine {
	var out []*Routine
	m.Each(func(_ *Routine, _ *Type, body []*Stmt) {
		Walk(body, func(s *Stmt) {
			if s.Op == op && !slices.Contains(out, s.Elem) {
				out = append(out, s.Elem)
			}
		})
	})
	return out
}

// Replaces returns, in order, the cells that the conditions of the replacements of an arm
// read.
func (t *Type) Replaces() []int {
	cells := map[int]bool{}
	for _, w := range t.Writes {
		w.When.Walk(func(x *Expr) {
			if x.OfCell() {
				cells[x.Cell] = true
			}
		})
	}
	return slices.Sorted(maps.Keys(cells))
}

// Numbered reports whether a writer works with the numbers of the arms that values of
// a union have.
func (m *Model) Numbered(union *Routine) bool {
	found := false
	m.Each(func(_ *Routine, t *Type, body []*Stmt) {
		expr := func(e *Expr) {
			e.Walk(func(x *Expr) {
				if x.Op == builtin.Arm && x.Routine == union.Index && t.Fields[x.Cell].Shape.Kind == Union {
					found = true
				}
			})
		}
		for _, w := range t.Writes {
			expr(w.When)
		}
		Walk(body, func(s *Stmt) { s.Exprs(true, expr) })
	})
	return found
}

// Sized reports whether padding that follows goes by the size of what a statement
// reads or writes.
func (s *Stmt) Sized(writing bool) bool {
	switch s.Op {
	case OpText, OpPacked, OpList, OpMap, OpRest, OpCall, OpSize:
		return true
	case OpLeave:
		return !writing
	}
	return false
}

// Padded reports whether padding may go by the size of statement i of a block. Such a size
// has to be kept. after is the result for the condition that the block is a branch of,
// false for the statements of a record.
func Padded(block []*Stmt, i int, after, writing bool) bool {
	for _, s := range block[i+1:] {
		switch {
		case s.Op == OpPad:
			return true
		case s.Op == OpIf:
			pad := false
			Walk([]*Stmt{s}, func(x *Stmt) { pad = pad || x.Op == OpPad })
			if pad {
				return true
			}
		case s.Sized(writing):
			return false
		}
	}
	return after
}

// Reads reports whether a statement does anything when reading. uses are the
// registers that reading looks at; see [Uses].
func (s *Stmt) Reads(uses map[int]bool) bool {
	switch s.Op {
	case OpHeader, OpPatch, OpBits, OpSubst, OpAbsent, OpExpect, OpChoose:
		return false
	case OpLet, OpMark, OpSize:
		return uses[s.Reg]
	case OpSum:
		return s.Needed(uses, false)
	case OpCheck:
		return !s.Unread
	case OpTotal:
		return !s.Any
	}
	return true
}

// Written reports whether only a writer needs a statement about registers.
func (s *Stmt) Written() bool { return s.Unread && s.Op != OpSum }

// Needed reports whether a direction computes a checksum. uses are the registers that it
// looks at.
func (s *Stmt) Needed(uses map[int]bool, writing bool) bool {
	if writing {
		return !s.Unset && uses[s.Reg]
	}
	return !s.Unread && uses[s.Reg]
}

// Compared returns the text cells that reading a block compares, with the texts.
func Compared(body []*Stmt) map[int][]string {
	all := map[int][]string{}
	Walk(body, func(s *Stmt) {
		s.Exprs(false, func(e *Expr) {
			e.Walk(func(x *Expr) {
				if x.Op == ExprEquals && !slices.Contains(all[x.Cell], x.Text) {
					all[x.Cell] = append(all[x.Cell], x.Text)
				}
			})
		})
	})
	return all
}

// Unread returns the registers and the text cells that reading a block looks at and that may be unset there. Those that
// are set in one of several branches count as unset. Their number, or length, is then 0.
func Unread(body []*Stmt) (regs, texts map[int]bool) {
	type place struct {
		text  bool
		index int
	}
	uses := Uses(body, false)
	regs, texts = map[int]bool{}, map[int]bool{}
	var open map[place]bool // set in a branch that has ended
	look := func(p place) {
		switch {
		case !open[p]:
		case p.text:
			texts[p.index] = true
		default:
			regs[p.index] = true
		}
	}
	var walk func(block []*Stmt) (set map[place]bool)
	walk = func(block []*Stmt) map[place]bool {
		set := map[place]bool{}
		for _, s := range block {
			if !s.Reads(uses) {
				continue
			}
			s.Exprs(false, func(e *Expr) {
				e.Walk(func(x *Expr) {
					switch x.Op {
					case builtin.Ref:
						look(place{false, x.Reg})
					case builtin.Len:
						look(place{true, x.Cell})
					}
				})
			})
			switch s.Op {
			case OpTake, OpArmRef, OpNote:
				look(place{false, s.Reg})
			case OpCompare:
				look(place{false, s.Reg})
				look(place{false, s.Place})
			case OpSize:
				look(place{false, s.Place})
			}
			var p place
			switch s.Op {
			case OpWord, OpLet, OpMark, OpSize, OpSum, OpTotal:
				p = place{false, s.Reg}
			case OpText:
				p = place{true, s.Cell}
			case OpIf:
				before := maps.Clone(open)
				inner := walk(s.Then)
				after := open
				open = before
				maps.Copy(inner, walk(s.Else))
				maps.Copy(open, after)
				maps.Copy(open, inner)
				maps.Copy(set, inner)
				continue
			default:
				continue
			}
			set[p] = true
			delete(open, p)
		}
		return set
	}
	open = map[place]bool{}
	walk(body)
	return regs, texts
}

// Registers returns the registers that reading an arm of a union looks at and that are set before. They are arguments of
// the routine, and the word that the arm was found by.
func (a *Arm) Registers(r *Routine) []int {
	var out []int
	uses := Uses(a.Body, false)
	for i := range r.Args {
		if uses[i] {
			out = append(out, i)
		}
	}
	if r.Union.Word != builtin.NoScalar && uses[r.Union.Reg] && r.Union.Reg >= r.Args {
		out = append(out, r.Union.Reg)
	}
	return out
}

// Arguments returns the registers that are arguments of a routine.
func (r *Routine) Arguments() []int {
	var out []int
	for i := range r.Args {
		out = append(out, i)
	}
	return out
}

// WrittenCells returns the cells that writing a block looks at. It also returns the
// encodings in which writing needs the bytes of their texts.
func WrittenCells(body []*Stmt) (cells map[int]bool, texts map[int][]int) {
	cells, texts = map[int]bool{}, map[int][]int{}
	uses := Uses(body, true)
	text := func(cell, encoding int) {
		if !slices.Contains(texts[cell], encoding) {
			texts[cell] = append(texts[cell], encoding)
		}
	}
	Walk(body, func(s *Stmt) {
		switch {
		case s.Op.Keeps() || s.Op == OpAbsent || s.Op == OpSubst || s.Op == OpExpect:
			cells[s.Cell] = true
			if s.Op == OpText {
				text(s.Cell, s.Encoding)
			}
		case (s.Op == OpLet || s.Op == OpBits) && !uses[s.Reg]:
			return
		}
		s.Exprs(true, func(e *Expr) {
			e.Walk(func(x *Expr) {
				if x.OfCell() {
					cells[x.Cell] = true
					if x.Op == builtin.Len {
						text(x.Cell, x.Encoding)
					}
				}
			})
		})
	})
	return cells, texts
}

// Keyed returns the unions and records whose values occur in keys of maps, so that they have to be compared. They are in
// the order in which they are found.
func (m *Model) Keyed() (unions []*Routine, records []*Type) {
	seen := map[any]bool{}
	var visit func(s *Shape)
	visit = func(s *Shape) {
		switch s.Kind {
		case List:
			visit(s.Elem)
		case Map:
			visit(s.Key)
			visit(s.Elem)
		case Union:
			r := s.Routine
			if seen[r] {
				return
			}
			seen[r] = true
			unions = append(unions, r)
			for _, a := range r.Union.Arms {
				for _, f := range a.Type.Fields {
					if _, ok := a.Type.Compared(f); ok {
						visit(f.Shape)
					}
				}
			}
		case Record:
			t := s.Type
			if seen[t] {
				return
			}
			seen[t] = true
			records = append(records, t)
			for _, f := range t.Fields {
				if _, ok := t.Compared(f); ok {
					visit(f.Shape)
				}
			}
		}
	}
	for _, t := range m.Types {
		for _, f := range t.Fields {
			if f.Shape.Kind == Map {
				visit(f.Shape.Key)
			}
		}
	}
	return unions, records
}

// CanBeAlone reports whether a field can represent its record, and which other fields have
// to be absent for that.
func (t *Type) CanBeAlone(f *Field) (others []*Field, ok bool) {
	for _, other := range t.Fields {
		if other != f {
			others = append(others, other)
		}
		if other != f && !other.Optional {
			return nil, false
		}
	}
	return others, f.Alone
}

// Apart reports whether a NaN in the lanes or packed values of a field makes a key that
// equals nothing.
func (t *Type) Apart(f *Field) bool {
	_, alone := t.CanBeAlone(f)
	_, compared := t.Compared(f)
	return t.Keys.Rule[builtin.KeyApart] && alone && compared && (f.Shape.Kind == Lanes || f.Shape.Kind == Packed) && f.Shape.Scalar().IsFloat()
}

// Compared reports whether a field of a type matters when two keys are compared. It returns the other fields that
// have to be absent for that. A record with a list or a map compares by that alone, if it is present (see [Keys]).
func (t *Type) Compared(f *Field) (unless []*Field, ok bool) {
	if t.Keys.Rule[builtin.KeyDiffer] {
		return nil, false
	}
	if !t.Keys.Core {
		return nil, true
	}
	for _, other := range t.Fields {
		if other.Shape.Kind != List && other.Shape.Kind != Map {
			continue
		}
		if other == f {
			break
		}
		if !other.Optional {
			return nil, false
		}
		unless = append(unless, other)
	}
	return unless, true
}
