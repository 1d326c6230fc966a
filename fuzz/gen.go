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
		return Shrink(x.(Sample).Choices).Map(func(c interp.Choices) Sample { return Sample{s, c, s.Value(c)} })
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
			Shrinker:   func(x any) gopter.Shrink { return Shrink(x.(interp.Choices)) },
		}
	}
}

// Shrink returns choices that are simpler than c, the simplest first: without
// runs of bytes, with runs of zeros, with smaller bytes. Every one is shorter, or
// as long and lower at the first byte that differs, so shrinking ends.
func Shrink(c interp.Choices) gopter.Shrink {
	// One pass is a run length; below 1 the passes change single bytes.
	type try struct{ pass, run, at int }
	next := try{0, len(c), 0}
	const passes = 4
	return func() (any, bool) {
		for {
			t := next
			if t.run == 0 {
				if t.pass == passes-1 || len(c) == 0 {
					return nil, false
				}
				next = try{t.pass + 1, len(c), 0}
				if t.pass+1 >= 2 {
					next.run = 1
				}
				continue
			}
			if t.at+t.run > len(c) {
				next = try{t.pass, t.run / 2, 0}
				continue
			}
			next.at = t.at + max(1, t.run/2)
			out := append(interp.Choices(nil), c...)
			run := out[t.at : t.at+t.run]
			switch t.pass {
			case 0: // without the run
				out = append(out[:t.at], out[t.at+t.run:]...)
			case 1: // the run is zeros
				clear(run)
			case 2: // half the byte
				run[0] /= 2
			case 3: // one less
				if run[0] > 0 {
					run[0]--
				}
			}
			if string(out) == string(c) {
				continue
			}
			return out, true
		}
	}
}
