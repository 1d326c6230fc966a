package segment_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/interp"
	. "github.com/octable/octable/interp/segment"
	"github.com/octable/octable/spec"
)

// TestResume checks reading behind errors. There is a section of an unknown type, one that is cut off, one with a
// byte that is left over, and one without mistakes. The sections behind the errors are read, and so are the rows
// before each error.
func TestResume(t *testing.T) {
	_, m := load(t, "wasm")
	b, err := hex.DecodeString("0061736d01000000" + "0f02aabb" + "01040160017f" + "080205ee" + "03020100")
	if err != nil {
		t.Fatal(err)
	}
	p, faults, err := NewResumer(m).Read(context.Background(), b, interp.Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range faults {
		got = append(got, fmt.Sprintf("%s %d %s", e.Word(), e.Offset, e.Path))
	}
	if want := []string{"type 10 .sections[0].body", "truncated 18 .sections[1].body[0]", "trailing 21 .sections[2]"}; !slices.Equal(got, want) {
		t.Errorf("errors %q, want %q", got, want)
	}
	if p.Err != nil || p.Used != len(b) {
		t.Errorf("read %d of %d bytes: %v", p.Used, len(b), p.Err)
	}
	for offset, want := range map[int]string{10: "raw", 11: "raw", 16: "derived .sections[1].body[0]", 17: "field .sections[1].body[0]", 20: "field .sections[2].body", 21: "raw", 25: "field .sections[3].body[0]"} {
		n := p.At(offset)
		text := n.Kind.String()
		if n.Kind != Raw {
			text += " " + n.Path
		}
		if text != want {
			t.Errorf("byte %d is %s, want %s", offset, text, want)
		}
	}
}

// TestResumeAgain: an instruction that was accepted once may fail again, and some cannot be accepted at all.
func TestResumeAgain(t *testing.T) {
	for _, test := range []struct {
		name, row, packet string
		want              []string
		ends              bool // reading gets to the end of the packet
	}{
		{"padding that is wrong, then cut off", `| P | 1 | u8 | k = len(s) | "bytes"
        | P+1 | k | utf8[k] | s | "a text" pad 4`, "02 0161ee0000 0162 00", []string{"value 3", "truncated 8"}, false},
		{"bytes without their end", `| P | N | u8[until "ff"] | s | "bytes"`, "02 01ff 02", []string{"truncated 3"}, false},
		{"a number whose word cannot hold the right one", `| P | 1 | u8 | a | "a number"
        | P+1 | 1 | u8 | more = a * 200 | "a number"`, "02 0201 01c8", []string{"value 2"}, true},
		{"a region in a record without registers for another", redundant(126) + `| P+127 | 1 | u8 | size = size(body) | "bytes"
        | P+128 | size | Body | body | "a number"`, "01" + strings.Repeat("00", 127) + "0101", []string{"truncated 130"}, false},
	} {
		m := machineOf(t, `schema "again" { root T }
type T {
    | 0 | 1 | u8 | n = count(list) | "number"
    repeat n as list {
        `+test.row+`
    }
}
type Body {
    | 0 | 1 | u8 | k = len(text) | "bytes"
    | 1 | k | utf8[k] | text | "a text"
}
`)
		p, faults, err := NewResumer(m).Read(context.Background(), digits(t, test.packet), interp.Options{}, 0)
		var got []string
		for _, e := range faults {
			got = append(got, fmt.Sprint(e.Word(), " ", e.Offset))
		}
		if err != nil || !slices.Equal(got, test.want) || (p.Err == nil) != test.ends {
			t.Errorf("%s: %q, %v, %v; want %q", test.name, got, p.Err, err, test.want)
		}
	}
}

// redundant returns rows of numbers each of which takes two registers, behind the number x.
func redundant(n int) string {
	var b strings.Builder
	b.WriteString("| P | 1 | u8 | x | \"a number\"\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "| P+%d | 1 | u8 | y%[1]d = 0 * x | \"0\"\n", i)
	}
	return b.String()
}

// ending is a context that ends when it was looked at a number of times.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestResumeEnds: reading ends with the context, also in the middle of a packet and after an error.
func TestResumeEnds(t *testing.T) {
	m := machineOf(t, `schema "long" { root T }
type T {
    | 0 | 1 | u8 | a | "a number" check a != 0
    | 1 | 2 | u16 | n = count(list) | "number"
    repeat n as list { | P | 1 | u8 | x | "a number" check x != 1 }
}
`)
	b := append([]byte{0, 0x10, 0x10}, make([]byte, 0x1010)...)
	for left := range 3 {
		ctx := &ending{context.Background(), left}
		if p, faults, err := NewResumer(m).Read(ctx, b, interp.Options{}, 0); err != context.Canceled || p != nil || faults != nil || ctx.left >= 0 {
			t.Errorf("%d looks: %v, %v", left, faults, err)
		}
	}
	p, faults, err := NewResumer(m).Read(context.Background(), b, interp.Options{}, 0)
	if err != nil || len(faults) != 1 || p.Err != nil || p.Used != len(b) {
		t.Errorf("%d bytes, %v, %v", p.Used, faults, err)
	}
}

// TestResumeWithoutNumber: a word that cannot hold the right number is not repaired.
func TestResumeWithoutNumber(t *testing.T) {
	m := machineOf(t, `schema "wide" { root T }
type T {
    | 0 | 1 | u8 | a | "a number"
    | 1 | 1 | u8 | more = a * 200 | "a number"
}
`)
	for packet, wrong := range map[string]int{"0105": 1, "0205": 0} {
		if p := Read(m, digits(t, packet), interp.Options{}); len(p.Wrong) != wrong || (p.Err == nil) != (wrong == 1) {
			t.Errorf("%s: %+v, %v", packet, p.Wrong, p.Err)
		}
	}
}

// TestResumeDamaged resumes damaged packets of all schemas. The first error is that of a plain reading, the leaves
// before it are the same, and each byte has one leaf.
func TestResumeDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	continued := 0
	for _, id := range spec.All() {
		s, m := load(t, id)
		resumer := NewResumer(m)
		for _, x := range examples(s) {
			for range 4 {
				b := slices.Clone(x.Bytes)
				if len(b) == 0 {
					continue
				}
				b[r.IntN(len(b))] = byte(r.IntN(256))
				plain := Read(m, b, interp.Options{})
				p, faults, err := resumer.Read(context.Background(), b, interp.Options{}, 0)
				if err != nil {
					t.Fatal(err)
				}
				at := 0
				for _, x := range p.Spans() {
					if x.From != at || x.To <= at {
						t.Fatalf("%s, %x: the leaf of bytes %d to %d follows byte %d", id, b, x.From, x.To, at)
					}
					at = x.To
				}
				if at != len(b) {
					t.Errorf("%s, %x: leaves end at byte %d", id, b, at)
				}
				if (plain.Err == nil) != (len(faults) == 0) || plain.Err != nil && plain.Err.Error() != faults[0].Error() {
					t.Errorf("%s, %x: errors %v, plain %v", id, b, faults, plain.Err)
				}
				if len(faults) > 0 && faults[len(faults)-1] != p.Err {
					continued++
				}
				for n := range plain.Leaves() {
					if n.Kind == Raw || n.Kind == Gap {
						continue
					}
					if !slices.ContainsFunc(resumed(p, n.Offset), func(o *Node) bool { return o.Rule == n.Rule && o.Len == n.Len && o.PC == n.PC }) {
						t.Errorf("%s, %x: the %s of %d bytes at byte %d is missing after %v", id, b, n.Kind, n.Len, n.Offset, faults)
						break
					}
				}
			}
		}
	}
	if continued < 20 {
		t.Errorf("reading went on in %d packets only", continued)
	}
	t.Logf("reading went on in %d packets", continued)
}

// resumed returns the leaves at an offset.
func resumed(p *Packet, offset int) (out []*Node) {
	for n := range p.Leaves() {
		if n.Offset == offset {
			out = append(out, n)
		}
	}
	return out
}
