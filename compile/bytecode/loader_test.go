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

// TestLoaderLimits refuses numbers of more than 32 bits where a table has fewer entries.
func TestLoaderLimits(t *testing.T) {
	for name, read := range map[string]func(l *loader) uint64{
		"a number":           func(l *loader) uint64 { return uint64(l.u32()) },
		"a number or none":   func(l *loader) uint64 { return uint64(l.opt()) },
		"a number and a bit": func(l *loader) uint64 { n, _ := l.flagged(); return uint64(n) },
	} {
		most := uint64(math.MaxUint32)
		if strings.Contains(name, "bit") {
			most = 1<<33 - 1
		}
		for x, ok := range map[uint64]bool{5: true, most: true, most + 1: false, math.MaxUint64: false} {
			l := &loader{in: string(binary.AppendUvarint(nil, x))}
			if got := read(l); (l.err == "") != ok || !ok && got != 0 {
				t.Errorf("%s: %d is read as %d, %q", name, x, got, l.err)
			}
		}
	}
}
