// The members of a struct: what the statements of a block read.

package imhex

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

func (w *writer) block(s *scope, of *model.Type, block []*model.Stmt) {
	var outer []string
	var places parts
	for i, x := range block {
		rule := w.m.Rules[x.Rule].Name
		if x.Written() || w.variable(s, x) || w.leaf(s, of, x) || w.elements(s, of, x, block[i+1:]) {
			continue
		}
		switch x.Op {
		case model.OpCompare:
			if x.Derived {
				w.cannot.Redundant(rule)
				break
			}
			w.cannot.AnySum(rule)
		case model.OpNote:
			if !x.Any {
				w.cannot.AnySum(rule)
			}
		case model.OpGaps:
			w.cannot.Gaps(rule)
			w.f("baseUsed%d = stop;", places.base)
		case model.OpBase, model.OpClose, model.OpSeek, model.OpBack:
			w.place(s, x, &places)
		case model.OpCheck:
			if x.Expr.OfArray() {
				w.cannot.Unchecked(rule)
				break
			}
			w.f("std::assert(%s, %s);", w.condition(s, x.Expr), quote(x.Text))
		case model.OpPacked:
			if i > 0 && block[i-1].Op == model.OpGaps {
				break // not shown
			}
			w.packed(s, of, x)
		case model.OpPad:
			size := fmt.Sprintf("(%d - (%s) %% %d) %% %d", x.Align, s.last, x.Align, x.Align)
			if x.OrEnd {
				n := s.name("missing")
				w.f("s128 %s = %s;", n, size)
				w.f("if (%s > stop - $) %s = stop - $;", n, n)
				size = n
			}
			if x.Exact {
				w.cannot.Add("That padding has the bytes that a writer writes.")
			}
			w.f("padding[%s];", size)
		case model.OpIf:
			w.f("if (%s) {", w.condition(s, x.Expr))
			w.indent++
			w.block(s, of, x.Then)
			w.indent--
			if len(x.Else) > 0 && anything(x.Else) {
				w.f("} else {")
				w.indent++
				w.block(s, of, x.Else)
				w.indent--
			}
			w.f("}")
		case model.OpEnter:
			o := s.name("outer")
			outer = append(outer, o)
			size := w.number(s, x.Expr)
			w.f("s128 %s = stop;", o)
			w.f("std::assert(%s <= stop - $, \"the region goes beyond what is around it\");", size)
			w.f("stop = $ + %s;", size)
			s.last = size
		case model.OpLeave:
			w.f("std::assert($ == stop, \"the region is not used up\");")
			w.f("stop = %s;", outer[len(outer)-1])
			outer = outer[:len(outer)-1]
		}
	}
}

// leaf prints the reading of a field without parts, and reports whether the statement is one.
func (w *writer) leaf(s *scope, of *model.Type, x *model.Stmt) bool {
	switch x.Op {
	case model.OpScalars, model.OpTruth:
		w.missing.Coded(x)
		name := w.cell(s, of, x)
		w.f("%s %s%s;", w.scalar(x.Scalar, x.Swapped), name, w.doc(of, x))
		if x.Op == model.OpTruth && !x.Nonzero {
			w.f("std::assert(%s == 0 || %s == 1, \"neither 0, which is false, nor 1, which is true\");", name, name)
		}
		if x.Op == model.OpTruth {
			name = "(" + name + " != 0 ? 1 : 0)"
		}
		w.keepMember(of, x.Cell, name)
	case model.OpTake:
		number := s.regs[x.Reg]
		if x.Take == builtin.Bool {
			number = "(" + number + " != 0 ? 1 : 0)"
		}
		w.keepMember(of, x.Cell, number)
	case model.OpArmRef:
		known := cmp.Or(among(s.regs[x.Reg], x.Elem.Union.Known()), "false")
		w.f("std::assert(%s, \"no type has this number\");", known)
	case model.OpLanes:
		name := w.cell(s, of, x)
		w.f("%s %s%s;", w.tuple(of, x), name, w.doc(of, x))
		if of.Lanes != nil {
			for i, lane := range lanes(of, x) {
				w.keepMember(of, i, name+"."+lane)
			}
		}
	case model.OpText:
		name := w.cell(s, of, x)
		switch {
		case x.End != nil:
			w.delimited(s, of, x, w.letter(x), name)
		case x.Expr == nil:
			s.last = s.name("size")
			w.f("s128 %s = stop - $;", s.last)
			w.text(of, x, name, s.last)
		default:
			s.last = w.number(s, x.Expr)
			w.text(of, x, name, s.last)
		}
		if size := s.sizes[x.Cell]; size != "" {
			w.f("%s = sizeof(%s);", size, name)
		}
		w.compared(s, x, name)
	default:
		return false
	}
	return true
}

// elements prints the reading of a field with parts, and reports whether the statement is one. rest are the statements after it.
func (w *writer) elements(s *scope, of *model.Type, x *model.Stmt, rest []*model.Stmt) bool {
	switch x.Op {
	case model.OpList, model.OpMap:
		elem, least := w.use(s, x), x.Elem.Min
		if x.Op == model.OpMap {
			elem, least = w.pair(s, x), least+x.Key.Min
		}
		n, from := s.name("count"), s.name("begin")
		w.f("s128 %s = %s;", n, w.number(s, x.Expr))
		w.f("s128 %s = $;", from)
		w.f("std::assert(%s * %d <= stop - $, \"the input ends too early for the count\");", n, least)
		w.f("%s %s[%s]%s;", elem, w.cell(s, of, x), n, w.doc(of, x))
		s.last = "$ - " + from
	case model.OpRest:
		from := s.name("begin")
		w.f("s128 %s = $;", from)
		more := "$ < stop"
		if x.Stops {
			w.ends = true
			w.f("ended = false;")
			more = "!ended"
		} else if x.Spare > 0 {
			more = fmt.Sprintf("stop - $ > %d", x.Spare)
		}
		w.f("%s %s[while(%s)]%s;", w.use(s, x), w.cell(s, of, x), more, w.doc(of, x))
		s.last = "$ - " + from
	case model.OpCall:
		if model.Padded(rest, -1, false, false) {
			from := s.name("begin")
			w.f("s128 %s = $;", from)
			s.last = "$ - " + from
		}
		w.f("%s %s%s;", w.use(s, x), w.cell(s, of, x), w.doc(of, x))
		s.rows[x.Cell] = x.Elem.Type
	default:
		return false
	}
	return true
}

// variable prints a statement that sets a variable, and reports whether it is one.
func (w *writer) variable(s *scope, x *model.Stmt) bool {
	rule := w.m.Rules[x.Rule].Name
	switch x.Op {
	case model.OpWord:
		w.missing.Coded(x)
		name := s.name(field(rule, "word"))
		w.f("%s %s;", w.scalar(x.Scalar, x.Swapped), name)
		w.set(s, x.Reg, name)
		s.large[x.Reg] = x.Scalar == builtin.U64
	case model.OpLet:
		value := w.number(s, x.Expr)
		name := s.name(field(rule, "number"))
		w.f("s128 %s = %s;", name, value)
		w.set(s, x.Reg, name)
	case model.OpMark:
		if x.OfSum {
			break
		}
		name := s.name("mark")
		w.f("s128 %s = $;", name)
		w.set(s, x.Reg, name)
	case model.OpSize:
		value := "$ - " + s.regs[x.Place]
		name := s.name("size")
		w.f("s128 %s = %s;", name, value)
		w.set(s, x.Reg, name)
		s.last = name
	case model.OpStop:
		w.f("ended = %s;", w.condition(s, x.Expr))
	default:
		return false
	}
	return true
}

// anything reports whether statements read or refuse something.
func anything(block []*model.Stmt) bool {
	return slices.ContainsFunc(block, func(s *model.Stmt) bool {
		return s.Op != model.OpAbsent && s.Op != model.OpGate && s.Op != model.OpExpect
	})
}

// use prints the type of the elements of a list, or of a row, with its arguments.
func (w *writer) use(s *scope, x *model.Stmt) string {
	var args []string
	for _, a := range x.Args {
		args = append(args, w.number(s, a))
	}
	return with(w.names[x.Elem], args)
}

// with prints a type with arguments.
func with(name string, args []string) string {
	if len(args) == 0 {
		return name
	}
	return name + "<" + strings.Join(args, ", ") + ">"
}

func (w *writer) cell(s *scope, of *model.Type, x *model.Stmt) string {
	name := w.cellName(of, x)
	names := []string{name}
	if x.Scalar != builtin.NoScalar {
		names = append(names, name+"_"+x.Scalar.String())
	}
	s.cells[x.Cell] = s.name(names...)
	return s.cells[x.Cell]
}

// delimited prints text or bytes that end before others, and then the others.
func (w *writer) delimited(s *scope, of *model.Type, x *model.Stmt, elem, name string) {
	begin := s.name("begin")
	w.f("s128 %s = $;", begin)
	n, number := len(x.End.Bytes), fmt.Sprintf("0x%x", x.End.Bytes)
	read := "std::mem::read_unsigned($, " + strconv.Itoa(n) + ", std::mem::Endian::Big)"
	if x.End.Fill {
		end := s.name("filled")
		w.f("s128 %s = $ + %s;", end, w.number(s, x.Expr))
		w.f("std::assert($ <= %s && %s <= stop, \"the input ends too early for the row\");", end, end)
		if x.End.Last {
			content := s.name("content")
			w.f("s128 %s = %s($, %s, %s, %d);", content, contentEnd, end, number, n)
			w.f("%s %s[while($ < %s)]%s;", elem, name, content, w.doc(of, x))
			w.fills = true
		} else {
			w.f("%s %s[while($ + %d <= %s && %s != %s)]%s;", elem, name, n, end, read, number, w.doc(of, x))
		}
		if x.End.Last && n > 1 {
			w.cannot.Add("That a byte behind the last code unit of a row fills it.")
		}
		w.f("padding[%s - $];", end)
	} else {
		w.f("%s %s[while($ + %d <= stop && %s != %s)]%s;", elem, name, n, read, number, w.doc(of, x))
		w.f("std::assert($ + %d <= stop, \"the bytes that end the row are missing\");", n)
		w.f("padding[%d];", n)
	}
	s.last = "$ - " + begin
}

// compared keeps a text that is compared with others.
func (w *writer) compared(s *scope, x *model.Stmt, name string) {
	text := s.texts[x.Cell]
	if text == "" {
		return
	}
	of := w.m.Encodings[x.Encoding]
	other := slices.ContainsFunc(w.texts[x.Cell], func(literal string) bool {
		bytes, _ := of.Charset.Encode(literal)
		return string(bytes) != literal
	})
	if other || of.NUL != schema.NULKeep || of.DropBOM {
		w.missing.Add("a comparison of text whose bytes are not those of UTF-8, or that may begin or end before its bytes do")
	}
	w.f("%s = std::mem::read_string(addressof(%s), sizeof(%s));", text, name, name)
}

// text prints a text of a number of bytes. ImHex has UTF-16, and shows other text by its bytes.
func (w *writer) text(of *model.Type, x *model.Stmt, name, size string) {
	if w.m.Encodings[x.Encoding].Charset.Unit() == 1 {
		w.f("char %s[%s]%s;", name, size, w.doc(of, x))
		return
	}
	w.f("std::assert((%s) %% 2 == 0, \"text in UTF-16 has an odd number of bytes\");", size)
	w.f("%s %s[(%s) / 2]%s;", w.letter(x), name, size, w.doc(of, x))
}

// letter returns the type of a code unit of text.
func (w *writer) letter(x *model.Stmt) string {
	switch w.m.Encodings[x.Encoding].Charset {
	case builtin.UTF16Little:
		return "le char16"
	case builtin.UTF16Big:
		return "be char16"
	}
	return "char"
}

func (w *writer) packed(s *scope, of *model.Type, x *model.Stmt) {
	if x.End != nil {
		w.delimited(s, of, x, "u8", w.cell(s, of, x))
		return
	}
	size := x.Width * x.Scalar.Width()
	elem := w.scalar(x.Scalar, x.Swapped)
	if x.Width > 1 {
		elem = w.tuple(of, x)
	}
	n := fmt.Sprintf("(stop - $) / %d", size)
	if x.Expr != nil {
		n = w.number(s, x.Expr)
	}
	count := s.name("count")
	w.f("s128 %s = %s;", count, n)
	w.f("std::assert(%s * %d <= stop - $, \"the input ends too early for the count\");", count, size)
	w.f("%s %s[%s]%s;", elem, w.cell(s, of, x), count, w.doc(of, x))
	s.last = fmt.Sprintf("%s * %d", count, size)
}

// pair prints the type of a pair of a map, with the arguments of its key and its value.
func (w *writer) pair(s *scope, x *model.Stmt) string {
	var args, params []string
	for i, a := range x.Args {
		args, params = append(args, w.number(s, a)), append(params, fmt.Sprintf("argument_%d", i))
	}
	key := "pair " + w.names[x.Key] + " " + w.names[x.Elem]
	if name, ok := w.tuples[key]; ok {
		return with(name, args)
	}
	name := w.taken.Name(w.names[x.Elem]+"Pair", w.names[x.Key]+w.names[x.Elem]+"Pair")
	w.tuples[key] = name
	var autos []string
	for _, p := range params {
		autos = append(autos, "auto "+p)
	}
	declared, of := with(name, autos), x.Key.Args
	w.forward = append(w.forward, declared)
	fmt.Fprintf(&w.small, "struct %s {\n    %s key;\n    %s value;\n};\n\n", declared, with(w.names[x.Key], params[:of]), with(w.names[x.Elem], params[of:]))
	return with(name, args)
}

// lanes returns the names of the numbers of a tuple.
func lanes(of *model.Type, x *model.Stmt) []string {
	s := newScope(nil)
	names := x.Tuple(of, "n")
	for i, name := range names {
		names[i] = s.name(model.Snake(name))
	}
	return names
}

func (w *writer) tuple(of *model.Type, x *model.Stmt) string {
	names := lanes(of, x)
	key := w.scalar(x.Scalar, x.Swapped) + " " + strings.Join(names, " ")
	if name, ok := w.tuples[key]; ok {
		return name
	}
	base := model.Pascal(strings.Join(names, "_"))
	if len(base) > 16 || names[0] == "n0" {
		base = "Tuple" + strconv.Itoa(x.Width)
	}
	name := w.taken.Name(base + model.Pascal(x.Scalar.String()))
	w.tuples[key] = name
	fmt.Fprintf(&w.small, "struct %s {\n", name)
	for _, n := range names {
		fmt.Fprintf(&w.small, "    %s %s;\n", w.scalar(x.Scalar, x.Swapped), n)
	}
	w.small.WriteString("};\n\n")
	return name
}

// scalar returns the language's name of a number's form.
func (w *writer) scalar(s builtin.Scalar, swapped bool) string {
	switch {
	case !swapped:
	case w.m.Big:
		return "le " + w.scalar(s, false)
	default:
		return "be " + w.scalar(s, false)
	}
	switch {
	case s == builtin.Code4: // its number has the first letter lowest in either byte order
		return "le u32"
	case s == builtin.F16, s.Odd() && (s.Width() == 5 || s.Width() == 7):
		w.missing.Add("numbers of " + s.String())
	case s == builtin.F32:
		return "float"
	case s == builtin.F64:
		return "double"
	}
	return strings.Replace(s.String(), "i", "s", 1)
}
