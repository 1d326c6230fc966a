package interp

import "testing"

// TestSlabRelease: a slab that is released again and again keeps none of its chunks, nor room for them.
func TestSlabRelease(t *testing.T) {
	var s slab
	for range 100 {
		s.reset(100)
		for range 5 {
			s.alloc(maxChunk)
		}
		if s.release(); len(s.rest) > 0 || cap(s.rest) > 8 || s.first != nil {
			t.Fatalf("%d chunks are kept, and room for %d", len(s.rest), cap(s.rest))
		}
	}
}
