// Types: the names that a row's third cell can have without a declaration.

package builtin

import "fmt"

// Type is a type of the language.
type Type struct {
	Name   string
	Scalar Scalar // of a number, or of the number that a truth is stored as
	Truth  bool   // its values are true and false
	Text   bool   // its values are text of the length in brackets
	Doc    string
}

// Types returns the types of the language: scalars, truths and the encoding utf8.
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
	for _, s := range []Scalar{U8, U16, U32} {
		all = append(all, Type{Name: fmt.Sprint("bool", 8*s.Width()), Scalar: s, Truth: true,
			Doc: fmt.Sprintf("truth, in %s: 0 or 1, or with `any` any other number for true", bytes(s.Width()))})
	}
	return append(all, Type{Name: "utf8", Text: true, Doc: "text in UTF-8, of the number of bytes in brackets"})
}

func bytes(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// Rest is the word in the brackets of a type that represents all bytes that are left.
var Rest = struct{ Name, Doc string }{"rest", "all the bytes that are left"}

// TypeNamed returns the type of the language with a name, or nil.
func TypeNamed(name string) *Type {
	for i := range types {
		if types[i].Name == name {
			return &types[i]
		}
	}
	return nil
}
