// Bytes of changed values, in which unchanged leaves keep theirs.

package segment

import (
	"bytes"
	"context"
	"slices"

	"github.com/octable/octable/interp"
)

// Rewrite returns the bytes of the value want, which replaces the value was, read from all of b. A leaf that the
// change leaves alone keeps its bytes, also if a writer would write others; kept reports whether all such leaves
// could be kept. If not, the bytes are those of a writer. The error is that of the context, or of a writer that
// refuses want.
func Rewrite(ctx context.Context, m *interp.Machine, b []byte, was, want interp.Value, opt interp.Options) (out []byte, kept bool, err error) {
	opt.KeepWidths = true
	fresh, err := m.Encode(want, opt)
	if err != nil {
		return nil, false, err
	}
	plain, err := m.Encode(was, opt)
	switch {
	case err != nil:
		return fresh, false, nil
	case bytes.Equal(plain, b):
		return fresh, true, nil
	}
	var packets [3]*Packet
	for i, b := range [...][]byte{b, plain, fresh} {
		if packets[i], err = ReadContext(ctx, m, b, opt, 0); err != nil {
			return nil, false, err
		}
	}
	out, ok := merge(packets[0], packets[1], packets[2])
	if !ok {
		return fresh, false, nil
	}
	got, used, err := m.Decode(out, opt)
	if err != nil || used != len(out) {
		return fresh, false, nil
	}
	again, err := m.Encode(got, opt)
	if err != nil || !bytes.Equal(again, fresh) {
		return fresh, false, nil
	}
	return out, true, nil
}

// merge returns the bytes of fresh, in which leaves that plain has, too, have the bytes of old. The spans of old and
// plain have to correspond.
func merge(old, plain, fresh *Packet) ([]byte, bool) {
	a, b := old.Spans(), plain.Spans()
	if old.Err != nil || plain.Err != nil || fresh.Err != nil || len(a) != len(b) || plain.Root == nil || fresh.Root == nil {
		return nil, false
	}
	spans := map[*Node][]int{} // of the leaves of plain
	for i := range a {
		x, y := a[i].Leaf, b[i].Leaf
		if x.Rule != y.Rule || x.Kind != y.Kind {
			return nil, false
		}
		spans[y] = append(spans[y], i)
	}
	kept := map[*Node][]int{} // the spans whose bytes a leaf of fresh has
	align([]*Node{plain.Root}, []*Node{fresh.Root}, func(y, z *Node) {
		if bytes.Equal(y.Bytes(), z.Bytes()) {
			kept[z] = spans[y]
		}
	})
	var out []byte
	for _, z := range fresh.Spans() {
		i := kept[z.Leaf]
		if len(i) == 0 || b[i[0]].To-b[i[0]].From != z.To-z.From {
			out = append(out, fresh.Bytes[z.From:z.To]...)
			continue
		}
		out = append(out, old.Bytes[a[i[0]].From:a[i[0]].To]...)
		kept[z.Leaf] = i[1:]
	}
	return out, true
}

// align calls leaf for each two leaves that are in the same place of two trees. Nodes with equal bytes at the beginning
// and at the end of a list or a record correspond; the nodes between them correspond by their rows, in order.
func align(y, z []*Node, leaf func(y, z *Node)) {
	pair := func(y, z *Node) {
		if len(y.Children) == 0 && len(z.Children) == 0 {
			leaf(y, z)
		} else {
			align(y.Children, z.Children, leaf)
		}
	}
	alike := func(y, z *Node) bool { return y.Rule == z.Rule && y.Kind == z.Kind }
	same := func(y, z *Node) bool { return alike(y, z) && bytes.Equal(y.Bytes(), z.Bytes()) }
	for len(y) > 0 && len(z) > 0 && same(y[0], z[0]) {
		pair(y[0], z[0])
		y, z = y[1:], z[1:]
	}
	for len(y) > 0 && len(z) > 0 && same(y[len(y)-1], z[len(z)-1]) {
		pair(y[len(y)-1], z[len(z)-1])
		y, z = y[:len(y)-1], z[:len(z)-1]
	}
	for len(y) > 0 && len(z) > 0 {
		i := slices.IndexFunc(y, func(y *Node) bool { return alike(y, z[0]) })
		if i >= 0 {
			pair(y[i], z[0])
			y = y[i+1:]
		}
		z = z[1:]
	}
}
