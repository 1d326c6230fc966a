package builtin

import "testing"

// TestSums compares each checksum with published values, in one piece and in two.
func TestSums(t *testing.T) {
	const digits = "123456789"
	for _, c := range []struct {
		of   Checksum
		in   string
		big  bool
		want uint64
	}{
		{CRC32, digits, true, 0xcbf43926},
		{CRC16ARC, digits, true, 0xbb3d},
		{CRC16CCITT, digits, false, 0x29b1},
		{CRC16XMODEM, digits, false, 0x31c3},
		{CRC8SMBus, digits, false, 0xf4},
		{CRC8Maxim, digits, false, 0xa1},
		{CRC16Kermit, digits, false, 0x2189},
		{CRC16Modbus, digits, true, 0x4b37},
		{CRC16UMTS, digits, false, 0xfee8},
		{CRC16X25, digits, false, 0x906e},
		{CRC24OpenPGP, digits, false, 0x21cf02},
		{CRC32C, digits, false, 0xe3069283},
		{CRC32BZIP2, digits, true, 0xfc891918},
		{CRC32MPEG2, digits, false, 0x0376e6e7},
		{CRC32Ogg, digits, false, 0x89a1897f},
		{CRC8DVBS2, digits, false, 0xbc},
		{CRC8ITU, digits, false, 0xa1},
		{CRC8J1850, digits, false, 0x4b},
		{CRC8H2F, digits, false, 0xdf},
		{CRC16DNP, digits, false, 0xea82},
		{CRC16EN13757, digits, false, 0xc2b7},
		{CRC16GENIBUS, digits, false, 0xd64e},
		{CRC16MCRF4XX, digits, false, 0x6f91},
		{CRC16T10DIF, digits, false, 0xd0db},
		{CRC16USB, digits, false, 0xb4c8},
		{CRC24BLE, digits, false, 0xc25a56},
		{CRC24Q, digits, false, 0xcde703},
		{CRC32AUTOSAR, digits, false, 0x1697d06a},
		{Adler32, "Wikipedia", false, 0x11e60398},
		{Inet, "\x45\x00\x00\x73\x00\x00\x40\x00\x40\x11\x00\x00\xc0\xa8\x00\x01\xc0\xa8\x00\xc7", false, 0xb861},
		{Inet, "", false, 0xffff},
		{Sum8, digits, false, 0x1dd},
		{Sum16, "\x01\x02\x03", false, 0x0201 + 0x03},
		{Sum16, "\x01\x02\x03", true, 0x0102 + 0x0300},
		{Sum32, "\xff\xff\xff\xff\x02", true, 0x01ffffff},
		{Xor8, "\x0f\xff", true, 0xf0},
		{Xor16, "\x01\x02\x03", true, 0x0202},
		{Xor32, "\x01\x02\x03\x04\x05", false, 0x04030204},
	} {
		for cut := range len(c.in) + 1 {
			s := c.of.Begin(c.big)
			s.Add([]byte(c.in[:cut]))
			s.Add([]byte(c.in[cut:]))
			if got := s.Value(); got != c.want {
				t.Errorf("%s of %q, cut at %d: %#x, want %#x", c.of, c.in, cut, got, c.want)
			}
		}
	}
	a, b := Sum16.Begin(false), Sum16.Begin(false)
	a.Repeat(7, 131)
	for range 131 {
		b.Add([]byte{7})
	}
	if a.Value() != b.Value() {
		t.Errorf("%#x, want %#x", a.Value(), b.Value())
	}
}

// TestChecksums finds every checksum by its name, and no function of that name.
func TestChecksums(t *testing.T) {
	for _, name := range Checksums() {
		if c, ok := ChecksumNamed(name); !ok || c.String() != name {
			t.Errorf("%s is not found", name)
		}
		if op, ok := FunctionNamed(name); !ok || op != Sum {
			t.Errorf("%s is not a function", name)
		}
	}
	const want = "the CRC-16 of X.25, HDLC and PPP of the bytes: polynomial 0x1021, reflected, initial value 0xffff, final exclusive or 0xffff; a writer computes it, and a reader compares it"
	if _, value, _ := Usage("crc16_x25"); value != want {
		t.Errorf("crc16_x25 is %s", value)
	}
}
