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

// Corpus makes n inputs, and returns of their packets those that together
// reach all that the inputs reached in reading: the shortest first, and none that
// adds nothing to those before it.
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

// Fewest returns packets of which each reaches something in reading, or in writing
// what was read, that those before it do not, the shortest first.
func Fewest(m *interp.Machine, opt Options, packets [][]byte) [][]byte {
	all := slices.Clone(packets)
	slices.SortStableFunc(all, func(a, b []byte) int {
		if d := cmp.Compare(len(a), len(b)); d != 0 {
			return d
		}
		return bytes.Compare(a, b)
	})
	cov, one := m.NewCoverage(), m.NewCoverage()
	var out [][]byte
	for _, b := range all {
		one.Reset()
		for _, open := range []bool{false, true} {
			if open && !opt.Objects {
				break
			}
			o := interp.Options{Open: gates(open)}
			if v, _, err := m.DecodeObserved(b, o, one); err == nil {
				_, _ = m.AppendObserved(nil, v, o, one)
			}
		}
		if cov.Merge(one) > 0 {
			out = append(out, b)
		}
	}
	return out
}

// FileName is what fuzzers call the file of an input: its SHA-1.
func FileName(b []byte) string { return fmt.Sprintf("%x", sha1.Sum(b)) }
