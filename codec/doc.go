// Package codec reads and writes values of binary formats. The schemas are those of the project, compiled ones ([Open]),
// and those that are compiled at run time (package compiler).
//
// A [Codec] is a schema of a format, got with [Load]; "godot-4" is the newest Variant format of
// Godot 4, and [Schemas] lists them all. It does not change and may be used by any number of
// goroutines. Its [Options] allow more than the safe default:
//
//	c, err := codec.Load("godot-4")
//	strict, err := c.With(codec.Options{Strict: true})
//
// # Go values
//
// [Codec.Marshal] and [Codec.Unmarshal] convert between bytes and Go values by the names of fields.
// A [Mapper] does the same again and again without allocating.
//
//	Go                         schema
//	struct, map of string      record, by the names of fields
//	struct, map of string      union: the one field that is not zero has the name of the arm
//	string                     text, the letters of a code, an arm without content
//	[]byte                     array of bytes, text
//	struct                     tuple whose numbers have names
//	slice, array               list, array of numbers, tuple
//	map, []Pair                map
//	slice of struct            map, if the fields are Key and Value
//	pointer                    what may be absent; so may other types with the option omitempty
//	any                        what JSON has; integers are int64 or uint64, bytes []byte
//	Value                      any part
//
// A [RawMessage] is a part that stays bytes. [Options].Interfaces says which types an interface with methods may hold; see [InterfaceOf].
//
// A tag is `octable:"name,option,…"`. Of Variants, structs and maps are
// Dictionaries, slices are Arrays or packed arrays, and the math types are Go types of package
// godot; its ValueOf has the table of types and the options of tags.
//
// # Values
//
// [Codec.Decode] and [Codec.Append] work with [Value], which is any value of a format, exactly: the
// order of a map, the type of each number, the element type of an Array. A reader keeps everything
// that was sent, also if an engine would drop it; a writer writes what an engine writes. [Value.Field],
// [Value.Index], [Value.Fields] and [Value.All] reach into values by the names of the schema.
//
// [Codec.Get] reads the value at a [Path] out of a packet without the rest. [Value.At] finds the same part of a Value,
// and [Value.Set], [Value.With] and [Value.Without] return changed Values. [Value.Equal] compares them; they cannot be
// compared with ==.
//
// [Codec.Records] iterates the list at the end of a file that may be larger than memory.
//
// [Options] with a [Transform] for a row give its bytes decompressed, for example.
//
// A Value prints as text ([Codec.Text], [Codec.ParseText]) and as JSON ([Codec.AppendJSON],
// [Codec.ParseJSON]); both lose nothing. They are the notation of the examples in schemas and JSON
// with names, or for Variants those of package godot.
//
// # Concurrency
//
// A [Codec], a [Value] and the errors do not change, and any number of goroutines may use one. A [Mapper], and an
// Encoder or a Decoder of package godot, is for one goroutine at a time; each connection has its own. All other types are
// plain data: [Options], [Transform], [Interface], [Pair], [Path], [Type]. Options, and the functions of a Transform, are used by all
// goroutines that use the Codec. Methods of a [Marshaler] or [Unmarshaler] run in the goroutine of the call.
//
// # Errors
//
// An [*Error] holds the kind of the problem, the offset of the byte, the path in the
// value and the row of the schema. It unwraps to its kind, such as [ErrTruncated]. No
// input makes this package panic or take more memory than a small constant times the
// input. A [*TypeError] says why a Go value and a Value do not fit.
package codec
