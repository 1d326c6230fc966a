// Package godot reads and writes Godot's Variants. It adds to package codec their Go types, the
// text notation of the engines, JSON that keeps types, and the streams of store_var and
// put_var. It serves Godot 1.0 to 4.6 and Pandemonium.
//
//	c := codec.MustLoad("godot-4")
//	b, err := c.Marshal(godot.Vector3{X: 1, Y: 2.5, Z: -3})
//
// A program that imports it gets these Go types from [codec.Value.To] for an empty interface; other
// programs get a [Value].
//
// # Streams
//
// [NewDecoder] reads what FileAccess.store_var and StreamPeer.put_var write, and [NewEncoder] writes it. A Decoder
// continues after a read deadline that has passed, also inside of a value. [Decoder.ReadFrame] and [Encoder.WriteFrame] pass values on
// without decoding them. Package debugger shows both with the engine's remote debugger.
//
// # Concurrency
//
// A [Value] does not change, and any number of goroutines may use one. An [Encoder] or a [Decoder] is for one
// goroutine at a time. All other types are plain data, such as [Vector3] or [NodePath].
//
// # Text
//
// Godot 4 writes its notation with var_to_str and reads it with str_to_var, Godot 3 calls
// them var2str and str2var. [AppendText] writes it, [ParseText] reads it, and
// ParseText(AppendText(v)) is v, for every value, in the sense of [codec.Equal].
//
//	null  true  false              also nil
//	1  -5                          int, 64 bits
//	1.0  1.  1e5  -2.5E-3          float: there is a point or an exponent
//	inf  inf_neg  -inf  nan        float; -inf.0, -nan and the like are Godot 3.2's
//	"text"                         String; \n \t \r \b \f \uXXXX \UXXXXXX, and \ before
//	                               any other character is that character
//	&"name"  @"name"               StringName
//	[1, "a", null]                 Array
//	{"a": 1, 2: [3]}               Dictionary, with keys of any type
//	Vector2(1, 2)                  math types, with the numbers in the order of the wire
//	PackedInt32Array(1, 2, 3)      packed arrays; elements made of several numbers in a row
//	PackedByteArray("AQID")        base64, another form of PackedByteArray(1, 2, 3)
//	PackedStringArray("a", "b")
//	#f80  #ff8800  #ff880080       Color, red green blue and alpha
//	NodePath("/root/a:b")  ^"a"    ^ is GDScript's form
//	RID()  RID(5)  Callable()  Signal()
//	Object(Class, "name": value)   an object in full
//	Array[int]([1, 2])             typed Array; also [Node] and [Resource("res://x.gd")]
//	Dictionary[int, Variant]({})   typed Dictionary
//	; to the end of the line       comment
//
// Blanks and comments may be between all of these. The last element of
// [ ], { } and PackedStringArray may be followed by a comma. Types may have their
// names of any version: PoolIntArray, IntArray, Quat, Transform, Matrix3, Rect3.
//
// Numbers are read correctly rounded; those of math types and packed arrays are
// first read as double precision and then made what the type holds, as in the
// engines: a fraction is cut off, and an int loses its upper bits.
//
// # Text that only engines accept
//
// Engines pass over some mistakes, so that part of a text is lost. These are
// errors here: anything after the value; hexadecimal numbers, of which engines
// read the 0; an exponent without digits, which makes Godot 4 read some other
// number; numbers left over at the end of a packed array of vectors; ints
// beyond 64 bits, and floats that do not fit an integer; a color with a wrong
// number of digits; a path with an empty name after a colon (all engines print
// an error and go on with an empty path); half of a surrogate pair (Godot 3).
// Elements of typed containers are not converted, and equal keys are not merged.
// PackedInt64Array and PackedFloat64Array, which Godot 3.6 takes for arrays of 32
// bits, are what they are called.
//
// # Additions to the text
//
// Some values cannot be said in the notation. Those of which engines can hold
// the better part are followed by a note, a comment that begins with ;@ and ends
// with the line, so that engines read the rest:
//
//	nan;@bits=7ff8000000000001     a NaN whose bits are not 7ff8000000000000, or
//	                               7fc00000 in a math type or packed array of single
//	                               precision, which have 8 digits
//	5;@wide                        a value in the wide form where the narrow would do;
//	                               math types and arrays of vectors are of doubles then
//
// A note belongs to the value before it; only blanks may be between them.
// In other places ;@ is an error. The rest are forms that engines refuse,
// or, at the outermost level, read as an empty value:
//
//	"\u0000"                       NUL; Godot 4 reads U+FFFD
//	"\U1100ff"                     the byte FF in a text, if it is no UTF-8;
//	                               Godot 4 reads U+FFFD
//	NodePath(true, ["a/b"], [])    whether absolute, names, subnames: a path that its
//	                               text does not tell, here one name with a slash
//	Signal("hit", 5)               a signal with its name and the id of its object
//	Object(5)  Object()            an object by id, a null object
//	Object("a b", "p": 1)          a class whose name is no identifier
//	Array["int"]([])               a class, where the name without quotes is a type
//	Raw(type, kind, content)       anything else, see below
//
// Raw is for values whose content this package does not know: the Image and
// InputEvent of Godot 2, typed arrays of Pandemonium that have a class, types of any
// other schema. type is a name or a number, 0 for a part of a
// record that has none; content depends on the kind:
//
//	Raw(InputEvent, record, [Raw(0, uint, 1), "text", Raw(0, none)])
//	Raw(300, unit)      Raw(300, none)      nothing
//	Raw(300, bool, true)
//	Raw(300, int, -5)   Raw(300, uint, 5)   a whole number of 64 bits
//	Raw(300, float, 1.5)
//	Raw(300, text, "a")
//	Raw(300, lanes, f32, 1, 2)              scalar (u8 i8 u16 … f64 code4), numbers
//	Raw(300, packed, i32, 2, 1, 2, 3, 4)    scalar, numbers of an element, numbers
//	Raw(300, list, [1, 2])
//	Raw(300, map, {1: 2})
//	Raw(300, record, [1, 2])
//
// # Digits of the text
//
// A float is written with the fewest digits that mean it. That is not enough for
// the engines: none of them reads decimal numbers correctly rounded, and of the
// shortest forms of random doubles they get 22 in 100 wrong by a bit, their own
// texts included. So this package knows how they read, and writes up to 18
// digits where that makes them get the number right too.
// The others, one in 100 doubles of everyday size, one in ten of all, and nearly
// every one below 10^-291, have no digits that engines read right; they
// are off by a bit or so, or 0. In math types and packed arrays of single precision
// engines read every number right. -0.0 is written so; engines read it but write 0.
//
// Godot 4 itself changes some values when it writes a text: it writes
// dictionaries sorted by key, -0.0 as 0, and a float that happens to be exactly
// single precision in the digits of single precision, 0.1 for 0.10000000149011612.
//
// Godot 3 has no text for an RID: it writes nothing for one, and does not read RID().
//
// Godot 3.2 reads neither inf_neg anywhere nor inf and nan in math types, and so
// not its own texts either; Godot 3.6 and 4 do.
//
// # JSON
//
// [AppendJSON] writes it, [ParseJSON] reads it, and ParseJSON(AppendJSON(v)) is v,
// for every value, in the sense of [codec.Equal]. This description is all that a reader in
// another language needs.
//
// # Plain JSON
//
//	null           Nil
//	true  false    bool
//	"text"         String
//	5  1.5         int or float, by value: a number that is whole is an int, whether it
//	               is written 5, 5.0 or 5e0, and any other is a float
//	[1, "a"]       Array without a type
//	{"a": 1}       Dictionary without types whose keys are Strings, in this order
//
// These pass through JavaScript, jq and any tool that reads numbers as double
// precision without loss, for a writer uses them only where they do:
//
//   - a whole number beyond ±9007199254740991 (2^53-1) is not plain, and a reader
//     refuses it;
//   - a float that is whole, infinite, NaN or -0.0 is not plain;
//   - a Dictionary is not plain where a key is repeated, where a key begins with $,
//     or where a key is made of the digits 0 to 9 alone, since JavaScript moves
//     those to the front. A reader refuses the first two and takes the third.
//
// # Typed objects of JSON
//
// Everything else is an object with the key "$type", whose value is the type's
// name in Godot 4. The order of its keys does not matter; other keys than those
// given here, and repeated ones, are refused.
//
//	{"$type": "int", "value": "9223372036854775807"}
//	{"$type": "float", "value": 2}
//	{"$type": "String", "value": {"$bytes": "/w=="}}
//	{"$type": "StringName", "value": "text"}
//	{"$type": "Vector2", "value": [1, 2.5]}
//	{"$type": "PackedInt32Array", "value": [1, 2]}
//	{"$type": "PackedByteArray", "value": "AQID"}
//	{"$type": "PackedVector2Array", "value": [[1, 2], [3, 4]]}
//	{"$type": "PackedStringArray", "value": ["a", "b"]}
//	{"$type": "NodePath", "value": "/root/a:b"}
//	{"$type": "NodePath", "absolute": true, "names": ["a/b"], "subnames": []}
//	{"$type": "RID", "value": 5}
//	{"$type": "Callable"}
//	{"$type": "Signal", "name": "hit", "object": 5}
//	{"$type": "Object", "id": 5}
//	{"$type": "Object", "class": "Node", "properties": [["name", value], …]}
//	{"$type": "Object"}                                       a null object
//	{"$type": "Array", "of": type, "value": [value, …]}
//	{"$type": "Dictionary", "value": [[key, value], …]}
//	{"$type": "Dictionary", "of": [type, type], "value": [[key, value], …]}
//
// An integer, here and below, is a JSON number up to ±9007199254740991, or a
// string with its decimal digits; a writer uses the string only beyond. RIDs and
// ids count from 0 to 2^64-1.
//
// A real, which is a float or a number of a math type or packed array, is a JSON
// number, or one of the strings "inf", "-inf", "-0" and "nan", which is the NaN
// 7ff8000000000000, or 7fc00000 in single precision. Any other NaN is "nan:" and
// its bits in 16 hexadecimal digits, 8 in single precision. A JSON number is read
// as the nearest double, and that as the nearest number of single precision
// where the type holds such; one that is beyond either is refused.
//
// A text is a JSON string. Any text that is not UTF-8 is {"$bytes": base64}, with
// padding.
//
// Math types have their numbers in the order of the wire. Packed arrays whose
// elements are several numbers have a list for each element. A PackedByteArray is
// base64 with padding; a reader also takes a list of its numbers.
//
// A NodePath is its text if the text has all of it. Slashes separate names, and empty
// names are left out. After the first colon, colons separate subnames. A slash at the
// beginning makes the path absolute.
//
// The type of elements of a typed container is the name of a type as in "$type",
// or {"class": text}, or {"script": text}, or for one side of a Dictionary null.
//
// "wide": true in any typed object says that the value is to be written in the
// wide form where the narrow would do; the numbers of math types and of packed
// arrays of vectors are double precision then. An int or a float that would be
// plain is written as a typed object for that.
//
// # The explicit style of JSON
//
// [AppendJSONStyle] can write every value as a typed object, plain or not, and every
// number as a string, so that a reader needs no rules but those of typed objects
// and no numbers of JSON. Its forms are a subset of those described above:
//
//	{"$type": "Nil"}
//	{"$type": "bool", "value": true}
//	{"$type": "int", "value": "5"}
//	{"$type": "float", "value": "1.5"}
//	{"$type": "String", "value": "text"}
//	{"$type": "NodePath", "absolute": true, "names": ["a"], "subnames": []}
//	{"$type": "Vector2", "value": ["1", "2.5"]}
//	{"$type": "Array", "value": [value, …]}
//	{"$type": "Dictionary", "value": [[key, value], …]}
//
// and so on, except that "wide" is true and "width" is a number. NodePaths are
// always given by their parts.
//
// A real can be a string with a number as JSON writes them, of which "-0" is
// negative. It can also be "bits:" and its bits in 16 hexadecimal digits, 8 in single
// precision: "bits:3ff8000000000000", "bits:3fc00000". Either style writes all reals
// so where it is told to, for readers that cannot read decimals to the last bit.
//
// # JSON of unknown layouts
//
// "kind" says that a value is given by its parts: the Image and InputEvent of
// Godot 2, the TypedArray and PackedTypedArray of Pandemonium, types of another
// schema, of which "$type" is the number. Such an object can represent a value and
// the type of elements.
//
//	{"$type": "InputEvent", "kind": "record", "value": [value, …]}
//	{"$type": 300, "kind": "none"}        also "unit", without a value
//	{"$type": 300, "kind": "bool", "value": true}
//	{"$type": 300, "kind": "int", "value": -5}       also "uint"; an integer
//	{"$type": 300, "kind": "float", "value": 1.5}    a real
//	{"$type": 300, "kind": "text", "value": "a"}     a text
//	{"$type": 300, "kind": "lanes", "scalar": "f32", "value": [1, 2]}
//	{"$type": 300, "kind": "packed", "scalar": "i32", "width": 2, "value": [[1, 2], [3, 4]]}
//	{"$type": 300, "kind": "list", "value": [value, …]}
//	{"$type": 300, "kind": "map", "value": [[key, value], …]}
//
// The scalars are u8, i8, u16, i16, u24, i24, u32, i32, u40, i40, u48, i48, u56, i56, u64, i64,
// f16, f32, f64 and code4. The
// parts of a record that are not values of a type have the "$type" "invalid".
package godot
