// Package asm prints and parses a text form of packets that is exact for any bytes.
//
//	packet my-format
//	Array {
//	  header = 28
//	  word = 1
//	  elements [
//	    String {
//	      header = 4
//	      length = 2
//	      text "a<"
//	      text.padding = <00 00>
//	    }
//	  ]
//	}
//
// The first line names the schema. The form of the others:
//
//	name value          a field, in the notation of examples (package notation)
//	name value <61 00>  a field whose bytes differ from those that a writer encodes
//	name <61 00>        a field by its bytes alone
//	name = 7            a number that a writer computes: 7 is what it computes
//	name 5 != 7         a number other than the 7 that a writer computes
//	name 5              a number, if nothing is known about the writer
//	name { … }          a record in a field
//	name Arm { … }      an arm of a union; Arm { … } in a list, and as the packet
//	name [ … ]          a list. In a map, key and value are before each block
//	name.padding <00>   padding behind a row
//	<61 00>             bytes that no row explains
//	@16 name …          a line whose bytes begin at byte 16, not behind the line before it
//	// text             a comment
//
// Names that several rows of a record have are followed by a type or a number: x:f64, x:2. Blanks
// and line ends are alike, except in the first line, and that the bytes of a row are on the line where its value ends.
//
// Lines are kept as they are written, also if they are wrong. Computed numbers and padding may be
// left out. The assembler then makes a value of the fields, lets the writer encode it, and replaces
// the rows that the text has by the bytes of the text. So a packet with a wrong length is the lines of a
// good one with another length.
//
// If the first line has "open", the gates of the schema are open: see [interp.Options].
//
// If the first line has "exact", nothing is computed: the packet is the bytes of the lines. The
// disassembler writes "exact" only if the writer encodes the lines as other bytes: the packet is
// damaged or cut, or has a form that no writer uses.
//
// Laws: Assemble(Disassemble(b)) is b for all b, and so it is with [Options].Brief, which leaves
// out all that a writer computes.
package asm

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/segment"
)

// Assembler writes and reads texts of packets of one schema. It does not change and may be used by any
// number of goroutines.
type Assembler struct {
	n      *notation.Notation
	m      *interp.Machine
	p      *bytecode.Program
	scopes sync.Map // of scopeKey: *scope
}

// New returns an Assembler for a notation and its machine.
func New(n *notation.Notation) *Assembler {
	return &Assembler{n: n, m: n.Machine(), p: n.Machine().Program()}
}

// Options are the choices of [Assembler.Disassemble].
type Options struct {
	Brief bool // leave out computed rows
	Bytes bool // add the offset and the bytes of each line as a comment
	Depth int  // limit of nesting; 0 is that of the schema
}

// Form is a form of a text.
type Form uint8

// The forms of a text.
const (
	Full  Form = iota // all lines; computed ones may be left out
	Brief             // without computed rows
	Exact             // all lines, none of which may be left out
)

// run returns the options of the interpreter: numbers keep their forms.
func (o Options) run(open bool) interp.Options {
	r := interp.Options{KeepWidths: true, MaxDepth: o.Depth}
	if open {
		r.Open = 0xff
	}
	return r
}

// Disassemble returns the text of a packet, which may be any bytes. It is Brief only if that is asked for,
// and Exact only if a writer encodes the lines as other bytes.
func (a *Assembler) Disassemble(b []byte, opt Options) (text []byte, form Form) {
	text, form, read := a.disassemble(b, opt, false)
	if form != Exact || len(a.p.Gates) == 0 {
		return text, form
	}
	open, openForm, openRead := a.disassemble(b, opt, true)
	if openForm != Exact || read.Err != nil && (openRead.Err == nil || openRead.Used > read.Used) {
		return open, openForm
	}
	return text, form
}

// disassemble is Disassemble with the gates closed, or open.
func (a *Assembler) disassemble(b []byte, opt Options, open bool) ([]byte, Form, *segment.Packet) {
	read := segment.Read(a.m, b, opt.run(open))
	root, rest := a.items(read)
	w := &printer{a: a, p: read, opt: opt, open: open}
	if read.Err != nil {
		return w.packet(root, rest, Exact), Exact, read
	}
	if found := a.written(read.Value, opt.run(open), read); found != nil {
		align(root, found.Root)
		forms := []Form{Full}
		if opt.Brief {
			forms = []Form{Brief, Full}
		}
		for _, form := range forms {
			text := w.packet(root, rest, form)
			if again, _, err := a.assemble(text, found); err == nil && bytes.Equal(again, b) {
				return text, form, read
			}
		}
	}
	return w.packet(root, rest, Exact), Exact, read
}

// written returns the packet that a writer encodes from a value, or nil if it refuses the value. It is the likely one if that
// has the same bytes and was read without an error.
func (a *Assembler) written(v interp.Value, opt interp.Options, likely *segment.Packet) *segment.Packet {
	out, err := a.m.Append(nil, v, opt)
	if err != nil {
		return nil
	}
	if likely != nil && likely.Err == nil && len(likely.Wrong) == 0 && bytes.Equal(out, likely.Bytes) {
		return likely
	}
	return segment.Read(a.m, out, opt)
}

// Schema returns the name of the schema in the first line of a text.
func Schema(text []byte) (string, error) {
	h, err := parseHeader(string(text))
	return h.schema, err
}

// name returns the schema of the program, with its choice.
func (a *Assembler) name() string {
	if a.p.Choice != "" {
		return a.p.Schema + "+" + a.p.Choice
	}
	return a.p.Schema
}

// Error says where a text is wrong.
type Error struct {
	Line, Column int
	Message      string
}

// Error returns the message with its place.
func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }

// errorAt returns an error about a byte of a text.
func errorAt(text string, at int, format string, args ...any) *Error {
	before := text[:min(at, len(text))]
	line := strings.LastIndexByte(before, '\n') + 1
	return &Error{1 + strings.Count(before, "\n"), 1 + len(before) - line, fmt.Sprintf(format, args...)}
}
