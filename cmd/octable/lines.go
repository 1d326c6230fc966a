package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/octable/octable/codec"
)

// maxPacket is the most bytes of one line's packet; longer lines are refused
// without being kept.
const maxPacket = 1 << 30

// lines reads lines of any length in parts and answers each of them.
type lines struct {
	r   *bufio.Reader
	out io.Writer
}

func (e *env) newLines() *lines { return &lines{bufio.NewReaderSize(e.stdin, 256<<10), e.stdout} }

// each calls part with every part of a line, and end after the last one, whose
// answer is written. The answer is flushed where no more input waits, as somebody
// may then wait for it. A line that the end of input cuts off is one, too.
func (l *lines) each(part func([]byte), end func() []byte) error {
	any := false
	for {
		b, err := l.r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			part(b)
			any = true
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fail(exitIO, "cannot read the input: %v", err)
		}
		last := err != nil
		if last && len(b) == 0 && !any {
			return nil
		}
		part(bytes.TrimSuffix(b, []byte("\n")))
		if _, err := l.out.Write(append(end(), '\n')); err != nil {
			return err
		}
		if l.r.Buffered() == 0 {
			if err := l.out.(interface{ Flush() error }).Flush(); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
		any = false
	}
}

// answer answers lines of hexadecimal digits.
func (d *decodeCommand) answer() error {
	h := &hexReader{limit: maxPacket}
	var out, text, again []byte
	alias := d.codec.Options()
	alias.Alias = true // the bytes stay as they are until the next line
	c, err := d.codec.With(alias)
	if err != nil {
		return err
	}
	style := d.codec.TextStyle()
	return d.newLines().each(func(b []byte) { _ = h.write(b) }, func() []byte {
		defer func() {
			const much = 1 << 20 // memory for one huge line is not kept for ever
			if cap(out) > much {
				out, text, again = nil, nil, nil
			}
			if cap(h.bytes) > much {
				h.bytes = nil
			}
			h.reset()
		}()
		out = out[:0]
		if err := h.end(); err != nil {
			kind := "hex"
			if h.err == nil && h.over {
				kind = "limit"
			}
			out = appendRefusal(out, kind, 0, "", err)
			return out
		}
		v, used, err := c.Decode(h.bytes)
		if err != nil {
			out = appendError(out, err)
			return out
		}
		if text, err = d.appendForm(text[:0], v, style); err != nil {
			out = appendRefusal(out, "depth", 0, "", err)
			return out
		}
		again, err = c.Append(again[:0], v)
		out = append(out, `{"ok":true,`...)
		if d.form.word == "json" {
			out = append(append(out, `"value":`...), text...)
		} else {
			out = appendString(append(out, `"text":`...), text)
		}
		out = append(out, `,"hex":"`...)
		if err == nil {
			out = hex.AppendEncode(out, again)
		}
		out = strconv.AppendInt(append(out, `","used":`...), int64(used), 10)
		out = strconv.AppendBool(append(out, `,"canonical":`...), err == nil && bytes.Equal(again, h.bytes[:used]))
		if err != nil { // what was read cannot be written
			out = appendString(append(out, `,"error":`...), []byte(err.Error()))
		}
		out = append(out, '}')
		return out
	})
}

// appendForm prints a value for a line.
func (d *decodeCommand) appendForm(dst []byte, v codec.Value, style codec.TextStyle) ([]byte, error) {
	if d.form.word == "json" {
		return codec.AppendJSON(dst, v)
	}
	return codec.AppendText(dst, v, style)
}

func appendError(dst []byte, err error) []byte {
	var e *codec.Error
	if errors.As(err, &e) {
		return appendRefusal(dst, e.Word(), e.Offset, e.Path, err)
	}
	return appendRefusal(dst, "value", 0, "", err)
}

func appendRefusal(dst []byte, kind string, offset int, path string, err error) []byte {
	dst = appendString(append(dst, `{"ok":false,"kind":`...), []byte(kind))
	dst = strconv.AppendInt(append(dst, `,"offset":`...), int64(offset), 10)
	dst = appendString(append(dst, `,"path":`...), []byte(path))
	dst = appendString(append(dst, `,"error":`...), []byte(err.Error()))
	return append(dst, '}')
}

// appendTextError is appendRefusal for text that cannot be read.
func appendTextError(dst []byte, kind string, err error) []byte {
	dst = appendString(append(dst, `{"ok":false,"kind":`...), []byte(kind))
	message := err.Error()
	var e *codec.TextError
	if errors.As(err, &e) {
		dst = strconv.AppendInt(append(dst, `,"line":`...), int64(e.Line), 10)
		dst = strconv.AppendInt(append(dst, `,"column":`...), int64(e.Column), 10)
	}
	dst = appendString(append(dst, `,"error":`...), []byte(message))
	return append(dst, '}')
}

// appendString appends a JSON string.
func appendString(dst, s []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
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
		dst = append(dst, s[from:i]...)
		switch {
		case c >= utf8.RuneSelf:
			dst = append(dst, `\ufffd`...)
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

// answer answers lines that hold a value each.
func (c *encodeCommand) answer() error {
	var line, out, packet []byte
	over := false
	return c.newLines().each(func(b []byte) {
		if len(line)+len(b) > maxPacket {
			over = true
			return
		}
		line = append(line, b...)
	}, func() []byte {
		defer func() {
			over = false
			const much = 1 << 20
			if line = line[:0]; cap(line) > much {
				line, out, packet = nil, nil, nil
			}
		}()
		out = out[:0]
		if over {
			out = appendRefusal(out, "limit", 0, "", fmt.Errorf("a line of over %d bytes is more than is read at once", maxPacket))
			return out
		}
		v, kind, err := c.lineValue(line)
		if err != nil {
			out = appendTextError(out, kind, err)
			return out
		}
		if packet, err = c.codec.Append(packet[:0], v); err != nil {
			out = appendError(out, err)
			return out
		}
		out = append(hex.AppendEncode(append(out, `{"ok":true,"hex":"`...), packet), `"}`...)
		return out
	})
}

// lineValue reads the value in a line: a JSON string with notation, or JSON itself.
func (c *encodeCommand) lineValue(line []byte) (v codec.Value, kind string, err error) {
	if c.json {
		v, err = codec.ParseJSON(line)
		return v, "json", err
	}
	var text string
	if err := json.Unmarshal(line, &text); err != nil {
		return v, "json", errors.New("the line is no JSON string with a value in it")
	}
	v, err = codec.ParseText(text)
	return v, "notation", err
}
