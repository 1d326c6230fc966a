// The two calls, and the packet that a walk goes through.

package reference

import (
	"fmt"
	"maps"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// Options are the choices of a caller.
type Options struct {
	// Tags are the tags of values, for every arm and every other record. They are required.
	Tags map[*schema.Record]uint16
	// Open has bit i set if the gate with index i is open.
	Open uint8
	// MaxDepth limits the depth; 0 is the schema's own limit.
	MaxDepth int
	// MaxMemory limits the bytes of memory for values, 24 for each; 0 is no limit. A
	// writer ignores it.
	MaxMemory int
	// KeepWidths writes numbers in the form that they were read in. A reader ignores it.
	KeepWidths bool
}

// Decode reads the root of a schema at the beginning of in. It returns the number of
// bytes that it took.
func Decode(s *schema.Schema, in []byte, o Options) (v interp.Value, n int, err error) {
	m := newWalk(s, o)
	for _, x := range in {
		m.packet = append(m.packet, element{x: x})
	}
	m.end, m.memory, m.work = len(in), o.MaxMemory, 16*len(in)+1<<20
	v, err = m.root(v)
	if err != nil {
		return v, 0, err
	}
	return v, m.pos, nil
}

// Encode writes a value of the root of a schema. It walks again as long as it learns numbers
// of words that are before the rows from which they are computed. That ends: only sizes have
// words whose width varies, and a size grows with the widths of the words in its row; places
// depend on sizes, and checksums on both.
func Encode(s *schema.Schema, v interp.Value, o Options) ([]byte, error) {
	learned := map[int]int64{}
	for {
		m := newWalk(s, o)
		m.writes, m.learned, m.open = true, maps.Clone(learned), map[int]int{}
		_, err := m.root(v)
		if maps.Equal(m.learned, learned) {
			if err != nil {
				return nil, err
			}
			return plain(m.packet), nil
		}
		learned = m.learned
	}
}

// walk is one call in progress. It reads, or it writes; a row relates the same bytes to the
// same value both ways.
type walk struct {
	schema *schema.Schema
	Options
	limit   int  // of the depth
	depth   int  // units around that count towards it
	units   int  // units around
	stops   bool // the last unit ends a list
	last    int  // bytes of the last element of the last list
	bases   []*base
	noted   bool      // the innermost part has a word of the checksum of a base
	uniques int       // keys so far that are equal to no other
	packet  []element // the input of a reader, or the bytes that a writer has written
	pos     int       // of the next byte

	// Of a reader:
	end    int // of the innermost region
	before int // bytes of the number directly before pos, 0 if something else is there
	memory int // bytes that may still be taken if MaxMemory is set
	work   int // bytes that may still be read in parts

	// Of a writer:
	writes  bool
	words   int           // that were begun before their numbers were known
	learned map[int]int64 // the numbers of these words, in their order
	open    map[int]int   // bytes of those of varying width whose rows have not ended
	refused error         // of a place that does not fit its word, or of a view of other bytes. Places change until the last walk
}

// element is a byte of the packet, and the base whose checksum it is part of, or nil.
type element struct {
	x  byte
	of *base
}

// plain returns bytes of the packet.
func plain(all []element) []byte {
	b := make([]byte, len(all))
	for i, e := range all {
		b[i] = e.x
	}
	return b
}

func newWalk(s *schema.Schema, o Options) *walk {
	m := &walk{schema: s, Options: o, limit: builtin.DefaultDepth}
	if s.Depth > 0 {
		m.limit = s.Depth
	}
	if o.MaxDepth > 0 {
		m.limit = min(o.MaxDepth, builtin.MaxDepth)
	}
	return m
}

// root walks the root of the schema. A failure inside is a panic with an error.
func (m *walk) root(v interp.Value) (out interp.Value, err error) {
	defer func() {
		if x := recover(); x != nil {
			failure, ok := x.(*interp.Error)
			if !ok {
				panic(x)
			}
			if err = m.refused; err == nil {
				err = failure
			}
		}
	}()
	out = m.unit(m.schema.Root, nil, v)
	return out, m.refused
}

// need ends the walk with an error unless a condition holds. The offset of the error is that of
// the bytes that a reader refuses, or the number of bytes that a writer has written.
func (m *walk) need(holds bool, kind error, at int, format string, args ...any) {
	if !holds {
		panic(m.failure(kind, at, format, args...))
	}
}

// failure returns an error. The number of bytes that a writer has written does not count words of
// varying width whose numbers are not known yet.
func (m *walk) failure(kind error, at int, format string, args ...any) *interp.Error {
	if m.writes {
		at = m.pos
		for _, n := range m.open {
			at -= n
		}
	}
	return &interp.Error{Kind: kind, Offset: at, Expected: fmt.Sprintf(format, args...)}
}

// must refuses a value that is not of a kind.
func (m *walk) must(v interp.Value, kind interp.Kind) {
	m.need(v.Kind() == kind, interp.ErrMismatch, m.pos, "a value of kind %s, found %s", kind, v.Kind())
}

// about is the offset of errors of conditions: that of the number directly before, or of the
// next byte.
func (m *walk) about() int { return m.pos - m.before }

// left is the number of bytes that are left to a reader in the region.
func (m *walk) left() int { return m.end - m.pos }

// take reads the next n elements of a size.
func (m *walk) take(n int64, size int) []byte {
	m.need(n >= 0 && n <= int64(m.left()/size), interp.ErrTruncated, m.pos, "%d × %d bytes, found %d", n, size, m.left())
	b := plain(m.packet[m.pos : m.pos+int(n)*size])
	m.pos += len(b)
	m.before = 0
	return b
}

// put writes bytes.
func (m *walk) put(b ...byte) {
	for _, x := range b {
		m.packet = append(m.packet, element{x: x})
	}
	m.pos = len(m.packet)
}

// spend counts the memory that a reader takes for some values.
func (m *walk) spend(values int) {
	if !m.writes && m.MaxMemory > 0 {
		m.memory -= 24 * values
		m.need(m.memory >= 0, interp.ErrLimit, m.pos, "memory for %d values", values)
	}
}
