package examples

import (
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// Groups prints bytes in the notation of examples.
var Groups = groups

// Match reports whether a literal represents a value.
func (r *Printer) Match(l *schema.Literal, v interp.Value) bool { return r.match(l, v) }

// Float returns the number of a literal.
func Float(l *schema.Literal) (float64, bool) { return float(l) }

// Number returns the digits of a literal.
func Number(l *schema.Literal) string { return number(l) }
