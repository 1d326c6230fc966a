package segment_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	. "github.com/octable/octable/interp/segment"
)

const names = `schema "names" { root Names }

type Names {
    | 0 | 1 | u8 | reserved = 0     | "ignored" any
    | 1 | 1 | u8 | n = count(names) | "number of names"
    repeat n as names {
        | P   | 1 | u8      | k = len(name) | "length"
        | P+1 | k | utf8[k] | name          | "a name" pad 4 any
    }
    | Q | 1 | u8     | last | "a number"
    | R | S | leb128 | size | "a number of several bytes" any
}
`

// A change keeps the bytes of all other leaves, also those that a writer writes in another way.
func TestRewrite(t *testing.T) {
	m := machineOf(t, names)
	n := notation.Of(m)
	for _, test := range []struct {
		name, packet, value, want string
		kept                      bool
	}{
		{"a packet of a writer", "00 01 0161000000 05 05", `{names: ["bc"], last: 5, size: 5}`, "00 01 026263 0000 05 05", true},
		{"a row that is ignored", "07 01 0161000000 05 05", `{names: ["a"], last: 6, size: 5}`, "07 01 0161000000 06 05", true},
		{"padding", "07 02 0161eeeeee 0162ffffff 05 05", `{names: ["a", "b"], last: 5, size: 6}`, "07 02 0161eeeeee 0162ffffff 05 06", true},
		{"an element after the first", "07 02 0161eeeeee 0162ffffff 05 05", `{names: ["a", "c", "b"], last: 5, size: 5}`, "07 03 0161eeeeee 0163000000 0162ffffff 05 05", true},
		{"without the first element", "07 02 0161eeeeee 0162ffffff 05 05", `{names: ["b"], last: 5, size: 5}`, "07 01 0162ffffff 05 05", true},
		{"a wider number", "00 00 05 8500", `{names: [], last: 6, size: 5}`, "00 00 06 8500", true},
		{"the wider number changes", "00 00 05 8500", `{names: [], last: 5, size: 6}`, "00 00 05 06", true},
		{"nothing", "07 01 0161eeeeee 05 8500", `{names: ["a"], last: 5, size: 5}`, "07 01 0161eeeeee 05 8500", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := digits(t, test.packet)
			was, _, err := m.Decode(b, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := n.Parse(test.value)
			if err != nil {
				t.Fatal(err)
			}
			out, kept, err := Rewrite(context.Background(), m, b, was, want, interp.Options{})
			if err != nil || !bytes.Equal(out, digits(t, test.want)) || kept != test.kept {
				t.Errorf("%x, kept %v, %v; want %s, kept %v", out, kept, err, test.want, test.kept)
			}
		})
	}
	b := digits(t, "07 00 05 05")
	was, _, err := m.Decode(b, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	large, err := n.Parse(`{names: [], last: 300, size: 5}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Rewrite(context.Background(), m, b, was, large, interp.Options{}); !errors.Is(err, interp.ErrRange) {
		t.Errorf("a number that is too large gives %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := Rewrite(stopped, m, b, was, was, interp.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended gives %v", err)
	}
}

func digits(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
