// The pattern: one struct for each routine, arm and tuple of numbers.

package imhex

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Pattern returns a model as the text of a .hexpat file. It also returns notes on
// rules of the schema that the pattern does not check. The error is a
// [*model.Unsupported] if the pattern would misread input.
func Pattern(m *model.Model) (hexpat []byte, cannot []string, err error) {
	w := &writer{m: m, names: map[any]string{}, taken: model.Unique{}, tuples: map[string]string{}, bases: map[int]bool{}, missing: model.Unsupported{Target: "a pattern for ImHex"}}
	for _, k := range keywords {
		w.taken[k] = true
	}
	w.cannot.Add("How values are written: a pattern reads.")
	for _, g := range m.Gates {
		w.cannot.Add(fmt.Sprintf("That the part of the format called %s is refused unless the caller allows it: it is read here.", g))
	}
	for _, e := range m.Encodings {
		w.encoding(e)
	}
	w.findMembers()
	for _, r := range m.Routines {
		w.names[r] = w.taken.Name(model.Pascal(r.Name))
		if r.Union != nil {
			for _, a := range r.Union.Arms {
				w.names[a] = w.taken.Name(w.names[r] + model.Pascal(a.Type.Name))
			}
		}
	}
	for _, r := range m.Routines {
		if r.Union != nil {
			for _, a := range r.Union.Arms {
				w.structure(w.names[a], a.Type, a.Body, a.Registers(r), nil)
			}
			w.union(r)
		} else {
			w.structure(w.names[r], r.Type, r.Body, r.Arguments(), r)
		}
	}
	if err := w.missing.Err(); err != nil {
		return nil, nil, err
	}
	return w.print(), w.cannot, nil
}

// contentEnd is the name of the function that looks for the bytes that fill a row.
const contentEnd = "contentEnd"

// keywords are names that the pattern language has already.
var keywords = strings.Fields(`auto be bitfield bool break char char16 char32 class const continue double else enum false float fn
	for from if import in le match namespace null out padding parent private public ref return s128 s16 s24 s32 s48 s64 s8 s96 signed
	sizeof addressof str ended struct this true try catch type typename u128 u16 u24 u32 u48 u64 u8 u96 union unsigned using while as stop depth ` + contentEnd)

// encoding notes the rules of an encoding that the pattern does not check.
func (w *writer) encoding(e *schema.Encoding) {
	switch e.Charset {
	case builtin.UTF8Strict, builtin.UTF8Loose, builtin.ASCII, builtin.Windows1252, builtin.UTF16Little, builtin.UTF16Big:
		w.cannot.Add("That text which is no " + e.Charset.Standard() + " is refused: it is shown.")
	}
	if e.DropBOM {
		w.cannot.Add("That a byte order mark at the beginning of a text is left out.")
	}
	if e.NUL != schema.NULKeep {
		w.cannot.Add("That a text ends before a zero byte: what follows it is shown as well.")
	}
}

type writer struct {
	m       *model.Model
	names   map[any]string
	taken   model.Unique
	tuples  map[string]string
	forward []string // declarations of structs, which may name each other
	small   strings.Builder
	body    strings.Builder
	indent  int
	cannot  model.Notes
	bases   map[int]bool // from which places count, by number
	fills   bool         // some content ends before the bytes at the end of its row that fill it
	ends    bool         // some list ends with the first value that a condition holds for
	members []member     // numbers of records that expressions of others have
	missing model.Unsupported
	counts  map[int]*model.Expr // of the lists of the record that is written, see [model.Counts]
	texts   map[int][]string    // that the text cells of the record are compared with, see [model.Compared]
}

func (w *writer) f(format string, args ...any) {
	w.body.WriteString(strings.Repeat("    ", w.indent))
	fmt.Fprintf(&w.body, format, args...)
	w.body.WriteByte('\n')
}

// scope is the names of one struct.
type scope struct {
	ids   model.Unique
	regs  map[int]string
	cells map[int]string
	kept  map[int]string      // variables of registers that may be unread
	sizes map[int]string      // variables of the lengths of texts that may be unread
	texts map[int]string      // variables of texts that are compared
	large map[int]bool        // registers of unsigned numbers of 64 bits
	rows  map[int]*model.Type // records in cells
	last  string
}

func newScope(args []int) *scope {
	s := &scope{ids: model.Unique{}, regs: map[int]string{}, cells: map[int]string{}, kept: map[int]string{}, sizes: map[int]string{}, texts: map[int]string{}, large: map[int]bool{}, rows: map[int]*model.Type{}, last: "0"}
	for _, k := range keywords {
		s.ids[k] = true
	}
	for _, r := range args {
		s.regs[r] = s.ids.Name("r" + strconv.Itoa(r))
	}
	return s
}

func (s *scope) name(names ...string) string {
	last := names[len(names)-1]
	return s.ids.Name(append(names, last+"_")...)
}

// open begins a struct.
func (w *writer) open(name string, args []int, s *scope) {
	var list []string
	for _, r := range args {
		list = append(list, "auto "+s.regs[r])
	}
	if len(list) == 0 {
		w.forward = append(w.forward, name)
		w.f("struct %s {", name)
	} else {
		w.forward = append(w.forward, name+"<"+strings.Join(list, ", ")+">")
		w.f("struct %s<%s> {", name, strings.Join(list, ", "))
	}
	w.indent++
}

func (w *writer) close() {
	w.indent--
	w.f("};\n")
}

// enter counts what nests, so that a packet cannot make the editor run out of stack.
func (w *writer) enter(r *model.Routine) {
	if r != nil && r.Nests {
		w.f("std::assert(depth <= %d, \"nested too deeply\");", w.m.Depth)
		w.f("depth = depth + 1;")
	}
}

func (w *writer) leave(r *model.Routine) {
	if r != nil && r.Nests {
		w.f("depth = depth - 1;")
	}
}

func (w *writer) structure(name string, t *model.Type, block []*model.Stmt, args []int, r *model.Routine) {
	s := newScope(args)
	w.counts = model.Counts(block)
	if len(t.Doc) > 0 {
		for _, line := range t.Doc {
			w.f("// %s", line)
		}
	}
	w.open(name, args, s)
	w.enter(r)
	w.keep(s, block, args)
	w.block(s, t, block)
	w.leave(r)
	w.close()
}

// keep declares a variable with the value 0 for each number that may be unread.
func (w *writer) keep(s *scope, block []*model.Stmt, args []int) {
	regs, texts := model.Unread(block)
	for _, r := range slices.Sorted(maps.Keys(regs)) {
		initial := "0"
		if slices.Contains(args, r) {
			initial = s.regs[r]
		}
		s.kept[r] = s.name(w.setter(block, r) + "_or_0")
		s.regs[r] = s.kept[r]
		w.f("s128 %s = %s;", s.kept[r], initial)
	}
	for _, c := range slices.Sorted(maps.Keys(texts)) {
		s.sizes[c] = s.name("length_or_0")
		w.f("s128 %s = 0;", s.sizes[c])
	}
	w.texts = model.Compared(block)
	for _, c := range slices.Sorted(maps.Keys(w.texts)) {
		s.texts[c] = s.name("text_or_empty")
		w.f("str %s = \"\";", s.texts[c])
	}
}

// setter returns the name of the first row that sets a register.
func (w *writer) setter(block []*model.Stmt, reg int) string {
	name := ""
	model.Walk(block, func(s *model.Stmt) {
		switch s.Op {
		case model.OpWord, model.OpLet, model.OpMark, model.OpSize:
			if s.Reg == reg && name == "" {
				name = field(w.m.Rules[s.Rule].Name, "number")
			}
		}
	})
	return name
}

// set makes a name that of a register, or keeps its number if it may be unread later.
func (w *writer) set(s *scope, r int, name string) {
	if kept := s.kept[r]; kept != "" {
		w.f("%s = %s;", kept, name)
		name = kept
	}
	s.regs[r] = name
}

func (w *writer) union(r *model.Routine) {
	u, s := r.Union, newScope(r.Arguments())
	w.open(w.names[r], r.Arguments(), s)
	w.enter(r)
	if u.Word != builtin.NoScalar {
		if u.Order != nil {
			w.missing.Add("the word of a union in a chosen order")
		}
		s.regs[u.Reg] = s.name(field(w.m.Rules[u.Rule].Name, "word"))
		w.f("%s %s;", w.scalar(u.Word, u.Swapped), s.regs[u.Reg])
	}
	arm := s.name("arm")
	w.f("u64 %s = %s;", arm, w.number(s, u.Expr))
	known := false
	for i, a := range u.Arms {
		var args []string
		for _, reg := range a.Registers(r) {
			args = append(args, s.regs[reg])
		}
		body := with(w.names[a], args) + " " + s.name(model.Snake(a.Type.Name), "value") + ";"
		switch {
		case a.Else && i == 0:
			w.f("%s", body)
			known = true
		case a.Else:
			w.f("else")
			w.f("    %s", body)
			known = true
		case i == 0:
			w.f("if (%s)", among(arm, a.IDs))
			w.f("    %s", body)
		default:
			w.f("else if (%s)", among(arm, a.IDs))
			w.f("    %s", body)
		}
	}
	if !known {
		if len(u.Arms) > 0 {
			w.f("else")
		}
		w.f("    std::error(std::format(\"no type has the number {}\", %s));", arm)
	}
	w.leave(r)
	w.close()
}

// among returns the condition that a number is in one of some ranges.
func among(name string, ids builtin.Ranges) string {
	return model.Among(ids, func(n uint64) string { return fmt.Sprintf("%s == %d", name, n) },
		func(lo, hi uint64) string { return fmt.Sprintf("(%s >= %d && %s <= %d)", name, lo, name, hi) }, " || ")
}

func field(rule, otherwise string) string {
	if _, name, ok := strings.Cut(rule, "."); ok && name != "" {
		return model.Snake(name)
	}
	return otherwise
}

func (w *writer) cellName(of *model.Type, s *model.Stmt) string {
	if s.Cell < len(of.Fields) && of.Fields[s.Cell].Name != "" {
		return model.Snake(of.Fields[s.Cell].Name)
	}
	return "value"
}

// doc returns the description of a cell as an attribute that ImHex shows.
func (w *writer) doc(of *model.Type, s *model.Stmt) string {
	if s.Cell < len(of.Fields) && !s.Wide {
		if d := of.Fields[s.Cell].Doc; d != "" {
			return " [[comment(" + quote(d) + ")]]"
		}
	}
	return ""
}

// quote returns a text as a literal of the pattern language.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\t", " ").Replace(s) + `"`
}

func (w *writer) condition(s *scope, e *model.Expr) string {
	if e.Bool() {
		return w.number(s, e)
	}
	return w.number(s, e) + " != 0"
}

var infix = map[builtin.Op]string{
	builtin.Add: "+", builtin.Sub: "-", builtin.Mul: "*", builtin.Div: "/", builtin.Mod: "%",
	builtin.And: "&", builtin.Xor: "^", builtin.Shl: "<<", builtin.Shr: ">>",
	builtin.Eq: "==", builtin.Ne: "!=", builtin.Lt: "<", builtin.Le: "<=", builtin.Gt: ">", builtin.Ge: ">=",
	builtin.Both: "&&", builtin.Either: "||",
}

func (w *writer) number(s *scope, e *model.Expr) string {
	arg := func(i int) string { return w.number(s, e.Args[i]) }
	switch e.Op {
	case builtin.Num:
		return strconv.FormatInt(e.Num, 10)
	case builtin.Ref:
		return s.regs[e.Reg]
	case builtin.Eq, builtin.Ne:
		// A pattern's number is unsigned here, and the schema's expression is modulo 2^64.
		for i, a := range e.Args {
			if b := e.Args[1-i]; a.Op == builtin.Num && a.Num < 0 && b.Op == builtin.Ref && s.large[b.Reg] {
				return fmt.Sprintf("(%s %s %d)", arg(1-i), infix[e.Op], uint64(a.Num))
			}
		}
	case builtin.Div, builtin.Mod:
		if by := e.Args[1]; by.Min <= 0 && by.Max >= 0 {
			return fmt.Sprintf("(%s == 0 ? 0 : %s %s %s)", arg(1), arg(0), infix[e.Op], arg(1))
		}
	case builtin.Neg:
		return "(0 - " + arg(0) + ")"
	case builtin.Not:
		return "!(" + w.condition(s, e.Args[0]) + ")"
	case builtin.Both, builtin.Either:
		return "(" + w.condition(s, e.Args[0]) + " " + infix[e.Op] + " " + w.condition(s, e.Args[1]) + ")"
	case builtin.Min:
		return fmt.Sprintf("(%s < %s ? %s : %s)", arg(0), arg(1), arg(0), arg(1))
	case builtin.Max:
		return fmt.Sprintf("(%s > %s ? %s : %s)", arg(0), arg(1), arg(0), arg(1))
	case model.ExprSelect:
		return fmt.Sprintf("(%s ? %s : %s)", w.condition(s, e.Args[0]), arg(1), arg(2))
	case model.ExprFit:
		return arg(0)
	case model.ExprLeft:
		return "(stop - $)"
	case model.ExprMore:
		return "($ < stop)"
	case model.ExprMember:
		name, _ := w.member(s.rows[e.Cell], e.Place)
		return name
	case builtin.Closed:
		return "false"
	case builtin.Count:
		if n := w.counts[e.Cell]; n != nil {
			return w.number(s, n)
		}
	case model.ExprEquals:
		return "(" + s.texts[e.Cell] + " == " + strconv.Quote(e.Text) + ")"
	case builtin.Len:
		w.cannot.Add("Lengths of texts after a byte order mark and what follows a zero byte are left out: they are counted with them where a rule asks.")
		if size := s.sizes[e.Cell]; size != "" {
			return size
		}
		return "sizeof(" + s.cells[e.Cell] + ")"
	}
	if op, ok := infix[e.Op]; ok {
		return "(" + arg(0) + " " + op + " " + arg(1) + ")"
	}
	w.missing.Add("the operation " + model.ExprName(e.Op) + " in an expression")
	return "0"
}

func (w *writer) print() []byte {
	var b strings.Builder
	f := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	f("// %s: a pattern for ImHex.\n// Made from schema %s by octable export imhex; changes here are lost.\n", w.m.Title, w.m.Schema)
	if w.m.Source != "" {
		f("// Its facts: %s\n", w.m.Source)
	}
	f("// Program %s\n//\n// What it cannot say:\n", w.m.Hash)
	for _, c := range w.cannot {
		f("//   - %s\n", c)
	}
	order := "little"
	if w.m.Big {
		order = "big"
	}
	f("#pragma description %s\n#pragma endian %s\n#pragma eval_depth %d\n", strings.ReplaceAll(w.m.Title, "\n", " "), order, 4*w.m.Depth+64)
	f("#pragma array_limit 0x10000000\n#pragma pattern_limit 0x10000000\n\n")
	f("import std.core;\nimport std.mem;\nimport std.string;\n\n")
	f("s128 stop = std::mem::base_address() + std::mem::size(); // where the input, or the region in it, ends\ns128 depth = 0; // of values in values\n")
	for i := range w.members {
		f("s128 memberRead%d = 0; // a number of the record that was read last\n", i)
	}
	if w.ends {
		f("bool ended = false; // whether the last value ends a list\n")
	}
	w.declareBases(f)
	if w.fills {
		f("\n// %s returns where content ends before code units that fill its row.\nfn %[1]s(u128 begin, u128 end, u128 fill, u128 unit) {\n", contentEnd)
		f("    u128 at = end - (end - begin) %% unit;\n    while (at > begin && std::mem::read_unsigned(at - unit, unit, std::mem::Endian::Big) == fill) {\n        at = at - unit;\n    }\n    return at;\n};\n")
	}
	f("\n")
	for _, name := range w.forward {
		f("using %s;\n", name)
	}
	f("\n%s%s", w.small.String(), w.body.String())
	f("%s value @ std::mem::base_address();\n", w.names[w.m.Root])
	return []byte(b.String())
}
