// Program files: a program as bytes, and back.
//
// A file holds, in this order: four letters that name the format; the number of the
// form, as a varint; the pool of texts; the tables of the program; and the SHA-256
// of everything before it. Numbers are varints, texts are numbers of the pool, and
// lists begin with their length. Operands that an instruction does not have are left
// out. An expression is an operation, followed by its operands (pre-order).

package bytecode

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// FormatVersion is the number of the form of program files. It grows with every
// change of the form, and of what instructions mean.
const FormatVersion = 10

// Extension is the ending of the names of program files.
const Extension = ".octb"

const magic = "octb"

// Save returns the program as a file, which [Load] takes. The program must have
// passed [Verify]. The same program always gives the same bytes.
func (p *Program) Save() []byte {
	s := saver{p: p, texts: map[string]uint64{}}
	s.program()
	out := append([]byte(magic), FormatVersion)
	out = binary.AppendUvarint(out, uint64(len(s.pool)))
	for _, t := range s.pool {
		out = binary.AppendUvarint(out, uint64(len(t)))
		out = append(out, t...)
	}
	out = append(out, s.out...)
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// Hash returns the SHA-256 of the program's file, in hexadecimal: two programs
// with the same hash do the same.
func (p *Program) Hash() string {
	b := p.Save()
	return hex.EncodeToString(b[len(b)-sha256.Size:])
}

// Meaning returns the SHA-256 of the program without descriptions and the places of its rows in the source, in
// hexadecimal. A comment does not change it.
func (p *Program) Meaning() string {
	q := *p
	q.Title, q.Role = "", builtin.FormatRole
	q.Rules = slices.Clone(p.Rules)
	for i := range q.Rules {
		r := &q.Rules[i]
		r.File, r.Line, r.Doc = "", 0, ""
	}
	return q.Hash()
}

type saver struct {
	p     *Program
	pool  []string
	texts map[string]uint64
	out   []byte
}

func (s *saver) num(x uint64)   { s.out = binary.AppendUvarint(s.out, x) }
func (s *saver) signed(x int64) { s.out = binary.AppendVarint(s.out, x) }
func (s *saver) opt(x uint32)   { s.num(uint64(x + 1)) } // None becomes 0

func (s *saver) text(t string) {
	i, ok := s.texts[t]
	if !ok {
		i = uint64(len(s.pool))
		s.texts[t] = i
		s.pool = append(s.pool, t)
	}
	s.num(i)
}

func (s *saver) list(l []uint32) {
	s.num(uint64(len(l)))
	for _, x := range l {
		s.num(uint64(x))
	}
}

func (s *saver) textList(l []string) {
	s.num(uint64(len(l)))
	for _, t := range l {
		s.text(t)
	}
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// program writes what loader.program reads.
func (s *saver) program() {
	p := s.p
	s.text(p.Schema)
	s.text(p.Title)
	s.text(p.Choice)
	s.num(flag(p.Big) | uint64(p.Role)<<1)
	s.num(uint64(p.Root))
	s.num(uint64(p.Depth))
	s.textList(p.Gates)
	s.num(uint64(len(p.Types)))
	for i := range p.Types {
		s.typ(&p.Types[i])
	}
	s.num(uint64(len(p.Routines)))
	for i := range p.Routines {
		r := &p.Routines[i]
		s.text(r.Name)
		for _, x := range []uint32{r.Start, r.End, r.Regs, r.Cells} {
			s.num(uint64(x))
		}
		s.num(uint64(r.Args)<<1 | flag(r.Nests))
	}
	s.num(uint64(len(p.Code)))
	rule := uint32(0)
	for i := range p.Code {
		in := &p.Code[i]
		s.num(uint64(in.Op))
		s.signed(int64(in.Rule) - int64(rule))
		rule = in.Rule
		for k, x := range in.operands() {
			switch in.Op.Operands()[k] {
			case NoOperand:
			case OpExprOpt, OpRegOpt:
				s.opt(x)
			default:
				s.num(uint64(x))
			}
		}
	}
	s.num(uint64(len(p.Exprs)))
	for _, e := range p.Exprs {
		s.expr(e)
	}
	s.num(uint64(len(p.Args)))
	for _, l := range p.Args {
		s.list(l)
	}
	s.num(uint64(len(p.Tables)))
	for _, t := range p.Tables {
		s.num(uint64(len(t.Arms)))
		for _, a := range t.Arms {
			s.num(a.ID)
			s.num(uint64(a.Type)<<1 | flag(a.Else))
			s.num(uint64(len(a.IDs)))
			for _, r := range a.IDs {
				s.num(r.Lo)
				s.num(r.Hi)
			}
		}
	}
	s.num(uint64(len(p.Encodings)))
	for _, e := range p.Encodings {
		s.text(e.Name)
		s.num(uint64(e.Charset))
		s.num(flag(e.DropBOM))
		s.num(uint64(e.NUL))
	}
	s.textList(p.Strings)
	s.num(uint64(len(p.Rules)))
	for _, r := range p.Rules {
		s.text(r.File)
		s.num(uint64(r.Line))
		s.text(r.Name)
		s.text(r.Doc)
	}
	for _, l := range p.Keys {
		s.list(l)
	}
}

func (s *saver) expr(e *Expr) {
	s.num(uint64(e.Op))
	kinds := e.Op.operands()
	if kinds[0] != NoOperand {
		s.signed(e.Arg)
	}
	if kinds[1] != NoOperand {
		s.num(uint64(e.Arg2))
	}
	for _, x := range e.Args {
		s.expr(x)
	}
}

func (s *saver) typ(t *Type) {
	s.text(t.Name)
	s.text(t.Label)
	s.text(t.Union)
	s.num(t.ID)
	s.num(uint64(len(t.Fields)))
	for _, f := range t.Fields {
		s.text(f.Name)
		s.num(uint64(f.Kind)<<1 | flag(f.Alone))
	}
	s.textList(t.Lanes)
	s.num(uint64(len(t.Writes)))
	for _, w := range t.Writes {
		s.opt(w.When)
		s.num(flag(w.Absent))
		s.num(uint64(w.Type))
		s.text(w.Text)
	}
}

// Load returns the program in a file that [Program.Save] made, after it has
// passed [Verify]. It takes memory of at most 80 times the length of b, for any b,
// and does not keep b.
func Load(b []byte) (*Program, error) {
	if !bytes.HasPrefix(b, []byte(magic)) {
		return nil, errors.New("this is not a compiled program, which begins with the letters octb; compile the schema first")
	}
	version, n := binary.Uvarint(b[len(magic):])
	switch {
	case n <= 0 || len(b) < len(magic)+n+sha256.Size:
		return nil, errors.New("the compiled program is cut off; copy it again, or compile its schema again")
	case version > FormatVersion:
		return nil, fmt.Errorf("the compiled program was made by a newer octable: it has form %d, and this one knows forms up to %d; update octable, or compile the schema with this one", version, FormatVersion)
	case version < FormatVersion:
		return nil, fmt.Errorf("the compiled program was made by an older octable: it has form %d, and this one wants form %d; compile its schema again", version, FormatVersion)
	}
	body := b[:len(b)-sha256.Size]
	if sha256.Sum256(body) != [sha256.Size]byte(b[len(body):]) {
		return nil, errors.New("the compiled program is damaged: its checksum is another one; copy it again, or compile its schema again")
	}
	l := loader{in: string(body), at: len(magic) + n}
	l.pool = make([]string, l.count(1))
	for i := range l.pool {
		n := l.count(1)
		l.pool[i] = l.in[l.at : l.at+n]
		l.at += n
	}
	p := l.program()
	if l.err == "" && l.at < len(l.in) {
		l.fail("there are %d bytes more than it says", len(l.in)-l.at)
	}
	if l.err != "" {
		return nil, fmt.Errorf("the compiled program is wrong at byte %d: %s; compile its schema again", l.errAt, l.err)
	}
	if err := Verify(p); err != nil {
		return nil, fmt.Errorf("the compiled program is refused; compile its schema again: %w", err)
	}
	return p, nil
}

// loader reads a file. After the first error all numbers are 0.
type loader struct {
	in    string
	at    int
	pool  []string
	err   string
	errAt int
}

func (l *loader) fail(format string, args ...any) {
	if l.err == "" {
		l.err, l.errAt = fmt.Sprintf(format, args...), l.at
	}
	l.at = len(l.in)
}

func (l *loader) num() uint64 {
	x := uint64(0)
	for shift := 0; l.at < len(l.in); shift += 7 {
		c := l.in[l.at]
		if shift == 63 && c > 1 || c == 0 && shift > 0 {
			l.fail("a number has more bytes than it needs")
			return 0
		}
		l.at++
		x |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return x
		}
	}
	l.fail("it ends inside a number")
	return 0
}

func (l *loader) signed() int64 {
	x := l.num()
	return int64(x>>1) ^ -int64(x&1)
}

func (l *loader) u32() uint32 {
	x := l.num()
	if x > math.MaxUint32 {
		l.fail("the number %d is too large", x)
		return 0
	}
	return uint32(x)
}

func (l *loader) small(limit uint64, what string) uint8 {
	x := l.num()
	if x >= limit {
		l.fail("there is no %s %d", what, x)
		return 0
	}
	return uint8(x)
}

func (l *loader) flag() bool { return l.small(2, "flag") == 1 }

func (l *loader) opt() uint32 {
	x := l.num()
	if x > math.MaxUint32 {
		l.fail("the number %d is too large", x)
		return 0
	}
	return uint32(x) - 1
}

// flagged reads a number with a flag below it.
func (l *loader) flagged() (uint32, bool) {
	x := l.num()
	if x>>1 > math.MaxUint32 {
		l.fail("the number %d is too large", x)
		return 0, false
	}
	return uint32(x >> 1), x&1 == 1
}

// count reads the length of a list of elements that have a least number of bytes. It refuses a length for which the rest
// of the file is too short.
func (l *loader) count(least int) int {
	x := l.num()
	if left := len(l.in) - l.at; x > uint64(left/least) {
		l.fail("a list of %d is longer than the file", x)
		return 0
	}
	return int(x)
}

func (l *loader) text() string {
	i := l.num()
	if l.err != "" {
		return ""
	}
	if i >= uint64(len(l.pool)) {
		l.fail("there is no text %d", i)
		return ""
	}
	return l.pool[i]
}

// many reads a list; an empty one is nil.
func many[T any](l *loader, least int, read func(*T)) []T {
	n := l.count(least)
	if n == 0 {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		if l.err != "" {
			return nil
		}
		read(&out[i])
	}
	return out
}

func (l *loader) list() []uint32 {
	return many(l, 1, func(x *uint32) { *x = l.u32() })
}

func (l *loader) textList() []string {
	return many(l, 1, func(t *string) { *t = l.text() })
}

// program reads what saver.program writes.
func (l *loader) program() *Program {
	p := &Program{Schema: l.text(), Title: l.text(), Choice: l.text()}
	orders := l.small(2*uint64(builtin.NumRoles), "order of bytes and role")
	p.Big, p.Role = orders&1 == 1, builtin.Role(orders>>1)
	p.Root, p.Depth = l.u32(), l.u32()
	p.Gates = l.textList()
	p.Types = many(l, 7, l.typ)
	p.Routines = many(l, 6, func(r *Routine) {
		r.Name = l.text()
		r.Start, r.End, r.Regs, r.Cells = l.u32(), l.u32(), l.u32(), l.u32()
		r.Args, r.Nests = l.flagged()
	})
	rule := int64(0)
	p.Code = many(l, 2, func(in *Instr) {
		in.Op = Op(l.small(uint64(numOps), "operation"))
		rule += l.signed()
		if rule < 0 || rule > math.MaxUint32 {
			l.fail("there is no rule %d", rule)
			rule = 0
		}
		in.Rule = uint32(rule)
		kinds := in.Op.Operands()
		for k, x := range [4]*uint32{&in.A, &in.B, &in.C, &in.D} {
			switch kinds[k] {
			case NoOperand:
			case OpExprOpt, OpRegOpt:
				*x = l.opt()
			default:
				*x = l.u32()
			}
		}
	})
	p.Exprs = many(l, 1, func(e **Expr) { *e = l.expr(1) })
	p.Args = many(l, 1, func(a *[]uint32) { *a = l.list() })
	p.Tables = many(l, 1, func(t *Table) {
		t.Arms = many(l, 3, func(a *TableArm) {
			a.ID = l.num()
			a.Type, a.Else = l.flagged()
			a.IDs = many(l, 2, func(r *builtin.Range) { r.Lo, r.Hi = l.num(), l.num() })
		})
	})
	p.Encodings = many(l, 4, func(e *Encoding) {
		e.Name = l.text()
		e.Charset = builtin.Charset(l.small(uint64(builtin.NumCharsets), "character set"))
		e.DropBOM = l.flag()
		e.NUL = NUL(l.small(uint64(numNUL), "meaning of a zero byte"))
	})
	p.Strings = l.textList()
	p.Rules = many(l, 4, func(r *Rule) { r.File, r.Line, r.Name, r.Doc = l.text(), l.u32(), l.text(), l.text() })
	for rule := range p.Keys {
		p.Keys[rule] = l.list()
	}
	return p
}

// expr reads an expression, which is inside of depth-1 others.
func (l *loader) expr(depth int) *Expr {
	if depth > MaxExprDepth {
		l.fail("an expression is nested more than %d deep", MaxExprDepth)
		return nil
	}
	e := &Expr{Op: ExprOp(l.small(uint64(numExprOps), "operation of expressions"))}
	kinds := e.Op.operands()
	if kinds[0] != NoOperand {
		e.Arg = l.signed()
	}
	if kinds[1] != NoOperand {
		e.Arg2 = l.u32()
	}
	if n := e.Op.Takes(); n > 0 {
		e.Args = make([]*Expr, n)
	}
	for i := range e.Args {
		if l.err != "" {
			return nil
		}
		e.Args[i] = l.expr(depth + 1)
	}
	return e
}

func (l *loader) typ(t *Type) {
	t.Name, t.Label, t.Union, t.ID = l.text(), l.text(), l.text(), l.num()
	t.Fields = many(l, 2, func(f *Field) {
		f.Name = l.text()
		kind, alone := l.flagged()
		if kind >= uint32(builtin.NumKinds) {
			l.fail("field %s of type %s has kind %d, which does not exist", f.Name, t.Name, kind)
		}
		f.Kind, f.Alone = Kind(kind), alone
	})
	t.Lanes = l.textList()
	t.Writes = many(l, 4, func(w *Write) { w.When, w.Absent, w.Type, w.Text = l.opt(), l.flag(), l.u32(), l.text() })
}
