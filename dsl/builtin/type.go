// Types: the names that a row's third cell can have without a declaration.

package builtin

import (
	"fmt"
	"strings"
)

// Type is a type of the language.
type Type struct {
	Name   string
	Scalar Scalar // of a number, or of the number that a truth is stored as
	Order  Order  // of the bytes of the number
	Coding Coding // of the number; in digits without the width
	Truth  bool   // its values are true and false
	Text   bool   // its values are text of the length in brackets
	Doc    string
}

// Order is the order of the bytes of a number.
type Order uint8

// The orders of bytes.
const (
	AsSchema Order = iota // that of the schema
	Little                // the lowest byte first
	Big                   // the highest byte first
)

// orders has the endings of the names of types that fix their order.
var orders = [...]struct{ ending, doc string }{Little: {"le", "the lowest byte first"}, Big: {"be", "the highest byte first"}}

// String returns the ending of the names of types with the order.
func (o Order) String() string { return orders[o].ending }

// OrderedTypes returns the types of numbers with an order of bytes in their names.
func OrderedTypes() []Type { return ordered }

var ordered = func() []Type {
	var all []Type
	for _, t := range types {
		if t.Truth || t.Text || t.Coding != Fixed || t.Scalar.Width() == 1 || t.Scalar == Code4 {
			continue
		}
		for _, o := range []Order{Little, Big} {
			all = append(all, Type{Name: t.Name + o.String(), Scalar: t.Scalar, Order: o, Doc: t.Doc + ", " + orders[o].doc})
		}
	}
	return all
}()

// Types returns the types of the language: scalars, codings, truths and encodings of text.
func Types() []Type { return types }

var types = makeTypes()

func makeTypes() []Type {
	var all []Type
	for s := U8; s < numScalars; s++ {
		sort := "unsigned integer"
		switch {
		case s == Code4:
			sort = "code of letters"
		case s.IsFloat():
			sort = "floating-point number (IEEE 754)"
		case s.Signed():
			sort = "signed integer (two's complement)"
		}
		all = append(all, Type{Name: s.String(), Scalar: s, Doc: fmt.Sprintf("%s of %s", sort, bytes(s.Width()))})
	}
	for _, c := range append(Codings(), EndedCodings()...) {
		all = append(all, Type{Name: c.String(), Scalar: c.Scalar(), Coding: c, Doc: codings[c].doc})
	}
	for _, s := range []Scalar{U8, U16, U32} {
		all = append(all, Type{Name: fmt.Sprint("bool", 8*s.Width()), Scalar: s, Truth: true,
			Doc: fmt.Sprintf("truth, in %s: 0 or 1, or with `any` any other number for true", bytes(s.Width()))})
	}
	for _, name := range append([]string{UTF8Strict.String()}, CharsetNames()...) {
		c, _ := CharsetNamed(name, false)
		doc := c.Title()
		switch {
		case c.Verbatim():
			doc = c.Standard()
		case name == "utf16":
			doc = "UTF-16, the bytes of each unit in the order of the schema"
		}
		all = append(all, Type{Name: name, Text: true, Doc: "text in " + doc + ", of the number of bytes in brackets"})
	}
	return all
}

func bytes(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// TypeNamed returns the type of the language with a name, or nil.
func TypeNamed(name string) *Type {
	for _, list := range [][]Type{types, ordered} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// Synonym returns the type of the language for its name in other languages and documents, or nil. It is u32 for DWORD
// and uint32_t. Names whose width differs between languages, such as long, have none.
func Synonym(name string) *Type {
	switch strings.TrimSuffix(strings.ToLower(name), "_t") {
	case "byte", "uchar", "uint8", "u1", "octet", "opaque":
		name = "u8"
	case "word", "ushort", "uint16", "u2":
		name = "u16"
	case "uint24":
		name = "u24"
	case "dword", "uint", "uint32", "u4", "fixed32":
		name = "u32"
	case "qword", "ulonglong", "uint64", "fixed64":
		name = "u64"
	case "sbyte", "int8", "s8", "s1", "i1":
		name = "i8"
	case "short", "int16", "s16", "s2", "i2":
		name = "i16"
	case "int24", "s24":
		name = "i24"
	case "int", "int32", "s32", "s4", "i4", "sfixed32":
		name = "i32"
	case "longlong", "int64", "s64", "sfixed64":
		name = "i64"
	case "half", "float16":
		name = "f16"
	case "float", "single", "float32", "f4", "r4":
		name = "f32"
	case "double", "float64", "f8", "r8":
		name = "f64"
	case "bool", "boolean":
		name = "bool8"
	case "fourcc":
		name = "code4"
	case "varint", "varuint", "uleb128":
		name = "leb128"
	case "varint62":
		name = "quic"
	case "compact", "compact_size", "varlenint":
		name = "compactsize"
	case "vint":
		name = "ebml"
	case "ansi", "cp1252", "win1252", "windows_1252":
		name = "windows1252"
	case "oem", "ibm437", "cp_437":
		name = "cp437"
	case "latin_1", "iso8859_1", "iso_8859_1", "iso88591":
		name = "latin1"
	case "utf_8":
		name = "utf8"
	case "utf_16", "unicode", "wchar", "widestring":
		name = "utf16"
	case "string", "str", "text", "char", "cstring", "cstr", "asciiz", "strz":
		name = "utf8"
	default:
		return nil
	}
	return TypeNamed(name)
}
