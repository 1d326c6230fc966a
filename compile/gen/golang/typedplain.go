// Plain elements: records of fixed rows and texts, which a list reads in one loop with the cursor in a
// variable. An element in which anything is unusual is read by the function of its record, which alone
// knows errors, other texts and limits.

package golang

import (
	"slices"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/schema"
)

// plainSize returns the bytes of each element of a list up to the end, or 0. The elements must be plain and of one
// size.
func (g *generator) plainSize(s *model.Stmt) (size int) {
	if s.Op != model.OpRest || s.Stops || s.Spare > 0 || len(s.Args) > 0 || !g.isPlain(s.Elem) {
		return 0
	}
	for _, s := range s.Elem.Body {
		if s.Op == model.OpText {
			return 0
		}
		size += fixed(s)
	}
	return size
}

// isPlainList reports whether a statement is a list of plain elements.
func (g *generator) isPlainList(s *model.Stmt) bool {
	if s.Op == model.OpRest {
		return g.plainSize(s) > 0
	}
	if s.Op != model.OpList {
		return false
	}
	_, args := s.Given()
	return len(args) == 0 && g.isPlain(s.Elem)
}

// isPlain reports whether the records of a routine are plain.
func (g *generator) isPlain(r *model.Routine) bool {
	if r.Union != nil || r.Nests || r.Args > 0 || len(r.Type.Fields) == 0 || slices.ContainsFunc(r.Type.Fields, func(f *model.Field) bool { return f.Optional }) {
		return false
	}
	sized := false
	for _, s := range r.Body {
		switch {
		case fixed(s) > 0:
			sized = true
		case s.Op == model.OpText && s.End == nil && s.Expr != nil && ofRegisters(s.Expr) && !g.m.Encodings[s.Encoding].Charset.IsUTF16():
			sized = true
		case between(s) && (s.Op != model.OpLet || ofRegisters(s.Expr)):
		default:
			return false
		}
	}
	return sized
}

// ofRegisters reports whether an expression looks at nothing but registers.
func ofRegisters(e *model.Expr) bool {
	ok := true
	e.Walk(func(x *model.Expr) { ok = ok && !x.OfCell() && x.Op < model.ExprFit })
	return ok
}

// hasList reports whether a list of the records of a routine is of a kind.
func (g *generator) hasList(r *model.Routine, is func(*model.Stmt) bool) (found bool) {
	g.m.Each(func(_ *model.Routine, _ *model.Type, body []*model.Stmt) {
		model.Walk(body, func(s *model.Stmt) { found = found || s.Elem == r && is(s) })
	})
	return found
}

// plainElements prints the function that reads plain elements of the lists of a routine, if there are such
// lists.
func (p *emitter) plainElements(r *model.Routine) {
	g := p.g
	if !g.hasList(r, g.isPlainList) {
		return
	}
	calls := ""
	if g.m.CountCalls {
		calls = " || r.calls >= maxNest(r.limit)"
	}
	p.f("// plain%s reads plain elements up to another one, and returns their number.\n", g.routine[r])
	p.f("func (r *reader) plain%s(all []%s) (n int) {\nif r.watch >= 0 || r.memory >= 0%s {\nreturn 0\n}\n", g.routine[r], g.paramType(r, nil), calls)
	p.f("in := r.in[r.pos:r.end]\nfor i := range all {\nb := in\n")
	p.names = 0
	p.cellsOf(r.Type)
	uses := model.Uses(r.Body, false)
	p.registers(setIn(r.Body), uses, 0)
	// The tests that may refuse the element come first, then the fields are set: that is faster.
	set := &emitter{g: g, tuple: p.tuple, lanes: p.lanes}
	for i, s := range r.Body {
		if s.Op == model.OpText {
			p.plainText(s, set)
			continue
		}
		if fixed(s) > 0 && p.run == nil {
			p.plainRun(r.Body[i:])
			set.run, set.runEnd = p.run, p.runEnd
		}
		if s.Op.Keeps() {
			set.readStmt(s, uses, false)
		} else {
			p.readStmt(s, uses, false)
		}
	}
	if set.Len() > 0 {
		p.f("x := &all[i]\n%s", set.String())
	}
	p.f("in, n = b, i+1\n}\nr.pos = r.end - len(in)\nreturn n\n}\n\n")
}

// plainRun prints the step over the fixed rows that begin a block, and begins them.
func (p *emitter) plainRun(block []*model.Stmt) {
	p.run, p.runEnd = &fixedRun{name: p.fresh("row")}, 0
	for _, s := range block {
		if s.Op == model.OpText {
			break
		}
		p.runEnd += fixed(s)
	}
	p.f("if len(b) < %[1]d {\nbreak\n}\n%[2]s := b[:%[1]d]\nb = b[%[1]d:]\n", p.runEnd, p.run.name)
}

// plainText prints the step over a text, and with set the field that it sets.
func (p *emitter) plainText(s *model.Stmt, set *emitter) {
	g := p.g
	t, is := p.fresh("t"), "isPlain"
	if g.m.Encodings[s.Encoding].NUL == schema.NULKeep {
		is = "isASCII"
	}
	p.f("if uint64(%[1]s) > uint64(len(b)) {\nbreak\n}\n%[2]s := b[:%[1]s]\nif b = b[%[1]s:]; !%[3]s(%[2]s) {\nbreak\n}\n", g.number(s.Expr, "r"), t, is)
	set.f("%s = plainText(%s)\n", g.cells[s.Cell].x, t)
	p.run = nil
}

// writtenSize returns the bytes of each element of a list, or 0 if they vary. All rows of an element must be
// fixed and depend on nothing but the element.
func (g *generator) writtenSize(s *model.Stmt) (size int) {
	if s.Op != model.OpList && s.Op != model.OpRest || s.Stops || s.Spare > 0 {
		return 0
	}
	r := s.Elem
	_, args := s.Given()
	if len(args) > 0 || r.Union != nil || r.Nests || r.Args > 0 || g.m.CountCalls || len(r.Type.Fields) == 0 || slices.ContainsFunc(r.Type.Fields, func(f *model.Field) bool { return f.Optional }) {
		return 0
	}
	before := g.cells
	defer func() { g.cells = before }()
	g.cells = g.places(r.Type)
	p := &emitter{g: g}
	for _, s := range r.Body {
		n := p.stored(s)
		switch {
		case n > 0 && (s.Op != model.OpWord && s.Op != model.OpHeader || s.Place < 0):
			size += n
		case n == 0 && silent(s) && s.Op != model.OpMark:
		default:
			return 0
		}
	}
	return size
}

// writePlain prints the function that writes plain elements of the lists of a routine, if there are such lists.
// It writes a part of a long list, so that the room for it is a small multiple of the memory of the list.
func (p *emitter) writePlain(r *model.Routine) {
	g, size := p.g, 0
	g.hasList(r, func(s *model.Stmt) bool { size = max(size, g.writtenSize(s)); return false })
	if size == 0 {
		return
	}
	p.f("// plain%s writes elements up to one that is refused, and returns their number.\n", g.routine[r])
	p.f("func (w *writer) plain%s(out []byte, all []%s) (_ []byte, n int) {\n", g.routine[r], g.paramType(r, nil))
	p.names = 1 // n is the result
	p.cellsOf(r.Type)
	uses := model.Uses(r.Body, true)
	p.run, p.runEnd, p.plain = &fixedRun{name: "row"}, size, true
	p.f("all = all[:min(len(all), %d)]\nat := len(out)\nout = more(out, %[2]d*len(all))\nrows := out[at:]\nfor i := range all {\nx, row := &all[i], rows[%[2]d*i:][:%[2]d]\n", largestPart, size)
	p.registers(assigned(r.Body), uses, 0)
	for _, s := range r.Body {
		p.writeStmt(s, uses, false)
	}
	p.plain, p.run = false, nil
	p.f("n = i + 1\n}\nreturn out[:at+%d*n], n\n}\n\n", size)
}

// largestPart is how many elements are written into room that is made at once.
const largestPart = 4096

// setIn returns the registers that reading a block sets.
func setIn(body []*model.Stmt) map[int]bool {
	set := map[int]bool{}
	model.Walk(body, func(s *model.Stmt) {
		switch s.Op {
		case model.OpWord, model.OpLet, model.OpMark, model.OpSize, model.OpSum, model.OpTotal:
			set[s.Reg] = true
		}
	})
	return set
}
