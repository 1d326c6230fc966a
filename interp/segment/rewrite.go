// Bytes of changed values, in which unchanged leaves keep theirs.

package segment

import (
	"bytes"
	"context"

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

// merge returns the bytes of fresh, in which leaves that plain has, too, have the bytes of old. The leaves of old and
// plain have to correspond.
func merge(old, plain, fresh *Packet) ([]byte, bool) {
	a, b, c := old.Spans(), plain.Spans(), fresh.Spans()
	if old.Err != nil || plain.Err != nil || fresh.Err != nil || len(a) != len(b) {
		return nil, false
	}
	for i := range a {
		if x, y := a[i].Leaf, b[i].Leaf; x.Rule != y.Rule || x.Kind != y.Kind {
			return nil, false
		}
	}
	same := func(i, k int) bool {
		x, y := b[i], c[k]
		return x.Leaf.Rule == y.Leaf.Rule && bytes.Equal(plain.Bytes[x.From:x.To], fresh.Bytes[y.From:y.To])
	}
	n, m := len(b), len(c)
	head, tail := 0, 0
	for head < min(n, m) && same(head, head) {
		head++
	}
	for tail < min(n, m)-head && same(n-1-tail, m-1-tail) {
		tail++
	}
	var out []byte
	for k, l := range c {
		i := -1 // the leaf of old in this place
		switch {
		case k < head, n == m && same(k, k):
			i = k
		case k >= m-tail:
			i = n - (m - k)
		}
		if i < 0 {
			out = append(out, fresh.Bytes[l.From:l.To]...)
		} else {
			out = append(out, old.Bytes[a[i].From:a[i].To]...)
		}
	}
	return out, true
}
