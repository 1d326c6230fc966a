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

func (r *reader) header(id uint32, what string) (wide bool, err error) {
	h, err := r.u32()
	if err != nil {
		return false, err
	}
	if h&0xff != id {
		return false, fail(r.pos-4, "not "+what)
	}
	return h&bit64 != 0, nil
}

func (r *reader) list(id uint32, size int) (int, error) {
	at := r.pos
	h, err := r.u32()
	if err != nil {
		return 0, err
	}
	switch {
	case h&0xff != id:
		return 0, fail(at, "not the container that is wanted")
	case h>>16&15 == 0 || id == idArray && h>>16&3 == 0:
		return r.count(size)
	}
	var d Decoder
	var v value.Value
	if _, r.pos, err = d.typed(r.b, at, &v); err != nil {
		return 0, err
	}
	return r.count(size)
}

func (r *reader) int() (int64, error) {
	wide, err := r.header(idInt, "an int")
	if err != nil {
		return 0, err
	}
	if wide {
		x, err := r.u64()
		return int64(x), err
	}
	x, err := r.u32()
	return int64(int32(x)), err
}

func (r *reader) float() (float64, error) {
	wide, err := r.header(idFloat, "a float")
	if err != nil {
		return 0, err
	}
	if wide {
		x, err := r.u64()
		return math.Float64frombits(x), err
	}
	x, err := r.f32()
	return float64(x), err
}

func (r *reader) str() ([]byte, error) {
	h, err := r.u32()
	if err != nil {
		return nil, err
	}
	if id := h & 0xff; id != idString && id != idStringName {
		return nil, fail(r.pos-4, "not a text")
	}
	return r.text()
}

func (r *reader) vector3(v *work.Vector3) error {
	wide, err := r.header(idVector3, "a Vector3")
	if err != nil {
		return err
	}
	for _, f := range []*float32{&v.X, &v.Y, &v.Z} {
		if wide {
			x, err := r.u64()
			if err != nil {
				return err
			}
			*f = float32(math.Float64frombits(x))
		} else if *f, err = r.f32(); err != nil {
			return err
		}
	}
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
		key, err := r.str()
		if err != nil {
			return err
		}
		switch string(key) {
		case "tick":
			s.Tick, err = r.int()
		case "entities":
			err = r.entities(s)
		default:
			err = r.skip(1)
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
		key, err := r.str()
		if err != nil {
			return err
		}
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
			err = r.skip(3)
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
