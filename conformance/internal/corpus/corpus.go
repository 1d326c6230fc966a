// Package corpus makes inputs for tests of properties: packets of a schema, damaged packets,
// values and changed values.
package corpus

import (
	"math/rand/v2"

	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/interp"
)

// Input is a packet to read, or a value to write, or both.
type Input struct {
	Packet []byte       // nil without one
	Value  interp.Value // None without one
	Open   uint8        // gates
	// Odd is set where the value may be of a shape that the schema does not have.
	Odd bool
}

// Inputs returns about n inputs for a machine, the same for the same seed.
func Inputs(m *interp.Machine, seed uint64, n int) ([]Input, error) {
	var all []Input
	r := rand.New(rand.NewPCG(seed, 1))
	gates := []uint8{0}
	if len(m.Program().Gates) > 0 {
		gates = append(gates, 0xff)
	}
	for _, open := range gates {
		opt := interp.Options{Open: open}
		g, err := m.NewGenerator(interp.GenerateOptions{Open: open, MaxBytes: 300, Repeats: true, KeepWidths: true})
		if err != nil {
			return nil, err
		}
		e := corrupt.New(m, opt)
		var values []interp.Value
		for until := len(all) + n/len(gates); len(all) < until; {
			c := make(interp.Choices, r.IntN(30))
			for i := range c {
				c[i] = byte(r.Uint32())
			}
			v, _ := g.Generate(c)
			if len(values) > 0 && r.IntN(2) == 0 {
				v, _ = e.Mutate(r, v, values)
			}
			values = append(values, v)
			opt.KeepWidths = r.IntN(2) == 0
			b, err := m.Append(nil, v, opt)
			if err != nil {
				b = nil
			}
			all = append(all, Input{Packet: b, Value: v, Open: open}, Input{Value: e.Spoil(r, v), Open: open, Odd: true})
			if b == nil {
				continue
			}
			every := 1 + r.IntN(1+len(b)/2)
			k := 0
			for d := range e.Packets(b) {
				if k++; k%every == 0 && len(d.Packet) < 4096 {
					all = append(all, Input{Packet: d.Packet, Open: open})
				}
				if k > 40*every {
					break
				}
			}
		}
	}
	return all, nil
}
