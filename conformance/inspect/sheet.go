// The table of bytes and their tree.

package inspect

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Options say how packets are read, and how they are shown.
type Options struct {
	Read   interp.Options
	Strict bool // bytes that a writer would not produce are in error, too

	Width int     // columns, from 40 to 1000; others become the nearest of these
	Row   int     // bytes a row, from 4 to 64; others become the nearest of these
	All   bool    // leave out nothing of long lists, arrays and texts
	Paths bool    // show where values are from the outermost one
	Brief bool    // mark the byte in error, and leave out the error in full
	Paint Painter // nil for plain text
}

// Fewer columns leave no room for the tree, and more are on no screen.
const (
	minWidth = 40
	maxWidth = 1000
)

// Writer is the output of a Sheet. It is a bufio.Writer, which keeps an error until it is
// flushed, or one that has no errors, such as a strings.Builder.
type Writer interface {
	io.Writer
	io.ByteWriter
	io.StringWriter
}

// Sheet is the table of one input, which may hold several packets.
type Sheet struct {
	v      *Viewer
	opt    Options
	b      Writer
	data   []byte
	digits int // of an offset
	fault  fault
	shown  bool // the mark has been printed
	end    int  // of the packet that is shown
	own    fault
	path   []Span // of the value whose row is shown next
}

// fault is a byte that is marked, and why.
type fault struct {
	at  int // -1 for none
	why string
}

var noFault = fault{at: -1}

// NewSheet returns a sheet for data, which must not change while it is in use.
func NewSheet(v *Viewer, w Writer, data []byte, opt Options) *Sheet {
	opt.Width = min(max(opt.Width, minWidth), maxWidth)
	opt.Row = min(max(opt.Row, 4), 64)
	digits := max(6, len(strconv.FormatInt(int64(len(data)), 16)))
	return &Sheet{v: v, opt: opt, b: w, data: data, digits: digits, fault: noFault, own: noFault}
}

// Mark marks a byte of the next packet, if reading finds no other fault.
func (s *Sheet) Mark(offset int, why string) { s.own = fault{offset, why} }

// Packet shows the packet that data[from:to] holds, and reports whether it could
// be read. If it could not, the byte in error is marked and the error is
// below the tree.
func (s *Sheet) Packet(from, to int) bool {
	nodes, err := s.v.packet(s.data[from:to], from, s.opt)
	s.fault, s.shown, s.end = s.own, false, to
	s.own = noFault
	if err != nil {
		s.fault = fault{err.Offset, err.Kind.Error()}
	}
	for _, n := range nodes {
		s.node(n, nil, 0)
	}
	if err != nil {
		s.sentence(err)
	} else if s.fault.at >= 0 && !s.shown {
		s.caret(s.fault.at, s.fault.at)
	}
	return err == nil
}

// Length shows the 4 bytes at from as the length of the value that follows them.
func (s *Sheet) Length(from, length int) {
	s.bytes(from, 4, Steering, 0, Span{FieldName, "length "}, Span{Steering, strconv.Itoa(length)}, Span{Faint, "  of the value that follows"})
}

// Stop shows the bytes from some offset to the end, which an error is about, and
// the error.
func (s *Sheet) Stop(from int, err *interp.Error) {
	s.fault, s.shown, s.end = fault{err.Offset, err.Kind.Error()}, false, len(s.data)
	s.rest(from, len(s.data)-from, unreadNode)
	s.sentence(err)
}

// sentence prints the error in full below the tree, and the mark if its byte was
// not among those shown.
func (s *Sheet) sentence(err *interp.Error) {
	if !s.shown {
		s.caret(s.fault.at, s.fault.at)
	}
	if s.opt.Brief {
		return
	}
	_ = s.b.WriteByte('\n')
	for _, line := range s.opt.Paint.Layout([]Span{{Bad, "error: "}, {Plain, err.Error()}}, s.opt.Width, 7) {
		_, _ = s.b.WriteString(line + "\n")
	}
}

// treeColumn is where the tree begins.
func (s *Sheet) treeColumn() int { return s.digits + 2 + 3*s.opt.Row + 1 + s.opt.Row + 2 }

// emit prints one line: an offset, bytes, and a line of the tree.
func (s *Sheet) emit(at, n int, bytesStyle Style, tree []cell) {
	line := make([]cell, 0, s.opt.Width)
	put := func(st Style, text string) {
		for _, r := range text {
			line = append(line, cell{r, st})
		}
	}
	if at >= 0 {
		put(Faint, fmt.Sprintf("%0*x  ", s.digits, at))
	} else {
		put(Plain, strings.Repeat(" ", s.digits+2))
	}
	for i := range s.opt.Row {
		if i < n {
			st := bytesStyle
			if at+i == s.fault.at {
				st = Bad
			}
			put(st, fmt.Sprintf("%02x", s.data[at+i]))
			if i+1 == n || st == Bad || at+i+1 == s.fault.at {
				st = Plain
			}
			put(st, " ") // in the style of both bytes, so that they are painted at once
		} else {
			put(Plain, "   ")
		}
	}
	put(Plain, " ")
	for i := range s.opt.Row {
		if i >= n {
			put(Plain, " ")
			continue
		}
		st, ch := bytesStyle, s.data[at+i]
		if at+i == s.fault.at {
			st = Bad
		}
		if ch < ' ' || ch > '~' {
			put(Faint, ".")
		} else {
			put(st, string(rune(ch)))
		}
	}
	put(Plain, "  ")
	_, _ = s.b.WriteString(s.opt.Paint.line(append(line, tree...)) + "\n")
}

// caret prints the mark below the byte in error of a line that begins at from.
func (s *Sheet) caret(at, from int) {
	s.shown = true
	column := s.digits + 2 + 3*(at-from)
	line := []cell{}
	put := func(st Style, text string) {
		for _, r := range text {
			line = append(line, cell{r, st})
		}
	}
	if at >= s.end && at == from {
		put(Faint, fmt.Sprintf("%0*x  ", s.digits, at))
	} else {
		put(Plain, strings.Repeat(" ", column))
	}
	put(Bad, "^^")
	put(Plain, strings.Repeat(" ", max(2, s.treeColumn()-len(line))))
	what := s.fault.why
	if at >= s.end {
		what += ", here"
	}
	for i, l := range layout([]Span{{Bad, "^ " + what}}, s.opt.Width-len(line), 2) {
		if i > 0 {
			line = line[:0]
			put(Plain, strings.Repeat(" ", s.treeColumn()))
		}
		_, _ = s.b.WriteString(s.opt.Paint.line(append(line, l...)) + "\n")
	}
}

// guide is the indentation of a line of the tree.
func (s *Sheet) guide(depth int) string {
	room := max((s.opt.Width-s.treeColumn())/4, 2)
	if depth > room {
		return strings.Repeat("│ ", room-1) + fmt.Sprintf("…%d ", depth)
	}
	return strings.Repeat("│ ", depth)
}

// bytes prints bytes and what they are, over as many lines as either needs.
func (s *Sheet) bytes(at, n int, bytesStyle Style, depth int, spans ...Span) {
	guide := s.guide(depth)
	spans = append(spans, s.path...)
	s.path = nil
	// Lines after the first begin with as much of the guide as leaves room.
	hang := min(len([]rune(guide))+2, max(s.opt.Width-s.treeColumn(), 8)/2)
	lines := layout(append([]Span{{Faint, guide}}, spans...), s.opt.Width-s.treeColumn(), hang)
	for _, l := range lines[1:] {
		for i, r := range []rune(guide) {
			if i >= hang || r == '…' {
				break
			}
			l[i] = cell{r, Faint}
		}
	}
	rows := (n + s.opt.Row - 1) / s.opt.Row
	const most = 16
	hole := -1
	if !s.opt.All && rows > most {
		hole = most - 4 // rows before it, and two after it
	}
	for i := 0; i < max(rows, len(lines), 1); i++ {
		var tree []cell
		if i < len(lines) {
			tree = lines[i]
		} else {
			for _, r := range guide {
				tree = append(tree, cell{r, Faint})
			}
		}
		if i >= rows {
			from := -1
			if n == 0 && i == 0 {
				from = at
			}
			s.emit(from, 0, Plain, tree)
			continue
		}
		if i == hole && i < rows-2 {
			skipped := n - i*s.opt.Row - (n-1)%s.opt.Row - 1 - s.opt.Row
			from := at + i*s.opt.Row
			inside := s.fault.at >= from && s.fault.at < from+skipped
			if !inside {
				s.skip(from, skipped, depth)
				at, n, rows = at+skipped, n-skipped, rows-skipped/s.opt.Row
				hole = -1
				i--
				continue
			}
			hole = -1
		}
		from := at + i*s.opt.Row
		s.emit(from, min(s.opt.Row, n-i*s.opt.Row), bytesStyle, tree)
		if s.fault.at >= from && s.fault.at < from+min(s.opt.Row, n-i*s.opt.Row) && !s.shown {
			s.caret(s.fault.at, from)
		}
	}
}

// skip prints one line for bytes that are left out.
func (s *Sheet) skip(at, n, depth int) {
	tree := []cell{}
	for _, r := range s.guide(depth) {
		tree = append(tree, cell{r, Faint})
	}
	for _, r := range "… " + count(n, "byte", "bytes") + " more" {
		tree = append(tree, cell{r, Faint})
	}
	s.emit(at, 0, Plain, tree)
}

// rest shows bytes that are no part of the value.
func (s *Sheet) rest(at, n int, kind nodeKind) {
	if n <= 0 {
		return
	}
	if kind == trailingNode {
		s.bytes(at, n, Warning, 0, Span{Warning, count(n, "byte is left over", "bytes are left over") + " after the value"})
		return
	}
	s.bytes(at, n, Plain, 0, Span{Faint, count(n, "byte was not read", "bytes were not read")})
}

// node shows a node and what it is made of. The value around it is parent.
func (s *Sheet) node(n, parent *node, depth int) {
	switch n.kind {
	case valueNode:
		s.value(n, depth)
	case rowNode:
		s.rowNode(n, parent, depth)
	case paddingNode:
		text := "padding"
		for _, b := range s.data[n.at : n.at+n.size] {
			if b != 0 {
				text = cmp.Or(n.label, "padding that is not zero")
			}
		}
		s.bytes(n.at, n.size, Faint, depth, Span{Faint, text})
	case elidedNode:
		text := fmt.Sprintf("… %s more, %s", count(n.left, "element", "elements"), count(n.size, "byte", "bytes"))
		tree := []cell{}
		for _, r := range s.guide(depth) + text {
			tree = append(tree, cell{r, Faint})
		}
		s.emit(n.at, 0, Plain, tree)
	default:
		s.rest(n.at, n.size, n.kind)
	}
}

func (s *Sheet) value(n *node, depth int) {
	name, about, header := s.v.title(n)
	label := n.label
	if s.opt.Paths && n.path != "" {
		label = n.path
	}
	label = strings.TrimPrefix(label, ".")
	var spans []Span
	if label != "" {
		spans = append(spans, Span{FieldName, label})
		if name != "" {
			spans = append(spans, Span{FieldName, ": "})
		}
	}
	if name != "" {
		spans = append(spans, Span{TypeName, name})
	}
	children := n.children
	// The line of a value does not show the name of its row, which one of several fields needs.
	several := n.value.Kind() == interp.Record && len(n.value.Cells()) > 1
	single := header == nil && !several && len(children) == 1 && children[0].kind == rowNode && n.done && !s.valueOf(children[0], n).IsNone()
	if sum := s.v.Summary(n.value); n.done && sum != "" && !(single && children[0].value.Kind() == interp.Packed) {
		spans = append(spans, Span{Plain, ", " + sum})
	} else if n.done && n.value.Kind() == interp.Unit && len(n.children) <= 1 {
		spans = append(spans, Span{Plain, ", no content"})
	}
	if about != "" {
		spans = append(spans, Span{Faint, "  " + about})
	}
	var path []Span
	if !s.opt.Paths && n.path != "" && n.path != n.label && s.opt.Width >= 100 {
		path = []Span{{Faint, "  at " + interp.ClipPath(n.path)}}
	}
	if header != nil {
		s.bytes(header.at, header.size, Steering, depth, append(spans, path...)...)
		children = children[1:]
	} else if single {
		// A value of one row needs one line.
		spans = append(spans, Span{Plain, " "})
		row := *children[0]
		s.path = path
		s.stored(&row, n, depth, spans)
		return
	} else {
		s.bytes(n.at, 0, Plain, depth, append(spans, path...)...)
	}
	for _, c := range children {
		s.node(c, n, depth+1)
	}
}

func (s *Sheet) rowNode(n, parent *node, depth int) {
	name := s.v.rowName(n.rule, parent.rule, !n.value.IsNone())
	if n.value.IsNone() {
		fields := ""
		text, always := s.v.Constant(n.rule, s.data[n.at:n.at+n.size])
		if !always {
			text, fields = s.v.Number(n.rule, n.number)
		}
		spans := []Span{{FieldName, name + " "}, {Steering, text}}
		if fields != "" {
			spans = append(spans, Span{Faint, "  " + fields})
		} else {
			if !always && text == strconv.FormatUint(n.number, 10) {
				spans = append(spans, Span{Faint, hexadecimal(n.number)})
			}
			if n.rule.Doc != "" && s.opt.Width >= 120 {
				spans = append(spans, Span{Faint, "  " + n.rule.Doc})
			}
		}
		s.bytes(n.at, n.size, Steering, depth, spans...)
		return
	}
	spans := []Span{{FieldName, name + " "}}
	if t := s.v.print.Type(parent.value); t != nil && name == t.Name {
		spans = nil // the rows of a tuple are called as the type
	}
	s.stored(n, parent, depth, spans)
}

// valueOf returns the value that a row shows, or none. It is that of the row, or that of the type which its number
// represents.
func (s *Sheet) valueOf(n, parent *node) interp.Value {
	if t := s.v.print.Type(parent.value); t != nil && t.Union != "" && len(t.Fields) == 1 && n.value.IsNone() {
		return parent.value.At(0)
	}
	return n.value
}

// stored shows bytes that hold a value, or several.
func (s *Sheet) stored(n, parent *node, depth int, spans []Span) {
	v := n.value
	switch v.Kind() {
	case interp.Lanes:
		s.lanes(n, parent, depth, spans)
	case interp.Packed:
		s.packed(n, depth, spans)
	case interp.Text:
		text := v.Text()
		more := ""
		if most := 8 * s.opt.Row; !s.opt.All && len(text) > most+8 {
			more = fmt.Sprintf(" … %d bytes in all", len(text))
			text = strings.ToValidUTF8(text[:most], "")
		}
		s.bytes(n.at, n.size, Content, depth, append(spans, Span{Content, strconv.Quote(text)}, Span{Faint, more})...)
	default:
		text := s.v.print.String(s.valueOf(n, parent))
		spans = append(spans, Span{Content, text})
		if v.Kind() == interp.Uint && strconv.FormatUint(v.Uint(), 10) == text {
			spans = append(spans, Span{Faint, hexadecimal(v.Uint())})
		}
		s.bytes(n.at, n.size, Content, depth, spans...)
	}
}

// hexadecimal is shown beside a large number, which may be a signature or a checksum.
func hexadecimal(n uint64) string {
	if n <= 0xffff {
		return ""
	}
	return fmt.Sprintf("  %#x", n)
}

// lanes shows the numbers of a tuple, each with its name if it has one.
func (s *Sheet) lanes(n, parent *node, depth int, spans []Span) {
	var names []string
	if t := s.v.print.Type(parent.value); t != nil && len(t.Lanes) == n.value.Len() {
		names = t.Lanes
	}
	width := n.value.Scalar().Width()
	if len(spans) > 0 && names != nil {
		if last := len(spans) - 1; spans[last].Text == " " { // the numbers follow on other lines
			spans = spans[:last]
		}
		s.bytes(n.at, 0, Plain, depth, spans...)
		spans = nil
		depth++
	}
	if names == nil {
		var parts []string
		for i := range n.value.Len() {
			parts = append(parts, notation.LaneText(n.value, i))
		}
		s.bytes(n.at, n.size, Content, depth, append(spans, Span{Content, strings.Join(parts, ", ")})...)
		return
	}
	for i, name := range names {
		s.bytes(n.at+i*width, width, Content, depth, Span{FieldName, name + " "}, Span{Content, notation.LaneText(n.value, i)})
	}
}

// tupleOf returns the names of the numbers in an element of the array that a node has, or nil.
func (v *Viewer) tupleOf(n *node) []string {
	if n.rule == nil {
		return nil
	}
	return v.tuples[place{n.rule.File, int(n.rule.Line)}]
}

// packed shows an array of numbers, as many elements a line as fit into a row.
func (s *Sheet) packed(n *node, depth int, spans []Span) {
	v := n.value
	lanes := v.Width()
	size := v.Scalar().Width() * lanes
	per := max(1, s.opt.Row/size)
	if n.size == 0 && v.Len() > s.opt.Row { // bytes from several places
		s.bytes(n.at, 0, Content, depth, append(spans, Span{Plain, count(v.Len(), "element", "elements")})...)
		return
	}
	if v.Scalar() == bytecode.U8 && lanes == 1 && v.Len() <= s.opt.Row {
		spans = append(spans, Span{Content, numbersText(v, 0, v.Len(), lanes)})
		s.bytes(n.at, n.size, Content, depth, spans...)
		return
	}
	if len(spans) > 0 {
		spans = append(spans, Span{Plain, count(v.Len(), "element", "elements")})
		if names := s.v.tupleOf(n); lanes > 1 && len(names) == lanes {
			spans = append(spans, Span{Plain, " of "}, Span{FieldName, strings.Join(names, " ")})
		}
		s.bytes(n.at, 0, Plain, depth, spans...)
		depth++
	}
	rows := (v.Len() + per - 1) / per
	for i := 0; i < rows; i++ {
		if !s.opt.All && rows > keepFirst+keepLast+2 && i == keepFirst {
			to := rows - keepLast
			from, until := n.at+i*per*size, n.at+to*per*size
			if s.fault.at < from || s.fault.at >= until {
				text := fmt.Sprintf("… %s more, %s", count((to-i)*per, "element", "elements"), count(until-from, "byte", "bytes"))
				tree := []cell{}
				for _, r := range s.guide(depth) + text {
					tree = append(tree, cell{r, Faint})
				}
				s.emit(from, 0, Plain, tree)
				i = to
			}
		}
		first, last := i*per, min((i+1)*per, v.Len())
		label := fmt.Sprintf("[%d] ", first)
		if last-first > 1 {
			label = fmt.Sprintf("[%d..%d] ", first, last-1)
		}
		s.bytes(n.at+first*size, (last-first)*size, Content, depth, Span{FieldName, label}, Span{Content, numbersText(v, first, last, lanes)})
	}
}

func numbersText(v interp.Value, first, last, lanes int) string {
	var b strings.Builder
	for i := first; i < last; i++ {
		if i > first {
			b.WriteString(", ")
		}
		for k := range lanes {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(notation.LaneText(v, i*lanes+k))
		}
	}
	return b.String()
}
