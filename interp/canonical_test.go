package interp_test

import (
	"errors"
	"testing"

	"github.com/octable/octable/interp"
)

// TestCanonicalPath: the path of a byte that no writer gives is that of the first part that has it.
func TestCanonicalPath(t *testing.T) {
	m := machineOf(t, `schema "shared" { root T }
type T {
    | 0 | 1 | u8         | n = count(list) |
    | 1 | n | Element[n] | list            |
}
type Element {
    | 0            | 1 | u8    | at |
    | @at from T   | 1 | bool8 | b  | any
}`)
	r := m.NewReader(interp.Options{})
	b := []byte{2, 3, 3, 5}
	v, used, err := r.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	e := (*interp.Error)(nil)
	if err := r.Canonical(b, v, used); !errors.As(err, &e) || e.Path != ".list[0]" || e.Offset != 3 {
		t.Errorf("%v", err)
	}
}
