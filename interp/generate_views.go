// Views while generating: their content is drawn as that of other rows, and then becomes what a
// reader finds in the bytes.

package interp

import "github.com/octable/octable/compile/bytecode"

// findViews returns the cells of records that views fill, by tag.
func findViews(m *Machine) map[uint16]map[int]bool {
	out := map[uint16]map[int]bool{}
	p := m.p
	for pc := range p.Code {
		if p.Code[pc].Op != bytecode.Fields {
			continue
		}
		tag := m.tags[p.Code[pc].B]
		p.Walk(p.Inner(pc)[0], func(at int, in *bytecode.Instr, _ int) bool {
			if in.Op != bytecode.Seek || in.D&bytecode.SeekView == 0 {
				return true
			}
			p.Walk(p.Inner(at)[0], func(_ int, in *bytecode.Instr, _ int) bool {
				if c, ok := valueCell(in); ok {
					if out[tag] == nil {
						out[tag] = map[int]bool{}
					}
					out[tag][int(c)] = true
				}
				return true
			})
			return false
		})
	}
	return out
}

// show returns a value with the views that its bytes give. It is not ok if a writer refuses the result.
func (g *Generator) show(v Value) (Value, bool) {
	opt := Options{Open: g.opt.Open, MaxDepth: g.opt.MaxDepth, KeepWidths: g.opt.KeepWidths}
	if g.free == nil {
		g.free = g.m.NewWriter(opt)
		g.free.free = true
	}
	w := Value{}
	b, err := g.free.Append(nil, v)
	if err == nil {
		w, _, err = g.m.Decode(b, opt)
	}
	if err != nil {
		return v, false
	}
	v = g.m.shown(v, w)
	_, err = g.w.Append(nil, v)
	return v, err == nil
}

// shown returns v with the views of w, which is the same value with other views.
func (m *Machine) shown(v, w Value) Value {
	views := m.views[v.Tag()]
	if v.Kind() != Record && v.Tag() == w.Tag() && views[0] {
		return w // the one field of a record
	}
	cells, other := v.Cells(), w.Cells()
	if len(cells) == 0 || len(cells) != len(other) {
		return v
	}
	out := make([]Value, len(cells))
	for i := range cells {
		if v.Kind() == Record && views[i] {
			out[i] = other[i]
		} else {
			out[i] = m.shown(cells[i], other[i])
		}
	}
	return v.WithCells(out)
}
