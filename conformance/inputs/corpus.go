// Corpora: few packets that together reach much.

package inputs

import (
	"bytes"
	"cmp"
	"crypto/sha1" // as a name only
	"fmt"
	"slices"

	"github.com/octable/octable/interp"
)

// Corpus makes n inputs, and returns packets of them that together reach all that the inputs
// reached in reading. The shortest are first, and each adds something to those before it.
func Corpus(m *interp.Machine, opt Options, inputs int) ([][]byte, error) {
	opt.Plain, opt.NoCoverage, opt.Shallow = true, false, true
	s, err := New(m, opt)
	if err != nil {
		return nil, err
	}
	for range inputs {
		s.Next()
	}
	var all [][]byte
	for in := range s.Kept() {
		if in.Packet != nil {
			all = append(all, in.Packet)
		}
	}
	return Fewest(m, opt, all), nil
}

// Fewest returns those packets that reach something that no shorter one reaches. It counts
// reading a packet, and writing the value that was read. The shortest are first.
func Fewest(m *interp.Machine, opt Options, packets [][]byte) [][]byte {
	all := slices.Clone(packets)
	Sort(all)
	r := NewReach(m, opt.Objects)
	var out [][]byte
	for _, b := range all {
		if r.Add(b) {
			out = append(out, b)
		}
	}
	return out
}

// Sort orders packets by their length, and those of one length by their bytes.
func Sort(packets [][]byte) {
	slices.SortFunc(packets, func(a, b []byte) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b))
	})
}

// Reach is the part of a program that packets reach in reading, and in writing the values read.
type Reach struct {
	m        *interp.Machine
	gates    []uint8
	all, one *interp.Coverage
}

// NewReach returns an empty Reach. With objects, packets are also read with the gates of the schema open.
func NewReach(m *interp.Machine, objects bool) *Reach {
	r := &Reach{m: m, gates: []uint8{gates(false)}, all: m.NewCoverage(), one: m.NewCoverage()}
	if objects {
		r.gates = append(r.gates, gates(true))
	}
	return r
}

// Add adds the part that a packet reaches, and reports whether any of it is new.
func (r *Reach) Add(packet []byte) bool {
	r.one.Reset()
	for _, g := range r.gates {
		o := interp.Options{Open: g}
		if v, _, err := r.m.DecodeObserved(packet, o, r.one); err == nil {
			_, _ = r.m.AppendObserved(nil, v, o, r.one)
		}
	}
	return r.all.Merge(r.one) > 0
}

// Reset makes the part empty.
func (r *Reach) Reset() { r.all.Reset() }

// FileName returns the name that fuzzers give to the file of an input: its SHA-1.
func FileName(b []byte) string { return fmt.Sprintf("%x", sha1.Sum(b)) }
