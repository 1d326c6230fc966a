// The generic decoder with Go's own recursion.

package hand

import (
	"math"
	"unsafe"

	"github.com/octable/octable/codec/bench/value"
)

// Recursive decodes the value at the start of b and returns how many bytes it
// takes. It calls itself for each container, not for each value.
func (d *Decoder) Recursive(b []byte) (value.Value, int, error) {
	d.reset(len(b))
	pos, _, err := d.fill(b, 0, d.root[:], 0, 0)
	if err != nil {
		return value.Value{}, pos, err
	}
	return d.root[0], pos, nil
}

// fill decodes into cells, which are depth levels below the outermost value.
func (d *Decoder) fill(b []byte, pos int, cells []value.Value, mode uint8, depth int) (int, uint8, error) {
	var (
		seen uint64 // filter of the keys so far
		err  error
	)
	for i := 0; i < len(cells); {
		if len(b)-pos < 8 {
			if mode == dict && i&1 == 0 {
				mode |= suspect
			}
			if pos, err = short(b, pos, &cells[i]); err != nil {
				return pos, mode, err
			}
			i++
			continue
		}
		w := u64(b, pos)
		if mode == dict && i&1 == 0 {
			if uint8(w) != idString {
				mode |= suspect
				goto any
			}
			n, start := int(w>>32), pos+8
			end := start + (n+3)&^3
			if n > math.MaxInt32 || end > len(b) {
				return pos, mode, fail(pos+4, "text is longer than the packet")
			}
			last := u64(b, start+n-8)
			dirty := mark(last)
			if n <= 8 {
				last >>= (8 - uint(n)) * 8
				dirty >>= (8 - uint(n)) * 8
			} else if dirty == 0 && !plainLong(b, start, n) {
				dirty = 1
			}
			if dirty != 0 {
				mode |= suspect
				goto any
			}
			v := &cells[i]
			var p unsafe.Pointer // never past the end
			if n > 0 {
				p = at(b, start)
			}
			set(v, p, 0, uint32(n), idString+1, value.Text, 0)
			bit := place(last)
			if seen&bit != 0 && twice(cells[:i+1]) {
				mode |= suspect
			}
			seen |= bit
			pos = end
			i++
			continue
		}
	any:
		switch uint8(w) {
		case idNil:
			set(&cells[i], nil, 0, 0, idNil+1, value.Unit, 0)
			pos += 4
		case idBool:
			var u uint64
			if w>>32 != 0 {
				u = 1
			}
			set(&cells[i], nil, u, 0, idBool+1, value.Bool, 0)
			pos += 8
		case idInt:
			if len(b)-pos < 12 {
				if w&bit64 != 0 {
					return pos, mode, fail(pos+4, "packet ends inside a value")
				}
				set(&cells[i], nil, uint64(int64(w)>>32), 0, idInt+1, value.Int, value.I32)
				pos += 8
				break
			}
			// Without a branch: which width comes next cannot be foreseen.
			wide := uint(w >> 16 & 1)
			cut := 32 - wide*32
			set(&cells[i], nil, uint64(int64(u64(b, pos+4)<<(cut&63))>>(cut&63)), 0, idInt+1, value.Int, value.I32+uint8(wide)*(value.I64+value.Wide-value.I32))
			pos += int(8 + wide*4)
		case idFloat:
			if w&bit64 == 0 {
				f := float64(math.Float32frombits(uint32(w >> 32)))
				set(&cells[i], nil, math.Float64bits(f), 0, idFloat+1, value.Float, value.F32)
				pos += 8
				break
			}
			if len(b)-pos < 12 {
				return pos, mode, fail(pos+4, "packet ends inside a value")
			}
			set(&cells[i], nil, u64(b, pos+4), 0, idFloat+1, value.Float, value.F64|value.Wide)
			pos += 12
		case idString, idStringName:
			n, start := int(w>>32), pos+8
			end := start + (n+3)&^3
			if n > math.MaxInt32 || end > len(b) {
				return pos, mode, fail(pos+4, "text is longer than the packet")
			}
			v := &cells[i]
			var p unsafe.Pointer // never past the end
			if n > 0 {
				p = at(b, start)
			}
			set(v, p, 0, uint32(n), uint16(w&0xff)+1, value.Text, 0)
			if !plain(b, start, n) {
				t, ok := odd(b[start : start+n])
				if !ok {
					return pos, mode, fail(start, "text is not UTF-8")
				}
				*v = textValue(t, v.Tag)
			}
			pos = end
		case idVector2, idVector2i:
			if len(b)-pos < 12 || w&bit64 != 0 && uint8(w) == idVector2 {
				goto rare
			}
			form := uint8(value.F32)
			if uint8(w) == idVector2i {
				form = value.I32
			}
			set(&cells[i], nil, u64(b, pos+4), 2, uint16(w&0xff)+1, value.Lanes, form)
			pos += 12
		case idVector3:
			if len(b)-pos < 16 || w&bit64 != 0 {
				goto rare
			}
			set(&cells[i], at(b, pos+4), 0, 3, idVector3+1, value.Lanes, value.F32)
			pos += 16
		case idRect2, idVector4, idPlane, idQuaternion:
			if len(b)-pos < 20 || w&bit64 != 0 {
				goto rare
			}
			set(&cells[i], at(b, pos+4), 0, 4, uint16(w&0xff)+1, value.Lanes, value.F32)
			pos += 20
		case idDictionary, idArray:
			v := &cells[i]
			pos += 4
			if w&(15<<16) != 0 && (uint8(w) == idDictionary || w&(3<<16) != 0) {
				if v, pos, err = d.typed(b, pos-4, v); err != nil {
					return pos, mode, err
				}
				if len(b)-pos < 4 {
					return pos, mode, fail(pos, "packet ends before a count")
				}
				w = w&0xff | uint64(u32(b, pos))<<32
			}
			n := int(w >> 32 & (1<<31 - 1))
			pos += 4
			i++
			kind, m, form := value.List, uint8(0), uint8(0)
			size := n
			if uint8(w) == idDictionary {
				kind, m, form, size = value.Map, dict, value.Distinct, 2*n
				if n > fewKeys {
					m |= suspect
				}
			}
			if size > (len(b)-pos)>>2 {
				return pos, mode, fail(pos-4, "more elements than bytes")
			}
			if n == 0 {
				set(v, nil, 0, 0, uint16(w&0xff)+1, kind, form)
				continue
			}
			if depth >= depthLimit {
				return pos, mode, fail(pos, "nested too deep")
			}
			var children []value.Value
			if size <= len(d.free) { // take, by hand
				children, d.free = d.free[:size:size], d.free[size:]
			} else {
				children = d.more(size)
			}
			set(v, unsafePointer(children), 0, uint32(n), uint16(w&0xff)+1, kind, form)
			verdict := uint8(0)
			if pos, verdict, err = d.fill(b, pos, children, m, depth+1); err != nil {
				return pos, mode, err
			}
			if verdict&suspect != 0 {
				judge(v)
			}
			continue
		default:
			goto rare
		}
		i++
		continue
	rare:
		if pos, err = d.rare(b, pos, &cells[i]); err != nil {
			return pos, mode, err
		}
		i++
	}
	return pos, mode, nil
}
