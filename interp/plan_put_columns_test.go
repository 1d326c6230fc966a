package interp

import (
	"testing"
	"unsafe"
)

// TestGather adds numbers of records to their words, and looks at the kinds of all of them.
func TestGather(t *testing.T) {
	for n := range 6 {
		var list []Value
		for i := range n {
			list = append(list, MakeRecord(1, []Value{MakeUint(0, 9), MakeUint(0, uint64(i+1))}))
		}
		cell := int(unsafe.Sizeof(Value{}))
		words := [blockSize]uint64{7, 7, 7, 7, 7, 7}
		over, other := gather(&words, list, cell, 4, Uint)
		if other != 0 {
			t.Errorf("%d records: kinds differ by %d", n, other)
		}
		all := uint64(0)
		for i := range words {
			want := uint64(0)
			if i < 6 {
				want = 7
			}
			if i < n {
				all |= uint64(i + 1)
				want |= uint64(i+1) << 4
			}
			if words[i] != want {
				t.Errorf("%d records: word %d is %#x, want %#x", n, i, words[i], want)
			}
		}
		if over != all {
			t.Errorf("%d records: bits %#x, want %#x", n, over, all)
		}
		for i := range list {
			kept := list[i]
			list[i] = MakeRecord(1, []Value{MakeUint(0, 9), {}})
			if _, other := gather(&words, list, cell, 4, Uint); other == 0 {
				t.Errorf("%d records: the number %d has another kind, and all were said to have one", n, i)
			}
			if _, other := gather(&words, list, cell, 4, 0); other == 0 && n > 1 {
				t.Errorf("%d records: all but the number %d have another kind, and all were said to have one", n, i)
			}
			list[i] = kept
		}
	}
}
