// Memory for cells: slabs that grow with the input and can be used again.

package interp

import "unsafe"

// slab hands out runs of cells. Its chunks keep their place, so cells may be
// pointed to; reset makes all of them free at once.
type slab struct {
	free   []Value // what is left of the chunk in use
	chunks [][]Value
	chunk  int // the one after the chunk in use
	next   int // size of the next new chunk
}

const (
	minChunk = 8
	maxChunk = 4096
)

// reset frees all cells. The size of the input decides how large new chunks are.
func (s *slab) reset(input int) {
	s.free, s.chunk = nil, 0
	if len(s.chunks) > 0 {
		s.free, s.chunk = s.chunks[0], 1
	}
	s.next = max(minChunk, min(input/12, maxChunk))
}

// alloc returns n cells, which may hold old values.
func (s *slab) alloc(n int) []Value {
	if n > len(s.free) {
		return s.more(n)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// more takes n cells from another chunk.
//
//go:noinline
func (s *slab) more(n int) []Value {
	for s.chunk < len(s.chunks) {
		c := s.chunks[s.chunk]
		s.chunk++
		if n <= len(c) {
			s.free = c[n:]
			return c[:n:n]
		}
	}
	c := make([]Value, max(n, s.next))
	s.chunks = append(s.chunks, c)
	s.chunk = len(s.chunks)
	s.free = c[n:]
	return c[:n:n]
}

const cellSize = int(unsafe.Sizeof(Value{}))
