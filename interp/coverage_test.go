// Coverage: it notes what happens and changes nothing.

package interp_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/interp"
)

const covered = `schema "covered" {
    title "Coverage"
    source "none"
    order little
    root Top
    gate side "the side door"
}
encoding name {
    utf8 strict
    bom  drop
    nul  stop
}
type Top {
    | 0 | 1 | u8 | flags | "flags" {
        0    named = present(name) "there is a name"
        1..2 kind  "0 to 2"  check kind < 3
    }
    if named {
        requires side
        | 1 | 1 | u8 | length = len(name) | "bytes"
        | 2 | N | name[length] | name | "the name" pad 4 any
    }
    | P | 1 | u8 | n = count(list) | "numbers"
    repeat n as list {
        | Q | 1 | u8 | a | "one"
        | Q+1 | 1 | bool8 | b | "the other" any
    }
}
`

// reached returns what a run reaches beyond instructions, as "site" or "site N" by
// the row's name.
func reached(m *interp.Machine, c *interp.Coverage) []string {
	var out []string
	p := m.Program()
	for _, q := range m.Points() {
		if q.Site == interp.SiteRun || !c.Has(q.Index) {
			continue
		}
		s := p.Rules[p.Code[q.PC].Rule].Name + " " + q.Site.String()
		if q.Site == interp.SitePadded {
			s += fmt.Sprint(q.N)
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// machineOf returns a machine for the text of a schema.
func machineOf(t *testing.T, schema string) *interp.Machine {
	p, err := compile.Text("test.oct", []byte(schema), "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// programOf compiles a schema of the tree.
func programOf(t *testing.T, file string) *bytecode.Program {
	t.Helper()
	s, err := compile.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSites: sites have different names, and those from too-deep on are errors.
func TestSites(t *testing.T) {
	names, refuses := map[string]bool{}, false
	for s := interp.Site(0); s.String() != "invalid"; s++ {
		if s.String() == "" || names[s.String()] {
			t.Errorf("site %d is %q", s, s)
		}
		names[s.String()] = true
		if refuses = refuses || s == interp.SiteTooDeep; s.Refuses() != refuses {
			t.Errorf("site %s refuses: %v", s, s.Refuses())
		}
	}
	if !refuses || len(names) < 40 || interp.Site(255).String() != "invalid" {
		t.Errorf("%d sites", len(names))
	}
}

func TestCoverage(t *testing.T) {
	m := machineOf(t, covered)
	read := func(b string, open uint8) []string {
		c := m.NewCoverage()
		_, _, _ = m.DecodeObserved([]byte(b), interp.Options{Open: open}, c)
		return reached(m, c)
	}
	for _, test := range []struct {
		name  string
		bytes string
		open  uint8
		want  string
	}{
		{"nothing", "", 0, "Top.flags short"},
		{"a number that is not allowed", "\x06", 0, "Top.kind no, Top.kind refused"},
		{"the gate is closed", "\x01", 0, "Top closed, Top held, Top.flags yes, Top.kind yes"},
		{"the gate is open", "\x01\x00\x00", 0xff, "Top held, Top open, Top.flags yes, Top.kind yes, Top.list empty, Top.name empty, Top.name padded0"},
		{"the smallest", "\x00\x00", 0, "Top jumped, Top.flags yes, Top.kind yes, Top.list empty"},
	} {
		if got := strings.Join(read(test.bytes, test.open), ", "); got != test.want {
			t.Errorf("%s: reached %s, not %s", test.name, got, test.want)
		}
	}
	short := m.NewCoverage()
	_, _, _ = m.DecodeObserved([]byte("\x01\x04name\x00"), interp.Options{Open: 0xff, MaxMemory: 1}, short)
	if got := reached(m, short); !slices.Contains(got, "Top memory") {
		t.Errorf("with one byte of memory: reached %v", got)
	}
	// Each packet has something that the one before it has not.
	const before = "\x01\x04name\x00"
	for _, test := range []struct {
		name  string
		bytes string
		want  string // "" is nothing
	}{
		{"another length", "\x01\x03abc\x00\x00", "Top.name padded1"},
		{"padding that is not zero", "\x01\x03abc\x01\x00", "Top.name pad-other, Top.name padded1"},
		{"padding that is missing", "\x01\x01a", "Top.name short"},
		{"an empty name", "\x01\x00\x00", "Top.name empty"},
		{"a mark", "\x01\x04\xef\xbb\xbfx\x00", "Top.name mark"},
		{"a zero byte inside", "\x01\x04a\x00bc\x00", "Top.name nul-inside"},
		{"a zero byte at the end", "\x01\x04abc\x00\x00", "Top.name nul-last"},
		{"a stray byte", "\x01\x04abc\x80\x00", "Top.name stray"},
		{"a byte of no character", "\x01\x04abc\xff\x00", "Top.name no-lead"},
		{"half a character", "\x01\x04abc\xc3\x00", "Top.name cut"},
		{"a broken character", "\x01\x04ab\xc3c\x00", "Top.name broken"},
		{"an overlong form", "\x01\x04ab\xc1\x81\x00", "Top.name overlong"},
		{"another", "\x01\x04a\xe0\x81\x81\x00", "Top.name overlong"},
		{"half of a pair", "\x01\x04a\xed\xa0\x80\x00", "Top.name surrogate"},
		{"above the last character", "\x01\x04\xf4\x90\x80\x80\x00", "Top.name beyond"},
		{"far above it", "\x01\x04\xf5\x80\x80\x80\x00", "Top.name beyond"},
		{"one element", "\x01\x04name\x01\x07\x00", "Top.list single, Top.list.b zero"},
		{"two", "\x01\x04name\x02\x07\x01\x07\x02", "Top.list several, Top.list.b one, Top.list.b other"},
		{"too many", "\x01\x04name\x02\x07\x01\x07", "Top.list short"},
	} {
		old := read(before, 0xff)
		var got []string
		for _, s := range read(test.bytes, 0xff) {
			if !slices.Contains(old, s) {
				got = append(got, s)
			}
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%s: reached %s, not %s", test.name, got, test.want)
		}
	}
}

// TestCoverageCharsets: malformed text of each character set, and padding that is cut, are points of reading.
func TestCoverageCharsets(t *testing.T) {
	m := machineOf(t, `schema "charsets" {
    order big
    root T
}
type T {
    | 0 | 1 | u8         | n = len(a) |
    | 1 | n | utf16be[n] | a          |
    | P | 1 | u8         | k = len(b) |
    | Q | k | ascii[k]   | b          |
    | R | 1 | u8         | l = len(c) |
    | S | l | utf8[l]    | c          | pad 4 or end
}`)
	for _, test := range []struct{ name, bytes, want string }{
		{"half of a unit", "\x01\x00", "T.a cut"},
		{"half of a pair", "\x02\xd8\x00", "T.a surrogate"},
		{"beyond ASCII", "\x00\x01\x80", "T.b beyond"},
		{"cut padding", "\x00\x00\x01a\x00", "T.c pad-end"},
		{"other padding, which is cut", "\x00\x00\x01a\x01", "T.c pad-end"},
	} {
		c := m.NewCoverage()
		_, _, _ = m.DecodeObserved([]byte(test.bytes), interp.Options{}, c)
		if got := reached(m, c); !slices.Contains(got, test.want) {
			t.Errorf("%s: reached %v, not %s", test.name, got, test.want)
		}
	}
	v, _, err := m.Decode([]byte{0, 0, 0}, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cells := slices.Clone(v.Cells())
	for text, want := range map[string]string{"\xff": "T.b no-lead", "é": "T.b beyond"} {
		cells[1] = interp.MakeText(0, text)
		c := m.NewCoverage()
		_, _ = m.AppendObserved(nil, v.WithCells(cells), interp.Options{}, c)
		if got := reached(m, c); !slices.Contains(got, want) {
			t.Errorf("%q: reached %v, not %s", text, got, want)
		}
	}
}

// TestCoverageForms compares the sites that texts reach, read and written, with testdata/forms.golden. The texts have each
// byte that a form begins with, followed by the bytes around the bounds of second bytes. The texts are strict, loose and
// unchecked.
func TestCoverageForms(t *testing.T) {
	m := machineOf(t, `schema "forms" {
    order big
    root T
}
encoding loose { utf8 loose }
encoding any_bytes { utf8 unchecked }
type T {
    | 0 | 1 | u8                 | n = len(a) |
    | 1 | n | utf8[n]            | a          |
    | P | 1 | u8                 | k = len(b) |
    | Q | k | loose[k]           | b          |
    | R | 1 | u8                 | l = len(c) |
    | S | l | any_bytes[l]       | c          |
}`)
	v, _, err := m.Decode(make([]byte, 3), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, second := range []string{"", "\x7f", "\x80", "\x8f", "\x90", "\x9f", "\xa0", "\xbf", "\xc0"} {
		for _, rest := range []string{"", "\x80", "\x80\x80", "\x80\x80\x80\x80"} {
			if second == "" && rest != "" {
				continue
			}
			before, first := "", 0
			for c := 0x7f; c <= 0x100; c++ {
				sites := ""
				if text := string([]byte{byte(c)}) + second + rest; c <= 0xff {
					for i := range 3 {
						packet := make([]byte, 3)
						packet[i] = byte(len(text))
						reading, writing := m.NewCoverage(), m.NewCoverage()
						_, _, _ = m.DecodeObserved(slices.Insert(packet, i+1, []byte(text)...), interp.Options{}, reading)
						cells := slices.Clone(v.Cells())
						cells[i] = interp.MakeText(cells[i].Tag(), text)
						_, _ = m.AppendObserved(nil, v.WithCells(cells), interp.Options{}, writing)
						name := string(rune('a' + i))
						sites += " " + name
						for _, c := range []*interp.Coverage{reading, writing} {
							for _, site := range reached(m, c) {
								if site, is := strings.CutPrefix(site, "T."+name+" "); is && site != "several" {
									sites += " " + site
								}
							}
							sites += ","
						}
					}
				}
				if sites != before && before != "" {
					fmt.Fprintf(&out, "%x..%x, %x:%s\n", first, c-1, second+rest, before)
				}
				if sites != before {
					before, first = sites, c
				}
			}
		}
	}
	golden.Check(t, "forms.golden", []byte(out.String()))
}

// TestCoverageChangesNothing: a run that is noted gives what another gives, and
// notes something of every instruction that is run.
func TestCoverageChangesNothing(t *testing.T) {
	machines(t, func(t *testing.T, g *interp.Generator, opt interp.Options) {
		r := rand.New(rand.NewPCG(11, 12))
		m := g.Machine()
		c := m.NewCoverage()
		for i := range 60 {
			v, _ := g.Generate(choices(r, i/2))
			b, err := m.Append(nil, v, opt)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := m.AppendObserved(nil, v, opt, c); err != nil || string(again) != string(b) {
				t.Fatalf("% x is written as % x when that is noted, %v", b, again, err)
			}
			if i%2 == 0 && len(b) > 0 {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
			x, n, err := m.NewReader(opt).Read(b)
			y, k, noted := m.DecodeObserved(b, opt, c)
			var e, f *interp.Error
			errors.As(err, &e)
			errors.As(noted, &f)
			if n != k || (e == nil) != (f == nil) || e != nil && *e != *f || e == nil && !interp.Identical(x, y, true) {
				t.Fatalf("% x: %+v, %d, %v when that is noted, and %+v, %d, %v else", b, y, k, noted, x, n, err)
			}
		}
		points := m.Points()
		seen := map[int]bool{}
		for _, q := range points {
			if seen[q.Index] {
				t.Fatalf("two points have the index %d", q.Index)
			}
			seen[q.Index] = true
			if c.Has(q.Index) && !c.HasRun(q.Dir, q.PC) && !q.Site.Refuses() {
				t.Fatalf("instruction %d has reached %s without being run", q.PC, q.Site)
			}
		}
		if n := c.Count(); n == 0 || n > len(points) {
			t.Errorf("%d of %d points are reached", n, len(points))
		}
	})
}

// TestCoverageSets: merging is the union, also by several runs at a time, and
// another machine's runs add nothing.
func TestCoverageSets(t *testing.T) {
	m := shipped(t, "godot-4.4")
	g, err := m.NewGenerator(interp.GenerateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(13, 14))
	whole, parts, shared := m.NewCoverage(), m.NewCoverage(), m.NewCoverage()
	var wait sync.WaitGroup
	for i := range 40 {
		v, _ := g.Generate(choices(r, i))
		one := m.NewCoverage()
		for _, c := range []*interp.Coverage{whole, one} {
			if _, err := m.AppendObserved(nil, v, interp.Options{}, c); err != nil {
				t.Fatal(err)
			}
		}
		adds, before := parts.Adds(one), parts.Count()
		if added := parts.Merge(one); added != adds || parts.Count() != before+added {
			t.Fatalf("%d points are new, %d were to be, and there are %d after %d", added, adds, parts.Count(), before)
		}
		wait.Go(func() { _, _ = m.AppendObserved(nil, v, interp.Options{}, shared) })
	}
	wait.Wait()
	for _, c := range []*interp.Coverage{parts, shared, whole.Clone()} {
		if c.Adds(whole) != 0 || whole.Adds(c) != 0 {
			t.Errorf("%d points in place of %d", c.Count(), whole.Count())
		}
	}
	whole.Reset()
	other := shipped(t, "godot-3")
	v, err := other.Generate(nil, interp.GenerateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.AppendObserved(nil, v, interp.Options{}, whole); err != nil || whole.Count() != 0 {
		t.Errorf("%d points of another machine, %v", whole.Count(), err)
	}
}

// TestUnknownArm: a number of no arm is a point of unions that have no arm for all others.
func TestUnknownArm(t *testing.T) {
	for arms, want := range map[string]bool{"arm T 1 one {}": true, "arm T 1 one {}\narm T else other { kind { 0..7 n } }": false, "arm T else other { kind { 0..7 n } }": false} {
		m := machineOf(t, "schema \"arms\" {\n    title \"Arms\"\n    source \"none\"\n    order little\n    root T\n}\nunion T by kind { | 0 | 1 | u8 | kind | \"the arm\" }\n"+arms+"\n")
		got := slices.ContainsFunc(m.Points(), func(p interp.Point) bool { return p.Site == interp.SiteUnknown })
		if got != want {
			t.Errorf("%s: the number of no arm is a point: %v", arms, got)
		}
	}
}

// TestCoverageKeeps compares the coverage of the schemas of package languages with testdata/coverage.digests, since stored
// coverage must keep its meaning. It has the numbers of points, of those that drawn and damaged packets reach, and a digest
// of them and of the errors.
func TestCoverageKeeps(t *testing.T) {
	var out strings.Builder
	eachLanguage(t, func(name string, p *bytecode.Program) {
		m, err := interp.New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.NewGenerator(interp.GenerateOptions{Open: 0xff, MaxBytes: 200})
		if err != nil {
			return
		}
		sum := fnv.New64a()
		for _, x := range m.Points() {
			fmt.Fprintln(sum, x)
		}
		r, all := rand.New(rand.NewPCG(19, 20)), m.NewCoverage()
		for i := range 25 {
			v, _ := g.Generate(choices(r, 4*i))
			opt := interp.Options{Open: uint8(r.IntN(4)) * 0x55, KeepWidths: i%5 == 4}
			c := m.NewCoverage()
			b, err := m.AppendObserved(nil, v, opt, c)
			_, err2 := m.AppendObserved(nil, changedValue(r, v), opt, c)
			fmt.Fprintln(sum, err, err2)
			for range 3 {
				_, used, err := m.DecodeObserved(b, opt, c)
				fmt.Fprintln(sum, used, err)
				if len(b) > 0 {
					b[r.IntN(len(b))] ^= 1 << r.IntN(8)
					b = b[:len(b)-r.IntN(2)]
				}
			}
			for i := range m.Points() {
				fmt.Fprint(sum, c.Has(i))
			}
			all.Merge(c)
		}
		fmt.Fprintf(&out, "%s: %d of %d points, %016x\n", name, all.Count(), len(m.Points()), sum.Sum64())
	})
	golden.Lines(t, "coverage.digests", []byte(out.String()))
}
