package main

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/examples"
	"github.com/octable/octable/interp"
)

type inspectCommand struct {
	*env
	target
	in     input
	framed string
	all    bool
	paths  bool
	bytes  int
	wide   int
}

func (e *env) inspectCommand() *cobra.Command {
	c := &inspectCommand{env: e}
	cmd := &cobra.Command{
		Use:   "inspect [FLAG…] [FILE|DIGITS…]",
		Short: "Show bytes beside what they mean",
		Long:  inspectLong,
		Example: `octable inspect 1c000000 01000000 04000000 02000000 61620000
octable inspect -spec wave sound.wav
octable inspect -framed -all save.dat | less -R`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	c.target.flags(cmd)
	c.target.options(cmd, true)
	_ = cmd.Flags().MarkHidden("keep-widths")
	c.in.flags(cmd)
	framedFlag(cmd, &c.framed)
	cmd.Flags().BoolVar(&c.all, "all", false, "leave out nothing of long lists, arrays and texts")
	cmd.Flags().BoolVar(&c.paths, "paths", false, "show where each value is from the outermost one, not from the one around it")
	cmd.Flags().IntVar(&c.bytes, "bytes", 0, "show `N` bytes a row, 4 to 64 (default 8, or 16 from 140 columns on)")
	cmd.Flags().IntVar(&c.wide, "width", 0, "use `N` columns (default those of the terminal, or of $COLUMNS, or 100)")
	return cmd
}

func (c *inspectCommand) run(args []string) error {
	if c.wide == 0 {
		c.wide = c.width()
	}
	if c.bytes == 0 {
		c.bytes = 8
		if c.wide >= 140 {
			c.bytes = 16
		}
	}
	if c.bytes < 4 || c.bytes > 64 {
		return fail(exitUsage, "%d is no value for -bytes; it is from 4 to 64", c.bytes)
	}
	paint, err := c.painter()
	if err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	c.explain()
	v, err := newViewer(&c.target)
	if err != nil {
		return err
	}
	v.all = c.all
	packets, err := c.in.read(c.env, args)
	if err != nil {
		return err
	}
	wrong := false
	for i, p := range packets {
		if len(packets) > 1 {
			if i > 0 {
				fmt.Fprintln(c.stdout)
			}
			fmt.Fprintf(c.stdout, "%s:\n", p.name)
		}
		wrong = !c.show(v, paint, p) || wrong
	}
	if wrong {
		return refused()
	}
	return nil
}

// Fewer columns leave no room for the tree, and more are on no screen.
const (
	minWidth = 40
	maxWidth = 1000
)

// show shows one input, and reports whether all of it could be read.
func (c *inspectCommand) show(v *viewer, paint painter, p packet) bool {
	s := &sheet{v: v, paint: paint, b: c.stdout, data: p.bytes, row: c.bytes, width: min(max(c.wide, minWidth), maxWidth), all: c.all, paths: c.paths, mark: -1}
	s.digits = max(6, len(strconv.FormatInt(int64(len(p.bytes)), 16)))
	return c.packets(s, p)
}

// packets shows the packet or packets of one input.
func (c *inspectCommand) packets(s *sheet, p packet) bool {
	if c.framed == "" {
		return s.packet(p.bytes, 0)
	}
	list, frameErr := frames(p.bytes, c.framed == "big")
	ok := true
	end := 0
	for _, f := range list {
		s.bytes(f.at, 4, steering, 0, span{fieldName, "length "}, span{steering, strconv.Itoa(len(f.bytes))}, span{faint, "  of the value that follows"})
		ok = s.packet(f.bytes, f.at+4) && ok
		end = f.at + 4 + len(f.bytes)
	}
	if e, isInput := frameErr.(*codec.Error); isInput {
		s.mark, s.why, s.shown, s.end = e.Offset, e.Kind.Error(), false, len(p.bytes)
		s.rest(end, len(p.bytes)-end, unreadNode)
		s.sentence(e)
		return false
	}
	return ok
}

// sheet is the table of one input.
type sheet struct {
	v      *viewer
	paint  painter
	b      *bufio.Writer // its errors stay, and are seen at the end of the command
	data   []byte
	row    int // bytes a row
	digits int // of an offset
	width  int
	all    bool
	paths  bool
	mark   int    // offset of the byte in error, or -1
	why    string // what is wrong there
	shown  bool   // the mark has been printed
	end    int    // of the packet that is shown
}

// packet shows one packet, which begins at some offset of the input.
func (s *sheet) packet(b []byte, base int) bool {
	nodes, err := s.v.packet(b, base)
	s.mark, s.shown, s.end = -1, false, base+len(b)
	if err != nil {
		s.mark, s.why = err.Offset, err.Kind.Error()
	}
	for _, n := range nodes {
		s.node(n, nil, 0)
	}
	if err != nil {
		s.sentence(err)
	}
	return err == nil
}

// sentence prints the error in full below the tree, and the mark if its byte was
// not among those shown.
func (s *sheet) sentence(err *codec.Error) {
	if !s.shown {
		s.caret(s.mark, s.mark, 0)
	}
	_ = s.b.WriteByte('\n')
	for _, line := range layout([]span{{bad, "error: "}, {plain, err.Error()}}, s.width, 7) {
		_, _ = s.b.WriteString(s.paint.line(line) + "\n")
	}
}

// treeColumn is where the tree begins.
func (s *sheet) treeColumn() int { return s.digits + 2 + 3*s.row + 1 + s.row + 2 }

// emit prints one line: an offset, bytes, and a line of the tree.
func (s *sheet) emit(at, n int, bytesStyle style, tree []cell) {
	line := make([]cell, 0, s.width)
	put := func(st style, text string) {
		for _, r := range text {
			line = append(line, cell{r, st})
		}
	}
	if at >= 0 {
		put(faint, fmt.Sprintf("%0*x  ", s.digits, at))
	} else {
		put(plain, strings.Repeat(" ", s.digits+2))
	}
	for i := range s.row {
		if i < n {
			st := bytesStyle
			if at+i == s.mark {
				st = bad
			}
			put(st, fmt.Sprintf("%02x", s.data[at+i]))
			put(plain, " ")
		} else {
			put(plain, "   ")
		}
	}
	put(plain, " ")
	for i := range s.row {
		if i >= n {
			put(plain, " ")
			continue
		}
		st, ch := bytesStyle, s.data[at+i]
		if at+i == s.mark {
			st = bad
		}
		if ch < ' ' || ch > '~' {
			put(faint, ".")
		} else {
			put(st, string(rune(ch)))
		}
	}
	put(plain, "  ")
	_, _ = s.b.WriteString(s.paint.line(append(line, tree...)) + "\n")
}

// caret prints the mark below the byte in error of a line that begins at from.
func (s *sheet) caret(at, from int, depth int) {
	s.shown = true
	column := s.digits + 2 + 3*(at-from)
	line := []cell{}
	put := func(st style, text string) {
		for _, r := range text {
			line = append(line, cell{r, st})
		}
	}
	if at >= s.end && at == from {
		put(faint, fmt.Sprintf("%0*x  ", s.digits, at))
	} else {
		put(plain, strings.Repeat(" ", column))
	}
	put(bad, "^^")
	put(plain, strings.Repeat(" ", max(2, s.treeColumn()-len(line))))
	what := s.why
	if at >= s.end {
		what += ", here"
	}
	for i, l := range layout([]span{{bad, "^ " + what}}, s.width-len(line), 2) {
		if i > 0 {
			line = line[:0]
			put(plain, strings.Repeat(" ", s.treeColumn()))
		}
		_, _ = s.b.WriteString(s.paint.line(append(line, l...)) + "\n")
	}
}

// guide is the indentation of a line of the tree.
func (s *sheet) guide(depth int) string {
	room := max((s.width-s.treeColumn())/4, 2)
	if depth > room {
		return strings.Repeat("│ ", room-1) + fmt.Sprintf("…%d ", depth)
	}
	return strings.Repeat("│ ", depth)
}

// bytes prints bytes and what they are, over as many lines as either needs.
func (s *sheet) bytes(at, n int, bytesStyle style, depth int, spans ...span) {
	guide := s.guide(depth)
	// Lines after the first begin with as much of the guide as leaves room.
	hang := min(len([]rune(guide))+2, max(s.width-s.treeColumn(), 8)/2)
	lines := layout(append([]span{{faint, guide}}, spans...), s.width-s.treeColumn(), hang)
	for _, l := range lines[1:] {
		for i, r := range []rune(guide) {
			if i >= hang || r == '…' {
				break
			}
			l[i] = cell{r, faint}
		}
	}
	rows := (n + s.row - 1) / s.row
	const most = 16
	hole := -1
	if !s.all && rows > most {
		hole = most - 4 // rows before it, and two after it
	}
	for i := 0; i < max(rows, len(lines), 1); i++ {
		var tree []cell
		if i < len(lines) {
			tree = lines[i]
		} else {
			for _, r := range guide {
				tree = append(tree, cell{r, faint})
			}
		}
		if i >= rows {
			from := -1
			if n == 0 && i == 0 {
				from = at
			}
			s.emit(from, 0, plain, tree)
			continue
		}
		if i == hole && i < rows-2 {
			skipped := n - i*s.row - (n-1)%s.row - 1 - s.row
			from := at + i*s.row
			inside := s.mark >= from && s.mark < from+skipped
			if !inside {
				s.skip(from, skipped, depth)
				at, n, rows = at+skipped, n-skipped, rows-skipped/s.row
				hole = -1
				i--
				continue
			}
			hole = -1
		}
		from := at + i*s.row
		s.emit(from, min(s.row, n-i*s.row), bytesStyle, tree)
		if s.mark >= from && s.mark < from+min(s.row, n-i*s.row) && !s.shown {
			s.caret(s.mark, from, depth)
		}
	}
}

// skip prints one line for bytes that are left out.
func (s *sheet) skip(at, n, depth int) {
	tree := []cell{}
	for _, r := range s.guide(depth) {
		tree = append(tree, cell{r, faint})
	}
	for _, r := range "… " + count(n, "byte", "bytes") + " more" {
		tree = append(tree, cell{r, faint})
	}
	s.emit(at, 0, plain, tree)
}

// rest shows bytes that are no part of the value.
func (s *sheet) rest(at, n int, kind nodeKind) {
	if n <= 0 {
		return
	}
	if kind == trailingNode {
		s.bytes(at, n, warning, 0, span{warning, count(n, "byte is left over", "bytes are left over") + " after the value"})
		return
	}
	s.bytes(at, n, plain, 0, span{faint, count(n, "byte was not read", "bytes were not read")})
}

// node shows a node and what it is made of. The value around it is parent.
func (s *sheet) node(n, parent *node, depth int) {
	switch n.kind {
	case valueNode:
		s.value(n, depth)
	case rowNode:
		s.rowNode(n, parent, depth)
	case paddingNode:
		text := "padding"
		for _, b := range s.data[n.at : n.at+n.size] {
			if b != 0 {
				text = "padding that is not zero"
			}
		}
		s.bytes(n.at, n.size, faint, depth, span{faint, text})
	case elidedNode:
		text := fmt.Sprintf("… %s more, %s", count(n.left, "element", "elements"), count(n.size, "byte", "bytes"))
		tree := []cell{}
		for _, r := range s.guide(depth) + text {
			tree = append(tree, cell{r, faint})
		}
		s.emit(n.at, 0, plain, tree)
	default:
		s.rest(n.at, n.size, n.kind)
	}
}

func (s *sheet) value(n *node, depth int) {
	name, about, header := s.v.title(n)
	label := n.label
	if s.paths && n.path != "" {
		label = n.path
	}
	label = strings.TrimPrefix(label, ".")
	var spans []span
	if label != "" {
		spans = append(spans, span{fieldName, label})
		if name != "" {
			spans = append(spans, span{fieldName, ": "})
		}
	}
	if name != "" {
		spans = append(spans, span{typeName, name})
	}
	if sum := s.v.summary(n.value); n.done && sum != "" {
		spans = append(spans, span{plain, ", " + sum})
	} else if n.done && n.value.Kind() == interp.Unit && len(n.children) <= 1 {
		spans = append(spans, span{plain, ", no content"})
	}
	if about != "" {
		spans = append(spans, span{faint, "  " + about})
	}
	if !s.paths && n.path != "" && n.path != n.label && s.width >= 100 {
		spans = append(spans, span{faint, "  at " + n.path})
	}
	children := n.children
	if header != nil {
		s.bytes(header.at, header.size, steering, depth, spans...)
		children = children[1:]
	} else if len(children) == 1 && children[0].kind == rowNode && n.done {
		// A value of one row needs one line.
		spans = append(spans, span{plain, " "})
		row := *children[0]
		s.stored(&row, n, depth, spans)
		return
	} else {
		s.bytes(n.at, 0, plain, depth, spans...)
	}
	for _, c := range children {
		s.node(c, n, depth+1)
	}
}

func (s *sheet) rowNode(n, parent *node, depth int) {
	name := rowName(n.rule)
	if n.value.IsNone() {
		text, fields := s.v.number(n)
		spans := []span{{fieldName, name + " "}, {steering, text}}
		if fields != "" {
			spans = append(spans, span{faint, "  " + fields})
		} else if n.rule.Doc != "" && s.width >= 120 {
			spans = append(spans, span{faint, "  " + n.rule.Doc})
		}
		s.bytes(n.at, n.size, steering, depth, spans...)
		return
	}
	spans := []span{{fieldName, name + " "}}
	if t := s.v.print.Type(parent.value); t != nil && name == t.Name {
		spans = nil // the rows of a tuple are called as the type
	}
	s.stored(n, parent, depth, spans)
}

// stored shows bytes that hold a value, or several.
func (s *sheet) stored(n, parent *node, depth int, spans []span) {
	v := n.value
	switch v.Kind() {
	case interp.Lanes:
		s.lanes(n, parent, depth, spans)
	case interp.Packed:
		s.packed(n, depth, spans)
	case interp.Text:
		text := v.Text()
		more := ""
		if most := 8 * s.row; !s.all && len(text) > most+8 {
			more = fmt.Sprintf(" … %d bytes in all", len(text))
			text = strings.ToValidUTF8(text[:most], "")
		}
		s.bytes(n.at, n.size, content, depth, append(spans, span{content, strconv.Quote(text)}, span{faint, more})...)
	default:
		text := s.v.print.String(v)
		if t := s.v.print.Type(parent.value); t != nil && t.Union != "" && len(t.Fields) == 1 && v.IsNone() {
			text = s.v.print.String(parent.value.At(0)) // a number that stands for a type
		}
		s.bytes(n.at, n.size, content, depth, append(spans, span{content, text})...)
	}
}

// lanes shows the numbers of a tuple, each with its name where it has one.
func (s *sheet) lanes(n, parent *node, depth int, spans []span) {
	var names []string
	if t := s.v.print.Type(parent.value); t != nil && len(t.Lanes) == n.value.Len() {
		names = t.Lanes
	}
	width := n.value.Scalar().Width()
	if len(spans) > 0 && names != nil {
		s.bytes(n.at, 0, plain, depth, spans...)
		spans = nil
		depth++
	}
	if names == nil {
		var parts []string
		for i := range n.value.Len() {
			parts = append(parts, examples.LaneText(n.value, i))
		}
		s.bytes(n.at, n.size, content, depth, append(spans, span{content, strings.Join(parts, ", ")})...)
		return
	}
	for i, name := range names {
		s.bytes(n.at+i*width, width, content, depth, span{fieldName, name + " "}, span{content, examples.LaneText(n.value, i)})
	}
}

// packed shows an array of numbers, as many elements a line as fit into a row.
func (s *sheet) packed(n *node, depth int, spans []span) {
	v := n.value
	lanes := v.Width()
	size := v.Scalar().Width() * lanes
	per := max(1, s.row/size)
	if v.Scalar() == bytecode.U8 && lanes == 1 && v.Len() <= s.row {
		spans = append(spans, span{content, numbersText(v, 0, v.Len(), lanes)})
		s.bytes(n.at, n.size, content, depth, spans...)
		return
	}
	if len(spans) > 0 {
		s.bytes(n.at, 0, plain, depth, append(spans, span{plain, count(v.Len(), "element", "elements")})...)
		depth++
	}
	rows := (v.Len() + per - 1) / per
	for i := 0; i < rows; i++ {
		if !s.all && rows > keepFirst+keepLast+2 && i == keepFirst {
			to := rows - keepLast
			from, until := n.at+i*per*size, n.at+to*per*size
			if s.mark < from || s.mark >= until {
				text := fmt.Sprintf("… %s more, %s", count((to-i)*per, "element", "elements"), count(until-from, "byte", "bytes"))
				tree := []cell{}
				for _, r := range s.guide(depth) + text {
					tree = append(tree, cell{r, faint})
				}
				s.emit(from, 0, plain, tree)
				i = to
			}
		}
		first, last := i*per, min((i+1)*per, v.Len())
		label := fmt.Sprintf("[%d] ", first)
		if last-first > 1 {
			label = fmt.Sprintf("[%d..%d] ", first, last-1)
		}
		s.bytes(n.at+first*size, (last-first)*size, content, depth, span{fieldName, label}, span{content, numbersText(v, first, last, lanes)})
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
			b.WriteString(examples.LaneText(v, i*lanes+k))
		}
	}
	return b.String()
}

// printTree prints a value as a tree of names and contents, without bytes.
func (d *decodeCommand) printTree(b []byte, label string) error {
	v, err := newViewer(&d.target)
	if err != nil {
		return err
	}
	val, _, err := v.print.Machine().Decode(b, v.options())
	if err != nil {
		return err
	}
	if label != "" {
		_, _ = d.stdout.WriteString(strings.TrimRight(label, " ") + "\n")
	}
	v.tree(d.stdout, val, "", "", "")
	return nil
}

// tree prints a value whose first line begins with head and a label, and whose
// other lines begin with indent.
func (v *viewer) tree(out *bufio.Writer, val interp.Value, head, indent, label string) {
	t := v.print.Type(val)
	name := ""
	if t != nil && t.Union != "" {
		name = t.Name
	}
	text := ""
	type part struct {
		label string
		value interp.Value
		text  string
	}
	var parts []part
	switch val.Kind() {
	case interp.List:
		text = count(val.Len(), "element", "elements")
		for i, e := range val.Cells() {
			parts = append(parts, part{fmt.Sprintf("[%d]", i), e, ""})
		}
	case interp.Map:
		text = count(val.Len(), "pair", "pairs")
		cells := val.Cells()
		for i := 0; i+1 < len(cells); i += 2 {
			parts = append(parts, part{"[" + clip(v.key(cells[i]), 200) + "]", cells[i+1], ""})
		}
	case interp.Record:
		for i, f := range val.Cells() {
			if f.IsNone() || t == nil || i >= len(t.Fields) {
				continue
			}
			parts = append(parts, part{t.Fields[i].Name, f, v.print.FieldText(val, i)})
		}
	case interp.Lanes:
		var nums []string
		for i := range val.Len() {
			n := examples.LaneText(val, i)
			if t != nil && i < len(t.Lanes) {
				n = t.Lanes[i] + " " + n
			}
			nums = append(nums, n)
		}
		text = strings.Join(nums, ", ")
	case interp.Packed:
		text = count(val.Len(), "element", "elements")
		if val.Len() > 0 {
			text += ": " + numbersText(val, 0, val.Len(), val.Width())
		}
	case interp.Unit, interp.None:
	default:
		text = v.print.String(val.WithTag(0))
	}
	if name == "" && text == "" && label == "" && t != nil {
		name = t.Name
	}
	line := label
	for _, s := range []string{name, text} {
		switch {
		case s == "":
			continue
		case line == "":
		case line == label && label != "":
			line += ": "
		case val.Kind() == interp.List || val.Kind() == interp.Map || val.Kind() == interp.Packed:
			line += ", "
		default:
			line += " "
		}
		line += s
	}
	_, _ = out.WriteString(head + line + "\n")
	for i, p := range parts {
		branch, below := "├─ ", "│  "
		if i == len(parts)-1 {
			branch, below = "└─ ", "   "
		}
		if p.text != "" {
			_, _ = out.WriteString(indent + branch + p.label + ": " + p.text + "\n")
			continue
		}
		v.tree(out, p.value, indent+branch, indent+below, p.label)
	}
}

// key prints the key of a pair.
func (v *viewer) key(val interp.Value) string {
	switch val.Kind() {
	case interp.Text, interp.Int, interp.Uint, interp.Bool, interp.Float:
		if t := v.print.Type(val); t == nil || t.Name == "String" || t.Name == "int" || t.Name == "bool" || t.Name == "float" || t.Name == "real" {
			return v.print.String(val.WithTag(0))
		}
	}
	return v.print.String(val)
}
