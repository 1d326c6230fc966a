// Contexts: containers of a value. A reader that takes too few or too many bytes
// for a value shows it there alone, by its result for the value behind.

package generate

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// context is a container with a place for a packet.
type context struct {
	name   string // "in-Array", "key-of-Dictionary"
	place  string // "as an element of an Array"
	typ    int    // of the container
	open   uint8
	before []byte
	after  []byte // with a value behind the place
	inner  []byte // of a container that holds nothing else, which begins with bare
	bare   []byte
}

// contexts finds the containers of the program, each in its simplest shape. A value
// of the root union is a part of a container.
func (g *model) contexts(seeds []seed) []context {
	var out []context
	seen := map[string]bool{}
	mark, ok := g.sentinel(0x5a5a5a5a)
	behind, ok2 := g.sentinel(7)
	if !ok || !ok2 {
		return nil
	}
	for _, s := range seeds {
		full := g.full(s)
		g.walk(g.p.Root, full, func(p place) {
			if !p.hole || p.inner {
				return
			}
			name := p.part + "-" + g.p.Types[s.typ].Name
			if seen[name] {
				return
			}
			bare, ok := g.around(s, g.replace(g.p.Root, full, p.path, mark), mark)
			if !ok {
				return
			}
			with, ok := g.around(s, g.followed(full, p, mark, behind), mark)
			if !ok {
				with = bare
			}
			seen[name] = true
			container := g.p.Types[s.typ].Name
			place := "as an element of"
			switch p.part {
			case "key-of":
				place = "as a key of"
			case "value-of":
				place = "as a value of"
			default:
				if g.p.Code[g.types[p.typ].cells[p.cell].ops[0]].Op == bytecode.Call {
					place = "as a part of"
				}
			}
			out = append(out, context{name: name, place: place + " " + article(container) + " " + container,
				typ: s.typ, open: s.open, before: with[0], after: with[1], bare: bare[0], inner: bare[1]})
		})
	}
	// Lists come first: in them a value is followed by nothing but the next one.
	slices.SortStableFunc(out, func(a, b context) int {
		return cmp.Compare(strings.Index(b.place, "element"), strings.Index(a.place, "element"))
	})
	return out
}

// followed returns the container with mark in the place, and another value behind it.
func (g *model) followed(v interp.Value, p place, mark, behind interp.Value) interp.Value {
	v = g.replace(g.p.Root, v, p.path, mark)
	if len(p.path) < 2 {
		return v
	}
	// The list that the place is in, or that its record is a part of.
	path := p.path[:len(p.path)-1]
	in := &g.p.Code[g.types[p.typ].cells[p.cell].ops[0]]
	if in.Op == bytecode.Call {
		path = path[:len(path)-1]
	}
	var list interp.Value
	var elem uint32
	g.walk(g.p.Root, v, func(q place) {
		if !q.hole && len(q.path) == len(path) && fmt.Sprint(q.path) == fmt.Sprint(path) {
			list = q.value
			elem = g.p.Code[g.types[q.typ].cells[q.cell].ops[0]].B
		}
	})
	parts := append([]interp.Value(nil), list.Cells()...)
	switch {
	case list.Kind() == interp.Map && p.part == "key-of":
		parts = append(parts[:0], mark, behind)
	case list.Kind() == interp.Map:
		parts = append(parts[:0], g.altered(g.p.Root, behind, 1), mark, g.altered(g.p.Root, behind, 2), behind)
	case list.Kind() == interp.List && in.Op != bytecode.Call:
		parts = append(parts[:0], mark, behind)
	case list.Kind() == interp.List && len(parts) > 0:
		// A record with the value in it, and another one.
		parts = append(parts, g.altered(elem, g.replace(elem, parts[0], []int{p.cell}, behind), 1))
	default:
		return v
	}
	return g.replace(g.p.Root, v, path, list.WithCells(parts))
}

// around returns the bytes of a container before and after the packet of mark.
func (g *model) around(s seed, v, mark interp.Value) ([2][]byte, bool) {
	b, err := g.m.Append(nil, v, interp.Options{Open: s.open})
	if err != nil {
		return [2][]byte{}, false
	}
	m, err := g.m.Append(nil, mark, interp.Options{Open: s.open})
	if err != nil || bytes.Count(b, m) != 1 {
		return [2][]byte{}, false
	}
	at := bytes.Index(b, m)
	return [2][]byte{b[:at:at], b[at+len(m):]}, true
}

// in returns a packet in a context.
func (x *context) in(b []byte) []byte {
	return append(append(bytes.Clone(x.before), b...), x.after...)
}

// nested returns a packet in n containers, one in the other.
func (x *context) nested(b []byte, n int) []byte {
	out := bytes.Repeat(x.bare, n)
	out = append(out, b...)
	return append(out, bytes.Repeat(x.inner, n)...)
}

// article returns a or an.
func article(noun string) string {
	if noun != "" && strings.ContainsRune("AEIOUaeiou", rune(noun[0])) {
		return "an"
	}
	return "a"
}
