// Leaves: each byte of a packet belongs to exactly one.

package view

import (
	"cmp"
	"slices"
	"sort"
)

// leaf is bytes of a node.
type leaf struct{ from, to, node int32 }

// divide makes the leaves of n bytes. Parts at places may be in any order, and be read more than once: the
// row that begins first has the bytes, of those that begin together the one that was read first. Bytes without a row
// become nodes.
func (t *tree) divide(n int) {
	var all []leaf
	sorted := true
	for i := range t.nodes {
		if x := &t.nodes[i]; x.kind != Value && x.from < x.to {
			sorted = sorted && (len(all) == 0 || all[len(all)-1].from <= x.from)
			all = append(all, leaf{x.from, x.to, int32(i)})
		}
	}
	if !sorted {
		slices.SortStableFunc(all, func(a, b leaf) int { return cmp.Compare(a.from, b.from) })
	}
	out := make([]leaf, 0, len(all))
	at := int32(0)
	gap := func(to int32) {
		index := int32(len(t.nodes))
		t.nodes = append(t.nodes, node{next: index + 1, from: at, to: to, kind: Gap})
		out = append(out, leaf{at, to, index})
	}
	for _, l := range all {
		if l.from > at {
			gap(l.from)
		}
		l.from = max(l.from, at)
		if l.to = min(l.to, int32(n)); l.from < l.to {
			out = append(out, l)
			at = l.to
		}
	}
	if at < int32(n) {
		gap(int32(n))
	}
	t.nodes[0].next = int32(len(t.nodes))
	t.leaves = out
}

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
