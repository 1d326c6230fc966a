// Views: rows at places that show bytes which other rows have.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// viewed reports a view whose bytes would not be those of its value. Its content has rows at places, or its
// base has content that a reader accepts in other forms than a writer makes.
func (p *prover) viewed(at partRow) {
	seen := map[*Record]bool{}
	uses([]Node{at.node}, func(t *Type) {
		contained(t, func(rec *Record) {
			if len(partsIn(rec)) > 0 {
				p.r.errorf(at.Pos, 1, dsl.CodeArgs, "the content of a view cannot have rows with @, and this one has them in %s", rec.Path).
					WithHint("let the view show fewer rows")
			}
		}, seen)
	})
	inside := p.s.escaping(at.Base.Body...)
	for _, f := range p.s.totals() {
		if f.Record == at.Base || f.Sum.Base == at.Base || slices.Contains(inside, f) {
			p.r.errorf(at.Pos, 1, dsl.CodeArgs, "a view can show %s, which a writer computes after it compares views", f.path()).
				WithHint("count the place of the view from a record inside of %s without %s", f.Sum.Base.BaseName(), f.Name)
		}
	}
	other := &several{seen: map[*Record]bool{}}
	other.body(at.Base.Body)
	if other.why != "" {
		p.r.errorf(at.Pos, 1, dsl.CodeArgs, "the bytes of a view are those that a writer makes, and a reader of %s accepts others, by %s in line %d", at.Base.Path, other.why, other.pos.Line).
			WithHint("leave that out, or the view")
	}
}

// several searches for the first row in records that a reader accepts in other forms than a writer
// makes.
type several struct {
	seen map[*Record]bool
	why  string
	pos  dsl.Pos
}

func (s *several) found(pos dsl.Pos, why string) {
	if s.why == "" {
		s.why, s.pos = why, pos
	}
}

func (s *several) body(body []Node) {
	Walk(body, func(n Node) bool {
		s.node(n)
		return true
	})
	uses(body, func(t *Type) {
		if u := t.Union; t.Form == OfUnion {
			if u.Word != nil {
				s.node(u.Word)
			}
			for _, a := range u.Arms {
				for _, b := range a.Bits {
					s.node(b)
				}
				if len(a.Writes) > 0 {
					s.found(a.Pos, "an arm that is written as another one")
				}
			}
		}
		contained(t, func(rec *Record) { s.body(rec.Body) }, s.seen)
	})
}

func (s *several) node(n Node) {
	switch n := n.(type) {
	case *Row:
		t := n.Type
		switch {
		case n.Any || n.Nonzero || n.Rest || t.Longer || t.FillAny:
			s.found(n.Pos, "any")
		case t.Form == Text && (t.Encoding.DropBOM || t.Encoding.NUL != NULKeep || t.Encoding.Charset == builtin.UTF8Loose):
			s.found(n.Pos, "text that several bytes represent")
		}
		s.pad(n.Pos, n.Pad)
	case *Forms:
		if n.Any {
			s.found(n.Pos, "any")
		}
	case *Bit:
		if n.Any {
			s.found(n.Pos, "any")
		}
	case *List:
		if n.Map {
			s.found(n.Pos, "equal keys")
		}
		s.pad(n.Pos, n.Pad)
	}
}

func (s *several) pad(pos dsl.Pos, p *Pad) {
	if p != nil && (!p.Exact || p.OrEnd) {
		s.found(pos, "padding")
	}
}
