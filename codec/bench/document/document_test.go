package document

import (
	"fmt"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

// TestSame checks that both read the same document: octable writes bytes in which the library finds it.
func TestSame(t *testing.T) {
	c := Codec()
	v, used, err := c.Decode(Wire())
	if err != nil || used != len(Wire()) {
		t.Fatal(used, err)
	}
	b, err := c.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := msgpack.Unmarshal(Wire(), &want); err != nil {
		t.Fatal(err)
	}
	if err := msgpack.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(b) > len(Wire()) {
		t.Errorf("the library reads another document from octable's %d bytes than from its own %d", len(b), len(Wire()))
	}
}

// TestHand checks that the code written by hand reads and writes the same as octable.
func TestHand(t *testing.T) {
	Values.Check(t, 400)
	Typed.Check(t, 400)
}
