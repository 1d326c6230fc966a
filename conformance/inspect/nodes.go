// The tree of a packet, made of what a reader reports.

package inspect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// nodeKind says what a node of the tree of a packet is.
type nodeKind uint8

const (
	valueNode    nodeKind = iota // a value; what it is made of are its children
	rowNode                      // bytes of a row of the schema
	paddingNode                  // padding
	elidedNode                   // elements that are left out
	unreadNode                   // bytes after an error
	trailingNode                 // bytes after the value
)

// node is a part of a packet.
type node struct {
	kind     nodeKind
	at, size int
	path     string
	label    string // what it is to its parent: a field, [3], ["key"]
	rule     *bytecode.Rule
	value    interp.Value // of a value that was read to its end, and of a row
	number   uint64       // of a row without value
	hidden   bool         // the row steers: a header, a length, a count
	done     bool         // valueNode: it was read to its end
	children []*node
	left     int // elidedNode: elements
}

// A long list keeps keepFirst elements at its beginning and keepLast at its end.
const (
	keepFirst = 8
	keepLast  = 2
)

// mostOther is how many bytes are shown in place of those of a row that is always the same.
const mostOther = 16

// Viewer knows a program well enough to explain what it reads. It does not change,
// and may be used by any number of goroutines.
type Viewer struct {
	p       *bytecode.Program
	print   *notation.Notation
	unions  map[*bytecode.Rule]uint32 // routines of unions by the rule of their header
	selects map[*bytecode.Rule]uint64 // bits of a header that choose the arm
	scalars map[*bytecode.Rule]bytecode.Scalar
	rows    map[place]*schema.Row
	tuples  map[place][]string     // names of the numbers in an element, by list
	arms    map[string]*schema.Arm // by union and name
	words   map[string]string      // names of the numbers that select arms, by union
	types   map[string]bool        // names of types and arms, with which those of their rows begin
}

// place is a line of a schema, by the base name of its file.
type place struct {
	file string
	line int
}

// NewViewer returns a Viewer for a program. The schema that it was compiled from
// explains bits, and may be nil.
func NewViewer(p *bytecode.Program, s *schema.Schema) (*Viewer, error) {
	print, err := notation.New(p)
	if err != nil {
		return nil, err
	}
	return ViewerOf(print, s), nil
}

// ViewerOf returns a Viewer for the values of the machine of a notation.
func ViewerOf(print *notation.Notation, s *schema.Schema) *Viewer {
	p := print.Machine().Program()
	v := &Viewer{p: p, print: print, unions: map[*bytecode.Rule]uint32{}, selects: map[*bytecode.Rule]uint64{}, scalars: map[*bytecode.Rule]bytecode.Scalar{},
		rows: map[place]*schema.Row{}, tuples: map[place][]string{}, arms: map[string]*schema.Arm{}, words: map[string]string{}, types: map[string]bool{}}
	for i := range p.Types {
		v.types[p.Types[i].Name] = true
	}
	for i := range p.Routines {
		if _, ok := p.UnionTable(uint32(i)); ok {
			rule := &p.Rules[p.Code[p.Routines[i].Start].Rule]
			v.unions[rule] = uint32(i)
			v.selects[rule] = v.selecting(rule)
		}
	}
	for i := range p.Code {
		if in := &p.Code[i]; in.Op == bytecode.Word || in.Op == bytecode.Union {
			v.scalars[&p.Rules[in.Rule]] = in.Scalar()
		}
	}
	if s != nil {
		for _, b := range s.Bodies() {
			schema.Walk(b.Nodes, func(n schema.Node) bool {
				switch n := n.(type) {
				case *schema.Row:
					v.rows[place{path.Base(n.Pos.Filename), n.Pos.Line}] = n
				case *schema.List:
					if n.Element != nil && n.Element.Tuple != nil {
						v.tuples[place{path.Base(n.Pos.Filename), n.Pos.Line}] = n.Element.Tuple.Names
					}
				}
				return true
			})
		}
		for _, u := range s.Unions {
			v.words[u.Name] = u.By.Name
			for _, a := range u.Arms {
				v.arms[u.Name+" "+a.Name] = a
			}
		}
	}
	return v
}

// packet reads one packet that begins at offset base of the input. It returns its tree, and the error if there is
// one. The tree includes what comes after the packet. Offsets in the error are those of the input.
func (v *Viewer) packet(b []byte, base int, opt Options) (nodes []*node, err *interp.Error) {
	t := tracer{v: v, all: opt.All, base: base, cursor: base, root: &node{kind: valueNode}}
	t.open = []*node{t.root}
	reader := v.print.Machine().NewReader(opt.Read)
	reader.Observe(&t)
	value, used, readErr := reader.Read(b)
	nodes = t.root.children
	stopped := readErr != nil // within the value
	if readErr == nil && opt.Strict {
		readErr = reader.Canonical(b, value, used)
	}
	if errors.As(readErr, &err) {
		moved := *err
		moved.Offset += base
		err = &moved
	}
	if err != nil && (stopped || !errors.Is(err, codec.ErrNotCanonical) && !errors.Is(err, codec.ErrTrailing) || t.cursor < base+used) {
		used = t.cursor - base
	}
	kind := trailingNode
	if err != nil && len(nodes) > 0 && !nodes[0].done || len(nodes) == 0 {
		kind = unreadNode
	}
	for _, gap := range gaps(nodes, base, base+len(b)) {
		switch {
		case gap.to <= base+used && kind == trailingNode: // between parts
			nodes = append(nodes, &node{kind: paddingNode, label: "bytes between rows", at: gap.from, size: gap.to - gap.from})
		default:
			nodes = append(nodes, &node{kind: kind, at: gap.from, size: gap.to - gap.from})
		}
	}
	return nodes, err
}

// A span is the bytes from one offset to another.
type span struct{ from, to int }

// gaps returns the bytes between two offsets that no row has. Parts at places need not be in
// the order of their offsets.
func gaps(nodes []*node, from, to int) []span {
	var rows []span
	var visit func(list []*node)
	visit = func(list []*node) {
		for _, n := range list {
			if n.kind != valueNode {
				rows = append(rows, span{n.at, n.at + n.size})
			}
			visit(n.children)
		}
	}
	visit(nodes)
	slices.SortFunc(rows, func(x, y span) int { return cmp.Compare(x.from, y.from) })
	var out []span
	for _, r := range append(rows, span{to, to}) {
		if r.from > from {
			out = append(out, span{from, r.from})
		}
		from = max(from, r.to)
	}
	return out
}

// tracer is an observer that makes the tree of a value.
type tracer struct {
	v      *Viewer
	all    bool
	base   int
	root   *node
	open   []*node
	cursor int // after the last row
}

// Event adds a value, a row or padding to the tree.
func (t *tracer) Event(e *interp.Event) {
	if !e.Outline() {
		return
	}
	parent := t.open[len(t.open)-1]
	n := &node{at: t.base + e.Offset, size: e.Len, path: e.Path(), rule: e.Rule, value: e.Value, number: e.Number, hidden: e.Derived}
	switch e.Kind {
	case interp.Open:
		n.kind = valueNode
		n.label = lastStep(parent.path, n.path)
		if len(t.open) == 1 {
			n.label = ""
		}
		t.open = append(t.open, n)
		parent.children = append(parent.children, n)
		return
	case interp.Close:
		parent.value, parent.size, parent.done = e.Value, e.Len, true
		t.open = t.open[:len(t.open)-1]
		t.thin(t.open[len(t.open)-1])
		return
	case interp.Padding:
		n.kind = paddingNode
	default:
		n.kind = rowNode
	}
	t.cursor = n.at + n.size
	if k := len(parent.children); k > 0 && n.hidden && t.v.Continues(parent.children[k-1].rule, n.rule) {
		parent.children[k-1].size += n.size
		return
	}
	if n.size == 0 && (e.Value.Kind() != interp.Packed || e.Value.Len() == 0) {
		return // an empty text or array takes no bytes; its length says it all
	}
	parent.children = append(parent.children, n)
}

// lastStep is what a path has beyond that of the value around it. The middle of
// paths with very many steps is left out, so one need not begin with the other.
func lastStep(around, path string) string {
	if rest, ok := strings.CutPrefix(path, around); ok {
		return rest
	}
	return path[max(strings.LastIndexByte(path, '['), strings.LastIndexByte(path, '.'), 0):]
}

// thin leaves out elements in the middle of a long list, as they are read.
func (t *tracer) thin(list *node) {
	if t.all || len(list.children) <= keepFirst+keepLast+2 {
		return
	}
	// The elements at the end of the children; a pair is two of them.
	first := len(list.children)
	for first > 0 {
		c := list.children[first-1]
		if c.kind != elidedNode && (c.kind != valueNode || !element(c.label) || listOf(c.label) != listOf(list.children[len(list.children)-1].label)) {
			break
		}
		first--
	}
	run := list.children[first:]
	step := 1
	if len(run) > 0 && isKey(run[0].label) {
		step = 2
	}
	gap := -1
	for i, c := range run {
		if c.kind == elidedNode {
			gap = i
		}
	}
	if gap < 0 {
		if len(run) < step*(keepFirst+keepLast+2) {
			return
		}
		gap = step * keepFirst
		c := run[gap]
		list.children = append(list.children[:first+gap:first+gap], append([]*node{{kind: elidedNode, at: c.at, path: list.path}}, run[gap:]...)...)
		run = list.children[first:]
	}
	for len(run)-gap-1 >= step*(keepLast+1) {
		c := run[gap+1]
		run[gap].size = c.at + c.size - run[gap].at
		if step == 1 || !isKey(c.label) {
			run[gap].left++
		}
		run = append(run[:gap+1], run[gap+2:]...)
	}
	list.children = list.children[:first+len(run)]
}

// element reports whether a label is that of a list's element, or of a map's key or value.
func element(label string) bool {
	return strings.HasSuffix(label, "]") || strings.HasSuffix(label, ")")
}

func isKey(label string) bool { return strings.Contains(label, ".key(") }

// listOf returns the label of an element or a key without its number.
func listOf(label string) string {
	return label[:max(strings.LastIndexByte(label, '['), strings.LastIndex(label, ".key("), 0)]
}

// title says what a value is, and whether its first row is its header.
func (v *Viewer) title(n *node) (name, about string, header *node) {
	if len(n.children) > 0 {
		if c := n.children[0]; c.kind == rowNode && c.hidden && c.rule == n.rule {
			if _, union := v.unions[c.rule]; union {
				header = c
			}
		}
	}
	if t := v.print.Type(n.value); n.done && t != nil && t.Name != "" {
		name = t.Name
	}
	if header != nil {
		arm, text, ok := v.Header(header.rule, header.number)
		if name == "" && ok {
			name = arm
		}
		about = text
	}
	if name == "" {
		if i, union := v.unions[n.rule]; union {
			name = v.p.Routines[i].Name
		} else {
			name = n.rule.Name
		}
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			name = "" // an element of a list, which its label tells
		}
	}
	return name, about, header
}

// Header explains the word of a union that a row has read. It returns the name of the arm that the word selects,
// and its bits. The text is "" if the row is not that of a union, and ok is false if no arm has the number.
func (v *Viewer) Header(rule *bytecode.Rule, number uint64) (name, about string, ok bool) {
	if _, union := v.unions[rule]; !union {
		return "", "", false
	}
	name, id, ok := v.arm(rule, number)
	return name, v.headerText(rule, number, name, id, ok), ok
}

// arm returns the name and number of the arm that a header word chooses.
func (v *Viewer) arm(rule *bytecode.Rule, word uint64) (name string, id uint64, ok bool) {
	if id, ok = v.number(rule, word); !ok {
		return "", 0, false
	}
	table, _ := v.p.UnionTable(v.unions[rule])
	arm, known := table.ByID(id)
	if !known {
		return "", id, false
	}
	return v.p.Types[table.Arms[arm].Type].Name, id, true
}

// number returns the number of the arm that a header word chooses. It is not ok if the word does not choose it.
func (v *Viewer) number(rule *bytecode.Rule, word uint64) (id uint64, ok bool) {
	in := &v.p.Code[v.p.Routines[v.unions[rule]].Start]
	if in.Op != bytecode.Union || in.C >= uint32(len(v.p.Exprs)) {
		return 0, false
	}
	number, ok := v.p.Exprs[in.C].OfWord(word)
	return uint64(number), ok
}

// headerText explains a header word: the type and what else its bits say.
func (v *Viewer) headerText(rule *bytecode.Rule, number uint64, arm string, id uint64, known bool) string {
	union := v.p.Routines[v.unions[rule]].Name
	if s := v.scalars[rule]; s == bytecode.Code4 {
		return notation.WordText(s, number)
	}
	word := v.words[union]
	if word == "" {
		word = "type"
	}
	parts := []string{word + " " + strconv.FormatUint(id, 10)}
	if !known {
		parts[0] += ", unknown"
	}
	selects := v.selects[rule]
	rest := number &^ selects
	if a := v.arms[union+" "+arm]; a != nil {
		for _, b := range a.Bits {
			x, mask := bitsOf(b, number), uint64(schema.Mask(b.N))<<b.Lo
			rest &^= mask
			switch {
			case mask == selects: // the first part has the number of the arm
			case b.N > 1:
				parts = append(parts, b.Field.Name+" "+x)
			case x == "1":
				parts = append(parts, b.Field.Name)
			}
		}
		if rest != 0 {
			parts = append(parts, fmt.Sprintf("other bits %#x", rest))
		}
	} else if rest != 0 {
		parts = append(parts, fmt.Sprintf("flags %#x", rest))
	}
	return strings.Join(parts, ", ")
}

// selecting returns the bits of a header word that choose the arm.
func (v *Viewer) selecting(rule *bytecode.Rule) (mask uint64) {
	none, _ := v.number(rule, 0)
	for bit := uint64(1); bit != 0; bit <<= 1 {
		if id, _ := v.number(rule, bit); id != none {
			mask |= bit
		}
	}
	return mask
}

// bitsOf prints the number in bits of a word.
func bitsOf(b *schema.Bit, word uint64) string {
	if b.Signed {
		above := 64 - b.N
		return strconv.FormatInt(int64(word<<(above-b.Lo))>>above, 10)
	}
	return strconv.FormatUint(word>>b.Lo&uint64(schema.Mask(b.N)), 10)
}

// rowName returns the name of a row without that of its type. The rows of a type in place of a row
// begin with the name of that row, which is also that of the one that is stored. An element has its number as
// its name.
func (v *Viewer) rowName(r, parent *bytecode.Rule, stored bool) string {
	name := r.Name[strings.LastIndexByte(r.Name, '.')+1:]
	inParent := parent != nil && !v.types[parent.Name] // which is nil in a packet that ends before its first value
	for at := strings.LastIndexByte(r.Name, '.'); at >= 0; at = strings.LastIndexByte(r.Name[:at], '.') {
		if of := r.Name[:at]; v.types[of] || inParent && of == parent.Name {
			name = r.Name[at+1:]
			break
		}
	}
	if stored {
		name, _, _ = strings.Cut(name, ".")
	}
	return name
}

// Number prints what the word of a row holds, with its bit fields.
func (v *Viewer) Number(rule *bytecode.Rule, number uint64) (text string, fields string) {
	text = notation.WordText(v.scalars[rule], number)
	row := v.rows[place{rule.File, int(rule.Line)}]
	if row == nil || len(row.Bits) == 0 {
		return text, ""
	}
	var parts []string
	for _, b := range row.Bits {
		parts = append(parts, b.Field.Name+" "+bitsOf(b, number))
	}
	return fmt.Sprintf("%#x", number), strings.Join(parts, ", ")
}

// Continues reports whether words of two rules after each other are parts of one row that is always the same.
func (v *Viewer) Continues(before, after *bytecode.Rule) bool {
	return before == after && v.constant(after) != nil
}

// Constant returns the value of a row that is always the same, in the notation of the schema. Other bytes, which a
// reader may accept, are returned in hexadecimal. It returns false for another row.
func (v *Viewer) Constant(rule *bytecode.Rule, found []byte) (text string, ok bool) {
	row := v.constant(rule)
	switch {
	case row == nil:
		return "", false
	case bytes.Equal(found, row.Constant):
		return schema.Notation{}.Text(row.Value), true
	case len(found) > mostOther:
		return fmt.Sprintf("% x … %d bytes in all", found[:mostOther], len(found)), true
	}
	return fmt.Sprintf("% x", found), true
}

// constant returns the row of a rule if it is always the same, else nil.
func (v *Viewer) constant(rule *bytecode.Rule) *schema.Row {
	if rule == nil {
		return nil
	}
	if row := v.rows[place{rule.File, int(rule.Line)}]; row != nil && row.Constant != nil {
		return row
	}
	return nil
}

// HasBits reports whether bits of the word of a row are fields, or select an arm.
func (v *Viewer) HasBits(rule *bytecode.Rule) bool {
	if _, union := v.unions[rule]; union {
		return true
	}
	row := v.rows[place{rule.File, int(rule.Line)}]
	return row != nil && len(row.Bits) > 0
}

// Summary says how much a value holds that has parts, "" for other values.
func (v *Viewer) Summary(val interp.Value) string {
	switch val.Kind() {
	case interp.List:
		return count(val.Len(), "element", "elements")
	case interp.Map:
		return count(val.Len(), "pair", "pairs")
	case interp.Packed:
		return count(val.Len(), "element", "elements")
	case interp.Record:
		// A typed container is a record of its types and what it holds.
		only := interp.Value{}
		for _, f := range val.Cells() {
			if f.Kind() == interp.Map || f.Kind() == interp.List {
				if !only.IsNone() {
					return ""
				}
				only = f
			}
		}
		return v.Summary(only)
	}
	return ""
}

// count is a number of things, in words.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
