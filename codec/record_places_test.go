package codec_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

// placesApart are schemas with rows at places, Go values, packets, and whether there are plans.
var placesApart = map[string]struct {
	source  string
	into    any
	packets []string
	planned bool
}{
	// A packet with an arm that has no plan goes by Values.
	"arm from outside": {
		`type File {
| 0 | 1 | u8 | at |
| 1 | N | Arm(at) | arm |
}
union Arm(at) by kind {
| 0 | 1 | u8 | kind |
}
arm Arm 1 text {
| @at from File | 2 | utf16[2] | text |
}
arm Arm 2 empty {}`,
		&struct {
			At  uint8 `octable:"at"`
			Arm struct {
				Text  *string   `octable:"text"`
				Empty *struct{} `octable:"empty"`
			} `octable:"arm"`
		}{},
		[]string{"\x02\x01a\x00", "\x00\x02", "\x01\x01a\x00"}, true,
	},
	"gaps": {
		`type File {
| 0 | 1 | u8 | at |
| @ | G | u8[until end] | gaps |
| @at | 2 | u16 | x |
}`,
		&struct {
			At   uint8  `octable:"at"`
			Gaps []byte `octable:"gaps"`
			X    uint16 `octable:"x"`
		}{},
		[]string{"\x02\x07\x01\x00", "\x00\x07\x01\x00", "\x01\x07\x01\x00"}, true,
	},
	"word in an order whose bits decide": {
		`type File {
| 0 | 1 | u8 | data |
order by data { 1 little, 2 big }
| 1 | N | Arm | arm |
}
union Arm by kind {
| 0 | 2 | u16 | kind |
}
arm Arm 16..31 one {
kind { 0..3 low }
| 2 | 2 | u16 | x |
| 4 | 1 | u8 | y | if kind & 1
}
arm Arm 2 two {}
arm Arm else other {
refuse "another kind"
}`,
		&struct {
			Data uint8 `octable:"data"`
			Arm  struct {
				One *struct {
					Low uint8  `octable:"low"`
					X   uint16 `octable:"x"`
					Y   *uint8 `octable:"y"`
				} `octable:"one"`
				Two *struct{} `octable:"two"`
			} `octable:"arm"`
		}{},
		[]string{"\x01\x10\x00\x03\x00", "\x02\x00\x11\x00\x03\x07", "\x02\x00\x02", "\x01\x11\x00\x03\x00\x07", "\x01\x00\x11\x03\x00"}, true,
	},
	"number of another type": {
		`type File {
| 0 | 2 | Info | info |
| 2 | N | u8[info.count] | x |
}
` + apartInfo,
		&struct {
			Info apartReal `octable:"info"`
			X    []byte    `octable:"x"`
		}{},
		[]string{"\x02\x05\x07\x08", "\x02\x05\x07"}, false,
	},
	"number of an absent record": {
		`type File {
| 0 | 1 | u8 | has |
| 1 | 2 | Info | info | if has
| N | M | u8[info.count] | x |
}
` + apartInfo,
		&struct {
			Has  uint8        `octable:"has"`
			Info *apartNumber `octable:"info"`
			X    []byte       `octable:"x"`
		}{},
		[]string{"\x01\x02\x05\x07\x08", "\x00", "\x01\x02\x05\x07"}, true,
	},
}

const apartInfo = `type Info {
| 0 | 1 | u8 | count |
| 1 | 1 | u8 | kind |
}`

type apartReal struct {
	Count float64 `octable:"count"`
	Kind  uint8   `octable:"kind"`
}

type apartNumber struct {
	Count uint8 `octable:"count"`
	Kind  uint8 `octable:"kind"`
}

// TestPlacesApart: what plans leave to Values, of rows at places and of numbers of records, gives the same.
func TestPlacesApart(t *testing.T) {
	for name, c := range placesApart {
		t.Run(name, func(t *testing.T) {
			k, err := compiler.New("schema \"t\" { order little root File }\n" + c.source)
			if err != nil {
				t.Fatal(err)
			}
			typ := reflect.TypeOf(c.into).Elem()
			if codec.HasPlan(k, typ) != c.planned || codec.HasWritePlan(k, typ) != c.planned {
				t.Errorf("plans are %v and %v", codec.HasPlan(k, typ), codec.HasWritePlan(k, typ))
			}
			for _, p := range c.packets {
				got, want := reflect.New(typ), reflect.New(typ)
				err := k.Unmarshal([]byte(p), got.Interface())
				if wantErr := codec.UnmarshalValue(k, []byte(p), want.Interface()); fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Errorf("%q: %v, want %v", p, err, wantErr)
				}
				if err != nil {
					continue
				}
				if !reflect.DeepEqual(got.Interface(), want.Interface()) {
					t.Errorf("%q: %+v, want %+v", p, got.Elem(), want.Elem())
				}
				b, err := k.Marshal(got.Interface())
				wantB, wantErr := codec.AppendValue(k, nil, got.Interface())
				if fmt.Sprint(err) != fmt.Sprint(wantErr) || !bytes.Equal(b, wantB) {
					t.Errorf("%q is written as %q: %v, want %q, %v", p, b, err, wantB, wantErr)
				}
			}
		})
	}
}

// TestManyArguments: records with arguments are written in more records than the loop has levels for.
func TestManyArguments(t *testing.T) {
	type node struct {
		Kind uint8  `octable:"kind"`
		Next *node  `octable:"next"`
		Text []byte `octable:"text"`
	}
	k, err := compiler.New(`schema "t" { root Node0
depth 1000 }
type Node0 {
| 0 | 1 | u8 | kind |
| 1 | N | Node(kind, 1) | next | if kind
| P | Q | u8[kind] | text |
}
type Node(n, more) {
| 0 | 1 | u8 | kind | check kind <= n * more
| 1 | N | Node(kind, 1) | next | if kind
| P | Q | u8[n] | text |
}`)
	if err != nil {
		t.Fatal(err)
	}
	var root *node
	for i := range 100 {
		root = &node{Kind: min(uint8(i), 3), Next: root, Text: make([]byte, 3)}
		if i < 3 {
			root.Text = make([]byte, i+1)
		}
	}
	root.Text = root.Text[:root.Kind]
	b, err := k.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	if !codec.WritesByPlan(k, root) {
		t.Error("not written by the plan")
	}
	if want, err := codec.AppendValue(k, nil, root); err != nil || !bytes.Equal(b, want) {
		t.Errorf("%d bytes, want %d: %v", len(b), len(want), err)
	}
	root.Next.Kind = 4
	if _, err := k.Marshal(root); !errors.Is(err, codec.ErrValue) {
		t.Errorf("a number over the argument: %v", err)
	}
}
