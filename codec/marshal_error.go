// Errors of the conversion between Values and Go values.

package codec

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/interp"
)

// The causes of a [TypeError], for [errors.Is].
var (
	ErrGoType       = errors.New("codec: the Go type cannot be used")              // no form in the format, or a mistake in a tag
	ErrMismatch     = errors.New("codec: another type than the Go type can take")  // such as a String for an int
	ErrInexact      = errors.New("codec: a number that does not fit")              // 300 into uint8, 1.5 into int
	ErrUnknownKey   = errors.New("codec: a key that no field takes")               // see [Options.IgnoreUnknown]
	ErrMissingKey   = errors.New("codec: a required key is missing")               // a field with the option required
	ErrDuplicateKey = errors.New("codec: a key occurs twice")                      // or would, if written
	ErrNesting      = errors.New("codec: nested too deeply, or containing itself") // see [Options.MaxDepth]
)

// TypeError says that a value does not fit a Go type. It has the place, the problem and a way
// to correct it.
type TypeError struct {
	Writing bool         // Go value to Value; else Value to Go value
	Path    string       // where in the value, as in ".entities[3].pos"; "" is the value itself
	GoType  reflect.Type // at that place; nil without one
	Problem string       // what was found there, what is wrong with it, and what to do
	Err     error        // one of the Err values of this package, or the error of a method of the type
}

// Error returns all of it in one line.
func (e *TypeError) Error() string {
	path, goType := interp.ClipPath(e.Path), "nil"
	if path == "" {
		path = "the value"
	}
	if e.GoType != nil {
		goType = e.GoType.String()
	}
	if e.Writing {
		return fmt.Sprintf("codec: cannot write %s from Go %s: %s", path, goType, e.Problem)
	}
	return fmt.Sprintf("codec: cannot read %s into Go %s: %s", path, goType, e.Problem)
}

// Unwrap returns e.Err.
func (e *TypeError) Unwrap() error { return e.Err }

// within puts the place of a container's element before the path of an error
// that came from it. So the path costs nothing until there is an error.
func within(step string, err error) error {
	if e, ok := err.(*TypeError); ok {
		e.Path = step + e.Path
	}
	return err
}

func indexStep(i int) string { return "[" + strconv.Itoa(i) + "]" }

// keyStep is the place of the value under a key in the notation of a [Path]: .name, ["any text"], [5].
func keyStep(key Value) string {
	if s, ok := key.AsString(); ok && key.Type() != variant.StringNameType {
		if isName(s) {
			return "." + s
		}
		return "[" + shortQuote(s) + "]"
	}
	return "[" + interp.Clip(key.String(), interp.MaxClip) + "]"
}

func nameStep(name string) string { return keyStep(wrap(variant.MakeString(name))) }

func isName(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= interp.MaxClip
}

func shortQuote(s string) string { return strconv.Quote(interp.Clip(s, interp.MaxClip)) }

// describe says in a few words what a value is.
func describe(v Value) string {
	t := v.Type()
	switch v.raw.Kind() {
	case interp.None, interp.Unit:
		if v.IsNil() {
			return "Nil"
		}
	case interp.Bool:
		return fmt.Sprintf("%v %t", t, v.raw.Bool())
	case interp.Int:
		return fmt.Sprintf("%v %d", t, v.raw.Int())
	case interp.Uint:
		return fmt.Sprintf("%v %d", t, v.raw.Uint())
	case interp.Float:
		return fmt.Sprintf("%v %v", t, v.raw.Float())
	case interp.Text:
		return fmt.Sprintf("%v %s", t, shortQuote(v.raw.Text()))
	case interp.Lanes:
		if f := v.Floats(); f != nil {
			return t.String() + list(f)
		}
		return t.String() + list(v.Ints())
	case interp.Packed, interp.List:
		return fmt.Sprintf("%v of %d elements", t, v.Len())
	}
	if t == variant.ArrayType {
		return fmt.Sprintf("Array of %d elements", v.Len())
	}
	if t == variant.DictionaryType {
		return fmt.Sprintf("Dictionary of %d pairs", v.Len())
	}
	return t.String()
}

func list[T any](numbers []T) string {
	s := "("
	for i, n := range numbers {
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprint(n)
	}
	return s + ")"
}

// exactInt converts a float to the integer that is equal to it.
func exactInt(f float64) (int64, bool) {
	if f != math.Trunc(f) || f < -1<<63 || f >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

// exactFloat converts an integer to the float that is equal to it.
func exactFloat(i int64) (float64, bool) {
	f := float64(i)
	back, ok := exactInt(f)
	return f, ok && back == i
}

// exactSingle reports whether single precision holds f. A NaN is held, since
// the format has no meaning for its bits; the writer of Godot sends every NaN
// in double precision.
func exactSingle(f float64) bool { return f != f || float64(float32(f)) == f }
