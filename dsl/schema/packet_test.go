package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
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

// TestWordOfArm: the word of an example has the number of its arm in the bits that select it.
func TestWordOfArm(t *testing.T) {
	f, err := dsl.Parse("words.oct", []byte(`schema "words" {
    order big
    root  L
}
union L by kind {
    | 0 | 2 | u16 | word | { 12..14 kind }
}
arm L 0 zero {
    word { 0..11 n }
    example "<zero> " is zero(0)
    example "<zero n=5>" is zero(5)
}
arm L 1 one {
    word { 0..11 n }
    example "<one n=0xabc>" is one(0xabc)
}
arm L 2 two {
    word { 0..11 n }
    example "<two n=1>" is two(1)
}
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Resolve(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range s.Union("L").Arms {
		for _, e := range a.Examples {
			got = append(got, fmt.Sprintf("%x", e.Bytes))
		}
	}
	const want = "0000 0005 1abc 2001"
	if strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
	got = nil
	for _, b := range s.Packets() {
		got = append(got, fmt.Sprintf("%x", b))
	}
	if strings.Join(got, " ") != want {
		t.Errorf("packets %s, want %s", got, want)
	}
}
