package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
)

// maxPacket is the most bytes of one line's packet; longer lines are refused
// without being kept.
const maxPacket = 1 << 30

// digest takes a line in parts, and keeps what its answer needs.
type digest interface {
	reset()
	write(part []byte) error
}

// chunk is some lines of input.
type chunk struct {
	text []byte // whole lines with their ends
	long digest // or one line that is longer than the buffer
	idle bool   // no more input waits, so somebody may wait for the answers
}

// lines reads lines of any length and answers each of them.
type lines struct {
	*env
	r       *bufio.Reader
	workers int
	err     error // of reading
}

func (e *env) newLines(workers int) *lines {
	e.await("lines")
	return &lines{env: e, r: bufio.NewReaderSize(e.stdin, 256<<10), workers: workers}
}

// answer writes the answers of all lines in their order. A worker is a function that appends the answer of the line in
// a digest. The answers are flushed when no more input waits, since somebody may then
// wait for them. A line that the end of input cuts off is one, too.
func (l *lines) answer(fresh func() digest, worker func() func(dst []byte, line digest) []byte) error {
	type answers struct {
		text []byte
		idle bool
	}
	spares := make(chan []byte, 4*l.workers)
	var err error
	ordered(l.workers, l.chunks(fresh), func() func(*chunk) answers {
		line, answer := fresh(), worker()
		return func(c *chunk) answers {
			out := answers{idle: c.idle}
			select {
			case out.text = <-spares:
			default:
			}
			if c.long != nil {
				out.text = append(answer(out.text, c.long), '\n')
				return out
			}
			for text := range bytes.Lines(c.text) {
				line.reset()
				_ = line.write(bytes.TrimSuffix(text, []byte("\n")))
				out.text = append(answer(out.text, line), '\n')
			}
			return out
		}
	}, func(a answers) bool {
		if _, err = l.stdout.Write(a.text); err == nil && a.idle {
			err = l.stdout.Flush()
		}
		if cap(a.text) <= much {
			select {
			case spares <- a.text[:0]:
			default:
			}
		}
		return err == nil
	})
	if err == nil {
		err = l.err
	}
	return err
}

// chunks splits the input into chunks.
func (l *lines) chunks(long func() digest) iter.Seq[*chunk] {
	return func(yield func(*chunk) bool) {
		c := &chunk{}
		for {
			b, err := l.r.ReadSlice('\n')
			if errors.Is(err, bufio.ErrBufferFull) {
				if len(c.text) > 0 && !yield(c) {
					return
				}
				c = &chunk{long: long()}
				for errors.Is(err, bufio.ErrBufferFull) {
					_ = c.long.write(b)
					b, err = l.r.ReadSlice('\n')
				}
				_ = c.long.write(bytes.TrimSuffix(b, []byte("\n")))
			} else {
				c.text = append(c.text, b...)
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					l.err = fail(exitIO, "cannot read the input: %v", err)
				}
				if c.long != nil || len(c.text) > 0 {
					c.idle = true
					yield(c)
				}
				return
			}
			waiting, _ := l.r.Peek(l.r.Buffered())
			c.idle = bytes.IndexByte(waiting, '\n') < 0
			if c.idle || c.long != nil || len(c.text) >= chunkSize {
				if !yield(c) {
					return
				}
				c = &chunk{}
			}
		}
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
	fresh := func() digest { return &hexReader{limit: maxPacket} }
	return d.newLines(d.n()).answer(fresh, func() func([]byte, digest) []byte {
		var text, again []byte
		read := raw.Reader(d.codec)
		return func(dst []byte, line digest) []byte {
			h := line.(*hexReader)
			text, again = spare(text), spare(again)
			if err := h.end(); err != nil {
				kind := "hex"
				if h.err == nil && h.over {
					kind = "limit"
				}
				return appendRefusal(dst, kind, 0, "", err)
			}
			v, used, err := read(h.bytes)
			if err != nil {
				return appendError(dst, err)
			}
			if d.form.word == "json" {
				text, err = d.codec.AppendJSON(text, v)
			} else {
				text, err = d.codec.AppendText(text, v, "")
			}
			if err != nil {
				return appendRefusal(dst, "depth", 0, "", err)
			}
			again, err = d.codec.Append(again, v)
			if d.form.word == "json" {
				dst = append(append(dst, `{"ok":true,"value":`...), text...)
			} else {
				dst = appendString(append(dst, `{"ok":true,"text":`...), text)
			}
			dst = hex.AppendEncode(append(dst, `,"hex":"`...), again)
			dst = strconv.AppendInt(append(dst, `","used":`...), int64(used), 10)
			dst = strconv.AppendBool(append(dst, `,"canonical":`...), err == nil && bytes.Equal(again, h.bytes[:used]))
			if err != nil { // what was read cannot be written
				dst = appendString(append(dst, `,"error":`...), []byte(message(err)))
			}
			return append(dst, '}')
		}
	})
}

func appendError(dst []byte, err error) []byte {
	var e *codec.Error
	if errors.As(err, &e) {
		return appendRefusal(dst, e.Word(), e.Offset, e.Path, err)
	}
	return appendRefusal(dst, "value", 0, "", err)
}

func appendRefusal(dst []byte, kind string, offset int, path string, err error) []byte {
	dst = fmt.Appendf(dst, `{"ok":false,"kind":"%s","offset":%d,"path":`, kind, offset)
	dst = append(appendString(dst, []byte(path)), `,"error":`...)
	return append(appendString(dst, []byte(message(err))), '}')
}

// appendTextError is appendRefusal for text that cannot be read.
func appendTextError(dst []byte, kind string, err error) []byte {
	dst = fmt.Appendf(dst, `{"ok":false,"kind":"%s"`, kind)
	var e *codec.TextError
	if errors.As(err, &e) {
		dst = fmt.Appendf(dst, `,"line":%d,"column":%d`, e.Line, e.Column)
	}
	dst = append(dst, `,"error":`...)
	return append(appendString(dst, []byte(message(err))), '}')
}

// plain reports which bytes represent themselves in a JSON string.
var plain = func() (t [256]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// appendString appends a JSON string.
func appendString(dst, s []byte) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plain[c] {
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
			dst = append(dst, `\n`...)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

// keptLine is a line with a value.
type keptLine struct {
	text []byte
	over bool
}

func (k *keptLine) reset() { k.text, k.over = spare(k.text), false }

func (k *keptLine) write(b []byte) error {
	if k.over = k.over || len(k.text)+len(b) > maxPacket; !k.over {
		k.text = append(k.text, b...)
	}
	return nil
}

// answer answers lines that hold a value each.
func (c *encodeCommand) answer() error {
	return c.newLines(c.n()).answer(func() digest { return &keptLine{} }, func() func([]byte, digest) []byte {
		var packet []byte
		return func(dst []byte, line digest) []byte {
			k := line.(*keptLine)
			if k.over {
				return appendRefusal(dst, "limit", 0, "", fmt.Errorf("a line of over %d bytes is more than is read at once", maxPacket))
			}
			v, kind, err := c.lineValue(k.text)
			if err != nil {
				return appendTextError(dst, kind, err)
			}
			if packet, err = c.codec.Append(spare(packet), v); err != nil {
				return appendError(dst, err)
			}
			return append(hex.AppendEncode(append(dst, `{"ok":true,"hex":"`...), packet), `"}`...)
		}
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
