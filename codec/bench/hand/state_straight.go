// The game state into and out of Go structs in straight lines, as a generator
// would write it for this one type: the keys are expected in the order of the
// fields and compared as numbers; what is otherwise goes the idiomatic way.

package hand

import (
	"math"

	"github.com/octable/octable/codec/bench/work"
)

// Headers with the word behind them, and keys, as little-endian numbers.
const (
	headState  = idDictionary | 2<<32
	headEntity = idDictionary | 6<<32
	head2      = idString | 2<<32
	head3      = idString | 3<<32
	head4      = idString | 4<<32
	head8      = idString | 8<<32

	keyTick     = 't' | 'i'<<8 | 'c'<<16 | 'k'<<24
	keyEntities = 'e' | 'n'<<8 | 't'<<16 | 'i'<<24 | 't'<<32 | 'i'<<40 | 'e'<<48 | 's'<<56
	keyID       = 'i' | 'd'<<8
	keyName     = 'n' | 'a'<<8 | 'm'<<16 | 'e'<<24
	keyPos      = 'p' | 'o'<<8 | 's'<<16
	keyVel      = 'v' | 'e'<<8 | 'l'<<16
	keyHP       = 'h' | 'p'<<8
	keyTags     = 't' | 'a'<<8 | 'g'<<16 | 's'<<24
)

// DecodeStateStraight is DecodeState in straight lines.
func DecodeStateStraight(b []byte, s *work.State) error {
	const fixed = 8 + 12 + 8 + 16 + 8
	if len(b) < fixed || u64(b, 0) != headState || u64(b, 8) != head4 || u32(b, 16) != keyTick ||
		u32(b, 20) != idInt ||
		u64(b, 28) != head8 || u64(b, 36) != keyEntities || u32(b, 44) != idArray {
		return DecodeState(b, s)
	}
	s.Tick = int64(int32(u32(b, 24)))
	n := int(u32(b, 48) & (1<<31 - 1))
	pos := 52
	if n > (len(b)-pos)>>2 {
		return fail(pos-4, "more elements than bytes")
	}
	s.Entities = sized(s.Entities, n)
	for i := range s.Entities {
		next, err := entityStraight(b, pos, &s.Entities[i])
		if err != nil {
			return err
		}
		pos = next
	}
	return nil
}

// entitySlow decodes an entity that is not laid out as expected.
//
//go:noinline
func entitySlow(b []byte, pos int, e *work.Entity) (int, error) {
	r := reader{b, pos}
	err := r.entity(e)
	return r.pos, err
}

func entityStraight(b []byte, start int, e *work.Entity) (int, error) {
	// q is the rest of the input. Its length is tested once for each run of fields
	// of known size, so that single loads need no test.
	q := b[start:]

	// id
	if len(q) < 48 || u64(q, 0) != headEntity || u64(q, 8) != head2 || u32(q, 16)&0xffff != keyID {
		return entitySlow(b, start, e)
	}
	switch u32(q, 20) {
	case idInt:
		e.ID = int64(int32(u32(q, 24)))
		q = q[28:]
	case idInt | bit64:
		e.ID = int64(u64(q, 24))
		q = q[32:]
	default:
		return entitySlow(b, start, e)
	}

	// name
	if len(q) < 20 || u64(q, 0) != head4 || u32(q, 8) != keyName || u32(q, 12) != idString {
		return entitySlow(b, start, e)
	}
	n := int(u32(q, 16))
	end := 20 + (n+3)&^3
	if end > len(q) || n > math.MaxInt32 || !plain(q, 20, n) {
		return entitySlow(b, start, e)
	}
	e.Name = alias(q[20 : 20+n])
	q = q[end:]

	// pos, vel, hp
	if len(q) < 28+28+20 ||
		u64(q, 0) != head3 || u32(q, 8)&0xffffff != keyPos || u32(q, 12) != idVector3 ||
		u64(q, 28) != head3 || u32(q, 36)&0xffffff != keyVel || u32(q, 40) != idVector3 ||
		u64(q, 56) != head2 || u32(q, 64)&0xffff != keyHP {
		return entitySlow(b, start, e)
	}
	e.Pos.X = math.Float32frombits(u32(q, 16))
	e.Pos.Y = math.Float32frombits(u32(q, 20))
	e.Pos.Z = math.Float32frombits(u32(q, 24))
	e.Vel.X = math.Float32frombits(u32(q, 44))
	e.Vel.Y = math.Float32frombits(u32(q, 48))
	e.Vel.Z = math.Float32frombits(u32(q, 52))
	switch u32(q, 68) {
	case idFloat:
		e.HP = float64(math.Float32frombits(u32(q, 72)))
		q = q[76:]
	case idFloat | bit64:
		if len(q) < 80 {
			return entitySlow(b, start, e)
		}
		e.HP = math.Float64frombits(u64(q, 72))
		q = q[80:]
	default:
		return entitySlow(b, start, e)
	}

	// tags
	if len(q) < 20 || u64(q, 0) != head4 || u32(q, 8) != keyTags || u32(q, 12) != idArray {
		return entitySlow(b, start, e)
	}
	count := int(u32(q, 16) & (1<<31 - 1))
	q = q[20:]
	if count > len(q)>>2 {
		return entitySlow(b, start, e)
	}
	e.Tags = sized(e.Tags, count)
	for i := range e.Tags {
		if len(q) < 8 {
			return entitySlow(b, start, e)
		}
		w := u64(q, 0)
		n := int(w >> 32)
		end := 8 + (n+3)&^3
		if uint32(w) != idString || end > len(q) || n > math.MaxInt32 || !plain(q, 8, n) {
			return entitySlow(b, start, e)
		}
		e.Tags[i] = alias(q[8 : 8+n])
		q = q[end:]
	}
	return len(b) - len(q), nil
}

// AppendStateStraight is AppendState with one test for room per entity and
// plain stores. Bytes behind the packet, up to the capacity, may be written to.
func AppendStateStraight(dst []byte, s *work.State) ([]byte, error) {
	b, pos := dst[:cap(dst)], len(dst)
	if len(b)-pos < headroom {
		b = grow(b, pos, headroom)
	}
	put64(b, pos, headState)
	put64(b, pos+8, head4)
	put32(b, pos+16, keyTick)
	pos = putInt(b, pos+20, s.Tick)
	put64(b, pos, head8)
	put64(b, pos+8, keyEntities)
	put64(b, pos+16, idArray|uint64(len(s.Entities))<<32)
	pos += 24
	for i := range s.Entities {
		e := &s.Entities[i]
		const fixed = 8 + 12*6 + 12 + 8 + 16 + 16 + 12 + 8
		room := fixed + (len(e.Name)+3)&^3 + 8 + 16*len(e.Tags)
		for _, t := range e.Tags {
			room += len(t)
		}
		if len(b)-pos < room {
			b = grow(b, pos, room)
		}
		put64(b, pos, headEntity)
		put64(b, pos+8, head2)
		put32(b, pos+16, keyID)
		pos = putInt(b, pos+20, e.ID)
		put64(b, pos, head4)
		put32(b, pos+8, keyName)
		next, ok := putText(b, pos+12, e.Name)
		if !ok {
			return dst, fail(pos+20, "text cannot be written")
		}
		pos = next
		put64(b, pos, head3)
		put64(b, pos+8, keyPos|idVector3<<32)
		put32(b, pos+16, math.Float32bits(e.Pos.X))
		put32(b, pos+20, math.Float32bits(e.Pos.Y))
		put32(b, pos+24, math.Float32bits(e.Pos.Z))
		put64(b, pos+28, head3)
		put64(b, pos+36, keyVel|idVector3<<32)
		put32(b, pos+44, math.Float32bits(e.Vel.X))
		put32(b, pos+48, math.Float32bits(e.Vel.Y))
		put32(b, pos+52, math.Float32bits(e.Vel.Z))
		put64(b, pos+56, head2)
		put32(b, pos+64, keyHP)
		if f := float32(e.HP); float64(f) == e.HP {
			put64(b, pos+68, idFloat|uint64(math.Float32bits(f))<<32)
			pos += 76
		} else {
			put32(b, pos+68, idFloat|bit64)
			put64(b, pos+72, math.Float64bits(e.HP))
			pos += 80
		}
		put64(b, pos, head4)
		put32(b, pos+8, keyTags)
		put64(b, pos+12, idArray|uint64(len(e.Tags))<<32)
		pos += 20
		for _, t := range e.Tags {
			if next, ok = putText(b, pos, t); !ok {
				return dst, fail(pos+8, "text cannot be written")
			}
			pos = next
		}
	}
	return b[:pos], nil
}

func putInt(b []byte, pos int, i int64) int {
	if int64(int32(i)) == i {
		put64(b, pos, idInt|uint64(i)<<32)
		return pos + 8
	}
	put32(b, pos, idInt|bit64)
	put64(b, pos+4, uint64(i))
	return pos + 12
}

// putText writes a String of which the caller knows that it fits, with eight
// bytes to spare.
func putText(b []byte, pos int, s string) (next int, ok bool) {
	n := len(s)
	t := view(s)
	put64(b, pos, idString|uint64(n)<<32)
	var marks uint64
	switch {
	case n > 16:
		put32(b, pos+8+(n-1)&^3, 0)
		copy(b[pos+8:], t)
		if !plain(b, pos+8, n) {
			marks = 1
		}
	case n >= 8:
		first, last := u64(t, 0), u64(t, n-8)
		marks = mark(first) | mark(last)
		put64(b, pos+8, first)
		if n > 8 {
			put64(b, pos+16, last>>(8*(16-uint(n))&63))
		}
	case n >= 4:
		first, last := uint64(u32(t, 0)), uint64(u32(t, n-4))
		marks = mark(first | last<<32)
		put64(b, pos+8, first|last<<(8*(uint(n)-4)&63))
	case n > 0:
		w := uint32(t[0]) | uint32(t[n>>1])<<(8*(uint(n)>>1)&31) | uint32(t[n-1])<<(8*(uint(n)-1)&31)
		marks = mark(uint64(w) | uint64(ones)<<(8*uint(n)&63))
		put32(b, pos+8, w)
	}
	if marks != 0 && !right(s) {
		return pos, false
	}
	return pos + 8 + (n+3)&^3, true
}
