// Bounds of the copies that the changes of large packets and values take.

package corrupt

import (
	"hash/crc32"
	"iter"

	"github.com/octable/octable/interp"
)

// Bounds of the work for one packet or value. A change copies all of it, so the work for all changes
// grows with the square of its size. Packets of less than 1 KiB have no more rows than that.
const (
	mostRowBytes  = 4 << 20 // rows of a packet that are damaged, times its bytes
	mostPartCells = 1 << 20 // cells that are copied to replace each part of a value once
	mostListCells = 1 << 19 // cells that are copied to spoil each element of a list once
)

// spread returns numbers below n in order, about most of them. The first and the last are included, and
// the seed moves those between them.
func spread(n, most int, seed uint32) iter.Seq[int] {
	return func(yield func(int) bool) {
		if n <= most {
			for i := range n {
				if !yield(i) {
					return
				}
			}
			return
		}
		step := max(1, (n-2)/max(1, most-2)+1)
		if !yield(0) {
			return
		}
		for i := 1 + int(seed%uint32(step)); i < n-1; i += step {
			if !yield(i) {
				return
			}
		}
		if n > 1 {
			yield(n - 1)
		}
	}
}

// damaged returns the indices of the events of a packet that are damaged. Those are all of them, or some of each
// row if the packet is too large.
func damaged(events []interp.Event, b []byte) iter.Seq[int] {
	if len(events)*len(b) <= mostRowBytes {
		return spread(len(events), len(events), 0)
	}
	return bounded(len(events), mostRowBytes/len(b), crc32.ChecksumIEEE(b), func(i int) any {
		return struct {
			kind interp.EventKind
			rule any
		}{events[i].Kind, events[i].Rule}
	})
}

// bounded returns about most numbers below n in order, spread over the numbers of each key.
func bounded(n, most int, seed uint32, key func(int) any) iter.Seq[int] {
	all := map[any][]int{}
	for i := range n {
		k := key(i)
		all[k] = append(all[k], i)
	}
	picked := make([]bool, n)
	for _, some := range all {
		for i := range spread(len(some), max(2, most/len(all)), seed) {
			picked[some[i]] = true
		}
	}
	return func(yield func(int) bool) {
		for i, is := range picked {
			if is && !yield(i) {
				return
			}
		}
	}
}

// Replacement is a value in which another part is put at a place.
type Replacement struct {
	v    interp.Value
	path []int
	with interp.Value
}

// Value returns a copy of the value with the part replaced.
func (r *Replacement) Value() interp.Value { return replace(r.v, r.path, r.with) }

// values returns the values of replacements.
func values(all iter.Seq[Replacement]) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		for r := range all {
			if !yield(r.Value()) {
				return
			}
		}
	}
}
