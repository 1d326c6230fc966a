// Grafts: values in the places of parts of other values.

package corrupt

import (
	"iter"

	"github.com/octable/octable/interp"
)

// maxHosts is the most places that [Grafts] has.
const maxHosts = 64

// Grafts puts values in the places of parts of other values. A reader reads a value differently in another place, if it depends
// on the byte order, on bits or on the depth around it.
type Grafts struct {
	e     *Engine
	seen  map[slot]bool
	hosts []host
}

// slot is a place for parts. It is an element of the lists at a place, or a field of the records there.
type slot struct {
	around Place
	field  int
}

// host is a value and the path to a part of it.
type host struct {
	v    interp.Value
	path []int
}

// NewGrafts returns Grafts without places.
func (e *Engine) NewGrafts() *Grafts { return &Grafts{e: e, seen: map[slot]bool{}} }

// Add adds the places of parts of a value with a type. It adds a place if no value before has a part there.
func (g *Grafts) Add(v interp.Value) {
	for _, around := range nodes(v) {
		place := g.e.place(v, &around)
		for i, part := range around.v.Cells() {
			s := slot{place, i}
			switch around.v.Kind() {
			case interp.List:
				s.field = 0
			case interp.Map:
				s.field = i % 2
			}
			if part.Tag() == 0 || g.seen[s] || len(g.hosts) >= maxHosts {
				continue
			}
			g.seen[s] = true
			g.hosts = append(g.hosts, host{v, append(around.path[:len(around.path):len(around.path)], i)})
		}
	}
}

// Values returns values with v and then its parts with a type in each place. The part is there once, and then inside of
// the value around the place, repeated for each number of levels. Not all can be written.
func (g *Grafts) Values(v interp.Value, levels int) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		for _, n := range nodes(v) {
			if n.v.Tag() == 0 {
				continue
			}
			for _, h := range g.hosts {
				w := n.v
				for range 1 + levels {
					w = replace(h.v, h.path, w)
					if !yield(w) {
						return
					}
				}
			}
		}
	}
}
