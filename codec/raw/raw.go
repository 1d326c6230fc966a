// Package raw connects the values and codecs of package codec with the interpreter. Fuzzing,
// conformance suites and the command use it; its names may change with the interpreter.
package raw

import (
	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/internal/hooks"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

var (
	value   = hooks.Value.(func(codec.Value) interp.Value)
	wrap    = hooks.Wrap.(func(interp.Value) codec.Value)
	named   = hooks.Named.(func(*codec.Codec, interp.Value) codec.Value)
	machine = hooks.Machine.(func(*codec.Codec) *interp.Machine)
	create  = hooks.New.(func(*bytecode.Program) (*codec.Codec, error))
	plain   = hooks.PlainText.(func(*codec.Codec, interp.Value) (string, error))
	valueOf = hooks.ValueOf.(func(any) (codec.Value, error))
	path    = hooks.ParsePath.(func(*codec.Codec, string) (codec.Path, string, error))
	reader  = hooks.Reader.(func(*codec.Codec) func([]byte) (codec.Value, int, error))
)

// Value returns the interpreter's form of a value.
func Value(v codec.Value) interp.Value { return value(v) }

// Wrap returns a Variant of the interpreter, whose tag must be a [codec.Type].
func Wrap(v interp.Value) codec.Value { return wrap(v) }

// Named returns a value of the interpreter with the names of the codec's schema.
func Named(c *codec.Codec, v interp.Value) codec.Value { return named(c, v) }

// PlainText returns a value as [codec.Codec.Text] does, but without what only notes can say.
func PlainText(c *codec.Codec, v interp.Value) (string, error) { return plain(c, v) }

// Machine returns the interpreter of a codec.
func Machine(c *codec.Codec) *interp.Machine { return machine(c) }

// Program returns the program of a codec, which must not be changed.
func Program(c *codec.Codec) *bytecode.Program { return machine(c).Program() }

// Codec returns the codec of a program.
func Codec(p *bytecode.Program) (*codec.Codec, error) { return create(p) }

// ValueOf returns the Variant that a Go value represents, by the zero [codec.Options].
func ValueOf(x any) (codec.Value, error) { return valueOf(x) }

// Reader returns a function that decodes as [codec.Codec.Decode] does with Options.Alias. Its values are valid until its
// next call, since it uses their memory again.
func Reader(c *codec.Codec) func(b []byte) (v codec.Value, used int, err error) { return reader(c) }

// ParsePath reads a path as [codec.Codec.ParsePath] does, up to a blank or an equals sign, and returns the rest.
func ParsePath(c *codec.Codec, text string) (p codec.Path, rest string, err error) {
	return path(c, text)
}
