// The game state into and out of Go structs, as most people would write it.

package hand

import (
	"math"

	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/bench/work"
)

// DecodeState decodes a State into s, whose memory it uses again. Strings
// share the memory of b. Keys come in any order; those that s has no field for
// are skipped; of equal keys the last counts, as in the engine.
func DecodeState(b []byte, s *work.State) error {
	r := reader{b: b}
	return r.state(s)
}

// list reads the header and the count of an Array or Dictionary, whose elements
// take at least size bytes.
func (r *reader) list(id byte, size int) (int, error) {
	b := r.b[r.pos:]
	if len(b) < 8 || b[0] != id {
		return 0, fail(r.pos, "not the container that is wanted")
	}
	if b[2]&15 != 0 && (id == idDictionary || b[2]&3 != 0) {
		var d Decoder
		var v value.Value
		var err error
		if _, r.pos, err = d.typed(r.b, r.pos, &v); err != nil {
			return 0, err
		}
		return r.count(size)
	}
	n := int(le.Uint32(b[4:]) & (1<<31 - 1))
	if n > (len(b)-8)/size {
		return 0, fail(r.pos+4, "more elements than bytes")
	}
	r.pos += 8
	return n, nil
}

func (r *reader) int() (int64, error) {
	b := r.b[r.pos:]
	switch {
	case len(b) < 8 || b[0] != idInt:
		return 0, fail(r.pos, "not an int")
	case b[2]&1 == 0:
		r.pos += 8
		return int64(int32(le.Uint32(b[4:]))), nil
	case len(b) < 12:
		return 0, fail(r.pos+4, "packet ends inside a value")
	}
	r.pos += 12
	return int64(le.Uint64(b[4:])), nil
}

func (r *reader) float() (float64, error) {
	b := r.b[r.pos:]
	switch {
	case len(b) < 8 || b[0] != idFloat:
		return 0, fail(r.pos, "not a float")
	case b[2]&1 == 0:
		r.pos += 8
		return float64(math.Float32frombits(le.Uint32(b[4:]))), nil
	case len(b) < 12:
		return 0, fail(r.pos+4, "packet ends inside a value")
	}
	r.pos += 12
	return math.Float64frombits(le.Uint64(b[4:])), nil
}

func (r *reader) str() ([]byte, error) {
	b := r.b[r.pos:]
	if len(b) < 8 || b[0] != idString && b[0] != idStringName {
		return nil, fail(r.pos, "not a text")
	}
	n := int(le.Uint32(b[4:]))
	end := 8 + (n+3)&^3
	if end > len(b) || n > math.MaxInt32 {
		return nil, fail(r.pos+4, "text is longer than the packet")
	}
	t := b[8 : 8+n]
	if !plain(b, 8, n) {
		ok := false
		if t, ok = odd(t); !ok {
			return nil, fail(r.pos+8, "text is not UTF-8")
		}
	}
	r.pos += end
	return t, nil
}

// key reads a text without a check: the name of a field needs none.
func (r *reader) key() ([]byte, error) {
	b := r.b[r.pos:]
	if len(b) < 8 || b[0] != idString && b[0] != idStringName {
		return nil, fail(r.pos, "not a text")
	}
	n := int(le.Uint32(b[4:]))
	end := 8 + (n+3)&^3
	if end > len(b) || n > math.MaxInt32 {
		return nil, fail(r.pos+4, "text is longer than the packet")
	}
	r.pos += end
	return b[8 : 8+n], nil
}

// odd validates a key that is not the name of a field. It returns what the key
// means if that is another.
func (r *reader) odd(key []byte) (t []byte, changed bool, err error) {
	t, ok := odd(key)
	if !ok {
		return key, false, fail(r.pos, "text is not UTF-8")
	}
	return t, len(t) != len(key), nil
}

func (r *reader) vector3(v *work.Vector3) error {
	b := r.b[r.pos:]
	switch {
	case len(b) < 16 || b[0] != idVector3:
		return fail(r.pos, "not a Vector3")
	case b[2]&1 == 0:
		v.X = math.Float32frombits(le.Uint32(b[4:]))
		v.Y = math.Float32frombits(le.Uint32(b[8:]))
		v.Z = math.Float32frombits(le.Uint32(b[12:]))
		r.pos += 16
		return nil
	case len(b) < 28:
		return fail(r.pos+4, "packet ends inside a value")
	}
	v.X = float32(math.Float64frombits(le.Uint64(b[4:])))
	v.Y = float32(math.Float64frombits(le.Uint64(b[12:])))
	v.Z = float32(math.Float64frombits(le.Uint64(b[20:])))
	r.pos += 28
	return nil
}

func (r *reader) skip(depth int) error {
	var v value.Value
	return r.value(&v, depth)
}

func (r *reader) state(s *work.State) error {
	n, err := r.list(idDictionary, 8)
	if err != nil {
		return err
	}
	for range n {
		key, err := r.key()
		if err != nil {
			return err
		}
	again:
		switch string(key) {
		case "tick":
			s.Tick, err = r.int()
		case "entities":
			err = r.entities(s)
		default:
			var changed bool
			if key, changed, err = r.odd(key); changed {
				goto again
			}
			if err == nil {
				err = r.skip(1)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) entities(s *work.State) error {
	n, err := r.list(idArray, 4)
	if err != nil {
		return err
	}
	s.Entities = sized(s.Entities, n)
	for i := range s.Entities {
		if err := r.entity(&s.Entities[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) entity(e *work.Entity) error {
	n, err := r.list(idDictionary, 8)
	if err != nil {
		return err
	}
	for range n {
		key, err := r.key()
		if err != nil {
			return err
		}
	again:
		switch string(key) {
		case "id":
			e.ID, err = r.int()
		case "name":
			var t []byte
			t, err = r.str()
			e.Name = alias(t)
		case "pos":
			err = r.vector3(&e.Pos)
		case "vel":
			err = r.vector3(&e.Vel)
		case "hp":
			e.HP, err = r.float()
		case "tags":
			err = r.tags(e)
		default:
			var changed bool
			if key, changed, err = r.odd(key); changed {
				goto again
			}
			if err == nil {
				err = r.skip(3)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) tags(e *work.Entity) error {
	n, err := r.list(idArray, 4)
	if err != nil {
		return err
	}
	e.Tags = sized(e.Tags, n)
	for i := range e.Tags {
		t, err := r.str()
		if err != nil {
			return err
		}
		e.Tags[i] = alias(t)
	}
	return nil
}

// sized returns s with n elements, new ones if it has no room for them.
func sized[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n)
}

// AppendState appends the packet of s to b, item by item.
func AppendState(b []byte, s *work.State) ([]byte, error) {
	var err error
	b = appendHeader(b, idDictionary, 2)
	b = appendKey(b, "tick")
	b = appendInt(b, s.Tick)
	b = appendKey(b, "entities")
	b = appendHeader(b, idArray, len(s.Entities))
	for i := range s.Entities {
		e := &s.Entities[i]
		b = appendHeader(b, idDictionary, 6)
		b = appendKey(b, "id")
		b = appendInt(b, e.ID)
		b = appendKey(b, "name")
		if b, err = appendText(le.AppendUint32(b, idString), e.Name); err != nil {
			return b, err
		}
		b = appendKey(b, "pos")
		b = appendVector3(b, e.Pos)
		b = appendKey(b, "vel")
		b = appendVector3(b, e.Vel)
		b = appendKey(b, "hp")
		b = appendFloat(b, e.HP)
		b = appendKey(b, "tags")
		b = appendHeader(b, idArray, len(e.Tags))
		for _, t := range e.Tags {
			if b, err = appendText(le.AppendUint32(b, idString), t); err != nil {
				return b, err
			}
		}
	}
	return b, nil
}

func appendHeader(b []byte, id, n int) []byte {
	b = le.AppendUint32(b, uint32(id))
	return le.AppendUint32(b, uint32(n))
}

// appendKey appends a text that is known to be right.
func appendKey(b []byte, key string) []byte {
	b = appendHeader(b, idString, len(key))
	b = append(b, key...)
	return append(b, "\x00\x00\x00"[:-len(key)&3]...)
}

func appendInt(b []byte, i int64) []byte {
	if int64(int32(i)) != i {
		return le.AppendUint64(le.AppendUint32(b, idInt|bit64), uint64(i))
	}
	return appendHeader(b, idInt, int(i))
}

func appendFloat(b []byte, f float64) []byte {
	if s := float32(f); float64(s) == f {
		return appendHeader(b, idFloat, int(math.Float32bits(s)))
	}
	return le.AppendUint64(le.AppendUint32(b, idFloat|bit64), math.Float64bits(f))
}

func appendVector3(b []byte, v work.Vector3) []byte {
	b = le.AppendUint32(b, idVector3)
	b = le.AppendUint32(b, math.Float32bits(v.X))
	b = le.AppendUint32(b, math.Float32bits(v.Y))
	return le.AppendUint32(b, math.Float32bits(v.Z))
}
