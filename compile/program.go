// Programs: the tables, and the routines that the root needs.

package compile

import (
	"fmt"
	"path"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Schema compiles a resolved schema. The error is a [dsl.Diagnostics] if the schema has
// no root: it is a library for other schemas. Other schemas compile without an error.
func Schema(s *schema.Schema) (*bytecode.Program, error) {
	if s.Root == nil {
		d := s.Errorf(s.Pos, len("schema"), dsl.CodeSchema, "schema %q has no root, so there is nothing to read", s.ID).
			WithHint("add `root NAME` to it, or load a schema that extends it")
		return nil, dsl.Diagnostics{d}
	}
	l := &lowering{
		s:         s,
		routines:  map[any]uint32{},
		types:     map[*schema.Arm]uint32{},
		encodings: map[*schema.Encoding]uint32{},
		strings:   map[string]uint32{},
	}
	l.program()
	if err := bytecode.Verify(l.p); err != nil { // unreachable: the verifier accepts all that the compiler makes
		return nil, fmt.Errorf("schema %q: internal error; please report: %w", s.ID, err)
	}
	return l.p, nil
}

// lowering makes one program.
type lowering struct {
	s         *schema.Schema
	p         *bytecode.Program
	routines  map[any]uint32 // by [schema.Record] and [schema.Union]
	types     map[*schema.Arm]uint32
	encodings map[*schema.Encoding]uint32
	strings   map[string]uint32
	pending   []func() // routines that are called and not made yet
	width     uint32   // bytes of the number that the next instruction is about, or 0
}

// program makes the tables and the code.
func (l *lowering) program() {
	s := l.s
	l.p = &bytecode.Program{Schema: s.ID, Title: s.Title, Role: s.Role, Big: s.Big, Depth: builtin.DefaultDepth}
	if s.Depth > 0 {
		l.p.Depth = uint32(s.Depth)
	}
	if s.Choice != nil {
		l.p.Choice = s.Choice.Name
	}
	for _, g := range s.Gates {
		l.p.Gates = append(l.p.Gates, g.Name)
	}
	l.rule(dsl.Pos{Filename: s.File, Line: s.Pos.Line}, s.ID, "")
	for _, u := range s.Unions {
		for _, a := range u.Sorted() {
			l.types[a] = l.newType(bytecode.Type{Name: a.Name, Label: a.Label, Union: u.Name, ID: a.ID})
		}
	}
	if len(l.p.Types) == 0 {
		l.newType(bytecode.Type{})
	}
	l.p.Root = l.routineOf(s.Root)
	for len(l.pending) > 0 {
		next := l.pending[0]
		l.pending = l.pending[1:]
		next()
	}
	for rule, arms := range s.Keys {
		l.p.Keys[rule] = l.keys(arms)
	}
}

func (l *lowering) newType(t bytecode.Type) uint32 {
	l.p.Types = append(l.p.Types, t)
	return uint32(len(l.p.Types) - 1)
}

func (l *lowering) keys(arms []*schema.Arm) []uint32 {
	var out []uint32
	for _, a := range arms {
		out = append(out, l.types[a])
	}
	return out
}

// routineOf returns the routine of a type that is a record or a union.
func (l *lowering) routineOf(t *schema.Type) uint32 {
	if t.Form == schema.OfUnion {
		return l.union(t.Union)
	}
	return l.record(t.Record)
}

// union returns the routine of a union, which is made when its turn comes.
func (l *lowering) union(u *schema.Union) uint32 {
	return l.routine(u, u.Name, u.Params, u.Nests, func(index uint32) { l.lowerUnion(index, u) })
}

// record returns the routine of a record.
func (l *lowering) record(r *schema.Record) uint32 {
	return l.routine(r, r.Path, r.Params, r.Nests, func(index uint32) { l.lowerRecord(index, r) })
}

func (l *lowering) routine(node any, name string, params []*schema.Field, nests bool, lower func(index uint32)) uint32 {
	if i, ok := l.routines[node]; ok {
		return i
	}
	i := uint32(len(l.p.Routines))
	l.routines[node] = i
	l.p.Routines = append(l.p.Routines, bytecode.Routine{Name: name, Args: uint32(len(params)), Nests: nests})
	l.pending = append(l.pending, func() {
		l.p.Routines[i].Start = uint32(len(l.p.Code))
		lower(i)
		l.p.Routines[i].End = uint32(len(l.p.Code))
	})
	return i
}

// encoding returns the number of a text encoding.
func (l *lowering) encoding(e *schema.Encoding) uint32 {
	i, ok := l.encodings[e]
	if !ok {
		i = uint32(len(l.p.Encodings))
		l.encodings[e] = i
		l.p.Encodings = append(l.p.Encodings, bytecode.Encoding{
			Name: e.Name, Charset: e.Charset, DropBOM: e.DropBOM, NUL: bytecode.NUL(e.NUL),
		})
	}
	return i
}

// text returns the number of a string.
func (l *lowering) text(s string) uint32 {
	i, ok := l.strings[s]
	if !ok {
		i = uint32(len(l.p.Strings))
		l.strings[s] = i
		l.p.Strings = append(l.p.Strings, s)
	}
	return i
}

// rule returns the number of the rule for a place in the schema.
func (l *lowering) rule(pos dsl.Pos, name, doc string) int {
	r := bytecode.Rule{File: path.Base(pos.Filename), Line: uint32(pos.Line), Name: name, Doc: doc}
	for i := len(l.p.Rules) - 1; i >= 0 && i >= len(l.p.Rules)-8; i-- {
		if l.p.Rules[i] == r {
			return i
		}
	}
	l.p.Rules = append(l.p.Rules, r)
	return len(l.p.Rules) - 1
}

// emit adds an instruction and returns it. The pointer is good until the next one.
func (l *lowering) emit(op bytecode.Op, rule int, operands ...uint32) *bytecode.Instr {
	in := bytecode.Instr{Op: op, Rule: uint32(rule)}
	for i, x := range operands {
		*[]*uint32{&in.A, &in.B, &in.C, &in.D}[i] = x
	}
	switch op {
	case bytecode.Word, bytecode.Header:
		l.width = 0
		if in.Coding() == builtin.Fixed {
			l.width = uint32(in.Scalar().Width())
		}
	case bytecode.Let, bytecode.Take, bytecode.Check, bytecode.ArmRef, bytecode.If:
	default:
		l.width = 0
	}
	l.p.Code = append(l.p.Code, in)
	return &l.p.Code[len(l.p.Code)-1]
}

// refuse emits a check, which refuses with a text unless the condition holds. The error
// is at the number that was read last, if nothing else was read since.
func (l *lowering) refuse(rule int, cond uint32, text string) {
	l.emit(bytecode.Check, rule, cond, l.text(text), l.width)
}

// either emits a condition and its two branches. A second branch that is empty is left
// out.
func (l *lowering) either(rule int, cond uint32, then, other func()) {
	before := l.width
	l.emit(bytecode.If, rule, cond)
	then()
	at := len(l.p.Code)
	l.emit(bytecode.Else, rule)
	l.width = before
	if other(); len(l.p.Code) == at+1 {
		l.p.Code = l.p.Code[:at]
	}
	l.emit(bytecode.End, rule)
}
