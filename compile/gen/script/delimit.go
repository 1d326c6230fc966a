// Delimiters: text and bytes that end before a terminator, before bytes that fill their row,
// or at the end of their region.

package script

import (
	"fmt"

	"github.com/octable/octable/compile/gen/model"
)

// count prints the number of bytes of text, or of elements of an array, that a reader takes.
// If it ends before bytes, they are looked for first. rest is the number up to the end of the
// region.
func (g *Module) count(s *model.Stmt, rest string) string {
	switch {
	case s.End == nil && s.Expr == nil:
		return rest
	case s.End == nil:
		return g.p.Print(s.Expr)
	}
	n := fmt.Sprintf("n%d", g.Record.next())
	call := fmt.Sprintf("r.until(%s, %d%s)", g.l.Octets(s.End.Bytes), s.Rule, unitOf(s.End))
	if s.End.Fill {
		call = fmt.Sprintf("r.filled(%s, %d, %s, %d%s)", g.p.Print(s.Expr), s.End.Bytes[0], g.Boolean(s.End.Last), s.Rule, unitOf(s.End))
	}
	g.Do(g.l.Let, n, call)
	return n
}

// unitOf prints the last argument of the functions that look for a delimiter. It is the bytes of a code unit, unless
// that is one.
func unitOf(e *model.Delimiter) string {
	if e.Unit == 1 {
		return ""
	}
	return fmt.Sprintf(", %d", e.Unit)
}

// over prints the step over the bytes that end content.
func (g *Module) over(s *model.Stmt) {
	if s.End == nil {
		return
	}
	if s.End.Zero {
		g.Do("r.unstopped(%d)", s.Rule)
	}
	if s.End.Check {
		g.Do("r.ended(%s, %s, %s, %d%s)", g.bytes(s.Cell, s.Encoding), g.l.Octets(s.End.Bytes), g.Boolean(s.End.Last), s.Rule, unitOf(s.End))
	}
	g.Do("r.take(r.tail, %d)", s.Rule)
}

// delimit prints the checks of content that ends before bytes. It returns a function that
// prints the writing of these bytes after it.
func (g *Module) delimit(s *model.Stmt, content string) (after func()) {
	e := s.End
	if e == nil {
		return func() {}
	}
	g.Do("w.ends(%s, %s, %s, %d%s)", content, g.l.Octets(e.Bytes), g.Boolean(e.Last), s.Rule, unitOf(e))
	if !e.Fill {
		return func() { g.Do("w.terminate(%s)", g.l.Octets(e.Bytes)) }
	}
	g.tested(s.Expr, s.Rule)
	n := fmt.Sprintf("fill%d", g.Record.next())
	g.Do(g.l.Let, n, fmt.Sprintf("w.fills(%s, %s, %d)", g.p.Print(s.Expr), fmt.Sprintf(g.l.Length, content), s.Rule))
	return func() { g.Do("w.fill(%s, %d)", n, e.Bytes[0]) }
}
