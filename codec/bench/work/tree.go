// Trees: a value in a form that is easy to make, not fast to use.

package work

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Tree is a value of the format as plain Go values. These are nil, bool, int64,
// float64, string, [Vector3], [Quaternion], [Dict], []any, []byte and
// []Vector3.
type Tree = any

// Dict is a Dictionary in order.
type Dict []Entry

// Entry is one pair of a [Dict].
type Entry struct {
	Key   string
	Value Tree
}

// Quaternion is Godot's Quaternion in single precision.
type Quaternion struct{ X, Y, Z, W float32 }

// Type ids of Godot 4 that the workloads use.
const (
	idNil = iota
	idBool
	idInt
	idFloat
	idString
	idVector3            = 9
	idQuaternion         = 15
	idDictionary         = 27
	idArray              = 28
	idPackedByteArray    = 29
	idPackedVector3Array = 36

	bit64 = 1 << 16
)

var le = binary.LittleEndian

// Append writes t as Godot 4.4 does. It is the plainest code that is right:
// the packets come from it, nothing is measured against it.
func Append(b []byte, t Tree) []byte {
	head := func(id, n int) { b = le.AppendUint32(le.AppendUint32(b, uint32(id)), uint32(n)) }
	reals := func(fs ...float32) {
		for _, f := range fs {
			b = le.AppendUint32(b, math.Float32bits(f))
		}
	}
	pad := func() {
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
	}
	switch t := t.(type) {
	case nil:
		b = le.AppendUint32(b, idNil)
	case bool:
		n := 0
		if t {
			n = 1
		}
		head(idBool, n)
	case int64:
		if int64(int32(t)) == t {
			head(idInt, int(t))
		} else {
			b = le.AppendUint64(le.AppendUint32(b, idInt|bit64), uint64(t))
		}
	case float64:
		if f := float32(t); float64(f) == t {
			head(idFloat, int(math.Float32bits(f)))
		} else {
			b = le.AppendUint64(le.AppendUint32(b, idFloat|bit64), math.Float64bits(t))
		}
	case string:
		head(idString, len(t))
		b = append(b, t...)
		pad()
	case Vector3:
		b = le.AppendUint32(b, idVector3)
		reals(t.X, t.Y, t.Z)
	case Quaternion:
		b = le.AppendUint32(b, idQuaternion)
		reals(t.X, t.Y, t.Z, t.W)
	case Dict:
		head(idDictionary, len(t))
		for _, e := range t {
			b = Append(Append(b, e.Key), e.Value)
		}
	case []any:
		head(idArray, len(t))
		for _, e := range t {
			b = Append(b, e)
		}
	case []byte:
		head(idPackedByteArray, len(t))
		b = append(b, t...)
		pad()
	case []Vector3:
		head(idPackedVector3Array, len(t))
		for _, v := range t {
			reals(v.X, v.Y, v.Z)
		}
	default:
		panic(fmt.Sprintf("work: a tree cannot hold %T", t))
	}
	return b
}

// Plain returns t as other libraries like it: map[string]any, []any, numbers
// and text. Vectors become maps, since those libraries have no vectors.
func Plain(t Tree) any {
	switch t := t.(type) {
	case Dict:
		m := make(map[string]any, len(t))
		for _, e := range t {
			m[e.Key] = Plain(e.Value)
		}
		return m
	case []any:
		a := make([]any, len(t))
		for i, e := range t {
			a[i] = Plain(e)
		}
		return a
	case Vector3:
		return map[string]any{"x": t.X, "y": t.Y, "z": t.Z}
	case Quaternion:
		return map[string]any{"x": t.X, "y": t.Y, "z": t.Z, "w": t.W}
	case []Vector3:
		a := make([]any, len(t))
		for i, e := range t {
			a[i] = Plain(e)
		}
		return a
	}
	return t
}

// Godot3 returns a packet of the workloads with the type ids of Godot 3. The
// layouts are the same.
func Godot3(packet []byte) []byte {
	b := append([]byte(nil), packet...)
	if n := renumber(b, 0); n != len(b) {
		panic("work: not a packet of the workloads")
	}
	return b
}

func renumber(b []byte, at int) int {
	word := func(i int) int { return int(le.Uint32(b[at+i:])) }
	wide := 4 * (int(b[at+2]) & 1)
	switch b[at] {
	case idNil:
		return at + 4
	case idBool:
		return at + 8
	case idInt, idFloat:
		return at + 8 + wide
	case idString:
		return at + 8 + (word(4)+3)&^3
	case idVector3:
		b[at] = 7
		return at + 16
	case idQuaternion:
		b[at] = 10
		return at + 20
	case idPackedByteArray:
		b[at] = 20
		return at + 8 + (word(4)+3)&^3
	case idPackedVector3Array:
		b[at] = 25
		return at + 8 + 12*word(4)
	case idDictionary, idArray:
		n := word(4)
		if b[at] == idDictionary {
			n *= 2
		}
		b[at] -= 9 // 27 to 18, 28 to 19
		at += 8
		for range n {
			at = renumber(b, at)
		}
		return at
	}
	panic("work: a type that no workload has")
}
