// Mutants: that they are what they say, that what is proven equivalent cannot be
// told, and the lists of the example schemas in full.

package mutants_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/internal/corpus"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

// bench returns a bench with inputs of all sorts.
func bench(t *testing.T, m *interp.Machine, l mutants.Level, n int) *mutants.Bench {
	t.Helper()
	inputs, err := corpus.Inputs(m, 3, n)
	if err != nil {
		t.Fatal(err)
	}
	b := mutants.NewBench(m, l)
	for _, in := range inputs {
		if !in.Odd {
			b.Add(mutants.Case{Decode: in.Packet != nil, Bytes: in.Packet, Encode: !in.Value.IsNone(), Value: in.Value, Open: in.Open})
		}
	}
	return b
}

// TestMutants checks that every mutant of every schema passes the verifier and describes
// itself. Inputs by chance detect nearly all of those that are not proven equivalent, and no
// other.
func TestMutants(t *testing.T) {
	why := map[string]bool{}
	for _, c := range mutants.Classes {
		if why[c.Name] || c.Why == "" {
			t.Errorf("class %q is there twice or says nothing", c.Name)
		}
		why[c.Name] = true
	}
	used := map[string]bool{}
	for _, id := range codec.Schemas() {
		m := raw.Machine(codec.MustLoad(id))
		p := m.Program()
		before := p.Hash()
		all, refused := mutants.Of(p)
		if len(refused) > len(all)/50+2 {
			t.Errorf("%s: %d changes are refused by the verifier, beside %d mutants", id, len(refused), len(all))
		}
		ids := map[string]bool{}
		for _, mu := range all {
			if ids[mu.ID] || !why[mu.Class] || mu.About == "" || mu.Row.File == "" || len(mu.PCs) == 0 {
				t.Errorf("%s: %+v", id, mu)
			}
			ids[mu.ID], used[mu.Class] = true, true
			if !strings.HasSuffix(mu.ID, "/"+mu.Dir.String()) || !strings.HasPrefix(mu.About, mu.Dir.String()[:4]) && mu.Dir == interp.Reading {
				t.Errorf("%s: %s: %s", id, mu.ID, mu.About)
			}
		}
		levels := []mutants.Level{mutants.Offsets}
		if !long.Asked() {
			levels = nil
		}
		if id == "wave" || long.Asked() && id == "godot-4.4" {
			levels = []mutants.Level{mutants.Results, mutants.Kinds, mutants.Offsets}
		}
		for _, l := range levels {
			b := bench(t, m, l, max(600, 3*len(all)/2))
			known := reach.Of(m, reach.Setup{Gates: true})
			alive := 0
			for i, killer := range b.Score(all, 0) {
				reason, equivalent := mutants.Equivalent(all[i], known, l)
				switch {
				case equivalent && killer >= 0:
					c := b.Case(killer)
					t.Errorf("%s: %s (%s) is told by a case, % x, and was thought equivalent: %s", id, all[i].ID, all[i].About, c.Bytes, reason)
				case equivalent && reason == "":
					t.Errorf("%s: %s is equivalent for no reason", id, all[i].ID)
				case !equivalent && killer < 0:
					alive++
				}
			}
			if alive > len(all)/2 {
				t.Errorf("%s: %d of %d mutants are not told", id, alive, len(all))
			}
		}
		if p.Hash() != before {
			t.Errorf("%s: the original has been changed", id)
		}
	}
	for name := range why {
		if !used[name] {
			t.Errorf("no mutant is of the class %q", name)
		}
	}
}

// TestList: every mutant of the example schemas, in words, with why it is equivalent.
func TestList(t *testing.T) {
	for _, id := range []string{"ntp", "wave"} {
		m := raw.Machine(codec.MustLoad(id))
		known := reach.Of(m, reach.Setup{Gates: true})
		all, refused := mutants.Of(m.Program())
		var b bytes.Buffer
		for _, mu := range all {
			fmt.Fprintf(&b, "%s (%s)\n    %s\n", mu.ID, mu.Class, mu.About)
			if why, ok := mutants.Equivalent(mu, known, mutants.Offsets); ok {
				fmt.Fprintf(&b, "    equivalent: %s\n", why)
			}
		}
		for _, r := range refused {
			fmt.Fprintf(&b, "%s\n    no mutant: %v\n", r.ID, r.Why)
		}
		golden.Check(t, id+".txt", b.Bytes())
	}
}

// TestKills tries mistakes in Godot's format that are known from real implementations. Each has
// bytes or a value that shows it, and one that does not.
func TestKills(t *testing.T) {
	m := raw.Machine(codec.MustLoad("godot-4.4"))
	all, _ := mutants.Of(m.Program())
	byID := map[string]*mutants.Mutant{}
	for _, mu := range all {
		byID[mu.ID] = mu
	}
	read := func(s string) mutants.Case { return mutants.Case{Decode: true, Bytes: []byte(s)} }
	write := func(v codec.Value) mutants.Case { return mutants.Case{Encode: true, Value: raw.Value(v)} }
	text := func(s string) string { return "\x04\x00\x00\x00" + string(rune(len(s))) + "\x00\x00\x00" + s }
	for _, test := range []struct {
		id    string
		shows mutants.Case
		hides mutants.Case
	}{
		{"String.text/unpadded/read", read("\x1c\x00\x00\x00\x02\x00\x00\x00" + text("abc") + "\x00\x00\x00\x00\x00"), read(text("abcd"))},
		{"String.text/unpadded/write", write(godot.NewString("abc")), write(godot.NewString("abcd"))},
		{"String.text/full/write", write(godot.NewString("abcd")), write(godot.NewString("abc"))},
		{"String.text/filled/write", write(godot.NewString("abc")), write(godot.NewString("abcd"))},
		{"String.text/characters/write", write(godot.NewString("größe")), write(godot.NewString("gross"))},
		{"String.length/padded/write", write(godot.NewString("abc")), write(godot.NewString("abcd"))},
		{"String.text/mark-kept/read", read(text("\xef\xbb\xbfa")), read(text("abcd"))},
		{"String.text/nul-kept/read", read(text("ab\x00c")), read(text("abcd"))},
		{"String.text/unchecked/read", read(text("ab\xc3\x28")), read(text("abcd"))},
		{"Variant.header/unmasked/read", read("\x00\x01\x00\x00"), read("\x00\x00\x00\x00")},
		{"Variant.header/unknown-taken/read", read("\x63\x00\x00\x00"), read("\x00\x00\x00\x00")},
		{"Variant.header/without-Callable/read", read("\x19\x00\x00\x00"), read("\x00\x00\x00\x00")},
		{"Variant.header/whole/read", read("\x00\x00\x00\x00\x00"), read("\x00\x00\x00\x00")},
		{"Variant.header/zeros/read", read("\x02\x00\x00\x00\x05"), read("\x02\x00\x00\x00\x05\x00\x00\x00")},
		{"int.value/u32/read", read("\x02\x00\x00\x00\xff\xff\xff\xff"), read("\x02\x00\x00\x00\x05\x00\x00\x00")},
		{"int/narrow/write", write(godot.NewInt(1 << 40)), write(godot.NewInt(5))},
		{"int/wide/write", write(godot.NewInt(5)), write(godot.NewInt(1 << 40))},
		{"int.value/wide-double/write", write(godot.NewInt(1<<53 + 1)), write(godot.NewInt(1 << 53))},
		{"float.value/minus-zero/write", write(godot.NewFloat(negativeZero)), write(godot.NewFloat(0))},
		{"bool.value/lowest-byte/read", read("\x01\x00\x00\x00\x00\x01\x00\x00"), read("\x01\x00\x00\x00\x01\x00\x00\x00")},
		{"Basis/transposed3x3/read", read(basis(0, 1)), read(basis(0))},
		{"Basis/swap1-2/write", mutants.Case{Encode: true, Value: value(t, m, basis(0, 1))}, mutants.Case{Encode: true, Value: value(t, m, basis())}},
		{"Array.element_count/unmasked/read", read("\x1c\x00\x00\x00\x01\x00\x00\x80\x00\x00\x00\x00"), read("\x1c\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00")},
		{"Dictionary.pairs/merged/read", read("\x1b\x00\x00\x00\x02\x00\x00\x00" + strings.Repeat("\x00", 16)), read("\x1b\x00\x00\x00\x01\x00\x00\x00" + strings.Repeat("\x00", 8))},
		{"Variant.header/all-swapped/read", read("\x02\x00\x00\x00\x05\x00\x00\x00"), read("")},
	} {
		mu := byID[test.id]
		if mu == nil {
			t.Errorf("there is no mutant %s", test.id)
			continue
		}
		b := mutants.NewBench(m, mutants.Offsets)
		shows, not := b.Add(test.shows), b.Add(test.hides)
		if !b.Kills(mu, shows) {
			t.Errorf("%s is not told by % x, %v", test.id, test.shows.Bytes, b.Outcome(shows, mu.Dir).Err)
		}
		if b.Kills(mu, not) {
			t.Errorf("%s is told by % x", test.id, test.hides.Bytes)
		}
		// In the other direction it is right.
		i, err := mu.New(m)
		if err != nil {
			t.Fatal(err)
		}
		simple := []byte("\x1c\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x01\x00\x00\x00a\x00\x00\x00")
		want, used, err := m.Decode(simple, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if mu.Dir == interp.Writing {
			if o := i.Decode(simple, interp.Options{}); o.Err != nil || o.Used != used || !mutants.SameValue(o.Value, want) {
				t.Errorf("%s reads %+v", test.id, o)
			}
		} else if o := i.Encode(want, interp.Options{}); o.Err != nil || !bytes.Equal(o.Bytes, simple) {
			t.Errorf("%s writes %+v", test.id, o)
		}
		if k := b.Killers(mu); len(k) != 1 || k[0] != shows || b.Killer(mu, 0) != shows || b.Killer(mu, not) != -1 {
			t.Errorf("%s is told by %v", test.id, k)
		}
	}
}

// TestChanged: proofs of equivalence are right for programs that make little sense,
// too.
func TestChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, id := range []string{"ntp", "wave"} {
		original := raw.Machine(codec.MustLoad(id))
		inputs, err := corpus.Inputs(original, 4, 150)
		if err != nil {
			t.Fatal(err)
		}
		proven := 0
		for m := range corpus.Changed(r, original.Program(), long.Number(15, 40)) {
			b := mutants.NewBench(m, mutants.Offsets)
			for _, in := range inputs {
				b.Add(mutants.Case{Decode: in.Packet != nil, Bytes: in.Packet, Encode: true, Value: in.Value, Open: in.Open})
				if v, _, err := m.Decode(in.Packet, interp.Options{Open: in.Open}); err == nil {
					b.Add(mutants.Case{Encode: true, Value: v, Open: in.Open})
				}
			}
			known := reach.Of(m, reach.Everything)
			all, _ := mutants.Of(m.Program())
			for i, killer := range b.Score(all, 0) {
				why, equivalent := mutants.Equivalent(all[i], known, mutants.Offsets)
				if equivalent && killer >= 0 {
					t.Errorf("%s: %s (%s) is told by % x, and was thought equivalent: %s", id, all[i].ID, all[i].About, b.Case(killer).Bytes, why)
				}
				if equivalent {
					proven++
				}
			}
		}
		if proven == 0 {
			t.Errorf("%s: nothing is proven", id)
		}
	}
}

// TestPaddingInRegion: padding may be missing at the end of a region even if bytes follow the region.
func TestPaddingInRegion(t *testing.T) {
	for _, test := range []struct {
		name, length string
		equivalent   bool
	}{{"no region", "T", true}, {"a region", "size", false}} {
		p, err := compile.Text("test.oct", fmt.Appendf(nil, `schema "s" { root Message }
type Message {
    | 0 | 1  | u8   | size = size(text) |
    | 1 | %s | Text | text              |
    | P | 1  | u8   | last              |
}
type Text {
    | 0 | 1 | u8      | n = len(a) |
    | 1 | N | utf8[n] | a          | pad 4
}`, test.length), "")
		if err != nil {
			t.Fatal(err)
		}
		m, err := interp.New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		all, _ := mutants.Of(p)
		i := slices.IndexFunc(all, func(mu *mutants.Mutant) bool { return strings.HasSuffix(mu.ID, "/or-end/read") })
		if i < 0 {
			t.Fatal("no mutant lets the padding be missing")
		}
		if why, ok := mutants.Equivalent(all[i], reach.Of(m, reach.Everything), mutants.Results); ok != test.equivalent {
			t.Errorf("%s: equivalent is %t: %s", test.name, ok, why)
		}
	}
}
