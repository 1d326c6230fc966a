package main

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/trace"
)

// TestStepKeys: keys move as the commands do, and the screen shows the state.
func TestStepKeys(t *testing.T) {
	m := raw.Machine(codec.MustLoad("godot-4.4"))
	packet := []byte{4, 0, 0, 0, 2, 0, 0, 0, 'a', 'b', 0, 0}
	for _, c := range []struct {
		keys string
		at   int
		last string
	}{
		{"", 0, "? lists the keys"},
		{"lll", 3, ">    33"},
		{"\x1b[C\x1b[C\x1b[D", 1, ">    31"},
		{"nk", 0, ">     0"},
		{"G", 7, `12 of 12 bytes: String("ab")`},
		{"Gghe", 0, "the run has no error"},
		{":row length\rq", 3, "04 00 00 00>02"},
		{":row lenx\x7f\x7fngth\r", 3, ">    33"},
		{":nothing\r", 0, "there is no command"},
		{":step\x1b", 0, "? lists the keys"},
		{"?", 0, "→ step, ← back"},
		{"\x03lll", 0, "? lists the keys"},
	} {
		var out bytes.Buffer
		s := &stepper{env: &env{stdout: bufio.NewWriter(&out)}, n: notation.Of(m), p: m.Program(), run: trace.Decode(m, packet, interp.Options{})}
		if err := s.keys(strings.NewReader(c.keys), 40); err != nil {
			t.Fatal(err)
		}
		screens := strings.Split(out.String(), "\x1b[H\x1b[2J")
		if last := screens[len(screens)-1]; s.at != c.at || !strings.Contains(last, c.last) {
			t.Errorf("%q: step %d, want %d with %q:\n%s", c.keys, s.at, c.at, c.last, last)
		}
	}
}
