package formats

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"testing"

	"github.com/octable/octable/codec"
)

// kept reads bytes, and expects a writer to give the same bytes.
func kept(t *testing.T, c *codec.Codec, b []byte) {
	t.Helper()
	v, used, err := c.Decode(b)
	if err != nil {
		t.Error(err)
		return
	}
	if used != len(b) {
		t.Errorf("%d of %d bytes are read", used, len(b))
	}
	got, err := c.Encode(v)
	if err != nil {
		t.Error(err)
	} else if !bytes.Equal(got, b) {
		t.Errorf("%d bytes are written as %d other ones", len(b), len(got))
	}
}

// denied expects a kind of error at an offset.
func denied(t *testing.T, c *codec.Codec, b []byte, kind error, offset int) {
	t.Helper()
	var e *codec.Error
	if _, _, err := c.Decode(b); !errors.As(err, &e) || e.Kind != kind || e.Offset != offset {
		t.Errorf("got %v, want %v at %d", err, kind, offset)
	}
}

// little returns numbers, text and bytes in little-endian order.
func little(parts ...any) []byte {
	var out []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			out = append(out, p...)
		case []byte:
			out = append(out, p...)
		default:
			out, _ = binary.Append(out, binary.LittleEndian, p)
		}
	}
	return out
}

// section is a section of an ELF file.
type section struct {
	kind, link        uint32
	offset, size, ent uint64
}

// elfFile returns an ELF file without segments. The sections are in front of their headers.
func elfFile(content []byte, sections ...section) []byte {
	at := 64 + len(content)
	b := little("\x7fELF\x02\x01\x01\x00\x00", make([]byte, 7), uint16(1), uint16(62), uint32(1), uint64(0), uint64(0), uint64(at),
		uint32(0), uint16(64), uint16(0), uint16(0), uint16(64), uint16(len(sections)), uint16(1), content)
	for _, s := range sections {
		b = append(b, little(uint32(0), s.kind, uint64(0), uint64(0), s.offset, s.size, s.link, uint32(0), uint64(1), s.ent)...)
	}
	return b
}

// TestELF reads and writes small files, and refuses damaged ones.
func TestELF(t *testing.T) {
	c := codecOf(t, "../../spec/formats/elf64.oct")
	strings := "\x00.text\x00.symtab\x00"
	symbol := little(uint32(1), uint8(0x12), uint8(0), uint16(1), uint64(0), uint64(4))
	content := little(strings, "code", make([]byte, 3), symbol)
	null, text := section{}, section{kind: 1, offset: 64 + 15, size: 4}
	names, symbols := section{kind: 3, offset: 64, size: 15}, section{kind: 2, link: 1, offset: 64 + 22, size: 24, ent: 24}
	empty := section{kind: 1, offset: 64 + 7}
	nobits := section{kind: 8, offset: 9999, size: 9999}
	kept(t, c, elfFile(nil))
	kept(t, c, elfFile(content, null, names, text, symbols, empty, nobits))
	kept(t, c, elfFile(content, null, names, text, symbols, text)) // the same section twice

	gap := elfFile(content, null, names, text, symbols)
	gap[64+20] = 1
	kept(t, c, gap)
	kept(t, c, append(gap, 0, 1, 0))
	over := text
	over.offset--
	denied(t, c, elfFile(content, null, names, over, symbols), codec.ErrValue, 64+14)
	over = text
	over.offset, over.kind = 60, 1
	denied(t, c, elfFile(content, null, names, over, symbols), codec.ErrValue, 60)
	far := text
	far.offset = 1 << 40
	b := elfFile(content, null, names, far, symbols)
	denied(t, c, b, codec.ErrTruncated, 64+len(content)+3*64)
}

// TestELFProgram reads the test itself.
func TestELFProgram(t *testing.T) {
	name, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	f, err := elf.Open(name)
	if err != nil {
		t.Skipf("%s is no ELF file: %v", name, err)
	}
	defer f.Close()
	if f.Class != elf.ELFCLASS64 {
		t.Skipf("%s is not of 64 bits", name)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	kept(t, codecOf(t, "../../spec/formats/elf64.oct"), b)
}

// TestPCK reads and writes packs of each format.
func TestPCK(t *testing.T) {
	c := codecOf(t, "../../spec/formats/pck.oct")
	head := func(format uint32) []byte { return little("GDPC", format, uint32(4), uint32(4), uint32(1)) }
	entry := func(path string, offset, size int, more ...any) []byte {
		return append(little(uint32(len(path)), path, uint64(offset), uint64(size), make([]byte, 16)), little(more...)...)
	}
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	zeros := func(n int) []byte { return make([]byte, n) }

	begin := 20 + 64 + 4 + 2*(4+8+32)
	first := join(head(1), zeros(64), little(uint32(2)), entry("a\x00\x00\x00\x00\x00\x00\x00", begin+8, 3), entry("res://bb", begin, 0), zeros(8), []byte("abc"))
	kept(t, c, first)
	kept(t, c, append(first, zeros(13)...))

	begin = 20 + 12 + 64 + 4 + 3*(4+8+32+4)
	second := join(head(2), little(uint32(0), uint64(begin)), zeros(64), little(uint32(3)),
		entry("res://a\x00", 16, 5, uint32(0)), entry("res://b\x00", 0, 9, uint32(0)), entry("res://c\x00", 77, 7, uint32(2)),
		[]byte("123456789"), zeros(7), []byte("12345"))
	kept(t, c, second)

	third := join(head(3), little(uint32(2), uint64(100), uint64(128)), zeros(64), zeros(16), []byte("xyz"), zeros(5),
		little(uint32(1)), entry("res://x\x00", 20, 3, uint32(0)))
	kept(t, c, third)

	outside := bytes.Clone(first)
	binary.LittleEndian.PutUint64(outside[20+64+4+4+8:], 1<<30)
	denied(t, c, outside, codec.ErrTruncated, 20+64+4+4+8+32)
}

// TestOpenType reads and writes a small font, two of whose encodings have the same subtable. The
// checksum of each table and that of the file are compared.
func TestOpenType(t *testing.T) {
	c := codecOf(t, "../../spec/formats/opentype.oct")
	big := func(numbers ...any) []byte {
		var out []byte
		for _, n := range numbers {
			out, _ = binary.Append(out, binary.BigEndian, n)
		}
		return out
	}
	subtable := big([]uint16{4, 24, 0, 2, 2, 0, 0, 0xffff, 0, 0xffff, 1, 0})
	cmap := append(big([]uint16{0, 2, 0, 3}, uint32(20), []uint16{3, 1}, uint32(20)), subtable...)
	other := []byte("five.\x00\x00\x00") // with padding
	head := make([]byte, 56)
	binary.BigEndian.PutUint32(head[12:], 0x5f0f3cf5)
	sum := func(b []byte) (n uint32) {
		for ; len(b) > 0; b = b[4:] {
			n += binary.BigEndian.Uint32(b)
		}
		return n
	}
	begin := 12 + 3*16
	font := func(at uint32) []byte {
		b := big(uint32(0x00010000), []uint16{3, 32, 1, 16})
		b = append(b, big([]byte("cmap"), sum(cmap), uint32(begin), uint32(len(cmap)))...)
		b = append(b, big([]byte("head"), sum(head), uint32(begin+len(cmap)+len(other)), uint32(54))...)
		b = append(b, big([]byte("zzzz"), sum(other), at, uint32(5))...)
		b = append(append(append(b, cmap...), other...), head...)
		binary.BigEndian.PutUint32(b[begin+len(cmap)+len(other)+8:], 0xb1b0afba-sum(b))
		return b
	}
	kept(t, c, font(uint32(begin+len(cmap))))
	wrong := func(at, sum int) {
		t.Helper()
		b := font(uint32(begin + len(cmap)))
		b[at]++
		denied(t, c, b, codec.ErrChecksum, sum)
	}
	adjustment := begin + len(cmap) + len(other) + 8
	wrong(begin+len(cmap), 12+2*16+4) // a byte of a table
	wrong(12+16+7, 12+16+4)           // the checksum of head
	wrong(adjustment-8, 12+16+4)      // a byte of head
	wrong(adjustment+3, adjustment)   // the checksum of the file
	wrong(7, adjustment)              // a byte in no table
	denied(t, c, font(1<<20), codec.ErrTruncated, begin)
	damaged := font(uint32(begin + len(cmap)))
	damaged[begin+len(cmap)+5] = 1
	denied(t, c, damaged, codec.ErrValue, begin+len(cmap)+5)
	damaged = font(uint32(begin + len(cmap)))
	binary.BigEndian.PutUint32(damaged[begin+16:], 99) // of the second encoding
	denied(t, c, damaged, codec.ErrTruncated, begin+20)
}
