package trace_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/segment"
	. "github.com/octable/octable/interp/trace"
)

func load(t *testing.T, id string) (m *interp.Machine, packets [][]byte) {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := compile.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = interp.NewUnfused(p, nil); err != nil {
		t.Fatal(err)
	}
	for _, b := range s.Bodies() {
		if b.Type == s.Root.Name {
			packets = append(packets, bytesOf(b.Examples)...)
		}
	}
	return m, packets
}

func bytesOf(examples []*schema.Example) (out [][]byte) {
	for _, x := range examples {
		out = append(out, x.Bytes)
	}
	return out
}

// before is the part of a state that an observer sees before an instruction.
type before struct {
	pc, offset int
	registers  []uint64
	cells      []interp.Value
}

// observe returns the states of a run, recorded in one pass.
func observe(run func(o interp.Observer)) (all []before) {
	run(interp.ObserverFunc(func(e *interp.Event) {
		if e.Kind == interp.Before {
			all = append(all, before{e.PC, e.Offset, slices.Clone(e.Registers()), slices.Clone(e.Cells())})
		}
	}))
	return all
}

// TestStates checks that the state before each instruction is that of a run observed in one
// pass. States may be asked for in another order. The steps have all bytes of rows.
func TestStates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, id := range []string{"godot-4.4", "png", "opentype", "pck", "dns", "tar"} {
		m, packets := load(t, id)
		for _, b := range packets {
			r := Decode(m, b, interp.Options{})
			check(t, id, r, random, observe(func(o interp.Observer) { _, _, _ = m.DecodeObserved(b, interp.Options{}, o) }))
			if r.Err != nil {
				continue
			}
			rows := 0
			for i := range r.Len() {
				rows += int(r.Step(i).Len)
			}
			leaves := 0
			for n := range segment.Read(m, b, interp.Options{}).Leaves() {
				if n.Rule != nil {
					leaves += n.Len
				}
			}
			if rows != leaves {
				t.Errorf("%s: steps read %d bytes, rows have %d", id, rows, leaves)
			}
			w := Encode(m, r.Value, interp.Options{})
			check(t, id, w, random, observe(func(o interp.Observer) { _, _ = m.AppendObserved(nil, r.Value, interp.Options{}, o) }))
			if out, err := m.Append(nil, r.Value, interp.Options{}); err == nil && !bytes.Equal(out, w.Bytes) {
				t.Errorf("%s: written %x, not %x", id, w.Bytes, out)
			}
		}
	}
}

func check(t *testing.T, id string, r *Run, random *rand.Rand, want []before) {
	t.Helper()
	if r.Len() != len(want) {
		t.Fatalf("%s: %d steps, not %d", id, r.Len(), len(want))
	}
	order := random.Perm(len(want))
	if len(order) > 40 {
		order = order[:40]
	}
	for _, i := range order {
		for _, i := range []int{i, min(i+1, len(want)-1), i} {
			s, w := r.State(i), want[i]
			if s.Step != i || s.PC != w.pc || s.Offset != w.offset || !slices.Equal(s.Registers, w.registers) || int(r.Step(i).PC) != w.pc || r.Step(i).Cursor != w.offset {
				t.Fatalf("%s: state %d is %+v, not %+v", id, i, s, w)
			}
			for k, v := range s.Cells {
				if v.Kind() != w.cells[k].Kind() || v.Len() != w.cells[k].Len() || v.Uint() != w.cells[k].Uint() {
					t.Fatalf("%s: state %d: cell %d is %v, not %v", id, i, k, v, w.cells[k])
				}
			}
			if len(s.Frames) == 0 || s.Frames[len(s.Frames)-1].Routine != s.Routine {
				t.Fatalf("%s: state %d: routine %d is not that of the last frame %v", id, i, s.Routine, s.Frames)
			}
		}
	}
	end := r.State(r.Len())
	if end.PC != -1 || end.Err != r.Err {
		if end.Err == nil || r.Err == nil || end.Err.Error() != r.Err.Error() {
			t.Errorf("%s: the end is %+v, not with %v", id, end, r.Err)
		}
	}
}

// TestFind: the instruction of a byte, a row and a field is found.
func TestFind(t *testing.T) {
	m, _ := load(t, "godot-4.4")
	b := []byte{28, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 'a', '<', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0}
	r := Decode(m, b, interp.Options{})
	for at := range b {
		i, ok := r.Find(0, Target{Byte: &at})
		if s := r.Step(i); !ok || at < s.Offset || at >= s.Offset+int(s.Len) {
			t.Errorf("byte %d is at step %d, %+v", at, i, s)
		}
	}
	for _, c := range []struct {
		target Target
		offset int
		path   string
	}{
		{Target{Row: "String.length"}, 12, "[0]"},
		{Target{Row: "length"}, 12, "[0]"},
		{Target{Field: "[1]"}, 20, "[1]"},
		{Target{Field: "[0].text"}, 16, "[0]"},
		{Target{Field: "."}, 0, ""},
	} {
		i, ok := r.Find(0, c.target)
		if !ok || r.State(i).Offset != c.offset || r.State(i).Path != c.path {
			t.Errorf("%+v is at step %d, %+v", c.target, i, r.State(i))
		}
	}
	end := len(b)
	for _, target := range []Target{{Row: "nothing"}, {Field: "[2]"}, {Byte: &end}} {
		if i, ok := r.Find(0, target); ok {
			t.Errorf("%+v is at step %d", target, i)
		}
	}
}

// TestMove: the words lead to rows with bytes, over values and out of them.
func TestMove(t *testing.T) {
	m, _ := load(t, "godot-4.4")
	r := Decode(m, []byte{28, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 'a', '<', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0}, interp.Options{})
	walk := func(at int, word string, more func(at int) bool) (out []int) {
		for range r.Len() + 1 {
			next, ok := r.Move(at, word)
			if !ok || !more(next) {
				return out
			}
			at = next
			out = append(out, r.Step(at).Offset)
		}
		t.Fatalf("%s does not come to an end from step %d", word, at)
		return nil
	}
	rows := []int{4, 8, 12, 16, 18, 20, 24} // after the first one
	begin, _ := r.Move(5, "begin")
	end, _ := r.Move(5, "end")
	if begin != 0 || end != r.Len() {
		t.Errorf("begin and end are %d and %d, not 0 and %d", begin, end, r.Len())
	}
	if got := walk(begin, "next", func(at int) bool { return at < end }); !slices.Equal(got, rows) {
		t.Errorf("next stops at %d, not at %d", got, rows)
	}
	back := slices.Clone(rows)
	slices.Reverse(back)
	if got := walk(end, "previous", func(at int) bool { return at > 0 }); !slices.Equal(got, back) {
		t.Errorf("previous stops at %d, not at %d", got, back)
	}
	if got := walk(begin, "step", func(at int) bool { return at < end }); len(got) != end-1 || !slices.IsSorted(got) {
		t.Errorf("step goes to %d", got)
	}
	if got := walk(end, "back", func(at int) bool { return at > 0 }); len(got) != end-1 {
		t.Errorf("back goes to %d", got)
	}
	first, _ := r.Find(0, Target{Field: "[0]"})
	text, _ := r.Find(0, Target{Field: "[0].text"})
	second, _ := r.Find(0, Target{Field: "[1]"})
	for _, c := range []struct {
		from   int
		word   string
		path   string // of the state there
		offset int
	}{
		{text, "out", "[1]", 20},
		{second, "out", "", len(r.Bytes)},
		{first - 1, "over", "", len(r.Bytes)},
		{first - 1, "out", "", len(r.Bytes)},
		{end, "over", "", len(r.Bytes)},
	} {
		to, _ := r.Move(c.from, c.word)
		if s := r.State(to); s.Path != c.path || s.Offset != c.offset {
			t.Errorf("%s leads from step %d to step %d, %+v", c.word, c.from, to, s)
		}
	}
	if _, ok := r.Move(0, "error"); ok {
		t.Error("there is a step with an error in a packet without one")
	}
	if _, ok := r.Move(0, "sideways"); ok {
		t.Error("there is a step for a word that means nothing")
	}
	r = Decode(m, []byte{28, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 'a'}, interp.Options{})
	if at, ok := r.Move(0, "error"); !ok || r.Step(at).Offset != 16 {
		t.Errorf("the error is at step %d, %+v", at, r.Step(at))
	}
}
