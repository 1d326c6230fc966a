// Mutation: values that differ from others in one part.

package damage

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"
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

// maxNodes is how many parts of a value are looked at.
const maxNodes = 1 << 12

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

// Place says where in the schema a part of a value is: two parts of the same Place
// differ in what is in them, and in nothing else.
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

// parts returns the parts of a value that one asks for, all where only is nil.
func (e *Engine) parts(v interp.Value, only func(Place) bool) iter.Seq[node] {
	return func(yield func(node) bool) {
		for _, n := range nodes(v) {
			if (only == nil || only(e.place(v, &n))) && !yield(n) {
				return
			}
		}
	}
}

// Mutate returns v with one part changed, which a writer with the engine's options
// takes, and what the change was. Parts may be taken from the others. Where nothing
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
		step := 1
		if n.v.Kind() == interp.Map {
			step = 2
		}
		cells := slices.Clone(n.v.Cells())
		i := step * r.IntN(n.v.Len())
		if kind == Drop {
			cells = slices.Delete(cells, i, i+step)
		} else {
			cells = slices.Insert(cells, i, cells[i:i+step]...)
			if step == 2 && r.IntN(2) == 0 { // the key again, and another value
				cells[i+r.IntN(2)*2+1] = e.draw(r)
			}
		}
		return replace(v, n.path, n.v.WithCells(cells)), true

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
		cells := slices.Clone(n.v.Cells())
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
		return replace(v, n.path, n.v.WithCells(cells)), true

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

// replace returns v with another part at a path.
func replace(v interp.Value, path []int, with interp.Value) interp.Value {
	if len(path) == 0 {
		return with
	}
	cells := slices.Clone(v.Cells())
	cells[path[0]] = replace(cells[path[0]], path[1:], with)
	return v.WithCells(cells)
}

// retype gives the content of a value to another type, if it is of the same
// kind or can be made of it.
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
			case bytecode.Check, bytecode.If, bytecode.Stop:
				e.p.Exprs[in.A].Walk(func(x *bytecode.Expr) {
					if n, ok := x.Constant(); ok {
						e.edge[tag] = append(e.edge[tag], uint64(n)-1, uint64(n), uint64(n)+1)
					}
				})
			}
			return true
		})
	}
	return e.form
}

// edges returns the numbers around which a scalar changes, as the bits of a
// register.
func edges(s bytecode.Scalar) []uint64 {
	switch s {
	case bytecode.F16:
		var out []uint64
		for _, x := range doubles {
			bits, _ := interp.BitsOf(s, math.Float64frombits(x))
			out = append(out, math.Float64bits(interp.RealOf(s, bits)))
		}
		return out
	case bytecode.F32:
		out := make([]uint64, len(singles))
		for i, f := range singles {
			out[i] = math.Float64bits(float64(math.Float32frombits(f)))
		}
		return out
	case bytecode.F64:
		return doubles
	}
	bits := 8 * s.Width()
	out := []uint64{0, 1, 2, 1<<(bits-1) - 1, 1 << (bits - 1), 1<<(bits-1) + 1, 1<<bits - 1, 1 << bits, 1<<bits + 1}
	if s.Signed() {
		for _, x := range []int64{-1, -2, -1 << (bits - 1), -1<<(bits-1) - 1, -1<<(bits-1) + 1} {
			out = append(out, uint64(x))
		}
	}
	return out
}

// singles and doubles are the bits of reals that are easy to get wrong: zeros, the
// smallest, the subnormal, the largest, infinities, what is no number, and what
// one of the two widths cannot hold.
var (
	singles = []uint32{0, 1 << 31, 0x3f800000, 0xbf800000, 1, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
		0x7fc00000, 0xffc00000, 0x7fc00001, 0x7fffffff, 0x4b800000, 0x4b800001, 0x4f000000, 0xcf000000, 0x5f000000}
	doubles = []uint64{0, 1 << 63, 0x3ff0000000000000, 0x3fb999999999999a, 1, 0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
		0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff8000000000001, 0xffffffffffffffff, 0x4170000010000000, 0x4340000000000000,
		0x4340000000000001, 0x47efffffe0000000, 0x47efffffe0000001, 0x36a0000000000000, 0x369fffffffffffff, 0x3ff0000000000001, 0x43e0000000000000}
)

// Boundaries returns v with each of its parts, in turn, at each boundary of its row:
// numbers at the limits of their widths and of what conditions compare with, each
// number of tuples and the first and last of arrays, texts with characters that are
// easy to get wrong, and sizes around which padding changes. Not all can be written.
// Where only is not nil, these are the parts at places for which it says so.
func (e *Engine) Boundaries(v interp.Value, only func(Place) bool) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		for n := range e.parts(v, only) {
			for w := range e.boundaries(n) {
				if !yield(replace(v, n.path, w)) {
					return
				}
			}
		}
	}
}

// Boundary returns v with one of its parts at one of the boundaries of its row.
func (e *Engine) Boundary(r *rand.Rand, v interp.Value) interp.Value {
	all := nodes(v)
	n := all[r.IntN(len(all))]
	boundaries := slices.Collect(e.boundaries(n))
	if len(boundaries) == 0 {
		return v
	}
	return replace(v, n.path, boundaries[r.IntN(len(boundaries))])
}

// boundaries returns what a part is at the boundaries of its row.
func (e *Engine) boundaries(n node) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		e.forms()
		v, tag := n.v, n.v.Tag()
		put := func(w interp.Value) bool { return yield(w.WithWide(v.Wide())) }
		if tag != 0 && !e.inRoot(tag) { // an arm of another union, which may have others
			for typ := range e.p.Types {
				if e.inRoot(e.m.Tag(typ)) {
					continue
				}
				if w, ok := e.retype(v, typ); ok && !put(w) {
					return
				}
			}
		}
		switch v.Kind() {
		case interp.Unit: // which may be a type by its id
			for _, s := range e.samples() {
				if n.field && s.Tag() != tag && !put(interp.MakeUnit(s.Tag())) {
					return
				}
			}
		case interp.Bool:
			put(interp.MakeBool(tag, !v.Bool()))
		case interp.Int, interp.Uint, interp.Float:
			for _, x := range e.edge[n.tag] {
				w := interp.MakeInt(tag, int64(x))
				switch v.Kind() {
				case interp.Uint:
					w = interp.MakeUint(tag, x)
				case interp.Float:
					w = interp.MakeFloat(tag, math.Float64frombits(x))
				}
				if !put(w) {
					return
				}
			}
		case interp.Lanes:
			for i := range v.Len() {
				for b := range atLimits(v.Bytes(), v.Scalar(), i) {
					if !put(interp.MakeLanes(tag, v.Scalar(), b)) {
						return
					}
				}
			}
		case interp.Packed:
			numbers := v.Len() * v.Width()
			for _, i := range []int{0, numbers - 1} {
				if i < 0 || i >= numbers {
					break
				}
				for b := range atLimits(v.Bytes(), v.Scalar(), i) {
					if !put(interp.MakePacked(tag, v.Scalar(), v.Width(), b)) {
						return
					}
				}
			}
			for _, size := range sizes {
				if !put(interp.MakePacked(tag, v.Scalar(), v.Width(), resized(v.Bytes(), size*v.Scalar().Width()*v.Width()))) {
					return
				}
			}
		case interp.Text:
			for _, special := range specials {
				if !put(interp.MakeText(tag, special)) || !put(interp.MakeText(tag, v.Text()+special)) {
					return
				}
			}
			for _, size := range sizes {
				if !put(interp.MakeText(tag, string(resized(nil, size)))) {
					return
				}
			}
		case interp.List, interp.Map:
			for _, size := range sizes {
				if w, ok := repeated(v, size); ok && !put(w) {
					return
				}
			}
		}
	}
}

// SameKeys returns v with each of its maps, in turn, holding keys that are equal or
// nearly so: for a value of each type, alone and in a list, the same twice, around
// another one, and with the content of another type; zeros of both signs, and what is
// not a number. A writer may merge them. Where only is not nil, these are the maps at
// places for which it says so.
func (e *Engine) SameKeys(v interp.Value, only func(Place) bool) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		for n := range e.parts(v, only) {
			if n.v.Kind() != interp.Map || len(e.samples()) == 0 {
				continue
			}
			put := func(cells ...interp.Value) bool { return yield(replace(v, n.path, n.v.WithCells(cells))) }
			own := n.v.Cells()
			if len(own) == 0 {
				own = []interp.Value{e.sample[0], e.sample[0]}
			}
			x := own[1]
			for _, keys := range append(e.keys(), [2]interp.Value{own[0], own[0]}) {
				a, b := keys[0], keys[1]
				if !put(a, x, b, a) || !put(a, x, own[0], x, b, b) {
					return
				}
				la, ok := e.Nest(a, 1)
				lb, _ := e.Nest(b, 1)
				if ok && !put(la, x, lb, a) {
					return
				}
			}
		}
	}
}

// keys returns pairs of keys that are equal or nearly so.
func (e *Engine) keys() [][2]interp.Value {
	var all [][2]interp.Value
	for _, v := range e.samples() {
		all = append(all, [2]interp.Value{v, v})
		switch v.Kind() {
		case interp.Text:
			for typ := range e.p.Types {
				if w, ok := e.retype(v, typ); ok && w.Kind() == v.Kind() && e.inRoot(w.Tag()) {
					all = append(all, [2]interp.Value{v, w})
				}
			}
		case interp.Float:
			zero, nan := interp.MakeFloat(v.Tag(), 0), interp.MakeFloat(v.Tag(), math.NaN())
			all = append(all, [2]interp.Value{zero, interp.MakeFloat(v.Tag(), math.Copysign(0, -1))}, [2]interp.Value{nan, nan})
		case interp.Lanes, interp.Packed:
			s := v.Scalar()
			if !s.IsFloat() {
				break
			}
			size := len(v.Bytes())
			if v.Kind() == interp.Packed {
				size = s.Width() * v.Width()
			}
			remake := func(bits uint64) interp.Value {
				b := make([]byte, size)
				copy(b, littleEndian(s, bits))
				if v.Kind() == interp.Packed {
					return interp.MakePacked(v.Tag(), s, v.Width(), b)
				}
				return interp.MakeLanes(v.Tag(), s, b)
			}
			sign := uint64(1) << (8*s.Width() - 1)
			nan := sign - 1
			all = append(all, [2]interp.Value{remake(0), remake(sign)}, [2]interp.Value{remake(nan), remake(nan)})
		}
	}
	return all
}

func littleEndian(s bytecode.Scalar, bits uint64) []byte {
	return binary.LittleEndian.AppendUint64(nil, bits)[:s.Width()]
}

// samples returns the simplest value of each type that is in the root's union.
func (e *Engine) samples() []interp.Value {
	if e.sample == nil {
		g, err := e.m.NewGenerator(interp.GenerateOptions{Open: e.opt.Open})
		if err != nil {
			return nil
		}
		types := 1
		if t, ok := e.p.UnionTable(e.p.Root); ok {
			types = len(t.Arms)
		}
		seen, failed := map[uint16]bool{}, 0
		for b := 0; b < 256 && len(seen) < types && failed < 16; b++ { // each failure takes long
			v, _, ok := g.Try(interp.Choices{byte(b)})
			if !ok {
				failed++
			}
			if !seen[v.Tag()] {
				seen[v.Tag()] = true
				e.sample = append(e.sample, v)
			}
		}
	}
	return e.sample
}

// Deeper returns values in which a part is inside another one of its type, with
// that repeated for n levels.
func (e *Engine) Deeper(v interp.Value, levels int) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		for _, n := range nodes(v) {
			around := v
			for k, i := range n.path {
				if around.Tag() == n.v.Tag() && around.Kind() == n.v.Kind() && n.v.Tag() != 0 {
					w := n.v
					for range levels {
						w = replace(around, n.path[k:], w)
					}
					if !yield(replace(v, n.path[:k], w)) {
						return
					}
				}
				around = around.Cells()[i]
			}
		}
	}
}

// Nest returns a value as the only element of a list, that as the only one of
// another, and so on for n levels. It is not ok where no type of the root's
// union is a list of others.
func (e *Engine) Nest(v interp.Value, levels int) (interp.Value, bool) {
	wrap := e.wrapper()
	if wrap == nil {
		return v, false
	}
	outer, _, err := e.m.Decode(append(bytes.Clone(wrap), e.leaf...), e.opt)
	if err != nil {
		return v, false
	}
	all := nodes(outer)
	path := all[len(all)-1].path
	for range levels {
		v = replace(outer, path, v)
	}
	return v, true
}

// Depth returns how many lists the engine's options let a value be in.
func (e *Engine) Depth() int {
	if e.opt.MaxDepth > 0 {
		return e.opt.MaxDepth
	}
	return int(e.p.Depth)
}

// boundary sets a part to one of its boundaries.
func (e *Engine) boundary(r *rand.Rand, n node) (interp.Value, bool) {
	out, seen := n.v, 0
	for w := range e.boundaries(n) {
		if seen++; r.IntN(seen) == 0 {
			out = w
		}
	}
	return out, seen > 0
}

// atLimits returns numbers of which one is at each of its limits.
func atLimits(b []byte, s bytecode.Scalar, i int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		all := edges(s)
		switch s {
		case bytecode.F16:
			for i, x := range all {
				all[i], _ = interp.BitsOf(s, math.Float64frombits(x))
			}
		case bytecode.F32:
			all = all[:0:0]
			for _, x := range singles {
				all = append(all, uint64(x))
			}
		}
		for _, x := range all {
			out := slices.Clone(b)
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], x)
			copy(out[i*s.Width():], w[:s.Width()])
			if !yield(out) {
				return
			}
		}
	}
}

// resized returns n bytes, which begin with those given.
func resized(b []byte, size int) []byte {
	out := make([]byte, size)
	for i := range out {
		out[i] = 'a' + byte(i%26)
	}
	copy(out, b)
	return out
}

// repeated returns a list or map with n elements, those that it has again and
// again.
func repeated(v interp.Value, size int) (interp.Value, bool) {
	step := 1
	if v.Kind() == interp.Map {
		step = 2
	}
	cells := v.Cells()
	if len(cells) == 0 || size > maxRepeated {
		return v, size == 0
	}
	out := make([]interp.Value, size*step)
	for i := range out {
		out[i] = cells[i%len(cells)]
	}
	return v.WithCells(out), true
}

// maxRepeated is how many elements a list gets.
const maxRepeated = 17

// sizes of texts and arrays around which padding, and widths of lengths, change.
var sizes = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 255, 256, 257}

// specials are texts that are easy to get wrong.
var specials = []string{"", "é", "日本", "😀", "\n", "\t", "\\", "\"", "\u007f", "\u0080", "\u07ff", "\u0800", "\ufffd", "\uffff", "\U00010000", "\U0010ffff",
	"a\u0301", "/", ":", "%", "@", "res://a.gd", "../..", " ", "0", "null"}
