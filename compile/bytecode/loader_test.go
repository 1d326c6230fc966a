package bytecode

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// TestLoaderNumbers reads numbers as encoding/binary writes them, and refuses those that are cut, too long or too large.
func TestLoaderNumbers(t *testing.T) {
	for _, x := range []uint64{0, 1, 127, 128, 255, 16383, 16384, math.MaxUint32, 1<<63 - 1, 1 << 63, math.MaxUint64} {
		text := string(binary.AppendUvarint(nil, x))
		l := &loader{in: text + "\x05"}
		if got := l.num(); got != x || l.err != "" || l.at != len(text) {
			t.Errorf("% x is %d at %d, %s, want %d", text, got, l.at, l.err, x)
		}
		for n := range len(text) {
			if l := (&loader{in: text[:n]}); l.num() != 0 || l.err == "" {
				t.Errorf("% x: no error", text[:n])
			}
		}
		s := int64(x)
		if l := (&loader{in: string(binary.AppendVarint(nil, s))}); l.signed() != s || l.err != "" {
			t.Errorf("%d: another number, %s", s, l.err)
		}
	}
	ones := strings.Repeat("\xff", 9)
	for _, text := range []string{"\x80\x00", "\xff\x80\x00", ones + "\x02", ones + "\x7f", ones + "\x81\x00", ones + "\xff\x01"} {
		if l := (&loader{in: text}); l.num() != 0 || l.err == "" || l.at != len(text) {
			t.Errorf("% x: %q at %d", text, l.err, l.at)
		}
	}
}
