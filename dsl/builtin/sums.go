// Checksums: the functions of bytes that a writer computes and a reader verifies.

package builtin

import (
	"encoding/binary"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"math/bits"
	"slices"
)

// Checksum is a function of a sequence of bytes.
type Checksum uint8

// The checksums. Their numbers are saved in program files.
const (
	CRC32 Checksum = iota
	CRC16ARC
	CRC16CCITT
	CRC16XMODEM
	Adler32
	Inet
	Sum8
	Sum16
	Sum32
	Xor8
	Xor16
	Xor32
	NumChecksums
)

// SumInfo describes a checksum.
type SumInfo struct {
	Name string
	Bits int    // of the result
	Cut  bool   // a row with fewer bits holds the lowest ones
	Word int    // bytes of the words that are combined; 1 if the bytes are taken one by one
	Doc  string // completes "is": its value
}

// Sums describes every checksum.
var Sums = [NumChecksums]SumInfo{
	CRC32:       {Name: "crc32", Bits: 32, Word: 1, Doc: "the CRC-32 of the bytes, as in Ethernet, gzip and PNG"},
	CRC16ARC:    {Name: "crc16_arc", Bits: 16, Word: 1, Doc: "the CRC-16/ARC of the bytes: polynomial 0x8005, reflected, initial value 0"},
	CRC16CCITT:  {Name: "crc16_ccitt", Bits: 16, Word: 1, Doc: "the CRC-16/CCITT of the bytes: polynomial 0x1021, initial value 0xffff"},
	CRC16XMODEM: {Name: "crc16_xmodem", Bits: 16, Word: 1, Doc: "the CRC-16/XMODEM of the bytes: polynomial 0x1021, initial value 0"},
	Adler32:     {Name: "adler32", Bits: 32, Word: 1, Doc: "the Adler-32 of the bytes, as in zlib"},
	Inet:        {Name: "inet", Bits: 16, Word: 2, Doc: "the internet checksum: the complement of the ones' complement sum of the big-endian words of 16 bits"},
	Sum8:        {Name: "sum8", Bits: 32, Cut: true, Word: 1, Doc: "the sum of the bytes, modulo 2^32 or as many bits as the row has"},
	Sum16:       {Name: "sum16", Bits: 32, Cut: true, Word: 2, Doc: "the sum of the words of 16 bits in the order of the schema, modulo 2^32 or as many bits as the row has"},
	Sum32:       {Name: "sum32", Bits: 32, Cut: true, Word: 4, Doc: "the sum of the words of 32 bits in the order of the schema, modulo 2^32 or as many bits as the row has"},
	Xor8:        {Name: "xor8", Bits: 8, Word: 1, Doc: "the exclusive or of the bytes"},
	Xor16:       {Name: "xor16", Bits: 16, Word: 2, Doc: "the exclusive or of the words of 16 bits, in the order of the schema"},
	Xor32:       {Name: "xor32", Bits: 32, Word: 4, Doc: "the exclusive or of the words of 32 bits, in the order of the schema"},
}

// ChecksumNamed returns the checksum that a call names.
func ChecksumNamed(name string) (Checksum, bool) {
	for c := range NumChecksums {
		if Sums[c].Name == name {
			return c, true
		}
	}
	return NumChecksums, false
}

// Checksums returns the names of all checksums in alphabetical order.
func Checksums() []string {
	var all []string
	for c := range NumChecksums {
		all = append(all, Sums[c].Name)
	}
	slices.Sort(all)
	return all
}

// String returns the name that schemas use.
func (c Checksum) String() string {
	if c >= NumChecksums {
		return "invalid"
	}
	return Sums[c].Name
}

// Summing is a checksum while bytes are added to it.
type Summing struct {
	of    Checksum
	big   bool        // words have their highest byte first
	n     int         // bytes of the last word so far
	state uint64      // the checksum so far
	adler hash.Hash32 // of Adler32
}

// Begin returns the checksum of no bytes. Words have their highest byte first if big is true.
func (c Checksum) Begin(big bool) Summing {
	s := Summing{of: c, big: big || c == Inet}
	switch c {
	case CRC16CCITT:
		s.state = 0xffff
	case Adler32:
		s.adler = adler32.New()
	}
	return s
}

// Add adds bytes.
func (s *Summing) Add(b []byte) {
	switch s.of {
	case CRC32:
		s.state = uint64(crc32.Update(uint32(s.state), crc32.IEEETable, b))
	case Adler32:
		s.adler.Write(b)
	case CRC16ARC:
		for _, x := range b {
			s.state = s.state>>8 ^ uint64(arcTable[byte(s.state)^x])
		}
	case CRC16CCITT, CRC16XMODEM:
		for _, x := range b {
			s.state = s.state<<8&0xffff ^ uint64(ccittTable[byte(s.state>>8)^x])
		}
	default:
		s.words(b)
	}
}

// words adds bytes to a checksum of words.
func (s *Summing) words(b []byte) {
	width := Sums[s.of].Word
	if s.of == Inet && s.n == 0 { // a ones' complement sum: any multiple of 16 bits may be added at a time
		for ; len(b) >= 8; b = b[8:] {
			x := binary.BigEndian.Uint64(b)
			s.state += x>>32 + x&0xffffffff
		}
		for ; len(b) >= 2; b = b[2:] {
			s.state += uint64(b[0])<<8 | uint64(b[1])
		}
	}
	for _, x := range b {
		shift := 8 * s.n
		if s.big {
			shift = 8 * (width - 1 - s.n)
		}
		if word := uint64(x) << shift; s.of >= Xor8 {
			s.state ^= word
		} else {
			s.state += word
		}
		s.n = (s.n + 1) % width
	}
}

// Repeat adds the same byte n times.
func (s *Summing) Repeat(x byte, n int) {
	if x == 0 && s.of >= Inet { // a checksum of words
		s.n = (s.n + n) % Sums[s.of].Word
		return
	}
	var b [64]byte
	for i := range b {
		b[i] = x
	}
	for ; n > 0; n -= len(b) {
		s.Add(b[:min(n, len(b))])
	}
}

// Value returns the checksum of the bytes that were added. The last word is filled up with
// zeros.
func (s *Summing) Value() uint64 {
	switch s.of {
	case Adler32:
		return uint64(s.adler.Sum32())
	case Inet:
		x := s.state
		for x>>16 != 0 {
			x = x>>16 + x&0xffff
		}
		return ^x & 0xffff
	}
	return s.state & 0xffffffff
}

// arcTable has the CRC-16/ARC of each byte, ccittTable that of the polynomial 0x1021.
var arcTable, ccittTable = func() (arc, ccitt [256]uint16) {
	for i := range 256 {
		a, c := uint16(i), uint16(i)<<8
		for range 8 {
			a = a>>1 ^ a&1*bits.Reverse16(0x8005)
			c = c<<1 ^ c>>15*0x1021
		}
		arc[i], ccitt[i] = a, c
	}
	return arc, ccitt
}()
