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
	path  map[int32]string
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
	if n == 0 {
		slices.SortStableFunc(list, func(a, b int32) int { return int(p.nodes[a].from - p.nodes[b].from) })
	}
	if p.index.parts == nil {
		p.index.parts = map[int32][]int32{}
	}
	p.index.parts[n] = list
	return list
}

// pieces returns how many elements the array or tuple in a row has, and the bytes of each; 0 if it has none
// to show.
func (x *node) pieces() (n, size int) {
	if x.kind != Row {
		return 0, 0
	}
	switch v := x.value; v.Kind() {
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
	it := Item{Span: Span{int(x.from), int(x.to)}, Node: n, Part: -1, Kind: x.kind, Label: x.label, Path: p.path(int32(n)), Row: placeOf(x.rule), Cut: x.cut}
	if part >= 0 {
		p.piece(&it, x, part)
		return it
	}
	switch x.kind {
	case Value:
		p.valueItem(&it, x, n)
	case Row, Derived, Flags:
		p.rowItem(&it, x)
		if _, ok := p.spotOf(int32(n)); !ok && x.kind == Row {
			it.Edit, it.Input = NoEdit, ""
		}
	case Padding:
		it.Label, it.Text = "padding", bytesText(len(p.bytes[x.from:x.to]))
	case Frame:
		it.Text, it.About = strconv.FormatUint(x.number, 10), "bytes of the value that follows"
	case Gap:
		it.Label, it.Text = "gap", bytesText(int(x.to-x.from))
	case Unread:
		it.Label, it.Text = "not read", bytesText(int(x.to-x.from))
	case Trailing:
		it.Label, it.Text = "after the value", bytesText(int(x.to-x.from))
	}
	return it
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
		it.Label, it.Text = "packet", bytesText(len(p.bytes))
		return
	}
	print := p.f.notation
	if t := print.Type(x.value); t != nil && !x.cut {
		it.Type = t.Name
	}
	if header := int32(n) + 1; header < x.next && p.nodes[header].kind == Flags && p.nodes[header].rule == x.rule {
		name, about, ok := p.f.viewer.Header(x.rule, p.nodes[header].number)
		if ok && it.Type == "" {
			it.Type = name
		}
		it.About = about
	}
	if it.Type == "" && x.rule != nil && !strings.Contains(x.rule.Name, ".") {
		it.Type = x.rule.Name
	}
	if x.cut {
		it.Text = "ends early"
		return
	}
	it.Text = p.f.viewer.Summary(x.value)
	if it.Text == "" && x.value.Kind() != interp.Unit && x.value.Kind() != interp.None {
		it.Text = print.Clipped(x.value.WithTag(0), clipText)
	}
	if text, ok := p.textOf(x.routine, x.value); ok {
		it.Edit, it.Input = EditValue, text
	}
	_, cells := listOf(x.value)
	it.List = cells != nil
	it.Element = p.isElement(int32(n))
}

// rowItem describes the bytes of a row.
func (p *packet) rowItem(it *Item, x *node) {
	name := x.rule.Name[strings.LastIndexByte(x.rule.Name, '.')+1:]
	if it.Label = strings.TrimPrefix(x.label, "."); it.Label == "" || x.value.IsNone() {
		it.Label = name
	}
	it.Parts, _ = x.pieces()
	if x.value.IsNone() {
		text, about := p.f.viewer.Number(x.rule, x.number)
		it.Text, it.About = text, about
		if _, header, _ := p.f.viewer.Header(x.rule, x.number); header != "" {
			it.About = header
		}
		if it.About == "" {
			it.About = x.rule.Doc
		}
		it.Edit, it.Input = EditNumber, text
		return
	}
	it.About = x.rule.Doc
	switch v := x.value; v.Kind() {
	case interp.Text:
		it.Text = strconv.Quote(clip(v.Text(), clipText))
		if len(v.Text()) <= maxInput {
			it.Edit, it.Input = EditText, v.Text()
		}
	case interp.Packed:
		it.Text = p.f.viewer.Summary(v)
		if v.Len()*v.Width() <= 16 {
			it.Text = p.f.notation.Clipped(v.WithTag(0), clipText)
		}
	case interp.Bool:
		it.Text, it.Edit = p.f.notation.Clipped(v.WithTag(0), clipText), EditBool
		it.Input = it.Text
	case interp.Int, interp.Uint, interp.Float:
		it.Text, it.Edit = p.f.notation.Clipped(v.WithTag(0), clipText), EditNumber
		it.Input = it.Text
	default:
		it.Text = p.f.notation.Clipped(v.WithTag(0), clipText)
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
	v := x.value
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
	if t := p.f.notation.Type(p.nodes[x.parent].value); v.Kind() == interp.Lanes && t != nil && part < len(t.Lanes) {
		it.Label = t.Lanes[part]
	}
	it.Path += it.Label
}

// clip returns the beginning of a text.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// path returns the path of a node from the root.
func (p *packet) path(n int32) string {
	var labels []string
	for ; n > 0 && len(labels) < maxDepth; n = p.nodes[n].parent {
		if l := p.nodes[n].label; l != "" && p.nodes[n].kind != Frame {
			labels = append(labels, l)
		}
	}
	slices.Reverse(labels)
	return clip(strings.Join(labels, ""), 1000)
}

// maxDepth bounds ways from the root.
const maxDepth = 1 << 14

// locate returns the way from the root to a node, or to the leaf of an offset.
func (p *packet) locate(q LocateParams) (*Way, error) {
	n, part := int32(q.Node), q.Part
	if q.Offset >= 0 {
		if len(p.leaves) == 0 {
			return &Way{Steps: []Step{}}, nil
		}
		l := p.leaves[min(p.leafAt(q.Offset), len(p.leaves)-1)]
		n, part = l.node, -1
		x := &p.nodes[n]
		if pieces, size := x.pieces(); pieces > 0 && size > 0 && q.Offset < int(x.to) {
			part = (q.Offset - int(x.from)) / size
		}
	}
	if err := p.check(int(n), part); err != nil {
		return nil, err
	}
	out := &Way{Steps: []Step{}}
	if part >= 0 {
		out.Steps = append(out.Steps, Step{part, p.item(int(n), part)})
	}
	for ; n > 0; n = p.nodes[n].parent {
		at := slices.Index(p.parts(p.nodes[n].parent), n)
		out.Steps = append(out.Steps, Step{at, p.item(int(n), -1)})
	}
	slices.Reverse(out.Steps)
	return out, nil
}

// readBy returns nodes that were read by a row.
func (p *packet) readBy(q ReadByParams) *ReadBy {
	out := &ReadBy{Items: []Item{}}
	for i := range p.nodes {
		x := &p.nodes[i]
		if x.rule == nil || x.kind == Value || int(x.rule.Line) != q.Row.Line || x.rule.File != q.Row.File {
			continue
		}
		out.Total++
		if i > q.After && len(out.Items) < MaxChildren {
			out.Items = append(out.Items, p.item(i, -1))
		}
	}
	return out
}
