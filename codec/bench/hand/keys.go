// Equal keys in dictionaries.

package hand

import (
	"hash/maphash"
	"math"
	"unsafe"

	"github.com/octable/octable/codec/bench/value"
)

// fewKeys is the largest number of keys that are compared in pairs. Only those are
// compared whose place in a filter of 64 bits is taken. More keys go through a table.
const fewKeys = 32

// place returns the bit of the filter for a text whose last eight bytes are w.
// A shorter text is all in w, with zeros above.
func place(w uint64) uint64 { return 1 << (w * 0xff51afd7ed558ccd >> 58) }

// twice reports whether an earlier key in cells equals the last one, a text.
//
//go:noinline
func twice(cells []value.Value) bool {
	last := &cells[len(cells)-1]
	s := last.Text()
	for i := 0; i < len(cells)-1; i += 2 {
		if cells[i].Kind == value.Text && cells[i].Text() == s {
			return true
		}
	}
	return false
}

// repeats reports whether two keys of a Map with the given cells are equal for the engine. A
// String equals a StringName with the same text, 0.0 equals -0.0, and any two NaN are equal.
func repeats(cells []value.Value) bool {
	if len(cells) > 2*fewKeys {
		return repeatsMany(cells)
	}
	var seen uint64
	for i := 0; i < len(cells)-1; i += 2 {
		key := &cells[i]
		if key.Kind != value.Text {
			return repeatsMany(cells)
		}
		bit := uint64(1)
		b, n := unsafe.Slice((*byte)(key.P), int(key.N)), int(key.N)
		switch {
		case n >= 8:
			bit = place(u64(b, n-8))
		case n >= 4:
			bit = place(uint64(u32(b, 0)) | uint64(u32(b, n-4))<<32)
		case n > 0:
			bit = place(uint64(b[0]) | uint64(b[n>>1])<<8 | uint64(b[n-1])<<16)
		}
		if seen&bit != 0 && twice(cells[:i+1]) {
			return true
		}
		seen |= bit
	}
	return false
}

//go:noinline
func repeatsMany(cells []value.Value) bool {
	seed := maphash.MakeSeed()
	size := 8
	for size < len(cells) {
		size *= 2
	}
	table := make([]uint32, size) // index of a key, plus one
	for i := 0; i < len(cells)-1; i += 2 {
		at := int(hashKey(seed, &cells[i])) & (size - 1)
		for ; table[at] != 0; at = (at + 1) & (size - 1) {
			if equalKeys(&cells[table[at]-1], &cells[i]) {
				return true
			}
		}
		table[at] = uint32(i + 1)
	}
	return false
}

// merge returns the pairs of a Map as the engine keeps them. Of equal keys, the first one gives
// the place and the last one the value.
func merge(cells []value.Value) []value.Value {
	var out []value.Value
next:
	for i := 0; i < len(cells)-1; i += 2 {
		for j := 0; j < len(out); j += 2 {
			if equalKeys(&out[j], &cells[i]) {
				out[j+1] = cells[i+1]
				continue next
			}
		}
		out = append(out, cells[i], cells[i+1])
	}
	return out
}

// bitsOf returns the bits of a float with those the same that are equal.
func bitsOf(f float64) uint64 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(f)
}

func isText(v *value.Value) bool {
	return v.Kind == value.Text && (v.Tag == tag(idString) || v.Tag == tag(idStringName))
}

func lane(v *value.Value, i int) uint64 {
	b := v.Bytes()
	switch v.Form & value.ScalarMask {
	case value.F32:
		return bitsOf(float64(math.Float32frombits(le.Uint32(b[4*i:]))))
	case value.F64:
		return bitsOf(math.Float64frombits(le.Uint64(b[8*i:])))
	case value.I32:
		return uint64(le.Uint32(b[4*i:]))
	case value.I64:
		return le.Uint64(b[8*i:])
	}
	return uint64(b[i])
}

func lanes(v *value.Value) int {
	if w := value.Width(v.Form); w > 0 {
		return v.Size() / w
	}
	return 0
}

func hashKey(seed maphash.Seed, v *value.Value) uint64 {
	var h uint64
	switch v.Kind {
	case value.Text:
		return maphash.String(seed, v.Text())
	case value.Float:
		h = bitsOf(math.Float64frombits(v.U))
	case value.Lanes, value.Packed:
		for i := range lanes(v) {
			h = h*31 + lane(v, i)
		}
	case value.List, value.Map, value.Record:
		for i := range v.Cells() {
			h = h*31 + hashKey(seed, &v.Cells()[i])
		}
	default:
		h = v.U
	}
	return maphash.Comparable(seed, [2]uint64{h, uint64(v.Tag)})
}

func equalKeys(a, b *value.Value) bool {
	if isText(a) && isText(b) {
		return a.Text() == b.Text()
	}
	if a.Tag != b.Tag || a.Kind != b.Kind || a.N != b.N {
		return false
	}
	switch a.Kind {
	case value.Text:
		return a.Text() == b.Text()
	case value.Float:
		return bitsOf(math.Float64frombits(a.U)) == bitsOf(math.Float64frombits(b.U))
	case value.Lanes, value.Packed:
		if lanes(a) != lanes(b) {
			return false
		}
		for i := range lanes(a) {
			if lane(a, i) != lane(b, i) {
				return false
			}
		}
		return true
	case value.List, value.Map, value.Record:
		x, y := a.Cells(), b.Cells()
		for i := range x {
			if !equalKeys(&x[i], &y[i]) {
				return false
			}
		}
		return true
	}
	return a.U == b.U
}
