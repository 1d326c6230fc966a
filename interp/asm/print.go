// Printing: the text of items.

package asm

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/segment"
)

// printer prints a packet.
type printer struct {
	a      *Assembler
	p      *segment.Packet
	out    []byte
	start  int // of the line
	opt    Options
	form   Form
	open   bool // gates are
	cursor int
}

// packet prints a packet.
func (w *printer) packet(root *item, rest []*item, form Form) []byte {
	w.form, w.out, w.start, w.cursor = form, nil, 0, 0
	w.str("packet " + w.a.name())
	if w.open {
		w.str(" open")
	}
	if form == Exact {
		w.str(" exact")
	}
	w.end(nil)
	if root != nil {
		w.block(root, w.a.p.Root, 0, "")
	}
	told := w.p.Err == nil
	for _, it := range rest {
		if it.kind == segment.Gap && form != Exact {
			continue // the writer fills gaps, or they are a field
		}
		if !told && it.offset >= min(w.p.Err.Offset, w.p.Used) {
			told = true
			w.fault()
		}
		w.line(it, nil, 0)
	}
	if !told {
		w.fault()
	}
	return w.out
}

// fault prints the error as a comment.
func (w *printer) fault() {
	w.str("// " + strings.ToValidUTF8(strings.ReplaceAll(w.p.Err.Error(), "\n", " "), "?"))
	w.end(nil)
}

func (w *printer) str(s string) { w.out = append(w.out, s...) }

// maxIndent is the number of levels that are indented. So the text of a packet that is nested deeply is
// not mostly blanks.
const maxIndent = 32

func (w *printer) indent(level int) {
	for range min(level, maxIndent) {
		w.str("  ")
	}
}

// bytesColumn is the column of the bytes of a line.
const bytesColumn = 48

// end ends a line, with the bytes of an item.
func (w *printer) end(it *item) {
	if w.opt.Bytes && it != nil && len(it.bytes) > 0 {
		for n := utf8.RuneCount(w.out[w.start:]); n < bytesColumn; n++ {
			w.out = append(w.out, ' ')
		}
		w.str(fmt.Sprintf("  // %06x ", it.offset))
		for i, b := range it.bytes {
			if i == 16 {
				w.str(" …")
				break
			}
			w.str(" " + hex.EncodeToString([]byte{b}))
		}
	}
	w.out = append(w.out, '\n')
	w.start = len(w.out)
}

// block prints a value of a routine. The text before its bracket begins with the name of its row.
func (w *printer) block(it *item, routine uint32, level int, name string) {
	w.indent(level)
	_, union := w.a.p.UnionTable(routine)
	switch {
	case union && it.arm < 0:
		name = joined(name, "?")
	case union:
		name = joined(name, w.a.armName(routine, it.arm))
	case level == 0:
		name = joined(name, w.a.p.Routines[routine].Name)
	}
	w.str(joined(name, "{"))
	s := w.a.scope(it.routine, it.arm)
	if len(it.children) == 1 && it.children[0].kind.Leaf() && len(it.children[0].bytes) <= 8 && !w.left(it.children[0]) {
		w.str(" ")
		w.content(it.children[0], s)
		w.str(" }")
		w.end(it.children[0])
		return
	}
	begun := false
	for _, c := range it.children {
		if w.left(c) {
			w.cursor = c.offset + len(c.bytes)
			continue
		}
		if !begun {
			w.end(nil)
			begun = true
		}
		switch c.kind {
		case segment.Value:
			w.block(c, w.a.p.Code[c.pc].A, level+1, s.names[c.pc])
		case segment.List:
			w.list(c, level+1, s.names[c.pc])
		default:
			w.line(c, s, level+1)
		}
	}
	if begun {
		w.indent(level)
	}
	w.str("}")
	w.end(nil)
}

func joined(name, word string) string {
	if name == "" {
		return word
	}
	return name + " " + word
}

// armName returns the name of an arm in a text.
func (a *Assembler) armName(routine uint32, arm int) string {
	table, _ := a.p.UnionTable(routine)
	name := a.p.Types[table.Arms[arm].Type].Name
	same := func(t bytecode.TableArm) bool { return a.p.Types[t.Type].Name == name }
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !isName(r) }) || slices.IndexFunc(table.Arms, same) != arm {
		return ":" + strconv.Itoa(arm) // unreachable: a schema has other names
	}
	return name
}

// list prints the elements of a list.
func (w *printer) list(it *item, level int, name string) {
	w.indent(level)
	w.str(name + " [")
	if len(it.children) > 0 {
		w.end(nil)
	}
	in := &w.a.p.Code[it.pc]
	for i, c := range it.children {
		label := ""
		if in.Op == bytecode.Map {
			label = [...]string{"key", "value"}[i%2]
		}
		w.block(c, in.Element(i), level+1, label)
	}
	if len(it.children) > 0 {
		w.indent(level)
	}
	w.str("]")
	w.end(nil)
}

// computed reports whether a writer makes the bytes of a row of the other rows, and they are the same.
func (w *printer) computed(it *item) bool {
	switch it.kind {
	case segment.Derived, segment.Bits, segment.Padding:
		return it.writer != nil && bytes.Equal(it.writer.Bytes(), it.bytes)
	}
	return false
}

// left reports whether an item is left out.
func (w *printer) left(it *item) bool { return w.form == Brief && w.computed(it) }

// line prints an item without others inside.
func (w *printer) line(it *item, s *scope, level int) {
	w.indent(level)
	w.content(it, s)
	w.end(it)
}

// content prints an item without its line end.
func (w *printer) content(it *item, s *scope) {
	if it.kind.Leaf() && !(len(it.bytes) == 0 && it.offset != w.cursor) {
		if it.offset != w.cursor && w.form != Brief {
			w.str("@" + strconv.Itoa(it.offset) + " ")
		}
		w.cursor = it.offset + len(it.bytes)
	}
	if it.pc < 0 {
		w.raw(it.bytes)
		return
	}
	w.str(s.names[it.pc])
	switch in := &w.a.p.Code[it.pc]; in.Op {
	case bytecode.Word, bytecode.Union:
		w.number(it, in)
	case bytecode.Pad:
		if w.computed(it) {
			w.str(" =")
		}
	case bytecode.Gaps:
		w.str(" ")
		w.raw(it.value.Bytes())
	default:
		if text, ok := w.a.valueText([]byte(" "), it); ok && !(it.shown && isBytes(it.value)) {
			w.out = append(w.out, text...)
		}
	}
	if it.kind.Leaf() && it.shown {
		w.str(" ")
		w.raw(it.bytes)
	}
}

// number prints the number of a word, and the one that a writer computes.
func (w *printer) number(it *item, in *bytecode.Instr) {
	number := wordText(in.Scalar(), it.number)
	want := it.want
	if it.writer != nil {
		want = &it.writer.Number
	}
	switch {
	case it.kind == segment.Field:
		w.str(" " + number)
	case w.computed(it):
		w.str(" = " + number)
	case want != nil && *want != it.number:
		w.str(" " + number + " != " + wordText(in.Scalar(), *want))
	default:
		w.str(" " + number)
	}
}

// wordText prints the number of a word.
func wordText(s bytecode.Scalar, x uint64) string {
	if x > math.MaxUint16 && s != builtin.Code4 && !s.Signed() { // a signature, a checksum, or bits
		return fmt.Sprintf("%#x", x)
	}
	return notation.WordText(s, x)
}

// valueText appends the value of a row or a cell. It reports whether the value has a text.
func (a *Assembler) valueText(dst []byte, it *item) ([]byte, bool) {
	if isBytes(it.value) {
		return dst, false
	}
	typ, cell := a.cell(it)
	text, err := a.n.AppendField(dst, typ, cell, it.value)
	return text, err == nil
}

// cell returns the type and the field of a row that has a value.
func (a *Assembler) cell(it *item) (typ uint32, cell int) {
	return a.p.Code[a.scope(it.routine, it.arm).fields].B, int(a.p.Code[it.pc].Cell())
}

// isBytes reports whether a value is an array of bytes: its text is the bytes.
func isBytes(v interp.Value) bool {
	return v.Kind() == interp.Packed && v.Scalar() == bytecode.U8 && v.Width() == 1
}

// rawRow is the number of bytes in a line of raw bytes.
const rawRow = 32

// raw prints bytes, of many several lines.
func (w *printer) raw(b []byte) {
	w.out = append(w.out, '<')
	for i := range b {
		switch {
		case len(b) > rawRow && i%rawRow == 0:
			w.out = append(w.out, '\n', ' ', ' ')
		case i > 0:
			w.out = append(w.out, ' ')
		}
		w.out = hex.AppendEncode(w.out, b[i:i+1])
	}
	if len(b) > rawRow {
		w.out = append(w.out, '\n')
	}
	w.out = append(w.out, '>')
}
