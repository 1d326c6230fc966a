// Memory for cells: slabs that grow with the input and can be used again.

package interp

import "unsafe"

// slab hands out runs of cells. Its chunks keep their place, so cells may be
// pointed to; reset makes all of them free at once.
type slab struct {
	chunks [][]Value
	chunk  int // the one in use
	used   int // cells of it handed out
	next   int // size of the next new chunk
}

const (
	minChunk = 8
	maxChunk = 4096
)

// reset frees all cells. The size of the input decides how large new chunks are.
func (s *slab) reset(input int) {
	s.chunk, s.used = 0, 0
	s.next = max(minChunk, min(input/12, maxChunk))
}

// alloc returns n cells, which may hold old values.
func (s *slab) alloc(n int) []Value {
	for s.chunk < len(s.chunks) {
		c := s.chunks[s.chunk]
		if len(c)-s.used >= n {
			out := c[s.used : s.used+n : s.used+n]
			s.used += n
			return out
		}
		s.chunk++
		s.used = 0
	}
	c := make([]Value, max(n, s.next))
	s.chunks = append(s.chunks, c)
	s.chunk, s.used = len(s.chunks)-1, n
	return c[:n:n]
}

const cellSize = int(unsafe.Sizeof(Value{}))
