// Type ids of Godot 4.4 and their types.

package hand

import "github.com/octable/octable/codec/bench/value"

const (
	idNil = iota
	idBool
	idInt
	idFloat
	idString
	idVector2
	idVector2i
	idRect2
	idRect2i
	idVector3
	idVector3i
	idTransform2D
	idVector4
	idVector4i
	idPlane
	idQuaternion
	idAABB
	idBasis
	idTransform3D
	idProjection
	idColor
	idStringName
	idNodePath
	idRID
	idObject
	idCallable
	idSignal
	idDictionary
	idArray
	idPackedByteArray
	idPackedInt32Array
	idPackedInt64Array
	idPackedFloat32Array
	idPackedFloat64Array
	idPackedStringArray
	idPackedVector2Array
	idPackedVector3Array
	idPackedColorArray
	idPackedVector4Array
	numIDs
)

const (
	bit64      = 1 << 16
	depthLimit = 1024 // levels below the outermost value

	tagBuiltin = 48 // element type of a typed container, as package codec numbers it
	tagClass   = 49
	tagScript  = 50
)

// tag returns the tag of the type with an id.
func tag(id int) uint16 { return uint16(id + 1) }

// tuple describes the types that are equal numbers in a row.
type tuple struct {
	form  uint8
	lanes uint8
	real  bool // has a form of 8 bytes
}

var tuples = [numIDs]tuple{
	idVector2: {value.F32, 2, true}, idVector2i: {value.I32, 2, false},
	idRect2: {value.F32, 4, true}, idRect2i: {value.I32, 4, false},
	idVector3: {value.F32, 3, true}, idVector3i: {value.I32, 3, false},
	idTransform2D: {value.F32, 6, true}, idVector4: {value.F32, 4, true}, idVector4i: {value.I32, 4, false},
	idPlane: {value.F32, 4, true}, idQuaternion: {value.F32, 4, true}, idAABB: {value.F32, 6, true},
	idBasis: {value.F32, 9, true}, idTransform3D: {value.F32, 12, true}, idProjection: {value.F32, 16, true},
	idColor:           {value.F32, 4, false},
	idPackedByteArray: {value.U8, 1, false}, idPackedInt32Array: {value.I32, 1, false},
	idPackedInt64Array: {value.I64, 1, false}, idPackedFloat32Array: {value.F32, 1, false},
	idPackedFloat64Array: {value.F64, 1, false}, idPackedVector2Array: {value.F32, 2, true},
	idPackedVector3Array: {value.F32, 3, true}, idPackedColorArray: {value.F32, 4, false},
	idPackedVector4Array: {value.F32, 4, true},
}
