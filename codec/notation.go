// Godot's text notation of values: what it is and what this package adds.
//
// Godot 4 writes it with var_to_str and reads it with str_to_var, Godot 3 calls
// them var2str and str2var. [AppendText] writes it, [ParseText] reads it, and
// ParseText(AppendText(v)) is v, for every value, in the sense of [Equal].
//
// # The notation
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
// Blanks and comments may stand between all of these. The last element of
// [ ], { } and PackedStringArray may be followed by a comma. Types may have their
// names of any version: PoolIntArray, IntArray, Quat, Transform, Matrix3, Rect3.
//
// Numbers are read correctly rounded; those of math types and packed arrays are
// first read as double precision and then made what the type holds, as in the
// engines: a fraction is cut off, and an int loses its upper bits.
//
// # What is refused though engines take it
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
// # What is added
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
// A note belongs to what is right before it, with nothing but blanks between.
// Where none can belong, ;@ is an error. The rest are forms that engines refuse,
// or, at the outermost level, read as an empty value:
//
//	"\u0000"                       NUL; Godot 4 reads U+FFFD
//	"\U1100ff"                     the byte FF in a text, where it is no UTF-8;
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
// # Digits
//
// A float is written with the fewest digits that mean it. That is not enough for
// the engines: none of them reads decimal numbers correctly rounded, and of the
// shortest forms of random doubles they get 22 in 100 wrong by a bit, their own
// texts included. So this package knows how they read, and writes up to 18
// digits where that makes them get the number right too; see notation_number.go.
// What is left, one in 100 doubles of everyday size, one in ten of all, and nearly
// every one below 10^-291, has no digits that engines read right; they
// are off by a bit or so, or 0. In math types and packed arrays of single precision
// engines read every number right. -0.0 is written so; engines read it but write 0.
//
// Godot 4's reader also is where a text of its own may change a value: it writes
// dictionaries sorted by key, -0.0 as 0, and a float that happens to be exactly
// single precision in the digits of single precision, 0.1 for 0.10000000149011612.
//
// Godot 3 has no text for a RID: it writes nothing at all for one, and does not read RID().
//
// Godot 3.2 reads neither inf_neg anywhere nor inf and nan in math types, and so
// not its own texts either; Godot 3.6 and 4 do.

package codec

import (
	"strings"

	"github.com/octable/octable/interp"
)

// parseNodePath returns the path that a text is to the engines. It fails where a
// name after a colon is empty, other than at the end.
func parseNodePath(text string) (interp.Value, bool) {
	path, property, _ := strings.Cut(text, ":")
	var names, subnames []interp.Value
	for name := range strings.SplitSeq(path, "/") {
		if name != "" {
			names = append(names, interp.MakeText(0, name))
		}
	}
	if property != "" {
		property = strings.TrimSuffix(property, ":")
		for name := range strings.SplitSeq(property, ":") {
			if name == "" {
				return interp.Value{}, false
			}
			subnames = append(subnames, interp.MakeText(0, name))
		}
	}
	return makeNodePath(strings.HasPrefix(path, "/"), names, subnames), true
}

func makeNodePath(absolute bool, names, subnames []interp.Value) interp.Value {
	return interp.MakeRecord(uint16(NodePathType), []interp.Value{
		interp.MakeBool(0, absolute), interp.MakeList(0, names), interp.MakeList(0, subnames)})
}

// nodePathText returns a path as the engines write it; ok is false when they
// would read another path from that.
func nodePathText(v interp.Value) (text string, ok bool) {
	var b strings.Builder
	if v.At(0).Bool() {
		b.WriteByte('/')
	}
	for i, name := range v.At(1).Cells() {
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(name.Text())
	}
	for _, name := range v.At(2).Cells() {
		b.WriteByte(':')
		b.WriteString(name.Text())
	}
	back, ok := parseNodePath(b.String())
	return b.String(), ok && equalRaw(back, v.WithWide(false))
}
