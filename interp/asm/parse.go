// Parsing: the items of a text.

package asm

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/segment"
)

// header is the first line of a text.
type header struct {
	schema string
	exact  bool
	open   bool
	end    int // offset of the line behind it
}

// parseHeader parses the first line that is not empty and no comment.
func parseHeader(text string) (h header, err error) {
	at := 0
	for line := range strings.Lines(text) {
		begin := at
		at += len(line)
		words, _, _ := strings.Cut(line, "//")
		f := strings.Fields(words)
		switch {
		case len(f) == 0:
			continue
		case len(f) < 2 || f[0] != "packet":
			return h, errorAt(text, begin, "the first line is %q; begin the text with packet and the name of a schema", interp.Clip(strings.TrimSpace(line), interp.MaxClip))
		}
		h.schema, h.end = f[1], at
		for _, word := range f[2:] {
			switch word {
			case "exact":
				h.exact = true
			case "open":
				h.open = true
			default:
				return h, errorAt(text, begin, "only open and exact may follow the name of the schema, not %q", interp.Clip(word, interp.MaxClip))
			}
		}
		return h, nil
	}
	return h, errorAt(text, 0, "the text is empty; begin it with packet and the name of a schema")
}

// maxNest bounds the blocks around a line.
const maxNest = 100_000

// parser reads a text with one byte of lookahead. After an error it is at the end.
type parser struct {
	a    *Assembler
	text string
	pos  int
	nest int
	err  error
}

func isName(r rune) bool {
	return r == '_' || r == '.' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r >= utf8.RuneSelf && r != utf8.RuneError
}

func (p *parser) fail(at int, format string, args ...any) {
	if p.err == nil {
		p.err = errorAt(p.text, at, format, args...)
	}
	p.pos = len(p.text)
}

// space steps over blanks and comments.
func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\r', '\n':
			p.pos++
		case '/':
			rest := p.text[p.pos:]
			if !strings.HasPrefix(rest, "//") {
				return
			}
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			p.pos += n
		default:
			return
		}
	}
}

// take steps over a text after blanks, if it is there.
func (p *parser) take(text string) bool {
	before := p.pos
	if p.space(); strings.HasPrefix(p.text[p.pos:], text) {
		p.pos += len(text)
		return true
	}
	p.pos = before
	return false
}

// next reports whether a text follows after blanks.
func (p *parser) next(text string) bool {
	before := p.pos
	p.space()
	found := strings.HasPrefix(p.text[p.pos:], text)
	p.pos = before
	return found
}

// beside reports whether bytes follow on the same line.
func (p *parser) beside() bool {
	return strings.HasPrefix(strings.TrimLeft(p.text[p.pos:], " \t"), "<")
}

func (p *parser) need(text string) {
	if p.err == nil && !p.take(text) {
		p.space()
		p.fail(p.pos, "there should be %q, not %s", text, p.found())
	}
}

// found describes the text at the cursor.
func (p *parser) found() string {
	if p.space(); p.pos >= len(p.text) {
		return "the end of the text"
	}
	n := strings.IndexFunc(p.text[p.pos:], func(r rune) bool { return !isName(r) })
	switch {
	case n < 0:
		n = len(p.text) - p.pos
	case n == 0:
		_, n = utf8.DecodeRuneInString(p.text[p.pos:])
	}
	return strconv.Quote(interp.Clip(p.text[p.pos:p.pos+n], interp.MaxClip))
}

// word reads a name, with the label behind it, or returns "".
func (p *parser) word(label bool) string {
	p.space()
	rest := p.text[p.pos:]
	n := strings.IndexFunc(rest, func(r rune) bool { return !isName(r) && (!label || r != ':') })
	if n < 0 {
		n = len(rest)
	}
	p.pos += n
	return rest[:n]
}

// packet parses the lines after the first.
func (p *parser) packet() (root *item, rest []*item) {
	if p.space(); p.err == nil && p.pos < len(p.text) && !p.next("<") && !p.next("@") {
		root = p.block(a0(p.a), -1)
	}
	for p.space(); p.err == nil && p.pos < len(p.text); p.space() {
		it := &item{kind: segment.Raw, pc: -1, offset: p.place(), pos: p.pos}
		if !p.next("<") {
			p.fail(p.pos, "after the packet there are only raw bytes, such as <00 ff>, not %s", p.found())
			break
		}
		it.bytes = p.raw()
		rest = append(rest, it)
	}
	return root, rest
}

func a0(a *Assembler) uint32 { return a.p.Root }

// place parses the place of a line; -1 if it has none.
func (p *parser) place() int {
	if !p.take("@") {
		return -1
	}
	at := p.pos
	n, err := strconv.ParseUint(p.word(false), 0, 31)
	if err != nil {
		p.fail(at, "the place after @ is the number of a byte, up to 2147483647")
		return -1
	}
	return int(n)
}

// raw parses bytes in angle brackets.
func (p *parser) raw() []byte {
	begin := p.pos
	p.need("<")
	out := []byte{}
	for p.err == nil && !p.take(">") {
		at := p.pos
		digits := p.word(false)
		b, err := hex.DecodeString(digits)
		if err != nil || digits == "" {
			if digits == "" && p.pos >= len(p.text) {
				at = begin
			}
			p.fail(at, "raw bytes are pairs of hexadecimal digits up to >")
			return nil
		}
		out = append(out, b...)
	}
	return out
}

// block parses a value of a routine, which an instruction calls.
func (p *parser) block(routine uint32, pc int) *item {
	it := &item{kind: segment.Value, pc: pc, routine: routine, arm: -1, offset: -1, pos: p.pos}
	if p.nest++; p.nest > maxNest {
		p.fail(p.pos, "blocks are nested more than %d levels deep here", maxNest)
		return it
	}
	defer func() { p.nest-- }()
	if table, union := p.a.p.UnionTable(routine); union {
		it.arm = p.arm(routine, table)
	} else if at := p.pos; pc < 0 && !p.next("{") {
		if name := p.word(false); name != p.a.p.Routines[routine].Name {
			p.fail(at, "%q is not the record of the packet; write %s {", name, p.a.p.Routines[routine].Name)
		}
	}
	p.need("{")
	s := p.a.scope(it.routine, it.arm)
	for p.err == nil && !p.take("}") {
		if c := p.line(it, s); c != nil {
			it.children = append(it.children, c)
		}
	}
	return it
}

// arm parses the name of an arm.
func (p *parser) arm(routine uint32, table *bytecode.Table) int {
	p.space()
	at := p.pos
	if p.take("?") {
		return -1
	}
	if p.take(":") {
		n, err := strconv.Atoi(p.word(false))
		if err != nil || n < 0 || n >= len(table.Arms) {
			p.fail(at, "%s has arms 0 to %d", p.a.p.Routines[routine].Name, len(table.Arms)-1)
			return -1
		}
		return n
	}
	name := p.word(false)
	for i := range table.Arms {
		if name != "" && p.a.p.Types[table.Arms[i].Type].Name == name {
			return i
		}
	}
	var names []string
	for i := range table.Arms {
		names = append(names, p.a.armName(routine, i))
	}
	if name == "" {
		name = p.found()
	}
	p.fail(at, "%s is not an arm of %s; its arms are %s", interp.Clip(name, interp.MaxClip), p.a.p.Routines[routine].Name, interp.ClipList(names))
	return -1
}

// line parses an item of a record.
func (p *parser) line(in *item, s *scope) *item {
	it := &item{kind: segment.Raw, pc: -1, routine: in.routine, arm: in.arm, offset: p.place()}
	p.space()
	it.pos = p.pos
	if p.next("<") {
		it.bytes = p.raw()
		return it
	}
	name := p.word(true)
	pc, ok := s.byName[name]
	if !ok {
		p.unknown(it.pos, name, in, s)
		return nil
	}
	for _, c := range in.children {
		if c.pc == pc {
			p.fail(it.pos, "%s is in the block twice; remove one line, or write its bytes alone, such as <00 ff>", name)
			return nil
		}
	}
	it.pc = pc
	switch instr := &p.a.p.Code[pc]; instr.Op {
	case bytecode.Call:
		c := p.block(instr.A, pc)
		c.offset, c.pos = it.offset, it.pos
		return c
	case bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare:
		it.kind = segment.List
		p.elements(it, instr)
	case bytecode.Word, bytecode.Union:
		it.kind = segment.Word(p.a.p, pc)
		p.number(it, instr)
	case bytecode.Pad:
		it.kind = segment.Padding
		it.claimed = p.take("=")
		it.bytes = p.raw()
	case bytecode.Gaps:
		it.kind = segment.Cell
		it.value = interp.MakePacked(0, bytecode.U8, 1, p.raw())
	case bytecode.Take, bytecode.ArmRef:
		it.kind = segment.Cell
		p.value(it, instr)
	default:
		it.kind = segment.Field
		p.field(it)
	}
	return it
}

// unknown reports a name that no row has.
func (p *parser) unknown(at int, name string, in *item, s *scope) {
	var names []string
	for pc := range p.a.p.Code {
		if n, ok := s.names[pc]; ok {
			names = append(names, n)
		}
	}
	of := p.a.p.Routines[in.routine].Name
	if _, union := p.a.p.UnionTable(in.routine); union && in.arm >= 0 {
		of = p.a.armName(in.routine, in.arm)
	}
	if name == "" {
		p.fail(at, "there should be the name of a row of %s, or }, not %s", of, p.found())
		return
	}
	p.fail(at, "%s has no row %s; its rows are %s", of, interp.Clip(name, interp.MaxClip), interp.ClipList(names))
}

// elements parses the elements of a list.
func (p *parser) elements(it *item, in *bytecode.Instr) {
	p.need("[")
	for p.err == nil && !p.take("]") {
		at := p.pos
		if in.Op == bytecode.Map {
			p.need([...]string{"key", "value"}[len(it.children)%2])
		}
		c := p.block(in.Element(len(it.children)), it.pc)
		c.pos = at
		it.children = append(it.children, c)
	}
}

// source parses a value in the notation of examples.
func (p *parser) source() notation.Source {
	p.space()
	s, n, err := notation.ParsePart(p.text[p.pos:])
	if err != nil {
		p.failBy(p.pos, err)
		return nil
	}
	p.pos += n
	return s
}

// failBy reports an error of the notation of the text from a byte on.
func (p *parser) failBy(at int, err error) {
	e := err.(*notation.Error)
	p.fail(at+e.Offset, "%s", e.Message)
}

// number parses the number of a word, the one that a writer computes, and the bytes.
func (p *parser) number(it *item, in *bytecode.Instr) {
	it.claimed = p.take("=")
	if p.next("<") {
		it.bytes, it.shown = p.raw(), true
		v, err := p.a.m.ReadRow(it.pc, it.bytes)
		it.number, it.err = v.Uint(), err
		return
	}
	p.space()
	at := p.pos
	it.number = p.whole()
	if p.take("!=") {
		p.whole()
	}
	if p.beside() {
		it.bytes, it.shown = p.raw(), true
		return
	}
	b, ok := interp.AppendWord(nil, p.a.p, it.pc, it.number)
	if !ok && p.err == nil {
		p.fail(at, "%s does not hold the number; write its bytes, such as <00 ff>", in.Scalar())
	}
	it.bytes = b
}

// whole parses an integer or four letters.
func (p *parser) whole() uint64 {
	p.space()
	at := p.pos
	s := p.source()
	if s == nil {
		return 0
	}
	if text, ok := s.Text(); ok && len(text) == 4 {
		return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24
	}
	bits, _, ok := s.Whole()
	if !ok {
		p.fail(at, "%s is not an integer or four letters in quotes", s)
	}
	return bits
}

// value parses the value of a cell.
func (p *parser) value(it *item, in *bytecode.Instr) {
	typ, cell := p.a.cell(it)
	p.space()
	at := p.pos
	s := p.source()
	if s == nil {
		return
	}
	v, err := p.a.n.BuildField(typ, cell, s)
	if err != nil {
		p.failBy(at, err)
		return
	}
	if in.Op == bytecode.Take {
		_, wide := in.Taken()
		v = v.WithWide(wide)
	}
	it.value = v
}

// field parses the value of a row, its bytes, or both.
func (p *parser) field(it *item) {
	var v interp.Value
	valued := !p.next("<")
	p.space()
	at := p.pos
	if valued {
		s := p.source()
		typ, cell := p.a.cell(it)
		if s == nil {
			return
		}
		var err error
		if v, err = p.a.n.BuildField(typ, cell, s); err != nil {
			p.failBy(at, err)
			return
		}
	}
	if p.beside() {
		it.bytes, it.shown = p.raw(), true
		it.value, it.err = p.a.m.ReadRow(it.pc, it.bytes)
		if valued && it.err != nil { // the bytes are wrong on purpose
			it.value, it.err = v, nil
		}
		return
	}
	b, err := p.a.m.AppendRow(nil, it.pc, v)
	if err != nil {
		p.fail(at, "the row does not hold the value: %v; write its bytes as well, such as <00 ff>", err)
		return
	}
	it.bytes = b
	it.value, it.err = p.a.m.ReadRow(it.pc, b)
}
