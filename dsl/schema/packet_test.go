package schema

import (
	"testing"

	"github.com/octable/octable/dsl/builtin"
)

// TestAppendWord writes the word of a union in both orders; letters of a code have one.
func TestAppendWord(t *testing.T) {
	for _, c := range []struct {
		scalar      builtin.Scalar
		little, big string
	}{
		{builtin.U8, "\x44", "\x44"},
		{builtin.U16, "\x44\x33", "\x33\x44"},
		{builtin.U32, "\x44\x33\x22\x11", "\x11\x22\x33\x44"},
		{builtin.U64, "\x44\x33\x22\x11\x88\x77\x66\x55", "\x55\x66\x77\x88\x11\x22\x33\x44"},
		{builtin.Code4, "\x44\x33\x22\x11", "\x44\x33\x22\x11"},
	} {
		u := &Union{Word: &Row{Type: &Type{Scalar: c.scalar}}}
		for big, want := range map[bool]string{false: c.little, true: c.big} {
			if got := u.appendWord([]byte("x"), 0x5566778811223344, big); string(got) != "x"+want {
				t.Errorf("%s, highest byte first %v: % x, want % x", c.scalar, big, got[1:], want)
			}
		}
	}
}
