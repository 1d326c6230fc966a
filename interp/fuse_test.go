package interp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/interp"
)

// TestFused compares the forms of values that the fast loops take, for each schema, with testdata/fused.golden. A value that they
// do not take is read and written right, but slowly. Each form is in the file once, below the first schema that has it.
func TestFused(t *testing.T) {
	var out strings.Builder
	seen := map[string]bool{}
	for _, id := range schemaIDs(t) {
		m := shipped(t, id)
		fmt.Fprintf(&out, "%s\n", id)
		line := func(format string, args ...any) {
			if s := fmt.Sprintf(format, args...); !seen[s] {
				seen[s] = true
				fmt.Fprintf(&out, "  %s\n", s)
			}
		}
		for i, typ := range m.Program().Types {
			tag := shippedTag(i, &typ)
			for _, f := range m.ReadForms(tag) {
				line("read %s: %s", typ.Name, formText(f))
			}
			if f, wide, ok := m.WriteForm(tag); ok {
				line("write %s: %s, wide %#x", typ.Name, formText(f), wide)
			}
		}
	}
	golden.Check(t, "fused.golden", []byte(out.String()))
}

func formText(f interp.Form) string {
	out := fmt.Sprintf("%s, header %#x", f.Kind, f.Head)
	if f.Size != 0 {
		out += fmt.Sprintf(", %d of %s in %d bytes", f.Lanes, f.Scalar, f.Size)
	} else if f.Scalar != bytecode.NoScalar {
		out += fmt.Sprint(", ", f.Scalar)
	}
	if f.Count != interp.CountPlain {
		out += fmt.Sprint(", count ", f.Count)
	}
	for _, x := range []struct {
		is   bool
		text string
	}{{f.Padded, "padded"}, {f.OrEnd, "or at the end"}, {f.Texts, "texts"}, {f.Counted, "counted"}, {f.Encoding != 0, fmt.Sprint("encoding ", f.Encoding)}} {
		if x.is {
			out += ", " + x.text
		}
	}
	return out
}

// TestFusedChanged: the fast loops read and write records as the instructions do, whether or not a field may be alone.
func TestFusedChanged(t *testing.T) {
	for _, id := range []string{"godot-3", "godot-4.4"} {
		b := shipped(t, id).Program().Save()
		for _, change := range []func(p *bytecode.Program){
			func(p *bytecode.Program) {
				for i := range p.Code {
					if in := &p.Code[i]; in.Op == bytecode.Done {
						in.B &^= bytecode.DoneAlone
					}
				}
			},
			func(p *bytecode.Program) {
				for i := range p.Types {
					for k := range p.Types[i].Fields {
						p.Types[i].Fields[k].Alone = false
					}
				}
			},
		} {
			p, err := bytecode.Load(b)
			if err != nil {
				t.Fatal(err)
			}
			change(p)
			m, err := interp.New(p, shippedTag)
			if err != nil {
				t.Fatal(err)
			}
			g, err := m.NewGenerator(interp.GenerateOptions{Open: 0xff})
			if err != nil {
				t.Fatal(err)
			}
			opt := interp.Options{Open: 0xff}
			plain := unfused(t, m)
			r := rand.New(rand.NewPCG(15, 16))
			written := 0
			for i := range 200 {
				v, _ := g.Generate(choices(r, i))
				b, err := plain.Append(nil, v, opt)
				if err != nil {
					continue // a writer wants lanes alone
				}
				written++
				if err := agree(m.NewReader(opt), plain.NewReader(opt), m.NewWriter(opt), plain.NewWriter(opt), b); err != nil {
					t.Fatal(err)
				}
			}
			if written < 20 {
				t.Errorf("%s: only %d values are written", id, written)
			}
		}
	}
}

// fusedLists has lists, counted in each way, that the fast loops read and write, and lists that they do not.
const fusedLists = `schema "lists" {
    order little
    root T
    depth 20
}
encoding strict { utf8 strict }
union T by kind { | 0 | 4 | u32 | kind | }
arm T 0 none {}
arm T 1 list {
    | 4 | 4 | i32 | n = count(list) |
    repeat max(n, 0) as list { | P | N | T | item | }
}
arm T 2 texts {
    | 4 | 4 | u32 | n = count(list) |
    repeat n & 0x7fffffff as list {
        | P   | 4 | u32     | k = len(s) |
        | P+4 | k | strict[k] | s        | pad 4 any
    }
}
arm T 3 arrays {
    | 4 | 4 | u32 | n = count(list) |
    repeat n as list {
        | P   | 4 | u32   | k = count(s) |
        | P+4 | k | u8[k] | s            | pad 4 any
    }
}
arm T 4 others {
    | 4 | 4 | u32 | n = count(list) |
    repeat n as list { | P | N | U | item | }
}
arm T 5 short {
    | 4 | 2 | u16 | n = count(list) |
    repeat n as list { | P | N | T | item | }
}
arm T 6 swapped {
    | 4 | 4 | u32be | n = count(list) |
    repeat n as list { | P | N | T | item | }
}
union U by kind { | 0 | 1 | u8 | kind | }
arm U 0 none {}
arm U 1 one { | 1 | 1 | u8 | x | }
`

// fusedMachine returns a machine of fusedLists. Records without a name have no tag, as in shipped schemas.
func fusedMachine(t *testing.T) *interp.Machine {
	m, err := interp.New(machineOf(t, fusedLists).Program(), shippedTag)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFusedLists: the fast loops read and write lists as the instructions do.
func TestFusedLists(t *testing.T) {
	lawOfPlans(t, fusedMachine(t), interp.Options{}, 100)
}

// TestFusedFlags: the fast loops read and write numbers whose width is in any bit of the header.
func TestFusedFlags(t *testing.T) {
	opt := interp.Options{}
	for _, bit := range []int{8, 16, 25, 26, 31} {
		m := machineOf(t, strings.ReplaceAll(fusedArms, "{ 16 wide", fmt.Sprintf("{ %d wide", bit)))
		plain := unfused(t, m)
		for _, kind := range []uint32{6, 7} {
			for _, b := range [][]byte{words(kind, 0x40000000), words(kind|1<<bit, 1, 0x40000000), words(kind|1<<bit^1<<9, 1, 0x40000000)} {
				if err := agree(m.NewReader(opt), plain.NewReader(opt), m.NewWriter(opt), plain.NewWriter(opt), b); err != nil {
					t.Errorf("bit %d: %v", bit, err)
				}
			}
		}
	}
}

// TestTextBytes: fast loops and plans check every byte of texts of each length, as the instructions do.
func TestTextBytes(t *testing.T) {
	const sized = "| 0 | 1 | u8 | n = len(text) |\n    | 1 | n | utf8[n] | text |\n"
	byte1 := func(n int) string { return string([]byte{byte(n)}) }
	lines := func(text string) string {
		return byte1(3) + "\x01a" + byte1(len(text)) + text + byte1(len(text)) + text
	}
	for types, packet := range map[string]func(text string) string{
		"": func(text string) string {
			padded := text + strings.Repeat("\x00", -len(text)&3)
			return string(words(2, 2, uint32(len(text)))) + padded + string(words(uint32(len(text)))) + padded
		},
		"type T { " + sized + " }": func(text string) string { return byte1(len(text)) + text },
		"type T { | 0 | N | utf8[until \"00\"] | text | | P | 1 | u8 | x | }":                                           func(text string) string { return text + "\x00\x05" },
		"type T { | 0 | N | utf8[until \"0d0a\"] | text | | P | 1 | u8 | x | }":                                         func(text string) string { return text + "\r\n\x05" },
		"type T { | 0 | 24 | utf8[24] | text | fill \"20\"\n| 24 | 1 | u8 | x | }":                                      func(text string) string { return text + strings.Repeat(" ", 24-len(text)) + "\x05" },
		"type T { | 0 | N | utf8[until end] | text | }":                                                                 func(text string) string { return text },
		"type T { | 0 | 1 | u8 | n = count(list) |\nrepeat n as list { | P | N | S | s | } }\ntype S { " + sized + " }": lines,
		"type T { | 0 | 1 | u8 | n = count(list) |\nrepeat n as list { | P | N | S | s | } }\ntype S { " + sized + "| P | 2 | u16 | x | }": func(text string) string {
			return byte1(2) + byte1(len(text)) + text + "ab" + byte1(len(text)) + text + "cd"
		},
		"type T { | 0 | 1 | u8 | n = count(list) |\nrepeat n as list { | P | N | U | s | } }\nunion U by kind { | 0 | 1 | u8 | kind | }\narm U 1 say {\n| 1 | 1 | u8 | n = len(text) |\n| 2 | n | utf8[n] | text |\n}\narm U 2 name {\n| 1 | N | utf8[until \"00\"] | text |\n}": func(text string) string {
			return byte1(3) + "\x01" + byte1(len(text)) + text + "\x02" + text + "\x00\x01" + byte1(len(text)) + text
		},
		"type T { | 0 | 1 | u8 | n = count(map) |\nmap n as map { | P | N | S | key | | Q | M | S | value | } }\ntype S { " + sized + " }": func(text string) string {
			return byte1(2) + byte1(len(text)) + text + "\x01v" + byte1(len(text)+1) + text + "2" + byte1(len(text)) + text
		},
	} {
		m := fusedMachine(t)
		if types != "" {
			m = shapeOf(t, "texts", "big", types)
		}
		plain := unfused(t, m)
		fast, slow, w, wSlow := m.NewReader(interp.Options{}), plain.NewReader(interp.Options{}), m.NewWriter(interp.Options{}), plain.NewWriter(interp.Options{})
		accepted := 0
		for n := range 24 {
			text := []byte("abcdefghijklmnopqrstuvwx")[:n]
			v, _, err := plain.Decode([]byte(packet(string(text))), interp.Options{})
			if err != nil {
				t.Fatalf("%s: %v", types, err)
			}
			for at := range max(1, n) {
				for _, odd := range []byte{'a', 0, 1, 0x1f, 0x7f, 0x80, 0xc3, 0xff} {
					changed := slices.Clone(text)
					if n > 0 {
						changed[at] = odd
					}
					b := []byte(packet(string(changed)))
					if err := agree(fast, slow, w, wSlow, b); err != nil {
						t.Fatalf("%s: %v", types, err)
					}
					if _, _, err := slow.Read(b); err == nil {
						accepted++
					}
					with := withTexts(v, string(text), string(changed))
					if err := agreeWriting(w, wSlow, with, with); err != nil {
						t.Fatalf("%s: %v", types, err)
					}
				}
			}
		}
		if accepted < 500 {
			t.Errorf("%s: %d packets are accepted", types, accepted)
		}
	}
}

// withTexts returns a value with other texts in place of equal ones.
func withTexts(v interp.Value, from, to string) interp.Value {
	if v.Kind() == interp.Text && v.Text() == from {
		return interp.MakeText(v.Tag(), to)
	}
	cells := slices.Clone(v.Cells())
	for i := range cells {
		cells[i] = withTexts(cells[i], from, to)
	}
	if len(cells) == 0 {
		return v
	}
	return v.WithCells(cells)
}

// TestCountOf: words that are negative count as their kind says.
func TestCountOf(t *testing.T) {
	for _, c := range []struct {
		count interp.Count
		want  uint32
	}{{interp.CountPlain, 0x80000003}, {interp.CountLow31, 3}, {interp.CountSigned, 0}} {
		if n := c.count.Of(0x80000003); n != c.want || c.count.Of(5) != 5 {
			t.Errorf("%d: %#x, %d; want %#x, 5", c.count, n, c.count.Of(5), c.want)
		}
	}
}

// TestFusedAgain checks that a Reader has its whole limits in each packet. That includes the values inside of a record
// that a plan reads.
func TestFusedAgain(t *testing.T) {
	m := machineOf(t, `schema "again" {
    order little
    root T
}
import "godot-4.4" as godot
type T {
    | 0 | 4 | u32           | id    |
    | 4 | N | godot.Variant | value |
}`)
	array := append([]byte{1, 0, 0, 0}, words(0x1c, 3, 0x1c, 2, 0, 0, 0, 0)...)
	for memory := 0; memory < 2000; memory += 20 { // 0 is no limit
		opt := interp.Options{MaxMemory: memory}
		r := m.NewReader(opt)
		_, _, first := r.Read(array)
		for range 5 {
			if _, _, err := r.Read(array); (err == nil) != (first == nil) || (err == nil) && !r.ByPlan(array) {
				t.Fatalf("with %d bytes: first %v, then %v, by a plan: %v", memory, first, err, r.ByPlan(array))
			}
		}
	}
}

// fusedArms has plain arms among others.
const fusedArms = `schema "arms" {
    order little
    root T
}
union T by kind { | 0 | 4 | u32 | word | { 0..7 kind  rest any } }
arm T else other { word { 0..7 number } }
arm T 70 far {}
arm T 2..3 several { word { 0 odd } }
arm T 5 plain { | 4 | 8 | u64 | x | }
arm T 6 int {
    word { 16 wide = form(x) }
    | 4 | 4 or 8 | by wide { 0 i32, 1 i64 } | x | any
}
arm T 7 float {
    word { 16 wide = form(x) }
    | 4 | 4 or 8 | by wide { 0 f32, 1 f64 } | x | any
}
`

// TestFusedArms checks that the fast loops take a plain arm wherever it is among arms that they do not take. They write
// numbers of two forms if these are signed integers or real numbers.
func TestFusedArms(t *testing.T) {
	for _, x := range []struct {
		packet        string
		wide          bytecode.Scalar // in place of i64 and f64
		reads, writes bool
	}{
		{"\x46\x00\x00\x00", bytecode.I64, false, false},
		{"\x03\x00\x00\x00", bytecode.I64, false, false},
		{"\x05\x00\x00\x00\x01\x02\x03\x04\x05\x06\x07\x08", bytecode.I64, true, true},
		{"\x06\x00\x00\x00\x01\x02\x03\x04", bytecode.I64, true, true},
		{"\x06\x00\x00\x00\x01\x02\x03\x04", bytecode.U64, true, false},
		{"\x06\x00\x00\x00\x01\x02\x03\x04", bytecode.F64, true, false},
		{"\x07\x00\x00\x00\x01\x02\x03\x04", bytecode.F64, true, true},
		{"\x07\x00\x00\x00\x01\x02\x03\x04", bytecode.I64, true, false},
	} {
		p, err := compile.Text("test.oct", []byte(fusedArms), "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Code {
			if in := &p.Code[i]; in.Op == bytecode.Scalars && (in.Scalar() == bytecode.I64 || in.Scalar() == bytecode.F64) {
				in.A = in.A&^0xff | uint32(x.wide)
			}
		}
		m, err := interp.New(p, shippedTag)
		if err != nil {
			t.Fatal(err)
		}
		v, _, err := m.Decode([]byte(x.packet), interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, _, written := m.WriteForm(v.Tag())
		if read := len(m.ReadForms(v.Tag())) > 0; read != x.reads || written != x.writes {
			t.Errorf("% x, with %s: fused for reading is %v, for writing %v", x.packet, x.wide, read, written)
		}
	}
}
