// Delimiters: text and bytes that end before a terminator, before bytes that fill their row,
// or at the end of their region.

package reference

import (
	"bytes"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// delimited reports whether text or bytes end before a delimiter, or text at the end of the
// region.
func delimited(t *schema.Type) bool {
	return t.Until+t.Fill != "" || t.Form == schema.Text && t.Size == nil
}

// delimited reads content that ends before a delimiter.
func (r *reader) delimited(t *schema.Type, f *frame) interp.Value {
	begin := r.pos
	if t.Fill == "" {
		n := r.left()
		if t.Until != "" {
			n = bytes.Index(r.in[r.pos:r.end], []byte(t.Until))
		}
		if n < 0 {
			fail(interp.ErrTruncated, r.pos, "the bytes % x before the end", t.Until)
		}
		content := r.take(int64(n), 1)
		r.take(int64(len(t.Until)), 1)
		return contained(t, content, begin)
	}
	row := r.take(r.known(t.Size, f), 1)
	content, _, _ := bytes.Cut(row, []byte(t.Fill))
	if len(row)-len(content) > builtin.MaxFill {
		fail(interp.ErrLimit, begin, "%d bytes that fill a row", builtin.MaxFill)
	}
	for i, b := range row[len(content):] {
		if b != t.Fill[0] && !t.FillAny {
			fail(interp.ErrValue, begin+len(content)+i, "a row filled with % x", t.Fill)
		}
	}
	return contained(t, content, begin)
}

// contained returns the value of content that was read from an offset.
func contained(t *schema.Type, content []byte, begin int) interp.Value {
	if t.Form == schema.Array {
		return interp.MakePacked(0, builtin.U8, 1, content)
	}
	text, bad := decoded(t.Encoding, content)
	if bad >= 0 {
		fail(interp.ErrText, begin+bad, "a character")
	}
	if !found(t, encoded(t.Encoding, text)) {
		fail(interp.ErrValue, begin, "text without the bytes % x", t.Until+t.Fill)
	}
	return interp.MakeText(0, string(text))
}

// found reports whether a reader finds the end of content at the delimiter that follows it.
func found(t *schema.Type, content []byte) bool {
	delimiter := []byte(t.Until + t.Fill)
	at := bytes.Index(append(content[:len(content):len(content)], delimiter...), delimiter)
	return len(delimiter) == 0 || at == len(content)
}

// delimited writes content that ends before a delimiter.
func (w *writer) delimited(t *schema.Type, v interp.Value, f *frame) {
	if t.Form == schema.Text {
		w.must(v, interp.Text)
	} else if w.must(v, interp.Packed); v.Width() != 1 || v.Scalar() != builtin.U8 {
		w.mismatch("bytes, found %s", v.Scalar())
	}
	content, fills := v.Bytes(), int64(0)
	if t.Form == schema.Text {
		content = encoded(t.Encoding, content)
	}
	if !found(t, content) {
		fail(interp.ErrValue, len(w.out), "content without the bytes % x", t.Until+t.Fill)
	}
	if t.Fill != "" {
		n := w.known(t.Size, f)
		fills = n - int64(len(content))
		if fills < 0 {
			fail(interp.ErrRange, len(w.out), "at most %d bytes, found %d", n, len(content))
		}
		if fills > builtin.MaxFill {
			fail(interp.ErrLimit, len(w.out), "at most %d bytes that fill a row", builtin.MaxFill)
		}
	}
	if t.Form == schema.Text && !writable(t.Encoding, v.Bytes()) {
		fail(interp.ErrText, len(w.out), "text that a reader gets back")
	}
	w.out = append(append(w.out, content...), t.Until...)
	w.out = append(w.out, bytes.Repeat([]byte(t.Fill), int(fills))...)
}
