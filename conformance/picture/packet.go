// Pictures of packets.

package picture

import (
	"fmt"
	"path"

	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/segment"
)

// mostCells bounds the cells of the picture of a packet.
const mostCells = 96

// mostValue is the number of characters of a value that is shown.
const mostValue = 40

// Packet returns the picture of a packet. Of a long one it has the first cells, and one for the rest.
// The schema explains the bits of words; it may be nil.
func Packet(p *segment.Packet, s *schema.Schema) *Picture {
	print := notation.Of(p.Machine())
	bits := wordsOf(s)
	out := &Picture{Title: fmt.Sprintf("packet of %d bytes", len(p.Bytes))}
	var part *Part
	var parent *segment.Node
	cells := 0
	for _, s := range p.Spans() {
		n := s.Leaf
		if cells++; cells > mostCells {
			out.Parts = append(out.Parts, &Part{Cells: []*Cell{{Kind: Raw, Offset: fmt.Sprint(s.From), Bytes: Varies, Length: fmt.Sprint(len(p.Bytes) - s.From),
				Name: "…", Type: fmt.Sprintf("%d bytes more", len(p.Bytes)-s.From)}}})
			break
		}
		if owner := value(n); part == nil || owner != parent {
			parent, part = owner, &Part{Title: place(owner), Depth: depth(owner)}
			out.Parts = append(out.Parts, part)
		}
		c := &Cell{Kind: kindOf(n.Kind), Offset: fmt.Sprint(s.From), Column: s.From % PerLine, Bytes: s.To - s.From, Name: n.Name, Value: shown(print, n, p.Bytes[s.From:s.To])}
		if n.Rule != nil {
			c.Doc = n.Rule.Doc
		}
		if n.Kind == segment.Bits && n.Len == c.Bytes {
			c.Bits = 8 * n.Len
			for _, f := range bits[fmt.Sprintf("%s:%d", n.Rule.File, n.Rule.Line)] {
				f.Name = fmt.Sprintf("%s %d", f.Name, n.Number>>f.Lo&(1<<f.N-1))
				c.Flags = append(c.Flags, f)
			}
		}
		switch n.Kind {
		case segment.Raw:
			c.Name = "not read"
		case segment.Gap:
			c.Name = "gap"
		case segment.Padding:
			c.Name = "padding"
		}
		part.Cells = append(part.Cells, c)
	}
	return out
}

// wordsOf returns the flags of the words of a schema, from the highest bit to the lowest, by their places.
func wordsOf(s *schema.Schema) map[string][]Flag {
	if s == nil {
		return nil
	}
	out := map[string][]Flag{}
	for _, body := range s.Bodies() {
		schema.Walk(body.Nodes, func(n schema.Node) bool {
			if row, ok := n.(*schema.Row); ok && len(row.Bits) > 0 {
				out[fmt.Sprintf("%s:%d", path.Base(row.Pos.Filename), row.Pos.Line)] = spare(64, flagsOf(row.Bits))
			}
			return true
		})
	}
	return out
}

// value returns the innermost value that a leaf is in.
func value(n *segment.Node) *segment.Node {
	for n = n.Parent; n != nil && n.Kind != segment.Value; n = n.Parent {
	}
	return n
}

// place returns the title of the cells of a value.
func place(n *segment.Node) string {
	if n == nil {
		return ""
	}
	return clip(n.Path, 80)
}

// depth returns the number of values around a value.
func depth(n *segment.Node) int {
	d := -1
	for ; n != nil; n = value(n) {
		d++
	}
	return max(d, 0)
}

func kindOf(k segment.Kind) Kind {
	switch k {
	case segment.Derived:
		return Derived
	case segment.Bits:
		return Flags
	case segment.Padding, segment.Gap:
		return Padding
	case segment.Raw:
		return Raw
	}
	return Field
}

// shown returns the value of a leaf, or its bytes.
func shown(print *notation.Notation, n *segment.Node, b []byte) string {
	switch n.Kind {
	case segment.Derived:
		return print.WordText(n.PC, n.Number)
	case segment.Bits:
		return fmt.Sprintf("%#x", n.Number)
	case segment.Field:
		return print.Clipped(n.Value, mostValue)
	}
	if len(b) > 8 {
		return fmt.Sprintf("% x …", b[:8])
	}
	return fmt.Sprintf("% x", b)
}
