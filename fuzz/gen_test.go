// Generators for gopter.

package fuzz

import (
	"fmt"
	"reflect"

	"github.com/leanovate/gopter"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/interp"
)

// Sample is a value of a schema and the choices that made it.
type Sample struct {
	Schema  *Schema
	Choices interp.Choices
	Value   codec.Value
}

// String says how to make the value. It is called for every sample, and what is
// wrong with one says what its value is.
func (s Sample) String() string { return fmt.Sprintf("%s, choices %x", s.Schema, []byte(s.Choices)) }

// Samples returns a generator of values of s. They are of all sizes up to that of
// gopter's parameters, in choices; and they shrink as their choices do.
func (s *Schema) Samples() gopter.Gen {
	return Choices().Map(func(c interp.Choices) Sample { return Sample{s, c, s.Value(c)} }).WithShrinker(func(x any) gopter.Shrink {
		return shrink(x.(Sample).Choices).Map(func(c interp.Choices) Sample { return Sample{s, c, s.Value(c)} })
	})
}

// Choices returns a generator of choices, of up to as many as gopter's parameters say.
func Choices() gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		n := 0
		if p.MaxSize > p.MinSize {
			n = p.MinSize + p.Rng.Intn(p.MaxSize-p.MinSize)
		}
		c := make(interp.Choices, n)
		for i := range c {
			c[i] = byte(p.Rng.Intn(256))
		}
		return &gopter.GenResult{
			ResultType: reflect.TypeFor[interp.Choices](),
			Result:     c,
			Shrinker:   func(x any) gopter.Shrink { return shrink(x.(interp.Choices)) },
		}
	}
}

// shrink returns the choices that [Simpler] yields.
func shrink(c interp.Choices) gopter.Shrink {
	next := simpler(c)
	return func() (any, bool) { return next() }
}
