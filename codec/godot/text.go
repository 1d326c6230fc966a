// Text and JSON of Variants.

package godot

import (
	"errors"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/codec/raw"
)

// TextNames says whose names of types a text uses. [ParseText] reads all of them.
type TextNames uint8

// The families of names.
const (
	Godot4Names      = TextNames(variant.Godot4Names)      // PackedByteArray, Transform3D, Quaternion, &"name"
	Godot3Names      = TextNames(variant.Godot3Names)      // PoolByteArray, Transform, Quat, @"name"
	PandemoniumNames = TextNames(variant.PandemoniumNames) // PoolByteArray, Transform, Quaternion, @"name"
)

// TextStyle is a style of [AppendText]. The zero TextStyle writes Godot 4's names,
// in one line as far as the notation allows.
type TextStyle struct {
	Names  TextNames
	Indent string // if it is not empty, each pair and property has a separate line, indented with this
	Plain  bool   // leave out the notes ";@...", and with them what they say; see the notation
}

// StyleOf returns the style that the engines of a codec's schema read and write.
func StyleOf(c *codec.Codec) TextStyle {
	s := variant.StyleOf(c.TypeName(PackedByteArray), c.TypeName(QuaternionType))
	return TextStyle{TextNames(s.Names), s.Indent, s.Plain}
}

// AppendText appends v to dst in Godot's text notation. The only error is a
// value nested over 10000 levels deep.
func AppendText(dst []byte, v Value, style TextStyle) ([]byte, error) {
	return variant.AppendText(dst, raw.Value(v), variant.TextStyle{Names: variant.TextNames(style.Names), Indent: style.Indent, Plain: style.Plain})
}

// ParseText reads a value in Godot's text notation, of any version. The
// error, if any, is a [*codec.TextError].
func ParseText(s string) (Value, error) {
	v, err := variant.ParseText(s)
	return raw.Wrap(v), textError(err)
}

// JSONStyle says which of the forms of JSON are written. [ParseJSON] reads them all. The zero
// value is plain JSON, and typed objects if that would lose something.
type JSONStyle struct {
	// Explicit writes every value as a typed object, and numbers as strings.
	Explicit bool
	// Bits writes reals as strings with their bits.
	Bits bool
}

// AppendJSON appends v to dst as JSON. The only error is a value nested over 10000 levels deep,
// in terms of JSON.
func AppendJSON(dst []byte, v Value) ([]byte, error) { return AppendJSONStyle(dst, v, JSONStyle{}) }

// AppendJSONStyle is [AppendJSON] in a style.
func AppendJSONStyle(dst []byte, v Value, style JSONStyle) ([]byte, error) {
	return variant.AppendJSON(dst, raw.Value(v), variant.JSONStyle(style))
}

// ParseJSON reads a value from JSON as [AppendJSON] writes it. The error, if any, is a
// [*codec.TextError].
func ParseJSON(b []byte) (Value, error) {
	v, err := variant.ParseJSON(b)
	return raw.Wrap(v), textError(err)
}

func textError(err error) error {
	if e := (*variant.TextError)(nil); errors.As(err, &e) {
		return (*codec.TextError)(e)
	}
	return err
}

// ValueOf returns the Value that a Go value represents:
//
//	Go                                        format
//	nil, nil pointer, nil interface           Nil
//	bool                                      bool
//	int…, uint…                               int
//	float32, float64                          float
//	string                                    String
//	StringName, NodePath, RID, Signal,        the type of that name
//	  Callable, Vector2 … Color
//	Object, ObjectID                          Object
//	Value                                     itself
//	RawMessage                                the value in its bytes
//	time.Time                                 String
//	[]byte, []int32, []int64, []float32,      PackedByteArray, PackedInt32Array …
//	  []float64, []string, []Vector2,
//	  []Vector3, []Vector4, []Color,
//	  []Vector2i, []Vector3i, []Vector4i
//	other slices                              Array
//	arrays                                    as slices
//	map                                       Dictionary, sorted by key
//	[]Pair                                    Dictionary in that order
//	struct                                    Dictionary with String keys, in the order of the fields
//	pointer, interface                        its element; see [codec.InterfaceOf] for interfaces with methods
//
// Named types count as their underlying types. A nil slice or map is an empty
// one. A type with a method of [codec.Marshaler] makes its own Value; one with a
// method of [encoding.TextMarshaler] becomes a String. Such methods are called
// also if they have a pointer receiver and the value is not addressable.
// Channels, functions, complex numbers and uintptr are an error.
//
// Slices of numbers are copied; texts share memory with the Value, as they
// cannot change.
//
// The fields of embedded structs count as those of the struct around them,
// where a field hides others of its name that are embedded deeper. Fields that
// are not exported are left out. A tag `octable:"name,option,…"` says more; the
// name may be left out, and `octable:"-"` leaves out the field. The options:
//
//	omitempty   not written when false, 0, nil, or of length 0
//	omitzero    not written when zero, or when its method IsZero says so
//	required    an error when the key is missing on reading
//	rest        this map or []Pair takes the keys that no field has, and its
//	            pairs are written after the fields
//	exact       numbers may not lose precision, as with [codec.Options.Exact]
//	round       they may, also with it
//	type=T      written as T, which is a type of Godot 4
//	string      a bool or number is written as String
//	unix        a time.Time is written as seconds since 1970: an int, or with type=float a float
//	array       a struct is written as an Array of its fields, in their order
//	inline      the fields of this struct count as those of the struct around it
//	ignoreunknown   keys that the struct of this field does not have are left out on reading
//
// The options array and ignoreunknown of a field _ are about all values of its struct:
//
//	type Point struct {
//		_    struct{} `octable:",array"`
//		X, Y float64
//	}
//
// A field without a name in its tag has the name that [codec.Options.Names] gives it. A time.Time without
// the option unix is text, as its MarshalText makes it.
//
// An engine does not assign an untyped Array to a variable that is declared as Array[int], nor an untyped
// Dictionary to one with types. A []int makes an untyped Array; the tag type=Array[int] makes a typed one,
// and [WithElemType] makes one of a Value. An Array that a script passes on, or assigns with Array.assign, needs no type.
//
// With type, a number may be an int or float; a string a String or StringName;
// an unsigned integer an RID, or an Object by its id; a slice an Array or any
// packed array, or an Array[T] with its elements as T; a map or struct a
// Dictionary[K, V]. An array or struct of as many numbers as a math type has
// may be that type, in the order of the fields of the Go type of that name
// here, and a slice of such elements a packed array of them:
//
//	Pos   [3]float64   `octable:"pos,type=Vector3,round"`
//	Tags  []string     `octable:"tags,type=Array[StringName]"`
//	Path  [][2]float32 `octable:"path,type=PackedVector2Array"`
//
// A value that does not fit is an error, a [*codec.TypeError], as are two keys that are
// equal for the engine, and a value that is nested without end.
func ValueOf(x any) (Value, error) { return raw.ValueOf(x) }
