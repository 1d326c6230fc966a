// From a program to a model.

package model

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
)

// New returns the model of a program, which must have passed [bytecode.Verify].
// The schema that the program was compiled from gives descriptions; it may be nil.
// The error names a record that is made of itself alone, which would be an infinite type.
func New(p *bytecode.Program, s *schema.Schema) (*Model, error) {
	b := &builder{p: p, s: s, m: &Model{
		Schema: p.Schema, Title: p.Title, Choice: p.Choice, Hash: p.Hash(), Big: p.Big, Depth: int(p.Depth),
		Gates: p.Gates, Encodings: p.Encodings, Program: p,
	}}
	for _, r := range p.Rules {
		b.m.Rules = append(b.m.Rules, Rule{Name: r.Name, Source: fmt.Sprintf("%s:%d", path.Base(r.File), r.Line)})
	}
	if s != nil {
		b.m.Source = s.Source
	}
	b.types()
	b.bounds = make([][]bound, len(p.Routines))
	for i := range p.Routines {
		r := &p.Routines[i]
		b.m.Routines = append(b.m.Routines, &Routine{
			Index: i, Name: r.Name, Args: int(r.Args), Nests: r.Nests, Min: p.Bounds(uint32(i)).Min, Rule: int(p.Code[r.Start].Rule),
		})
		b.bounds[i] = make([]bound, r.Args)
		for k := range b.bounds[i] {
			b.bounds[i][k] = anything
		}
	}
	b.m.Root = b.m.Routines[p.Root]
	for range 2 { // the second time with bounds of the arguments
		b.args = make([][]bound, len(p.Routines))
		for i := range p.Routines {
			b.routine(i)
		}
		for i, args := range b.args {
			if args != nil {
				b.bounds[i] = args
			}
		}
	}
	for i, r := range b.m.Routines {
		for _, a := range b.bounds[i] {
			r.Exact = append(r.Exact, a.lo >= -MaxExact && a.hi <= MaxExact)
		}
	}
	b.writes()
	if err := b.shapes(); err != nil {
		return nil, err
	}
	b.natural()
	b.m.CountCalls = b.countCalls()
	return b.m, nil
}

type builder struct {
	p      *bytecode.Program
	s      *schema.Schema
	m      *Model
	bounds [][]bound // of the arguments of each routine
	args   [][]bound // of those that were seen in calls
}

// types declares the types. Those that have a name have a tag, which is one more
// than their index.
func (b *builder) types() {
	for i := range b.p.Types {
		t := &b.p.Types[i]
		out := &Type{Index: i, Name: t.Name, Label: t.Label, Union: t.Union, ID: t.ID, Lanes: t.Lanes}
		if t.Name != "" && (t.Union != "" || t.Fields != nil) {
			out.Tag = i + 1
		}
		for k, f := range t.Fields {
			out.Fields = append(out.Fields, &Field{Index: k, Name: f.Name, Kind: f.Kind, Alone: f.Alone})
			if f.Alone && len(t.Fields) > 1 && (f.Kind == kindList || f.Kind == kindMap) {
				out.Keys.Core = true
			}
		}
		if b.s != nil {
			if u := b.s.Union(t.Union); u != nil {
				if a := u.Arm(t.Name); a != nil {
					out.Doc = plain(a.Doc)
				}
			} else if r := b.s.Record(t.Name); r != nil {
				out.Doc = plain(r.Doc)
			}
		}
		b.m.Types = append(b.m.Types, out)
	}
	for _, i := range b.p.Equal {
		b.m.Types[i].Keys.Text = true
	}
	for _, i := range b.p.Differ {
		b.m.Types[i].Keys.Differ = true
	}
	for _, i := range b.p.Exact {
		b.m.Types[i].Keys.Exact = true
	}
	for _, i := range b.p.Apart {
		b.m.Types[i].Keys.Apart = true
	}
}

// plain returns the lines of a comment without its marks.
func plain(doc []string) []string {
	var out []string
	for _, l := range doc {
		out = append(out, strings.TrimSpace(strings.TrimLeft(l, "/")))
	}
	return out
}

// kinds of value, in the numbering of package interp.
const (
	kindList = 9
	kindMap  = 10
)

// writes sets what a writer puts in place of values of each type.
func (b *builder) writes() {
	for i := range b.p.Types {
		for _, w := range b.p.Types[i].Writes {
			b.m.Types[i].Writes = append(b.m.Types[i].Writes, Write{When: b.expr(w.When, nil), Absent: w.Absent, Type: b.m.Types[w.Type], Text: w.Text})
		}
	}
}

// routine builds the statements of a routine.
func (b *builder) routine(index int) {
	r, out := &b.p.Routines[index], b.m.Routines[index]
	regs := slices.Repeat([]bound{anything}, int(r.Regs))
	copy(regs, b.bounds[index])
	pc := int(r.Start)
	in := &b.p.Code[pc]
	if in.Op == bytecode.Fields {
		out.Type, out.Body = b.record(pc, regs)
		return
	}
	sw := &Switch{Rule: int(in.Rule)}
	if in.Op == bytecode.Union {
		sw.Word, sw.Reg = bytecode.Scalar(in.A), int(in.B)
		regs[in.B].lo, regs[in.B].hi = ScalarBounds(sw.Word)
	}
	sw.Expr = b.expr(in.C, regs)
	for i, inner := range b.p.Inner(pc) {
		a := &b.p.Tables[in.D].Arms[i]
		arm := &Arm{ID: a.ID, Else: a.Else, Rule: int(b.p.Code[inner.First].Rule)}
		arm.Type, arm.Body = b.record(inner.First, slices.Clone(regs))
		arm.Type.Else = a.Else
		sw.Arms = append(sw.Arms, arm)
	}
	out.Union = sw
}

// record builds the statements of the record that an instruction begins.
func (b *builder) record(pc int, regs []bound) (*Type, []*Stmt) {
	t := b.m.Types[b.p.Code[pc].B]
	return t, b.block(b.p.Inner(pc)[0], t, regs)
}

// block builds the statements of a block.
func (b *builder) block(block bytecode.Block, t *Type, regs []bound) []*Stmt {
	var out []*Stmt
	for pc, in := range b.p.Instrs(block) {
		s := b.stmt(in, t, regs)
		switch in.Op {
		case bytecode.If:
			inner, other := b.p.Inner(pc), slices.Clone(regs)
			s.Then, s.Else = b.block(inner[0], t, regs), b.block(inner[1], t, other)
			for i := range regs { // after either branch
				regs[i] = bound{min(regs[i].lo, other[i].lo), max(regs[i].hi, other[i].hi)}
			}
			switch {
			case s.Expr.Op != bytecode.ExprNum:
				out = append(out, s)
			case s.Expr.Num != 0: // a condition on the choice of the axis
				out = append(out, s.Then...)
			default:
				out = append(out, s.Else...)
			}
		case bytecode.Enter:
			out = append(append(out, s), b.block(b.p.Inner(pc)[0], t, regs)...)
			out = append(out, b.stmt(&b.p.Code[b.p.End(pc)], t, regs))
		default:
			out = append(out, s)
		}
	}
	return out
}

// stmt builds the statement of one instruction, without its branches.
func (b *builder) stmt(in *bytecode.Instr, t *Type, regs []bound) *Stmt {
	s := &Stmt{Op: in.Op, Rule: int(in.Rule), Place: -1}
	expr := func(i uint32) *Expr { return b.expr(i, regs) }
	size := bound{0, MaxExact}
	switch in.Op {
	case bytecode.Header:
		s.Scalar, s.Reg, s.Expr = bytecode.Scalar(in.A), int(in.B), expr(in.C)
		regs[in.B].lo, regs[in.B].hi = ScalarBounds(s.Scalar)
	case bytecode.Word:
		s.Scalar, s.Reg, s.Expr = bytecode.Scalar(in.A), int(in.B), expr(in.C)
		if in.D != bytecode.None {
			s.Place, s.Expr = int(in.D), nil
			regs[in.D] = size
		}
		regs[in.B].lo, regs[in.B].hi = ScalarBounds(s.Scalar)
	case bytecode.Let:
		s.Reg, s.Expr = int(in.A), expr(in.B)
		regs[in.A] = bound{s.Expr.Min, s.Expr.Max}
	case bytecode.Check:
		s.Expr, s.Text, s.Back = expr(in.A), b.p.Strings[in.B], int(in.C)
	case bytecode.Scalars:
		s.Scalar, s.Wide, s.Cell = bytecode.Scalar(in.A&0xff), in.A&bytecode.FlagWide != 0, int(in.B)
	case bytecode.Truth:
		s.Scalar, s.Cell, s.Nonzero = bytecode.Scalar(in.A), int(in.B), in.C&bytecode.TruthNonzero != 0
	case bytecode.Take:
		s.Cell, s.Reg, s.Take = int(in.A), int(in.B), int(in.C)
	case bytecode.ArmRef:
		s.Cell, s.Reg, s.Elem, s.Back = int(in.A), int(in.B), b.m.Routines[in.C], int(in.D)
	case bytecode.Lanes:
		s.Scalar, s.Wide, s.Width, s.Cell = bytecode.Scalar(in.A&0xff), in.A&bytecode.FlagWide != 0, int(in.B), int(in.C)
	case bytecode.Text:
		s.Encoding, s.Expr, s.Cell = int(in.A), expr(in.B), int(in.C)
	case bytecode.Packed:
		s.Scalar, s.Wide, s.Width, s.Expr, s.Cell = bytecode.Scalar(in.A&0xff), in.A&bytecode.FlagWide != 0, int(in.B), expr(in.C), int(in.D)
	case bytecode.Pad:
		s.Align, s.OrEnd, s.Exact, s.Fill = int(in.A), in.B&bytecode.PadOrEnd != 0, in.B&bytecode.PadExact != 0, byte(in.C)
	case bytecode.List:
		s.Expr, s.Elem, s.Cell, s.Step = expr(in.A), b.m.Routines[in.B], int(in.C), t.step(in.C)
	case bytecode.Map:
		s.Expr, s.Key, s.Cell, s.Elem, s.Step = expr(in.A), b.m.Routines[in.B], int(in.C), b.m.Routines[in.D], t.step(in.C)
	case bytecode.Rest:
		s.Elem, s.Cell, s.Step = b.m.Routines[in.A], int(in.B), t.step(in.B)
	case bytecode.Call:
		s.Elem, s.Cell = b.m.Routines[in.A], int(in.B)
		for _, a := range b.p.Args[in.C] {
			s.Args = append(s.Args, expr(a))
		}
		name := b.p.Rules[in.Rule].Name
		s.Step = name[strings.LastIndexByte(name, '.')+1:]
		if len(s.Args) > 0 {
			known := b.args[in.A]
			b.args[in.A] = make([]bound, len(s.Args))
			for i, a := range s.Args {
				w := bound{a.Min, a.Max}
				if known != nil {
					w = bound{min(w.lo, known[i].lo), max(w.hi, known[i].hi)}
				}
				b.args[in.A][i] = w
			}
		}
	case bytecode.Absent:
		s.Cell = int(in.A)
	case bytecode.Subst:
		s.Cell, s.Elem = int(in.A), b.m.Routines[in.B]
	case bytecode.Gate:
		s.Gate = int(in.A)
	case bytecode.If, bytecode.Enter:
		s.Expr = expr(in.A)
	case bytecode.Mark:
		s.Reg = int(in.A)
		regs[in.A] = size
	case bytecode.Size:
		s.Reg, s.Place = int(in.A), int(in.B)
		regs[in.A] = size
	case bytecode.Patch:
		s.Scalar, s.Place, s.Expr, s.Reg = bytecode.Scalar(in.A), int(in.B), expr(in.C), int(in.D)
		regs[in.D].lo, regs[in.D].hi = ScalarBounds(s.Scalar)
	}
	return s
}

// step is the name of a field in paths to its elements.
func (t *Type) step(cell uint32) string {
	if f := t.Fields[cell]; !f.Alone {
		return f.Name
	}
	return ""
}

// calls returns the routines that the statements of a routine call.
func (r *Routine) calls() []*Routine {
	var out []*Routine
	add := func(s *Stmt) {
		switch s.Op {
		case bytecode.List, bytecode.Rest, bytecode.Call:
			out = append(out, s.Elem)
		case bytecode.Map:
			out = append(out, s.Key, s.Elem)
		}
	}
	Walk(r.Body, add)
	if r.Union != nil {
		for _, a := range r.Union.Arms {
			Walk(a.Body, add)
		}
	}
	return out
}

// countCalls reports whether more than three routines that do not count towards
// the depth can be nested between two that do.
func (b *builder) countCalls() bool {
	const most = 3
	var longest func(r *Routine, n int) bool
	longest = func(r *Routine, n int) bool {
		if r.Nests {
			n = 0
		} else if n++; n > most {
			return true
		}
		for _, c := range r.calls() {
			if !c.Nests && longest(c, n) {
				return true
			}
		}
		return false
	}
	for _, r := range b.m.Routines {
		if longest(r, 0) {
			return true
		}
	}
	return false
}
