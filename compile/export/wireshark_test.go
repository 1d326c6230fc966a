package export_test

import (
	"bytes"
	"testing"

	"github.com/octable/octable/compile/export/wireshark"
)

// TestBits shows bits below their word. They are of rows, of the word of a union in its arm, and of 64 bits.
func TestBits(t *testing.T) {
	lua, _, err := wireshark.Dissector(modelOf(t, `
type T {
    | 0 | 2 | u16 | flags | "flags" {
        15     last         "the last one"
        12..14 kind = 5
        0..11  number
    }
    | 2 | 8 | u64 | wide | "a word" {
        63    top
        0..30 others
        rest  any
    }
    | 10 | 1 | u8 | plain | "a number"
    | 11 | N | U  | u     | "a union"
}

union U by id {
    | 0 | 1 | u8 | head | {
        4..7 id
    }
}

arm U 1 one {
    head { 0..3 low }
    | 1 | 1 | u8 | x |
}

arm U else other {
    refuse "others"
}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`local ID, TITLE = "c_schema", ""`,
		`ProtoField.bool(ID .. ".t.last", "last", 16, nil, 0x8000, "the last one")`,
		`ProtoField.uint16(ID .. ".t.kind", "kind", base.DEC, nil, 0x7000)`,
		`ProtoField.uint16(ID .. ".t.number", "number", base.DEC, nil, 0xfff)`,
		`ProtoField.uint64(ID .. ".t.others", "others", base.DEC, nil, 0x7fffffff)`,
		`ProtoField.uint8(ID .. ".one.low", "low", base.DEC, nil, 0xf)`,
	} {
		if !bytes.Contains(lua, []byte(want)) {
			t.Errorf("%s is not in the dissector", want)
		}
	}
	if n := bytes.Count(lua, []byte("\tpart(s, F[")); n != 5 || t.Failed() { // the mask of top has more than 32 bits
		t.Errorf("%d bits are shown, not 5, by\n%s", n, lua)
	}
}
