// The least input of a disagreement, and its bytes beside their rows.

package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// leastCalls bounds the inputs that are tried to make one smaller.
const leastCalls = 2000

// Least returns the disagreement of the same law on the smallest packet that it finds. It may also be on the value
// of the fewest choices. It returns law itself if the law holds for its packet alone.
func (s *Subject) Least(law *Disagreement) *Disagreement {
	only := regexp.MustCompile("^" + regexp.QuoteMeta(law.Law) + "$")
	on := func(p Packet) *Disagreement {
		err := try(only, func(at *Disagreement) error {
			at.Choice, at.Open, at.Packet, at.Choices = law.Choice, law.Open, p.Bytes, p.Choices
			_, err := s.check(at, p, false)
			return err
		})
		var found *Disagreement
		_ = errors.As(err, &found)
		return found
	}
	of := func(c interp.Choices) Packet {
		b, _ := s.Codec.Encode(s.Value(c))
		return Packet{Encoded, c, b}
	}
	read := func(b []byte) Packet { return Packet{Kind: Damaged, Bytes: b} }
	p := read(law.Packet)
	if law.Choices != nil {
		p = of(law.Choices)
	}
	if on(p) == nil {
		return law // it is about several packets
	}
	if law.Choices != nil {
		p = of(fuzz.Smallest(law.Choices, fuzz.Simpler, func(c interp.Choices) bool { return on(of(c)) != nil }, leastCalls))
	}
	if q := read(p.Bytes); on(q) != nil { // also without the value
		p = read(fuzz.Smallest(q.Bytes, fuzz.Smaller, func(b []byte) bool { return on(read(b)) != nil }, leastCalls))
	}
	if least := on(p); least != nil {
		return least
	}
	return law // what it is about depends on earlier packets
}

// Explain shrinks the input of a disagreement and returns it as text. It shows the value, or the bytes beside their
// rows as the interpreter reads them. A law that is about the schema alone has no input.
func (d *Drawn) Explain(law *Disagreement) string {
	if law.Packet == nil && law.Choices == nil {
		return law.Error()
	}
	subjects, err := d.Subjects()
	if err != nil {
		return law.Error()
	}
	for _, s := range subjects {
		if raw.Program(s.Codec).Choice == law.Choice && s.Objects == law.Open {
			return s.Explain(s.Least(law))
		}
	}
	return law.Error()
}

// Explain returns a disagreement after its value and the bytes of its packet beside their rows.
func (s *Subject) Explain(law *Disagreement) string {
	var out bytes.Buffer
	if law.Choices != nil {
		fmt.Fprintf(&out, "value %s\n", notation.Of(raw.Machine(s.Codec)).Clipped(raw.Value(s.Value(law.Choices)), 400))
	}
	if v, err := inspect.NewViewer(raw.Program(s.Codec), s.Resolved); err == nil {
		sheet := inspect.NewSheet(v, &out, law.Packet, inspect.Options{Width: 120, Row: 8, Brief: true, Read: s.Options()})
		sheet.Packet(0, len(law.Packet))
	}
	return strings.TrimRight(out.String(), "\n") + "\n" + law.Error()
}
