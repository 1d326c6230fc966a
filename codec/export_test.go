package codec

import "reflect"

// Functions for tests that import package godot.
var (
	Describe       = describe
	AppendValue    = (*Codec).appendValue
	UnmarshalValue = (*Codec).unmarshalValue
)

// Named reports whether values of a codec have the names of its schema, and are no Variants.
func Named(c *Codec) bool { return c.notation != nil }

// HasPlan reports whether a type is read by a plan.
func HasPlan(c *Codec, t reflect.Type) bool { return c.readProgram(t) != nil }

// HasWritePlan reports whether a type is written by a plan.
func HasWritePlan(c *Codec, t reflect.Type) bool { return c.writeProgram(t) != nil }
