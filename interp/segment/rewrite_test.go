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

const arms = `schema "arms" { root T }

union T by kind { | 0 | 1 | u8 | kind | "kind" }
arm T 1 A { | 1 | 1 | u8 | x | "a number" }
arm T 2 B { | 1 | 1 | u8 | y | "a number" }
`

const regions = `schema "regions" { root T }

type T {
    | 0   | 1 | u8            | k = size(body) | "bytes of the region"
    | 1   | k | Body          | body           | "the region"
    MORE
}
type Body {
    | 0 | S | leb128          | size | "a number of several bytes" any
    | S | N | utf8[until end] | text | "a text"
}
`

// TestRewriteOthers checks rewriting that falls back to the bytes of a writer. The value that is replaced is not that
// of the packet, or the bytes that are kept do not have the new value.
func TestRewriteOthers(t *testing.T) {
	for _, test := range []struct{ name, schema, packet, was, value, want string }{
		{"the packet has more leaves", names, "07 01 0161eeeeee 05 05", `{names: [], last: 5, size: 5}`, `{names: [], last: 6, size: 5}`, "00 00 06 05"},
		{"the packet has leaves of other rows", arms, "01 05", "B(5)", "B(6)", "02 06"},
		{"bytes would be left over", strings.Replace(regions, "MORE", "", 1), "03 8500 61", `{body: {size: 5, text: "a"}}`, `{body: {size: 5, text: "ab"}}`, "03 05 6162"},
		{"a region would end earlier", strings.Replace(regions, "MORE", `| 1+k | N | u8[until end] | more | "more bytes"`, 1), "03 8500 61 07", `{body: {size: 5, text: "a"}, more: [7]}`, `{body: {size: 5, text: "ab"}, more: [7]}`, "03 05 6162 07"},
		{"no packet has the value", names, "07 00 05 05", `{names: [], last: 5}`, `{names: [], last: 6, size: 5}`, "00 00 06 05"},
	} {
		m := machineOf(t, test.schema)
		n := notation.Of(m)
		was, err := n.Parse(test.was)
		if err != nil {
			t.Fatal(err)
		}
		value, err := n.Parse(test.value)
		if err != nil {
			t.Fatal(err)
		}
		out, kept, err := Rewrite(context.Background(), m, digits(t, test.packet), was, value, interp.Options{})
		if err != nil || kept || !bytes.Equal(out, digits(t, test.want)) {
			t.Errorf("%s: %x, kept %v, %v; want %s", test.name, out, kept, err, test.want)
		}
	}
}

// TestWalk: a loop over nodes may end at any of them, and a byte behind the packet has no leaf.
func TestWalk(t *testing.T) {
	m := machineOf(t, names)
	p := Read(m, digits(t, "00 01 0161000000 05 05 ff ff"), interp.Options{})
	if p.Machine() != m || p.At(0) == nil || p.At(11) != nil || p.At(-1) != nil {
		t.Errorf("the leaves of bytes 0, 11 and -1 are %v, %v, %v", p.At(0), p.At(11), p.At(-1))
	}
	all, leaves := 0, 0
	for range p.All() {
		all++
	}
	for range p.Leaves() {
		leaves++
	}
	if len(p.Rest) == 0 || leaves < 8 || leaves >= all {
		t.Fatalf("%d leaves of %d nodes, %d of them behind the value", leaves, all, len(p.Rest))
	}
	for end := 1; end <= all; end++ {
		n := 0
		for range p.All() {
			if n++; n == end {
				break
			}
		}
		if n != end {
			t.Errorf("%d nodes, want %d", n, end)
		}
	}
	for range p.Leaves() {
		leaves = 1
		break
	}
	if leaves != 1 {
		t.Error("the loop over leaves goes on")
	}
}

// TestTotals: a wrong checksum of the whole packet is noted with the right number, and what follows is read.
func TestTotals(t *testing.T) {
	for _, test := range []struct {
		sum, packet string
		want        uint64
	}{
		{"sum32(File with total as 0)", "00000009 00000001 00000002", 3},
		{"0x10 - sum32(File with total as 0)", "00000009 00000001 00000002", 13},
	} {
		m := machineOf(t, `schema "whole" {
    order big
    root File
}
type File {
    | 0 | 8 | Head | head | "the head"
    | 8 | 4 | u32  | y    | "a number"
}
type Head {
    | 0 | 4 | u32 | total = `+test.sum+` | "checksum"
    | 4 | 4 | u32 | x | "a number"
}
`)
		p := Read(m, digits(t, test.packet), interp.Options{})
		if p.Err != nil || p.Used != 12 || len(p.Wrong) != 1 || p.Wrong[0].Want != test.want || p.Wrong[0].Leaf == nil || p.Wrong[0].Leaf.Offset != 0 || p.Wrong[0].Leaf.Number != 9 {
			t.Errorf("%s: %d bytes, %v, %+v", test.sum, p.Used, p.Err, p.Wrong)
		}
	}
}

// TestMost: a packet with more parts than allowed is read up to there.
func TestMost(t *testing.T) {
	m := machineOf(t, names)
	p, err := ReadContext(context.Background(), m, digits(t, "00 01 0161000000 05 05"), interp.Options{}, 4)
	if err != nil || p.Err == nil || p.Err.Kind != interp.ErrLimit || p.Err.Expected != "at most 4 parts" {
		t.Errorf("%v, %+v", err, p)
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
