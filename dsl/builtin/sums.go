// Checksums: the functions of bytes that a writer computes and a reader verifies.

package builtin

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"math/bits"
	"slices"
	"sync"
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
	CRC8SMBus
	CRC8Maxim
	CRC16Kermit
	CRC16Modbus
	CRC16UMTS
	CRC16X25
	CRC24OpenPGP
	CRC32C
	CRC32BZIP2
	CRC32MPEG2
	CRC32Ogg
	CRC8DVBS2
	CRC8ITU
	CRC8J1850
	CRC8H2F
	CRC16DNP
	CRC16EN13757
	CRC16GENIBUS
	CRC16MCRF4XX
	CRC16T10DIF
	CRC16USB
	CRC24BLE
	CRC24Q
	CRC32AUTOSAR
	NumChecksums
)

// SumInfo describes a checksum.
type SumInfo struct {
	Name string
	Bits int    // of the result
	Cut  bool   // a row with fewer bits holds the lowest ones
	Word int    // bytes of the words that are combined; 1 if the bytes are taken one by one
	CRC  *CRC   // nil if it is no CRC
	Doc  string // completes "is": its value
}

// CRC has the parameters of a CRC, as catalogues of CRCs give them.
type CRC struct {
	Bits      int
	Poly      uint32 // powers of x below the highest one
	Init      uint32 // the state before the first byte
	Reflected bool   // the lowest bit of a byte is taken first, and of the result
	Xor       uint32 // is combined with the last state
}

// String describes the polynomial, the order of bits, and the first and the last step.
func (c *CRC) String() string {
	text := fmt.Sprintf("polynomial %#0*x", c.Bits/4, c.Poly)
	if c.Reflected {
		text += ", reflected"
	}
	text += fmt.Sprintf(", initial value %#x", c.Init)
	if c.Xor != 0 {
		text += fmt.Sprintf(", final exclusive or %#x", c.Xor)
	}
	return text
}

// crc returns the description of a CRC.
func crc(name, doc string, c CRC) SumInfo {
	return SumInfo{Name: name, Bits: c.Bits, Word: 1, CRC: &c, Doc: doc}
}

// Sums describes every checksum.
var Sums = [NumChecksums]SumInfo{
	Adler32:      {Name: "adler32", Bits: 32, Word: 1, Doc: "the Adler-32 of the bytes, as in zlib"},
	Inet:         {Name: "inet", Bits: 16, Word: 2, Doc: "the internet checksum: the complement of the ones' complement sum of the big-endian words of 16 bits"},
	Sum8:         {Name: "sum8", Bits: 32, Cut: true, Word: 1, Doc: "the sum of the bytes, modulo 2^32 or as many bits as the row has"},
	Sum16:        {Name: "sum16", Bits: 32, Cut: true, Word: 2, Doc: "the sum of the words of 16 bits in the order of the schema, modulo 2^32 or as many bits as the row has"},
	Sum32:        {Name: "sum32", Bits: 32, Cut: true, Word: 4, Doc: "the sum of the words of 32 bits in the order of the schema, modulo 2^32 or as many bits as the row has"},
	Xor8:         {Name: "xor8", Bits: 8, Word: 1, Doc: "the exclusive or of the bytes"},
	Xor16:        {Name: "xor16", Bits: 16, Word: 2, Doc: "the exclusive or of the words of 16 bits, in the order of the schema"},
	Xor32:        {Name: "xor32", Bits: 32, Word: 4, Doc: "the exclusive or of the words of 32 bits, in the order of the schema"},
	CRC32:        crc("crc32", "the CRC-32 of Ethernet, gzip and PNG of the bytes", CRC{32, 0x04c11db7, 0xffffffff, true, 0xffffffff}),
	CRC16ARC:     crc("crc16_arc", "the CRC-16/ARC of the bytes", CRC{16, 0x8005, 0, true, 0}),
	CRC16CCITT:   crc("crc16_ccitt", "the CRC-16/CCITT of the bytes", CRC{16, 0x1021, 0xffff, false, 0}),
	CRC16XMODEM:  crc("crc16_xmodem", "the CRC-16/XMODEM of the bytes", CRC{16, 0x1021, 0, false, 0}),
	CRC8SMBus:    crc("crc8_smbus", "the CRC-8 of SMBus and FLAC of the bytes", CRC{8, 0x07, 0, false, 0}),
	CRC8Maxim:    crc("crc8_maxim", "the CRC-8 of 1-Wire of the bytes", CRC{8, 0x31, 0, true, 0}),
	CRC16Kermit:  crc("crc16_kermit", "the CRC-16/KERMIT of the bytes", CRC{16, 0x1021, 0, true, 0}),
	CRC16Modbus:  crc("crc16_modbus", "the CRC-16 of Modbus of the bytes", CRC{16, 0x8005, 0xffff, true, 0}),
	CRC16UMTS:    crc("crc16_umts", "the CRC-16 of UMTS and FLAC of the bytes", CRC{16, 0x8005, 0, false, 0}),
	CRC16X25:     crc("crc16_x25", "the CRC-16 of X.25, HDLC and PPP of the bytes", CRC{16, 0x1021, 0xffff, true, 0xffff}),
	CRC24OpenPGP: crc("crc24_openpgp", "the CRC-24 of OpenPGP of the bytes", CRC{24, 0x864cfb, 0xb704ce, false, 0}),
	CRC32C:       crc("crc32c", "the CRC-32C of iSCSI, SCTP and ext4 of the bytes", CRC{32, 0x1edc6f41, 0xffffffff, true, 0xffffffff}),
	CRC32BZIP2:   crc("crc32_bzip2", "the CRC-32 of bzip2 of the bytes", CRC{32, 0x04c11db7, 0xffffffff, false, 0xffffffff}),
	CRC32MPEG2:   crc("crc32_mpeg2", "the CRC-32 of MPEG-2 of the bytes", CRC{32, 0x04c11db7, 0xffffffff, false, 0}),
	CRC32Ogg:     crc("crc32_ogg", "the CRC-32 of Ogg of the bytes", CRC{32, 0x04c11db7, 0, false, 0}),
	CRC8DVBS2:    crc("crc8_dvb_s2", "the CRC-8 of DVB-S2 of the bytes", CRC{8, 0xd5, 0, false, 0}),
	CRC8ITU:      crc("crc8_itu", "the CRC-8 of ITU-T I.432 and ATM of the bytes", CRC{8, 0x07, 0, false, 0x55}),
	CRC8J1850:    crc("crc8_j1850", "the CRC-8 of SAE J1850 of the bytes", CRC{8, 0x1d, 0xff, false, 0xff}),
	CRC8H2F:      crc("crc8_h2f", "the CRC-8 of AUTOSAR with polynomial 0x2f of the bytes", CRC{8, 0x2f, 0xff, false, 0xff}),
	CRC16DNP:     crc("crc16_dnp", "the CRC-16 of DNP3 of the bytes", CRC{16, 0x3d65, 0, true, 0xffff}),
	CRC16EN13757: crc("crc16_en13757", "the CRC-16 of EN 13757 and wireless M-Bus of the bytes", CRC{16, 0x3d65, 0, false, 0xffff}),
	CRC16GENIBUS: crc("crc16_genibus", "the CRC-16 of GENIBUS and EPC tags of the bytes", CRC{16, 0x1021, 0xffff, false, 0xffff}),
	CRC16MCRF4XX: crc("crc16_mcrf4xx", "the CRC-16/MCRF4XX of the bytes, as in MAVLink", CRC{16, 0x1021, 0xffff, true, 0}),
	CRC16T10DIF:  crc("crc16_t10_dif", "the CRC-16 of SCSI of the bytes", CRC{16, 0x8bb7, 0, false, 0}),
	CRC16USB:     crc("crc16_usb", "the CRC-16 of USB of the bytes", CRC{16, 0x8005, 0xffff, true, 0xffff}),
	CRC24BLE:     crc("crc24_ble", "the CRC-24 of Bluetooth Low Energy of the bytes, in advertisements", CRC{24, 0x00065b, 0x555555, true, 0}),
	CRC24Q:       crc("crc24_q", "the CRC-24Q of RTCM 3 and SBAS of the bytes", CRC{24, 0x864cfb, 0, false, 0}),
	CRC32AUTOSAR: crc("crc32_autosar", "the CRC-32 of AUTOSAR of the bytes", CRC{32, 0xf4acfb13, 0xffffffff, true, 0xffffffff}),
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
	switch info := &Sums[c]; {
	case c == Adler32:
		s.adler = adler32.New()
	case info.CRC != nil && c != CRC32:
		s.state = uint64(info.CRC.begin())
	}
	return s
}

// Add adds bytes.
func (s *Summing) Add(b []byte) {
	switch c := Sums[s.of].CRC; {
	case s.of == CRC32:
		s.state = uint64(crc32.Update(uint32(s.state), crc32.IEEETable, b))
	case s.of == Adler32:
		s.adler.Write(b)
	case c != nil:
		s.state = uint64(c.add(uint32(s.state), crcTables[s.of](), b))
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
		if word := uint64(x) << shift; s.of == Xor8 || s.of == Xor16 || s.of == Xor32 {
			s.state ^= word
		} else {
			s.state += word
		}
		s.n = (s.n + 1) % width
	}
}

// Repeat adds the same byte n times.
func (s *Summing) Repeat(x byte, n int) {
	if x == 0 && s.of != Adler32 && Sums[s.of].CRC == nil { // a checksum of words
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
	switch c := Sums[s.of].CRC; {
	case s.of == Adler32:
		return uint64(s.adler.Sum32())
	case c != nil && s.of != CRC32:
		return uint64(c.end(uint32(s.state)))
	case s.of == Inet:
		x := s.state
		for x>>16 != 0 {
			x = x>>16 + x&0xffff
		}
		return ^x & 0xffff
	}
	return s.state & 0xffffffff
}

// The state of a CRC whose lowest bits are taken first is in the lowest bits, with the powers of x in reverse order; that of
// another one in the highest bits of 32.

// Low returns the polynomial with its bits in reverse order.
func (c *CRC) Low() uint32 { return bits.Reverse32(c.Poly) >> (32 - c.Bits) }

// LowInit returns the initial value with its bits in reverse order.
func (c *CRC) LowInit() uint32 { return bits.Reverse32(c.Init) >> (32 - c.Bits) }

func (c *CRC) begin() uint32 {
	if c.Reflected {
		return c.LowInit()
	}
	return c.Init << (32 - c.Bits)
}

func (c *CRC) end(state uint32) uint32 {
	if !c.Reflected {
		state >>= 32 - c.Bits
	}
	return state ^ c.Xor
}

func (c *CRC) add(state uint32, t *[256]uint32, b []byte) uint32 {
	if c.Reflected {
		for _, x := range b {
			state = state>>8 ^ t[byte(state)^x]
		}
		return state
	}
	for _, x := range b {
		state = state<<8 ^ t[byte(state>>24)^x]
	}
	return state
}

// table returns the state after each byte from the state 0.
func (c *CRC) table() *[256]uint32 {
	t := new([256]uint32)
	for i := range t {
		if c.Reflected {
			x := uint32(i)
			for range 8 {
				x = x>>1 ^ x&1*c.Low()
			}
			t[i] = x
			continue
		}
		x := uint32(i) << 24
		for range 8 {
			x = x<<1 ^ x>>31*(c.Poly<<(32-c.Bits))
		}
		t[i] = x
	}
	return t
}

// crcTables has the table of each CRC, which is made when it is needed first.
var crcTables = func() (tables [NumChecksums]func() *[256]uint32) {
	for c := range NumChecksums {
		if crc := Sums[c].CRC; crc != nil {
			tables[c] = sync.OnceValue(crc.table)
		}
	}
	return tables
}()
