// Statements: the entries of a type in the order in which they are read.

package kaitai

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

func and(a, b string) string {
	if a == "" {
		return b
	}
	return paren(a) + " and " + paren(b)
}

// block declares statements that are read where a condition holds.
func (w *writer) block(t *ktype, of *model.Type, block []*model.Stmt, vals values, cond string) {
	for i := 0; i < len(block); i++ {
		s := block[i]
		rule := w.m.Rules[s.Rule].Name
		if s.Written() || w.leaf(t, of, s, block[i+1:], vals, cond) || w.elements(t, of, s, block[i+1:], vals, cond) {
			continue
		}
		switch s.Op {
		case model.OpWord:
			typ, path := w.numeral(s)
			vals.regs[s.Reg] = &value{text: t.add(cond, field(rule, "word")).set("type", typ).id + path}
		case model.OpCompare:
			w.compare(t, s, vals, cond)
		case model.OpNote:
			if !s.Any {
				w.cannot.AnySum(rule)
			}
		case model.OpBase:
			vals.bases[s.Base] = "_io"
			w.cannot.Add("That bytes between rows at places are 0 unless a row has them, that these rows do not overlap, that they are where a writer puts them, and that views show bytes before the end of their record.")
		case model.OpGaps:
			w.cannot.Gaps(rule)
			i++ // the bytes
		case model.OpSeek:
			end := ending(block, i, model.OpSeek, model.OpBack)
			w.part(t, of, s, block[i+1:end], vals, cond)
			i = end
		case model.OpLet:
			if op := s.Expr.Op; op == model.ExprMore || op == model.ExprLeft { // which holds at this place only
				vals.regs[s.Reg] = &value{text: t.keep(model.ExprName(op), w.number(t, s.Expr, vals), cond)}
				break
			}
			if s.Expr.Op == model.ExprMember {
				vals.regs[s.Reg] = &value{text: t.instance(field(rule, "number"), w.member(t, s.Expr))}
				break
			}
			vals.regs[s.Reg] = &value{text: t.instance(field(rule, "number"), w.number(t, s.Expr, vals))}
		case model.OpStop:
			if of.Union == "" {
				t.ends(w.condition(t, s.Expr, vals))
			}
		case model.OpCheck:
			if s.Expr.OfArray() {
				w.cannot.Unchecked(rule)
				break
			}
			t.demand(cond, w.condition(t, s.Expr, vals), s.Text)
		case model.OpMark:
			if padded(block[i:]) || w.named[s.Reg] {
				vals.regs[s.Reg] = &value{text: t.keep("begin", "_io.pos", cond)}
			}
		case model.OpSize:
			if i+1 < len(block) && block[i+1].Op == model.OpPad {
				t.last, t.lastCond = "_io.pos - "+t.ref(vals.regs[s.Place]), cond
			}
			if w.named[s.Reg] {
				vals.regs[s.Reg] = &value{text: t.keep("measured", "_io.pos - "+t.ref(vals.regs[s.Place]), cond)}
			}
		case model.OpPad:
			w.pad(t, s, cond)
		case model.OpIf:
			holds := w.condition(t, s.Expr, vals)
			yes, no := vals.clone(), vals.clone()
			w.block(t, of, s.Then, yes, and(cond, holds))
			w.block(t, of, s.Else, no, and(cond, not(holds)))
			merge(vals.regs, holds, yes.regs, no.regs)
			merge(vals.texts, holds, yes.texts, no.texts)
		case model.OpEnter:
			end := ending(block, i, model.OpEnter, model.OpLeave)
			w.region(t, of, s, block[i+1:min(end, len(block))], vals, cond)
			i = end
		}
	}
}

// compare declares that a number is the one that it follows from. Otherwise it notes that the description does not say
// so.
func (w *writer) compare(t *ktype, s *model.Stmt, vals values, cond string) {
	rule := w.m.Rules[s.Rule].Name
	if !s.Derived {
		w.cannot.AnySum(rule)
		return
	}
	same := ""
	if w.missing.Try(func() { same = w.number(t, s.Expr, vals) }) {
		t.demand(cond, t.ref(vals.regs[s.Reg])+" == "+paren(same), s.Unequal())
		return
	}
	w.cannot.Redundant(rule)
}

// region declares the type of a region, and a field of it. inner are the statements in the region.
func (w *writer) region(t *ktype, of *model.Type, s *model.Stmt, inner []*model.Stmt, vals values, cond string) {
	rule := w.m.Rules[s.Rule].Name
	size := w.number(t, s.Expr, vals)
	region := w.newType(w.taken.Name(t.name+"_"+field(rule, "region")), nil)
	own, pass := w.pass(t, region, inner, vals)
	before := own.clone()
	w.block(region, of, inner, own, "")
	if w.hasBase(inner) {
		w.cannot.Add("That rows at places go up to the end of the bytes that are for them.")
	} else {
		region.demand("", "_io.eof", "the region is used up")
	}
	a := t.add(cond, field(rule, "region")).set("type", call(region.name, pass)).set("size", size)
	t.within(region, a.id)
	leave(vals.regs, before.regs, own.regs, region, a.id)
	leave(vals.texts, before.texts, own.texts, region, a.id)
	t.last, t.lastCond = size, cond
}

// leaf declares a field without parts, and reports whether the statement is one. rest are the statements after it.
func (w *writer) leaf(t *ktype, of *model.Type, s *model.Stmt, rest []*model.Stmt, vals values, cond string) bool {
	switch s.Op {
	case model.OpScalars:
		typ, after := w.numeral(s)
		a := w.cell(t, of, s, cond).set("type", typ)
		if cond == "" {
			t.numbers[s.Cell] = a.id + after
		}
	case model.OpTruth:
		a := w.cell(t, of, s, cond).set("type", w.scalar(s.Scalar, s.Swapped))
		t.numbers[s.Cell] = a.id
		if s.Nonzero {
			t.numbers[s.Cell] = "(" + a.id + " != 0 ? 1 : 0)"
		} else {
			a.set("valid/expr", "_ == 0 or _ == 1")
		}
	case model.OpTake, model.OpArmRef:
		name := w.cellName(of, s)
		number := t.ref(vals.regs[s.Reg])
		text := number
		t.numbers[s.Cell] = number
		if s.Op == model.OpTake && s.Take == builtin.Bool {
			text += " != 0"
			t.numbers[s.Cell] = "(" + text + " ? 1 : 0)"
		}
		if number != name && number != name+".number" { // else the word has the field's name already
			t.instance(name, text)
		}
		if s.Op == model.OpArmRef {
			known := cmp.Or(among(number, s.Elem.Union.Known()), "false")
			t.demand(cond, known, "the number is that of a known type")
		}
	case model.OpLanes:
		typ := w.tuple(of, s)
		a := w.cell(t, of, s, cond).set("type", typ)
		if of.Lanes != nil {
			tuple := w.types[slices.IndexFunc(w.types, func(t *ktype) bool { return t.name == typ })]
			for i, n := range tuple.seq {
				t.numbers[i] = a.id + "." + n.id + path(s.Scalar)
			}
		}
	case model.OpText:
		w.text(t, of, s, rest, vals, cond)
	case model.OpPacked:
		w.packed(t, of, s, rest, vals, cond)
	default:
		return false
	}
	return true
}

// text declares a text.
func (w *writer) text(t *ktype, of *model.Type, s *model.Stmt, rest []*model.Stmt, vals values, cond string) {
	if s.Expr == nil || s.End != nil {
		w.begin(t, rest, cond)
		typ := "str"
		if s.End != nil && s.End.Unit > 1 {
			typ, w.units = "strz", true
		}
		a := w.cell(t, of, s, cond).set("type", typ)
		w.delimited(t, s, a, vals)
		a.set("encoding", w.charset(s))
		vals.texts[s.Cell] = w.length(a.id, s)
		w.compared(s.Cell, s.Encoding, a.id, vals)
		return
	}
	size := w.number(t, s.Expr, vals)
	a := w.cell(t, of, s, cond).set("type", "str").set("size", size).set("encoding", w.charset(s))
	e := w.m.Encodings[s.Encoding]
	if e.NUL != schema.NULKeep {
		a.set("terminator", "0")
	}
	t.last, t.lastCond = size, cond
	vals.texts[s.Cell] = &value{text: size}
	w.compared(s.Cell, s.Encoding, a.id, vals)
	if e.NUL != schema.NULKeep || e.DropBOM {
		vals.texts[s.Cell] = w.length(a.id, s)
	}
}

// packed declares an array of numbers.
func (w *writer) packed(t *ktype, of *model.Type, s *model.Stmt, rest []*model.Stmt, vals values, cond string) {
	if s.End != nil {
		w.begin(t, rest, cond)
		w.delimited(t, s, w.cell(t, of, s, cond), vals)
		return
	}
	n, bytes := "", s.Scalar == builtin.U8 && s.Width == 1
	switch {
	case s.Expr == nil:
		w.begin(t, rest, cond)
		if !bytes {
			n = t.keep("tuples", fmt.Sprintf("(_io.size - _io.pos) / %d", s.Width*s.Scalar.Width()), cond)
		}
	case !bytes:
		n = w.count(t, s, vals, cond)
	}
	a := w.cell(t, of, s, cond)
	switch {
	case s.Expr == nil && bytes:
		a.set("size-eos", "true")
	case bytes:
		t.last, t.lastCond = w.number(t, s.Expr, vals), cond
		a.set("size", t.last)
	default:
		typ := w.scalar(s.Scalar, s.Swapped)
		if s.Width > 1 {
			typ = w.tuple(of, s)
		}
		a.set("type", typ).set("repeat", "expr").set("repeat-expr", n)
		if s.Expr != nil { // else bytes behind the last tuple are left
			t.lastCond = cond
			t.last = fmt.Sprintf("%s * %d", paren(n), s.Width*s.Scalar.Width())
		}
	}
}

// elements declares a field with parts, and reports whether the statement is one.
func (w *writer) elements(t *ktype, of *model.Type, s *model.Stmt, rest []*model.Stmt, vals values, cond string) bool {
	switch s.Op {
	case model.OpList:
		n := w.count(t, s, vals, cond)
		w.begin(t, rest, cond)
		w.cell(t, of, s, cond).set("type", w.called(t, s, vals)).set("repeat", "expr").set("repeat-expr", n)
	case model.OpMap:
		n := w.count(t, s, vals, cond)
		w.begin(t, rest, cond)
		w.cell(t, of, s, cond).set("type", w.pair(t, s, vals)).set("repeat", "expr").set("repeat-expr", n)
	case model.OpRest:
		w.begin(t, rest, cond)
		until := ""
		switch {
		case s.Stops:
			until = "_." + endsList
		case s.Spare > 0: // the list can be empty
			until = fmt.Sprintf("_io.size - _io.pos <= %d", s.Spare)
			cond = and(cond, fmt.Sprintf("_io.size - _io.pos > %d", s.Spare))
		}
		a := w.cell(t, of, s, cond).set("type", w.called(t, s, vals))
		if until == "" {
			a.set("repeat", "eos")
		} else {
			a.set("repeat", "until").set("repeat-until", until)
		}
	case model.OpCall:
		w.begin(t, rest, cond)
		a := w.cell(t, of, s, cond).set("type", w.called(t, s, vals))
		t.rows[s.Cell] = row{a.id, s.Elem.Type}
	default:
		return false
	}
	return true
}

// ending returns the index of the statement that ends what statement i of a block begins.
func ending(block []*model.Stmt, i int, begin, end model.Op) int {
	deep := 0
	for ; i < len(block); i++ {
		switch block[i].Op {
		case begin:
			deep++
		case end:
			if deep--; deep == 0 {
				return i
			}
		}
	}
	return i
}

// part declares an instance for the statements of a row at a place. An entry of no bytes reads it
// where the row is.
func (w *writer) part(t *ktype, of *model.Type, s *model.Stmt, inner []*model.Stmt, vals values, cond string) {
	rule := w.m.Rules[s.Rule].Name
	io, place := vals.bases[s.Base], w.number(t, s.Expr, vals)
	t.demand(cond, fmt.Sprintf("%s >= 0 and %s <= %s.size", paren(place), paren(place), io), "the place is in the bytes that it counts from")
	part := w.newType(w.taken.Name(t.name+"_"+field(rule, "part")), nil)
	own, pass := w.pass(t, part, inner, vals)
	before := own.clone()
	w.block(part, of, inner, own, "")
	name := t.ids.Name(field(rule, "part") + "_at_its_place")
	t.parts = append(t.parts, &attr{id: name, keys: [][2]string{{"io", io}, {"pos", place}, {"type", call(part.name, pass)}}})
	t.add(and(cond, name+"._io.pos >= 0"), "mark").set("size", "0")
	t.within(part, name)
	leave(vals.regs, before.regs, own.regs, part, name)
	leave(vals.texts, before.texts, own.texts, part, name)
}

// hasBase reports whether the statements of a region read a record from which places count.
func (w *writer) hasBase(block []*model.Stmt) bool {
	base := false
	model.Walk(block, func(s *model.Stmt) {
		if s.Op != model.OpCall {
			return
		}
		bodies := [][]*model.Stmt{s.Elem.Body}
		if s.Elem.Union != nil {
			for _, a := range s.Elem.Union.Arms {
				bodies = append(bodies, a.Body)
			}
		}
		for _, body := range bodies {
			base = base || slices.ContainsFunc(body, func(x *model.Stmt) bool { return x.Op == model.OpBase })
		}
	})
	return base
}

func (w *writer) cellName(of *model.Type, s *model.Stmt) string {
	if s.Cell < len(of.Fields) && of.Fields[s.Cell].Name != "" {
		return model.Snake(of.Fields[s.Cell].Name)
	}
	return "value"
}

// cell adds the entry for a cell. If branches set it, each branch names it differently.
func (w *writer) cell(t *ktype, of *model.Type, s *model.Stmt, cond string) *attr {
	name := w.cellName(of, s)
	names := []string{name, name + "_" + s.Scalar.String()}
	if s.Wide || cond != "" && s.Scalar != builtin.NoScalar {
		names = names[1:]
	}
	a := t.add(cond, names...)
	if s.Cell < len(of.Fields) && a.id == name { // another form of the row has the doc
		if doc := of.Fields[s.Cell].Doc; doc != "" {
			a.set("doc", doc)
		}
	}
	number := s.Op == model.OpScalars && s.Scalar != builtin.Code4
	t.cells[s.Cell] = append(t.cells[s.Cell], alternative{cond, a.id + path(s.Scalar), number})
	return a
}

// count returns the number of elements of a list or an array. It demands that the number is
// not negative: Kaitai takes such a number for none.
func (w *writer) count(t *ktype, s *model.Stmt, vals values, cond string) string {
	n := w.number(t, s.Expr, vals)
	if s.Expr.Min < 0 && !unsigned64(s.Expr) {
		t.demand(cond, paren(n)+" >= 0", "the number of elements is not negative")
	}
	if strings.ContainsAny(n, "^&") { // which bind less than the comparison of a loop, in JavaScript
		n = t.instance("count", n)
	}
	return n
}

// delimited sets the size of text or bytes that end before others, or at the end.
func (w *writer) delimited(t *ktype, s *model.Stmt, a *attr, vals values) {
	e, stops := s.End, s.Op == model.OpText && w.m.Encodings[s.Encoding].NUL != schema.NULKeep
	if e == nil {
		a.set("size-eos", "true")
		if stops {
			a.set("terminator", "0")
		}
		return
	}
	row := "the row " + w.m.Rules[s.Rule].Name
	switch {
	case e.Unit > 1 && e.Fill && (s.Expr.Op != builtin.Num || int(s.Expr.Num)%e.Unit != 0):
		w.missing.Add(row + ", which may have a byte after its last code unit")
	case e.Unit > 1 && e.Last:
		w.missing.Add(row + ", whose last code units fill it")
	case e.Unit > 1 && e.Bytes == "\x00\x00": // strz is of code units
	case len(e.Bytes) > 1:
		w.missing.Add(fmt.Sprintf("%s, which ends before %d bytes", row, len(e.Bytes)))
	case stops && e.Bytes != "\x00" && !e.Last:
		w.missing.Add(row + ", which ends before a byte and before a zero byte")
	}
	if e.Fill {
		a.set("size", w.number(t, s.Expr, vals))
	}
	switch {
	case e.Last:
		a.set("pad-right", fmt.Sprint(e.Bytes[0]))
		if stops {
			a.set("terminator", "0")
		}
	case e.Unit == 1:
		a.set("terminator", fmt.Sprint(e.Bytes[0]))
	}
	if e.Check || e.Zero {
		w.cannot.Add("That text, in the form in which it is written, ends where its bytes end.")
	}
}

// begin keeps the place of an entry that is followed by padding, so that t.last is its
// size.
func (w *writer) begin(t *ktype, after []*model.Stmt, cond string) {
	if !model.Padded(after, -1, false, false) {
		return
	}
	t.last, t.lastCond = "_io.pos - "+t.keep("begin", "_io.pos", cond), cond
}

// padded reports whether padding goes by the size of what a mark at the beginning of the
// block begins.
func padded(block []*model.Stmt) bool {
	for i, s := range block {
		if s.Op == model.OpSize && s.Place == block[0].Reg {
			return i+1 < len(block) && block[i+1].Op == model.OpPad
		}
	}
	return false
}

// record declares the statements of a record.
func (w *writer) record(t *ktype, of *model.Type, body []*model.Stmt, vals values) {
	w.counts, w.texts, w.named = model.Counts(body), model.Compared(body), map[int]bool{}
	model.Walk(body, func(s *model.Stmt) {
		s.Exprs(false, func(e *model.Expr) {
			e.Walk(func(x *model.Expr) { w.named[x.Reg] = w.named[x.Reg] || x.Op == builtin.Ref })
		})
	})
	w.block(t, of, body, vals, "")
	t.choices(of)
	w.members(t, of)
}

func (w *writer) pad(t *ktype, s *model.Stmt, cond string) {
	if t.last == "" {
		return
	}
	if t.lastCond != "" && t.lastCond != cond {
		w.missing.Add("padding that goes by the size of a row under another condition")
	}
	size := fmt.Sprintf("(%d - %s %% %d) %% %d", s.Align, paren(t.last), s.Align, s.Align)
	if s.OrEnd {
		size = fmt.Sprintf("%s < _io.size - _io.pos ? %s : _io.size - _io.pos", paren(size), paren(size))
	}
	if s.Exact {
		n := t.keep("fill", size, cond)
		t.add(cond, "padding").set("type", "u1").set("repeat", "expr").set("repeat-expr", n).set("valid", strconv.Itoa(int(s.Fill)))
		return
	}
	t.add(cond, "padding").set("size", size)
}

// pair prints the type of a pair of a map, with the arguments of its key and its value.
func (w *writer) pair(t *ktype, s *model.Stmt, vals values) string {
	of := s.Key.Args
	args := append(w.given(t, s.Key, s.Args[:of], vals), w.given(t, s.Elem, s.Args[of:], vals)...)
	key := "pair " + w.names[s.Key] + " " + w.names[s.Elem]
	if name, ok := w.lanes[key]; ok {
		return call(name, args)
	}
	name := w.taken.Name(w.names[s.Elem]+"_pair", w.names[s.Key]+"_"+w.names[s.Elem]+"_pair")
	w.lanes[key] = name
	pair := w.newType(name, nil)
	for _, side := range []struct {
		id string
		of *model.Routine
	}{{"key", s.Key}, {"value", s.Elem}} {
		var params []string
		for i := range side.of.Args {
			params = append(params, pair.param(fmt.Sprintf("%s_argument_%d", side.id, i)).text)
		}
		for _, b := range w.needs[side.of] {
			params = append(params, pair.base(b))
		}
		pair.add("", side.id).set("type", call(w.names[side.of], params))
	}
	return call(name, args)
}

// tuple declares a type of several numbers.
func (w *writer) tuple(of *model.Type, s *model.Stmt) string {
	taken := model.Unique{}
	names := s.Tuple(of, "n")
	for i, name := range names {
		names[i] = taken.Name(model.Snake(name))
	}
	key := w.scalar(s.Scalar, s.Swapped) + " " + strings.Join(names, " ")
	if name, ok := w.lanes[key]; ok {
		return name
	}
	base := strings.Join(names, "_")
	if len(base) > 24 || strings.HasPrefix(base, "n0") {
		base = "tuple_of_" + strconv.Itoa(s.Width)
	}
	name := w.taken.Name(base + "_" + s.Scalar.String())
	w.lanes[key] = name
	t := w.newType(name, nil)
	for _, n := range names {
		t.add("", n).set("type", w.scalar(s.Scalar, s.Swapped))
	}
	return name
}

// scalar returns Kaitai's name of a number's form.
func (w *writer) scalar(s builtin.Scalar, swapped bool) string {
	order := ""
	switch {
	case !swapped || s.Width() == 1:
	case w.m.Big:
		order = "le"
	default:
		order = "be"
	}
	switch {
	case s == builtin.Code4: // its number has the first letter lowest in either byte order
		return "u4le"
	case s == builtin.F16:
		w.missing.Add("numbers of " + s.String())
	case s.Odd() && s != builtin.U24:
		return w.odd(s, w.m.Big != swapped)
	case s.Odd() && w.m.Big != swapped:
		return fmt.Sprintf("b%d", 8*s.Width())
	case s.Odd():
		return fmt.Sprintf("b%dle", 8*s.Width())
	case s.IsFloat():
		return fmt.Sprintf("f%d%s", s.Width(), order)
	case s.Signed():
		return fmt.Sprintf("s%d%s", s.Width(), order)
	}
	return fmt.Sprintf("u%d%s", s.Width(), order)
}

// charset returns the name of the character set of a text.
func (w *writer) charset(s *model.Stmt) string {
	switch c := w.m.Encodings[s.Encoding].Charset; c {
	case builtin.ASCII:
		return "ASCII"
	case builtin.Latin1:
		return "ISO-8859-1"
	case builtin.UTF16Little:
		return "UTF-16LE"
	case builtin.UTF16Big:
		return "UTF-16BE"
	default:
		return "UTF-8"
	}
}

// length returns the length of a text as the reader has it.
func (w *writer) length(id string, s *model.Stmt) *value {
	e := w.m.Encodings[s.Encoding]
	one := e.Charset == builtin.ASCII || e.Charset == builtin.Latin1
	return &value{text: id + ".length", letters: !one || e.NUL == schema.NULCounted, marked: !one && !e.DropBOM}
}
