// Errors: their kind, their places in the bytes and in the value, and the row of the
// schema.

package interp

import (
	"errors"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
)

// The kinds of error. An [*Error] unwraps to one of them.
var (
	ErrTruncated    = errors.New("the input ends too early")
	ErrType         = errors.New("unknown type")
	ErrText         = errors.New("text is not well formed")
	ErrValue        = errors.New("value is not allowed")
	ErrClosed       = errors.New("not allowed by the caller")
	ErrDepth        = errors.New("nested too deeply")
	ErrLimit        = errors.New("limit exceeded")
	ErrNotCanonical = errors.New("not what a writer produces")
	ErrTrailing     = errors.New("bytes are left over")
	ErrChecksum     = errors.New("the checksum is wrong")
	ErrMismatch     = errors.New("value does not fit the schema")
	ErrRange        = errors.New("number is out of range")
)

// ErrorKinds lists the kinds of error.
var ErrorKinds = []struct {
	Err     error
	Word    string
	Decodes bool // bytes can be refused with it when they are decoded by default options
}{
	{ErrTruncated, "truncated", true},
	{ErrType, "type", true},
	{ErrText, "text", true},
	{ErrValue, "value", true},
	{ErrClosed, "closed", true},
	{ErrDepth, "depth", true},
	{ErrLimit, "limit", true},
	{ErrNotCanonical, "canonical", false},
	{ErrTrailing, "trailing", true},
	{ErrChecksum, "checksum", true},
	{ErrMismatch, "mismatch", false},
	{ErrRange, "range", false},
}

// Error says why bytes cannot be decoded or a value cannot be encoded.
type Error struct {
	Kind     error         // one of the Err variables
	Offset   int           // the byte that it is about, from 0; when encoding, how many were written
	Path     string        // where in the value, such as .entities[3]["pos"]; "" is the value itself
	Rule     bytecode.Rule // the row of the schema
	Expected string        // a description of the value or bytes that the schema requires
	Found    string        // a description of the value or bytes at Offset
}

// Word returns the kind as one word: truncated, type, text, value, closed,
// depth, limit, canonical, trailing, checksum, mismatch or range.
func (e *Error) Word() string {
	for _, k := range ErrorKinds {
		if k.Err == e.Kind {
			return k.Word
		}
	}
	return ""
}

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

func (e *Error) Error() string {
	row := e.Rule.Name
	if row != "" {
		row += ", " + e.Rule.File + ":" + strconv.FormatUint(uint64(e.Rule.Line), 10)
	}
	return e.message(row)
}

// message returns the text of the error about a row of the schema.
func (e *Error) message(row string) string {
	var b strings.Builder
	b.WriteString("byte " + strconv.Itoa(e.Offset))
	if e.Path != "" {
		b.WriteString(", at " + e.Path)
	}
	b.WriteString(": " + e.Kind.Error())
	if e.Expected != "" {
		b.WriteString(": expected " + e.Expected)
		if e.Found != "" {
			b.WriteString(", found " + e.Found)
		}
	} else if e.Found != "" {
		b.WriteString(": " + e.Found)
	}
	if row != "" {
		b.WriteString(" (" + row + ")")
	}
	return b.String()
}

// step is one step of a path into a value.
type step struct {
	name  string // a field; "" for an element or pair
	index int
	key   Value // of a pair; None while the key itself is meant
	pair  bool
}

// maxPath bounds how many steps of a path are printed.
const maxPath = 64

// pathText prints a path.
func pathText(steps []step) string {
	var b []byte
	for i := 0; i < len(steps); i++ {
		if more := len(steps) - maxPath; more > 0 && i == maxPath/2 {
			b = append(strconv.AppendInt(append(b, "…"...), int64(more), 10), " more…"...)
			i += more
		}
		switch s := &steps[i]; {
		case s.name != "":
			b = append(append(b, '.'), s.name...)
		case s.pair && s.key.kind == None:
			b = append(strconv.AppendInt(append(b, ".key("...), int64(s.index), 10), ')')
		case s.pair:
			b = append(append(append(b, '['), keyText(s.key)...), ']')
		default:
			b = append(strconv.AppendInt(append(b, '['), int64(s.index), 10), ']')
		}
	}
	return string(b)
}

// keyText prints a key as far as a path needs it.
func keyText(v Value) string {
	switch v.kind {
	case Text:
		return strconv.Quote(Clip(v.Text(), MaxClip))
	case Int:
		return strconv.FormatInt(v.Int(), 10)
	case Uint:
		return strconv.FormatUint(v.u, 10)
	case Bool:
		return strconv.FormatBool(v.Bool())
	case Float:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	return v.kind.String()
}

// MaxClip is the most characters of a text in most messages.
const MaxClip = 40

// Clip returns a text for a message: one of more characters than most ends after them, with "…".
func Clip(s string, most int) string {
	for i := range s {
		if most--; most < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// ClipPath returns a path for a message. The middle of one of more than 80 bytes becomes "…".
func ClipPath(path string) string {
	const most = 80
	if len(path) <= most {
		return path
	}
	cut := (most - len("…")) / 2
	return strings.ToValidUTF8(path[:cut], "") + "…" + strings.ToValidUTF8(path[len(path)-cut:], "")
}

// ClipList lists names for a message, of more than 12 the first ones.
func ClipList(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " …"
	}
	return strings.Join(names, ", ")
}

// countOf is a number with its noun.
func countOf[N int | int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatInt(int64(n), 10) + " " + noun + "s"
}

// numberText prints a number, also in hexadecimal if it has more than one digit.
func numberText(n uint64) string {
	if n < 10 {
		return strconv.FormatUint(n, 10)
	}
	return strconv.FormatUint(n, 10) + " (0x" + strconv.FormatUint(n, 16) + ")"
}

// refusedText describes a condition that does not hold for a number. The number is printed as letters if it is compared
// with a code or a part of a text.
func refusedText(condition string, n int64) string {
	if letters := lettersOf(n); letters != "" {
		for _, quote := range []string{"'", `"`} {
			if strings.Contains(condition, "== "+quote) {
				return condition + ", found " + quote + letters + quote
			}
		}
	}
	if n < 0 {
		return condition + ", found " + strconv.FormatInt(n, 10)
	}
	return condition + ", found " + numberText(uint64(n))
}

// unequalText describes a number that is not the one that a writer computes.
func unequalText(name string, got, want int64) string {
	return name + " is " + strconv.FormatInt(got, 10) + ", but a writer computes " + strconv.FormatInt(want, 10)
}

// lettersOf returns the four letters of a number whose lowest byte is the first one; "" if it has others.
func lettersOf(n int64) string {
	if n < 0 || n>>32 != 0 {
		return ""
	}
	b := []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}
	for _, c := range b {
		if c < ' ' || c > '~' {
			return ""
		}
	}
	return string(b)
}

// hex prints a byte.
func hex(b byte) string {
	const digits = "0123456789abcdef"
	return "0x" + string([]byte{digits[b>>4], digits[b&15]})
}

// byteAt prints byte i of b, which may be its end.
func byteAt(b []byte, i int) string {
	if i >= len(b) {
		return "the end"
	}
	return hex(b[i])
}

// ArrayOf names an array of numbers, or of tuples if their width is more than 1, in a message.
func ArrayOf(width int, s bytecode.Scalar) string {
	if width == 1 {
		return "an array of " + s.String()
	}
	return "an array of tuples of " + strconv.Itoa(width) + " × " + s.String()
}

// describe names a value as errors need it.
func describe(v Value) string {
	switch v.kind {
	case None:
		return "nothing"
	case Lanes, Packed:
		return "a " + v.kind.String() + " of " + strconv.Itoa(int(v.n)) + " × " + v.Scalar().String()
	}
	return "a " + v.kind.String()
}
