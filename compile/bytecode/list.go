// Listings: text of programs, expressions and the instruction set, all printed
// from the table of instructions.

package bytecode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// operands returns the operands in the order of the table.
func (in *Instr) operands() [4]uint32 { return [4]uint32{in.A, in.B, in.C, in.D} }

// Sorts of operand that only expressions have.
const (
	opNumber Operand = 128 + iota // the number itself
	opBits                        // a number of bits
)

// operands returns the sorts of Arg and Arg2.
func (o ExprOp) operands() [2]Operand {
	if o >= numExprOps {
		return [2]Operand{}
	}
	return exprOps[o].args
}

// String returns the operation's name in listings.
func (o ExprOp) String() string {
	switch {
	case o >= numExprOps:
		return "invalid"
	case o == ExprNum:
		return "number"
	}
	return o.name()
}

// Doc returns what the operation computes.
func (o ExprOp) Doc() string {
	if o >= numExprOps {
		return ""
	}
	if exprOps[o].of != builtin.Num {
		return o.language().Doc
	}
	return exprOps[o].doc
}

// flagWords are the words for the flags of instructions.
var flagWords = [numOps][4]struct {
	bits   []string // by bit
	values []string // by value
	byte   string   // the number is a byte; its name
}{
	Truth:   {2: {bits: []string{"nonzero"}}},
	Expect:  {2: {bits: []string{"truth"}}},
	Take:    {2: {values: []string{"bool", "uint", "int", "wide uint", "wide int"}}},
	Pad:     {1: {bits: []string{"or end", "exact"}}, 2: {byte: "fill"}},
	Done:    {1: {bits: []string{"alone"}}},
	Sum:     {3: {bits: []string{"write", "read"}}},
	Chosen:  {2: {bits: []string{"any"}}},
	Holes:   {1: {byte: "with"}},
	Total:   {2: {byte: "with"}},
	Settle:  {2: {bits: []string{"any"}}},
	Seek:    {3: {bits: []string{"view"}}},
	Compare: {3: {bits: []string{"value", "1 back", "2 back", "4 back", "8 back"}}},
}

// operandWords are what the sorts of operand are called, in the order of their numbers.
var operandWords = [...]string{
	NoOperand: "", OpReg: "register", OpRegOpt: "register?", OpCell: "cell", OpExpr: "expression", OpExprOpt: "expression?",
	OpScalar: "scalar", OpWidth: "scalar", OpLaneCount: "lanes", OpCount: "cells", OpType: "type", OpRoutine: "routine",
	OpTable: "table", OpTableArm: "arm", OpString: "text", OpEncoding: "encoding", OpArgs: "arguments", OpGate: "gate",
	OpFlags: "flags", OpAlign: "alignment", OpBack: "bytes back", OpSum: "checksum", OpPassed: "registers",
	OpEncodingOpt: "encoding?", OpFill: "fill", OpAlignOpt: "alignment", OpSpare: "bytes",
}

// String returns the word for the sort of operand; one that may be left out has
// a question mark.
func (k Operand) String() string {
	switch {
	case k == opNumber:
		return "number"
	case k == opBits:
		return "bits"
	case int(k) >= len(operandWords):
		return "invalid"
	}
	return operandWords[k]
}

// ExprText returns an expression as it would be written in a schema. Registers
// r0 … and cells c0 … are in place of names.
func (p *Program) ExprText(i uint32) string {
	if uint64(i) >= uint64(len(p.Exprs)) {
		return fmt.Sprintf("expression %d, which does not exist", i)
	}
	text, _ := p.exprText(p.Exprs[i])
	return text
}

// exprText returns the text of an expression, and how strongly its parts are bound.
func (p *Program) exprText(e *Expr) (string, int) {
	const atom, prefix = 10, 9
	if e == nil || e.Op >= numExprOps || len(e.Args) != e.Op.Takes() {
		return "invalid", atom
	}
	name, bind, sorts := e.Op.name(), e.Op.language().Bind, exprOps[e.Op].args
	in := func(i, bind int) string { // operand i, in parentheses unless it binds as strongly
		text, binds := p.exprText(e.Args[i])
		if binds < bind {
			return "(" + text + ")"
		}
		return text
	}
	switch {
	case bind > 0:
		return in(0, bind) + " " + name + " " + in(1, bind+1), bind
	case e.Op == ExprNeg || e.Op == ExprNot:
		return name + in(0, prefix), prefix
	case e.Op == ExprSelect:
		return in(0, 1) + " ? " + in(1, 1) + " : " + in(2, 0), 0
	case e.Op == ExprNum && e.Arg < 0:
		return p.operandText(sorts[0], e.Arg), prefix
	case e.Op == ExprNum || e.Op == ExprReg:
		return p.operandText(sorts[0], e.Arg), atom
	}
	var args []string
	for i := range e.Args {
		args = append(args, in(i, 0))
	}
	for k, x := range [2]int64{e.Arg, int64(e.Arg2)} {
		if sorts[k] != NoOperand {
			args = append(args, p.operandText(sorts[k], x))
		}
	}
	if args == nil {
		return name, atom
	}
	return name + "(" + strings.Join(args, ", ") + ")", atom
}

// operandText returns an operand as text; flags are left to the caller, who
// knows the instruction.
func (p *Program) operandText(kind Operand, x int64) string {
	named := func(n int, name func() string) string {
		if x < 0 || x >= int64(n) {
			return fmt.Sprintf("%s %d, which does not exist", kind, x)
		}
		return name()
	}
	switch kind {
	case opNumber:
		switch {
		case x < 0:
			return strconv.FormatInt(x, 10)
		case x > math.MaxUint16 && letters(uint64(x)) == "":
			return fmt.Sprintf("%#x", x)
		}
		return idText(uint64(x))
	case OpReg, OpRegOpt:
		return fmt.Sprintf("r%d", x)
	case OpCell:
		return fmt.Sprintf("c%d", x)
	case OpExpr, OpExprOpt:
		return p.ExprText(uint32(x))
	case OpScalar, OpWidth:
		s := Scalar(x & 0xff).String()
		if c := codingOf(uint32(x)); c != builtin.Fixed {
			s = c.String()
			if c.Fill() != c.DefaultFill() {
				s += fmt.Sprintf(" fill %x", c.Fill())
			}
			if c.Side() != builtin.NoSide {
				s += " " + string(c.Side())
			}
		}
		if x&FlagSwapped != 0 {
			s += " swapped"
		}
		switch {
		case x&FlagWide == 0:
		case kind == OpScalar:
			s += " ordered"
		default:
			s += " wide"
		}
		if x&FlagLonger != 0 {
			s += " longer"
		}
		return s
	case OpLaneCount:
		return fmt.Sprintf("×%d", x)
	case OpCount:
		return number(uint32(x), "cell")
	case OpType:
		return named(len(p.Types), func() string { return "type " + p.Types[x].Name })
	case OpRoutine:
		return named(len(p.Routines), func() string { return p.routineName(uint32(x)) })
	case OpTable:
		return fmt.Sprintf("table %d", x)
	case OpBack:
		return fmt.Sprintf("%s back", number(uint32(x), "byte"))
	case OpSum:
		return named(int(builtin.NumChecksums), func() string { return builtin.Checksum(x).String() })
	case OpString:
		return named(len(p.Strings), func() string { return strconv.Quote(p.Strings[x]) })
	case OpFill:
		text := fmt.Sprintf("fill %#02x", x&0xff)
		if x&FillAny != 0 {
			text += " any"
		}
		return text
	case OpEncoding, OpEncodingOpt:
		return named(len(p.Encodings), func() string { return p.Encodings[x].Name })
	case OpArgs:
		return named(len(p.Args), func() string {
			var list []string
			for _, e := range p.Args[x] {
				list = append(list, p.ExprText(e))
			}
			return "(" + strings.Join(list, ", ") + ")"
		})
	case OpGate:
		return named(len(p.Gates), func() string { return p.Gates[x] })
	case OpSpare:
		return number(uint32(x), "byte")
	case OpAlign, OpAlignOpt:
		return fmt.Sprintf("to %d", x)
	}
	return strconv.FormatInt(x, 10)
}

// letters returns a number that is a code of four letters, such as 'RIFF', or "".
func letters(x uint64) string {
	b := binary.LittleEndian.AppendUint32(nil, uint32(x))
	for _, c := range b {
		if c < ' ' || c > '~' || c == '\'' || c == '\\' || x > math.MaxUint32 {
			return ""
		}
	}
	return "'" + string(b) + "'"
}

func idText(x uint64) string {
	if t := letters(x); t != "" {
		return t
	}
	return strconv.FormatUint(x, 10)
}

func number(n uint32, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// routineName returns a routine's name, with its number where others have the same.
func (p *Program) routineName(i uint32) string {
	name := p.Routines[i].Name
	for k := range p.Routines {
		if k != int(i) && p.Routines[k].Name == name {
			return fmt.Sprintf("%s#%d", name, i)
		}
	}
	return name
}

// InstrText returns an instruction as text, such as "word u32 r1, len(c0, utf8), none".
func (p *Program) InstrText(in *Instr) string {
	var list []string
	values := in.operands()
	for k, kind := range in.Op.Operands() {
		x := values[k]
		switch {
		case kind == NoOperand, kind == OpBack && x == 0:
		case (kind == OpExprOpt || kind == OpRegOpt) && x == None:
			list = append(list, "none")
		case kind == OpEncodingOpt && x == None:
			list = append(list, "bytes")
		case kind == OpFlags:
			if t := flagText(in.Op, k, x); t != "" {
				list = append(list, t)
			}
		default:
			list = append(list, p.operandText(kind, int64(x)))
		}
	}
	return strings.TrimSuffix(in.Op.String()+" "+strings.Join(list, ", "), " ")
}

func flagText(op Op, k int, x uint32) string {
	words := flagWords[op][k]
	switch {
	case words.byte != "":
		return fmt.Sprintf("%s %#02x", words.byte, x)
	case int64(x) < int64(len(words.values)):
		return words.values[x]
	}
	var list []string
	for i, w := range words.bits {
		if x>>i&1 != 0 {
			list = append(list, w)
			x &^= 1 << i
		}
	}
	if x != 0 {
		list = append(list, fmt.Sprintf("flags %#x", x))
	}
	return strings.Join(list, ", ")
}

// String returns the sizes as text, such as "4 bytes" or "8 to 24 bytes".
func (b Bounds) String() string {
	if b.Min < b.Max && b.Max != Unbounded {
		return fmt.Sprintf("%d to %d bytes", b.Min, b.Max)
	}
	text := fmt.Sprintf("%d bytes", b.Min)
	if b.Min == 1 {
		text = "1 byte"
	}
	if b.Max == Unbounded {
		text += " or more"
	}
	return text
}

// List writes the program as a listing. It has every routine and every arm with its size, and every instruction with the
// row of the schema that it was made from. What is inside a block is indented. If source is not nil, it returns the text
// of a line, or "", and the listing shows it with the first instruction that is about it. The program must have passed
// [Verify].
func (p *Program) List(w io.Writer, source func(file string, line int) string) error {
	var b bytes.Buffer
	name := p.Schema
	if p.Choice != "" {
		name += ", " + p.Choice
	}
	fmt.Fprintf(&b, "program %s: %s\n", name, p.Title)
	order := "lowest byte first"
	if p.Big {
		order = "highest byte first"
	}
	fmt.Fprintf(&b, "numbers have their %s; root %s; depth %d\n", order, p.routineName(p.Root), p.Depth)
	for i, g := range p.Gates {
		fmt.Fprintf(&b, "gate %d: %s\n", i, g)
	}
	for i, e := range p.Encodings {
		fmt.Fprintf(&b, "encoding %d: %s\n", i, e)
	}
	for i := range p.Routines {
		p.listRoutine(&b, uint32(i), source)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// String returns the encoding as text.
func (e Encoding) String() string {
	s := e.Name + ", " + e.Charset.Title()
	if e.DropBOM {
		s += ", a byte order mark is left out"
	}
	return s + [...]string{"", ", ends before a zero byte", ", with a zero byte that is counted"}[e.NUL]
}

// listColumn is the column of the schema's rows in a listing.
const listColumn = 60

func (p *Program) listRoutine(b *bytes.Buffer, index uint32, source func(file string, line int) string) {
	r := &p.Routines[index]
	fmt.Fprintf(b, "\nroutine %s: %s; %s, %s", p.routineName(index), p.Bounds(index), number(r.Regs, "register"), number(r.Cells, "cell"))
	if r.Args > 0 {
		fmt.Fprintf(b, "; takes %s", number(r.Args, "argument"))
	}
	if r.Nests {
		b.WriteString("; counts towards the depth")
	}
	b.WriteString("\n")
	last := Rule{}
	line := func(pc, level int, what string) {
		text := fmt.Sprintf("%6d  %*s%s", pc, 2*level, "", what)
		rule := p.Rules[p.Code[pc].Rule]
		pad := max(2, listColumn-len([]rune(text)))
		fmt.Fprintf(b, "%s%*s; %s:%d", text, pad, "", rule.File, rule.Line)
		if source != nil && (rule.File != last.File || rule.Line != last.Line) {
			if row := strings.TrimSpace(source(rule.File, int(rule.Line))); row != "" {
				b.WriteString("  " + row)
			}
		}
		last = rule
		b.WriteString("\n")
	}
	var block func(inside Block, level int)
	block = func(inside Block, level int) {
		for pc, in := range p.Instrs(inside) {
			line(pc, level, p.InstrText(in))
			for i, inner := range p.Inner(pc) {
				switch {
				case in.Op == Union || in.Op == Switch:
					line(inner.First-1, level+1, p.armText(index, in.D, i))
					block(inner, level+2)
				case i > 0 && inner.First > p.End(pc):
					line(p.End(pc), level, Else.String())
					block(inner, level+1)
				default:
					block(inner, level+1)
				}
			}
			if end := p.Close(pc); end != pc {
				line(end, level, p.InstrText(&p.Code[end]))
			}
		}
	}
	block(p.Body(index), 0)
}

// armText returns an arm of a union as text, such as "arm 1 letter: 4 bytes or more".
func (p *Program) armText(routine, table uint32, i int) string {
	a := p.Tables[table].Arms[i]
	id := idText(a.ID)
	switch {
	case a.Else:
		id = "else"
	case a.IDs != nil:
		text := make([]string, len(a.IDs))
		for k, r := range a.IDs {
			if text[k] = idText(r.Lo); r.Lo != r.Hi {
				text[k] += ".." + idText(r.Hi)
			}
		}
		id = strings.Join(text, ", ")
	}
	return fmt.Sprintf("%s %s %s: %s", Arm, id, p.Types[a.Type].Name, p.ArmBounds(routine, i))
}

// Reference writes the instruction set as Markdown: a table of the instructions,
// and one of the operations of expressions.
func Reference(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("| instruction | operands | what it does |\n| --- | --- | --- |\n")
	for _, op := range Ops() {
		var list []string
		for k, kind := range op.Operands() {
			words := flagWords[op][k]
			switch {
			case kind == NoOperand:
			case kind != OpFlags:
				list = append(list, kind.String())
			case words.byte != "":
				list = append(list, words.byte)
			default:
				if words.values != nil {
					list = append(list, strings.Join(words.values, " or "))
				}
				for _, w := range words.bits {
					list = append(list, w+"?")
				}
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", op, strings.Join(list, ", "), op.Doc())
	}
	b.WriteString("\n| expression | what it gives |\n| --- | --- |\n")
	for o := ExprOp(0); o < numExprOps; o++ {
		name := o.name()
		letters := []string{"a", "b", "c"}[:o.Takes()]
		text := ""
		switch {
		case o.language().Bind > 0:
			text = "a " + name + " b"
		case o == ExprNeg || o == ExprNot:
			text = name + "a"
		case o == ExprSelect:
			text = "a ? b : c"
		case o == ExprNum || o == ExprReg:
			text = o.operands()[0].String()
		default:
			args := letters
			for _, kind := range o.operands() {
				if kind != NoOperand {
					args = append(args[:len(args):len(args)], kind.String())
				}
			}
			text = name
			if len(args) > 0 {
				text += "(" + strings.Join(args, ", ") + ")"
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(text, "|", `\|`), o.Doc())
	}
	_, err := w.Write(b.Bytes())
	return err
}
