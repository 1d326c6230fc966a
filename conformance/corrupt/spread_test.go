package corrupt

import (
	"iter"
	"slices"
	"testing"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/dsl/schema/schematest"
	"github.com/octable/octable/interp"
)

// blocks has a packet of many small records.
var blocks = schematest.FilledBlock(`    | 0 | 4 | u32 | a | "a" check a != 7
    | 4 | 2 | u16 | b | "b"
    | 6 | 2 | u16 | c | "c" check c <= 4`)

// TestLarge bounds the changes of a packet and a value of many records. They include those of the first and the
// last record.
func TestLarge(t *testing.T) {
	m := raw.Machine(compiled(t, blocks))
	e := New(m, interp.Options{})
	b := make([]byte, 32768)
	const most = 4000 // changes; there are 12288 rows
	first, last, n := false, false, 0
	for c := range e.Packets(b) {
		first = first || c.Offset == 0
		last = last || c.Offset == len(b)-2 && c.Len == 2
		if n++; n > most {
			t.Fatalf("more than %d damages of a packet", most)
		}
	}
	if !first || !last {
		t.Errorf("damaged in the first row: %v, in the last row: %v", first, last)
	}
	v, _, err := m.Decode(b, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, all := range map[string]iter.Seq[Replacement]{"boundaries": e.AtBoundaries(v, nil), "spoiled parts": e.Spoiled(v, nil)} {
		const most = 20000
		n := 0
		for range all {
			if n++; n > most {
				t.Fatalf("more than %d %s of a value", most, name)
			}
		}
		t.Logf("%d %s", n, name)
	}
	t.Logf("%d damages", n)
}

// TestSpread checks that the first and the last number are among those picked, and that they are few.
func TestSpread(t *testing.T) {
	for n := range 50 {
		for most := range 20 {
			for seed := range uint32(30) {
				got := slices.Collect(spread(n, most, seed))
				if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
					t.Fatalf("%d of %d: %v is not in order", most, n, got)
				}
				if n > 0 && (got[0] != 0 || got[len(got)-1] != n-1) || len(got) > max(3, most) || n <= most && len(got) != n {
					t.Fatalf("%d of %d: %v", most, n, got)
				}
			}
		}
	}
}
