// Cells, read and written by hand.

package png

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"strings"
	"unsafe"

	gen "github.com/octable/octable/codec/bench/run-go-generate/png"
	"github.com/octable/octable/codec/bench/suite"
	"github.com/octable/octable/codec/bench/value"
)

// The numbers of the types, which a test compares with those of the codec.
const (
	tagGAMA  = 256
	tagIEND  = 259
	tagTIME  = 260
	tagPLTE  = 261
	tagTRNS  = 271
	tagIDAT  = 272
	tagPHYS  = 281
	tagTEXT  = 283
	tagFile  = 288
	tagChunk = 289
)

func readValue(s *value.Slab, b []byte) (value.Value, int, error) {
	if err := checkHeader(b); err != nil {
		return value.Value{}, 0, err
	}
	n := 0
	for rest := b[header:]; ; n++ {
		if len(rest) < chunkHeader+4 {
			return value.Value{}, 0, errShort
		}
		size := binary.BigEndian.Uint32(rest)
		if uint64(size) > uint64(len(rest)-chunkHeader-4) {
			return value.Value{}, 0, errShort
		}
		if gen.Code(binary.LittleEndian.Uint32(rest[4:])) == codeIEND {
			break
		}
		rest = rest[chunkHeader+int(size)+4:]
	}
	list := s.Take(n + 1)
	rest := b[header:]
	for i := range list {
		code, data, after, err := next(rest)
		if err != nil {
			return value.Value{}, 0, err
		}
		c := s.Take(2)
		c[0] = value.Bits(uint32(code))
		if err := readChunkValue(s, &c[1], code, b[25], data); err != nil {
			return value.Value{}, 0, err
		}
		list[i] = value.MakeCells(value.Record, tagChunk, c)
		rest = after
	}
	c := s.Take(6)
	c[0], c[1] = value.Bits(binary.BigEndian.Uint32(b[16:])), value.Bits(binary.BigEndian.Uint32(b[20:]))
	c[2], c[3], c[4] = value.Bits(b[24]), value.Bits(b[25]), value.Bits(b[28])
	c[5] = value.MakeCells(value.List, 0, list)
	return value.MakeCells(value.Record, tagFile, c), len(b) - len(rest), nil
}

func text(b []byte) value.Value { return value.MakeText(0, latin1(b)) }

func readChunkValue(s *value.Slab, to *value.Value, code gen.Code, colour byte, b []byte) error {
	switch code {
	case codeIDAT:
		*to = value.BytesOf(tagIDAT, b)
	case codeIEND:
		if len(b) != 0 {
			return errSize
		}
		*to = value.MakeUnit(tagIEND)
	case codePLTE:
		if len(b)%3 != 0 {
			return errSize
		}
		*to = value.MakePacked(tagPLTE, value.U8, 3, b)
	case codeTRNS:
		if colour != indexed {
			return suite.ErrUnsupported
		}
		*to = value.BytesOf(tagTRNS, b)
	case codeGAMA:
		if len(b) != 4 {
			return errSize
		}
		*to = value.Big32(b)
		to.Tag = tagGAMA
	case codePHYS:
		if len(b) != 9 {
			return errSize
		}
		if b[8] > 1 {
			return errValue
		}
		c := s.Take(3)
		c[0], c[1], c[2] = value.Big32(b), value.Big32(b[4:]), value.Bits(b[8])
		*to = value.MakeCells(value.Record, tagPHYS, c)
	case codeTEXT:
		n := bytes.IndexByte(b, 0)
		if n < 1 || n > 79 {
			return errValue
		}
		c := s.Take(2)
		c[0], c[1] = text(b[:n]), text(b[n+1:])
		*to = value.MakeCells(value.Record, tagTEXT, c)
	case codeTIME:
		if len(b) != 7 {
			return errSize
		}
		if !validTime(b[2:]) {
			return errValue
		}
		c := s.Take(6)
		c[0] = value.Big16(b)
		for i := range c[1:] {
			c[1+i] = value.Bits(b[2+i])
		}
		*to = value.MakeCells(value.Record, tagTIME, c)
	default:
		return suite.ErrUnsupported
	}
	return nil
}

func appendValue(out []byte, v *value.Value) ([]byte, error) {
	c, err := value.Fields(v, tagFile, 6)
	if err != nil {
		return out, err
	}
	if value.Numbers(c[:2], greatest) != nil || value.Numbers(c[2:4], math.MaxUint8) != nil || value.Numbers(c[4:5], 1) != nil || c[0].U < 1 || c[1].U < 1 ||
		!validDepth(byte(c[2].U)) || !validColour(byte(c[3].U)) || c[5].Kind != value.List || c[5].N == 0 {
		return out, errValue
	}
	at := len(out)
	out = append(out, head...)
	out = binary.BigEndian.AppendUint32(out, uint32(c[0].U))
	out = binary.BigEndian.AppendUint32(out, uint32(c[1].U))
	out = append(out, byte(c[2].U), byte(c[3].U), 0, 0, byte(c[4].U))
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[at+12:]))
	list := c[5].Cells()
	for i := range list {
		chunk, err := value.Fields(&list[i], tagChunk, 2)
		if err != nil {
			return out, err
		}
		if err := value.Numbers(chunk[:1], math.MaxUint32); err != nil {
			return out, err
		}
		code := gen.Code(chunk[0].U)
		if (code == codeIEND) != (i == len(list)-1) {
			return out, errType
		}
		at := len(out)
		out = append(out, 0, 0, 0, 0, byte(code), byte(code>>8), byte(code>>16), byte(code>>24))
		if out, err = appendChunkValue(out, &chunk[1], code, byte(c[3].U)); err != nil {
			return out, err
		}
		size := len(out) - at - chunkHeader
		if size > greatest {
			return out, errRange
		}
		binary.BigEndian.PutUint32(out[at:], uint32(size))
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[at+4:]))
	}
	return out, nil
}

func appendChunkValue(out []byte, v *value.Value, code gen.Code, colour byte) ([]byte, error) {
	switch code {
	case codeIDAT:
		b, err := value.Array(v, tagIDAT)
		return append(out, b...), err
	case codeIEND:
		if v.Kind != value.Unit || v.Tag != tagIEND {
			return out, errType
		}
		return out, nil
	case codePLTE:
		if v.Kind != value.Packed || v.Tag != tagPLTE || v.Form != value.U8 || v.U != 3<<value.LanesShift {
			return out, errType
		}
		return append(out, unsafe.Slice((*byte)(v.P), 3*v.N)...), nil
	case codeTRNS:
		if colour != indexed {
			return out, suite.ErrUnsupported
		}
		b, err := value.Array(v, tagTRNS)
		return append(out, b...), err
	case codeGAMA:
		if v.Kind != value.Uint || v.Tag != tagGAMA || v.U > math.MaxUint32 {
			return out, errType
		}
		return binary.BigEndian.AppendUint32(out, uint32(v.U)), nil
	case codePHYS:
		c, err := value.Fields(v, tagPHYS, 3)
		if err != nil {
			return out, err
		}
		if value.Numbers(c[:2], math.MaxUint32) != nil || value.Numbers(c[2:], 1) != nil {
			return out, errRange
		}
		out = binary.BigEndian.AppendUint32(out, uint32(c[0].U))
		out = binary.BigEndian.AppendUint32(out, uint32(c[1].U))
		return append(out, byte(c[2].U)), nil
	case codeTEXT:
		c, err := value.Fields(v, tagTEXT, 2)
		if err != nil {
			return out, err
		}
		if c[0].Kind != value.Text || c[1].Kind != value.Text || strings.IndexByte(c[0].Text(), 0) >= 0 {
			return out, errText
		}
		at := len(out)
		if out, err = appendLatin1(out, c[0].Text()); err != nil {
			return out, err
		}
		if n := len(out) - at; n < 1 || n > 79 {
			return out, errValue
		}
		return appendLatin1(append(out, 0), c[1].Text())
	case codeTIME:
		c, err := value.Fields(v, tagTIME, 6)
		if err != nil {
			return out, err
		}
		if value.Numbers(c[:1], math.MaxUint16) != nil || value.Numbers(c[1:], math.MaxUint8) != nil {
			return out, errRange
		}
		out = binary.BigEndian.AppendUint16(out, uint16(c[0].U))
		for i := range c[1:] {
			out = append(out, byte(c[1+i].U))
		}
		if !validTime(out[len(out)-5:]) {
			return out, errValue
		}
		return out, nil
	}
	return out, suite.ErrUnsupported
}
