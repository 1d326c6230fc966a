// Statements of a body.

package wireshark

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// block prints statements. after is as for [model.Padded].
func (w *writer) block(of *model.Type, block []*model.Stmt, after bool) {
	regions := 0
	for i, s := range block {
		padded := model.Padded(block, i, after, false)
		step := s.Step
		if step == "" {
			step = "elements"
		}
		switch s.Op {
		case model.OpLet:
			w.bits(of, block[i:])
		case model.OpTake, model.OpArmRef, model.OpCheck, model.OpHeader, model.OpSubst, model.OpExpect: // these read nothing
		default:
			w.word = word{}
		}
		switch {
		case s.Written() || w.place(s) || w.checksum(s):
			continue
		case w.leaf(of, s):
			w.note(s)
			continue
		}
		switch s.Op {
		case model.OpWord:
			w.f("r%d = %s", s.Reg, read(s, w.numberField(s.Rule, s.Scalar, "")))
			if s.Coding == builtin.Fixed {
				w.word = word{s.Reg, s.Scalar}
			}
		case model.OpStop:
			w.f("s.ended = %s", w.condition(s.Expr))
		case model.OpLet:
			if w.uses[s.Reg] {
				w.f("r%d = %s", s.Reg, w.number(s.Expr))
			}
		case model.OpMark:
			if !s.OfSum || w.uses[s.Reg] {
				w.f("r%d = s.pos", s.Reg)
			}
		case model.OpSize:
			w.f("r%d = s.pos - r%d", s.Reg, s.Place)
			if padded {
				w.f("last = r%d", s.Reg)
			}
		case model.OpCheck:
			if s.Expr.OfArray() {
				w.cannot.Unchecked(w.rule(s))
				break
			}
			w.f("if not (%s) then fail(s, s.pos - %d, %s) end", w.condition(s.Expr), s.Back, quote(s.Text))
		case model.OpGate:
			w.f("gate(s, P.prefs.gate%d, %s)", s.Gate, quote(w.m.Gates[s.Gate]))
		case model.OpPacked:
			if i > 0 && block[i-1].Op == model.OpGaps {
				break // not shown
			}
			w.packed(of, s)
		case model.OpPad:
			w.f("pad(s, t, last, %d, %v, %v, %d)", s.Align, s.OrEnd, s.Exact, s.Fill)
		case model.OpList, model.OpMap, model.OpRest:
			w.elements(s, step)
		case model.OpCall:
			if padded {
				w.f("last = s.pos")
			}
			w.f("%sinside(s, t, %s, R.%s%s)", w.result(s), quote(step), w.names[s.Elem], w.arguments(s.Args))
			if padded {
				w.f("last = s.pos - last")
			}
		case model.OpIf:
			w.f("if %s then", w.condition(s.Expr))
			w.indent++
			w.block(of, s.Then, padded)
			w.indent--
			if len(s.Else) > 0 {
				w.f("else")
				w.indent++
				w.block(of, s.Else, padded)
				w.indent--
			}
			w.f("end")
		case model.OpEnter:
			regions++
			w.f("do")
			w.indent++
			w.f("local outer = region(s, %s)", w.number(s.Expr))
			w.f("local begun = s.pos")
		case model.OpLeave:
			w.f("over(s, outer)")
			w.f("last = s.pos - begun")
			w.indent--
			w.f("end")
			regions--
		}
		w.note(s)
	}
	for ; regions > 0; regions-- { // a region that goes on in a branch: none is compiled so
		w.indent--
		w.f("end")
	}
}

// elements prints the reading of a list or a map.
func (w *writer) elements(s *model.Stmt, step string) {
	w.f("do")
	w.indent++
	if s.Op == model.OpRest {
		w.f("local from, i = s.pos, 0")
		if s.Stops {
			w.f("repeat")
		} else if s.Spare > 0 {
			w.f("while s.stop - s.pos > %d do", s.Spare)
		} else {
			w.f("while s.pos < s.stop do")
		}
	} else {
		least := s.Elem.Min
		if s.Op == model.OpMap {
			least += s.Key.Min
		}
		w.f("local from, n = s.pos, %s", w.number(s.Expr))
		w.f("room(s, n, %d, %s)", least, quote(step))
		w.f("for i = 0, n - 1 do")
	}
	w.indent++
	if s.Op == model.OpMap {
		keys, elems := s.Given()
		w.f("inside(s, t, \"key \" .. i, R.%s%s)", w.names[s.Key], w.arguments(keys))
		w.f("inside(s, t, \"value \" .. i, R.%s%s)", w.names[s.Elem], w.arguments(elems))
	} else {
		w.f("inside(s, t, %s .. i, R.%s%s)", quote(model.Singular(step)+" "), w.names[s.Elem], w.arguments(s.Args))
		if s.Op == model.OpRest {
			w.f("i = i + 1")
		}
	}
	w.indent--
	if s.Stops {
		w.f("until s.ended")
	} else {
		w.f("end")
	}
	w.f("last = s.pos - from")
	if c := (look{builtin.Count, s.Cell}); w.looks[c] {
		number := "n"
		if s.Op == model.OpRest {
			number = "i"
		}
		w.f("%s = %s", c, number)
	}
	w.indent--
	w.f("end")
}

// place prints a statement about places, and reports whether it is one.
func (w *writer) place(s *model.Stmt) bool {
	switch s.Op {
	case model.OpBase:
		w.f("base(s, %d, %d)", s.Base, s.Back)
	case model.OpGaps:
		w.f("s.bases[#s.bases].keeps = true -- %s", w.rule(s))
		w.cannot.Add("Show " + w.rule(s) + ", the bytes between rows at places.")
	case model.OpClose:
		w.f("closed(s)")
	case model.OpSeek:
		w.f("seek(s, %d, %s, %d, %t, %d, %t)", s.Base, w.number(s.Expr), s.Part, s.View, s.Align, s.Any)
	case model.OpBack:
		w.f("back(s)")
	default:
		return false
	}
	return true
}

// checksum prints a statement about a checksum or a copy of a number, and reports whether it is one.
func (w *writer) checksum(s *model.Stmt) bool {
	switch s.Op {
	case model.OpCompare:
		same := ""
		switch stated := w.missing.Try(func() { same = w.number(s.Expr) }); {
		case !stated:
			w.cannot.Redundant(w.rule(s))
		case s.Derived:
			w.f("if r%d ~= %s then fail(s, r%d - %d, %s) end", s.Reg, same, s.Place, s.Back, quote(s.Unequal()))
		default:
			if s.Expr.Min < 0 { // in 64 bits without a sign
				w.missing.Add("a checksum that may be beyond 2^53")
			}
			w.f("compare(s, r%d, %s, r%d, %s)", s.Place, quote(s.Text), s.Reg, same)
		}
	case model.OpSum:
		if s.Needed(w.uses, false) {
			var parts []string
			for _, p := range s.Parts {
				parts = append(parts, fmt.Sprintf("{r%d, r%d, %d}", p.From, p.To, p.With))
			}
			holes := ""
			if s.Holes {
				holes = fmt.Sprintf(", noted(s, %d), %d", s.Base, s.Fill)
			}
			w.f("r%d = sums.%s(covered(s, {%s}%s))", s.Reg, s.Sum, strings.Join(parts, ", "), holes)
		}
	case model.OpNote:
		name := w.rule(s)
		w.f("note(s, %d, %d, r%d, %s)", s.Base, s.Bytes(), s.Reg, quote(name[strings.LastIndex(name, ".")+1:]))
	case model.OpTotal:
		if !s.Any {
			w.f("r%d = sums.%s(whole(s, %d))", s.Reg, s.Sum, s.Fill)
			w.f("totals(s, %s)", w.number(s.Expr))
		}
	default:
		return false
	}
	return true
}

// leaf prints the reading of a field without parts, and reports whether the statement is one.
func (w *writer) leaf(of *model.Type, s *model.Stmt) bool {
	switch s.Op {
	case model.OpScalars:
		w.f("%s%s", w.member(s), read(s, w.field(w.rule(s), protoType(s.Scalar), "", w.doc(of, s))))
	case model.OpTruth:
		w.f("%struth(s, t, %s, %s, %v)", w.member(s), w.field(w.rule(s), protoType(s.Scalar), "", w.doc(of, s)), scalar(s.Scalar, s.Swapped), s.Nonzero)
	case model.OpArmRef:
		var known []string
		for _, a := range s.Elem.Union.Arms {
			if !a.Else {
				known = append(known, fmt.Sprintf("[%d] = %s", a.ID, quote(a.Type.Name)))
			}
		}
		w.f("named(s, t, s.pos - %d, r%d, {%s})", s.Back, s.Reg, strings.Join(known, ", "))
		if a := (look{builtin.Arm, s.Cell}); w.looks[a] {
			w.f("%s = r%d", a, s.Reg)
		}
	case model.OpTake:
		if w.members {
			w.f("%sr%d", w.member(s), s.Reg)
		}
	case model.OpLanes:
		var fields []string
		for _, label := range s.Tuple(of, "") {
			fields = append(fields, w.field(w.rule(s), protoType(s.Scalar), label, ""))
		}
		w.f("%slanes(s, t, {%s}, %s)", w.all(), strings.Join(fields, ", "), scalar(s.Scalar, s.Swapped))
	case model.OpText:
		e := w.m.Encodings[s.Encoding]
		w.count(s)
		w.f("c%d = text(s, t, %s, last, %d, %v, %v)", s.Cell, w.field(w.rule(s), "string", "", w.doc(of, s)), e.Charset, e.NUL != schema.NULKeep, e.DropBOM)
		for _, text := range w.texts[s.Cell] {
			equal := "false"
			if bytes, ok := e.Charset.Encode(text); ok {
				equal = fmt.Sprintf("c%d == %s", s.Cell, literal(bytes))
			}
			w.f("%s = %s", w.equality(s.Cell, text), equal)
		}
		w.over(s)
	default:
		return false
	}
	return true
}

// literal returns a text of some bytes.
func literal(bytes []byte) string {
	text := ""
	for _, b := range bytes {
		text += fmt.Sprintf("\\%03d", b)
	}
	return `"` + text + `"`
}

// count prints the number of bytes of text, or of bytes that end before others.
func (w *writer) count(s *model.Stmt) {
	switch {
	case s.End == nil && s.Expr == nil:
		w.f("last = s.stop - s.pos")
	case s.End == nil:
		w.f("last = %s", w.number(s.Expr))
	case s.End.Fill:
		w.f("last = filled(s, %s, %d, %d, %v, %v)", w.number(s.Expr), s.End.Bytes[0], s.End.Unit, s.End.Last, s.End.Zero)
	default:
		w.f("last = before(s, %s, %d)", literal([]byte(s.End.Bytes)), s.End.Unit)
	}
	if s.End != nil && s.End.Check {
		w.cannot.Add("That text, in the form in which it is written, ends where its bytes end.")
	}
}

// over prints the step over the bytes that end content.
func (w *writer) over(s *model.Stmt) {
	if s.End != nil {
		w.f("last = last + rest(s)")
	}
}

func (w *writer) packed(of *model.Type, s *model.Stmt) {
	if s.End != nil {
		w.count(s)
		w.f("bytes(s, t, %s, last)", w.field(w.rule(s), "bytes", "", w.doc(of, s)))
		w.counted(s)
		w.over(s)
		return
	}
	count := "nil"
	if s.Expr != nil {
		count = w.number(s.Expr)
	}
	if s.Scalar == builtin.U8 && s.Width == 1 {
		w.f("last = bytes(s, t, %s, %s)", w.field(w.rule(s), "bytes", "", w.doc(of, s)), count)
		w.counted(s)
		return
	}
	label := w.rule(s)
	if i := strings.LastIndexByte(label, '.'); i >= 0 {
		label = label[i+1:]
	}
	var fields []string
	names := []string{""}
	if s.Width > 1 {
		names = s.Tuple(of, "")
	}
	for _, name := range names {
		fields = append(fields, w.field(w.rule(s), protoType(s.Scalar), name, ""))
	}
	w.f("last = packed(s, t, %s, {%s}, %s, %s)", quote(label), strings.Join(fields, ", "), count, scalar(s.Scalar, s.Swapped))
	w.counted(s)
}
