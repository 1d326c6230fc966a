// The dissector: one Lua function for each routine and arm, between a runtime that
// reads numbers and checks what is left.

package wireshark

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

//go:embed runtime.lua
var runtime string

//go:embed sums.lua
var sums string

//go:embed totals.lua
var totals string

//go:embed parts.lua
var parts string

//go:embed ended.lua
var ended string

//go:embed coded.lua
var coded string

//go:embed digits.lua
var digits string

// declaration declares the protocol. Names and titles of protocols are unique in
// Wireshark, which has an NTP, and which may load two choices of one schema.
const declaration = `local free, P = pcall(Proto, ID, TITLE)
if not free then -- Wireshark has another protocol of this name or title
	TITLE = TITLE .. " (" .. ID .. ")"
	free, P = pcall(Proto, ID, TITLE)
end
if not free then
	ID = ID .. "_schema"
	P = Proto(ID, TITLE .. " (schema)")
end
`

// Dissector returns a model as a Lua script for Wireshark. It also returns notes on
// rules of the schema that the script does not check. The error is a
// [*model.Unsupported] if the dissector would misread a packet.
func Dissector(m *model.Model) (lua []byte, cannot []string, err error) {
	w := &writer{m: m, names: map[any]string{}, taken: model.Unique{}, fields: map[string]string{}, abbrevs: model.Unique{}, missing: model.Unsupported{Target: "a dissector for Wireshark"}}
	w.id = strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(m.Schema)) // as Wireshark names a protocol
	if m.Choice != "" {
		w.id += "_" + model.Snake(m.Choice)
	}
	if len(w.id) < 2 { // which Wireshark refuses, and no other name is tried then
		w.id += "_schema"
	}
	w.cannot.Add("How values are written: a dissector reads.")
	for _, e := range m.Encodings {
		if e.Charset == builtin.UTF8Loose {
			w.cannot.Add("Text with characters beyond U+10FFFF, with surrogates, or with forms that are longer than needed is shown as Wireshark shows what is no UTF-8.")
		}
		if e.DropBOM {
			w.cannot.Add("A byte order mark at the beginning of a text is shown with it.")
		}
	}
	if m.Nests() {
		w.cannot.Add("Values nested deeper than Wireshark's trees may be, some hundred levels, are not shown.")
	}
	for _, r := range m.Routines {
		w.names[r] = w.taken.Name("read_" + model.Snake(r.Name))
		if r.Union != nil {
			for _, a := range r.Union.Arms {
				w.names[a] = w.taken.Name(w.names[r] + "_" + model.Snake(a.Type.Name))
			}
		}
	}
	var body strings.Builder
	w.out = &body
	w.findResults()
	for _, r := range m.Routines {
		if r.Union != nil {
			for _, a := range r.Union.Arms {
				w.arm(r, a)
			}
			w.union(r)
		} else {
			w.record(r)
		}
	}
	var b strings.Builder
	w.head(&b)
	b.WriteString(body.String())
	w.foot(&b)
	if err := w.missing.Err(); err != nil {
		return nil, nil, err
	}
	return []byte(b.String()), w.cannot, nil
}

type writer struct {
	m       *model.Model
	id      string
	out     *strings.Builder
	names   map[any]string // Lua functions of routines and arms
	taken   model.Unique
	fields  map[string]string // by what they are: the Lua expression
	order   []string          // declarations of fields
	abbrevs model.Unique
	cannot  model.Notes
	missing model.Unsupported
	counts  map[int]*model.Expr     // of the lists of the record that is written, see [model.Counts]
	texts   map[int][]string        // that the text cells of the record are compared with, see [model.Compared]
	uses    map[int]bool            // registers that reading the record looks at
	looks   map[look]bool           // what expressions of the record need of values
	results map[*model.Routine]bool // routines whose function returns what expressions need
	members bool                    // the function that is written returns the numbers of its record
	word    word                    // the last word that was read, if bits of it may follow
	indent  int
}

// crcs prints the functions of the CRCs that the schema has.
func (w *writer) crcs(b *strings.Builder) {
	used := map[builtin.Checksum]bool{}
	w.m.Each(func(_ *model.Routine, _ *model.Type, body []*model.Stmt) {
		model.Walk(body, func(s *model.Stmt) {
			if s.Op == model.OpSum || s.Op == model.OpTotal {
				used[s.Sum] = true
			}
		})
	})
	for sum := range builtin.NumChecksums {
		c := builtin.Sums[sum].CRC
		if c == nil || !used[sum] {
			continue
		}
		name, initial := "high", c.Init
		if c.Reflected {
			name, initial = "crc", c.LowInit()
		}
		call := fmt.Sprintf("%s(b, %d, %#x, %#x)", name, c.Bits/8, c.Low(), initial)
		if c.Xor != 0 {
			call = fmt.Sprintf("xored(%s, %#x, %d)", call, c.Xor, c.Bits/8)
		}
		fmt.Fprintf(b, "\nsums.%s = function(b) return %s end\n", sum, call)
	}
}

func (w *writer) f(format string, args ...any) {
	w.out.WriteString(strings.Repeat("\t", w.indent))
	fmt.Fprintf(w.out, format, args...)
	w.out.WriteByte('\n')
}

// field declares a field of the protocol and returns the Lua expression for it.
func (w *writer) field(rule, kind, label, doc string) string {
	extra := ""
	switch kind {
	case "uint8", "uint16", "uint32", "int8", "int16", "int32", "uint64", "int64":
		extra = ", base.DEC, nil, nil"
	case "string":
		extra = ", base.UNICODE"
	case "bytes":
		extra = ", base.NONE"
	}
	if extra != "" && doc != "" {
		extra += ", " + quote(doc)
	}
	return w.declare(rule, kind, label, extra)
}

// declare declares a field with further arguments of its constructor, and returns the Lua expression for it.
func (w *writer) declare(rule, kind, label, extra string) string {
	key := rule + " " + kind + " " + label
	if name, ok := w.fields[key]; ok {
		return name
	}
	path := strings.Split(rule, ".")
	for i := range path {
		path[i] = model.Snake(path[i])
	}
	base := strings.Join(path, ".")
	if label != "" && label != path[len(path)-1] {
		base += "." + model.Snake(label)
	}
	abbrev := w.abbrevs.Name(base, base+"_"+kind)
	name := fmt.Sprintf("F[%d]", len(w.order)+1)
	w.fields[key] = name
	if label == "" {
		label = rule[strings.LastIndexByte(rule, '.')+1:]
	}
	w.order = append(w.order, fmt.Sprintf("ProtoField.%s(ID .. %s, %s%s)", kind, quote("."+abbrev), quote(label), extra))
	return name
}

// quote returns a text as a Lua string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, "\\%03d", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (w *writer) head(b *strings.Builder) {
	fmt.Fprintf(b, "-- %s: a dissector for Wireshark.\n-- Made from schema %s by octable export wireshark; changes here are lost.\n", w.m.Title, w.m.Schema)
	if w.m.Source != "" {
		fmt.Fprintf(b, "-- Its facts: %s\n", w.m.Source)
	}
	fmt.Fprintf(b, "-- Program %s\n--\n-- What it does not do:\n", w.m.Hash)
	for _, c := range w.cannot {
		fmt.Fprintf(b, "--   - %s\n", c)
	}
	fmt.Fprintf(b, "--\n-- Put it where Wireshark looks for Lua plugins (Help, About, Folders), or start with\n--\n--\twireshark -X lua_script:%s.lua\n--\n", w.m.Schema)
	b.WriteString("-- and choose the protocol under Decode As, or set its ports in the preferences.\n\n")
	fmt.Fprintf(b, "local ID, TITLE = %s, %s\n", quote(w.id), quote(w.m.Title))
	fmt.Fprintf(b, "local LITTLE, MAX_DEPTH, MAX_CALLS = %v, %d, %d\n\n", !w.m.Big, w.m.Depth, model.MaxCalls(w.m.Depth))
	b.WriteString(declaration + "\nlocal F = {\n")
	for _, d := range w.order {
		fmt.Fprintf(b, "\t%s,\n", d)
	}
	b.WriteString("}\nP.fields = F\n\n")
	b.WriteString(runtime)
	on := w.m.Features()
	if on["sums"] {
		b.WriteString(sums)
		w.crcs(b)
	}
	if on["parts"] {
		b.WriteString("\n" + parts)
	}
	if on["totals"] {
		b.WriteString("\n" + totals)
	}
	if on["digits"] {
		b.WriteString("\n" + digits)
	}
	if on["ended"] {
		b.WriteString("\n" + ended)
	}
	if on["coded"] {
		b.WriteString("\n" + coded)
	}
	b.WriteString("\nlocal R = {} -- the readers, which call each other\n\n")
}

func (w *writer) foot(b *strings.Builder) {
	for i, g := range w.m.Gates {
		fmt.Fprintf(b, "P.prefs.gate%d = Pref.bool(%s, false, \"Without it they are refused\")\n", i, quote("Allow "+g))
	}
	fmt.Fprintf(b, "dissect_with(P, R.%s)\n", w.names[w.m.Root])
}

func list(regs []int) string {
	out := ""
	for _, r := range regs {
		out += ", r" + strconv.Itoa(r)
	}
	return out
}

func (w *writer) arm(r *model.Routine, a *model.Arm) {
	regs := a.Registers(r)
	w.f("function R.%s(s, t%s)", w.names[a], list(regs))
	w.indent++
	w.word = word{r.Union.Reg, r.Union.Word}
	w.body(a.Type, a.Body, regs)
	w.indent--
	w.f("end\n")
}

func (w *writer) record(r *model.Routine) {
	w.f("function R.%s(s, t%s)", w.names[r], list(r.Arguments()))
	w.indent++
	w.enter(r)
	if w.members = w.results[r]; w.members {
		w.f("local members = {}")
	}
	w.word = word{}
	w.body(r.Type, r.Body, r.Arguments())
	w.leave(r)
	if w.members {
		w.f("return members")
		w.members = false
	}
	w.indent--
	w.f("end\n")
}

func (w *writer) enter(r *model.Routine) {
	w.f("enter(s, %v)", r.Nests)
}

func (w *writer) leave(r *model.Routine) {
	w.f("leave(s, %v)", r.Nests)
}

func (w *writer) union(r *model.Routine) {
	u := r.Union
	w.f("function R.%s(s, t%s)", w.names[r], list(r.Arguments()))
	w.indent++
	w.enter(r)
	w.f("local at = s.pos")
	if u.Word != builtin.NoScalar {
		name := w.numberField(u.Rule, u.Word, "")
		if u.Order != nil {
			w.f("local r%d", u.Reg)
			w.f("if %s then r%d = word(s, t, %s, %s)", w.condition(u.Order), u.Reg, name, scalar(u.Word, !w.m.Big))
			w.f("else r%d = word(s, t, %s, %s) end", u.Reg, name, scalar(u.Word, w.m.Big))
		} else {
			w.f("local r%d = word(s, t, %s, %s)", u.Reg, name, scalar(u.Word, u.Swapped))
		}
	}
	w.f("local arm = %s", w.number(u.Expr))
	for i, a := range u.Arms {
		keyword := "elseif"
		if i == 0 {
			keyword = "if"
		}
		if a.Else {
			if i == 0 {
				w.f("do")
			} else {
				w.f("else")
			}
		} else {
			if a.IDs[len(a.IDs)-1].Hi > model.MaxExact {
				w.missing.Add(fmt.Sprintf("the number of the arm %s.%s, which is beyond 2^53", r.Name, a.Type.Name))
			}
			w.f("%s %s then", keyword, model.Among(a.IDs, func(n uint64) string { return fmt.Sprintf("arm == %d", n) },
				func(lo, hi uint64) string { return fmt.Sprintf("arm >= %d and arm <= %d", lo, hi) }, " or "))
		}
		w.indent++
		name := a.Type.Name
		if name == "" {
			name = r.Name
		}
		w.f("t:append_text(%s)", quote(": "+name))
		w.f("R.%s(s, t%s)", w.names[a], list(a.Registers(r)))
		if w.results[r] && a.IDs.Several() {
			w.f("arm = %d", a.ID)
		}
		w.indent--
	}
	if n := len(u.Arms); n == 0 || !u.Arms[n-1].Else {
		if n > 0 {
			w.f("else")
			w.indent++
		}
		w.f("fail(s, at, \"no type has the number \" .. arm)")
		if n > 0 {
			w.indent--
		}
	}
	if len(u.Arms) > 0 {
		w.f("end")
	}
	w.leave(r)
	if w.results[r] {
		w.f("return arm")
	}
	w.indent--
	w.f("end\n")
}

// body prints the statements of a record or arm. What may be unread has a value first: 0
// for a register, and no letters for a text.
func (w *writer) body(of *model.Type, block []*model.Stmt, args []int) {
	w.counts, w.texts = model.Counts(block), model.Compared(block)
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	model.Walk(block, func(s *model.Stmt) {
		switch s.Op {
		case model.OpWord, model.OpLet, model.OpMark, model.OpSize, model.OpSum, model.OpTotal:
			if !slices.Contains(args, s.Reg) {
				add("r" + strconv.Itoa(s.Reg))
			}
		}
	})
	model.Walk(block, func(s *model.Stmt) {
		if s.Op == model.OpText {
			add("c" + strconv.Itoa(s.Cell))
			for _, text := range w.texts[s.Cell] {
				add(w.equality(s.Cell, text))
			}
		}
	})
	if len(names) > 0 {
		w.f("local %s", strings.Join(names, ", "))
	}
	w.looks = w.looksOf(block)
	for _, l := range slices.SortedFunc(maps.Keys(w.looks), look.compare) {
		w.f("local %s = %s", l, l.unread())
	}
	regs, texts := model.Unread(block)
	for _, r := range slices.Sorted(maps.Keys(regs)) {
		if !slices.Contains(args, r) {
			w.f("r%d = 0", r)
		}
	}
	for _, c := range slices.Sorted(maps.Keys(texts)) {
		w.f("c%d = \"\"", c)
	}
	w.f("local last = 0")
	w.uses = model.Uses(block, false)
	w.block(of, block, false)
}

// arguments prints the arguments of a routine, each after a comma.
func (w *writer) arguments(args []*model.Expr) string {
	text := ""
	for _, a := range args {
		text += ", " + w.number(a)
	}
	return text
}

func (w *writer) rule(s *model.Stmt) string { return w.m.Rules[s.Rule].Name }

func (w *writer) doc(of *model.Type, s *model.Stmt) string {
	if s.Cell < len(of.Fields) {
		return of.Fields[s.Cell].Doc
	}
	return ""
}

// numberField declares the field of a number.
func (w *writer) numberField(rule int, s builtin.Scalar, label string) string {
	return w.field(w.m.Rules[rule].Name, protoType(s), label, "")
}

func protoType(s builtin.Scalar) string {
	switch {
	case s == builtin.F32, s == builtin.F16:
		return "float"
	case s == builtin.F64:
		return "double"
	case s == builtin.Code4:
		return "string"
	}
	bits := 8 * s.Width()
	if bits > 32 { // the dissector has fields of 64 bits for fewer bytes, too
		bits = 64
	}
	if s.Signed() {
		return fmt.Sprintf("int%d", bits)
	}
	return fmt.Sprintf("uint%d", bits)
}

// scalar returns a form of numbers as the runtime takes it: the width, and how.
func scalar(s builtin.Scalar, swapped bool) string {
	how := "unsigned"
	switch {
	case s == builtin.Code4:
		how = "code"
	case s.IsFloat():
		how = "real"
	case s.Signed():
		how = "signed"
	}
	if swapped {
		how += " + swapped"
	}
	return fmt.Sprintf("%d, %s", s.Width(), how)
}

// read prints the reading of a number.
func read(s *model.Stmt, field string) string {
	if c := s.Coding; c.InDigits() {
		return fmt.Sprintf("digits(s, t, %s, %t, %q, %d, %q, %s, %t)", field, s.Scalar.Width() == 8, c.Alphabet(), c.Digits(), c.Side(), quote(c.Fill()), s.Longer)
	}
	if c := s.Coding; c.End() != "" {
		return fmt.Sprintf("ended(s, t, %s, %q, %s, %t, %t)", field, c.Alphabet(), quote(c.End()), c.Signed(), s.Longer)
	}
	if s.Coding != builtin.Fixed {
		return fmt.Sprintf("coded(s, t, %s, %q, %t)", field, s.Coding, s.Longer)
	}
	return fmt.Sprintf("word(s, t, %s, %s)", field, scalar(s.Scalar, s.Swapped))
}

// condition returns an expression that is true or false in Lua.
func (w *writer) condition(e *model.Expr) string {
	switch e.Op {
	case builtin.Not:
		return "not (" + w.condition(e.Args[0]) + ")"
	case builtin.Both:
		return "(" + w.condition(e.Args[0]) + ") and (" + w.condition(e.Args[1]) + ")"
	case builtin.Either:
		return "(" + w.condition(e.Args[0]) + ") or (" + w.condition(e.Args[1]) + ")"
	case model.ExprMore:
		return "s.pos < s.stop"
	case model.ExprEquals:
		return w.equality(e.Cell, e.Text)
	case builtin.Closed:
		return fmt.Sprintf("not P.prefs.gate%d", e.Gate)
	}
	if op, ok := compares[e.Op]; ok {
		return w.number(e.Args[0]) + " " + op + " " + w.number(e.Args[1])
	}
	return w.number(e) + " ~= 0"
}

// equality returns the variable of the comparison of a row with a text.
func (w *writer) equality(cell int, text string) string {
	return fmt.Sprintf("c%d_%d", cell, slices.Index(w.texts[cell], text))
}

var compares = map[builtin.Op]string{
	builtin.Eq: "==", builtin.Ne: "~=", builtin.Lt: "<", builtin.Le: "<=", builtin.Gt: ">", builtin.Ge: ">=",
}

var calls = map[builtin.Op]string{
	builtin.Div: "div", builtin.Mod: "mod", builtin.And: "band", builtin.Xor: "bxor",
	builtin.Shl: "shl", builtin.Shr: "shr", builtin.Min: "math.min", builtin.Max: "math.max",
}

// number returns an expression that is a number in Lua.
func (w *writer) number(e *model.Expr) string {
	text := w.unchecked(e)
	if e.Bool() || e.Op == builtin.Num || e.Min >= -model.MaxExact && e.Max <= model.MaxExact {
		return text
	}
	w.cannot.Add("Packets whose lengths or conditions need numbers beyond 2^53 are marked as such, and not read further.")
	return "exact(s, " + text + ")"
}

// unchecked returns the expression of a number that may be rounded.
func (w *writer) unchecked(e *model.Expr) string {
	arg := func(i int) string { return w.number(e.Args[i]) }
	switch e.Op {
	case builtin.Num:
		if e.Num < -model.MaxExact || e.Num > model.MaxExact {
			w.missing.Add(fmt.Sprintf("the number %d, which is beyond 2^53", e.Num))
		}
		return strconv.FormatInt(e.Num, 10)
	case builtin.Ref:
		return "r" + strconv.Itoa(e.Reg)
	case builtin.Add:
		return "(" + arg(0) + " + " + arg(1) + ")"
	case builtin.Sub:
		return "(" + arg(0) + " - " + arg(1) + ")"
	case builtin.Mul:
		return "(" + arg(0) + " * " + arg(1) + ")"
	case builtin.Neg:
		return "(-" + arg(0) + ")"
	case model.ExprSelect:
		return fmt.Sprintf("pick(%s, %s, %s)", w.condition(e.Args[0]), arg(1), arg(2))
	case model.ExprFit:
		return arg(0)
	case model.ExprLeft:
		return "(s.stop - s.pos)"
	case model.ExprMore:
		return "(s.pos < s.stop and 1 or 0)"
	case builtin.Len:
		return fmt.Sprintf("#c%d", e.Cell)
	case builtin.Count:
		if n := w.counts[e.Cell]; n != nil {
			return w.number(n)
		}
	}
	if l := (look{e.Op, e.Cell}); w.looks[l] {
		if e.Op == model.ExprMember {
			return fmt.Sprintf("(%s[%d] or 0)", l, e.Place+1)
		}
		return l.String()
	}
	if e.OfCell() && e.Op != model.ExprEquals {
		w.missing.Add("the operation " + model.ExprName(e.Op) + " in an expression")
		return "0"
	}
	if f, ok := calls[e.Op]; ok {
		return f + "(" + arg(0) + ", " + arg(1) + ")"
	}
	return "pick(" + w.condition(e) + ", 1, 0)"
}
