package rival

import (
	"reflect"
	"testing"

	"github.com/octable/octable/codec/bench/work"
)

func TestStructs(t *testing.T) {
	for _, l := range Structs {
		want := work.Game(work.Entities)
		b, err := l.Marshal(l.Make(want))
		if err != nil {
			t.Fatal(l.Name, err)
		}
		v, err := l.Unmarshal(b)
		if err != nil || !reflect.DeepEqual(l.State(v), want) {
			t.Errorf("%s does not return the state: %v", l.Name, err)
		}
		if l.Append != nil {
			if out, err := l.Append(nil, l.Make(want)); err != nil || len(out) != len(b) {
				t.Errorf("%s appends %d bytes, not %d: %v", l.Name, len(out), len(b), err)
			}
		}
		t.Logf("%s: %d bytes", l.Name, len(b))
	}
}

func TestGenerics(t *testing.T) {
	for _, w := range work.Generic() {
		for _, l := range Generics {
			if w == "nest" && l.Name == "cbor" {
				continue // it reads 32 levels by default
			}
			want := work.Plain(work.Named(w))
			b, err := l.Marshal(l.Make(want))
			if err != nil {
				t.Fatal(w, l.Name, err)
			}
			v, err := l.Unmarshal(b)
			if err != nil || !Equal(v, want) {
				t.Errorf("%s: %s does not return the value: %v", w, l.Name, err)
			}
			t.Logf("%s: %s: %d bytes", w, l.Name, len(b))
		}
	}
}
