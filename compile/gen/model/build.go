// Models: the tables, and the routines that the root contains.

package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// New returns the model of a schema for the choice that it is resolved for. The schema
// must have a root. p is the program that the schema compiles to: its hash is printed, and
// back ends take its plain forms ([bytecode.Program.Plain]). The error is an
// [*Unsupported]: it names a record that contains nothing but itself, which would be an
// infinite type.
func New(s *schema.Schema, p *bytecode.Program) (*Model, error) {
	b := build(s, nil)
	b = build(s, b.args) // with bounds of the arguments
	b.m.Hash, b.m.Program = p.Meaning(), p
	for i, r := range b.m.Routines {
		for k := range r.Args {
			a := argument(b.args, i, k)
			r.Exact = append(r.Exact, a.lo >= -MaxExact && a.hi <= MaxExact)
		}
	}
	if err := b.shapes(); err != nil {
		return nil, err
	}
	b.natural()
	b.m.dropStops()
	b.m.CountCalls = b.countCalls()
	return b.m, nil
}

// builder makes one model.
type builder struct {
	s         *schema.Schema
	m         *Model
	routines  map[any]*Routine // by [schema.Record] and [schema.Union]
	arms      map[*schema.Arm]*Type
	encodings map[*schema.Encoding]int
	docs      []string  // of each rule: the description of its row
	lines     []int     // of each rule: the line of its row
	pending   []func()  // routines that are called and not made yet
	bounds    [][]bound // of the arguments of routines by index, as far as they are known
	args      [][]bound // of those in the calls that were made
	forms     map[*Field][]*Shape
	names     []string // of bases, and of the types of parts
	width     int      // bytes of the number that the next statement is about, 0 without one
}

// build makes the types and statements of a model. bounds are those of the arguments
// of the routines.
func build(s *schema.Schema, bounds [][]bound) *builder {
	b := &builder{
		s:         s,
		m:         &Model{Schema: s.ID, Title: s.Title, Source: s.Source, Big: s.Big, Depth: builtin.DefaultDepth},
		routines:  map[any]*Routine{},
		arms:      map[*schema.Arm]*Type{},
		encodings: map[*schema.Encoding]int{},
		bounds:    bounds,
		forms:     map[*Field][]*Shape{},
	}
	if s.Depth > 0 {
		b.m.Depth = s.Depth
	}
	if s.Choice != nil {
		b.m.Choice = s.Choice.Name
	}
	for _, g := range s.Gates {
		b.m.Gates = append(b.m.Gates, g.Name)
	}
	b.rule(dsl.Pos{Filename: s.File, Line: s.Pos.Line}, s.ID, "")
	b.armTypes()
	b.m.Root = b.routineOf(s.Root)
	for len(b.pending) > 0 {
		next := b.pending[0]
		b.pending = b.pending[1:]
		next()
	}
	return b
}

// dropStops removes the steps that stop a list if the root contains no list that they could
// stop. Such a list is then in an arm that was replaced, or in a type without a use.
func (m *Model) dropStops() {
	if m.Features()["stops"] {
		return
	}
	isStop := func(s *Stmt) bool { return s.Op == OpStop }
	for _, r := range m.Routines {
		r.Body = slices.DeleteFunc(r.Body, isStop)
		if r.Union == nil {
			continue
		}
		for _, a := range r.Union.Arms {
			a.Body = slices.DeleteFunc(a.Body, isStop)
		}
	}
}

// armTypes declares the types of all arms.
func (b *builder) armTypes() {
	for _, u := range b.s.Unions {
		for _, a := range u.Sorted() {
			t := b.newType(&Type{Name: a.Name, Label: a.Label, Union: u.Name, IDs: a.IDs, Doc: plain(a.Doc)})
			t.Tag = t.Index + 1
			b.arms[a] = t
		}
	}
	if len(b.m.Types) == 0 {
		b.newType(&Type{}) // type 0 is an arm or not used
	}
	for rule, arms := range b.s.Keys {
		for _, a := range arms {
			b.arms[a].Keys.Rule[rule] = true
		}
	}
}

func (b *builder) newType(t *Type) *Type {
	t.Index = len(b.m.Types)
	b.m.Types = append(b.m.Types, t)
	return t
}

// recordType declares the type of a record. Values of a record without a name or
// without fields have no tag.
func (b *builder) recordType(rec *schema.Record) *Type {
	t := b.newType(&Type{Name: rec.Name})
	if rec.Name != "" {
		t.Doc = plain(rec.Doc)
		if len(rec.Stored) > 0 {
			t.Tag = t.Index + 1
		}
	}
	return t
}

// plain returns the lines of a comment without its marks.
func plain(doc []string) []string {
	var out []string
	for _, l := range doc {
		out = append(out, strings.TrimSpace(strings.TrimLeft(l, "/")))
	}
	return out
}

// routineOf returns the routine of a type that is a record or a union.
func (b *builder) routineOf(t *schema.Type) *Routine {
	if t.Form == schema.OfUnion {
		return b.union(t.Union)
	}
	return b.record(t.Record)
}

// union returns the routine of a union, which is made when its turn comes.
func (b *builder) union(u *schema.Union) *Routine {
	return b.routine(u, Routine{Name: u.Name, Args: len(u.Params), Nests: u.Nests, Min: u.Least}, func(r *Routine) { b.unionBody(r, u) })
}

// record returns the routine of a record, which is made when its turn comes.
func (b *builder) record(rec *schema.Record) *Routine {
	return b.routine(rec, Routine{Name: rec.Path, Args: len(rec.Params), Nests: rec.Nests, Min: rec.Least}, func(r *Routine) { b.recordBody(r, rec) })
}

func (b *builder) routine(node any, r Routine, fill func(*Routine)) *Routine {
	out, ok := b.routines[node]
	if !ok {
		r.Index = len(b.m.Routines)
		out = &r
		b.routines[node] = out
		b.m.Routines = append(b.m.Routines, out)
		b.args = append(b.args, nil)
		b.pending = append(b.pending, func() { fill(out) })
	}
	return out
}

// called notes the bounds of the arguments of a call.
func (b *builder) called(r *Routine, args []*Expr) {
	first := b.args[r.Index] == nil
	for i, a := range args {
		w := bound{a.Min, a.Max}
		if first {
			b.args[r.Index] = append(b.args[r.Index], w)
		} else {
			b.args[r.Index][i] = b.args[r.Index][i].or(w)
		}
	}
}

// argument returns the bounds of an argument of a routine.
func argument(known [][]bound, routine, arg int) bound {
	if routine < len(known) && arg < len(known[routine]) {
		return known[routine][arg]
	}
	return anything
}

// encoding returns the number of a text encoding.
func (b *builder) encoding(e *schema.Encoding) int {
	i, ok := b.encodings[e]
	if !ok {
		i = len(b.m.Encodings)
		b.encodings[e] = i
		b.m.Encodings = append(b.m.Encodings, e)
	}
	return i
}

// named returns the number of the name of a base, or of the type of a part.
func (b *builder) named(name string) int {
	i := slices.Index(b.names, name)
	if i < 0 {
		i = len(b.names)
		b.names = append(b.names, name)
	}
	return i
}

// rule returns the number of the rule for a place in the schema.
func (b *builder) rule(pos dsl.Pos, name, doc string) int {
	const near = 8 // as many rules before are looked at for the same one
	r, line := Rule{Name: name}, pos.Line
	for i := len(b.m.Rules) - 1; i >= max(0, len(b.m.Rules)-near); i-- {
		if b.m.Rules[i] == r && b.docs[i] == doc && b.lines[i] == line {
			return i
		}
	}
	b.m.Rules = append(b.m.Rules, r)
	b.docs, b.lines = append(b.docs, doc), append(b.lines, line)
	return len(b.m.Rules) - 1
}

// calls returns the routines that the statements of a routine call.
func (r *Routine) calls() []*Routine {
	var out []*Routine
	add := func(s *Stmt) {
		switch s.Op {
		case OpList, OpRest, OpCall:
			out = append(out, s.Elem)
		case OpMap:
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

// countCalls reports whether calls can reach [MaxCalls]. More than three routines that do not
// count towards the depth can be nested between two that do, and routines recur or are nested
// deeper than any depth allows.
func (b *builder) countCalls() bool {
	const most = 3
	if n := deepest(b.m.Root, map[*Routine]int{}); n >= 0 && n <= MaxCalls(0) {
		return false
	}
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

// deepest returns the greatest number of routines in progress while r runs, or -1 if some recur.
// known has those that were looked at, and 0 for those that are in progress.
func deepest(r *Routine, known map[*Routine]int) int {
	if n, ok := known[r]; ok {
		return cmp.Or(n, -1)
	}
	known[r] = 0
	most := 0
	for _, c := range r.calls() {
		n := deepest(c, known)
		if n < 0 {
			known[r] = -1
			return -1
		}
		most = max(most, n)
	}
	known[r] = most + 1
	return most + 1
}
