// The types of octable's generated code, read and written by hand.

package png

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"

	gen "github.com/octable/octable/codec/bench/run-go-generate/png"
	"github.com/octable/octable/codec/bench/suite"
)

// checkHeader checks the signature and the header.
func checkHeader(b []byte) error {
	if len(b) < header {
		return errShort
	}
	if !bytes.Equal(b[:16], head) {
		return errMagic
	}
	w, h := binary.BigEndian.Uint32(b[16:]), binary.BigEndian.Uint32(b[20:])
	if w < 1 || w > greatest || h < 1 || h > greatest || !validDepth(b[24]) || !validColour(b[25]) || b[26] != 0 || b[27] != 0 || b[28] > 1 {
		return errValue
	}
	if crc32.ChecksumIEEE(b[12:29]) != binary.BigEndian.Uint32(b[29:]) {
		return errChecksum
	}
	return nil
}

// next returns the type and the data of the chunk at the beginning of b, and what follows it.
func next(b []byte) (code gen.Code, data, rest []byte, err error) {
	if len(b) < chunkHeader+4 {
		return 0, nil, nil, errShort
	}
	n := binary.BigEndian.Uint32(b)
	if n > greatest || uint64(n) > uint64(len(b)-chunkHeader-4) {
		return 0, nil, nil, errShort
	}
	end := chunkHeader + int(n)
	if crc32.ChecksumIEEE(b[4:end]) != binary.BigEndian.Uint32(b[end:]) {
		return 0, nil, nil, errChecksum
	}
	return gen.Code(binary.LittleEndian.Uint32(b[4:])), b[chunkHeader:end:end], b[end+4:], nil
}

// readFile reads a file into x, whose slices are used again. Texts and bytes share the memory of b.
func readFile(x *gen.File, b []byte) (int, error) {
	if err := checkHeader(b); err != nil {
		return 0, err
	}
	x.Width, x.Height = binary.BigEndian.Uint32(b[16:]), binary.BigEndian.Uint32(b[20:])
	x.BitDepth, x.ColourType, x.Interlace = b[24], b[25], b[28]
	x.Chunks = x.Chunks[:0]
	for rest := b[header:]; ; {
		code, data, after, err := next(rest)
		if err != nil {
			return 0, err
		}
		c := gen.Chunk{Type: code}
		if c.Data, err = readChunk(code, x.ColourType, data); err != nil {
			return 0, err
		}
		x.Chunks = append(x.Chunks, c)
		rest = after
		if code == codeIEND {
			return len(b) - len(rest), nil
		}
	}
}

func readChunk(code gen.Code, colour byte, b []byte) (gen.Data, error) {
	switch code {
	case codeIDAT:
		return gen.IDAT(b), nil
	case codeIEND:
		if len(b) != 0 {
			return nil, errSize
		}
		return gen.IEND{}, nil
	case codePLTE:
		if len(b)%3 != 0 {
			return nil, errSize
		}
		p := make(gen.PLTE, len(b)/3)
		for i := range p {
			p[i] = [3]uint8(b[3*i:])
		}
		return p, nil
	case codeTRNS:
		if colour != indexed {
			return nil, suite.ErrUnsupported
		}
		return gen.TRNS{Alpha: b}, nil
	case codeGAMA:
		if len(b) != 4 {
			return nil, errSize
		}
		return gen.GAMA(binary.BigEndian.Uint32(b)), nil
	case codePHYS:
		if len(b) != 9 {
			return nil, errSize
		}
		if b[8] > 1 {
			return nil, errValue
		}
		return gen.PHYs{X: binary.BigEndian.Uint32(b), Y: binary.BigEndian.Uint32(b[4:]), Unit: b[8]}, nil
	case codeTEXT:
		n := bytes.IndexByte(b, 0)
		if n < 1 || n > 79 {
			return nil, errValue
		}
		return gen.TEXt{Keyword: latin1(b[:n]), Text: latin1(b[n+1:])}, nil
	case codeTIME:
		if len(b) != 7 {
			return nil, errSize
		}
		if !validTime(b[2:]) {
			return nil, errValue
		}
		return gen.TIME{Year: binary.BigEndian.Uint16(b), Month: b[2], Day: b[3], Hour: b[4], Minute: b[5], Second: b[6]}, nil
	}
	return nil, suite.ErrUnsupported
}

// validTime reports whether month, day, hour, minute and second are in their ranges.
func validTime(b []byte) bool {
	return b[0] >= 1 && b[0] <= 12 && b[1] >= 1 && b[1] <= 31 && b[2] <= 23 && b[3] <= 59 && b[4] <= 60
}

// appendFile appends a file.
func appendFile(out []byte, x *gen.File) ([]byte, error) {
	if x.Width < 1 || x.Width > greatest || x.Height < 1 || x.Height > greatest || !validDepth(x.BitDepth) || !validColour(x.ColourType) || x.Interlace > 1 {
		return out, errValue
	}
	at := len(out)
	out = append(out, head...)
	out = binary.BigEndian.AppendUint32(out, x.Width)
	out = binary.BigEndian.AppendUint32(out, x.Height)
	out = append(out, x.BitDepth, x.ColourType, 0, 0, x.Interlace)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[at+12:]))
	last := len(x.Chunks) - 1
	if last < 0 {
		return out, errType
	}
	for i := range x.Chunks {
		c := &x.Chunks[i]
		if (c.Type == codeIEND) != (i == last) {
			return out, errType
		}
		at := len(out)
		out = append(out, 0, 0, 0, 0, byte(c.Type), byte(c.Type>>8), byte(c.Type>>16), byte(c.Type>>24))
		var err error
		if out, err = appendChunk(out, c, x.ColourType); err != nil {
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

func appendChunk(out []byte, c *gen.Chunk, colour byte) ([]byte, error) {
	var want gen.Code
	switch x := c.Data.(type) {
	case gen.IDAT:
		want, out = codeIDAT, append(out, x...)
	case gen.IEND:
		want = codeIEND
	case gen.PLTE:
		want = codePLTE
		for i := range x {
			out = append(out, x[i][:]...)
		}
	case gen.TRNS:
		if colour != indexed {
			return out, suite.ErrUnsupported
		}
		if x.Alpha == nil || x.Grey != nil || x.Red != nil || x.Green != nil || x.Blue != nil {
			return out, errType
		}
		want, out = codeTRNS, append(out, x.Alpha...)
	case gen.GAMA:
		want, out = codeGAMA, binary.BigEndian.AppendUint32(out, uint32(x))
	case gen.PHYs:
		if x.Unit > 1 {
			return out, errValue
		}
		out = binary.BigEndian.AppendUint32(out, x.X)
		out = binary.BigEndian.AppendUint32(out, x.Y)
		want, out = codePHYS, append(out, x.Unit)
	case gen.TEXt:
		if strings.IndexByte(x.Keyword, 0) >= 0 {
			return out, errText
		}
		at := len(out)
		var err error
		if out, err = appendLatin1(out, x.Keyword); err != nil {
			return out, err
		}
		if n := len(out) - at; n < 1 || n > 79 {
			return out, errValue
		}
		if out, err = appendLatin1(append(out, 0), x.Text); err != nil {
			return out, err
		}
		want = codeTEXT
	case gen.TIME:
		out = binary.BigEndian.AppendUint16(out, x.Year)
		out = append(out, x.Month, x.Day, x.Hour, x.Minute, x.Second)
		if !validTime(out[len(out)-5:]) {
			return out, errValue
		}
		want = codeTIME
	default:
		return out, suite.ErrUnsupported
	}
	if c.Type != want {
		return out, errType
	}
	return out, nil
}
