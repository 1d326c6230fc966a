// Keys of maps: which are equal, and what is done about keys that stand in a
// map twice.
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

	"github.com/octable/octable/compile/bytecode"
)

// keyRule is how values of a type compare, where the schema says so.
type keyRule uint8

const (
	keyByText keyRule = 1 << iota // equal to others of this rule with the same text, as a whole key
	keyDiffer                     // never equal
	keyExact                      // numbers are equal when their bits are
	keyApart                      // inside a key, not equal to itself when not a number
	keyCore                       // a record that compares by its list alone, which may also stand for it
)

// SameKey reports whether two values are the same key of a map. Numbers compare
// by value, so 0 and -0 are the same, and a NaN is the same as another NaN,
// except where the schema says otherwise.
func (m *Machine) SameKey(a, b Value) bool { return m.same(a, b, false, 0) }

// maxSame bounds the recursion of comparing values.
const maxSame = 1 << 14

func (m *Machine) same(a, b Value, inside bool, depth int) bool {
	if depth > maxSame {
		return false
	}
	rule := m.keys[a.tag]
	if a.tag != b.tag {
		return !inside && rule&keyByText != 0 && m.keys[b.tag]&keyByText != 0 &&
			a.kind == Text && b.kind == Text && bytes.Equal(a.Bytes(), b.Bytes())
	}
	if rule&keyDiffer != 0 {
		return false
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
		return sameNumbers(a, b, rule&keyExact != 0)
	}
	x, y := a.Cells(), b.Cells()
	for i := range x {
		// a key inside a map compares as a key again
		if !m.same(x[i], y[i], !(a.kind == Map && i%2 == 0), depth+1) {
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

func sameNumbers(a, b Value, exact bool) bool {
	x, y := a.Bytes(), b.Bytes()
	if a.form&formScalar == b.form&formScalar {
		if bytes.Equal(x, y) {
			return true
		}
		if exact || !a.Scalar().IsFloat() || len(x) != len(y) {
			return false
		}
	}
	if a.Width() != b.Width() {
		return false
	}
	for i := range len(x) / max(1, a.Scalar().Width()) {
		p, q := a.LaneFloat(i), b.LaneFloat(i)
		if p != q && (p == p || q == q) {
			return false
		}
	}
	return true
}

// keySet finds keys that stand in a map twice. It keeps a table between calls.
type keySet struct {
	m     *Machine
	seed  maphash.Seed
	table []uint32 // open addressing: index of a pair plus 1
	hash  maphash.Hash
}

// distinct returns formDistinct or formRepeats for the pairs in cells.
func (s *keySet) distinct(cells []Value) uint8 {
	if len(cells) > 2*fewKeys {
		return s.distinctMany(cells)
	}
	var seen uint64
	for i := 0; i < len(cells)-1; i += 2 {
		key := &cells[i]
		if key.kind != Text {
			return s.distinctMany(cells)
		}
		n := int(key.n)
		w := uint64(0)
		src := viewOfText(key)
		switch {
		case n >= 8:
			w = src.load64(n - 8)
		case n >= 4:
			w = uint64(src.load32(0)) | uint64(src.load32(n-4))<<32
		case n > 0:
			w = uint64(src.load8(0)) | uint64(src.load8(n>>1))<<8 | uint64(src.load8(n-1))<<16
		}
		bit := keyBit(w)
		if seen&bit != 0 {
			for j := 0; j < i; j += 2 {
				if s.m.same(cells[j], *key, false, 0) {
					return formRepeats
				}
			}
		}
		seen |= bit
	}
	return formDistinct
}

// distinctMany is distinct for many keys, or keys that are not all text.
func (s *keySet) distinctMany(cells []Value) uint8 {
	if len(cells) <= 8 {
		for i := 2; i < len(cells); i += 2 {
			for j := 0; j < i; j += 2 {
				if s.m.same(cells[j], cells[i], false, 0) {
					return formRepeats
				}
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

// each calls f with the place of a pair and of the first one with the same key,
// for each pair that is not the first with its key.
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
	s.hash.SetSeed(s.seed)
	for i := range n {
		key := cells[2*i]
		s.hash.Reset()
		s.write(key, false, 0)
		for slot := s.hash.Sum64() & uint64(size-1); ; slot = (slot + 1) & uint64(size-1) {
			at := s.table[slot]
			if at == 0 {
				s.table[slot] = uint32(i) + 1
				break
			}
			if first := int(at) - 1; s.m.same(cells[2*first], key, false, 0) {
				if !f(2*first, 2*i) {
					return
				}
				break
			}
		}
	}
}

func floatKey(f float64) uint64 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return 0x7ff8 << 48
	}
	return math.Float64bits(f)
}

// write feeds the hash with what equal keys share.
func (s *keySet) write(v Value, inside bool, depth int) {
	var w [8]byte
	number := func(u uint64) {
		binary.LittleEndian.PutUint64(w[:], u)
		s.hash.Write(w[:])
	}
	if s.m.keys[v.tag]&keyByText == 0 {
		number(uint64(v.tag))
	}
	if depth > 8 {
		return
	}
	if s.m.keys[v.tag]&keyCore != 0 {
		v = core(v)
	}
	switch v.kind {
	case Bool, Int, Uint:
		number(v.u)
	case Float:
		number(floatKey(v.Float()))
	case Text:
		s.hash.Write(v.Bytes())
	case Lanes, Packed:
		number(uint64(v.n))
		if v.Scalar() == bytecode.F32 || v.Scalar() == bytecode.F64 {
			for i := range min(16, v.Len()*max(1, v.Width())) {
				number(floatKey(v.LaneFloat(i)))
			}
		} else {
			s.hash.Write(v.Bytes())
		}
	case List, Map, Record:
		number(uint64(v.n))
		for _, c := range v.Cells() {
			s.write(c, true, depth+1)
		}
	}
}

// merged returns a map without repeated keys: each at the place and in the
// spelling of the first, with the value of the last.
func (s *keySet) merged(v Value) Value {
	cells := v.Cells()
	out := append(make([]Value, 0, len(cells)), cells...)
	drop := map[int]bool{}
	s.each(cells, func(first, again int) bool {
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
	m := MakeMap(v.tag, kept)
	m.form |= formDistinct
	return m
}
