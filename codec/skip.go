// Skipping Variants in bytes.

package codec

import (
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// skipper knows the lengths of values that have a plain form.
type skipper struct {
	m       *interp.Machine
	forms   [128]skipForm
	flag    uint32
	readers sync.Pool    // *interp.Reader
	missed  atomic.Int64 // counts elements that are not like the one before, and values in them
}

// skipForm is a plain form of Variants.
type skipForm struct {
	interp.Form
	tag   Type
	known bool
	fixed int // bytes of the value with its header, or 0
}

// newSkipper returns the skipper of a machine.
func newSkipper(m *interp.Machine) *skipper {
	s := &skipper{m: m}
	var all []skipForm
	for tag := range Type(variant.FirstOwn) {
		for _, f := range m.ReadForms(uint16(tag)) {
			x := skipForm{Form: f, tag: tag, known: true}
			switch f.Kind {
			case interp.Unit:
				x.fixed = 4
			case interp.Bool:
				x.fixed = 8
			case interp.Int, interp.Uint, interp.Float:
				x.fixed = 4 + f.Scalar.Width()
			case interp.Lanes:
				x.fixed = 4 + f.Size
			}
			all = append(all, x)
			s.flag |= f.Head &^ 63
		}
	}
	if bits.OnesCount32(s.flag) < 2 { // else it knows no lengths
		for _, x := range all {
			s.forms[s.index(x.Head)] = x
		}
	}
	return s
}

func (s *skipper) index(head uint32) uint32 {
	i := head & 63
	if head&s.flag != 0 {
		i += 64
	}
	return i
}

// form returns the form of the value at a place, or nil.
func (s *skipper) form(in memory.View, pos, end int) *skipForm {
	if end-pos < 4 {
		return nil
	}
	head := in.Load32(pos)
	if f := &s.forms[s.index(head)]; f.known && f.Head == head {
		return f
	}
	return nil
}

// one returns the place behind the value at pos, without the values in it, and their number. The bits of mask in its first
// eight bytes decide both.
func (s *skipper) one(b []byte, in memory.View, pos int) (next int, parts int64, mask uint64, ok bool) {
	end := len(b)
	f := s.form(in, pos, end)
	switch {
	case f == nil:
		used, ok := s.other(b[min(pos, end):])
		return pos + used, 0, 0, ok
	case f.fixed > 0:
		return pos + f.fixed, 0, math.MaxUint32, pos+f.fixed <= end
	case end-pos < 8:
		return 0, 0, 0, false
	}
	word := in.Load32(pos + 4)
	pos += 8
	left, size := int64(end-pos), int64(0)
	n := int64(f.Count.Of(word))
	switch f.Kind {
	case interp.Text:
		size = (int64(word) + 3) &^ 3
	case interp.Packed:
		if size = n * int64(f.Size); f.Padded {
			padded := (size + 3) &^ 3
			if f.OrEnd {
				padded = max(size, min(padded, left))
			}
			size = padded
		}
	case interp.List:
		if !f.Texts {
			return pos, n, math.MaxUint64, n*4 <= left
		}
		for ; n > 0; n-- {
			if end-pos < 4 {
				return 0, 0, 0, false
			}
			if size = (int64(in.Load32(pos)) + 3) &^ 3; size > int64(end-pos-4) {
				return 0, 0, 0, false
			}
			pos += 4 + int(size)
		}
		return pos, 0, 0, true
	case interp.Map:
		return pos, 2 * n, math.MaxUint64, n*8 <= left
	}
	return pos + int(min(size, left)), 0, math.MaxUint64, size <= left
}

// skip returns the place behind a number of values. It reports false for bytes that are malformed.
func (s *skipper) skip(b []byte, in memory.View, pos int, values int64) (int, bool) {
	if values >= fewElements {
		return s.elements(b, in, pos, values)
	}
	for values > 0 {
		next, parts, _, ok := s.one(b, in, pos)
		if !ok {
			return 0, false
		}
		pos = next
		values--
		if parts >= fewElements && parts > values { // elements does not recurse
			if pos, ok = s.elements(b, in, pos, parts); !ok {
				return 0, false
			}
			continue
		}
		values += parts
	}
	return pos, true
}

// fewElements is the number of values below which [skipper.elements] does not pay.
const fewElements = 8

// seen is what the value at the same place in the element before was.
type seen struct {
	mask, word uint64
	skip       int
	parts      int64
	text       bool // any length after the header word
}

// unseen is like no value, since its mask has no bits.
var unseen = seen{word: 1}

// elements is skip for values that are probably alike, such as the entities of a game. It expects each of them to be like
// the one before, so that the processor need not wait for the length of a value to look at the next one.
func (s *skipper) elements(b []byte, in memory.View, pos int, values int64) (int, bool) {
	var last [32]seen
	var alike elementForm
	for i := range last {
		last[i] = unseen
	}
	for ; values > 0; values-- {
		if alike.parts > 0 {
			if next, ok := alike.match(in, pos, len(b)); ok {
				pos = next
				continue
			}
		}
		k, misses := 0, 0
		for left := int64(1); left > 0; left-- {
			e := &last[k%len(last)]
			k++
			if next, ok := e.match(in, pos, len(b)); ok {
				pos = next
				left += e.parts
				continue
			}
			misses++
			next, parts, mask, ok := s.one(b, in, pos)
			if !ok {
				return 0, false
			}
			before := *e
			if *e = unseen; mask != 0 && pos <= len(b)-8 {
				w := in.Load64(pos)
				*e = seen{mask: mask, word: w & mask, skip: next - pos, parts: parts}
				if uint32(before.word) == uint32(w) && s.form(in, pos, len(b)).Kind == interp.Text { // of another length
					e.mask, e.word, e.text = math.MaxUint32, uint64(uint32(w)), true
				}
			}
			pos = next
			left += parts
		}
		s.missed.Add(int64(1 + misses))
		switch {
		case pos > len(b):
			return 0, false
		case misses == 0 && k <= len(last):
			alike.learn(last[:k])
		}
	}
	return pos, true
}

// match returns the place behind a value that is like the one seen.
func (e *seen) match(in memory.View, pos, end int) (next int, ok bool) {
	if pos > end-8 {
		return 0, false
	}
	w := in.Load64(pos)
	switch {
	case w&e.mask != e.word:
		return 0, false
	case !e.text:
		return pos + e.skip, true
	}
	n := int(w >> 32)
	return pos + 8 + (n+3)&^3, uint(n) <= uint(end-pos-8)
}

// elementForm is the values of an element. They are runs of fixed length, each but the last one before a text of any
// length.
type elementForm struct {
	seen  [32]seenAt
	runs  [33]run
	parts int
	n     int // of runs
}

// seenAt is a value at an offset in its run.
type seenAt struct {
	mask, word uint64
	offset     int
}

// run is the values up to a number, which take some bytes.
type run struct {
	to, size int
}

// learn takes over the values of an element.
func (f *elementForm) learn(values []seen) {
	f.parts, f.n = len(values), 0
	offset := 0
	for i, e := range values {
		f.seen[i] = seenAt{e.mask, e.word, offset}
		if offset += e.skip; e.text {
			f.runs[f.n] = run{i + 1, f.seen[i].offset + 8}
			f.n++
			offset = 0
		}
	}
	f.runs[f.n] = run{len(values), offset}
}

// match returns the place behind an element of the form.
func (f *elementForm) match(in memory.View, pos, end int) (next int, ok bool) {
	from := 0
	for i := 0; ; i++ {
		r := &f.runs[i]
		if end-pos < r.size+8 { // a load of 8 bytes may reach beyond the last value
			return 0, false
		}
		var other uint64
		for _, e := range f.seen[from:r.to] {
			other |= in.Load64(pos+e.offset)&e.mask ^ e.word
		}
		if other != 0 {
			return 0, false
		}
		pos += r.size
		if i == f.n {
			return pos, true
		}
		n := int(in.Load32(pos - 4))
		if uint(n) > uint(end-pos) {
			return 0, false
		}
		pos += (n + 3) &^ 3
		from = r.to
	}
}

// reader returns a reader whose values are valid until it is put back.
func (s *skipper) reader() *interp.Reader {
	if r, ok := s.readers.Get().(*interp.Reader); ok {
		return r
	}
	return s.m.NewReader(interp.Options{Open: 0xff})
}

// other returns the length of a value without a plain form.
func (s *skipper) other(b []byte) (used int, ok bool) {
	r := s.reader()
	defer s.readers.Put(r)
	_, used, err := r.Read(b)
	return used, err == nil
}

// find returns the place of the value at the first n steps of a path. These are all steps, unless a container on the path
// has no plain form or consists of numbers.
func (s *skipper) find(b []byte, path []any) (pos, end, n int, ok bool) {
	in := memory.Of(b)
	for n = range path {
		f := s.form(in, pos, len(b))
		if f == nil || f.Kind != interp.Map && (f.Kind != interp.List || f.Texts) || len(b)-pos < 8 {
			end, ok = s.skip(b, in, pos, 1)
			return pos, end, n, ok
		}
		count := int(f.Count.Of(in.Load32(pos + 4)))
		pos += 8
		if f.Kind == interp.Map {
			if pos = s.value(b, in, pos, count, path[n]); pos < 0 {
				return 0, 0, 0, false
			}
			continue
		}
		i, isInt := path[n].(int)
		if i < 0 {
			i += count
		}
		if !isInt || i < 0 || i >= count {
			return 0, 0, 0, false
		}
		if pos, ok = s.skip(b, in, pos, int64(i)); !ok {
			return 0, 0, 0, false
		}
	}
	end, ok = s.skip(b, in, pos, 1)
	return pos, end, len(path), ok
}

// value returns the place of the value of the last key that a step means, or -1.
func (s *skipper) value(b []byte, in memory.View, pos, pairs int, step any) int {
	name, named := step.(string)
	found := none
	for range pairs {
		f := s.form(in, pos, len(b))
		next, ok := s.skip(b, in, pos, 1)
		if !ok {
			return none
		}
		match := false
		switch {
		case f != nil && f.Kind == interp.Text && (f.tag == variant.String || f.tag == variant.StringNameType):
			size := int(in.Load32(pos + 4))
			text := b[pos+8 : pos+8+size]
			if match = named && string(text) == name; match && !isPlainName(name) || !match && !isASCII(text) {
				read, ok := s.m.ReadText(f.Encoding, text[:size:size])
				match = named && ok && string(read) == name
			}
			if _, isKey := step.(Value); isKey {
				match = s.isKey(b[pos:next], step)
			}
		case named && f != nil: // of another type
		default:
			match = s.isKey(b[pos:next], step)
		}
		if match {
			found = next
		}
		if pos, ok = s.skip(b, in, next, 1); !ok {
			return none
		}
	}
	return found
}

// isKey reports whether a step means the key in some bytes.
func (s *skipper) isKey(b []byte, step any) bool {
	r := s.reader()
	defer s.readers.Put(r)
	v, _, err := r.Read(b)
	return err == nil && wrap(v).isKey(step)
}

// skipper returns the skipper of the machine, which is made once.
func (t *typePrograms) skipper(m *interp.Machine) *skipper {
	t.skips.Do(func() { t.skip = newSkipper(m) })
	return t.skip
}
