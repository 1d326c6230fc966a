// Finding out how an input holds values.

package main

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/octable/octable/codec"
)

// attempt is one interpretation of an input.
type attempt struct {
	name   string
	framed string         // order of the lengths of a stream
	text   bool           // notation
	own    *decodeCommand // of a format with another schema
	values int
	used   int // bytes up to the first error
	err    error
}

// whole reports whether the interpretation consumes all bytes of an input.
func (a *attempt) whole(p packet) bool { return a.err == nil && a.used == len(p.bytes) && a.values > 0 }

// attempts interprets an input in every way that is possible for the schema.
func (d *decodeCommand) attempts(p packet) []attempt {
	if f := formatOf(p.bytes); f != nil && d.variants() {
		return d.format(p, f)
	}
	_, used, err := d.codec.Decode(p.bytes)
	all := []attempt{{name: "one packet", values: 1, used: used, err: err}}
	if err != nil {
		all[0].used = errorOffset(err)
	}
	if !d.variants() {
		return all
	}
	for _, order := range []string{"little", "big"} {
		a := attempt{name: "a stream, -framed=" + order, framed: order}
		for f, err := range frames(p.bytes, order == "big") {
			if err == nil {
				_, used, err = d.codec.Decode(f.bytes)
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
		for line, part := range values(string(p.bytes), d.comments()) {
			if _, err := d.codec.ParseText(part); err != nil {
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
func (d *decodeCommand) format(p packet, f *format) []attempt {
	all := []attempt{{name: f.name, err: errors.New("this is a " + f.name + ", which is not supported; " + f.remedy)}}
	texts := map[string]bool{}
	for i, spec := range f.specs {
		own := *d
		own.tree, own.target = nil, target{name: spec, opt: d.target.opt}
		a := attempt{name: f.name + ", -spec " + spec, own: &own, values: 1}
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

// isText reports whether bytes are text: UTF-8 without control characters.
func isText(b []byte) bool {
	return utf8.Valid(b) && strings.IndexFunc(string(b), func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
	}) < 0
}

// chosen returns the interpretation of an input: the only one that consumes all bytes. Packets in
// digits, and those of schemas with one interpretation, may have bytes after them. False means
// that no interpretation was chosen, and that the candidates have been printed.
func (d *decodeCommand) chosen(p packet) (attempt, bool) {
	packet := attempt{framed: d.framed}
	if d.framed != "" || d.in.form != "auto" {
		return packet, true
	}
	all := d.attempts(p)
	var whole []attempt
	for _, a := range all {
		if a.whole(p) {
			whole = append(whole, a)
		}
	}
	switch {
	case len(whole) == 1:
		a := whole[0]
		if a.own != nil {
			fmt.Fprintf(d.stderr, "octable: %sread as %s\n", p.where(), a.name)
		}
		if a.framed != "" && !d.quiet {
			fmt.Fprintf(d.stderr, "octable: %sread as a stream, which has a length before each value (-framed=%s)\n", p.where(), a.framed)
		}
		return a, true
	case len(all) == 1 && formatOf(p.bytes) == nil, p.digits, len(p.bytes) == 0:
		return packet, true
	}
	if f := formatOf(p.bytes); f != nil && f.specs == nil {
		d.say(p, all[0].err, 0)
		return packet, false
	}
	d.candidates(p, all, len(whole))
	return packet, false
}

// candidates prints how far each interpretation of an input came.
func (d *decodeCommand) candidates(p packet, all []attempt, whole int) {
	_ = d.stdout.Flush() // messages about output come after it
	why := "no interpretation consumes"
	if whole > 1 {
		why = "several interpretations consume"
	}
	fmt.Fprintf(d.stderr, "octable: %s%s all %s; choose with -framed or -input raw, or see \"octable which\":\n", p.where(), why, count(len(p.bytes), "byte", "bytes"))
	for _, a := range all {
		line := fmt.Sprintf("  %s: ", a.name)
		if a.values > 1 || a.framed != "" && a.values > 0 {
			line += count(a.values, "value", "values") + ", "
		}
		line += fmt.Sprintf("%d of %d bytes", a.used, len(p.bytes))
		if a.err != nil {
			line += "; " + a.err.Error()
		}
		fmt.Fprintln(d.stderr, line)
	}
}
