package codec_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

type (
	codedAll struct {
		A uint64  `octable:"a"`
		B int8    `octable:"b"`
		C *int16  `octable:"c"`
		D uint16  `octable:"d"`
		E *uint64 `octable:"e"`
		F uint32  `octable:"f"`
		G uint64  `octable:"g"`
		H uint64  `octable:"h"`
	}
	codedLists struct {
		Xs []uint16 `octable:"xs"`
		Ys []int32  `octable:"ys"`
	}
	codedText struct {
		Text string `octable:"text"`
		K    uint8  `octable:"k"`
		X    uint8  `octable:"x,omitempty"`
	}
	codedBits struct {
		Wire  uint8   `octable:"wire"`
		Field uint64  `octable:"field"`
		Small *int64  `octable:"small"`
		Large *uint64 `octable:"large"`
	}
	codedInner struct {
		A struct {
			B struct {
				X    uint16 `octable:"x"`
				Rest []byte `octable:"rest"`
			} `octable:"b"`
			Y uint16 `octable:"y"`
		} `octable:"a"`
		Last uint8 `octable:"last"`
	}
	codedDigits struct {
		A    uint16 `octable:"a"`
		B    int16  `octable:"b"`
		Low  uint8  `octable:"low"`
		High uint8  `octable:"high"`
		Body []byte `octable:"body"`
	}
	codedEntries struct {
		Entries []codedEntry `octable:"entries"`
	}
	codedEntry struct {
		Name  string  `octable:"name"`
		Zeros *[]byte `octable:"zeros"`
		Mode  *uint16 `octable:"mode"`
		Tail  *struct {
			One *shapeItem `octable:"one"`
			Two *shapePair `octable:"two"`
		} `octable:"tail"`
	}
	codedFlags struct {
		Shared bool    `octable:"shared"`
		Least  uint64  `octable:"least"`
		Most   *uint64 `octable:"most"`
		More   uint8   `octable:"more,omitempty"`
	}
	codedArm struct {
		Tail struct {
			One *shapeItem `octable:"one"`
			Two *shapePair `octable:"two"`
		} `octable:"tail"`
	}
	codedSums struct {
		Sizes []uint8   `octable:"sizes"`
		Body  []byte    `octable:"body"`
		Item  shapeItem `octable:"item"`
		Name  string    `octable:"name"`
		Words []uint16  `octable:"words"`
	}
	codedSumsAbsent struct {
		Two   [2]int16  `octable:"two"`
		More  *[]uint64 `octable:"more"`
		List  []uint8   `octable:"list"`
		Bytes []byte    `octable:"bytes"`
	}
	codedHalves struct {
		A    float32   `octable:"a"`
		B    *float64  `octable:"b"`
		List []float32 `octable:"list"`
		Rows []float64 `octable:"rows"`
	}
	codedPair struct {
		A    uint8 `octable:"a"`
		Pair struct {
			X float64 `octable:"x"`
			Y float32 `octable:"y"`
		} `octable:"pair"`
		B uint8 `octable:"b"`
	}
	codedCharsets struct {
		Text  string `octable:"text"`
		Magic string `octable:"magic"`
		Bytes []byte `octable:"bytes"`
		X     *uint8 `octable:"x"`
	}
	codedNames struct {
		Name string   `octable:"name"`
		Pair *[2]byte `octable:"pair"`
		One  *uint8   `octable:"one"`
		Item uint8    `octable:"item"`
	}
	codedMore struct {
		Tag   uint16  `octable:"tag"`
		Extra *[]byte `octable:"extra"`
	}
	codedLeft struct {
		Address uint8  `octable:"address"`
		Inner   []byte `octable:"inner"`
	}
	codedBody struct {
		One *struct {
			A uint8 `octable:"a"`
		} `octable:"one"`
		Other *struct {
			B *string `octable:"b"`
		} `octable:"other"`
	}
	codedPointers struct {
		ID   *string   `octable:"id"`
		Body codedBody `octable:"body"`
	}
	codedHead struct {
		A *struct {
			X uint8 `octable:"x,omitempty"`
		} `octable:"a"`
	}
	codedSingle struct {
		Float *struct {
			Value float32 `octable:"value"`
		} `octable:"float"`
	}
	codedPrecisions struct {
		Float *struct {
			Value float64 `octable:"value"`
		} `octable:"float"`
	}
	codedLetters struct {
		ID   string    `octable:"id"`
		Sub  string    `octable:"sub"`
		Body codedBody `octable:"body"`
		List []string  `octable:"list"`
	}
	codedPointed struct {
		Tail *struct {
			One *shapeItem `octable:"one"`
			Two *shapePair `octable:"two"`
		} `octable:"tail"`
	}
)

// codedHooked is a number that reads itself from a text.
type codedHooked uint8

func (x *codedHooked) UnmarshalText(b []byte) error {
	*x = codedHooked(len(b))
	return nil
}

// codedTar is a schema of files with checksums, up to one without a name.
const codedTar = `type T {
    | 0 | N | E[until len(name) == 0] | entries |
}
type E {
    | 0 | 4 | path[4] | name | fill "00"
    if len(name) == 0 {
        | 4 | 3 | u8[3] | zeros | fill "00"
    } else {
        | 4  | 4 | octal[4]    | mode |
        | 8  | 6 | octal[6]    | sum = sum8(name..tail with sum as 0x20) | fill "0020"
        | 14 | 1 | u8          | magic = arm(tail) |
        | 15 | M | Tail(magic) | tail |
    }
}
union Tail(magic) by magic {}
arm Tail 1 one {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b | if a > 4
}
arm Tail 2 two {
    | 0 | 2 | i16 | x |
    | 2 | 2 | i16 | y |
}
encoding path {
    utf8 unchecked
    bom  keep
    nul  keep
}`

// codedFile returns a file of codedTar with its checksum.
func codedFile(before, after string) string {
	sum := 6 * 0x20
	for _, c := range []byte(before + after) {
		sum += int(c)
	}
	return fmt.Sprintf("%s%04o\x00 %s", before, sum, after)
}

// codedNumbers returns numbers in digits with their checksum, and a body.
func codedNumbers(before, body string) string {
	sum := 6 * 0x20
	for _, c := range []byte(before + body) {
		sum += int(c)
	}
	return fmt.Sprintf("%s%06X%s", before, sum, body)
}

// codedArms is a schema with the number of an arm before the arm.
const codedArms = `type T {
    | 0 | N | leb128 | magic = arm(tail) |
    | N | M | Tail(magic) | tail |
}
union Tail(magic) by magic {}
arm Tail 0..298 refused {
    refuse "no"
}
arm Tail 299 one {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b | if a > 4
}
arm Tail 300 two {
    | 0 | 2 | i16 | x |
    | 2 | 2 | i16 | y |
}`

// shapesCoded are for [TestShapes]: numbers of varying width and in digits, and words that schemas with these have.
var shapesCoded = []shapeCase{
	{"numbers of varying width", `type T {
    | 0 | N | leb128 | a |
    | A | O | sleb128 | b |
    | B | I | zigzag | c |
    | C | J | vlq | d | any
    | D | K | ber | e | any
    | E | L | quic | f | check f != 3
    | F | M | compactsize | g |
    | G | Q | ebml | h |
}`, codedAll{}, []string{"\x05\x7f\x03\x07\x05\x06\x07\x85", "\xac\x02\xbf\x7f\xfe\xff\x03\x81\x00\x81\x80\x7f\xff\xfd\xff\x01\x41\x00", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x83\xff\x7f\x88\x80\x00\x00\x00\x00\x00\x00\x00\x80\x00\x40\x00\x00\x81"},
		[]string{"\x05\x7f\x03\x80\x07\x81\x05\x06\x07\x85", "\x85\x00\x7f\x03\x07\x05\x06\x07\x85", "\x05\xff\x03\x03\x07\x05\x06\x07\x85", "\x05\x7f\x03\x07\x05\x03\x07\x85", "\x05\x7f\x03\x07\x05\x40\x06\x07\x85", "\x05\x7f\x80", "", "\x05\x7f\x03\x07\x80\x06\x07\x85"}},
	{"lists of numbers of varying width", `type T {
    | 0 | N | leb128 | n = count(xs) |
    | N | M | leb128[n] | xs | any
    | P | R | sleb128[until end] | ys |
}`, codedLists{}, []string{"\x00", "\x03\x01\x02\xac\x02\x7f\x05\x80\x7f"}, []string{"\x01\x80\x80\x04", "\x01\x81\x00\x7f", "\x02\x01", "\x00\x80", "\x00\xff\xff\xff\xff\x7f"}},
	{"a text behind its length, and a condition", `type T {
    | 0 | N | leb128 | n = len(text) | any
    | N | n | utf8[n] | text | check n < 300
    | P | K | vlq | k |
    if k > 2 { | Q | 1 | u8 | x | }
}`, codedText{}, []string{"\x02ab\x02", "\x00\x03\x05", "\x80\x01" + strings.Repeat("a", 128) + "\x7f\x05"}, []string{"\x82\x00ab\x02", "\x03ab\x02", "\xac\x02" + strings.Repeat("a", 300) + "\x02", "\x00\x82\x00\x05"}},
	{"bits of a number of varying width", `type T {
    | 0 | L | leb128 | key | {
        0..2   wire
        3..63  field
    } any
    if wire == 0 { | X | M | zigzag | small | } else { | X | N | vlq | large | check large > 2 }
}`, codedBits{}, []string{"\x08\x03", "\x09\x03", "\xf9\xff\xff\xff\xff\xff\xff\xff\xff\x01\x81\x00"}, []string{"\x09\x02", "\x88\x00\x03"}},
	{"lengths of varying width in each other", `type T {
    | 0 | L | leb128 | n = size(a) |
    | L | n | A | a |
    | P | 1 | u8 | last |
}
type A {
    | 0 | M | ber | m = size(b) | any
    | M | m | B | b | check size(b) != 5
    | Q | 2 | u16 | y |
}
type B {
    | 0 | 2 | u16 | x |
    | 2 | R | u8[until end] | rest |
}`, codedInner{}, []string{"\x05\x02\x01\x02\x03\x04\x05", "\xac\x01\x81\xa8\x01\x02" + strings.Repeat("r", 166) + "\x03\x04\x05"}, []string{"\x06\x81\x02\x01\x02\x03\x04\x05", "\x05\x03\x01\x02\x03\x04\x05", "\x08\x05\x01\x02\x00\x00\x00\x03\x04\x05"}},
	{"numbers in digits", `type T {
    | 0  | 4    | octal[4]   | a |
    | 4  | 3    | decimal[3] | b | any
    | 7  | 3    | hex[3]     | c | {
        0..3  low
        4..7  high
    } left fill "00"
    | 10 | 4    | decimal[4] | size = size(body) | right
    | 14 | 6    | HEX[6]     | sum = sum8(a..body with sum as 0x20) |
    | 20 | size | u8[until end] | body |
}`, codedDigits{}, []string{codedNumbers("644\x00007f \x00   3", "abc"), codedNumbers("000\x0099911\x00   0", "")},
		[]string{codedNumbers("64x\x00007f \x00   3", "abc"), codedNumbers("644\x00  7f \x00   3", "abc"), codedNumbers("644\x00007F \x00   3", "abc"), codedNumbers("644\x00007f \x000003", "abc"), "644\x00007f \x00   3000000abc", "644\x00"}},
	{"a checksum in digits under a condition", codedTar, codedEntries{}, []string{"\x00\x00\x00\x00\x00\x00\x00", codedFile("ab\x00\x00644\x00", "\x01\x01") + codedFile("abcd000\x00", "\x02\x00\x01\x00\x02") + "\x00\x00\x00\x00\x00\x00\x00"},
		[]string{codedFile("ab\x00\x00644\x00", "\x01\x01"), strings.Replace(codedFile("ab\x00\x00644\x00", "\x01\x01"), "a", "b", 1) + "\x00\x00\x00\x00\x00\x00\x00", codedFile("ab\x00\x00648\x00", "\x01\x01") + "\x00\x00\x00\x00\x00\x00\x00", codedFile("ab\x00\x00644\x00", "\x08\x01") + "\x00\x00\x00\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x01"}},
	{"a number of varying width if another field is there", `type T {
    | 0 | 1 | u8 | flags | {
        0  has_most = present(most)
        1  shared
        2  has_more = present(more)
    }
    | 1 | L | leb128 | least |
    | P | M | leb128 | most  | any if has_most
    | Q | 1 | u8     | more  | if has_more
}`, codedFlags{}, []string{"\x00\x05", "\x03\x05\xac\x02", "\x06\x80\x01\x07"}, []string{"\x01\x05", "\x01\x05\x85\x00", "\x04\x05\x00"}},
	{"sums of arrays", `type T {
    | 0 | 1 | u8 | n = count(sizes) |
    | 1 | 2 | u16 | total = sum(sizes) + last(sizes) |
    | 3 | n | u8[n] | sizes |
    | P | B | u8[sum(sizes)] | body |
    | Q | K | Item(last(sizes)) | item |
    | R | L | utf8[sum(sizes)] | name | fill "00"
    | S | M | u16[last(sizes)] | words | check last(words) != 9
}
type Item(k) {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b | if k
}`, codedSums{}, []string{"\x00\x00\x00\x07", "\x02\x00\x04\x02\x01abc\x07\x08x\x00\x00\x00\x01"}, []string{"\x00\x00\x01\x07", "\x02\x00\x04\x02\x01abc\x07\x08x\x00y\x00\x01", "\x02\x00\x04\x02\x01abc\x07\x08x\x00\x00\x00\x09", "\x02\x00\x04\x02\x01ab"}},
	{"sums of arrays that may be absent", `type T {
    | 0 | 4 | i16[2] | two | check sum(two) < 100
    if last(two) == 1 {
        | 4 | 4 | u32[1] | more |
    }
    | P | 1 | u8 | seen = (sum(more) + last(two)) & 0xff |
    | Q | 1 | u8 | n = count(list) |
    repeat n as list { | R | 1 | u8 | value | }
    | S | N | u8[count(list) * 2] | bytes |
}`, codedSumsAbsent{}, []string{"\x00\x01\x00\x01\x00\x00\x00\x05\x06\x00", "\xff\xff\x00\x02\x02\x01\x07ab"}, []string{"\x00\x63\x00\x01\x00\x00\x00\x05\x06\x00", "\x00\x01\x00\x02\x01\x00"}},
	{"numbers of half precision", `type T {
    | 0 | 2 | f16 | a |
    | 2 | 2 | f16le | b |
    | 4 | 1 | u8 | n = count(list) |
    | 5 | 2*n | f16[n] | list |
    repeat until end as rows { | P | 2 | f16 | x | }
}`, codedHalves{}, []string{"\x3c\x00\x00\xbc\x00", "\x80\x00\xff\x7b\x02\x7c\x00\x00\x01\x03\xff\xfc\x00"}, []string{"\x7e\x00\x00\xbc\x00", "\x3c\x00\x01\x7e\x00", "\x3c\x00\x00\xbc\x01\x7f\x00", "\x3c\x00\x00"}},
	{"a tuple of half precision", `type T {
    | 0 | 1 | u8 | a |
    | 1 | 4 | Pair | pair |
    | 5 | 1 | u8 | b |
}
type Pair {
    | 0 | 2 | f16 | x |
    | 2 | 2 | f16 | y |
}`, codedPair{}, []string{"\x01\x3c\x00\xbc\x00\x02"}, []string{"\x01\x3c\x00\x7e\x00\x02"}},
	{"numbers of three precisions", `union T by head { | 0 | 1 | u8 | head | }
arm T 0xf9..0xfb float {
    | 1 | 2 or 4 or 8 | by head { 0xf9 f16, 0xfa f32, 0xfb f64 } | value | any
}
arm T else other { refuse "no" }`, codedPrecisions{}, []string{"\xf9\x3c\x00", "\xfa\x3d\xcc\xcc\xcd", "\xfb\x3f\xb9\x99\x99\x99\x99\x99\x9a"}, []string{"\xf9\x7e\x00", "\xfb\x3f\xf0\x00\x00\x00\x00\x00\x00", "\xfa\x7f\xc0\x00\x00"}},
	{"texts of charsets of one byte", `type T {
    | 0 | 1 | u8 | n = len(text) |
    | 1 | n | latin1[n] | text | check len(text) != 5
    | P | 3 | ascii[3] | magic |
    | P+3 | 2 | latin1[2] | bytes |
    if len(magic) < 3 { | Q | 1 | u8 | x | }
}`, codedCharsets{}, []string{"\x02abID3xy", "\x00ID3xy"}, []string{"\x02\xe9bID3xy", "\x02abID3\xe9y", "\x02abI\xc3\xa9xy", "\x05abcdeID3xy", "\x02abI\x00\x00xy\x01", "\x03abID3x"}},
	{"texts that are compared", `type T {
    | 0   | 1 | u8      | n = len(name) |
    | 1   | n | utf8[n] | name          | check name != "bad"
    | 1+n | 1 | u8      | flag = (name == "pair") + 2 * (name == "one") |
    if name == "pair" {
        | 2+n | 2 | u8[2] | pair |
    } else if name == "one" {
        | 2+n | 1 | u8 | one |
    }
    | P | 1 | Item(name != "one") | item |
}
type Item(k) {
    | 0 | 1 | u8 | a | check a < 9 || k
}`, codedNames{}, []string{"\x04pair\x01ab\x01", "\x03one\x02\x07\x01", "\x00\x00\x0a"},
		[]string{"\x03bad\x00\x01", "\x04pair\x00ab\x01", "\x03one\x02\x07\x0a", "\x04pair\x01a"}},
	{"a text of bytes that is compared", `type T {
    | 0 | 3 | ascii[3] | magic | check magic != "bad"
    if magic == "one" { | 3 | 1 | u8 | x | }
}`, struct {
		Magic []byte `octable:"magic"`
		X     *uint8 `octable:"x"`
	}{}, nil, []string{"one\x01", "two", "bad"}},
	{"a row that may be missing at the end", `type T {
    | 0 | 2 | u16 | tag |
    if more() {
        | 2 | 2    | u16           | size = size(extra) |
        | 4 | size | u8[until end] | extra              |
    }
}`, codedMore{}, []string{"\x00\x01", "\x00\x01\x00\x02ab"}, []string{"\x00\x01\x00", "\x00\x01\x00\x03ab"}},
	{"a row before the end", `type T {
    | 0     | 1     | u8    | address |
    | 1     | end-2 | Inner | inner   |
    | end-2 | 2     | u16   | crc = crc16_modbus(address..inner) |
}
type Inner {
    | 0 | R | u8[until end] | data |
}`, codedLeft{}, []string{"\x11\x03\x00\x6b\x00\x03\x87\x76", "\x11\x4c\x7f"}, []string{"\x11\x8c", "\x11\x8c\xbf"}},
	{"the length of a text in bytes", `type T {
    | 0 | 3 | ascii[3] | magic |
    if len(magic) < 3 { | P | 1 | u8 | x | }
}`, struct {
		Magic []byte `octable:"magic"`
		X     *uint8 `octable:"x"`
	}{}, nil, []string{"ID3", "I\x00\x00\x01"}},
	{"a number that reads itself", `type T {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b |
}`, struct {
		A codedHooked `octable:"a"`
		B uint8       `octable:"b"`
	}{}, nil, []string{"\x01\x02"}},
	{"a head with a field that may be absent", `union T by head { | 0 | 1 | u8 | head | }
arm T 0..1 a {
    head { 0 has = present(x) }
    | 1 | 1 | u8 | x | if head & 1 != 0
}
arm T else b { refuse "no" }`, codedHead{}, nil, []string{"\x00", "\x01\x05", "\x01\x00", "\x02"}},
	{"numbers of half or single precision", `union T by head { | 0 | 1 | u8 | head | }
arm T 0xf9..0xfa float {
    | 1 | 2 or 4 | by head { 0xf9 f16, 0xfa f32 } | value | any
}
arm T else other { refuse "no" }`, codedSingle{}, nil, []string{"\xf9\x3c\x00", "\xfa\x3d\xcc\xcc\xcd", "\xfa\x3f\x80\x00\x00"}},
	{"letters of codes", `type T {
    | 0 | 4 | code4 | id | check id != 'none'
    | 4 | 4 | code4 | kind = 'RIFF' |
    | 8 | 4 | code4 | sub |
    | 12 | N | Body(id) | body |
    | P | 1 | u8 | n = count(list) |
    repeat n as list { | Q | 4 | code4 | value | }
}
union Body(id) by id {}
arm Body 'one ' one { | 0 | 1 | u8 | a | }
arm Body else other { | 0 | 4 | code4 | b | }`, codedLetters{}, []string{"one RIFFab\x00\xff\x07\x00", "two RIFFabcdefgh\x02ijklmnop"}, []string{"noneRIFFabcdefgh\x00", "one RIFXab\x00\xff\x07\x00", "one RIFFab"}},
	{"letters of a code behind a pointer", `type T {
    | 0 | 4 | code4 | id |
    | 4 | N | Body(id) | body |
}
union Body(id) by id {}
arm Body 'one ' one { | 0 | 1 | u8 | a | }
arm Body else other { | 0 | 4 | code4 | b | }`, codedPointers{}, []string{"one \x07", "\x00\x00\x00\x00abcd"}, []string{"one"}},
	{"letters of a code in an array", `type T {
    | 0 | 4 | code4 | id |
    | 4 | 4 | code4 | sub |
}`, struct {
		ID  [4]byte  `octable:"id"`
		Sub *[4]byte `octable:"sub"`
	}{}, nil, []string{"abcdefgh", "abcd\x00\xff\x01\x02", "abcdefg"}},
	{"the number of an arm", codedArms, codedArm{}, []string{"\xab\x02\x01", "\xab\x02\x05\x06", "\xac\x02\x00\x01\x00\x02"}, []string{"\x08\x01", "\xab\x82\x00\x01"}},
	{"the number of an arm behind a pointer", codedArms, codedPointed{}, []string{"\xab\x02\x01", "\xac\x02\x00\x01\x00\x02"}, []string{"\x08\x01"}},
}

// codedTail is the content of an arm.
type codedTail interface{ tail() }

type codedOne struct {
	A uint8 `octable:"a"`
	B uint8 `octable:"b,omitempty"`
}

func (codedOne) tail() {}

// TestCodedWrites writes unusual values by plans and by Values. They are numbers that no coding or no digits hold, lengths
// that are inserted where the buffer ends, and an interface that is nil.
func TestCodedWrites(t *testing.T) {
	const sizes = `type T {
    | 0 | 2 | decimal[2] | n = size(a) |
    | 2 | n | u8[until end] | a |
    | P | L | leb128 | m = size(b) |
    | Q | m | u8[until end] | b |
    | R | M | quic | x | check x != m + 5
}`
	const ended = `type T {
    | 0 | L | decimal[until "3a"]    | n = size(a) |
    | P | n | u8[until end]          | a           |
    | Q | M | hex[until "0d0a"]      | m = size(b) |
    | R | m | u8[until end]          | b           |
    | S | N | sdecimal[until "0d0a"] | x           |
}`
	type signed struct {
		A []byte `octable:"a"`
		B []byte `octable:"b"`
		X int64  `octable:"x"`
	}
	type lengths struct {
		A []byte `octable:"a"`
		B []byte `octable:"b"`
		X uint64 `octable:"x"`
	}
	type entries struct {
		Entries []struct {
			Name  string    `octable:"name"`
			Zeros *[]byte   `octable:"zeros"`
			Mode  *uint16   `octable:"mode"`
			Tail  codedTail `octable:"tail"`
		} `octable:"entries"`
	}
	zeros := []byte{}
	files := entries{}
	files.Entries = slices.Grow(files.Entries, 2)[:2]
	files.Entries[0].Name, files.Entries[0].Mode, files.Entries[0].Tail, files.Entries[1].Zeros = "ab", new(uint16(7)), codedOne{1, 0}, &zeros
	for _, c := range []struct {
		text  string
		value any
		plan  bool
	}{
		{sizes, &lengths{make([]byte, 99), make([]byte, 20000), 1<<62 - 1}, true},
		{sizes, &lengths{make([]byte, 100), nil, 0}, false},
		{sizes, &lengths{nil, nil, 1 << 62}, false},
		{sizes, &lengths{nil, make([]byte, 10), 14}, true},
		{sizes, &lengths{nil, make([]byte, 10), 15}, false},
		{ended, &signed{make([]byte, 99), make([]byte, 20000), math.MinInt64}, true},
		{ended, &signed{nil, nil, 0}, true},
		{codedTar, &files, true},
	} {
		cc, err := compiler.New("schema \"coded\" {\n    order big\n    root T\n}\n" + c.text)
		if err != nil {
			t.Fatal(err)
		}
		with, err := cc.With(codec.Options{Interfaces: []codec.Interface{codec.InterfaceOf("", map[string]codedTail{"one": codedOne{}})}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := with.Marshal(c.value)
		want, err2 := codec.AppendValue(with, nil, c.value)
		const before = 100
		behind := bytes.Repeat([]byte("behind"), 100)
		for room := range min(len(want), 200) + 40 { // the buffer ends behind any row
			buf := append(make([]byte, before+room), behind...)
			out, err := with.AppendMarshal(buf[:before:before+room], c.value)
			if err == nil && !bytes.Equal(out[before:], want) {
				t.Errorf("%+v is written % x into %d bytes; by Values % x", c.value, out[before:], room, want)
			}
			if !bytes.Equal(buf[before+room:], behind) {
				t.Fatalf("%+v is written into %d bytes and behind them", c.value, room)
			}
		}
		if !bytes.Equal(got, want) || !sameError(err, err2) || codec.WritesByPlan(with, c.value) != c.plan {
			t.Errorf("%+v is written % x, %v; by Values % x, %v; by the plan: %v", c.value, got, err, want, err2, codec.WritesByPlan(with, c.value))
		}
	}
}
