// Checksums: bit by bit, over a copy of the bytes.

package reference

import (
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// span is the bytes of a row or a list.
type span struct{ begin, end int }

// spanning walks a row or a list, and notes its bytes. A condition after a place that a
// checksum needs is not about a number before it.
func (m *meaning) spanning(field *schema.Field, f *frame, walk func()) {
	nothing := func() {}
	if field.Places[0] {
		m.block(nothing)
	}
	begin := m.here()
	walk()
	f.span[field] = span{begin, m.here()}
	if field.Places[1] {
		m.block(nothing)
	}
}

// checksum returns the checksum of the rows that a field's value names.
func (m *meaning) checksum(s *schema.Sum, f *frame) int64 {
	var b []byte
	if s.Base != nil {
		for i := m.bases[len(m.bases)-1].begin; i < m.here(); i++ {
			b = append(b, m.counting(s, i))
		}
	}
	for _, a := range s.Args {
		out := f.span[a.Field]
		for i := f.span[a.From].begin; i < f.span[a.To].end; i++ {
			if a.Field != nil && out.begin <= i && i < out.end {
				b = append(b, a.With)
			} else {
				b = append(b, m.counting(s, i))
			}
		}
	}
	return int64(m.checksumOf(s.Of, b))
}

// note is the bytes of a row that holds the checksum of a base, which is not complete.
type note struct {
	base       *base
	begin, end int
	number     int64 // of a reader
}

func (n note) moved(by int) note {
	n.begin += by
	n.end += by
	return n
}

// baseOf returns the innermost base that is a record.
func (m *meaning) baseOf(rec *schema.Record) *base {
	for i := len(m.bases) - 1; ; i-- {
		if m.bases[i].rec == rec {
			return m.bases[i]
		}
	}
}

// note notes the row of a checksum of a base.
func (m *meaning) note(field *schema.Field, f *frame, begin int) {
	m.notes = append(m.notes, note{m.baseOf(field.Sum.Base), begin, m.here(), f.number[field]})
	m.noted = true
	m.block(func() {})
}

// counting returns the byte that counts at an offset in a checksum.
func (m *meaning) counting(s *schema.Sum, at int) byte {
	if s.Hole != nil {
		base := m.baseOf(s.Hole.Sum.Base)
		for _, n := range m.notes {
			if n.base == base && n.begin <= at && at < n.end {
				return s.With
			}
		}
	}
	return m.bytes()[at]
}

// whole computes the checksum of the innermost base, which is complete.
func (m *meaning) whole(b *base, f *frame) {
	all := m.notes
	m.notes = nil
	var own []note
	for _, n := range all {
		if n.base == b {
			own = append(own, n)
		} else {
			m.notes = append(m.notes, n)
		}
	}
	if len(own) == 0 || m.measuring {
		return
	}
	field := b.rec.Total
	m.notes = append(m.notes, own...)
	x := m.computed(field.Derive, f)
	m.notes = m.notes[:len(m.notes)-len(own)]
	for _, n := range own {
		m.total(&n, field, x, f)
	}
}

// total refuses a checksum that is not that of the bytes.
func (r *reader) total(n *note, field *schema.Field, want int64, _ *frame) {
	if r.before = 0; n.number != want && !field.Node.(*schema.Row).Any {
		fail(interp.ErrChecksum, n.begin, "%#x, found %#x", want, n.number)
	}
}

// total puts a checksum into its word.
func (w *writer) total(n *note, field *schema.Field, x int64, f *frame) {
	copy(w.out[n.begin:], w.fitting(w.wireOf(field.Node.(*schema.Row).Type, f), x))
}

func (m *meaning) checksumOf(c builtin.Checksum, b []byte) uint64 {
	switch c {
	case builtin.CRC32:
		return ^crc(b, 32, 0xedb88320, 1<<32-1) & (1<<32 - 1)
	case builtin.CRC16ARC:
		return crc(b, 16, 0xa001, 0)
	case builtin.CRC16CCITT:
		return reversed(crc(bitsReversed(b), 16, 0x8408, 0xffff), 16)
	case builtin.CRC16XMODEM:
		return reversed(crc(bitsReversed(b), 16, 0x8408, 0), 16)
	case builtin.Adler32:
		low, high := uint64(1), uint64(0)
		for _, x := range b {
			low = (low + uint64(x)) % 65521
			high = (high + low) % 65521
		}
		return high<<16 | low
	case builtin.Inet:
		return 0xffff - complemented(words(b, 2, true))
	case builtin.Sum8:
		return total(words(b, 1, true))
	case builtin.Sum16:
		return total(words(b, 2, m.schema.Big))
	case builtin.Sum32:
		return total(words(b, 4, m.schema.Big))
	case builtin.Xor8:
		return mixed(words(b, 1, true))
	case builtin.Xor16:
		return mixed(words(b, 2, m.schema.Big))
	}
	return mixed(words(b, 4, m.schema.Big))
}

// crc divides bytes, the lowest bit first, by a polynomial whose bits are reversed.
func crc(b []byte, bits int, polynomial, state uint64) uint64 {
	for _, x := range b {
		state ^= uint64(x)
		for range 8 {
			odd := state&1 == 1
			if state >>= 1; odd {
				state ^= polynomial
			}
		}
	}
	return state & ones(bits)
}

// reversed returns a number of n bits with its bits in reverse order.
func reversed(x uint64, n int) (out uint64) {
	for i := range n {
		out |= x >> i & 1 << (n - 1 - i)
	}
	return out
}

// bitsReversed returns bytes with the bits of each in reverse order.
func bitsReversed(b []byte) (out []byte) {
	for _, x := range b {
		out = append(out, byte(reversed(uint64(x), 8)))
	}
	return out
}

// words returns words of n bytes. The last one is filled up with zeros.
func words(b []byte, n int, big bool) (out []uint64) {
	for len(b)%n != 0 {
		b = append(b, 0)
	}
	for i := 0; i < len(b); i += n {
		word := uint64(0)
		for k := range n {
			if big {
				word = word<<8 | uint64(b[i+k])
			} else {
				word |= uint64(b[i+k]) << (8 * k)
			}
		}
		out = append(out, word)
	}
	return out
}

// total returns the sum of words, modulo 2^32.
func total(words []uint64) (sum uint64) {
	for _, x := range words {
		sum = (sum + x) & ones(32)
	}
	return sum
}

// mixed returns the exclusive or of words.
func mixed(words []uint64) (sum uint64) {
	for _, x := range words {
		sum ^= x
	}
	return sum
}

// complemented returns the ones' complement sum of words of 16 bits: what does not fit is
// added to the lowest bit.
func complemented(words []uint64) (sum uint64) {
	for _, x := range words {
		if sum += x; sum > 0xffff {
			sum -= 0xffff
		}
	}
	return sum
}

func (r *reader) bytes() []byte { return r.in }
func (w *writer) bytes() []byte { return w.out }

// sum refuses a checksum that is not that of the bytes.
func (r *reader) sum(step *schema.SumStep, f *frame) {
	r.before = 0
	if !step.Verify {
		return
	}
	if want := r.computed(step.Field.Derive, f); f.number[step.Field] != want {
		fail(interp.ErrChecksum, f.span[step.Field].begin, "%#x, found %#x", want, f.number[step.Field])
	}
}

// sum puts a checksum into its word.
func (w *writer) sum(step *schema.SumStep, f *frame) {
	if field := step.Field; step.Patch {
		f.number[field] = w.computed(field.Derive, f)
		copy(w.out[f.place[field]:], w.fitting(w.wireOf(step.Row.Type, f), f.number[field]))
	}
}
