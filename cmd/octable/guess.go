// Finding out how an input holds values.

package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
)

// attempt is one interpretation of an input.
type attempt struct {
	name   string
	framed string  // order of the lengths of a stream
	text   bool    // notation
	own    *target // the schema of another format
	values int
	used   int // bytes up to the first error
	err    error
}

// whole reports whether the interpretation consumes all bytes of an input.
func (a *attempt) whole(p packet) bool { return a.err == nil && a.used == len(p.bytes) && a.values > 0 }

// attempts interprets an input in every way that is possible for the schema.
func (s *opener) attempts(p packet) []attempt {
	if f := formatOf(p); f != nil && s.variants() {
		return s.format(p, f)
	}
	read := raw.Reader(s.codec)
	_, used, err := read(p.bytes)
	all := []attempt{{name: "one packet", values: 1, used: used, err: err}}
	if err != nil {
		all[0].used = errorOffset(err)
	}
	if !s.variants() {
		return all
	}
	for _, order := range []string{"little", "big"} {
		a := attempt{name: "a stream, -framed=" + order, framed: order}
		for f, err := range frames(p.bytes, order == "big") {
			if err == nil {
				_, used, err = read(f.bytes)
				err = movedError(err, f.at+4)
				a.used = f.at + 4 + used
			}
			if err != nil {
				a.err, a.used = err, errorOffset(err)
				break
			}
			if used < len(f.bytes) {
				break
			}
			a.values++
			a.used = f.end()
		}
		all = append(all, a)
	}
	if isText(p.bytes) && !p.digits {
		a := attempt{name: "text", text: true, used: len(p.bytes)}
		for line, part := range values(string(p.bytes), s.comments()) {
			if _, err := s.codec.ParseText(part); err != nil {
				a.err, a.used = textErrorAt(err, line), offsetOf(p.bytes, line)
				break
			}
			a.values++
		}
		all = append(all, a)
	}
	return all
}

// format interprets a file by the schemas of its format. Those that print the same count as one.
func (s *opener) format(p packet, f *format) []attempt {
	all := []attempt{{name: f.name, err: errors.New("this is a " + f.name + ", which is not supported; " + f.remedy)}}
	texts := map[string]bool{}
	for i, spec := range f.specs {
		own := &target{name: spec, opt: s.target.opt}
		a := attempt{name: f.name + ", -spec " + spec, own: own, values: 1}
		var v codec.Value
		if a.err = own.load(); a.err == nil {
			v, a.used, a.err = own.codec.Decode(p.bytes)
		}
		if a.err != nil {
			a.used = errorOffset(a.err)
		} else if text, err := own.codec.Text(v); err == nil {
			if texts[text] {
				continue
			}
			texts[text] = true
		}
		if i == 0 {
			all = nil
		}
		all = append(all, a)
	}
	return all
}

// errorOffset returns the offset of the byte that an error is about.
func errorOffset(err error) int {
	if e := (*codec.Error)(nil); errors.As(err, &e) {
		return e.Offset
	}
	return 0
}

// movedError returns an error about bytes that begin at some offset of the input.
func movedError(err error, at int) error {
	var e *codec.Error
	if at > 0 && errors.As(err, &e) {
		moved := *e
		moved.Offset += at
		return &moved
	}
	return err
}

// textErrorAt returns an error about text that begins at a line.
func textErrorAt(err error, line int) error {
	if e := (*codec.TextError)(nil); errors.As(err, &e) {
		return &codec.TextError{Line: e.Line + line - 1, Column: e.Column, Message: e.Message}
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// offsetOf returns the offset of a line.
func offsetOf(b []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		at += strings.IndexByte(string(b[at:]), '\n') + 1
	}
	return at
}

// say prints why bytes that begin at some offset of the input cannot be read.
func (e *env) say(p packet, err error, at int) {
	_ = e.stdout.Flush() // messages about output come after it
	fmt.Fprintf(e.stderr, "octable: %s%s\n", p.where(), message(movedError(err, at)))
}

// isText reports whether bytes are text: UTF-8 without control characters.
func isText(b []byte) bool {
	return utf8.Valid(b) && strings.IndexFunc(string(b), func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
	}) < 0
}

// chosen returns the interpretation of an input: the only one that consumes all bytes. Packets in
// digits, and those of schemas with one interpretation, may have bytes after them. False means
// that no interpretation was chosen, and that the candidates have been printed; then it returns the
// one that came farthest.
func (s *opener) chosen(p packet) (attempt, bool) {
	packet := attempt{framed: s.framed}
	if s.framed != "" || s.in.form != "auto" {
		return packet, true
	}
	all := s.attempts(p)
	var whole []attempt
	for _, a := range all {
		if a.whole(p) {
			whole = append(whole, a)
		}
	}
	switch {
	case len(whole) == 1:
		return whole[0], true
	case len(all) == 1 && formatOf(p) == nil, p.digits, len(p.bytes) == 0:
		return packet, true
	}
	if f := formatOf(p); f != nil && f.specs == nil {
		s.say(p, all[0].err, 0)
		return packet, false
	}
	s.candidates(p, all, len(whole))
	if len(whole) > 1 {
		return packet, false
	}
	return slices.MaxFunc(all, func(a, b attempt) int { return cmp.Compare(a.used, b.used) }), false
}

// candidates prints how far each interpretation of an input came.
func (s *opener) candidates(p packet, all []attempt, whole int) {
	_ = s.stdout.Flush() // messages about output come after it
	why := "no interpretation consumes"
	if whole > 1 {
		why = "several interpretations consume"
	}
	fmt.Fprintf(s.stderr, "octable: %s%s all %s; choose with -framed or -input raw, or see \"octable which\":\n", p.where(), why, count(len(p.bytes), "byte", "bytes"))
	for _, a := range all {
		line := fmt.Sprintf("  %s: ", a.name)
		if a.values > 1 || a.framed != "" && a.values > 0 {
			line += count(a.values, "value", "values") + ", "
		}
		line += fmt.Sprintf("%d of %d bytes", a.used, len(p.bytes))
		if a.err != nil {
			line += "; " + message(a.err)
		}
		fmt.Fprintln(s.stderr, line)
	}
	if p.layer != 0 && isText(p.bytes) {
		fmt.Fprintln(s.stderr, "  the content is text, such as that of a ConfigFile; decode -format bytes prints it")
	}
}
