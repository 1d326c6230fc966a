// Maps in record plans: slices of structs with Key and Value.

package codec

import (
	"reflect"

	"github.com/octable/octable/compile/bytecode"
)

// recordPair is the two parts of a pair.
type recordPair struct {
	value  *recordPlan
	fields [2]field
}

// pairs finds how a map goes into a slice of structs with Key and Value.
func (b *stepCompiler) pairs(s *recordStep, x *bytecode.Step, t reflect.Type) bool {
	if t.Kind() != reflect.Slice || !isPair(t.Elem()) || t.Elem() == pairType {
		return false
	}
	if _, n := b.p.Passed(x.PC); n > 0 {
		return false
	}
	s.code, s.pair = recordPairs, &recordPair{}
	for i := range s.pair.fields {
		f := t.Elem().Field(i)
		s.pair.fields[i] = field{index: f.Index, offset: f.Offset}
	}
	s.elem = b.value(x.B, t.Elem().Field(0).Type)
	s.pair.value = b.value(x.D, t.Elem().Field(1).Type)
	b.slice(s, t)
	least := b.p.Bounds(x.B).Min + b.p.Bounds(x.D).Min
	s.least = uint32(min(least, 1<<30))
	return s.elem != nil && s.pair.value != nil && least > 0
}

// place returns the place of the key or of the value in the pair at x.
func (p *recordPair) place(i int, x place) place {
	f := &p.fields[i]
	return x.field(f.offset, f)
}

// part returns the plan of the keys or of the values, and their place in the pair at x.
func (s *recordStep) part(i int, x place) (*recordPlan, place) {
	if x = s.pair.place(i, x); i == 0 {
		return s.elem, x
	}
	return s.pair.value, x
}

// recordPairs reads a map into a slice of pairs.
func (r *planReader) recordPairs(s *recordStep, x place, pos, run, regs int, fresh bool) int {
	n := r.count(s, pos, run, regs)
	if n < 0 || uint64(n)*uint64(s.least) > uint64(r.end-pos) {
		return wrong
	}
	more, nested, args := r.more, r.nested, len(r.regs)
	r.nested = true
	kept := r.listed(s, x, n, fresh)
	list := x.slice(uintptr(s.op.size))
	depth := r.depth
	keys := r.frame(s, s.elem, args)
	r.depth = depth
	values := r.frame(s, s.pair.value, args)
	for k := 0; k < n && pos != wrong; k++ {
		for i := range s.pair.fields {
			own := keys
			if i > 0 {
				own = values
			}
			if r.depth = depth; own >= 0 {
				r.depth++
			}
			r.more = n - k - 1
			rec, at := s.part(i, list.at(k))
			if pos = r.element(s, rec, at, pos, args, own, k < kept); pos == wrong {
				break
			}
		}
	}
	r.more, r.nested, r.depth, r.regs = more, nested, depth, r.regs[:args]
	return pos
}

// recordPairs writes the n pairs of a slice. Values decide which pair of equal keys is written.
func (w *planWriter) recordPairs(s *recordStep, x place, n, pos int) int {
	list := x.slice(uintptr(s.op.size))
	keys := len(w.keys)
	for k := range n {
		for i := range s.pair.fields {
			rec, at := s.part(i, list.at(k))
			if i == 0 && n > 1 && !w.addKey(rec, at) {
				return wrong
			}
			if pos = w.record(rec, at, pos); pos == wrong {
				return wrong
			}
		}
	}
	if n > 1 && !w.distinct(w.keys[keys:]) {
		return wrong
	}
	clear(w.keys[keys:])
	w.keys = w.keys[:keys]
	return pos
}

// mapKey is a key of a map: a text, or a number of an arm.
type mapKey struct {
	text   string
	number uint64
	arm    *recordArm
	kind   reflect.Kind
}

// addKey notes a key of a map. It reports false if it is no text and no integer.
func (w *planWriter) addKey(rec *recordPlan, x place) bool {
	t := rec.zero.Type
	var key mapKey
	if rec.union != nil {
		a, at, ok := rec.union.held(x)
		if !ok {
			return false
		}
		x, t, key.arm = at, a.plan.zero.Type, a
	}
	switch key.kind = t.Kind(); {
	case key.kind == reflect.String: // equal in all arms
		key.text, key.arm = x.getText(), nil
	case key.kind == reflect.Bool:
		key.number = uint64(truth(x.getBool()))
	case key.kind >= reflect.Int && key.kind <= reflect.Uint64:
		key.number = x.integer(uint8(t.Size()), key.kind <= reflect.Int64)
	default:
		return false
	}
	w.keys = append(w.keys, key)
	return true
}

// fewPairs is the number of keys up to which each is compared with those before it that may be equal.
const fewPairs = 24

// distinct reports whether no two keys are equal.
func (w *planWriter) distinct(keys []mapKey) bool {
	if len(keys) > fewPairs {
		seen := make(map[mapKey]struct{}, len(keys))
		for i := range keys {
			seen[keys[i]] = struct{}{}
		}
		return len(seen) == len(keys)
	}
	var filter uint64
	for i := range keys {
		bit := keys[i].bit()
		if filter&bit != 0 {
			for j := range i {
				if keys[j] == keys[i] {
					return false
				}
			}
		}
		filter |= bit
	}
	return true
}

// differ reports whether no two keys of the n pairs of a list are equal. False means unproven.
func (w *planWriter) differ(s *recordStep, list elems, n int) bool {
	if n <= fewPairs && s.textsDiffer(list, n) {
		return true
	}
	keys := len(w.keys)
	ok := true
	for k := 0; k < n && ok; k++ {
		rec, at := s.part(0, list.at(k))
		ok = w.addKey(rec, at)
	}
	ok = ok && w.distinct(w.keys[keys:])
	clear(w.keys[keys:])
	w.keys = w.keys[:keys]
	return ok
}

// textsDiffer reports whether the n keys of a list are different texts of one type. It compares their lengths and a
// few of their bytes. False means unproven.
func (s *recordStep) textsDiffer(list elems, n int) bool {
	u := s.elem.union
	if u == nil || u.byType == nil {
		return false
	}
	var texts [fewPairs]place
	var filter uint64
	for k := range n {
		x := s.pair.place(0, list.at(k))
		a := u.byType[boxHash(x, u.factor)]
		at, ok := place{}, a != nil && a.isText
		if ok {
			at, ok = a.box.holds(x)
		}
		if !ok {
			return false
		}
		size := at.length()
		if bit := uint64(1) << (size & 63); filter&bit == 0 {
			filter |= bit
		} else if at.looksLike(texts[:k]) {
			return false
		}
		texts[k] = at
	}
	return true
}

// looksLike reports whether the text at x has the length and the first and last bytes of another one.
func (x place) looksLike(others []place) bool {
	size, text := x.length(), x.content()
	for _, y := range others {
		if y.length() != size {
			continue
		}
		other := y.content()
		switch {
		case size >= 8:
			if text.Load64(0) == other.Load64(0) && text.Load64(size-8) == other.Load64(size-8) {
				return true
			}
		case size >= 4:
			if text.Load32(0) == other.Load32(0) && text.Load32(size-4) == other.Load32(size-4) {
				return true
			}
		case size == 0 || text.Load8(0) == other.Load8(0) && text.Load8(size>>1) == other.Load8(size>>1) && text.Load8(size-1) == other.Load8(size-1):
			return true
		}
	}
	return false
}

// bit returns one of 64 bits, which is the same for equal keys.
func (k *mapKey) bit() uint64 {
	h := k.number + uint64(len(k.text))<<56
	for i := max(0, len(k.text)-7); i < len(k.text); i++ {
		h = h<<8 | uint64(k.text[i])
	}
	return 1 << (h * 0xff51afd7ed558ccd >> 58)
}
