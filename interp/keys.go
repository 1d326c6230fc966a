// Keys of maps: equality of keys, and repeated keys.
//
// Reading keeps every pair that was sent and notes whether a key is repeated.
// A writer never writes a key twice: it keeps the place and the spelling of the
// first and the value of the last.

package interp

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"unsafe"
)

// keyRule is how values of a type compare, if the schema has rules for it. The first bits
// are the rules of the language in their order.
type keyRule uint8

const (
	keyByText keyRule = 1 << iota // equal to others of this rule with the same text, as a whole key
	keyDiffer                     // never equal
	keyExact                      // numbers are equal when their bits are
	keyApart                      // inside a key, not equal to itself when not a number
	keyEmpty                      // records without content are equal
	keyCore                       // a record that compares by its list or map alone, which may also represent it
)

// keyRules holds the rules of the tags that have one.
type keyRules map[uint16]keyRule

func (k keyRules) of(tag uint16) keyRule { return k[tag] }

// SameKey reports whether two values are the same key of a map. Numbers compare
// by value, so 0 and -0 are the same, and a NaN is the same as another NaN,
// except where the schema says otherwise.
func (m *Machine) SameKey(a, b Value) bool {
	s := keySet{rules: m.keys}
	return m.keys.same(s.settled(a, 0), s.settled(b, 0), false, 0)
}

// RepeatedKeys returns the place of each pair whose key is in an earlier pair of a map. For each it has the place of the
// first pair with the key.
func (m *Machine) RepeatedKeys(cells []Value) map[int]int {
	out := map[int]int{}
	s := keySet{rules: m.keys}
	s.each(s.settledCells(cells, 2, 0), func(first, again int) bool {
		out[again] = first
		return true
	})
	return out
}

// maxSame bounds the recursion of comparing values.
const maxSame = 1 << 14

func (k keyRules) same(a, b Value, inside bool, depth int) bool {
	if depth > maxSame {
		return false
	}
	rule := k.of(a.tag)
	if a.tag != b.tag {
		other := k.of(b.tag)
		return !inside && rule&other&keyByText != 0 && (rule|other)&keyDiffer == 0 &&
			a.kind == Text && b.kind == Text && bytes.Equal(a.Bytes(), b.Bytes())
	}
	if rule&keyDiffer != 0 {
		return false
	}
	if rule&keyEmpty != 0 && emptyRecord(a) && emptyRecord(b) {
		return true
	}
	if rule&keyCore != 0 {
		a, b = core(a), core(b)
	}
	if a.kind != b.kind || a.n != b.n && a.kind >= Text {
		return false
	}
	switch a.kind {
	case None, Unit:
		return true
	case Float:
		x, y := a.Float(), b.Float()
		return x == y || x != x && y != y && !(inside && rule&keyApart != 0)
	case Bool, Int, Uint:
		return a.u == b.u
	case Text:
		return bytes.Equal(a.Bytes(), b.Bytes())
	case Lanes, Packed:
		return sameNumbers(a, b, rule&keyExact != 0, rule&keyApart != 0)
	}
	x, y := a.Cells(), b.Cells()
	for i := range x {
		// a key inside a map compares as a key again
		if !k.same(x[i], y[i], !(a.kind == Map && i%2 == 0), depth+1) {
			return false
		}
	}
	return true
}

// core returns the list or map of a record, or v itself.
func core(v Value) Value {
	if v.kind == Record {
		for _, c := range v.Cells() {
			if c.kind == List || c.kind == Map {
				return c
			}
		}
	}
	return v
}

// emptyRecord reports whether a record has texts, arrays, lists and maps without content.
func emptyRecord(v Value) bool {
	if v.kind != Record {
		return false
	}
	for _, c := range v.Cells() {
		switch c.kind {
		case Text, Packed, List, Map:
			if c.n > 0 {
				return false
			}
		}
	}
	return true
}

// sameNumbers reports whether two tuples or arrays of as many elements are equal. Numbers of
// two scalars are compared if both are floats.
func sameNumbers(a, b Value, exact, apart bool) bool {
	s, t := a.Scalar(), b.Scalar()
	switch {
	case a.Width() != b.Width():
		return false
	case s == t && (exact && !apart || !s.IsFloat()):
		return bytes.Equal(a.Bytes(), b.Bytes())
	case !s.IsFloat() || !t.IsFloat():
		return false
	}
	for i := range a.numbers() {
		p, q := a.float(i), b.float(i)
		if p != q && (apart || p == p || q == q) || exact && math.Float64bits(p) != math.Float64bits(q) {
			return false
		}
	}
	return true
}

// keySet finds keys that occur twice in a map. It keeps a table between calls.
type keySet struct {
	rules keyRules
	seed  maphash.Seed
	table []uint32 // open addressing: index of a pair plus 1
	pair  [16]byte // the input of fold
	work  uint64   // sums made and keys compared in tables, for tests //gen:skip

	memo *keyMemo // nil if it has nothing
}

// keyMemo has results for containers in keys. Without them maps in keys of maps would be hashed and settled again at every
// level. Cells are used again only after a call of forget.
type keyMemo struct {
	sums    map[container]keySum // of about every eighth
	settled map[container]Value  // all that differ from the value, and about every eighth of the others
}

// remember returns the results, to add some.
func (s *keySet) remember() *keyMemo {
	if s.memo == nil {
		s.memo = &keyMemo{map[container]keySum{}, map[container]Value{}}
	}
	return s.memo
}

// container is what the sum of a list, map or record depends on, its tag aside.
type container struct {
	cells *Value
	n     uint32
	kind  Kind
}

// containerOf returns the key under which results for a value are kept. About seven of eight values have no container, so
// their results are not kept; a sender cannot choose which ones.
func containerOf(v Value, cells []Value) (c container) {
	if len(cells) > 0 && uintptr(unsafe.Pointer(&cells[0]))>>3*0x9e3779b1&0xe0000000 == 0 {
		c = container{&cells[0], v.n, v.kind}
	}
	return c
}

// keySum is a hash with a random seed, equal for equal keys.
type keySum struct {
	hash  uint64
	apart bool // the value is not equal to any, itself included
}

// forget drops the results for containers, whose cells are used again.
func (s *keySet) forget() { s.memo = nil }

// maxTable is the greatest length of a table that is kept for the next caller.
const maxTable = 1 << 16

// release drops memory that is large or belongs to the caller.
func (s *keySet) release() {
	s.forget()
	if cap(s.table) > maxTable {
		s.table = nil
	}
}

// repeats reports whether a map has a key twice.
func (s *keySet) repeats(v *Value) bool {
	return v.form&formDistinct == 0 && (v.form&formRepeats != 0 || s.distinct(v.Cells()) == formRepeats)
}

// distinct returns formDistinct or formRepeats for the pairs in cells.
func (s *keySet) distinct(cells []Value) uint8 {
	if len(cells) > 2*fewKeys {
		return s.distinctOthers(cells)
	}
	var seen uint64
	for i := 0; i < len(cells)-1; i += 2 {
		key := &cells[i]
		if key.kind != Text {
			return s.distinctOthers(cells)
		}
		n, w := int(key.n), uint64(0)
		b := unsafe.Slice((*byte)(key.p), n)
		switch {
		case n >= 8:
			w = binary.LittleEndian.Uint64(b[n-8:])
		case n >= 4:
			w = uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32
		case n > 0:
			w = uint64(b[0]) | uint64(b[n>>1])<<8 | uint64(b[n-1])<<16
		}
		bit := keyBit(w)
		if seen&bit != 0 && s.rules.twice(cells[:i+1]) {
			return formRepeats
		}
		seen |= bit
	}
	return formDistinct
}

// fewKeys is the number of keys up to which a filter of 64 bits is used.
const fewKeys = 24

// keyBit returns the bit of the filter for a key whose last eight bytes are w.
// A shorter key has zeros above it.
func keyBit(w uint64) uint64 { return 1 << (w * 0xff51afd7ed558ccd >> 58) }

// twice reports whether the last key in cells is in them before.
//
//go:noinline
func (k keyRules) twice(cells []Value) bool {
	last := len(cells) - 1
	for i := 0; i < last; i += 2 {
		if k.same(cells[i], cells[last], false, 0) {
			return true
		}
	}
	return false
}

// distinctOthers is distinct for many keys, or ones that are not all text.
func (s *keySet) distinctOthers(cells []Value) uint8 {
	return s.distinctMany(s.settledCells(cells, 2, 0))
}

// distinctMany is distinct for many settled keys, or ones that are not all text.
func (s *keySet) distinctMany(cells []Value) uint8 {
	if len(cells) <= 8 {
		for i := 2; i < len(cells); i += 2 {
			if s.rules.twice(cells[:i+1]) {
				return formRepeats
			}
		}
		return formDistinct
	}
	repeats := false
	s.each(cells, func(int, int) bool { repeats = true; return false })
	if repeats {
		return formRepeats
	}
	return formDistinct
}

// each calls f for each pair that is not the first with its key. The arguments are the place of the first pair with the
// key and that of the pair. The keys are settled.
func (s *keySet) each(cells []Value, f func(first, again int) bool) {
	n := len(cells) / 2
	size := 32
	for size < 2*n {
		size *= 2
	}
	if cap(s.table) < size {
		s.table = make([]uint32, size)
		if s.seed == (maphash.Seed{}) {
			s.seed = maphash.MakeSeed()
		}
	}
	s.table = s.table[:size]
	clear(s.table)
	for i := range n {
		key := cells[2*i]
		sum := s.sum(key, false, 0)
		if sum.apart {
			continue
		}
		for slot := sum.hash & uint64(size-1); ; slot = (slot + 1) & uint64(size-1) {
			at := s.table[slot]
			if at == 0 {
				s.table[slot] = uint32(i) + 1
				break
			}
			s.work++ //gen:skip
			if first := int(at) - 1; s.rules.same(cells[2*first], key, false, 0) {
				if !f(2*first, 2*i) {
					return
				}
				break
			}
		}
	}
}

// floatKey returns a number that is equal for equal keys and different for others.
func floatKey(f float64) uint64 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return 0x7ff8 << 48
	}
	return math.Float64bits(f)
}

// fold hashes two numbers.
func (s *keySet) fold(a, b uint64) uint64 {
	binary.LittleEndian.PutUint64(s.pair[:], a)
	binary.LittleEndian.PutUint64(s.pair[8:], b)
	return maphash.Bytes(s.seed, s.pair[:])
}

// sum returns the sum of a key, or of a value inside one. It depends on every part of
// the value, since thousands of keys may differ in one part only.
func (s *keySet) sum(v Value, inside bool, depth int) keySum {
	s.work++ //gen:skip
	rule := s.rules.of(v.tag)
	if rule&keyDiffer != 0 {
		return keySum{apart: true}
	}
	tag := v.tag // the list of a record has no tag
	if rule&keyEmpty != 0 && emptyRecord(v) {
		return keySum{hash: s.fold(uint64(Record)<<32|uint64(tag), 0)}
	}
	if rule&keyCore != 0 {
		v = core(v)
	}
	h := uint64(0)
	switch v.kind {
	case Bool, Int, Uint:
		h = v.u
	case Float:
		f := v.Float()
		if f != f && inside && rule&keyApart != 0 {
			return keySum{apart: true}
		}
		h = floatKey(f)
	case Text:
		h = maphash.Bytes(s.seed, v.Bytes())
	case Lanes, Packed:
		in := s.numbers(v, rule&keyExact != 0, rule&keyApart != 0)
		if in.apart {
			return in
		}
		h = in.hash
	case List, Map, Record:
		if depth > maxSame {
			break // the same at no depth beyond
		}
		in := s.cells(v, depth)
		if in.apart {
			return in
		}
		h = in.hash
	}
	if rule&keyByText != 0 {
		return keySum{hash: h} // equal to values of other tags
	}
	return keySum{hash: s.fold(uint64(v.kind)<<32|uint64(tag), h)}
}

// numbers returns the sum of a tuple or an array.
func (s *keySet) numbers(v Value, exact, apart bool) keySum {
	if !v.Scalar().IsFloat() {
		return keySum{hash: s.fold(uint64(v.n), maphash.Bytes(s.seed, v.Bytes()))}
	}
	h := uint64(v.n)
	for i := range v.numbers() {
		switch f := v.float(i); {
		case apart && f != f:
			return keySum{apart: true}
		case exact:
			h = s.fold(h, math.Float64bits(f))
		default:
			h = s.fold(h, floatKey(f))
		}
	}
	return keySum{hash: h}
}

// cells returns the sum of the cells of a container.
func (s *keySet) cells(v Value, depth int) keySum {
	cells := v.Cells()
	c := containerOf(v, cells)
	if c.cells != nil && s.memo != nil {
		if sum, ok := s.memo.sums[c]; ok {
			return sum
		}
	}
	sum := keySum{hash: uint64(v.n)}
	for i := range cells {
		// a key inside a map compares as a key again
		in := s.sum(cells[i], !(v.kind == Map && i%2 == 0), depth+1)
		if in.apart {
			sum = in
			break
		}
		sum.hash = s.fold(sum.hash, in.hash)
	}
	if c.cells != nil {
		s.remember().sums[c] = sum
	}
	return sum
}

// merge removes the repeated keys of a map; see merged. Other values do not change.
func (s *keySet) merge(c *Value) {
	if c.kind == Map && s.repeats(c) {
		*c = s.merged(*c)
	}
}

// merged returns a map without repeated keys. Each is at the place and in the
// spelling of the first, with the value of the last.
func (s *keySet) merged(v Value) Value { return s.mergedBy(v, s.settledCells(v.Cells(), 2, 0)) }

// mergedBy is merged for a map with the settled keys of other cells.
func (s *keySet) mergedBy(v Value, settled []Value) Value {
	cells := v.Cells()
	out := append(make([]Value, 0, len(cells)), cells...)
	drop := map[int]bool{}
	s.each(settled, func(first, again int) bool {
		out[first+1] = cells[again+1]
		drop[again] = true
		return true
	})
	kept := out[:0]
	for i := 0; i < len(out); i += 2 {
		if !drop[i] {
			kept = append(kept, out[i], out[i+1])
		}
	}
	m := makeCells(Map, v.tag, kept)
	m.form |= formDistinct | v.form&formWide
	return m
}

// settled returns a key, or a part of one, without the repeated keys of its maps. A writer writes this value, so keys are
// compared by it.
func (s *keySet) settled(v Value, depth int) Value {
	if v.kind != List && v.kind != Map && v.kind != Record || v.n == 0 || depth > maxSame {
		return v
	}
	s.work++ //gen:skip
	cells := v.Cells()
	c := container{&cells[0], v.n, v.kind}
	if s.memo != nil {
		if out, ok := s.memo.settled[c]; ok {
			out.tag = v.tag // which the container does not have
			return out
		}
	}
	parts, out := s.settledCells(cells, 1, depth+1), v
	if &parts[0] != &cells[0] {
		out = makeCells(v.kind, v.tag, parts)
	}
	if v.kind == Map && out.form&formDistinct == 0 && s.distinctMany(parts) == formRepeats {
		out = s.mergedBy(out, parts)
	}
	if out.p != v.p || out.n != v.n || containerOf(v, cells).cells != nil {
		s.remember().settled[c] = out
	}
	return out
}

// settledCells returns cells of which every step-th one is settled: the same cells if all are.
func (s *keySet) settledCells(cells []Value, step, depth int) []Value {
	out := cells
	for i := 0; i < len(cells); i += step {
		c := s.settled(cells[i], depth)
		if c.p == cells[i].p && c.n == cells[i].n {
			continue
		}
		if &out[0] == &cells[0] {
			out = append(make([]Value, 0, len(cells)), cells...)
		}
		out[i] = c
	}
	return out
}
