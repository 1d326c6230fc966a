// Windows: bytes with the leaves that they belong to.

package view

import "sort"

// leafAt returns the index of the leaf that an offset belongs to, or the number of leaves.
func (t *tree) leafAt(offset int) int {
	return sort.Search(len(t.leaves), func(i int) bool { return int(t.leaves[i].to) > offset })
}

// MaxWindow is the most bytes of a [Window].
const MaxWindow = 64 << 10

// window returns bytes with their leaves.
func (p *packet) window(from, to int) *Window {
	from = min(max(from, 0), len(p.bytes))
	to = min(max(to, from), len(p.bytes), from+MaxWindow)
	w := &Window{From: from, Data: p.bytes[from:to], Leaves: []Leaf{}}
	for i := p.leafAt(from); i < len(p.leaves) && int(p.leaves[i].from) < to; i++ {
		l := p.leaves[i]
		w.Leaves = append(w.Leaves, Leaf{Span{int(l.from), int(l.to)}, int(l.node), p.nodes[l.node].kind, p.f.color(&p.nodes[l.node])})
	}
	return w
}
