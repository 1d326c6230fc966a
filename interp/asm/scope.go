// Scopes: the rows of a record or an arm by their names.

package asm

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/segment"
)

// scopeKey is a routine and an arm of its union, or -1.
type scopeKey struct {
	routine uint32
	arm     int
}

// scope are the rows of a record or an arm.
type scope struct {
	fields int            // the instruction that begins the record, or -1
	byName map[string]int // instructions
	names  map[int]string // the inverse
}

// scope returns the rows of a record or an arm. They are computed once.
func (a *Assembler) scope(routine uint32, arm int) *scope {
	key := scopeKey{routine, arm}
	if s, ok := a.scopes.Load(key); ok {
		return s.(*scope)
	}
	s := &scope{fields: -1, byName: map[string]int{}, names: map[int]string{}}
	body := a.p.Body(routine)
	var rows []int
	if _, union := a.p.UnionTable(routine); union {
		if a.p.Code[body.First].Op == bytecode.Union {
			rows = append(rows, body.First)
		}
		arms := a.p.Inner(body.First)
		if body = (bytecode.Block{}); arm >= 0 && arm < len(arms) {
			body = arms[arm]
		}
	}
	a.p.Walk(body, func(pc int, in *bytecode.Instr, _ int) bool {
		if in.Op == bytecode.Fields {
			s.fields = pc
		}
		if isRow(in) && !segment.Own(a.p, pc) {
			rows = append(rows, pc)
		}
		return true
	})
	s.name(a.p, rows)
	a.scopes.Store(key, s)
	return s
}

// isRow reports whether an instruction has a line.
func isRow(in *bytecode.Instr) bool {
	switch in.Op {
	case bytecode.Word, bytecode.Scalars, bytecode.Truth, bytecode.Lanes, bytecode.Packed, bytecode.Text, bytecode.Until, bytecode.Filled, bytecode.Pad,
		bytecode.Take, bytecode.ArmRef, bytecode.Gaps, bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare, bytecode.Call:
		return true
	}
	return false
}

// name gives each row a distinct name.
func (s *scope) name(p *bytecode.Program, rows []int) {
	same := map[string][]int{}
	for _, pc := range rows {
		name := rowName(p, pc)
		same[name] = append(same[name], pc)
	}
	for _, name := range slices.Sorted(maps.Keys(same)) {
		list := same[name]
		labels := map[string]bool{}
		for _, pc := range list {
			labels[typeName(p, pc)] = true
		}
		for i, pc := range list {
			full := name
			switch label := typeName(p, pc); {
			case len(list) > 1 && len(labels) == len(list) && label != "":
				full += ":" + label
			case i > 0:
				full += ":" + strconv.Itoa(i+1)
			}
			s.byName[full], s.names[pc] = pc, full
		}
	}
}

// rowName returns the name of a row in a text.
func rowName(p *bytecode.Program, pc int) string {
	name := p.Rules[p.Code[pc].Rule].Name
	name = name[strings.LastIndexByte(name, '.')+1:]
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !isName(r) }) {
		name = "row" // unreachable: a schema has other names
	}
	if p.Code[pc].Op == bytecode.Pad {
		name += ".padding"
	}
	return name
}

// typeName returns the type of a row that distinguishes it from others, or "".
func typeName(p *bytecode.Program, pc int) string {
	in := &p.Code[pc]
	switch in.Op {
	case bytecode.Word, bytecode.Scalars, bytecode.Truth, bytecode.Lanes, bytecode.Packed:
		if in.Coded() {
			return ""
		}
		name := in.Scalar().String()
		if in.Swapped() && in.Scalar().Width() > 1 {
			name += map[bool]string{true: "le", false: "be"}[p.Big]
		}
		return name
	case bytecode.Text:
		return p.Encodings[in.A].Name
	case bytecode.Call, bytecode.List:
		routine := in.A
		if in.Op == bytecode.List {
			routine = in.B
		}
		if name := p.Routines[routine].Name; !strings.ContainsFunc(name, func(r rune) bool { return !isName(r) }) {
			return name
		}
	}
	return ""
}
