// Every damage of a packet, and every change of a value.

package schemas

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

// Limits of the changes that are tried of one packet or value.
const (
	mostChanged = 256 // bytes of a packet that is damaged
	mostListed  = 400 // changes that are made
	mostRead    = 100 // damaged packets that are compared, drawn from those
	mostWritten = 24  // changed values likewise
)

// every compares both machines with the reference on many changes of the first packets. They are packets of
// values that have some bytes. Damaged bytes are only read, and changed values are only written, which costs
// far less than all laws. The machine without plans reads all packets.
func (s *Subject) every(at *Disagreement, packets []Packet, r *rand.Rand) error {
	left := 2
	for _, p := range packets {
		at.Packet = p.Bytes
		if err := at.law("reference, instructions", func() error { return s.references()[1].Read(p.Bytes, s.Options()) }); err != nil {
			return err
		}
		if at.Packet = nil; left == 0 || p.Kind != Encoded || len(p.Bytes) == 0 || len(p.Bytes) > mostChanged {
			continue
		}
		left--
		if err := at.law("reference, damage", func() error { return s.everyDamage(at, p, r) }); err != nil {
			return err
		}
		at.Packet, at.Choices = p.Bytes, p.Choices
		if err := at.law("values, parts", func() error { return s.everyPart(p, r) }); err != nil {
			return err
		}
		at.Packet, at.Choices = nil, nil
	}
	return nil
}

// some returns up to n elements, drawn from the first [mostListed].
func some[T any](r *rand.Rand, all iter.Seq[T], n int) []T {
	var out []T
	for x := range all {
		if out = append(out, x); len(out) == mostListed {
			break
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(len(out), n)]
}

// everyDamage reads damages of a packet.
func (s *Subject) everyDamage(at *Disagreement, p Packet, r *rand.Rand) error {
	for _, c := range some(r, s.damage().Packets(p.Bytes), mostRead) {
		at.Packet = c.Packet
		for _, reference := range s.references() {
			if err := reference.Read(c.Packet, s.Options()); err != nil {
				return err
			}
		}
	}
	at.Packet = nil
	return nil
}

// everyPart writes values with one part changed.
func (s *Subject) everyPart(p Packet, r *rand.Rand) error {
	v, e := raw.Value(s.Value(p.Choices)), s.damage()
	all := slices.Concat(some(r, e.Boundaries(v, nil), mostWritten), some(r, e.Spoils(v, nil), mostWritten))
	for range 4 {
		if w, ok := e.Sized(r, v); ok {
			all = append(all, w)
		}
	}
	for _, w := range all {
		for _, reference := range s.references() {
			if err := reference.Value(w, interp.Options{Open: s.Options().Open, KeepWidths: r.IntN(4) == 0}); err != nil {
				return err
			}
		}
	}
	return nil
}
