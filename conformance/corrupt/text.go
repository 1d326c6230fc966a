// Texts that are not well formed, with their lengths and padding repaired.

package corrupt

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// badTexts replace a text. Whether they are refused is for the
// schema to say.
var badTexts = []struct {
	kind Kind
	text string
}{
	{NULInside, "a\x00b"}, {NULAtEnd, "a\x00"}, {NULAtEnd, "\x00"}, {AfterNUL, "a\x00\xff"},
	{Overlong, "\xc0\x80"}, {Overlong, "\xc1\xbf"}, {Overlong, "\xe0\x80\xaf"}, {Overlong, "\xe0\x9f\xbf"}, {Overlong, "\xf0\x80\x80\xaf"},
	{Overlong, "\xf0\x8f\xbf\xbf"}, {Overlong, "\xc0"},
	{Surrogate, "\xed\xa0\x80"}, {Surrogate, "\xed\xbf\xbf"}, {Surrogate, "\xed\xa0\xbd\xed\xb8\x80"},
	{AboveLast, "\xf4\x90\x80\x80"}, {AboveLast, "\xf7\xbf\xbf\xbf"}, {AboveLast, "\xf5"},
	{FiveBytes, "\xf8\x88\x80\x80\x80"}, {FiveBytes, "\xfc\x84\x80\x80\x80\x80"},
	{CutCharacter, "\xc3"}, {CutCharacter, "\xe6\x97"}, {CutCharacter, "\xf0\x9f\x98"}, {CutCharacter, "\xc3a"},
	{Continuation, "\x80"}, {Continuation, "a\xbf"}, {NoSuchByte, "\xff"}, {NoSuchByte, "\xfe"},
	{ByteOrderMark, "\xef\xbb\xbfa"}, {ByteOrderMark, "\xef\xbb\xbf\xef\xbb\xbf"}, {ByteOrderMark, "\xef\xbb\xbf"}, {Noncharacter, "\xef\xbf\xbf"},
}

// text damages the text of an event.
func (w *work) text(i int, rule uint32) {
	ev := &w.events[i]
	in := w.e.rows.text[rule]
	w.halves(ev, w.e.p.Encodings[in.A].Charset)
	counted := w.e.p.Encodings[in.A].NUL == bytecode.NULCounted
	// The word that says how long it is: the last before it, of the same record,
	// that says so.
	var steer *interp.Event
	var of part
	for k := i - 1; k >= 0 && steer == nil; k-- {
		before := &w.events[k]
		if before.Kind != interp.Row || !before.Derived || before.Path() != ev.Path() {
			continue
		}
		found := w.e.find(before)
		if found == nil || found.scalar.Width() != before.Len {
			continue
		}
		for _, p := range found.parts {
			if p.role == length && p.direct() && before.Number&p.mask()>>p.shift == uint64(ev.Len) {
				steer, of = before, p
			}
		}
	}
	if steer == nil || steer.Offset+steer.Len > ev.Offset { // the place of the text is before its length
		w.inPlace(ev)
		return
	}
	end := ev.Offset + ev.Len
	pad, padded := w.e.rows.align[rule]
	if padded && i+1 < len(w.events) && w.events[i+1].Kind == interp.Padding && w.events[i+1].Offset == end {
		end += w.events[i+1].Len
	}
	put := func(kind Kind, text string) {
		if uint64(len(text)) > of.mask()>>of.shift {
			return
		}
		word := steer.Number&^of.mask() | uint64(len(text))<<of.shift
		out := append([]byte(nil), w.b[:ev.Offset]...)
		s := scalarOfWidth(steer.Len)
		copy(out[steer.Offset:], w.scalar(steer, s, word))
		out = append(out, text...)
		if padded {
			for n := len(text); n%int(pad.A) != 0; n++ {
				out = append(out, byte(pad.C))
			}
		}
		out = append(out, w.b[end:]...)
		w.report(kind, ev, ev.Rule, ev.Offset, ev.Len, out)
	}
	for _, bad := range badTexts {
		text := bad.text
		if counted {
			text += "\x00"
		}
		put(bad.kind, text)
	}
	if counted && ev.Len > 0 {
		put(NoNUL, string(w.b[ev.Offset:ev.Offset+ev.Len-1]))
		put(NoNUL, "ab")
	}
}

// inPlace puts malformed characters in place of the first ones of a text, whose length stays.
func (w *work) inPlace(ev *interp.Event) {
	for _, bad := range badTexts {
		if len(bad.text) <= ev.Len {
			w.put(bad.kind, ev, ev.Rule, ev.Offset, len(bad.text), []byte(bad.text)...)
		}
	}
}

// halves puts the second half of a surrogate pair into a text in UTF-16. The half replaces the first
// and, separately, the last character.
func (w *work) halves(ev *interp.Event, charset builtin.Charset) {
	half := []byte{0x00, 0xdc}
	switch charset {
	case builtin.UTF16Little:
	case builtin.UTF16Big:
		half = reversed(half)
	default:
		return
	}
	if ev.Len >= len(half) {
		w.put(Surrogate, ev, ev.Rule, ev.Offset, len(half), half...)
		w.put(Surrogate, ev, ev.Rule, ev.Offset+ev.Len-len(half), len(half), half...)
	}
}

// scalarOfWidth returns a number of the given width in bytes.
func scalarOfWidth(n int) bytecode.Scalar {
	switch n {
	case 1:
		return bytecode.U8
	case 2:
		return bytecode.U16
	case 3:
		return bytecode.U24
	case 4:
		return bytecode.U32
	case 5:
		return bytecode.U40
	case 6:
		return bytecode.U48
	case 7:
		return bytecode.U56
	}
	return bytecode.U64
}
