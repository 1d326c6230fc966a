// Errors of reading and writing bytes, and of reading text.

package codec

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Error says why bytes cannot be decoded or a value cannot be encoded.
type Error struct {
	Kind     error  // one of the Err variables, for [errors.Is]
	Offset   int    // the byte that it is about, from 0; when encoding, how many were written
	Path     string // where in the value, such as .entities[3].pos, in the notation of a [Path]; "" is the value itself
	Row      string // the row of the schema, such as Array.elements
	File     string // the file of the row
	Line     int    // the line of the row
	Expected string // a description of the value or bytes that the schema requires
	Found    string // a description of the value or bytes at Offset

	steps string // Path as the interpreter writes it, for Unwrap
}

// The kinds of [Error].
var (
	ErrTruncated    = kind("truncated") // the bytes end too early
	ErrType         = kind("type")      // a type id that the schema does not have
	ErrText         = kind("text")      // malformed text
	ErrValue        = kind("value")     // a number that is not allowed in its row
	ErrClosed       = kind("closed")    // an object in full, and [Options.Objects] is off
	ErrDepth        = kind("depth")     // nested too deeply
	ErrLimit        = kind("limit")     // more memory than [Options.MaxMemory], or more bytes or elements than a Value counts: 2^32-1
	ErrNotCanonical = kind("canonical") // strict: not what a writer produces
	ErrTrailing     = kind("trailing")  // strict: bytes after the value
	ErrChecksum     = kind("checksum")  // a checksum that is not that of the bytes
	ErrTypeMismatch = kind("mismatch")  // a value that the schema has no form for
	ErrRange        = kind("range")     // a number that does not fit its field
)

func kind(word string) error {
	for _, k := range interp.ErrorKinds {
		if k.Word == word {
			return k.Err
		}
	}
	panic("codec: no kind of error " + word)
}

// codecError returns an error of the interpreter as an [*Error].
func codecError(err error) error {
	if e := (*interp.Error)(nil); errors.As(err, &e) {
		return &Error{e.Kind, e.Offset, plainSteps(e.Path), e.Rule.Name, e.Rule.File, int(e.Rule.Line), e.Expected, e.Found, e.Path}
	}
	return err
}

func (e *Error) inner() *interp.Error {
	rule := bytecode.Rule{Name: e.Row, File: e.File, Line: uint32(e.Line)}
	return &interp.Error{Kind: e.Kind, Offset: e.Offset, Path: e.Path, Rule: rule, Expected: e.Expected, Found: e.Found}
}

// Word returns the kind as one word: truncated, type, text, value, closed,
// depth, limit, canonical, trailing, checksum, mismatch or range.
func (e *Error) Word() string { return e.inner().Word() }

// Error returns all of it in one line.
func (e *Error) Error() string { return "codec: " + e.Message() }

// Message is Error without the name of the package, for users of a program.
func (e *Error) Message() string {
	short := e.inner()
	short.Path = interp.ClipPath(short.Path)
	return short.Error()
}

// plainSteps writes keys that are names as a [Path] does: .pos for ["pos"]. Quotes inside of a key have a backslash before them.
func plainSteps(path string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(path, `["`)
		if b.WriteString(before); !found {
			return b.String()
		}
		if name, rest, closed := strings.Cut(after, `"]`); closed && isName(name) {
			b.WriteString("." + name)
			path = rest
		} else {
			b.WriteString(`["`)
			path = after
		}
	}
}

// Unwrap returns an error that unwraps to the kind.
func (e *Error) Unwrap() error {
	in := e.inner()
	in.Path = cmp.Or(e.steps, e.Path)
	return in
}

// TextError is a mistake in a text or in JSON. It has the place, and a message that describes the mistake and names a
// correction if there is one.
type TextError struct {
	Line, Column int // from 1; columns count characters
	Message      string
}

// Error returns the place and the message.
func (e *TextError) Error() string {
	return fmt.Sprintf("codec: %d:%d: %s", e.Line, e.Column, e.Message)
}

// textError returns an error of reading text as a [*TextError].
func textError(err error) error {
	if e := (*variant.TextError)(nil); errors.As(err, &e) {
		return (*TextError)(e)
	}
	return err
}
