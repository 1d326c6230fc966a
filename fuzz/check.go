// Checking: the laws of a schema on a fixed number of inputs.

package fuzz

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Counterexample is an input for which a law does not hold.
type Counterexample struct {
	Law     string `json:"law"`
	Says    string `json:"says"`
	Schema  string `json:"schema"`            // and whether its gates are open
	Objects bool   `json:"objects,omitempty"` // its gates are open
	Packet  string `json:"packet,omitempty"`  // in hexadecimal digits; of a law about values, the bytes written
	Choices string `json:"choices,omitempty"` // from which the value is drawn, in hexadecimal digits
	Value   string `json:"value,omitempty"`   // the value drawn, as examples in schemas have it
	Error   string `json:"error"`             // in full

	Expected string `json:"expected"`
	Got      string `json:"got"`
	Offset   int    `json:"offset"` // byte of the packet that the law is about, or -1
	Hint     string `json:"hint,omitempty"`
	Try      int    `json:"try,omitempty"` // number of the input that showed it first, from 1
}

// panicked is the error of a law whose reader or writer panics.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

// Safely calls f and returns a panic as an error.
func Safely(f func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = &panicked{x, debug.Stack()}
		}
	}()
	return f()
}

// broken tries a law on an input. It returns nil if the law holds, and else a counterexample
// that is shrunk by at most calls further tries. A value that is not drawn from choices is for
// laws about any value.
func (s *Schema) broken(l *Law, in *inputs.Input, calls int) *Counterexample {
	c := &Counterexample{Law: l.Name, Schema: s.Name, Objects: s.Objects, Offset: -1}
	value := func(v codec.Value) error { return Safely(func() error { return s.CheckValue(l, v) }) }
	switch {
	case l.Packet != nil && in.Packet != nil && len(in.Packet) <= 1<<14:
		law := func(b []byte) error { return Safely(func() error { return s.CheckPacket(l, b) }) }
		if law(in.Packet) == nil {
			return nil
		}
		b := Smallest(in.Packet, Smaller, func(b []byte) bool { return law(b) != nil }, calls)
		s.explain(c, law(b), b)
	case l.Value != nil && in.Choice != nil:
		law := func(x interp.Choices) (v codec.Value, err error) {
			for _, v = range s.Drawn(l, x) {
				if err = value(v); err != nil {
					break
				}
			}
			return v, err
		}
		if _, err := law(in.Choice); err == nil {
			return nil
		}
		x := Smallest(in.Choice, Simpler, func(x interp.Choices) bool { _, err := law(x); return err != nil }, calls)
		v, err := law(x)
		c.Choices = hex.EncodeToString(x)
		s.explainValue(c, err, v)
	case l.Of == AnyValue && in.Choice == nil && !in.Value.IsNone():
		law := func(v interp.Value) error { return value(raw.Wrap(v)) }
		if law(in.Value) == nil {
			return nil
		}
		v := Smallest(in.Value, corrupt.New(raw.Machine(s.Codec), s.raw).Simpler, func(v interp.Value) bool { return law(v) != nil }, calls)
		s.explainValue(c, law(v), raw.Wrap(v))
	default:
		return nil
	}
	return c
}

// explainValue is explain for a law about values. There are no bytes if the value cannot be
// written.
func (s *Schema) explainValue(c *Counterexample, err error, v codec.Value) {
	c.Value = s.show(v)
	b, _ := s.Codec.Encode(v)
	s.explain(c, err, b)
}

// explain fills in the packet, and what the law expects and got.
func (s *Schema) explain(c *Counterexample, err error, b []byte) {
	c.Packet, c.Error = hex.EncodeToString(b), err.Error()
	var (
		differs *Mismatch
		refused *interp.Error
		panics  *panicked
	)
	switch {
	case errors.As(err, &differs):
		c.Expected, c.Got = s.show(differs.Want), s.show(differs.Got)
		if c.Expected == c.Got { // they differ in something that values in examples do not show
			c.Expected, c.Got = fmt.Sprintf("%+v", differs.Want), fmt.Sprintf("%+v", differs.Got)
		}
	case errors.As(err, &panics):
		c.Expected, c.Got = "a value or an error", fmt.Sprintf("panic: %v", panics.value)
	case errors.As(err, &refused):
		c.Expected, c.Got = "no error", refused.Error()
		if refused.Offset < len(b) {
			c.Offset = refused.Offset
		}
	default:
		c.Expected, c.Got = "the law holds", c.Error
	}
}

// show returns a result of a law as people read it.
func (s *Schema) show(x any) string {
	switch x := x.(type) {
	case codec.Value:
		return notation.Of(raw.Machine(s.Codec)).Clipped(raw.Value(x), 400)
	case []byte:
		return fmt.Sprintf("% x", x)
	}
	return fmt.Sprint(x)
}

// DefaultTries is the number of inputs on which the command octable check tries a schema.
const DefaultTries = 3000

// Check tries laws on inputs of a schema under its choice, which p is the program of. It returns
// the first counterexample, shrunk, or nil if all laws hold, and the number of inputs tried, which is
// less than tries if values of the schema are too hard to draw or too large. The inputs depend on the program and
// on nothing else. The number of tries, the bytes of an input, the work of the reference and the steps of
// shrinking are bounded, so a check ends. The error is [interp.ErrNoValue] if no value of the schema is found.
func Check(s *schema.Schema, p *bytecode.Program, tries int) (x *Counterexample, tried int, err error) {
	c, err := raw.Codec(p)
	if err != nil {
		return nil, 0, err
	}
	name := p.Schema
	if p.Choice != s.Choices()[0] {
		name += "+" + p.Choice
	}
	pair, err := NewPair(name, s, c)
	if err == nil {
		err = pair.NoValue()
	}
	if err != nil {
		return nil, 0, err
	}
	src, err := source(s, c, pair.Open != nil)
	if err != nil {
		return nil, 0, err
	}
	defer src.Close()
	x, tried = check(pair, src, tries)
	return x, tried, nil
}

// source returns the inputs of a check, among them the examples in the schema.
func source(s *schema.Schema, c *codec.Codec, objects bool) (*inputs.Source, error) {
	const (
		maxExamples = 64
		maxBytes    = 512              // of a packet
		late        = DefaultTries / 3 // inputs before those that are nested too deeply
	)
	h, err := hex.DecodeString(raw.Program(c).Hash())
	if err != nil {
		return nil, err
	}
	src, err := inputs.New(raw.Machine(c), inputs.Options{Seed: binary.LittleEndian.Uint64(h), Objects: objects, MaxBytes: maxBytes, Late: late})
	if err != nil {
		return nil, err
	}
	packets := s.Packets()
	for i := range min(len(packets), maxExamples) { // spread over all of them
		src.Seed(packets[i*len(packets)/min(len(packets), maxExamples)])
	}
	return src, nil
}

// Bounds of the work of a check. They are numbers, not times, so that a check finds the same everywhere.
const (
	// referenceWork is the work for the reference that each input adds, and referenceFirst is there before
	// the first one. The reference is many times slower than the interpreter, so an input that costs more
	// than is left is not given to it.
	referenceWork  = 250
	referenceFirst = 64 << 10

	// redraws is the number of records that a generator may begin again for each input. A
	// record is begun again if a condition did not hold. A check ends early if more are begun.
	redraws      = 250
	redrawsFirst = 50_000

	// inputCost is the cost of all inputs by referenceCost. A check ends
	// early if they cost more.
	inputCost = 8 << 20
)

// referenceCost returns an estimate of the work of the reference for an input.
func referenceCost(in *inputs.Input) int {
	const (
		input = 256
		cell  = 4
	)
	return input + max(len(in.Packet), len(in.Canonical)) + cell*taken(in.Value)
}

// check tries the laws of checked on inputs. Of six inputs, four are guided by coverage, one is drawn
// by chance, and one is a packet that was read, made shorter together with a length in it. It returns
// the number of inputs tried.
func check(pair Pair, src *inputs.Source, tries int) (*Counterexample, int) {
	const (
		shrinking = 2000    // tries
		work      = 4 << 20 // bytes of all tries of shrinking
	)
	var read inputs.Input
	reference, before := referenceFirst, src.Redrawn()+pair.redrawn()
	spent := 0
	for try := range tries {
		if src.Redrawn()+pair.redrawn()-before > redrawsFirst+redraws*try || spent > inputCost {
			return nil, try
		}
		var in inputs.Input
		switch try % 6 {
		case 2:
			in = src.Draw()
		case 5:
			in = shorter(read, try)
		default:
			in = src.Next()
		}
		if in.Packet != nil && in.Err == nil && in.Way != inputs.Bytes && len(in.Packet) <= src.MaxBytes() {
			read = in
		}
		reference += referenceWork
		cost := referenceCost(&in)
		spent += cost
		ask := cost <= reference || in.Change.Kind == corrupt.TooDeep && cost <= referenceFirst // there are few of these
		if ask {
			reference -= cost
		}
		for _, k := range checked {
			law := LawNamed(k.law)
			if law.Reference && !ask {
				continue
			}
			x := pair.With(in.Open).broken(law, &in, min(shrinking, work/(1+len(in.Packet))))
			if x != nil {
				x.Says, x.Hint, x.Try = k.says, k.hint, try+1
				return x, try + 1
			}
		}
	}
	return nil, tries
}

// shorter returns an input with a shorter packet and a smaller number in a word that may be its length.
// n selects the word. It is in itself if it has no such word.
func shorter(in inputs.Input, n int) inputs.Input {
	all := slices.Collect(smallerLengths(in.Packet))
	if len(all) == 0 {
		return in
	}
	return inputs.Input{Way: inputs.Bytes, Open: in.Open, Packet: all[n/6%len(all)]}
}

// checked are the laws that Check tries, with what they say in short. They hold for every schema
// that the compiler accepts.
var checked = []struct {
	law        string
	says, hint string
}{
	{"round trip", "a value that is written is read back equal, from all bytes",
		"two values have the same bytes, or a row is not written from the value: look at the rows above whose value differs"},
	{"idempotence", "what is read can be written, and what is written for it is read and written again as the same bytes",
		"the reader accepts more than the writer writes: refuse it with check, or accept any number with any at the row"},
	{"kept widths", "what is read is written in its own form and read again as the same value",
		"the value that is read does not hold all that its bytes say: name the bits and rows whose value differs"},
	{"reference, reading", "the interpreter reads what the definition of the language says",
		"octable contradicts its own definition of the language; please report the schema and these bytes"},
	{"reference, writing", "the interpreter writes what the definition of the language says",
		"octable contradicts its own definition of the language; please report the schema and this value"},
}
