// Differences between two packets, or between two readings of one.

package view

import (
	"bytes"
	"context"
	"strconv"
)

// compare lists the differences of two packets, which may be of two schemas.
func (s *Service) compare(ctx context.Context, q CompareParams) (*Compare, error) {
	a, err := s.packet(q.Old)
	if err != nil {
		return nil, err
	}
	b, err := s.packet(q.New)
	if err != nil {
		return nil, err
	}
	c := &comparer{ctx: ctx, a: a, b: b, out: &Compare{Same: bytes.Equal(a.bytes, b.bytes), List: []Difference{}}}
	if v, ok := a.named(); ok {
		if w, ok := b.named(); ok {
			c.out.Equal = v.String() == w.String()
		}
	}
	if err := c.pair(0, 0); err != nil {
		return nil, err
	}
	return c.out, nil
}

// checkEvery is how many nodes are compared between looks at the context.
const checkEvery = 4096

// comparer compares two packets.
type comparer struct {
	ctx   context.Context
	a, b  *packet
	out   *Compare
	count int
}

// key is what a node is to its parent: nodes with the same key correspond.
func (p *packet) key(n int32) string { return string(p.nodes[n].kind) + " " + p.label(n) }

// alike reports whether two subtrees are the same, as far as this is known without walking them.
func (c *comparer) alike(m, n int32) bool {
	x, y := &c.a.nodes[m], &c.b.nodes[n]
	return c.a.f == c.b.f && x.kind == y.kind && x.Rule == y.Rule && x.cut() == y.cut() && bytes.Equal(c.a.bytes[x.from:x.to], c.b.bytes[y.from:y.to])
}

// pair compares two nodes that correspond.
func (c *comparer) pair(m, n int32) error {
	if c.count++; c.count%checkEvery == 0 {
		if err := c.ctx.Err(); err != nil {
			return &Error{Code: "time", Message: "the packets take too long to compare"}
		}
	}
	if c.a.f == c.b.f && c.alike(m, n) && m != 0 {
		return nil
	}
	x, y := &c.a.nodes[m], &c.b.nodes[n]
	if x.kind != y.kind || x.kind != Value && x.kind != List {
		if old, fresh := c.a.item(int(m), -1), c.b.item(int(n), -1); x.kind != y.kind || old.Text != fresh.Text || old.Type != fresh.Type ||
			!bytes.Equal(c.a.bytes[x.from:x.to], c.b.bytes[y.from:y.to]) {
			c.add(int(m), int(n))
		}
		return nil
	}
	if old, fresh := c.a.item(int(m), -1), c.b.item(int(n), -1); m != 0 && old.Type != fresh.Type {
		c.add(int(m), int(n))
		return nil
	}
	return c.lists(c.a.parts(m), c.b.parts(n))
}

// lists compares the parts of two nodes. Equal parts at the beginning and at the end correspond; those between
// correspond if they have the same key.
func (c *comparer) lists(olds, news []int32) error {
	for len(olds) > 0 && len(news) > 0 && c.alike(olds[0], news[0]) {
		olds, news = olds[1:], news[1:]
	}
	for len(olds) > 0 && len(news) > 0 && c.alike(olds[len(olds)-1], news[len(news)-1]) {
		olds, news = olds[:len(olds)-1], news[:len(news)-1]
	}
	places := map[string]int32{}
	seen := map[string]int{}
	numbered := func(p *packet, n int32) string {
		k := p.key(n)
		seen[k]++
		if seen[k] > 1 {
			k += " " + strconv.Itoa(seen[k])
		}
		return k
	}
	for _, n := range news {
		places[numbered(c.b, n)] = n
	}
	clear(seen)
	used := map[int32]bool{}
	for _, m := range olds {
		n, ok := places[numbered(c.a, m)]
		if !ok {
			c.add(int(m), -1)
			continue
		}
		used[n] = true
		if err := c.pair(m, n); err != nil {
			return err
		}
	}
	for _, n := range news {
		if !used[n] {
			c.add(-1, int(n))
		}
	}
	return nil
}

// add adds a difference. A side without the part is -1.
func (c *comparer) add(m, n int) {
	if c.out.Total++; len(c.out.List) >= MaxDifferences {
		return
	}
	d := Difference{OldNode: m, NewNode: n}
	describe := func(p *packet, n int) (*Span, string) {
		if n < 0 {
			return nil, ""
		}
		it := p.item(n, -1)
		d.Path = it.Path
		text := it.Text
		if it.Kind == Value && it.Type != "" {
			text = it.Type + " " + text
		} else if it.Label != "" {
			text = it.Label + " " + text
		}
		return &it.Span, text
	}
	d.Old, d.OldText = describe(c.a, m)
	d.New, d.NewText = describe(c.b, n)
	c.out.List = append(c.out.List, d)
}
