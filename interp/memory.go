// Memory for cells: slabs that grow with the input and can be used again.

package interp

// slab hands out runs of cells. Its chunks keep their place, so cells may be
// pointed to; reset makes all of them free at once.
type slab struct {
	cur   []Value // the chunk in use
	used  int     // cells of it that are taken
	first []Value // the first chunk
	rest  [][]Value
	chunk int // the one of rest after the chunk in use
	next  int // size of the next new chunk
	whole int // 7 if chunks have a multiple of 8 cells, which are whole cache lines
}

// The least and the greatest size of new chunks.
const (
	minChunk = 8
	maxChunk = 4096
)

// reusedChunk is the least size of the first chunk of a slab that is used again after it had several. So small
// values are in one chunk.
const reusedChunk = 256

// reset frees all cells. The size of the input decides how large new chunks are. A slab that
// is used again gets chunks of whole cache lines of 64 bytes: two cores that write to one line
// again and again wait for each other.
func (s *slab) reset(input int) {
	s.used = 0
	if s.chunk > 0 {
		if len(s.first) < reusedChunk {
			s.first = make([]Value, reusedChunk)
		}
		s.cur, s.chunk = s.first, 0
	}
	if len(s.first)&7 != 0 {
		s.cur, s.first, s.whole = nil, nil, 7
	}
	s.next = max(minChunk, min(input/12, maxChunk))
}

// release drops the chunks. Cells in use keep their memory.
func (s *slab) release() {
	s.cur, s.first, s.used, s.chunk, s.whole = nil, nil, 0, 0, 0
	if len(s.rest) > 0 {
		clear(s.rest)
		s.rest = s.rest[:0]
	}
}

// alloc returns n cells, which may hold old values.
func (s *slab) alloc(n int) []Value {
	if n > len(s.cur)-s.used {
		return s.more(n)
	}
	out := s.cur[s.used : s.used+n : s.used+n]
	s.used += n
	return out
}

// ensure makes the chunk in use one that has n free cells.
func (s *slab) ensure(n int) {
	if n > len(s.cur)-s.used {
		s.more(n)
		s.used = 0
	}
}

// more takes n cells from another chunk.
//
//go:noinline
func (s *slab) more(n int) []Value {
	for s.chunk < len(s.rest) {
		c := s.rest[s.chunk]
		s.chunk++
		if n <= len(c) {
			s.cur, s.used = c, n
			return c[:n:n]
		}
	}
	c := make([]Value, (max(n, s.next)+s.whole)&^s.whole)
	if s.first == nil {
		s.first = c
	} else {
		s.rest = append(s.rest, c)
		s.chunk = len(s.rest)
	}
	s.cur, s.used = c, n
	return c[:n:n]
}

// cellSize is the size of a cell in limits on memory, on every machine.
const cellSize = 24
