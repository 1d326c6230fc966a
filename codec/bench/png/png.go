// Package png is a workload of PNG files. They have chunks with checksums, a palette, texts and image data that stays
// compressed. The package has the files, and code written by hand that reads and writes the same cells as octable's
// interpreter and the types of octable's generated code. The code written by hand knows the chunks of the files.
package png

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"unicode/utf8"
	"unsafe"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
	gen "github.com/octable/octable/codec/bench/run-go-generate/png"
	"github.com/octable/octable/codec/bench/suite"
)

// Files is the number of files of the workload.
const Files = 16

var (
	errShort    = errors.New("png: the file ends inside a chunk")
	errMagic    = errors.New("png: the signature or the header is not that of a PNG file")
	errValue    = errors.New("png: a field has a value that the format does not have")
	errChecksum = errors.New("png: the checksum of a chunk is wrong")
	errSize     = errors.New("png: a chunk is longer or shorter than its fields")
	errRange    = errors.New("png: a number does not fit its field")
	errType     = errors.New("png: a chunk has the data of another type")
	errText     = errors.New("png: a text is not Latin-1")
)

const (
	header      = 33 // bytes of signature and header
	chunkHeader = 8
	greatest    = 0x7fffffff
	indexed     = 3 // colour type of images with a palette
)

// The types of chunks.
var (
	codePLTE = gen.CodeOf("PLTE")
	codeIDAT = gen.CodeOf("IDAT")
	codeIEND = gen.CodeOf("IEND")
	codeTRNS = gen.CodeOf("tRNS")
	codeGAMA = gen.CodeOf("gAMA")
	codePHYS = gen.CodeOf("pHYs")
	codeTEXT = gen.CodeOf("tEXt")
	codeTIME = gen.CodeOf("tIME")
)

// head is the first 16 bytes of a file.
var head = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")

var format = suite.Format{Workload: "png", Codec: func() *codec.Codec { return suite.Spec("png") }, Wire: Wire}

// Values is the code that fills cells.
var Values = suite.Values{Format: format, Read: readValue, Write: appendValue}

// Typed is the code for the types that octable generates.
var Typed = suite.Typed[gen.File]{
	Format:  format,
	Decoder: func() suite.Decode[gen.File] { return (&gen.Decoder{Options: gen.Options{Alias: true}}).DecodeInto },
	Read:    gen.Options{Alias: true}.DecodeInto, HandRead: readFile,
	Write: gen.Append, HandWrite: appendFile,
	Interfaces: interfaces,
}

// Register adds the cases.
func Register(ours string) {
	Values.Register(ours)
	Typed.Register(ours)
}

// Wire returns the bytes of the files.
func Wire() [][]byte {
	r := rand.New(rand.NewPCG(2026, 14))
	bytes := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	list := make([][]byte, Files)
	for i := range list {
		f := gen.File{Width: 64, Height: 64, BitDepth: 8, ColourType: indexed}
		add := func(code gen.Code, data gen.Data) { f.Chunks = append(f.Chunks, gen.Chunk{Type: code, Data: data}) }
		add(codeGAMA, gen.GAMA(45455))
		palette := make(gen.PLTE, 16)
		for j := range palette {
			copy(palette[j][:], bytes(3))
		}
		add(codePLTE, palette)
		add(codeTRNS, gen.TRNS{Alpha: bytes(16)})
		add(codePHYS, gen.PHYs{X: 2835, Y: 2835, Unit: 1})
		add(codeTIME, gen.TIME{Year: 2026, Month: 11, Day: uint8(1 + i), Hour: 12})
		add(codeTEXT, gen.TEXt{Keyword: "Title", Text: fmt.Sprint("image ", i)})
		add(codeTEXT, gen.TEXt{Keyword: "Software", Text: "made for a measurement"})
		for range 8 {
			add(codeIDAT, gen.IDAT(bytes(100+r.IntN(400))))
		}
		add(codeIEND, gen.IEND{})
		b, err := appendFile(nil, &f)
		cases.Must(err)
		list[i] = b
	}
	return list
}

// latin1 returns bytes of Latin-1 as text, which shares their memory if it is ASCII.
func latin1(b []byte) string {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			runes := make([]rune, len(b))
			for i, c := range b {
				runes[i] = rune(c)
			}
			return string(runes)
		}
	}
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// appendLatin1 appends text as Latin-1.
func appendLatin1(out []byte, s string) ([]byte, error) {
	for i, c := range s {
		if c > 0xff || c == utf8.RuneError && s[i] != 0xef {
			return out, errText
		}
		out = append(out, byte(c))
	}
	return out, nil
}

// validDepth reports whether a sample or an index may have a number of bits.
func validDepth(n byte) bool { return n == 1 || n == 2 || n == 4 || n == 8 || n == 16 }

// validColour reports whether a number is a colour type.
func validColour(n byte) bool { return n <= 6 && n != 1 && n != 5 }
