// Mutation: values that differ from others in one part.

package corrupt

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Mutation names a change of a value.
type Mutation string

// The mutations.
const (
	Drop     Mutation = "drop"     // an element or pair is left out
	Double   Mutation = "double"   // it is there twice
	Swap     Mutation = "swap"     // two parts change places
	Splice   Mutation = "splice"   // a part of the same or of another value replaces one
	Retype   Mutation = "retype"   // a part keeps its content, and is of another type
	Redraw   Mutation = "redraw"   // a part is another value altogether
	Boundary Mutation = "boundary" // a number, text or size is at a boundary of its row
	Presence Mutation = "presence" // a field that may be absent comes or goes
	Wide     Mutation = "wide"     // a number is marked for the wider of its forms, or not
)

var mutations = []Mutation{Drop, Double, Swap, Splice, Retype, Redraw, Boundary, Boundary, Boundary, Presence, Wide}

const (
	// maxNodes is how many parts of a value are looked at.
	maxNodes = 1 << 12

	// maxPath is the number of levels down to which they are. A change of a part copies all values
	// around it, so the work for a value grows with the square of its levels.
	maxPath = 128
)

// node is a part of a value and the way to it.
type node struct {
	path []int
	v    interp.Value
	tag  uint16 // of the nearest value around it that has one
	// It is a field of a record.
	field bool
}

// nodes returns the parts of a value, itself first.
func nodes(v interp.Value) []node {
	all := []node{{v: v, tag: v.Tag()}}
	for i := 0; i < len(all) && len(all) < maxNodes; i++ {
		n := all[i]
		if len(n.path) == maxPath {
			continue
		}
		for k, c := range n.v.Cells() {
			if c.IsNone() {
				continue
			}
			tag := c.Tag()
			if tag == 0 {
				tag = n.tag
			}
			all = append(all, node{append(slices.Clone(n.path), k), c, tag, n.v.Kind() == interp.Record})
		}
	}
	return all
}

// Place identifies in the schema a part of a value. Two parts of the same Place differ only in
// their content.
type Place struct {
	Tag   uint16 // of the nearest value around it that is of a type of the root's union, or of itself
	Kind  interp.Kind
	Wide  bool
	Empty bool   // it is a list, map or array without elements
	Way   string // from that value: fields by number, * for any element, and tags
}

// place returns the Place of a part of a value.
func (e *Engine) place(v interp.Value, n *node) Place {
	p := Place{Tag: v.Tag()}
	var way []byte
	for _, i := range n.path {
		around := v
		v = v.Cells()[i]
		switch {
		case v.Tag() != 0 && e.inRoot(v.Tag()) && !(v.Kind() == interp.Unit && around.Kind() == interp.Record):
			p.Tag, way = v.Tag(), way[:0]
			continue
		case around.Kind() == interp.Record:
			way = append(strconv.AppendInt(way, int64(i), 10), '/')
		default:
			way = append(way, "*/"...)
		}
		if v.Tag() != 0 && v.Kind() != interp.Unit {
			way = append(strconv.AppendInt(append(way, '('), int64(v.Tag()), 10), ")/"...)
		}
	}
	p.Kind, p.Wide, p.Way = v.Kind(), v.Wide(), string(way)
	switch p.Kind {
	case interp.List, interp.Map, interp.Packed:
		p.Empty = v.Len() == 0
	}
	return p
}

// inRoot reports whether a tag is of a type of the root's union.
func (e *Engine) inRoot(tag uint16) bool {
	return slices.ContainsFunc(e.samples(), func(s interp.Value) bool { return s.Tag() == tag })
}

// parts returns the parts of a value that one asks for, or of all if only is nil. Of a large value, it returns
// some at each Place, the first and the last included.
func (e *Engine) parts(v interp.Value, only func(Place) bool) iter.Seq[node] {
	return func(yield func(node) bool) {
		all := nodes(v)
		cells := 0
		for i := range all {
			cells += copied(v, all[i].path)
		}
		picked := spread(len(all), len(all), 0)
		if cells > mostPartCells {
			picked = bounded(len(all), mostPartCells/(cells/len(all)), uint32(len(all)), func(i int) any { return e.place(v, &all[i]) })
		}
		for i := range picked {
			n := all[i]
			if (only == nil || only(e.place(v, &n))) && !yield(n) {
				return
			}
		}
	}
}

// copied returns the number of cells that are copied to replace the part at a path.
func copied(v interp.Value, path []int) (n int) {
	for _, i := range path {
		cells := v.Cells()
		n += len(cells)
		v = cells[i]
	}
	return n
}

// Mutate returns v with one part changed, which a writer with the engine's options
// takes, and what the change was. Parts may be taken from the others. If nothing
// of what was tried can be written, it is another value of the schema.
func (e *Engine) Mutate(r *rand.Rand, v interp.Value, others []interp.Value) (interp.Value, Mutation) {
	all := nodes(v)
	for range 40 {
		kind := mutations[r.IntN(len(mutations))]
		out, ok := e.change(r, kind, v, all, others)
		if !ok {
			continue
		}
		if _, err := e.m.Append(nil, out, e.opt); err == nil {
			return out, kind
		}
	}
	return e.draw(r), Redraw
}

// Redrawn returns how many records were begun again so far to draw values.
func (e *Engine) Redrawn() int {
	if e.gen == nil {
		return 0
	}
	return e.gen.Redrawn()
}

// draw makes any value.
func (e *Engine) draw(r *rand.Rand) interp.Value {
	if e.gen == nil {
		g, err := e.m.NewGenerator(interp.GenerateOptions{Open: e.opt.Open, MaxBytes: 1 << 10, KeepWidths: e.opt.KeepWidths})
		if err != nil {
			return interp.Value{}
		}
		e.gen = g
	}
	c := make(interp.Choices, r.IntN(24))
	for i := range c {
		c[i] = byte(r.Uint32())
	}
	v, _ := e.gen.Generate(c)
	return v
}

// change makes one change of a kind, which need not be one that can be written.
func (e *Engine) change(r *rand.Rand, kind Mutation, v interp.Value, parts []node, others []interp.Value) (interp.Value, bool) {
	pick := func(ok func(node) bool) (node, bool) {
		from := r.IntN(len(parts))
		for i := range parts {
			if n := parts[(from+i)%len(parts)]; ok(n) {
				return n, true
			}
		}
		return node{}, false
	}
	holds := func(n node) bool {
		return (n.v.Kind() == interp.List || n.v.Kind() == interp.Map) && n.v.Len() > 0
	}
	switch kind {
	case Drop, Double:
		n, ok := pick(holds)
		if !ok {
			return v, false
		}
		return replace(v, n.path, e.resize(r, kind, n.v)), true

	case Swap:
		n, ok := pick(func(n node) bool { return len(n.v.Cells()) > 1 })
		if !ok {
			return v, false
		}
		cells := slices.Clone(n.v.Cells())
		i, j := r.IntN(len(cells)), r.IntN(len(cells))
		if i == j {
			j = (i + 1) % len(cells)
		}
		cells[i], cells[j] = cells[j], cells[i]
		return replace(v, n.path, n.v.WithCells(cells)), true

	case Splice:
		n := parts[r.IntN(len(parts))]
		from := parts
		if len(others) > 0 && r.IntN(3) > 0 {
			from = nodes(others[r.IntN(len(others))])
		}
		return replace(v, n.path, from[r.IntN(len(from))].v), true

	case Retype:
		n := parts[r.IntN(len(parts))]
		if len(e.p.Types) == 0 {
			return v, false
		}
		out, ok := e.retype(n.v, r.IntN(len(e.p.Types)))
		return replace(v, n.path, out), ok

	case Redraw:
		n := parts[r.IntN(len(parts))]
		return replace(v, n.path, e.draw(r)), true

	case Boundary:
		n, ok := pick(func(n node) bool {
			switch n.v.Kind() {
			case interp.Unit, interp.Record, interp.None:
				return false
			}
			return true
		})
		if !ok {
			return v, false
		}
		out, ok := e.boundary(r, n)
		return replace(v, n.path, out), ok

	case Presence:
		n, ok := pick(func(n node) bool { return n.v.Kind() == interp.Record })
		if !ok {
			return v, false
		}
		out, ok := present(r, n.v, parts, others)
		return replace(v, n.path, out), ok

	case Wide:
		if !e.opt.KeepWidths {
			return v, false
		}
		n, ok := pick(func(n node) bool {
			switch n.v.Kind() {
			case interp.Int, interp.Uint, interp.Float, interp.Lanes, interp.Packed:
				return true
			}
			return false
		})
		return replace(v, n.path, n.v.WithWide(!n.v.Wide())), ok
	}
	return v, false
}

// resize returns a list or map without one of its elements, or with one of them twice.
func (e *Engine) resize(r *rand.Rand, kind Mutation, v interp.Value) interp.Value {
	step := 1
	if v.Kind() == interp.Map {
		step = 2
	}
	cells := slices.Clone(v.Cells())
	i := step * r.IntN(v.Len())
	if kind == Drop {
		cells = slices.Delete(cells, i, i+step)
	} else {
		cells = slices.Insert(cells, i, cells[i:i+step]...)
		if step == 2 && r.IntN(2) == 0 { // the key again, and another value
			cells[i+r.IntN(2)*2+1] = e.draw(r)
		}
	}
	return v.WithCells(cells)
}

// present returns a record with one field more or less; a new one is a part of any value.
func present(r *rand.Rand, v interp.Value, parts []node, others []interp.Value) (interp.Value, bool) {
	cells := slices.Clone(v.Cells())
	if len(cells) == 0 {
		return v, false
	}
	i := r.IntN(len(cells))
	if cells[i].IsNone() {
		from := parts
		if len(others) > 0 {
			from = nodes(others[r.IntN(len(others))])
		}
		cells[i] = from[r.IntN(len(from))].v
	} else {
		cells[i] = interp.Value{}
	}
	return v.WithCells(cells), true
}

// replace returns v with another part at a path.
func replace(v interp.Value, path []int, with interp.Value) interp.Value {
	if len(path) == 0 {
		return with
	}
	cells := slices.Clone(v.Cells())
	cells[path[0]] = replace(cells[path[0]], path[1:], with)
	return v.WithCells(cells)
}

// retype gives the content of a value to another type. The content must be of
// the same kind, or be convertible to it.
func (e *Engine) retype(v interp.Value, typ int) (interp.Value, bool) {
	tag := e.m.Tag(typ)
	t := &e.p.Types[typ]
	if tag == v.Tag() {
		return v, false
	}
	kind := interp.None
	if len(t.Fields) == 0 {
		return interp.MakeUnit(tag), true
	}
	for i := range t.Fields {
		if t.Fields[i].Alone || len(t.Fields) == 1 {
			kind = t.Fields[i].Kind
		}
	}
	number := func() (int64, float64, bool) {
		switch v.Kind() {
		case interp.Bool, interp.Int, interp.Uint:
			return v.Int(), float64(v.Int()), true
		case interp.Float:
			f := v.Float()
			if f >= -1<<62 && f <= 1<<62 {
				return int64(f), f, true
			}
			return 0, f, true
		}
		return 0, 0, false
	}
	switch kind {
	case interp.Bool, interp.Int, interp.Uint, interp.Float:
		i, f, ok := number()
		switch kind {
		case interp.Bool:
			return interp.MakeBool(tag, i != 0), ok
		case interp.Int:
			return interp.MakeInt(tag, i), ok
		case interp.Uint:
			return interp.MakeUint(tag, uint64(i)), ok
		}
		return interp.MakeFloat(tag, f), ok
	case interp.Lanes, interp.Packed:
		form, ok := e.forms()[tag]
		if !ok || v.Kind() != interp.Lanes && v.Kind() != interp.Packed && v.Kind() != interp.Text {
			return v, false
		}
		b := slices.Clone(v.Bytes())
		if kind == interp.Packed {
			return interp.MakePacked(tag, form.scalar, form.lanes, b), true
		}
		return interp.MakeLanes(tag, form.scalar, append(b, make([]byte, form.scalar.Width()*form.lanes)...)[:form.scalar.Width()*form.lanes]), true
	case v.Kind():
		return v.WithTag(tag), true
	case interp.List:
		if v.Kind() == interp.Map || v.Kind() == interp.Record {
			return interp.MakeList(tag, v.Cells()), true
		}
		return interp.MakeList(tag, []interp.Value{v}), true
	case interp.Map:
		if v.Kind() == interp.List {
			return interp.MakeMap(tag, v.Cells()), true
		}
	}
	return v, false
}

// form is how tuples of a type are made of numbers.
type form struct {
	scalar bytecode.Scalar
	lanes  int
}

// forms returns the narrowest forms of tuples and arrays by tag, and fills the
// numbers that rows have as boundaries.
func (e *Engine) forms() map[uint16]form {
	if e.form != nil {
		return e.form
	}
	e.form, e.edge = map[uint16]form{}, map[uint16][]uint64{}
	for i := range e.p.Routines {
		var tag uint16
		e.p.Walk(e.p.Body(uint32(i)), func(_ int, in *bytecode.Instr, _ int) bool {
			switch in.Op {
			case bytecode.Fields:
				tag = e.m.Tag(int(in.B))
			case bytecode.Lanes, bytecode.Packed:
				f := form{in.Scalar(), int(in.B)}
				if old, ok := e.form[tag]; !ok || f.scalar.Width() <= old.scalar.Width() {
					e.form[tag] = f
				}
			case bytecode.Scalars:
				s := in.Scalar()
				e.edge[tag] = append(e.edge[tag], edges(s)...)
			case bytecode.Expect:
				if in.C&bytecode.ExpectTruth == 0 {
					e.edge[tag] = append(e.edge[tag], edges(in.Scalar())...)
				}
			}
			for _, n := range e.p.Compared(in) {
				e.edge[tag] = append(e.edge[tag], uint64(n)-1, uint64(n), uint64(n)+1)
			}
			return true
		})
	}
	return e.form
}
