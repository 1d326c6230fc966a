package interp_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/octable/octable/interp"
)

// TestSharedParts checks that a reader refuses parts at the same place when it has read them very often. Such a packet
// would take long.
func TestSharedParts(t *testing.T) {
	m := machineOf(t, `schema "shared" {
    order big
    root File
}
type File {
    | 0 | 2 | u16 | n = count(entries) |
    | 2 | N | Entry[n] | entries |
}
type Entry {
    | 0              | 2 | u16              | at   |
    | @at from File  | N | utf8[until "00"] | text |
}
`)
	const text = 5000
	for n, refused := range map[int]bool{1: false, 200: false, 300: true, 1000: true} {
		b := binary.BigEndian.AppendUint16(nil, uint16(n))
		for range n {
			b = binary.BigEndian.AppendUint16(b, uint16(2+2*n))
		}
		b = append(append(b, bytes.Repeat([]byte("a"), text)...), 0)
		if work := n * (text + 2); refused != (work > 16*len(b)+1<<20) {
			t.Fatalf("%d parts are %d bytes of %d", n, work, len(b))
		}
		v, _, err := m.Decode(b, interp.Options{})
		_, _, err2 := m.DecodeObserved(b, interp.Options{}, interp.ObserverFunc(func(*interp.Event) {}))
		var e *interp.Error
		if fmt.Sprint(err) != fmt.Sprint(err2) || refused != (errors.As(err, &e) && e.Kind == interp.ErrLimit && e.Offset == 2+2*n) || !refused && err != nil {
			t.Errorf("%d parts: %v, %v", n, err, err2)
		}
		if got := v.Len(); err == nil && v.Kind() == interp.List && got != n {
			t.Errorf("%d parts: %v", n, v)
		}
	}
}
