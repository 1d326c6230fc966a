// Reading structs by plans: their keys, in the order of the fields or in any other.

package codec

import (
	"math"
	"math/bits"

	"github.com/octable/octable/interp/memory"
)

// structure reads a Dictionary whose header is the plain one into a struct.
func (r *planReader) structure(s *readStruct, x place, pos int, clear bool) int {
	n := int(s.count.Of(r.in.Load32(pos + 4)))
	pos += 8
	if uint64(n)*8 > uint64(r.end-pos) || r.depth >= r.limit || r.limited && !r.charge(2*n) {
		return wrong
	}
	if clear && !s.whole {
		clear = false
		x.value(s.typ).SetZero()
	}
	r.depth++
	last, seen, known := &r.fields[s.at+s.n], uint64(0), n
	for n > 0 {
		if last, pos, n, seen = r.run(last, x, pos, n, seen, r.end-s.reach); n == 0 {
			break
		}
		n--
		f := last.next
		if !r.isKey(f, pos) {
			if f = r.find(s, pos); f == nil {
				if pos = r.skip(s, pos); pos == wrong {
					return wrong
				}
				known--
				continue
			}
			last.next = f
		}
		last = f
		seen += f.bit
		pos += int(f.skip)
		to := x.field(f.offset, f.field)
		if pos = r.value(f.op, to, pos, clear); pos == wrong {
			return wrong
		}
	}
	if pos == wrong {
		return wrong
	}
	r.depth--
	// The bit of a key that came twice was added twice, which leaves fewer bits.
	if bits.OnesCount64(seen) != known || s.required&^seen != 0 {
		return wrong
	}
	if clear && seen != s.all {
		for i := range s.n {
			if f := &r.fields[s.at+i]; seen&f.bit == 0 {
				x.field(f.offset, f.field).value(f.op.plan.typ).SetZero()
			}
		}
	}
	return pos
}

// run reads fields as long as they come in the order of the last time. Their values must be of
// the commonest kinds and forms. It calls nothing but texts, so that all it works with stays in
// registers. Up to the place safe, any key with a number, or with the header of a text, may be
// loaded. The place that it returns is wrong if a value was.
func (r *planReader) run(last *readField, x place, pos, n int, seen uint64, safe int) (*readField, int, int, uint64) {
	in := r.in
	for ; n > 0 && pos <= safe; n-- {
		f := last.next
		if in.Load64(pos) != f.key0 || (in.Load64(pos+8)^f.key1)&f.mask != 0 {
			break
		}
		at := pos + int(f.skip)
		w := in.Load64(at)
		to := x.field(f.offset, f.field)
		if uint32(w) != f.head {
			if uint32(w) != f.wide {
				break
			}
			to.put64(in.Load64(at + 4))
			last, pos = f, at+12
			seen += f.bit
			continue
		}
		switch f.code {
		case opInt64:
			to.put64(uint64(int64(w) >> 32))
			at += 8
		case opFloat64:
			x := math.Float32frombits(uint32(w >> 32))
			if x != x {
				return last, pos, n, seen
			}
			to.putFloat(float64(x))
			at += 8
		case opLanes8:
			to.lanes8(in, at+4)
			at += 12
		case opLanes12:
			to.lanes12(in, at+4)
			at += 16
		case opText:
			n, end := int(w>>32), r.end
			at += 8
			next, ok := memory.Padded(at, w>>32, end)
			if !ok || n == 0 {
				goto out
			}
			if n <= 8 {
				w = in.Load64(at + n - 8)
				if odd(w)>>(64-8*uint(n)) != 0 {
					goto out
				}
			} else if n > 16 || odd(in.Load64(at))|odd(in.Load64(at+n-8)) != 0 {
				goto out
			}
			if r.alias {
				to.putText(in.Text(at, n))
			} else {
				t := r.textPos
				if n > 8 || t >= r.textEnd {
					goto out
				}
				r.text.Store64(t, w>>(64-8*uint(n)))
				to.putText(r.text.Text(t, n))
				r.textPos = t + n
			}
			at = next
		case opTexts:
			if at = r.texts(f.op, to, at); at == wrong {
				return last, wrong, 0, seen
			}
		default:
			goto out
		}
		last, pos = f, at
		seen += f.bit
	}
out:
	r.leaves++
	return last, pos, n, seen
}

// isKey reports whether the key at pos is that of a field.
func (r *planReader) isKey(f *readField, pos int) bool {
	return r.end-pos >= int(f.need) && r.in.Load64(pos) == f.key0 && (r.in.Load64(pos+8)^f.key1)&f.mask == 0 &&
		(!f.long || string(r.in.Bytes(pos+8, len(f.field.name))) == f.field.name)
}

// find returns the field that the key at pos belongs to, or nil.
//
//go:noinline
func (r *planReader) find(s *readStruct, pos int) *readField {
	if r.end-pos < 12 { // a key and a value
		return nil
	}
	w := r.in.Load64(pos)
	if head := uint32(w); head != s.key && head != s.key2 {
		return nil
	}
	n, start := int(w>>32), pos+8
	if _, ok := memory.Padded(start, w>>32, r.end); !ok {
		return nil
	}
	if k, ok := s.byName[string(r.b[start:start+n])]; ok {
		return &r.fields[s.at+k]
	}
	return nil
}

// skip returns what follows the pair at pos, whose key no field has.
//
//go:noinline
func (r *planReader) skip(s *readStruct, pos int) int {
	left := r.limit - r.depth
	if !r.skips || r.limited || left <= 0 {
		return wrong
	}
	opt := r.c.raw
	opt.MaxDepth = left
	if r.reader == nil || r.reader.Machine() != r.c.m {
		r.reader = r.c.m.NewReader(opt)
	} else {
		r.reader.SetOptions(opt)
	}
	key, used, err := r.reader.Read(r.b[pos:r.end])
	if err != nil {
		return wrong
	}
	if name, ok := (wrap(key)).AsString(); ok {
		if _, known := s.byName[name]; known {
			return wrong // in a form that is not plain
		}
	}
	pos += used
	if _, used, err = r.reader.Read(r.b[pos:r.end]); err != nil {
		return wrong
	}
	return pos + used
}
