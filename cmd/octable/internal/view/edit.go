// Edits. Each makes a new packet from the one before.

package view

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/segment"
)

// MaxDifferences is the most differences that are listed.
const MaxDifferences = 1000

// edited reads the bytes that an edit has made, and describes the packet.
func (s *Service) edited(ctx context.Context, old *packet, b []byte, note string, focus LocateParams) (*Packet, error) {
	p, err := s.add(ctx, &packet{name: old.name, bytes: b, layers: old.layers, secret: old.secret, f: old.f, opt: old.opt})
	if err != nil {
		return nil, err
	}
	out := p.result()
	out.Note, out.Changed = note, changed(old.bytes, p.bytes)
	if at, err := p.locate(focus); err == nil && len(at.Steps) > 0 {
		out.Focus = at
	}
	return out, nil
}

// changed returns the bytes of b that are not those of a. If the lengths differ it is one range.
func changed(a, b []byte) []Span {
	out := []Span{}
	if len(a) != len(b) {
		from, n := 0, min(len(a), len(b))
		for from < n && a[from] == b[from] {
			from++
		}
		to := 0
		for to < n-from && a[len(a)-1-to] == b[len(b)-1-to] {
			to++
		}
		return append(out, Span{from, len(b) - to})
	}
	for i := 0; i < len(b) && len(out) < MaxDifferences; i++ {
		if a[i] == b[i] {
			continue
		}
		if n := len(out); n > 0 && out[n-1].To == i {
			out[n-1].To++
		} else {
			out = append(out, Span{i, i + 1})
		}
	}
	return out
}

// splice replaces bytes.
func (s *Service) splice(ctx context.Context, q SpliceParams) (*Packet, error) {
	old, err := s.packet(q.Packet)
	if err != nil {
		return nil, err
	}
	if q.At < 0 || q.Remove < 0 || q.At > len(old.bytes) || q.Remove > len(old.bytes)-q.At {
		return nil, &Error{Code: "params", Message: "the bytes to replace are not in the packet"}
	}
	out := slices.Concat(old.bytes[:q.At], q.Data, old.bytes[q.At+q.Remove:])
	return s.edited(ctx, old, out, "", LocateParams{Offset: max(q.Focus, 0), Part: -1})
}

// errNotRead says why a value cannot be edited.
var errNotRead = &Error{Code: "value", Message: "the value was not read to its end; edit its bytes, or mend the error first"}

// set edits a value, and the lengths, counts, flags, padding and checksums that depend on it. A number that a writer
// computes is written unchanged, even if it is wrong.
func (s *Service) set(ctx context.Context, q SetParams) (*Packet, error) {
	old, err := s.packet(q.Packet)
	if err != nil {
		return nil, err
	}
	if err := old.check(q.Node, q.Part); err != nil {
		return nil, err
	}
	x := &old.nodes[q.Node]
	if x.kind == Derived || x.kind == Flags {
		b, err := old.computed(x, q.Text)
		if err != nil {
			return nil, err
		}
		out := slices.Concat(old.bytes[:x.from], b, old.bytes[x.to:])
		return s.edited(ctx, old, out, "", LocateParams{Offset: int(x.from), Part: -1})
	}
	at, ok := old.spotOf(int32(q.Node))
	if !ok {
		return nil, errNotRead
	}
	v := at.value
	if text, ok := old.textOf(x.Routine, v); x.kind != Value || !ok || text != q.Text { // a text need not say all of a value
		if v, err = old.parse(x, at.value, q); err != nil {
			return nil, err
		}
	}
	return s.write(ctx, old, at.root, replaced(old.nodes[at.root].Value, at.cells, func(was interp.Value) interp.Value {
		if x.kind == Value {
			return v
		}
		return v.WithTag(was.Tag())
	}), q.Node, q.Part)
}

// wholeNumber reads an integer of 64 bits: in digits, or as the letters of a code in quotes.
func wholeNumber(text string) (uint64, error) {
	text = strings.TrimSpace(text)
	if letters, err := strconv.Unquote(text); err == nil && len(letters) == 4 {
		return uint64(binary.LittleEndian.Uint32([]byte(letters))), nil
	}
	if u, err := strconv.ParseUint(text, 0, 64); err == nil {
		return u, nil
	}
	i, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return 0, &Error{Code: "value", Message: fmt.Sprintf("%q is no integer; write it in digits, or with 0x in hexadecimal digits", interp.Clip(text, 40))}
	}
	return uint64(i), nil
}

// computed returns the bytes of a number that a writer computes, to make it wrong on purpose.
func (p *packet) computed(x *node, text string) ([]byte, error) {
	n, err := wholeNumber(text)
	if err != nil {
		return nil, err
	}
	if n == x.Number {
		return p.bytes[x.from:x.to], nil // a number may have several forms
	}
	b, ok := interp.AppendWord(nil, p.f.program, x.PC, n)
	if !ok {
		return nil, &Error{Code: "value", Message: fmt.Sprintf("%s does not fit into %s", strings.TrimSpace(text), x.Name)}
	}
	return b, nil
}

// parse returns the value of a text in the form that the item of a node has.
func (p *packet) parse(x *node, old interp.Value, q SetParams) (interp.Value, error) {
	if x.kind == Value {
		return p.parseValue(x.Routine, q.Text)
	}
	text := strings.TrimSpace(q.Text)
	bad := func(what string) (interp.Value, error) {
		return old, &Error{Code: "value", Message: fmt.Sprintf("%q is not %s", interp.Clip(text, 40), what)}
	}
	switch old.Kind() {
	case interp.Text:
		return interp.MakeText(0, q.Text), nil
	case interp.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return bad("true or false")
		}
		return interp.MakeBool(0, b), nil
	case interp.Int:
		i, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return bad("an integer of 64 bits")
		}
		return interp.MakeInt(0, i).WithWide(old.Wide()), nil
	case interp.Uint:
		u, err := wholeNumber(text)
		if err != nil || strings.HasPrefix(text, "-") {
			return bad("an integer from 0 to 18446744073709551615")
		}
		return interp.MakeUint(0, u).WithWide(old.Wide()), nil
	case interp.Float:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return bad("a number")
		}
		return interp.MakeFloat(0, f).WithWide(old.Wide()), nil
	case interp.Lanes, interp.Packed:
		if q.Part >= 0 {
			return setLanes(old, q.Part, text)
		}
	}
	return old, &Error{Code: "value", Message: "this value has no text form; edit its parts, or the bytes"}
}

// setLanes returns an array of numbers or a tuple with an element replaced.
func setLanes(old interp.Value, part int, text string) (interp.Value, error) {
	width := 1
	if old.Kind() == interp.Packed {
		width = old.Width()
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	if len(words) != width {
		return old, &Error{Code: "value", Message: fmt.Sprintf("the element has %d numbers; write them with commas between", width)}
	}
	var list []interp.Value
	scalar := old.Scalar()
	for _, w := range words {
		var v interp.Value
		switch {
		case scalar.IsFloat():
			f, err := strconv.ParseFloat(w, 64)
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				return old, &Error{Code: "value", Message: fmt.Sprintf("%q is not a number", interp.Clip(w, 40))}
			}
			v = interp.MakeFloat(0, f)
		default:
			i, err := strconv.ParseInt(w, 0, 64)
			u, errU := strconv.ParseUint(w, 0, 64)
			bits := 8 * scalar.Width()
			switch {
			case scalar.Signed() && err == nil && i >= -1<<(bits-1) && i <= 1<<(bits-1)-1:
				v = interp.MakeInt(0, i)
			case !scalar.Signed() && errU == nil && (bits == 64 || u < 1<<bits):
				v = interp.MakeInt(0, int64(u))
			default:
				return old, &Error{Code: "value", Message: fmt.Sprintf("%q is not an integer of %d bits", interp.Clip(w, 40), bits)}
			}
		}
		list = append(list, v)
	}
	return withLanes(old, part*width, list), nil
}

// withLanes returns an array with some numbers replaced.
func withLanes(old interp.Value, at int, list []interp.Value) interp.Value {
	b := bytes.Clone(old.Bytes())
	size := old.Scalar().Width()
	for k, v := range list {
		bits := uint64(v.Int())
		if old.Scalar().IsFloat() {
			bits = math.Float64bits(v.Float())
			if size == 4 {
				bits = uint64(math.Float32bits(float32(v.Float())))
			}
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], bits)
		copy(b[(at+k)*size:], word[:size])
	}
	if old.Kind() == interp.Packed {
		return interp.MakePacked(old.Tag(), old.Scalar(), old.Width(), b)
	}
	return interp.MakeLanes(old.Tag(), old.Scalar(), b)
}

// parseValue reads the text of a value of a routine.
func (p *packet) parseValue(routine uint32, text string) (interp.Value, error) {
	if p.f.variants && routine == p.f.program.Root {
		v, err := p.f.with(p.opt).ParseText(strings.TrimSpace(text))
		if err != nil {
			return interp.Value{}, &Error{Code: "value", Message: strings.TrimPrefix(err.Error(), "codec: ")}
		}
		return raw.Value(v), nil
	}
	v, err := p.f.notation.ParseOf(routine, text)
	if err != nil {
		return v, &Error{Code: "value", Message: err.Error()}
	}
	return v, nil
}

// textOf returns the text of a value of a routine, which parseValue reads. It is false if it is too long to edit.
func (p *packet) textOf(routine uint32, v interp.Value) (string, bool) {
	const most = 4000
	text := ""
	if p.f.variants && routine == p.f.program.Root {
		b, err := p.f.with(p.opt).AppendText(nil, raw.Wrap(v), "")
		if err != nil {
			return "", false
		}
		text = strings.TrimSpace(string(b))
	} else {
		text = p.f.notation.Clipped(v, most+1)
	}
	return text, len(text) <= most
}

// write writes a changed value of a packet.
func (s *Service) write(ctx context.Context, old *packet, root int32, v interp.Value, node, part int) (*Packet, error) {
	x := &old.nodes[root]
	fresh, kept, err := segment.Rewrite(ctx, old.f.machine(), old.bytes[x.from:x.to], x.Value, v, old.opt.reading())
	if err != nil {
		return nil, old.writeError(err)
	}
	note := ""
	if !kept {
		note = "Bytes that a writer would not write have become canonical."
	}
	whole := slices.Clone(old.bytes[:x.from])
	if old.nodes[root-1].kind == Frame {
		old.opt.order().PutUint32(whole[x.from-4:], uint32(len(fresh)))
	}
	whole = append(append(whole, fresh...), old.bytes[x.to:]...)
	return s.edited(ctx, old, whole, note, LocateParams{Offset: -1, Node: node, Part: part})
}

// writeError returns the error of a writer, with its row.
func (p *packet) writeError(err error) error {
	e := &Error{Code: "value", Message: err.Error()}
	var place *interp.Error
	if errors.As(err, &place) {
		e.Fault = p.f.fault(place, 0)
		e.Fault.Hint = "A writer refuses this value: the schema allows other ones here."
	}
	return e
}

// canonical writes the values again.
func (s *Service) canonical(ctx context.Context, q PacketParams) (*Packet, error) {
	old, err := s.packet(q.Packet)
	if err != nil {
		return nil, err
	}
	var out []byte
	at := int32(0)
	for _, n := range old.parts(0) {
		x := &old.nodes[n]
		if x.kind != Value {
			continue
		}
		if x.cut() {
			return nil, errNotRead
		}
		b, err := old.f.machine().Encode(x.Value, old.opt.reading())
		if err != nil {
			return nil, old.writeError(err)
		}
		out = append(out, old.bytes[at:x.from]...)
		if n > 0 && old.nodes[n-1].kind == Frame {
			old.opt.order().PutUint32(out[len(out)-4:], uint32(len(b)))
		}
		out = append(out, b...)
		at = x.to
	}
	if at == 0 {
		return nil, errNotRead
	}
	note := ""
	if left := len(old.bytes) - int(at); left > 0 {
		note = fmt.Sprintf("%s after the value were removed.", bytesText(left))
	}
	return s.edited(ctx, old, out, note, LocateParams{Offset: 0, Part: -1})
}
