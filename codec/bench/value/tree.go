// From the trees of the workloads to values.

package value

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/octable/octable/codec/bench/work"
)

// Tags of the types that the workloads have: the id in Godot 4, plus one.
const (
	TagNil                = 1
	TagBool               = 2
	TagInt                = 3
	TagFloat              = 4
	TagString             = 5
	TagVector3            = 10
	TagQuaternion         = 16
	TagDictionary         = 28
	TagArray              = 29
	TagPackedByteArray    = 30
	TagPackedVector3Array = 37
)

// FromTree builds the value of a workload as a program would that has one to send. Nothing is known about
// keys or widths beforehand.
func FromTree(t work.Tree) Value {
	switch t := t.(type) {
	case nil:
		return MakeUnit(TagNil)
	case bool:
		return MakeBool(TagBool, t)
	case int64:
		return MakeInt(TagInt, t)
	case float64:
		return MakeFloat(TagFloat, t)
	case string:
		return MakeText(TagString, t)
	case work.Vector3:
		return MakeLanes(TagVector3, F32, reals(t.X, t.Y, t.Z))
	case work.Quaternion:
		return MakeLanes(TagQuaternion, F32, reals(t.X, t.Y, t.Z, t.W))
	case work.Dict:
		cells := make([]Value, 0, 2*len(t))
		for _, e := range t {
			cells = append(cells, MakeText(TagString, e.Key), FromTree(e.Value))
		}
		return MakeCells(Map, TagDictionary, cells)
	case []any:
		cells := make([]Value, len(t))
		for i, e := range t {
			cells[i] = FromTree(e)
		}
		return MakeCells(List, TagArray, cells)
	case []byte:
		return MakePacked(TagPackedByteArray, U8, 1, t)
	case []work.Vector3:
		b := make([]byte, 0, 12*len(t))
		for _, v := range t {
			b = append(b, reals(v.X, v.Y, v.Z)...)
		}
		return MakePacked(TagPackedVector3Array, F32, 3, b)
	}
	panic(fmt.Sprintf("value: a tree cannot hold %T", t))
}

func reals(fs ...float32) []byte {
	var b []byte
	for _, f := range fs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}
