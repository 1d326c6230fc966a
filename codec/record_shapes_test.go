package codec_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/gotypes"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp/memory"
	"github.com/octable/octable/interp/planlist"
)

// shapeCase is a schema, and packets for a Go type.
type shapeCase struct {
	name, text string
	value      any
	packets    []string // that are read and written by the plan
	odd        []string // that only Values read, or nobody
}

// Parts of the schemas of shapes.
const (
	pairsShape = `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list { | P | 4 | Pair | value | }
}
type Pair {
    | 0 | 2 | i16 | x |
    | 2 | 2 | i16 | y |
}`
	armsShape = `union T by kind { | 0 | 1 | u8 | kind | }
arm T 1 one {
    | 1 | 1 | u8 | a |
    | 2 | 1 | u8 | b |
}
arm T 2 two {
    | 1 | 2 | i16 | x |
    | 3 | 2 | i16 | y |
}`
	doubleShape = `type T {
    | 0 | 1 | u8 | wide = form(x) |
    | 1 | 4 or 8 | by wide { 0 f32, 1 f64 } | x | any
}`
	itemShape = `type Item(k) {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b | if k
}`
	sizedShape = `type I {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b | if a > 7
}`
	signedShape = `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 4 | u32 | w | {
            0..11 x signed
            12..21 y signed
            22..31 z signed
        }
        | P+4 | 2 | u16 | e |
        | P+6 | 2 | u16 | f |
    }
}`
	columnsShape = `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 1 | u8 | w | {
            0..3 a
            4..7 b
        }
        | P+1 | 2 | u16 | e |
        | P+3 | 4 | u32le | x |
        | P+7 | 8 | u64le | y |
    }
}`
)

// shapes are the cases without codings of numbers.
var shapes = []shapeCase{
	{"eight flags", `type T {
    | 0 | 1 | u8 | flags | {
        7 a
        6 b
        5 c
        4 d
        3 e
        2 f
        1 g
        0 h
    }
    | 1 | 1 | u8 | i |
}`, shapeFlags{}, []string{"\x00\x00", "\xff\x01", "\x81\x02", "\x7e\xff"}, []string{"\x00"}},
	{"the length beside bits", `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 2 | u16 | w | {
            0..1 a
            2..3 b
            4..15 len = len(text)
        }
        | P+2 | 1 | u8 | c |
        | P+3 | 1 | u8 | d |
        | P+4 | 4 | u32 | e |
        | P+8 | len | utf8[len] | text |
    }
}`, shapeLength{}, []string{"\x00", "\x01\x00\x0d\x03\x04\x05\x06\x07\x08", "\x02\x00\x1b\x03\x04\x05\x06\x07\x08x\x00\x26\x01\x02\x03\x04\x05\x06yz"}, []string{"\x01\x00\x1b\x03\x04\x05\x06\x07\x08"}},
	{"lengths whose texts are behind other rows", `type T {
    | 0 | 1 | u8 | n = len(text) |
    | 1 | 1 | u8 | m = count(bytes) |
    | 2 | M | u8[m] | bytes |
    | 2+M | 1 | u8 | a |
    | 3+M | N | utf8[n] | text |
}`, shapeApart{}, []string{"\x00\x00\x07", "\x02\x01x\x07yz", "\x01\x02xy\xffz"}, []string{"\x02\x00\x07y"}},
	{"numbers of three, five and six bytes", `type T {
    | 0 | 3 | u24 | n = size(body) |
    | 3 | 3 | i24le | a |
    | 6 | 5 | u40 | b |
    | 11 | n | Body | body |
}
type Body {
    | 0 | 6 | u48le | m = count(bytes) |
    | 6 | M | u8[m] | bytes |
    | 6+M | R | utf8[until end] | text |
}`, shapeOdd{}, []string{"\x00\x00\x06\x01\x00\x80\xff\x01\x02\x03\x04\x00\x00\x00\x00\x00\x00", "\x00\x00\x09\x01\x00\x00\x00\x01\x02\x03\x04\x02\x00\x00\x00\x00\x00xyz"},
		[]string{"\x00\x00\x06\x01\x00\x80\xff\x01\x02\x03\x04\x01\x00\x00\x00\x00\x00", "\x00\x00\x07\x01\x00\x80\xff\x01\x02\x03\x04\x00\x00\x00\x00\x00\x00"}},
	{"fields that are absent", `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | N | Optional | value |
    }
}
type Optional {
    | 0 | 1 | u8 | word | {
        0..2 kind
        3..7 wide
    }
    if kind & 1 != 0 {
        | 1 | 1 | u8 | n = len(text) |
        | 2 | n | utf8[n] | text |
        | 2+n | 1 | u8 | m = count(bytes) |
        | 3+n | m | u8[m] | bytes |
    }
    if kind & 2 != 0 {
        | P | 2 | u16 | num |
    }
    if kind & 4 != 0 {
        | Q | 1 | bool8 | truth |
        | Q+1 | 4 | i32 | small |
    }
}`, shapeOptionals{}, []string{"\x01\x0f\x02xy\x01z\x01\x02\x01\xff\xff\xff\xfe", "\x01\xf8", "\x02\x07\x01a\x01b\x01\x02\x01\x00\x00\x00\x07\x08", "\x02\x02\x01\x02\x04\x01\x00\x00\x00\x08"},
		[]string{"\x01\x04\x02\x00\x00\x00\x08", "\x01\x01\x02x"}},
	{"three bytes for each number", `type T {
    | 0 | 1 | u8 | n |
    | 1 | N | Bytes(n*3) | bytes |
}
type Bytes(k) {
    | 0 | k | u8[k] | bytes |
}`, shapeBytes{}, []string{"\x00", "\x01abc", "\x02abcdef"}, []string{"\x01ab"}},
	{"bounds of a number", `type T {
    | 0 | 1 | u8 | kind |
    if kind >= 3 { | 1 | 1 | u8 | least | }
    if kind < 7 { | P | 1 | u8 | less | }
    if kind > 5 { | Q | 1 | u8 | more | }
    if kind <= 1 { | R | 1 | u8 | most | }
    | S | 1 | u8 | end |
}`, shapeBounds{}, []string{"\x00\x02\x03\x09", "\x01\x02\x03\x09", "\x02\x02\x09", "\x03\x01\x02\x09", "\x05\x01\x02\x09", "\x06\x01\x02\x03\x09", "\x07\x01\x03\x09"}, []string{"\x02\x02"}},
	{"an argument of some numbers", `type T {
    | 0 | 2 | u16 | kind |
    | 2 | N | Item(kind == 3 || kind == 7 || kind == 12) | item |
    | P | 1 | u8 | last |
}
` + itemShape, shapePassed{}, []string{"\x00\x03\x01\x02\x09", "\x00\x04\x01\x09", "\x00\x0c\x01\x02\x09"}, []string{"\x01\x03\x01\x09", "\x00\x03\x01\x02"}},
	{"a list up to some numbers", `type T {
    repeat until kind == 3 || kind == 7 || kind == 12 as list {
        | P   | 2 | u16 | kind |
        | P+2 | 1 | u8  | x |
    }
    | Q | 1 | u8 | last |
}`, shapeUntil{}, []string{"\x00\x03\x01\x09", "\x00\x04\x01\x00\x0c\x02\x09"}, []string{"\x01\x03\x01\x00\x07\x01\x09", "\x00\x04\x01"}},
	{"a list up to a product", `type T {
    repeat until x * y == 6 as list {
        | P   | 2 | u16le | x |
        | P+2 | 2 | u16le | y |
    }
}`, shapeProduct{}, []string{"\x02\x00\x03\x00", "\x02\x00\x04\x00\x06\x00\x01\x00"}, []string{"\x02\x00\x04\x00"}},
	{"little numbers and a region", `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P   | 2 | u16le | a |
        | P+2 | 1 | u8 | c | if a > 5
        | Q   | 2 | u16le | k = size(b) |
        | Q+2 | k | B | b |
        | R   | 1 | u8 | word | {
            0..3 low check low != 5 && low != 9
            4..7 high check high < 7 && high != 4
        }
    }
}
type B {
    | 0 | 2 | u16le | x |
    | 2 | 1 | u8 | y |
}`, shapeLittle{}, []string{"\x00", "\x01\x05\x00\x03\x00\x07\x00\x08\x21", "\x01\x06\x00\x09\x03\x00\x07\x00\x08\x21"}, []string{"\x01\x05\x00\x03\x00\x07\x00\x08\x25", "\x01\x05\x00\x03\x00\x07\x00\x08\x41", "\x01\x05\x00\x02\x00\x07\x00\x08\x21"}},
	{"padding up to the end", `type T {
    | 0 | 1 | u8 | n = len(text) |
    | 1 | n | utf8[n] | text | pad 4 any or end
}`, shapeText{}, []string{"\x04abcd", "\x00"}, []string{"\x03abc", "\x03abc\x00", "\x03abc\x07", "\x05abc"}},
	{"an embedded pointer", `type T {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b |
}`, shapeEmbeds{}, nil, []string{"\x01\x02", "\x01"}},
	{"a required field that is absent", `type T {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b | if a > 5
}`, shapeRequired{}, nil, []string{"\x01", "\x06\x02"}},
	{"a required field that no record has", `type T {
    | 0 | 1 | u8 | a |
    | 1 | 2 | u16 | b |
}`, shapeOther{}, nil, []string{"\x01\x02\x03"}},
	{"pairs", pairsShape, shapePairs[shapePair]{}, []string{"\x01\x00\x01\x00\x02"}, nil},
	{"pairs with a number that is left out", pairsShape, shapePairs[shapePairEmpty]{}, nil, []string{"\x01\x00\x01\x00\x02", "\x01\x00\x00\x00\x02"}},
	{"pairs without a required number", pairsShape, shapePairs[shapePairMore]{}, nil, []string{"\x01\x00\x01\x00\x02"}},
	{"pairs into a text", pairsShape, shapePairs[shapePairText]{}, nil, []string{"\x01\x00\x01\x00\x02"}},
	{"elements with an argument", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | Item(kind > 4) | value | }
}
` + itemShape, shapeVariants{}, []string{"\x00\x02\x01\x02", "\x05\x02\x01\x02\x03\x04"}, []string{"\x05\x02\x01\x02\x03"}},
	{"elements with an argument that is no truth", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | Item(kind) | value | }
}
` + itemShape, shapeVariants{}, []string{"\x00\x02\x01\x02", "\x05\x02\x01\x02\x03\x04"}, []string{"\x05\x02\x01\x02\x03"}},
	{"elements up to the end with an argument", `type T {
    | 0 | 1 | u8 | kind |
    repeat until end as list { | P | N | Item(kind) | value | }
}
` + itemShape, shapeVariants{}, []string{"\x00", "\x00\x01\x02", "\x01\x01\x02\x03\x04", "\x05\x01\x02\x03\x04"}, []string{"\x05\x01\x02\x03"}},
	{"lines", `type T {
    | 0 | N | utf8[until "0a"] | text |
    | P | 8 | utf8[8] | more | fill "20"
}`, shapeLine{}, []string{"abc\nabc     ", "\n        ", "abc\nabc  d  ", "\n   a    "}, []string{"abc", "abc\nabc", "\xff\nabc     "}},
	{"a word that is a truth", `type T {
    | 0 | 1 | u8 | w | {
        0 a check w < 2
    }
    | 1 | 1 | u8 | b |
}`, shapeTruth{}, []string{"\x00\x01", "\x01\x01"}, []string{"\x02\x01"}},
	{"a text that parses itself", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | n = len(text) |
    | 2 | n | utf8[n] | text |
}`, shapeHooked{}, nil, []string{"\x01\x02ab", "\x01\x00", "\x01\x02a"}},
	{"sizes of records", `type T {
    | 0 | 1 | u8 | n = size(a) |
    | 1 | n | Item | a |
    | P | 1 | u8 | m = size(b) |
    | P+1 | m | Item | b |
    | Q | 1 | u8 | last |
}
type Item {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b | if a > 7
}`, shapeSizes{}, []string{"\x01\x07\x02\x08\x09\x0a"}, []string{"\x01\x07\x03\x08\x09\x0a"}},
	{"sizes of records in records", `type T {
    | 0 | N | Part | a |
    | P | M | Part | b |
}
type Part {
    | 0 | 1 | u8 | k |
    | 1 | 1 | u8 | n = size(i) |
    | 2 | n | Item | i | check size(i) == k
}
type Item {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b | if a > 7
}`, shapeNested{}, []string{"\x01\x01\x07\x02\x02\x08\x09"}, []string{"\x01\x01\x07\x01\x02\x08\x09"}},
	{"bits of a word before a text", `type T {
    | 0 | 2 | u16 | w | {
        0..7 n
        8..11 low
        12..15 m
    }
    | 2 | n | utf8[n] | text | check m < 9 && low != 3
}`, shapeBits{}, nil, []string{"\x12\x02ab", "\x92\x02ab", "\x13\x02ab", "\x12\x03ab"}},
	{"a number in the middle", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | x | if kind == 1
    | P | 2 | u16 | y |
    | P+2 | 1 | u8 | n = len(text) |
    | P+3 | n | utf8[n] | text |
}`, shapeMiddle{}, []string{"\x00\x01\x02\x01a", "\x01\x09\x01\x02\x01a"}, []string{"\x01\x09\x01"}},
	{"an order of bytes", `type T {
    | 0 | 1 | u8 | big |
    order by big { 0 little, 1 big }
    | 1 | 2 | u16 | x |
}`, shapeOrder{}, nil, []string{"\x00\x01\x02", "\x01\x01\x02", "\x02\x01\x02"}},
	{"a product of bytes", `type T {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b |
    | 2 | a*b | u8[a*b] | data |
}`, shapeAmounts{}, []string{"\x02\x01ab", "\x00\x05"}, []string{"\x02\x02abc"}},
	{"the larger of two numbers of bytes", `type T {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b |
    | 2 | max(a, b) | u8[max(a, b)] | data |
}`, shapeAmounts{}, []string{"\x02\x01ab", "\x00\x02ab"}, []string{"\x02\x05abc"}},
	{"arms in a struct", armsShape, shapeArms{}, nil, []string{"\x01\x07\x08", "\x02\x00\x01\x00\x02", "\x02\x00\x00\x00\x00", "\x03", "\x01\x07"}},
	{"a struct without a field for an arm", armsShape, shapeArm{}, nil, []string{"\x01\x07\x08", "\x02\x00\x01\x00\x02"}},
	{"an arm that may be left out", armsShape, shapeArmsEmpty{}, nil, []string{"\x01\x07\x08", "\x02\x00\x01\x00\x02"}},
	{"conditions on the word of an arm", `union T by head { | 0 | 1 | u8 | head | }
arm T 0..63 x {
    head {
        0..2 kind
        3..5 mode
    }
    | 1 | 1 | u8 | n = len(text) |
    if head & 1 != 0 { | 2 | 1 | u8 | a | }
    | P | n | utf8[n] | text |
}
arm T 64..127 y {
    head { 0..5 kind }
    if head & 1 != 0 { | 1 | 1 | u8 | a | }
}
arm T 128..255 z {
    head { 0..6 a }
}`, shapeWord{}, []string{"\x01\x02\x07ab", "\x08\x01a", "\x39\x00\x07", "\x41\x07", "\x42", "\x81"}, []string{"\x01\x03\x07ab", "\x41"}},
	{"bits of a word in a type that is too small", `union T by head { | 0 | 1 | u8 | head | }
arm T 0..255 z {
    head { 0..7 a }
}`, shapeWord{}, nil, []string{"\x7f", "\x80", "\xff"}},
	{"a condition on the word of an arm of one number", `union T by head { | 0 | 1 | u8 | head | }
arm T 5 one {
    | 1 | 1 | u8 | a |
    | 2 | 1 | u8 | b | if head & 1 != 0
}
arm T 6 two {
    | 1 | 2 | i16 | x |
    | 3 | 2 | i16 | y |
    | 5 | 1 | u8 | b | if head & 1 != 0
}`, shapeOneArm{}, []string{"\x05\x01\x02", "\x06\x00\x01\x00\x02"}, []string{"\x05\x01", "\x07"}},
	{"a word of an arm with a number from outside", `type T {
    | 0 | 1 | u8 | k |
    | 1 | N | U(k) | u |
}
union U(open) by head { | 0 | 1 | u8 | head | }
arm U 0..63 a {
    head {
        0..3 n = open
        4..5 m
    }
    | 1 | 1 | u8 | x | if head & 1 != 0
}`, shapeOutside{}, nil, []string{"\x03\x13\x05", "\x02\x32", "\x02\x33\x05", "\x12\x12", "\x03\x03"}},
	{"the highest bit of a word", `type T {
    | 0 | 8 | u64 | w | {
        63 a
        0..62 b
    }
}`, shapeHigh{}, []string{"\x80\x00\x00\x00\x00\x00\x00\x05", "\x7f\xff\xff\xff\xff\xff\xff\xff"}, []string{"\x80\x00\x00\x00\x00\x00\x00"}},
	{"a power of two", `type T {
    | 0 | 1 | u8 | k |
    | 1 | 2 | u16 | w = 1 << (k & 7) |
}`, shapePower{}, nil, []string{"\x03\x00\x08", "\x0f\x00\x80", "\x03\x00\x07", "\x03\x00"}},
	{"elements with a word that has no place", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | Item(kind) | value | }
}
type Item(k) {
    | 0 | 1 | u8 | w = k * 300 |
    | 1 | 1 | u8 | a |
    | 2 | 1 | u8 | b | if k
}`, shapeVariants{}, []string{"\x00\x02\x00\x02\x00\x03"}, []string{"\x01\x01\x2c\x02\x03", "\x01\x00"}},
	{"a terminator of two bytes", `type T {
    | 0 | N | utf8[until "0d0a"] | text |
    | P | 4 | utf8[4] | more | fill "00"
}`, shapeLine{}, []string{"ab\r\ncd\x00\x00", "\r\n\x00\x00\x00\x00", "a\r\nb\x00c\x00"}, []string{"ab\rcd\n", "a\r", "\xff\r\nabcd", "a\r\n\xff\x00\x00\x00"}},
	{"filled rows in several ways", `encoding stopped {
    utf8 strict
    nul stop
}
type T {
    | 0 | 4 | stopped[4] | text | fill "20"
    | 4 | 4 | utf8[4] | more | fill "20" any
}`, shapeLine{}, []string{"a b abcd", "        "}, []string{"a b a b ", "a\x00  abcd", "a\x00b abcd", " \x00  abcd", "abcd\xff   "}},
	{"more bytes than may fill a row", `type T {
    | 0 | 4 | u32 | n |
    | 4 | n | utf8[n] | text | fill "20"
}`, struct {
		N    uint32 `octable:"n"`
		Text string `octable:"text"`
	}{}, []string{"\x00\x00\x00\x02a "}, []string{"\x00\x10\x00\x01a" + strings.Repeat(" ", 1<<20), "\x00\x10\x00\x02a" + strings.Repeat(" ", 1<<20+1)}},
	{"elements with an argument and a field that no record has", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | Item(kind) | value | }
}
` + itemShape, shapeMore{}, nil, []string{"\x00\x02\x01\x02", "\x05\x02\x01\x02\x03\x04", "\x05\x02\x01\x02\x03"}},
	{"elements up to the end with a field that no record has", `type T {
    | 0 | 1 | u8 | kind |
    repeat until end as list { | P | N | Item(kind) | value | }
}
` + itemShape, shapeMore{}, nil, []string{"\x05\x01\x02\x03\x04", "\x00\x01", "\x05\x01\x02\x03\x04\x05\x06", "\x00"}},
	{"a tree with a field that no record has", `type T {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | T | value | }
}`, shapeTree{}, nil, []string{"\x01\x02\x03\x00\x04\x01\x05\x00", "\x01\x01\x02\x01\x03\x00", "\x01\x02\x03\x00"}},
	{"an argument of bits of a number", `type T {
    | 0 | 2 | u16 | kind |
    | 2 | N | Item(kind & 1 == 1 || kind & 12 == 4) | item |
    | P | 1 | u8 | last |
}
` + itemShape, shapePassed{}, []string{"\x00\x01\x01\x02\x09", "\x00\x04\x01\x02\x09", "\x01\x08\x01\x09", "\x01\x00\x01\x09"}, []string{"\x00\x01\x01\x02"}},
	{"an argument of a range", `type T {
    | 0 | 2 | u16 | kind |
    | 2 | N | Item(kind >= 3 && kind < 700) | item |
    | P | 1 | u8 | last |
}
` + itemShape, shapePassed{}, []string{"\x00\x03\x01\x02\x09", "\x02\xbb\x01\x02\x09", "\x02\xbc\x01\x09", "\x00\x02\x01\x09"}, []string{"\x00\x03\x01\x02"}},
	{"an argument of the same product twice", `type T {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b |
    | 2 | N | Bytes(a*b) | x |
    | P | M | Bytes(a*b) | y |
    | Q | 1 | u8 | last |
}
type Bytes(k) {
    | 0 | k | u8[k] | bytes |
}`, shapeTwice{}, []string{"\x02\x01\x01\x02\x03\x04\x09", "\x02\x00\x09"}, []string{"\x02\x02\x01\x02\x03\x04\x09"}},
	{"a size of some numbers", `type T {
    | 0 | 1 | u8 | n = size(i) |
    | 1 | n | I | i | check size(i) < 9
    | P | 1 | u8 | last |
}
` + sizedShape, shapeSized{}, []string{"\x01\x07\x02", "\x02\x08\x09\x0a"}, []string{"\x02\x07\x09\x0a", "\x09\x08\x09"}},
	{"a size with one more byte", `type T {
    | 0 | 1 | u8 | n = size(i) - 1 |
    | 1 | n+1 | I | i | check size(i) < 9
    | P | 1 | u8 | last |
}
` + sizedShape, shapeSized{}, []string{"\x00\x07\x02", "\x01\x08\x09\x0a"}, []string{"\x01\x07\x09\x0a", "\x08\x08\x09"}},
	{"a size that is refused", `type T {
    | 0 | 1 | u8 | n = size(i) |
    | 1 | n | I | i | check size(i) > 1
    | P | 1 | u8 | last |
}
` + sizedShape, shapeSized{}, []string{"\x02\x08\x09\x0a"}, []string{"\x01\x07\x02", "\x00\x07"}},
	{"a list that its first element ends", `type T {
    repeat until k == 7 as list {
        | P | 1 | u8 | k = 7 |
        | P+1 | 1 | u8 | x |
    }
}`, shapeConst{}, []string{"\x07\x05"}, []string{"\x06\x05", "\x07"}},
	{"bits of neighbors in columns", columnsShape, shapeColumns{}, []string{"\x01\x1b\x01\x02abcdABCDEFGH", "\x03\x1b\x01\x02abcdABCDEFGH\xe4\x03\x04efghIJKLMNOP\x00\xff\xfeijklQRSTUVWX"}, []string{"\x01\x1b\x01\x02abcdABCDEFG"}},
	{"bits of neighbors in little columns", strings.Replace(columnsShape, "u16", "u16le", 1), shapeColumns{}, []string{"\x01\x1b\x01\x02abcdABCDEFGH", "\x03\x1b\x01\x02abcdABCDEFGH\xe4\x03\x04efghIJKLMNOP\x00\xff\xfeijklQRSTUVWX"}, []string{"\x01\x1b\x01\x02abcdABCDEFG"}},
	{"a single", `type T {
    | 0 | 4 | f32 | x |
}`, shapeSingle{}, []string{"\x00\x00\x00\x00", "\x7f\x80\x00\x00", "\xff\x80\x00\x00"}, []string{"\x7f\xc0\x00\x00", "\x7f\x80\x00"}},
	{"a real of two widths in a single", doubleShape, shapeSingle{}, nil, []string{"\x00\x3f\x80\x00\x00", "\x01\x3f\xf0\x00\x00\x00\x00\x00\x00", "\x01\x3f\xb9\x99\x99\x99\x99\x99\x9a"}},
	{"a real of two widths behind a pointer", doubleShape, shapeDouble{}, []string{"\x00\x3f\x80\x00\x00", "\x01\x3f\xb9\x99\x99\x99\x99\x99\x9a"}, []string{"\x01\x3f\xf0\x00\x00\x00\x00\x00\x00"}},
	{"two parts of an arm under the same condition", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | N | U | inner |
}
union U by head { | 0 | 1 | u8 | head | }
arm U 1 one {
    | 1 | 1 | u8 | k |
    if k > 4 { | 2 | 1 | u8 | n = len(text) | }
    | P | 1 | u8 | x |
    if k > 4 { | P+1 | n | utf8[n] | text | }
}
arm U 2 two {
    | 1 | 1 | u8 | a |
    | 2 | 1 | u8 | b |
}`, shapeTwiceIf{}, []string{"\x07\x01\x05\x02\x09ab", "\x07\x01\x04\x09", "\x07\x02\x03\x04"}, []string{"\x07\x01\x05\x03\x09ab"}},
	{"records around a part that goes by Values", `union T by head { | 0 | 1 | u8 | head | }
arm T 1 a {
    | 1 | 1 | u8 | k |
    | 2 | N | R(k) | r |
}
arm T 2 b { | 1 | N | S | s | }
type R(i) {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | S | value | }
    | Q | 2 | utf8[2] | half | if i != 0
}
type S {
    | 0 | 1 | u8 | k |
    if k & 1 != 0 { | 1 | N | R(k) | r | }
    if k & 2 != 0 {
        | P | 1 | u8 | n = count(list) |
        repeat n as list { | Q | M | R(k) | value | }
    }
}`, shapeBroken{}, nil, []string{"\x01\x01\x00ab", "\x01\x00\x01\x00", "\x02\x00", "\x02\x01\x00ab", "\x02\x02\x01\x00ab", "\x02\x02\x01\x01\x01\x00abab"}},
	{"maps of records around a part that goes by Values", `union T by head { | 0 | 1 | u8 | head | }
arm T 1 a { | 1 | N | R | r | }
arm T 2 b { | 1 | N | S | s | }
type R {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list { | P | N | S | value | }
    | Q | 2 | utf8[2] | half |
}
type S {
    | 0 | 1 | u8 | m = count(map) |
    map m as map {
        | P | 1 | u8 | key |
        | Q | N | R | value |
    }
}`, shapeBrokenMaps{}, nil, []string{"\x01\x00ab", "\x02\x00", "\x02\x01\x05\x00ab", "\x02\x02\x05\x00ab\x06\x00cd", "\x02\x01\x05\x01\x00ab"}},
	{"a checksum of a record", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | 3 | Item | item |
    | 4 | 1 | u8 | last | check last != kind
}
type Item {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b |
    | 2 | 1 | u8 | sum = sum8(a..b) |
}`, shapeChecked{}, []string{"\x01\x02\x03\x05\x09"}, []string{"\x01\x02\x03\x04\x09", "\x01\x02\x03"}},
	{"a union in a record with an argument, which has others inside", `type T {
    | 0 | 1 | u8 | k |
    | 1 | N | Node(k) | node |
}
type Node(k) {
    | 0 | 1 | u8 | n |
    | 1 | N | U(k + n) | u |
}
union U(k) by kind { | 0 | 1 | u8 | kind | }
arm U 1 leaf {
    | 1 | 2 | u16 | x |
    | 3 | 1 | u8 | y = k & 127 |
}
arm U 2 list {
    | 1 | 1 | u8 | n = count(items) |
    repeat n as items { | P | N | U(k) | value | }
}`, shapeGiven{}, []string{"\x05\x02\x01\x00\x09\x07", "\x05\x02\x02\x02\x01\x00\x09\x07\x01\x00\x08\x07"}, []string{"\x05\x02\x01\x00\x09\x06"}},
	{"elements with a check of a number that may be absent", `type T {
    | 0 | 1 | u8 | kind |
    | 1 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 1 | u8 | a |
        | P+1 | 1 | u8 | b | if a > 4
        | Q | 1 | u8 | c | check b <= c
    }
}`, shapeAbsent{}, []string{"\x00\x01\x05\x03\x04", "\x00\x03\x05\x07\x09\x00\x02\x05\x01\x01"}, []string{"\x00\x02\x05\x07\x09\x05\x03\x02"}},
	{"elements with an argument, and a check of a number that may be absent", `type T {
    | 0 | 1 | u8 | kind |
    repeat until end as list { | P | N | Item(kind) | value | }
}
type Item(k) {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b | if a > k
    | P | 1 | u8 | c | check b <= c
}`, shapeAbsent{}, []string{"\x03\x05\x03\x04", "\x04\x05\x07\x09\x00\x02\x05\x01\x01"}, []string{"\x04\x05\x07\x09\x05\x03\x02"}},
	{"a list up to a range of bits", `type T {
    repeat until b >= 3 && b < 6 as list {
        | P | 1 | u8 | w | {
            0..3 a
            4..7 b
        }
    }
}`, shapeHalves{}, []string{"\x39", "\x1f\x23\x60\x5f"}, []string{"\x1f", "\x1f\x23\x60"}},
	{"bits of little words in columns", `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 2 | u16le | w | {
            0..7 a
            8..15 b
        }
        | P+2 | 2 | u16 | e |
        | P+4 | 4 | u32le | x |
        | P+8 | 8 | u64le | y |
    }
}`, shapeColumns{}, []string{"\x03\x0b\x01\x03\x02abcdABCDEFGH\x04\x05\x03\x04efghIJKLMNOP\x0f\xff\xff\xfeijklQRSTUVWX"}, nil},
	{"two lists, each up to an element, with a check of a number that may be absent", `type T {
    | 0 | 1 | u8 | kind |
    repeat until c == 7 as list {
        | P | 1 | u8 | a |
        | P+1 | 1 | u8 | b | if a > 4
        | Q | 1 | u8 | c | check b <= c
    }
    repeat until c == 7 as more {
        | R | 1 | u8 | a |
        | R+1 | 1 | u8 | b | if a > 4
        | S | 1 | u8 | c | check b <= c
    }
}`, shapeAbsents{}, []string{"\x00\x05\x03\x07\x05\x03\x07", "\x00\x01\x02\x05\x07\x07\x01\x07"}, []string{"\x00\x05\x03\x07", "\x00\x05\x09\x07\x05\x03\x07"}},
	{"a wide part of a word in columns", `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 2 | u16 | w | {
            0..3 x
            4..15 y
        }
        | P+2 | 2 | u16le | v | {
            0..10 z
            11..15 k
        }
        | P+4 | 4 | u32 | e |
    }
}`, shapeWide{}, []string{"\x02\x12\x3f\x45\x06\x00\x00\x00\x01\xff\xff\xff\xff\x00\x00\x00\x02"}, nil},
	{"signed bits in columns", signedShape, shapeSigned{}, []string{"\x03\x80\x08\x00\x00\x01\x02\x03\x04\x7f\xf7\xff\xff\xff\xff\x00\x00\xff\xff\xff\xff\x00\x00\xff\xff"}, nil},
	{"signed bits behind a text", `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 1 | u8 | len = len(text) |
        | P+1 | len | utf8[len] | text |
        | Q | 4 | u32 | w | {
            0..11 x signed
            12..21 y signed
            22..31 z signed
        }
    }
}`, shapeSignedTexts{}, []string{"\x02\x01a\x80\x08\x00\x00\x02bc\x7f\xf7\xff\xff"}, []string{"\x01\x01\xff\x80\x08\x00\x00"}},
	{"the length at an odd bit", `type T {
    | 0 | 1 | u8 | w | {
        0 a
        1..4 len = len(text)
        5..7 b
    }
    | 1 | len | utf8[len] | text |
}`, shapeOddBit{}, []string{"\x05ab", "\xe0", "\x1fabcdefghijklmno"}, []string{"\x07ab"}},
	{"records of texts in columns", `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | P | 4 | u32 | e |
        | P+4 | 2 | u16 | y |
        | P+6 | 2 | u16 | len = len(text) |
        | P+8 | len | utf8[len] | text |
    }
}`, shapeTexts{}, []string{"\x04\x00\x00\x00\x01\x00\x02\x00\x05abcde\x00\x00\x00\x01\x00\x02\x00\x0aabcdefghij\x00\x00\x00\x01\x00\x02\x00\x00\x00\x00\x00\x01\x00\x02\x00\x05abc\xc3\xa9",
		"\x02\x00\x00\x00\x01\x00\x02\x00\x08abcdefgh\x00\x00\x00\x01\x00\x02\x00\x02ab"}, []string{"\x01\x00\x00\x00\x01\x00\x02\x00\x06abcde"}},
	{"arms that are truths", `union T by kind { | 0 | 1 | u8 | kind | }
arm T 1 one {
    | 1 | 1 | u8 | a |
    | 2 | 1 | u8 | b |
}
arm T 2 ping {}
arm T 3 pong {}
arm T 4 truth { | 1 | 1 | bool8 | x | }`, shapeTruths{}, []string{"\x02"}, []string{"\x01\x07\x08", "\x03", "\x04\x01", "\x04\x00", "\x05"}},
	{"a size that is one of some", `type T {
    | 0 | 1 | u8 | n = size(i) |
    | 1 | n | I | i | check size(i) == 1 || size(i) == 4
    | P | 1 | u8 | last |
}
` + sizedShape, shapeSized{}, []string{"\x01\x07\x02"}, []string{"\x02\x08\x09\x0a", "\x04\x07\x02\x03\x04\x05", "\x00\x07"}},
	{"numbers into wider fields", "type T {\n    | 0 | 1 | u8 | a |\n    | 1 | 1 | u8 | b |\n    | 2 | 1 | u8 | c |\n    | 3 | 1 | u8 | d |\n}", shapeWider{}, []string{"\x01\x02\x03\xff"}, nil},
	{"records up to the end behind other rows", `type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list { | P | 4 | Pair | value | }
    | Q | R | Pair[until end] | more |
}
type Pair {
    | 0 | 2 | i16 | x |
    | 2 | 2 | i16 | y |
}`, shapeRestPairs{}, []string{"\x02\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06", "\x01\x00\x01\x00\x02"}, []string{"\x01\x00\x01\x00\x02\x00\x03"}},
	{"arms by a number with a sign", strings.Replace(armsShape, "u8 | kind", "i8 | kind", 1), shapeArm{}, []string{"\x02\x00\x01\x00\x02"}, []string{"\x01\x07\x08", "\xff"}},
	{"arms beside the rest", armsShape, shapeArmsRest{}, nil, []string{"\x01\x07\x08", "\x02\x00\x01\x00\x02"}},
	{"arms beside an embedded pointer", armsShape, shapeArmsEmbed{}, nil, []string{"\x01\x07\x08", "\x02\x00\x01\x00\x02"}},
}

// TestShapes reads packets and writes their values by plans and by Values, with the same results. Digests of the plans, and
// of their work, are in testdata/shapes.digests.
func TestShapes(t *testing.T) {
	digests := planlist.Digests{List: planList, Folder: *lists}
	for _, c := range append(shapes, shapesCoded...) {
		cc, err := compiler.New("schema \"shape\" {\n    order big\n    root T\n}\n" + c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		typ := reflect.TypeOf(c.value)
		var work codec.Work
		for _, alias := range []bool{false, true} {
			with, err := cc.With(codec.Options{Alias: alias})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range append(c.packets, c.odd...) {
				work.Add(with, []byte(p), reflect.New(typ).Interface())
			}
		}
		if memory.Raw && strconv.IntSize == 64 {
			if err := digests.Add(c.name, codec.Plans(cc, typ), fmt.Sprintf("%+v", work)); err != nil {
				t.Fatal(err)
			}
		}
		c.check(t, cc, typ)
	}
	if memory.Raw && strconv.IntSize == 64 {
		golden.Check(t, "shapes.digests", []byte(digests.String()))
	}
}

// check holds that plans read and write the packets as Values do.
func (c *shapeCase) check(t *testing.T, cc *codec.Codec, typ reflect.Type) {
	m, r := cc.NewMapper(), rand.New(rand.NewPCG(5, uint64(len(c.name))))
	kept, keptValue, used, usedValue := reflect.New(typ), reflect.New(typ), reflect.New(typ), reflect.New(typ)
	for i, p := range append(c.packets, c.odd...) {
		x, y := reflect.New(typ), reflect.New(typ)
		err, err2 := cc.Unmarshal([]byte(p), x.Interface()), codec.UnmarshalValue(cc, []byte(p), y.Interface())
		if !sameError(err, err2) || err == nil && !sameGo(x.Elem(), y.Elem()) {
			t.Errorf("%s: % x: %+v, %v; by Values %+v, %v", c.name, p, x.Elem(), err, y.Elem(), err2)
		}
		if got := codec.ReadsByPlan(cc, []byte(p), reflect.New(typ).Interface()); !got && i < len(c.packets) {
			t.Errorf("%s: % x is not read by the plan", c.name, p)
		}
		if err != nil {
			continue
		}
		err, err2 = m.Unmarshal([]byte(p), kept.Interface()), codec.UnmarshalValue(cc, []byte(p), keptValue.Interface())
		if err != nil || err2 != nil || !sameGo(kept.Elem(), keptValue.Elem()) {
			t.Errorf("%s: % x: read into a used value %+v, %v; by Values %+v, %v", c.name, p, kept.Elem(), err, keptValue.Elem(), err2)
		}
		err, err2 = cc.Unmarshal([]byte(p), used.Interface()), codec.UnmarshalValue(cc, []byte(p), usedValue.Interface())
		if err != nil || err2 != nil || !sameGo(used.Elem(), usedValue.Elem()) {
			t.Errorf("%s: % x: read into a used value without a Mapper %+v, %v; by Values %+v, %v", c.name, p, used.Elem(), err, usedValue.Elem(), err2)
		}
		out, err := cc.Marshal(x.Interface())
		want, err2 := codec.AppendValue(cc, nil, x.Interface())
		if !bytes.Equal(out, want) || !sameError(err, err2) || i < len(c.packets) && (err != nil || !strings.HasPrefix(p, string(out))) {
			t.Errorf("%s: % x: written % x, %v; by Values % x, %v", c.name, p, out, err, want, err2)
		}
		if !codec.WritesByPlan(cc, x.Interface()) && i < len(c.packets) {
			t.Errorf("%s: %+v is not written by the plan", c.name, x.Elem())
		}
		for range long.Number(25, 100) {
			(*gotypes.Types)(nil).Change(r, x.Elem())
			out, err := cc.Marshal(x.Interface())
			want, err2 := codec.AppendValue(cc, nil, x.Interface())
			if !bytes.Equal(out, want) || !sameError(err, err2) {
				t.Errorf("%s: % x: %+v is written % x, %v; by Values % x, %v", c.name, p, x.Elem(), out, err, want, err2)
			}
		}
	}
}
