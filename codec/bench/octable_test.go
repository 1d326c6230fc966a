package bench

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/work"
	"github.com/octable/octable/codec/godot"
)

// Octable's struct cases do the job of the references.
func TestStructsAreTheWorkload(t *testing.T) {
	m := with(codec.Options{Alias: true}).NewMapper()
	want := work.Game(work.Entities)
	for _, w := range []string{"game", "game-permuted", "game"} {
		got := new(work.State)
		for range 2 {
			if err := m.Unmarshal(work.Wire(w), got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s is read as something else: %v", w, err)
			}
		}
	}
	if b, err := m.AppendMarshal(nil, want); err != nil || !bytes.Equal(b, work.Wire("game")) {
		t.Errorf("game is written as something else: %v", err)
	}
	for _, w := range []string{"vec3-64K"} {
		var v []godot.Vector3
		if err := m.Unmarshal(work.Wire(w), &v); err != nil {
			t.Fatal(err)
		}
		if b, err := m.AppendMarshal(nil, v); err != nil || !bytes.Equal(b, work.Wire(w)) {
			t.Errorf("%s is written as something else: %v", w, err)
		}
	}
}
