// Package compiler compiles schemas to codecs at run time. It contains the parser of the schema
// language; package codec does not.
package compiler

import (
	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
)

// New returns the codec of a schema for the first choice of its option, if it has one. A schema
// that it extends or imports must be one of the project's. The error lists all mistakes with
// their lines.
func New(source string) (*codec.Codec, error) {
	p, err := compile.Text("schema.oct", []byte(source), "")
	if err != nil {
		return nil, err
	}
	return raw.Codec(p)
}
