// The description: one Kaitai type for each routine, arm and tuple of numbers.

package kaitai

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Schema returns a model as the text of a .ksy file, and notes on rules of the schema
// that the description does not check. The error is a [*model.Unsupported] if a reader
// of the description would misread a packet.
func Schema(m *model.Model) (ksy []byte, cannot []string, err error) {
	w := &writer{m: m, names: map[any]string{}, taken: newNames(), lanes: map[string]string{}, missing: model.Unsupported{Target: "a Kaitai Struct description"}}
	w.id = model.Snake(m.Schema)
	if m.Choice != "" {
		w.id += "_" + model.Snake(m.Choice)
	}
	w.taken.Name(w.id) // a type of this name would hide the outermost one in some languages
	w.note("How values are written: Kaitai Struct describes reading only.")
	w.note(fmt.Sprintf("That values may be nested at most %d deep.", m.Depth))
	for _, g := range m.Gates {
		w.note(fmt.Sprintf("That the part of the format called %s is refused unless the caller allows it: it is read here.", g))
	}
	for _, e := range m.Encodings {
		w.encoding(e)
	}
	for _, r := range m.Routines {
		if r.Union != nil {
			w.names[r] = w.taken.Name(model.Snake(r.Name))
			for _, a := range r.Union.Arms {
				w.names[a] = w.taken.Name(model.Snake(r.Name) + "_" + model.Snake(a.Type.Name))
			}
		} else {
			w.names[r] = w.taken.Name(model.Snake(r.Name))
		}
	}
	for _, r := range m.Routines {
		if r.Union != nil {
			w.union(r)
		} else {
			t := w.newType(w.names[r], r.Type.Doc)
			w.block(t, r.Type, r.Body, t.arguments(r.Args), "")
			t.choices(r.Type)
		}
	}
	if err := w.missing.Err(); err != nil {
		return nil, nil, err
	}
	return w.print(), w.cannot, nil
}

// note remembers something that cannot be said.
func (w *writer) note(s string) {
	if !slices.Contains(w.cannot, s) {
		w.cannot = append(w.cannot, s)
	}
}

func (w *writer) encoding(e *schema.Encoding) {
	switch e.UTF8 {
	case schema.UTF8Strict:
		w.note("That text which is no UTF-8 is refused: what happens depends on the language of the reader.")
	case schema.UTF8Loose:
		w.note("That text may have characters of up to 31 bits, and surrogates: what happens depends on the language of the reader.")
	case schema.UTF8Unchecked:
		w.note("That text may be any bytes: what happens with bytes that are no UTF-8 depends on the language of the reader.")
	}
	if e.DropBOM {
		w.note("That a byte order mark at the beginning of a text is left out.")
	}
}

type writer struct {
	m      *model.Model
	id     string         // of the description
	names  map[any]string // of routines and arms
	taken  names          // names of types
	lanes  map[string]string
	types  []*ktype
	cannot []string

	missing model.Unsupported
}

// ktype is a type of the description.
type ktype struct {
	name      string
	doc       []string
	params    []string
	seq       []*attr
	instances [][2]string
	ids       names
	cells     map[int][]alternative // what sets each cell
	last      string                // the length in bytes of what padding goes by, an expression; "" for 0
	lastCond  string                // the condition under which last was set
}

// value is a number in a type: an expression, one of two values by a condition, or a value
// in the type of a region. A nil value is that of a row that was not read, which is 0.
type value struct {
	text    string // the expression; "" until a choice or a value in a region is referenced
	holds   string // the condition of a choice
	yes, no *value
	region  *ktype // of a value in a region
	id      string // the entry of the region
	inner   *value // the value in the type of the region
	letters bool   // the length of a text in characters, not in bytes
}

// inLetters reports whether a value may be the length of a text in characters.
func (v *value) inLetters() bool {
	return v != nil && (v.letters || v.yes.inLetters() || v.no.inLetters() || v.inner.inLetters())
}

// values are those of registers, and the lengths of texts.
type values struct {
	regs, texts map[int]*value
}

func (v values) clone() values { return values{maps.Clone(v.regs), maps.Clone(v.texts)} }

// ref returns an expression for a value. It declares an instance for a choice that is
// referenced for the first time.
func (t *ktype) ref(v *value) string {
	switch {
	case v == nil:
		return "0"
	case v.text != "":
	case v.region != nil:
		v.text = v.id + "." + v.region.ref(v.inner)
	default:
		yes, no := t.ref(v.yes), t.ref(v.no)
		first, second := yes, no
		if v.yes == nil {
			first, second = no, yes
		}
		v.text = t.instance(identifier(first+"_or_"+second), fmt.Sprintf("%s ? %s : %s", paren(v.holds), yes, no))
	}
	return v.text
}

// identifier returns a name made of an expression.
func identifier(expr string) string {
	name := strings.Trim(notInName.ReplaceAllString(expr, "_"), "_")
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "n" + name
	}
	return name
}

var notInName = regexp.MustCompile(`[^a-z0-9]+`)

// merge sets the values after both branches of a condition.
func merge(to map[int]*value, holds string, yes, no map[int]*value) {
	for _, r := range slices.Sorted(maps.Keys(union(yes, no))) {
		if to[r] = yes[r]; yes[r] != no[r] {
			to[r] = &value{holds: holds, yes: yes[r], no: no[r]}
		}
	}
}

// names gives out names, each only once. Names that differ in underscores only are the
// same in the languages of Kaitai Struct.
type names struct{ taken map[string]bool }

// newNames returns names without those that expressions have a meaning for.
func newNames() names {
	return names{map[string]bool{"true": true, "false": true, "not": true, "and": true, "or": true}}
}

// Name returns the first of the names that is not taken, or the last one with a number
// behind it, and takes it.
func (n names) Name(all ...string) string {
	for i := 1; ; i++ {
		for _, name := range all {
			if i > 1 {
				name = all[len(all)-1] + "_" + strconv.Itoa(i)
			}
			if key := strings.ReplaceAll(name, "_", ""); !n.taken[key] {
				n.taken[key] = true
				return name
			}
		}
	}
}

// alternative is a field that sets a cell under a condition.
type alternative struct {
	cond, id string
	number   bool
}

// attr is an entry of a sequence: its id, and other keys with their values.
type attr struct {
	id   string
	keys [][2]string
}

func (a *attr) set(key, value string) *attr {
	a.keys = append(a.keys, [2]string{key, value})
	return a
}

func (w *writer) newType(name string, doc []string) *ktype {
	t := &ktype{name: name, doc: doc, ids: newNames(), cells: map[int][]alternative{}}
	w.types = append(w.types, t)
	return t
}

// arguments declares the arguments of a routine and returns its registers.
func (t *ktype) arguments(n int) values {
	vals := newValues()
	for i := range n {
		vals.regs[i] = t.param("argument_" + strconv.Itoa(i))
	}
	return vals
}

func newValues() values { return values{map[int]*value{}, map[int]*value{}} }

// param declares a parameter and returns its value.
func (t *ktype) param(name string) *value {
	name = t.ids.Name(name)
	t.params = append(t.params, name)
	return &value{text: name}
}

// pass declares parameters of a type for the values that its statements look at, and
// returns their values in it, and what they are outside.
func (t *ktype) pass(inner *ktype, block []*model.Stmt, vals values) (own values, args []string) {
	regs, texts := model.Uses(block, false), map[int]bool{}
	model.Walk(block, func(s *model.Stmt) {
		s.Exprs(false, func(e *model.Expr) {
			e.Walk(func(x *model.Expr) {
				if x.Op == builtin.Len {
					texts[x.Cell] = true
				}
			})
		})
	})
	own = newValues()
	pass := func(to, from map[int]*value, uses map[int]bool) {
		for _, i := range slices.Sorted(maps.Keys(from)) {
			if uses[i] {
				arg := t.ref(from[i])
				to[i] = inner.param(identifier(arg))
				to[i].letters = from[i].inLetters()
				args = append(args, arg)
			}
		}
	}
	pass(own.regs, vals.regs, regs)
	pass(own.texts, vals.texts, texts)
	return own, args
}

// leave sets the values that a region sets. before are those at its beginning, in its type.
func leave(to, before, after map[int]*value, region *ktype, id string) {
	for i, v := range after {
		if v != before[i] {
			to[i] = &value{region: region, id: id, inner: v}
		}
	}
}

func (t *ktype) add(cond string, names ...string) *attr {
	a := &attr{id: t.ids.Name(names...)}
	if cond != "" {
		a.set("if", cond)
	}
	t.seq = append(t.seq, a)
	return a
}

// demand refuses unless an expression holds: an entry of no bytes does.
func (t *ktype) demand(cond, expr, doc string) {
	a := t.add(cond, "check").set("size", "0")
	if doc != "" {
		a.set("doc", doc)
	}
	a.set("valid/expr", expr)
}

func (t *ktype) instance(name, value string) string {
	name = t.ids.Name(name)
	t.instances = append(t.instances, [2]string{name, value})
	return name
}

// union declares a union: the word that tells the arm, and what follows it.
func (w *writer) union(r *model.Routine) {
	u := r.Union
	t := w.newType(w.names[r], nil)
	vals := t.arguments(r.Args)
	if u.Word != builtin.NoScalar {
		vals.regs[u.Reg] = &value{text: t.add("", field(w.m.Rules[u.Rule].Name, "word")).set("type", w.scalar(u.Word)).id}
	}
	number := t.instance("arm", w.expr(t, u.Expr, vals))
	other, known := false, ""
	for _, span := range spans(u.Arms) {
		if known != "" {
			known += " or "
		}
		if span[0] == span[1] {
			known += fmt.Sprintf("%s == %d", number, span[0])
		} else {
			known += fmt.Sprintf("(%s >= %d and %s <= %d)", number, span[0], number, span[1])
		}
	}
	for _, a := range u.Arms {
		other = other || a.Else
	}
	if !other {
		t.demand("", known, "the number is that of a known type")
	}
	body := t.add("", "body")
	for _, a := range u.Arms {
		arm := w.newType(w.names[a], a.Type.Doc)
		inner, pass := t.pass(arm, a.Body, vals)
		w.block(arm, a.Type, a.Body, inner, "")
		arm.choices(a.Type)
		if a.ID > model.MaxExact && !a.Else {
			w.missing.Add(fmt.Sprintf("the number of the arm %s.%s, which is beyond 2^53", r.Name, a.Type.Name))
		}
		key := strconv.FormatUint(a.ID, 10)
		if a.Else {
			key = "_"
		}
		body.set("case/"+key, call(arm.name, pass))
	}
	body.set("switch-on", number)
}

// spans returns the numbers of arms, as few ranges as there are.
func spans(arms []*model.Arm) [][2]uint64 {
	var out [][2]uint64
	for _, a := range arms {
		switch n := len(out); {
		case a.Else:
		case n > 0 && out[n-1][1]+1 == a.ID:
			out[n-1][1] = a.ID
		default:
			out = append(out, [2]uint64{a.ID, a.ID})
		}
	}
	return out
}

func call(name string, args []string) string {
	if len(args) == 0 {
		return name
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// field returns what a row is called, without its type.
func field(rule, otherwise string) string {
	if _, name, ok := strings.Cut(rule, "."); ok && name != "" {
		return model.Snake(name)
	}
	return otherwise
}

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
		switch s.Op {
		case model.OpWord:
			vals.regs[s.Reg] = &value{text: t.add(cond, field(rule, "word")).set("type", w.scalar(s.Scalar)).id}
		case model.OpLet:
			vals.regs[s.Reg] = &value{text: t.instance(field(rule, "number"), w.number(t, s.Expr, vals))}
		case model.OpCheck:
			t.demand(cond, w.condition(t, s.Expr, vals), s.Text)
		case model.OpScalars:
			w.cell(t, of, s, cond).set("type", w.scalar(s.Scalar))
		case model.OpTruth:
			a := w.cell(t, of, s, cond).set("type", w.scalar(s.Scalar))
			if !s.Nonzero {
				a.set("valid/expr", "_ == 0 or _ == 1")
			}
		case model.OpTake, model.OpArmRef:
			name := w.cellName(of, s)
			number := t.ref(vals.regs[s.Reg])
			text := number
			if s.Op == model.OpTake && s.Take == builtin.Bool {
				text += " != 0"
			}
			if number != name { // else the word has the field's name already
				t.instance(name, text)
			}
			if s.Op == model.OpArmRef {
				known := ""
				for _, span := range spans(s.Elem.Union.Arms) {
					if known != "" {
						known += " or "
					}
					known += fmt.Sprintf("(%s >= %d and %s <= %d)", number, span[0], number, span[1])
				}
				if known == "" {
					known = "false"
				}
				t.demand(cond, known, "the number is that of a known type")
			}
		case model.OpLanes:
			w.cell(t, of, s, cond).set("type", w.tuple(of, s))
		case model.OpText:
			size := w.number(t, s.Expr, vals)
			a := w.cell(t, of, s, cond).set("type", "str").set("size", size).set("encoding", "UTF-8")
			e := w.m.Encodings[s.Encoding]
			if e.NUL != schema.NULKeep {
				a.set("terminator", "0")
			}
			t.last, t.lastCond = size, cond
			vals.texts[s.Cell] = &value{text: size}
			if e.NUL != schema.NULKeep || e.DropBOM {
				vals.texts[s.Cell] = &value{text: a.id + ".length", letters: true}
			}
		case model.OpPacked:
			n, bytes := "", s.Scalar == builtin.U8 && s.Width == 1
			switch {
			case s.Expr == nil:
				w.begin(t, block[i+1:], cond)
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
				typ := w.scalar(s.Scalar)
				if s.Width > 1 {
					typ = w.tuple(of, s)
				}
				a.set("type", typ)
				if s.Expr == nil { // bytes behind the last tuple are left
					a.set("repeat", "expr").set("repeat-expr", n)
				} else {
					a.set("repeat", "expr").set("repeat-expr", n)
					t.lastCond = cond
					t.last = fmt.Sprintf("%s * %d", paren(n), s.Width*s.Scalar.Width())
				}
			}
		case model.OpMark:
			if padded(block[i:]) {
				vals.regs[s.Reg] = &value{text: t.keep("begin", "_io.pos", cond)}
			}
		case model.OpSize:
			if i+1 < len(block) && block[i+1].Op == model.OpPad {
				t.last, t.lastCond = "_io.pos - "+t.ref(vals.regs[s.Place]), cond
			}
		case model.OpPad:
			w.pad(t, s, cond)
		case model.OpList:
			n := w.count(t, s, vals, cond)
			w.begin(t, block[i+1:], cond)
			w.cell(t, of, s, cond).set("type", w.names[s.Elem]).set("repeat", "expr").set("repeat-expr", n)
		case model.OpMap:
			n := w.count(t, s, vals, cond)
			w.begin(t, block[i+1:], cond)
			w.cell(t, of, s, cond).set("type", w.pair(s)).set("repeat", "expr").set("repeat-expr", n)
		case model.OpRest:
			w.begin(t, block[i+1:], cond)
			w.cell(t, of, s, cond).set("type", w.names[s.Elem]).set("repeat", "eos")
		case model.OpCall:
			var args []string
			for _, a := range s.Args {
				args = append(args, w.number(t, a, vals))
			}
			w.begin(t, block[i+1:], cond)
			w.cell(t, of, s, cond).set("type", call(w.names[s.Elem], args))
		case model.OpIf:
			holds := w.condition(t, s.Expr, vals)
			yes, no := vals.clone(), vals.clone()
			w.block(t, of, s.Then, yes, and(cond, holds))
			w.block(t, of, s.Else, no, and(cond, not(holds)))
			merge(vals.regs, holds, yes.regs, no.regs)
			merge(vals.texts, holds, yes.texts, no.texts)
		case model.OpEnter:
			end := i + 1
			for deep := 1; end < len(block); end++ {
				if block[end].Op == model.OpEnter {
					deep++
				} else if block[end].Op == model.OpLeave {
					if deep--; deep == 0 {
						break
					}
				}
			}
			inner := block[i+1 : min(end, len(block))]
			size := w.number(t, s.Expr, vals)
			region := w.newType(w.taken.Name(t.name+"_"+field(rule, "region")), nil)
			own, pass := t.pass(region, inner, vals)
			before := own.clone()
			w.block(region, of, inner, own, "")
			region.demand("", "_io.eof", "the region is used up")
			a := t.add(cond, field(rule, "region")).set("type", call(region.name, pass)).set("size", size)
			leave(vals.regs, before.regs, own.regs, region, a.id)
			leave(vals.texts, before.texts, own.texts, region, a.id)
			t.last, t.lastCond = size, cond
			i = end
		}
	}
}

func union(a, b map[int]*value) map[int]*value {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func (w *writer) cellName(of *model.Type, s *model.Stmt) string {
	if s.Cell < len(of.Fields) && of.Fields[s.Cell].Name != "" {
		return model.Snake(of.Fields[s.Cell].Name)
	}
	return "value"
}

// cell adds the entry for a cell. Where branches set it, each has a name of its own.
func (w *writer) cell(t *ktype, of *model.Type, s *model.Stmt, cond string) *attr {
	name := w.cellName(of, s)
	names := []string{name, name + "_" + s.Scalar.String()}
	if s.Wide || cond != "" && s.Scalar != builtin.NoScalar {
		names = names[1:]
	}
	a := t.add(cond, names...)
	if s.Cell < len(of.Fields) && a.id == name { // the doc of a form of its own would be that of the other form
		if doc := of.Fields[s.Cell].Doc; doc != "" {
			a.set("doc", doc)
		}
	}
	number := s.Op == model.OpScalars && s.Scalar != builtin.Code4
	t.cells[s.Cell] = append(t.cells[s.Cell], alternative{cond, a.id, number})
	return a
}

// choices declares one name for a number that is read in one of several forms.
func (t *ktype) choices(of *model.Type) {
	for cell, f := range of.Fields {
		ways := t.cells[cell]
		if len(ways) != 2 || !ways[0].number || !ways[1].number || f.Name == "" && len(of.Fields) != 1 {
			continue
		}
		name := "value"
		if f.Name != "" {
			name = model.Snake(f.Name)
		}
		t.instance(name, fmt.Sprintf("%s ? %s : %s", paren(ways[0].cond), ways[0].id, ways[1].id))
	}
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

// begin keeps the place of an entry that is followed by padding, so that t.last is its
// size.
func (w *writer) begin(t *ktype, after []*model.Stmt, cond string) {
	if len(after) == 0 || after[0].Op != model.OpPad {
		return
	}
	t.last, t.lastCond = "_io.pos - "+t.keep("begin", "_io.pos", cond), cond
}

// keep returns the name of an instance that has the value of an expression at the place of
// the next entry. An instance keeps its first value, which an entry of no bytes asks for.
func (t *ktype) keep(name, expr, cond string) string {
	name = t.instance(name, expr)
	t.add(and(cond, name+" >= 0"), "mark").set("size", "0")
	return name
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

// pair declares a pair of a map.
func (w *writer) pair(s *model.Stmt) string {
	key := "pair " + w.names[s.Key] + " " + w.names[s.Elem]
	if name, ok := w.lanes[key]; ok {
		return name
	}
	name := w.taken.Name(w.names[s.Elem]+"_pair", w.names[s.Key]+"_"+w.names[s.Elem]+"_pair")
	w.lanes[key] = name
	t := w.newType(name, nil)
	t.add("", "key").set("type", w.names[s.Key])
	t.add("", "value").set("type", w.names[s.Elem])
	return name
}

// tuple declares a type of several numbers.
func (w *writer) tuple(of *model.Type, s *model.Stmt) string {
	names := make([]string, s.Width)
	for i := range names {
		names[i] = "n" + strconv.Itoa(i)
		if len(of.Lanes) == s.Width && of.Lanes[i] != "" {
			names[i] = model.Snake(of.Lanes[i])
		}
	}
	key := s.Scalar.String() + " " + strings.Join(names, " ")
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
		t.add("", n).set("type", w.scalar(s.Scalar))
	}
	return name
}

// scalar returns Kaitai's name of a number's form.
func (w *writer) scalar(s builtin.Scalar) string {
	switch {
	case s == builtin.Code4: // its number has the first letter lowest in either byte order
		return "u4le"
	case s.IsFloat():
		return fmt.Sprintf("f%d", s.Width())
	case s.Signed():
		return fmt.Sprintf("s%d", s.Width())
	}
	return fmt.Sprintf("u%d", s.Width())
}

// condition returns an expression that is true or false.
func (w *writer) condition(t *ktype, e *model.Expr, vals values) string {
	s := w.expr(t, e, vals)
	if e.Bool() {
		return s
	}
	return paren(s) + " != 0"
}

// paren puts an expression in parentheses unless it is a name or is in some already.
func paren(s string) string {
	if !strings.ContainsAny(s, " ?") || inside(s) {
		return s
	}
	return "(" + s + ")"
}

// inside reports whether the parenthesis at the beginning is closed at the end.
func inside(s string) bool {
	depth := 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i == len(s)-1 && c == ')'
		}
	}
	return false
}

func not(s string) string {
	if rest, ok := strings.CutPrefix(s, "not "); ok && inside(rest) {
		return rest[1 : len(rest)-1]
	}
	return "not (" + s + ")"
}

var infix = map[builtin.Op]string{
	builtin.Add: "+", builtin.Sub: "-", builtin.Mul: "*", builtin.Div: "/", builtin.Mod: "%",
	builtin.And: "&", builtin.Xor: "^", builtin.Shl: "<<", builtin.Shr: ">>",
	builtin.Eq: "==", builtin.Ne: "!=", builtin.Lt: "<", builtin.Le: "<=", builtin.Gt: ">", builtin.Ge: ">=",
	builtin.Both: "and", builtin.Either: "or",
}

// number returns an expression that is a number.
func (w *writer) number(t *ktype, e *model.Expr, vals values) string {
	s := w.expr(t, e, vals)
	if e.Bool() {
		return "(" + s + " ? 1 : 0)"
	}
	return s
}

// expr returns an expression: a number, or true or false where e is a condition.
func (w *writer) expr(t *ktype, e *model.Expr, vals values) string {
	number := func(i int) string {
		if a := e.Args[i]; a.Op == builtin.Len && len(e.Args) == 2 && e.Bool() && e.Args[1-i].IsNum(0) {
			return t.ref(vals.texts[a.Cell]) // a text without characters has no bytes
		}
		return w.number(t, e.Args[i], vals)
	}
	truth := func(i int) string { return w.condition(t, e.Args[i], vals) }
	switch e.Op {
	case builtin.Num:
		if e.Num < -model.MaxExact || e.Num > model.MaxExact {
			w.missing.Add(fmt.Sprintf("the number %d, which is beyond 2^53", e.Num))
		}
		return strconv.FormatInt(e.Num, 10)
	case builtin.Ref:
		return t.ref(vals.regs[e.Reg])
	case builtin.Not:
		return not(truth(0))
	case builtin.Both, builtin.Either:
		return "(" + paren(truth(0)) + " " + infix[e.Op] + " " + paren(truth(1)) + ")"
	case builtin.Neg:
		return "(0 - " + number(0) + ")"
	case builtin.Min:
		return fmt.Sprintf("(%s < %s ? %s : %s)", number(0), number(1), number(0), number(1))
	case builtin.Max:
		return fmt.Sprintf("(%s > %s ? %s : %s)", number(0), number(1), number(0), number(1))
	case model.ExprSelect:
		return fmt.Sprintf("(%s ? %s : %s)", paren(truth(0)), number(1), number(2))
	case model.ExprFit:
		return number(0)
	case builtin.Closed:
		return "false"
	case builtin.Len:
		if vals.texts[e.Cell].inLetters() {
			w.missing.Add("the length in bytes of a text that may end before its last byte or begin with a byte order mark")
		}
		return t.ref(vals.texts[e.Cell])
	case builtin.And:
		for i, a := range e.Args {
			if a.Op == builtin.Num {
				return w.masked(e.Args[1-i], number(1-i), a.Num)
			}
		}
		w.bits(e)
	case builtin.Xor:
		w.bits(e)
	case builtin.Shl:
		if n := e.Args[1]; n.Op == builtin.Num && n.Num&63 < 53 {
			w.comparable(e)
			return fmt.Sprintf("(%s * %d)", paren(number(0)), int64(1)<<(n.Num&63))
		}
		w.missing.Add("a shift by a number that is not constant, or by more than 52 bits")
		return "0"
	case builtin.Shr:
		if n := e.Args[1]; n.Op == builtin.Num && n.Num&63 < 53 {
			if e.Args[0].Min < 0 && !unsigned64(e.Args[0]) {
				w.missing.Add("a shift of a negative number")
			}
			return fmt.Sprintf("(%s / %d)", paren(number(0)), int64(1)<<(n.Num&63))
		}
		w.missing.Add("a shift by a number that is not constant, or by more than 52 bits")
		return "0"
	case builtin.Div, builtin.Mod:
		return w.divide(e, number(0), number(1))
	}
	if op, ok := infix[e.Op]; ok {
		w.comparable(e)
		return "(" + number(0) + " " + op + " " + number(1) + ")"
	}
	w.missing.Add(fmt.Sprintf("the operation %v in an expression", e.Op))
	return "0"
}

// comparable notes that an expression has numbers that some of Kaitai's languages round.
func (w *writer) comparable(e *model.Expr) {
	e.Walk(func(x *model.Expr) {
		exact := func(x *model.Expr) bool { return x.Min >= -model.MaxExact && x.Max <= model.MaxExact }
		switch {
		case exact(x):
		case x.Op == builtin.Mul || x.Op == builtin.Shl || len(x.Args) > 0 && !slices.ContainsFunc(x.Args, func(a *model.Expr) bool { return !exact(a) }):
			w.missing.Add("a computed number that may be beyond 2^53")
		default:
			w.note(rounded)
		}
	})
}

// rounded is about numbers of 64 bits.
const rounded = "Numbers beyond 2^53 in conditions and lengths: JavaScript rounds them."

// bits requires operands that an operation of 32 bits takes, which is that of JavaScript.
func (w *writer) bits(e *model.Expr) {
	for _, a := range e.Args {
		if a.Min < 0 || a.Max > math.MaxInt32 {
			w.missing.Add(fmt.Sprintf("the operation %v on numbers of more than 31 bits", e.Op))
		}
	}
}

// unsigned64 reports whether an expression is a register that may hold an unsigned number
// of 64 bits, which Kaitai has as such.
func unsigned64(e *model.Expr) bool { return e.Op == builtin.Ref && e.Min == math.MinInt64 }

// masked returns x & mask: the sum of the runs of bits that the mask has. & itself is of 32
// bits, with a sign, in JavaScript.
func (w *writer) masked(x *model.Expr, text string, mask int64) string {
	if mask == -1 {
		return text
	}
	if x.Min >= 0 && x.Max <= math.MaxInt32 && mask >= 0 {
		return fmt.Sprintf("(%s & %d)", text, mask&math.MaxInt32)
	}
	if x.Min < 0 && !unsigned64(x) {
		w.missing.Add("bits of a number that may be negative")
		return "0"
	}
	w.comparable(x)
	var runs []string
	rest := uint64(mask)
	if x.Max < math.MaxInt64 { // bits that the number does not have
		rest &= 1<<bits.Len64(uint64(x.Max)) - 1
	}
	for lo := bits.TrailingZeros64(rest); rest != 0; lo = bits.TrailingZeros64(rest) {
		n := bits.TrailingZeros64(^(rest >> lo))
		rest &^= (1<<n - 1) << lo
		if lo > 52 {
			w.missing.Add("bits above the lowest 53 of a number")
			return "0"
		}
		run := paren(text)
		if lo > 0 {
			run = fmt.Sprintf("(%s / %d)", run, int64(1)<<lo)
		}
		if lo+n < 64 && n < 53 {
			run = fmt.Sprintf("(%s %% %d)", run, int64(1)<<n)
		}
		if lo > 0 {
			run = fmt.Sprintf("(%s * %d)", run, int64(1)<<lo)
		}
		runs = append(runs, run)
	}
	switch len(runs) {
	case 0:
		return "0"
	case 1:
		return runs[0]
	}
	return "(" + strings.Join(runs, " + ") + ")"
}

// divide returns a quotient, or a remainder with the sign of the dividend; both are 0 for
// the divisor 0. Kaitai's operations are used for positive numbers only: languages differ
// in others.
func (w *writer) divide(e *model.Expr, a, b string) string {
	w.comparable(e)
	x, y := e.Args[0], e.Args[1]
	magnitude := func(e *model.Expr, text string) string {
		if e.Min >= 0 {
			return paren(text)
		}
		return fmt.Sprintf("(%s < 0 ? 0 - %s : %s)", paren(text), paren(text), paren(text))
	}
	out := fmt.Sprintf("(%s %s %s)", magnitude(x, a), infix[e.Op], magnitude(y, b))
	negative := ""
	if x.Min < 0 {
		negative = paren(a) + " < 0"
	}
	if y.Min < 0 && e.Op == builtin.Div {
		if negative == "" {
			negative = paren(b) + " < 0"
		} else {
			negative = fmt.Sprintf("((%s < 0 and %s >= 0) or (%s >= 0 and %s < 0))", paren(a), paren(b), paren(a), paren(b))
		}
	}
	if negative != "" {
		out = fmt.Sprintf("(%s ? 0 - %s : %s)", negative, out, out)
	}
	if y.Min <= 0 && y.Max >= 0 {
		out = fmt.Sprintf("(%s == 0 ? 0 : %s)", paren(b), out)
	}
	return out
}

// print returns the file.
func (w *writer) print() []byte {
	var b strings.Builder
	f := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	f("# %s\n# Made from schema %s by octable export kaitai; changes here are lost.\n", w.m.Title, w.m.Schema)
	if w.m.Source != "" {
		f("# Its facts: %s\n", w.m.Source)
	}
	f("# Program %s\n#\n# What this description cannot say:\n", w.m.Hash)
	for _, c := range w.cannot {
		f("#   - %s\n", c)
	}
	endian := "le"
	if w.m.Big {
		endian = "be"
	}
	f("meta:\n  id: %s\n  title: %s\n  endian: %s\n  ks-version: \"0.10\"\n", w.id, strconv.Quote(w.m.Title), endian)
	f("seq:\n  - id: value\n    type: %s\n", w.names[w.m.Root])
	f("types:\n")
	for _, t := range w.types {
		t.print(f)
	}
	return []byte(b.String())
}

// scalarText returns a type as YAML has it: in quotes if an argument has a colon.
func scalarText(typ string) string {
	if strings.Contains(typ, ": ") {
		return strconv.Quote(typ)
	}
	return typ
}

func (t *ktype) print(f func(string, ...any)) {
	if len(t.doc)+len(t.params)+len(t.seq)+len(t.instances) == 0 { // a key without a value is not a map
		f("  %s: {}\n", t.name)
		return
	}
	f("  %s:\n", t.name)
	if len(t.doc) > 0 {
		f("    doc: %s\n", strconv.Quote(strings.Join(t.doc, " ")))
	}
	if len(t.params) > 0 {
		f("    params:\n")
		for _, p := range t.params {
			f("      - id: %s\n        type: s8\n", p)
		}
	}
	if len(t.seq) > 0 {
		f("    seq:\n")
	}
	for _, a := range t.seq {
		f("      - id: %s\n", a.id)
		for _, kv := range a.keys {
			if kv[0] == "switch-on" {
				f("        type:\n          switch-on: %s\n          cases:\n", kv[1])
			}
		}
		for _, kv := range a.keys {
			switch key, value := kv[0], kv[1]; {
			case key == "switch-on":
			case strings.HasPrefix(key, "case/"):
				key = key[len("case/"):]
				if key == "_" {
					key = `"_"`
				}
				f("            %s: %s\n", key, scalarText(value))
			case key == "valid/expr":
				f("        valid:\n          expr: %s\n", strconv.Quote(value))
			case key == "type":
				f("        %s: %s\n", key, scalarText(value))
			case key == "valid" || key == "size-eos" || key == "encoding" || key == "repeat" || key == "terminator":
				f("        %s: %s\n", key, value)
			default:
				f("        %s: %s\n", key, strconv.Quote(value))
			}
		}
	}
	if len(t.instances) > 0 {
		f("    instances:\n")
		for _, i := range t.instances {
			f("      %s:\n        value: %s\n", i[0], strconv.Quote(i[1]))
		}
	}
}
