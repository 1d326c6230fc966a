// Lines of the tree, which the page asks for by range.

package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// MaxChildren is the most items of one call.
const MaxChildren = 500

// maxInput is how many bytes of a text are edited at once.
const maxInput = 64 << 10

// clipText is how many bytes of a value are shown on its line.
const clipText = 200

// index has the nodes inside of nodes that were looked at.
type index struct {
	mu    sync.Mutex
	parts map[int32][]int32
}

// parts returns the nodes directly inside of a node.
func (p *packet) parts(n int32) []int32 {
	p.index.mu.Lock()
	defer p.index.mu.Unlock()
	if list, ok := p.index.parts[n]; ok {
		return list
	}
	list := []int32{}
	for c := n + 1; c < p.nodes[n].next; c = p.nodes[c].next {
		list = append(list, c)
	}
	if p.index.parts == nil {
		p.index.parts = map[int32][]int32{}
	}
	p.index.parts[n] = list
	return list
}

// pieces returns the number of elements of the array or tuple in a row, and the bytes of each. It returns 0 if there
// are no elements to show.
func (x *node) pieces() (n, size int) {
	if x.kind != Row {
		return 0, 0
	}
	switch v := x.Value; v.Kind() {
	case interp.Packed:
		n = v.Len()
		if size = int(x.to - x.from); n == 0 || size%n != 0 {
			return 0, 0
		}
		return n, size / n
	case interp.Lanes:
		n = v.Len()
		if size = int(x.to - x.from); n == 0 || size%n != 0 {
			return 0, 0
		}
		return n, size / n
	}
	return 0, 0
}

// children returns parts of a node by range.
func (p *packet) children(n, from, count int) (*Children, error) {
	if err := p.check(n, -1); err != nil {
		return nil, err
	}
	count = min(max(count, 0), MaxChildren)
	out := &Children{Items: []Item{}}
	if pieces, _ := p.nodes[n].pieces(); pieces > 0 {
		out.Total = pieces
		out.From = min(max(from, 0), pieces)
		for i := out.From; i < min(out.From+count, pieces); i++ {
			out.Items = append(out.Items, p.item(n, i))
		}
		return out, nil
	}
	list := p.parts(int32(n))
	out.Total = len(list)
	out.From = min(max(from, 0), len(list))
	for _, c := range list[out.From:min(out.From+count, len(list))] {
		out.Items = append(out.Items, p.item(int(c), -1))
	}
	return out, nil
}

// check returns an error if a packet has no node or part with a number.
func (p *packet) check(n, part int) error {
	if n < 0 || n >= len(p.nodes) {
		return &Error{Code: "params", Message: fmt.Sprintf("the packet has no node %d", n)}
	}
	if pieces, _ := p.nodes[n].pieces(); part >= pieces || part < -1 {
		return &Error{Code: "params", Message: fmt.Sprintf("node %d has no part %d", n, part)}
	}
	return nil
}

// item returns the line of a node or of a part of it.
func (p *packet) item(n, part int) Item {
	x := &p.nodes[n]
	it := Item{Span: Span{int(x.from), int(x.to)}, Node: n, Part: -1, Kind: x.kind, Label: p.label(int32(n)), Path: p.path(int32(n)), Row: placeOf(x.Rule), Cut: x.cut()}
	if part >= 0 {
		p.piece(&it, x, part)
		return it
	}
	switch x.kind {
	case Value:
		p.valueItem(&it, x, n)
	case List:
		p.listItem(&it, x, n)
	case Row, Cell:
		p.rowItem(&it, x, n)
	case Derived, Flags:
		p.numberItem(&it, x)
	case Frame:
		it.Text, it.About = strconv.FormatUint(x.Number, 10), "bytes of the value that follows"
	default:
		it.Text = bytesText(int(x.to - x.from))
	}
	return it
}

// labels are those of nodes without a row.
var labels = map[Kind]string{Padding: "padding", Frame: "length", Gap: "gap", Unread: "not read", Trailing: "after the value"}

// label returns what a node is to its parent.
func (p *packet) label(n int32) string {
	x := &p.nodes[n]
	switch {
	case n == 0:
		return "packet"
	case labels[x.kind] != "":
		return labels[x.kind]
	case x.kind != Value:
		return x.Name
	case p.nodes[x.parent].kind != List:
		return strings.TrimPrefix(x.Label, ".")
	}
	if end := strings.IndexAny(x.Label, "["); end > 0 && x.Label[0] == '.' && !strings.HasPrefix(x.Label, ".key(") {
		return x.Label[end:]
	}
	if at := strings.LastIndex(x.Label, ".key("); at >= 0 {
		return strings.TrimSuffix(strings.TrimPrefix(x.Label[at:], ".key("), ")") + " key"
	}
	return x.Label
}

// path returns the path of a node from the root.
func (p *packet) path(n int32) string {
	x := &p.nodes[n]
	if x.kind == Value || x.Rule == nil {
		return x.Path
	}
	return x.Path + "." + p.label(n)
}

func bytesText(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.Itoa(n) + " bytes"
}

// valueItem describes a value.
func (p *packet) valueItem(it *Item, x *node, n int) {
	it.Parts = len(p.parts(int32(n)))
	if n == 0 {
		it.Text = bytesText(len(p.bytes))
		return
	}
	print := p.f.notation
	if t := print.Type(x.Value); t != nil && !x.cut() {
		it.Type = t.Name
	}
	if header := int32(n) + 1; header < x.next && p.nodes[header].kind == Flags && p.nodes[header].Rule == x.Rule {
		name, about, ok := p.f.viewer.Header(x.Rule, p.nodes[header].Number)
		if ok && it.Type == "" {
			it.Type = name
		}
		it.About = about
	}
	if it.Type == "" && x.Rule != nil && !strings.Contains(x.Rule.Name, ".") {
		it.Type = x.Rule.Name
	}
	list := p.listIn(int32(n))
	it.List, it.Element = list >= 0, p.isElement(int32(n))
	if it.Element {
		list = x.parent
	}
	it.Keyed = list >= 0 && p.nodes[list].Value.Kind() == interp.Map
	if x.cut() {
		it.Text = "ends early"
		return
	}
	it.Text = p.f.viewer.Summary(x.Value)
	if it.Text == "" && x.Value.Kind() != interp.Unit && x.Value.Kind() != interp.None {
		it.Text = print.Clipped(x.Value.WithTag(0), clipText)
	}
	if text, ok := p.textOf(x.Routine, x.Value); ok {
		it.Edit, it.Input = EditValue, text
	}
}

// listItem describes the elements of a list.
func (p *packet) listItem(it *Item, x *node, n int) {
	it.Parts = len(p.parts(int32(n)))
	it.List, it.Keyed, it.About = true, x.Value.Kind() == interp.Map, x.Rule.Doc
	it.Text = p.f.viewer.Summary(x.Value)
	if x.cut() {
		it.Text = "ends early"
	}
}

// numberItem describes a number that a writer computes, or whose bits are fields.
func (p *packet) numberItem(it *Item, x *node) {
	if text, always := p.f.viewer.Constant(x.Rule, p.bytes[x.from:x.to]); always {
		it.Text, it.About = text, x.Rule.Doc
		return
	}
	it.Text, it.About = p.f.viewer.Number(x.Rule, x.Number)
	if _, header, _ := p.f.viewer.Header(x.Rule, x.Number); header != "" {
		it.About = header
	}
	if it.About == "" {
		it.About = x.Rule.Doc
	}
	if x.PC >= 0 && !x.Shared {
		it.Edit, it.Input = EditNumber, it.Text
	}
}

// rowItem describes a field.
func (p *packet) rowItem(it *Item, x *node, n int) {
	it.Parts, _ = x.pieces()
	it.About = x.Rule.Doc
	v := x.Value
	it.Text = p.f.notation.Clipped(v.WithTag(0), clipText)
	switch v.Kind() {
	case interp.Text:
		it.Text = strconv.Quote(interp.Clip(v.Text(), clipText))
		if len(v.Text()) <= maxInput {
			it.Edit, it.Input = EditText, v.Text()
		}
	case interp.Packed:
		if v.Len()*v.Width() > 16 {
			it.Text = p.f.viewer.Summary(v)
		}
	case interp.Bool:
		it.Edit, it.Input = EditBool, it.Text
	case interp.Int, interp.Uint, interp.Float:
		it.Edit, it.Input = EditNumber, it.Text
	}
	if at, ok := p.spotOf(int32(n)); !ok || at.value.Kind() != v.Kind() {
		it.Edit, it.Input = NoEdit, ""
	}
}

// piece describes an element of an array of numbers, or a number of a tuple.
func (p *packet) piece(it *Item, x *node, part int) {
	_, size := x.pieces()
	it.Part, it.Kind = part, Part
	it.From += part * size
	it.To = it.From + size
	it.Label = "[" + strconv.Itoa(part) + "]"
	it.Edit = EditNumber
	v := x.Value
	width := 1
	if v.Kind() == interp.Packed {
		width = v.Width()
	}
	var b strings.Builder
	for k := range width {
		if k > 0 {
			b.WriteString(", ")
		}
		b.WriteString(notation.LaneText(v, part*width+k))
	}
	it.Text = b.String()
	it.Input = it.Text
	if t := p.f.notation.Type(p.nodes[x.parent].Value); v.Kind() == interp.Lanes && t != nil && part < len(t.Lanes) {
		it.Label = t.Lanes[part]
	}
	it.Path += it.Label
	if row := p.f.lane(it.Row, part); row != nil && v.Kind() == interp.Lanes {
		it.Row, it.About = placeAt(row.Pos), row.Doc
	}
}

// MaxRows is the most rows of a range.
const MaxRows = 1000

// pieceAt returns which element of the array or tuple in a row has an offset, or -1.
func (p *packet) pieceAt(n int32, offset int) int {
	x := &p.nodes[n]
	if pieces, size := x.pieces(); pieces > 0 && size > 0 && offset >= int(x.from) && offset < int(x.to) {
		return (offset - int(x.from)) / size
	}
	return -1
}

// around returns the smallest node that has the bytes of a range. part is the element of an array or tuple that has
// them, or -1. The search begins at a node that has the first byte.
func (p *packet) around(n int32, from, to int) (node int32, part int) {
	for n > 0 && (int(p.nodes[n].from) > from || int(p.nodes[n].to) < to) {
		n = p.nodes[n].parent
	}
	part = p.pieceAt(n, from)
	if p.pieceAt(n, to-1) != part {
		part = -1
	}
	return n, part
}

// rowsOf returns the rows of the leaves of a range, each once.
func (p *packet) rowsOf(from, to int) []Place {
	out := []Place{}
	seen := map[Place]bool{}
	add := func(at *Place) {
		if at != nil && !seen[*at] && len(out) < MaxRows {
			seen[*at] = true
			out = append(out, *at)
		}
	}
	for i := p.leafAt(from); i < len(p.leaves) && int(p.leaves[i].from) < to && len(out) < MaxRows; i++ {
		l := p.leaves[i]
		row := placeOf(p.nodes[l.node].Rule)
		if row == nil || p.f.lanes[*row] == nil {
			add(row)
			continue
		}
		for at := p.pieceAt(l.node, max(from, int(l.from))); at >= 0 && at <= p.pieceAt(l.node, min(to, int(l.to))-1); at++ {
			if lane := p.f.lane(row, at); lane != nil {
				add(placeAt(lane.Pos))
			}
		}
	}
	return out
}

// locate returns the way from the root to a node. The node is given, or is the leaf of an offset, or has a range.
func (p *packet) locate(q LocateParams) (*Way, error) {
	n, part := int32(q.Node), q.Part
	out := &Way{Steps: []Step{}, Rows: []Place{}}
	if q.Offset >= 0 {
		if len(p.leaves) == 0 {
			return out, nil
		}
		l := p.leaves[min(p.leafAt(q.Offset), len(p.leaves)-1)]
		n, part = l.node, p.pieceAt(l.node, q.Offset)
		if q.To > 0 {
			n, part = p.around(n, q.Offset, q.To)
			out.Rows = p.rowsOf(q.Offset, q.To)
		}
	}
	if err := p.check(int(n), part); err != nil {
		return nil, err
	}
	if part >= 0 {
		out.Steps = append(out.Steps, Step{part, p.item(int(n), part)})
	}
	for ; n > 0; n = p.nodes[n].parent {
		out.Steps = append(out.Steps, Step{int(p.nodes[n].at), p.item(int(n), -1)})
	}
	slices.Reverse(out.Steps)
	return out, nil
}

// readBy returns nodes that were read by a row.
func (p *packet) readBy(q ReadByParams) *ReadBy {
	out := &ReadBy{Items: []Item{}}
	row, part := p.f.laneAt(q.Row)
	for i := range p.nodes {
		x := &p.nodes[i]
		if x.Rule == nil || x.kind == Value || int(x.Rule.Line) != row.Line || x.Rule.File != row.File {
			continue
		}
		out.Total++
		if i > q.After && len(out.Items) < MaxChildren {
			piece := part
			if pieces, _ := x.pieces(); part >= pieces || x.Value.Kind() != interp.Lanes {
				piece = -1
			}
			out.Items = append(out.Items, p.item(i, piece))
		}
	}
	return out
}
