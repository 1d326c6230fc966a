package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// maxPacket is the most bytes of one line's packet; longer lines are refused
// without being kept.
const maxPacket = 1 << 30

// lines reads lines of any length in parts and answers each of them.
type lines struct {
	r *bufio.Reader
	w *bufio.Writer
}

func (e *env) newLines() *lines {
	e.await("lines")
	return &lines{bufio.NewReaderSize(e.stdin, 256<<10), e.stdout}
}

// each calls part with every part of a line, and end after the last one, which
// writes the answer. The answer is flushed where no more input waits, as somebody
// may then wait for it. A line that the end of input cuts off is one, too.
func (l *lines) each(part func([]byte), end func()) error {
	begun := false
	for {
		b, err := l.r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			part(b)
			begun = true
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fail(exitIO, "cannot read the input: %v", err)
		}
		last := err != nil
		if last && len(b) == 0 && !begun {
			return nil
		}
		part(bytes.TrimSuffix(b, []byte("\n")))
		end()
		if err := l.w.WriteByte('\n'); err != nil {
			return err
		}
		if l.r.Buffered() == 0 {
			if err := l.w.Flush(); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
		begun = false
	}
}

// much is the size of memory for a line that is not kept for the next one.
const much = 1 << 20

// spare returns memory to use again.
func spare(b []byte) []byte {
	if cap(b) > much {
		return nil
	}
	return b[:0]
}

// answer answers lines of hexadecimal digits.
func (d *decodeCommand) answer() error {
	h := &hexReader{limit: maxPacket}
	var text, again []byte
	alias := d.codec.Options()
	alias.Alias = true // the bytes stay as they are until the next line
	c, err := d.codec.With(alias)
	if err != nil {
		return err
	}
	l := d.newLines()
	w := l.w // its errors stay, and are seen at the end of the line
	return l.each(func(b []byte) { _ = h.write(b) }, func() {
		defer func() {
			h.bytes, text, again = spare(h.bytes), spare(text), spare(again)
			h.reset()
		}()
		if err := h.end(); err != nil {
			kind := "hex"
			if h.err == nil && h.over {
				kind = "limit"
			}
			writeRefusal(w, kind, 0, "", err)
			return
		}
		v, used, err := c.Decode(h.bytes)
		if err != nil {
			writeError(w, err)
			return
		}
		if text, err = d.appendForm(text, v); err != nil {
			writeRefusal(w, "depth", 0, "", err)
			return
		}
		again, err = c.Append(again, v)
		if d.form.word == "json" {
			_, _ = w.WriteString(`{"ok":true,"value":`)
			_, _ = w.Write(text)
		} else {
			_, _ = w.WriteString(`{"ok":true,"text":`)
			writeString(w, text)
		}
		_, _ = w.WriteString(`,"hex":"`)
		writeHex(w, again)
		fmt.Fprintf(w, `","used":%d,"canonical":%t`, used, err == nil && bytes.Equal(again, h.bytes[:used]))
		if err != nil { // what was read cannot be written
			_, _ = w.WriteString(`,"error":`)
			writeString(w, []byte(err.Error()))
		}
		_ = w.WriteByte('}')
	})
}

// appendForm prints a value for a line.
func (d *decodeCommand) appendForm(dst []byte, v codec.Value) ([]byte, error) {
	if d.form.word == "json" {
		return d.codec.AppendJSON(dst, v)
	}
	return d.codec.AppendText(dst, v, "")
}

func writeError(w *bufio.Writer, err error) {
	var e *codec.Error
	if errors.As(err, &e) {
		writeRefusal(w, e.Word(), e.Offset, e.Path, err)
		return
	}
	writeRefusal(w, "value", 0, "", err)
}

func writeRefusal(w *bufio.Writer, kind string, offset int, path string, err error) {
	fmt.Fprintf(w, `{"ok":false,"kind":"%s","offset":%d,"path":`, kind, offset)
	writeString(w, []byte(path))
	_, _ = w.WriteString(`,"error":`)
	writeString(w, []byte(err.Error()))
	_ = w.WriteByte('}')
}

// writeTextError is writeRefusal for text that cannot be read.
func writeTextError(w *bufio.Writer, kind string, err error) {
	fmt.Fprintf(w, `{"ok":false,"kind":"%s"`, kind)
	var e *codec.TextError
	if errors.As(err, &e) {
		fmt.Fprintf(w, `,"line":%d,"column":%d`, e.Line, e.Column)
	}
	_, _ = w.WriteString(`,"error":`)
	writeString(w, []byte(err.Error()))
	_ = w.WriteByte('}')
}

// writeHex writes hexadecimal digits.
func writeHex(w *bufio.Writer, b []byte) {
	var digits [2048]byte
	for len(b) > 0 {
		n := hex.Encode(digits[:], b[:min(len(b), len(digits)/2)])
		_, _ = w.Write(digits[:n])
		b = b[n/2:]
	}
}

// writeString writes a JSON string.
func writeString(w *bufio.Writer, s []byte) {
	_ = w.WriteByte('"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			if r, n := utf8.DecodeRune(s[i:]); r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		_, _ = w.Write(s[from:i])
		switch {
		case c >= utf8.RuneSelf:
			_, _ = w.WriteString(`\ufffd`)
		case c == '"' || c == '\\':
			_, _ = w.Write([]byte{'\\', c})
		case c == '\n':
			_, _ = w.WriteString(`\n`)
		default:
			fmt.Fprintf(w, `\u%04x`, c)
		}
		i++
		from = i
	}
	_, _ = w.Write(s[from:])
	_ = w.WriteByte('"')
}

// answer answers lines that hold a value each.
func (c *encodeCommand) answer() error {
	var line, packet []byte
	over := false
	l := c.newLines()
	w := l.w
	return l.each(func(b []byte) {
		if over = over || len(line)+len(b) > maxPacket; !over {
			line = append(line, b...)
		}
	}, func() {
		defer func() { line, packet, over = spare(line), spare(packet), false }()
		if over {
			writeRefusal(w, "limit", 0, "", fmt.Errorf("a line of over %d bytes is more than is read at once", maxPacket))
			return
		}
		v, kind, err := c.lineValue(line)
		if err != nil {
			writeTextError(w, kind, err)
			return
		}
		if packet, err = c.codec.Append(packet, v); err != nil {
			writeError(w, err)
			return
		}
		_, _ = w.WriteString(`{"ok":true,"hex":"`)
		writeHex(w, packet)
		_, _ = w.WriteString(`"}`)
	})
}

// lineValue reads the value in a line: a JSON string with notation, or JSON itself.
func (c *encodeCommand) lineValue(line []byte) (v codec.Value, kind string, err error) {
	if c.json {
		v, err = c.codec.ParseJSON(line)
		return v, "json", err
	}
	// not by encoding/json, which puts U+FFFD in place of bytes that are not text
	if v, err = godot.ParseJSON(line); err != nil {
		return v, "json", err
	}
	text, ok := v.AsString()
	if !ok || v.Type() != godot.String {
		return v, "json", errors.New("the line is no JSON string with a value in it")
	}
	v, err = c.codec.ParseText(text)
	return v, "notation", err
}
