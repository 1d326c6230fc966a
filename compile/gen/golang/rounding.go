// Rounding of floats in keys that are written in single precision.

package golang

import (
	"fmt"
	"strings"

	"github.com/octable/octable/compile/gen/model"
)

// roundsIn reports whether keys of a shape have floats that may be rounded.
func (g *generator) roundsIn(s *model.Shape) bool {
	seen := map[any]bool{}
	var fields func(t *model.Type) bool
	var visit func(s *model.Shape) bool
	visit = func(s *model.Shape) bool {
		switch s.Kind {
		case model.Number, model.Lanes, model.Packed:
			return s.Rounding.Usual || s.Rounding.Kept
		case model.List:
			return visit(s.Elem)
		case model.Map:
			return visit(s.Key) || visit(s.Elem)
		case model.Union:
			if seen[s.Routine] {
				return false
			}
			seen[s.Routine] = true
			for _, a := range s.Routine.Union.Arms {
				if fields(a.Type) {
					return true
				}
			}
		case model.Record:
			return fields(s.Type)
		}
		return false
	}
	fields = func(t *model.Type) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		for _, f := range t.Fields {
			if visit(f.Shape) {
				return true
			}
		}
		return false
	}
	return visit(s)
}

// roundedMaps returns the fields of a type that are maps in whose keys floats may be rounded.
func (g *generator) roundedMaps(t *model.Type) (out []*model.Field) {
	for _, f := range t.Fields {
		if f.Shape.Kind == model.Map && g.roundsIn(f.Shape.Key) {
			out = append(out, f)
		}
	}
	return out
}

// mergeCells prints the merging of the maps among the cells of a type; cell prints one of them.
func (p *emitter) mergeCells(t *model.Type, cell func(i int) string) {
	for i, f := range t.Fields {
		if f.Shape.Kind == model.Map && p.g.roundsIn(f.Shape.Key) {
			p.f("w.mergeAs(&%s, func(v Value) Value { return %s })\n", cell(i), p.g.rounded(f.Shape.Key, "v"))
		} else {
			p.f("w.keys.merge(&%s)\n", cell(i))
		}
	}
}

// rounded prints a part of a key with rounded floats.
func (g *generator) rounded(s *model.Shape, x string) string {
	if !g.roundsIn(s) {
		return x
	}
	need := func(key any, name string) string {
		if !g.rounding[key] {
			g.rounding[key] = true
			g.roundings = append(g.roundings, key)
		}
		return fmt.Sprintf("w.rounded%s(%s)", name, x)
	}
	switch s.Kind {
	case model.List:
		return fmt.Sprintf("each(%s, func(v Value) Value { return %s }, nil)", x, g.rounded(s.Elem, "v"))
	case model.Map:
		return fmt.Sprintf("each(%s, func(v Value) Value { return %s }, func(v Value) Value { return %s })", x, g.rounded(s.Key, "v"), g.rounded(s.Elem, "v"))
	case model.Union:
		return need(s.Routine, g.routine[s.Routine])
	case model.Record:
		return need(s.Type, fmt.Sprint("Record", s.Type.Index))
	}
	switch r := s.Rounding; {
	case r.Usual && r.Kept && !r.Selected:
		return "single(" + x + ")"
	case r.Selected:
		return fmt.Sprintf("singleIf(kept && %t || !kept && %t, %s)", r.Kept, r.Usual, x)
	}
	return fmt.Sprintf("singleIf(w.wide && %t || !w.wide && %t, %s)", s.Rounding.Kept, s.Rounding.Usual, x)
}

// roundingFile prints the functions that round keys.
func (g *generator) roundingFile() string {
	p := &emitter{g: g}
	p.f("// Rounding: keys as they are written.\n\npackage octable\n\n")
	for i := 0; i < len(g.roundings); i++ { // it grows
		switch key := g.roundings[i].(type) {
		case *model.Routine:
			p.f("// rounded%[1]s returns a key with floats as they are written.\nfunc (w *writer) rounded%[1]s(v Value) Value {\nswitch v.tag {\n", g.routine[key])
			for _, a := range key.Union.Arms {
				if g.roundsIn(&model.Shape{Kind: model.Record, Type: a.Type}) {
					p.f("case %s:\n", g.typeConst[a.Type])
					p.roundedType(a.Type)
				}
			}
			p.f("}\nreturn v\n}\n\n")
		case *model.Type:
			p.f("// roundedRecord%[1]d returns a key with floats as they are written.\nfunc (w *writer) roundedRecord%[1]d(v Value) Value {\n", key.Index)
			p.roundedType(key)
			p.f("}\n\n")
		}
	}
	return p.String()
}

// roundedType prints the rounding of a value of a type.
func (p *emitter) roundedType(t *model.Type) {
	g := p.g
	p.f("var cells [%d]Value\nif !distribute(%s, v, cells[:]) {\nreturn v\n}\ngiven := cells\n", len(t.Fields), g.info(t))
	var wide []string
	for i, f := range t.Fields {
		if f.Shape.Rounding.Selected {
			wide = append(wide, fmt.Sprintf("cells[%d].Wide()", i))
		}
	}
	if wide != nil {
		p.f("kept := w.wide && (%s)\n", strings.Join(wide, " || "))
	}
	for i, f := range t.Fields {
		if g.roundsIn(f.Shape) {
			x := fmt.Sprintf("cells[%d]", i)
			p.f("%s = %s\n", x, g.rounded(f.Shape, x))
		}
	}
	p.f("return rejoined(v, given[:], cells[:])\n")
}
