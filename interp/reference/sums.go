// Checksums.

package reference

import (
	"hash/adler32"
	"hash/crc32"
	"math/bits"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// sum settles the checksum of rows, when all of them have been walked. A reader compares it, and a
// writer learns it.
func (m *walk) sum(step *schema.SumStep, f *frame) {
	m.before = 0
	field := step.Field
	if m.writes && step.Patch {
		m.learn(step.Row, m.computed(field.Derive, f), f)
	} else if !m.writes && step.Verify {
		x := m.computed(field.Derive, f)
		m.need(f.number[field] == x, interp.ErrChecksum, f.span[field].begin, "%#x, found %#x", x, f.number[field])
	}
}

// total is a word that holds the checksum of a base.
type total struct {
	begin  int   // of a reader
	number int64 // of a reader
	word   int   // of a writer
}

// total notes the bytes of a row from an offset, if it has the checksum of a base.
func (m *walk) total(field *schema.Field, f *frame, begin int) {
	if field.Sum == nil || field.Sum.Base == nil {
		return
	}
	b := m.baseOf(field.Sum.Base)
	b.totals = append(b.totals, total{begin, f.number[field], f.word[field]})
	for i := begin; i < m.pos; i++ {
		m.packet[i].of = b
	}
	m.noted, m.before = true, 0
}

// whole settles the checksum of a base, which is complete and the innermost one.
func (m *walk) whole(b *base, f *frame) {
	if len(b.totals) == 0 {
		return
	}
	field := b.rec.Total
	row, x := field.Node.(*schema.Row), m.computed(field.Derive, f)
	for _, t := range b.totals {
		if m.before = 0; m.writes {
			m.fitting(m.wire(row.Type, f), x)
			m.learned[t.word] = x
		} else {
			m.need(t.number == x || row.Any, interp.ErrChecksum, t.begin, "%#x, found %#x", x, t.number)
		}
	}
}

// checksum returns the checksum of the rows that a field's value names, or of a whole base.
func (m *walk) checksum(s *schema.Sum, f *frame) int64 {
	var b []byte
	cover := func(begin, end int, but span, with byte) {
		for i := begin; i < end; i++ {
			x := m.packet[i].x
			switch {
			case but.begin <= i && i < but.end:
				x = with
			case s.Hole != nil && m.packet[i].of == m.baseOf(s.Hole.Sum.Base):
				x = s.With
			}
			b = append(b, x)
		}
	}
	if s.Base != nil {
		cover(m.bases[len(m.bases)-1].begin, m.pos, span{}, 0)
	}
	for _, a := range s.Args {
		cover(f.span[a.From].begin, f.span[a.To].end, f.span[a.Field], a.With)
	}
	return int64(m.checksumOf(s.Of, b))
}

// checksumOf computes a checksum. Words are in the order of the schema; the last one is filled up with zeros.
func (m *walk) checksumOf(c builtin.Checksum, b []byte) (sum uint64) {
	size, big := 1, m.schema.Big
	if crc, ok := crcs[c]; ok {
		return crc.of(b)
	}
	switch c {
	case builtin.CRC32:
		return uint64(crc32.ChecksumIEEE(b))
	case builtin.Adler32:
		return uint64(adler32.Checksum(b))
	case builtin.Inet:
		size, big = 2, true
	case builtin.Sum16, builtin.Xor16:
		size = 2
	case builtin.Sum32, builtin.Xor32:
		size = 4
	}
	for word := range slices.Chunk(append(b, make([]byte, -len(b)&(size-1))...), size) {
		switch x := unsigned(wire{big: big}.ordered(word)); c {
		case builtin.Xor8, builtin.Xor16, builtin.Xor32:
			sum ^= x
		case builtin.Inet: // what does not fit is added to the lowest bit
			if sum += x; sum > 0xffff {
				sum -= 0xffff
			}
		default:
			sum = (sum + x) & ones(32)
		}
	}
	if c == builtin.Inet {
		return 0xffff - sum
	}
	return sum
}

// crc has the bits, the polynomial, the first state and the final exclusive or of a CRC.
type crc struct {
	bits               int
	poly, state, final uint64
	reflected          bool // the lowest bit of a byte comes first, and so it is in the result
}

var crcs = map[builtin.Checksum]crc{
	builtin.CRC8SMBus:    {8, 0x07, 0, 0, false},
	builtin.CRC8Maxim:    {8, 0x31, 0, 0, true},
	builtin.CRC16ARC:     {16, 0x8005, 0, 0, true},
	builtin.CRC16CCITT:   {16, 0x1021, 0xffff, 0, false},
	builtin.CRC16XMODEM:  {16, 0x1021, 0, 0, false},
	builtin.CRC16Kermit:  {16, 0x1021, 0, 0, true},
	builtin.CRC16Modbus:  {16, 0x8005, 0xffff, 0, true},
	builtin.CRC16UMTS:    {16, 0x8005, 0, 0, false},
	builtin.CRC16X25:     {16, 0x1021, 0xffff, 0xffff, true},
	builtin.CRC24OpenPGP: {24, 0x864cfb, 0xb704ce, 0, false},
	builtin.CRC32C:       {32, 0x1edc6f41, 0xffffffff, 0xffffffff, true},
	builtin.CRC32BZIP2:   {32, 0x04c11db7, 0xffffffff, 0xffffffff, false},
	builtin.CRC32MPEG2:   {32, 0x04c11db7, 0xffffffff, 0, false},
	builtin.CRC32Ogg:     {32, 0x04c11db7, 0, 0, false},
	builtin.CRC8DVBS2:    {8, 0xd5, 0, 0, false},
	builtin.CRC8ITU:      {8, 0x07, 0, 0x55, false},
	builtin.CRC8J1850:    {8, 0x1d, 0xff, 0xff, false},
	builtin.CRC8H2F:      {8, 0x2f, 0xff, 0xff, false},
	builtin.CRC16DNP:     {16, 0x3d65, 0, 0xffff, true},
	builtin.CRC16EN13757: {16, 0x3d65, 0, 0xffff, false},
	builtin.CRC16GENIBUS: {16, 0x1021, 0xffff, 0xffff, false},
	builtin.CRC16MCRF4XX: {16, 0x1021, 0xffff, 0, true},
	builtin.CRC16T10DIF:  {16, 0x8bb7, 0, 0, false},
	builtin.CRC16USB:     {16, 0x8005, 0xffff, 0xffff, true},
	builtin.CRC24BLE:     {24, 0x00065b, 0x555555, 0, true},
	builtin.CRC24Q:       {24, 0x864cfb, 0, 0, false},
	builtin.CRC32AUTOSAR: {32, 0xf4acfb13, 0xffffffff, 0xffffffff, true},
}

// of returns the remainder of bytes divided by the polynomial of the CRC. The polynomial has the power of x
// with as many bits as the CRC has, and the powers whose bits are set.
func (c crc) of(b []byte) uint64 {
	state := c.state
	for _, x := range b {
		if c.reflected {
			x = bits.Reverse8(x)
		}
		for k := 7; k >= 0; k-- {
			carry := state>>(c.bits-1) ^ uint64(x>>k&1)
			if state = state << 1 & ones(c.bits); carry == 1 {
				state ^= c.poly
			}
		}
	}
	if c.reflected {
		state = bits.Reverse64(state) >> (64 - c.bits)
	}
	return state ^ c.final
}
