package codec_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

type (
	shapeFlags struct {
		A bool  `octable:"a"`
		B bool  `octable:"b"`
		C bool  `octable:"c"`
		D bool  `octable:"d"`
		E bool  `octable:"e"`
		F bool  `octable:"f"`
		G bool  `octable:"g"`
		H bool  `octable:"h"`
		I uint8 `octable:"i"`
	}
	shapeLength struct {
		List []struct {
			A    uint8  `octable:"a"`
			B    uint8  `octable:"b"`
			C    uint8  `octable:"c"`
			D    uint8  `octable:"d"`
			E    uint32 `octable:"e"`
			Text string `octable:"text"`
		} `octable:"list"`
	}
	shapeOptional struct {
		Kind  uint8   `octable:"kind"`
		Wide  uint8   `octable:"wide"`
		Text  string  `octable:"text,omitempty"`
		Bytes []byte  `octable:"bytes,omitempty"`
		Num   *uint16 `octable:"num"`
		Truth bool    `octable:"truth,omitempty"`
		Small int32   `octable:"small,omitempty"`
	}
	shapeOptionals struct {
		List []shapeOptional `octable:"list"`
	}
	shapeBytes struct {
		N     uint8  `octable:"n"`
		Bytes []byte `octable:"bytes"`
	}
	shapeBounds struct {
		Kind  uint8 `octable:"kind"`
		Least uint8 `octable:"least,omitempty"`
		Less  uint8 `octable:"less,omitempty"`
		More  uint8 `octable:"more,omitempty"`
		Most  uint8 `octable:"most,omitempty"`
		End   uint8 `octable:"end"`
	}
	shapeText struct {
		Text string `octable:"text"`
	}
)

// TestShapes reads packets and writes their values by plans and by Values, with the same results.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		value      any
		packets    []string // that are read and written by the plan
		odd        []string // that only Values read, or nobody
	}{
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
		{"padding up to the end", `type T {
    | 0 | 1 | u8 | n = len(text) |
    | 1 | n | utf8[n] | text | pad 4 any or end
}`, shapeText{}, []string{"\x04abcd", "\x00"}, []string{"\x03abc", "\x03abc\x00", "\x03abc\x07", "\x05abc"}},
	} {
		cc, err := compiler.New("schema \"shape\" {\n    order big\n    root T\n}\n" + c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		typ := reflect.TypeOf(c.value)
		m := cc.NewMapper()
		kept, keptValue := reflect.New(typ), reflect.New(typ)
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
			out, err := cc.Marshal(x.Interface())
			want, err2 := codec.AppendValue(cc, nil, x.Interface())
			if !bytes.Equal(out, want) || err != nil || err2 != nil || i < len(c.packets) && !strings.HasPrefix(p, string(out)) {
				t.Errorf("%s: % x: written % x, %v; by Values % x, %v", c.name, p, out, err, want, err2)
			}
			if !codec.WritesByPlan(cc, x.Interface()) && i < len(c.packets) {
				t.Errorf("%s: %+v is not written by the plan", c.name, x.Elem())
			}
		}
	}
}
