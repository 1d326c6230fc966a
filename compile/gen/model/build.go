// From a program to a model.

package model

import (
	"fmt"
	"path"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
)

// New returns the model of a program, which must have passed [bytecode.Verify].
// The schema is what the program was compiled from, for its descriptions; it may
// be nil. The error says what about a program cannot be generated: of programs that
// were made by this project's compiler, only records that are made of themselves alone.
func New(p *bytecode.Program, s *schema.Schema) (*Model, error) {
	b := &builder{p: p, s: s, m: &Model{
		Schema: p.Schema, Title: p.Title, Choice: p.Choice, Hash: p.Hash(), Big: p.Big, Depth: int(p.Depth),
		Gates: p.Gates, Encodings: p.Encodings,
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
			if err := b.routine(i); err != nil {
				return nil, fmt.Errorf("routine %s: %w", p.Routines[i].Name, err)
			}
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
	if err := b.writes(); err != nil {
		return nil, err
	}
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

func (b *builder) writes() error {
	for i := range b.p.Types {
		for _, w := range b.p.Types[i].Writes {
			e, err := b.expr(w.When, nil)
			if err != nil {
				return err
			}
			b.m.Types[i].Writes = append(b.m.Types[i].Writes, Write{When: e, Absent: w.Absent, Type: b.m.Types[w.Type], Text: w.Text})
		}
	}
	return nil
}

// routine makes the statements of a routine.
func (b *builder) routine(index int) error {
	r, out := &b.p.Routines[index], b.m.Routines[index]
	regs := make([]bound, r.Regs)
	reset := func() {
		for i := range regs {
			regs[i] = anything
		}
		copy(regs, b.bounds[index])
	}
	reset()
	pc := int(r.Start)
	for b.p.Code[pc].Op == bytecode.Nop {
		pc++
	}
	in := &b.p.Code[pc]
	if in.Op != bytecode.Union && in.Op != bytecode.Switch {
		var err error
		out.Type, out.Body, err = b.record(pc, int(r.End), regs)
		return err
	}
	sw := &Switch{Rule: int(in.Rule)}
	if in.Op == bytecode.Union {
		sw.Word, sw.Reg = bytecode.Scalar(in.A), int(in.B)
		regs[in.B].lo, regs[in.B].hi = ScalarBounds(sw.Word)
	}
	var err error
	if sw.Expr, err = b.expr(in.C, regs); err != nil {
		return err
	}
	word := anything
	if sw.Word != bytecode.NoScalar {
		word = regs[sw.Reg]
	}
	for _, a := range b.p.Tables[in.D].Arms {
		reset()
		if sw.Word != bytecode.NoScalar {
			regs[sw.Reg] = word
		}
		arm := &Arm{ID: a.ID, Else: a.Else}
		if arm.Type, arm.Body, err = b.record(int(a.Target), int(r.End), regs); err != nil {
			return err
		}
		arm.Type.Else = a.Else
		arm.Rule = int(b.p.Code[a.Target].Rule)
		sw.Arms = append(sw.Arms, arm)
	}
	out.Union = sw
	return nil
}

// record makes the statements from the beginning of a record to its end.
func (b *builder) record(pc, limit int, regs []bound) (*Type, []*Stmt, error) {
	for b.p.Code[pc].Op == bytecode.Nop {
		pc++
	}
	if b.p.Code[pc].Op != bytecode.Fields {
		return nil, nil, fmt.Errorf("instruction %d does not begin a record", pc)
	}
	t := b.m.Types[b.p.Code[pc].B]
	end := pc
	for end < limit && b.p.Code[end].Op != bytecode.Done {
		end++
	}
	if end == limit {
		return nil, nil, fmt.Errorf("the record at instruction %d does not end", pc)
	}
	body, err := b.block(pc+1, end, t, regs)
	return t, body, err
}

// block makes the statements of the instructions from pc to end.
func (b *builder) block(pc, end int, t *Type, regs []bound) ([]*Stmt, error) {
	var out []*Stmt
	for pc < end {
		in := &b.p.Code[pc]
		switch in.Op {
		case bytecode.Nop:
		case bytecode.If:
			s := &Stmt{Op: in.Op, Rule: int(in.Rule)}
			var err error
			if s.Expr, err = b.expr(in.A, regs); err != nil {
				return nil, err
			}
			target := int(in.B)
			if target > end || target <= pc+1 || b.p.Code[target-1].Op != bytecode.Jump {
				return nil, fmt.Errorf("the condition at instruction %d has no branches", pc)
			}
			after := int(b.p.Code[target-1].A)
			if after > end {
				return nil, fmt.Errorf("the jump at instruction %d leaves its branch", target-1)
			}
			other := append([]bound(nil), regs...)
			if s.Then, err = b.block(pc+1, target-1, t, regs); err != nil {
				return nil, err
			}
			if s.Else, err = b.block(target, after, t, other); err != nil {
				return nil, err
			}
			for i := range regs { // after either branch
				regs[i] = bound{min(regs[i].lo, other[i].lo), max(regs[i].hi, other[i].hi)}
			}
			if s.Expr.Op == bytecode.ExprNum { // a condition on the choice of the axis
				branch := s.Then
				if s.Expr.Num == 0 {
					branch = s.Else
				}
				out = append(out, branch...)
			} else {
				out = append(out, s)
			}
			pc = after
			continue
		case bytecode.Jump, bytecode.Fields, bytecode.Union, bytecode.Switch, bytecode.Done:
			return nil, fmt.Errorf("instruction %d, %s, stands where none is expected", pc, in.Op)
		default:
			s, err := b.stmt(pc, t, regs)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
		pc++
	}
	return out, nil
}

// stmt makes the statement of one instruction without branches.
func (b *builder) stmt(pc int, t *Type, regs []bound) (*Stmt, error) {
	in := &b.p.Code[pc]
	s := &Stmt{Op: in.Op, Rule: int(in.Rule), Place: -1}
	var err error
	expr := func(i uint32) *Expr {
		e, bad := b.expr(i, regs)
		if bad != nil {
			err = bad
		}
		return e
	}
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
		if err == nil {
			regs[in.A] = bound{s.Expr.Min, s.Expr.Max}
		}
	case bytecode.Check:
		s.Expr, s.Text, s.Back = expr(in.A), b.p.Strings[in.B], b.back(pc)
	case bytecode.Refuse:
		s.Text, s.Back = b.p.Strings[in.A], b.back(pc)
	case bytecode.Scalars:
		s.Scalar, s.Wide, s.Cell = bytecode.Scalar(in.A&0xff), in.A&bytecode.FlagWide != 0, int(in.B)
	case bytecode.Truth:
		s.Scalar, s.Cell, s.Nonzero = bytecode.Scalar(in.A), int(in.B), in.C&bytecode.TruthNonzero != 0
	case bytecode.Take:
		s.Cell, s.Reg, s.Take = int(in.A), int(in.B), int(in.C)
	case bytecode.ArmRef:
		s.Cell, s.Reg, s.Elem, s.Back = int(in.A), int(in.B), b.m.Routines[in.C], b.back(pc)
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
		if err == nil && len(s.Args) > 0 {
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
	case bytecode.Enter:
		s.Expr = expr(in.A)
	case bytecode.Leave:
	case bytecode.Mark:
		s.Reg = int(in.A)
		regs[in.A] = size
	case bytecode.Size:
		s.Reg, s.Place = int(in.A), int(in.B)
		regs[in.A] = size
	case bytecode.Patch:
		s.Scalar, s.Place, s.Expr, s.Reg = bytecode.Scalar(in.A), int(in.B), expr(in.C), int(in.D)
		regs[in.D].lo, regs[in.D].hi = ScalarBounds(s.Scalar)
	default:
		return nil, fmt.Errorf("instruction %d, %s, is not known here", pc, in.Op)
	}
	return s, err
}

// step is the name of a field in paths to its elements.
func (t *Type) step(cell uint32) string {
	if f := t.Fields[cell]; !f.Alone {
		return f.Name
	}
	return ""
}

// back returns how far before the cursor the row begins that a check is about.
func (b *builder) back(pc int) int {
	for k := pc - 1; k >= 0; k-- {
		switch in := &b.p.Code[k]; in.Op {
		case bytecode.Word, bytecode.Union:
			return bytecode.Scalar(in.A).Width()
		case bytecode.Let, bytecode.Take, bytecode.Check, bytecode.ArmRef, bytecode.Header, bytecode.Fields, bytecode.If:
		default:
			return 0
		}
	}
	return 0
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
