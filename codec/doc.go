// Package codec reads and writes Godot's binary Variant format, the one of
// var_to_bytes, store_var and put_var, in every version from Godot 1.0 to 4.6 and
// of Pandemonium.
//
// A [Codec] is a schema of the format, got with [Load]; "godot-4" is the newest of
// Godot 4, and [Schemas] lists them all. It does not change and may be used by any
// number of goroutines. What it may do beyond the safe default is said by [Options]:
//
//	godot, err := codec.Load("godot-4")
//	strict, err := godot.With(codec.Options{Strict: true})
//
// # Go values
//
// [Codec.Marshal] and [Codec.Unmarshal] convert between bytes and Go values:
// structs and maps are Dictionaries, slices are Arrays or packed arrays, and the
// math types of the engine are Go types of this package ([Vector3], [Color],
// [Transform3D] …). [ValueOf] has the table of what becomes what, and the field
// tags. A [Mapper] does the same again and again without allocating.
//
// # Values
//
// [Codec.Decode] and [Codec.Append] work with [Value], which is any value of the
// format, exactly: the order of a Dictionary, the type of each number, the element
// type of an Array. What was sent is kept, also where an engine would drop it;
// what is written is what an engine writes.
//
// A Value prints as Godot's own notation ([ParseText] reads it, [Codec.Text] writes
// it as the engines of a schema read it) and as JSON ([AppendJSON], [ParseJSON]);
// both lose nothing.
//
// # Streams
//
// FileAccess.store_var and StreamPeer.put_var write each value after its length.
// [Codec.NewEncoder] and [Codec.NewDecoder] write and read such streams.
//
// # Errors
//
// An [*Error] holds the kind of the problem, the offset of the byte, the path in the
// value and the row of the schema. It unwraps to its kind, such as [ErrTruncated]. No
// input makes this package panic or take more memory than a small constant times the
// input. A [*TypeError] says why a Go value and a Value do not fit.
//
// # Other formats
//
// [New] takes any compiled program. Package compile makes programs of schema files
// at run time; this package does not import it, so that programs which do not need
// it do not carry a parser.
//
// Values of such a schema have its names: [Value.Field], [Value.Index], [Value.Fields] and
// [Value.All] reach into them. [Codec.Text], [Codec.ParseText], [Codec.AppendJSON] and
// [Codec.ParseJSON] use the notation of the examples in schemas and JSON with names. Go types
// are converted by name as well, with the same tags and options as Dictionaries:
//
//	Go                         schema
//	struct, map of string      record, by the names of fields
//	struct, map of string      union: the one field that is not zero has the name of the arm
//	string                     text, the letters of a code, an arm without content
//	[]byte                     array of bytes, text
//	slice, array               list, array of numbers, tuple
//	map, []Pair                map
//	pointer                    what may be absent
//	any                        what JSON has; integers are int64 or uint64, bytes []byte
//	Value                      any part
//
// A tag is `octable:"name,option,…"`; `godot:"…"` means the same.
package codec
