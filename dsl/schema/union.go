// Unions: the word that selects an arm, its bits, and the arms.

package schema

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// union binds a union and its arms.
func (b *binder) union(u *Union, d *unionDecl) {
	rec := &Record{Path: u.Name, Pos: u.Pos, items: u.items}
	s := b.scope(rec)
	s.at = d.At
	u.Params = s.arguments(d.Args)
	var word *dsl.Row
	for _, i := range u.items {
		switch {
		case i.Row != nil && word == nil:
			word = i.Row
			u.Word = s.unionWord(u, word)
			u.Body = append(u.Body, u.Word)
		case i.Example != nil:
		default:
			s.errorf(i.Pos, 1, dsl.CodeArgs, "a union begins with one word, or with none and takes an argument").
				WithHint("put further rows into a type around a union with an argument")
		}
	}
	for _, f := range s.later {
		f()
	}
	b.selector(u, s, d.By)
	if word != nil {
		b.wordChecks(u, word.Attrs)
	}
	if len(u.Arms) == 0 {
		b.errorf(u.Pos, 5, dsl.CodeArm, "union %s has no arms", u.Name).WithHint("add one: arm %s 0 NAME { … }", u.Name)
	}
	for i, a := range u.Arms {
		whole := u.Word != nil && u.By == u.Word.Field
		switch {
		case a.Else:
		case whole && a.Code != "":
			b.last = append(b.last, func() { b.equals(u.By, a.Pos, len("arm"), a.Code, a.IDs...) })
		case whole && u.Word.Type.Scalar.Signed() && a.IDs[len(a.IDs)-1].Hi > uint64(Mask(u.N-1)):
			b.errorf(a.Pos, 3, dsl.CodeUnreachable, "arm %s has number %s, which %s does not hold", a.Name, a.IDText(), u.Word.Type.Name).
				WithHint("give the word an unsigned type: -1 of %d bits is %#x there", u.N, uint64(Mask(u.N)))
		case u.N < 64 && a.IDs[len(a.IDs)-1].Hi >= 1<<u.N:
			b.errorf(a.Pos, 3, dsl.CodeUnreachable, "arm %s has number %s, which %d bits cannot hold", a.Name, a.IDText(), u.N).WithHint("no input reaches it; give it a number below %d, or the union more bits", uint64(1)<<u.N)
		}
		arm := b.scope(a.Record)
		arm.at = d.Arms[i].At
		arm.word = u.Word
		for _, f := range rec.Fields {
			if f.Node == Node(u.Word) || f.Param {
				a.Fields = append(a.Fields, f)
				arm.names[f.Name] = f
			}
		}
		a.Params = u.Params
		arm.claim(u, word)
		arm.bind(a.items)
		arm.determine(a)
	}
}

// unionWord binds the word that selects the arm of a union.
func (s *scope) unionWord(u *Union, d *dsl.Row) *Row {
	const hint = "a writer takes the word from the arm that it writes"
	if d.By != nil {
		s.errorf(d.By.Pos, 2, dsl.CodeArgs, "the word of a union has one form, and this row has several").
			WithHint("read the number in a row before the union, and give it as an argument: union %s(%s) by %s", u.Name, d.Name.Text, d.Name.Text)
		word := *d
		word.By, word.Others, word.Type = nil, nil, &dsl.TypeRef{Pos: d.By.Pos, Name: &dsl.Name{Pos: d.By.Pos, Text: "u32"}}
		word.Length = &dsl.Expr{Pos: d.Length.Pos, Num: &dsl.Num{Pos: d.Length.Pos, Text: "4"}}
		d = &word
	}
	row := &Row{Pos: d.Pos, Doc: d.Doc.String(), Type: s.typeOf(d.Type, d.Name.Text), Mentions: mentions(d.Attrs)}
	if d.At != nil {
		s.errorf(d.At.Pos, 1, dsl.CodeArgs, "the word of a union is behind the rows before it").WithHint("write its offset: 0").ReplaceCell("0")
		word := *d
		word.At, word.Offset = nil, &dsl.Expr{Pos: d.Pos, Num: &dsl.Num{Pos: d.Pos, Text: "0"}}
		d = &word
	}
	switch t := row.Type; {
	case t.Coding.InDigits():
		s.name(d.Type.Name, dsl.CodeArgs, "the word of a union is not in digits, as %s is", t.Coding).
			WithHint("read the number in a row before the union, and give it as an argument: union %s(%s) by %s", u.Name, d.Name.Text, d.Name.Text)
	case t.Coding != builtin.Fixed:
		s.name(d.Type.Name, dsl.CodeArgs, "the word of a union has one width, and numbers of %s have several", t.Name).
			WithHint("read the number in a row before the union, and give it as an argument: union %s(%s) by %s", u.Name, d.Name.Text, d.Name.Text)
	case t.Form != Number || t.Option != nil || t.Scalar.IsFloat():
		s.name(d.Type.Name, dsl.CodeArgs, "the word of a union is an integer, and %s is not one", t.Name).WithHint("use a type such as u32")
		row.Type = &Type{Name: t.Name, Pos: t.Pos, Scalar: builtin.U32}
	}
	if value := d.Computed(); value != nil {
		s.errorf(value.Pos, 1, dsl.CodeArgs, "the word of a union is not computed").WithHint(hint)
	}
	s.checkAttributes(d.Attrs, "the word of a union", builtin.OfHead)
	for _, bf := range d.Bits {
		s.checkBits(bf, "bits of the word of a union", 0)
	}
	row.Field = s.declare(d.Name, d.Doc, row)
	row.Field.Record, row.Field.state.number = nil, s.moment
	s.rowCells(row, d)
	s.then(func() {
		if row.Length.Named() {
			s.errorf(row.Length.Pos, 1, dsl.CodeLength, "the word of a union is an integer, which no field bounds").WithHint("write the number of its bytes")
		}
	})
	return row
}

// wordChecks binds the conditions of the word of a union. They name the word, the bits that
// select the arm, and the arguments.
func (b *binder) wordChecks(u *Union, attrs []*dsl.Attr) {
	s := b.wordScope(u)
	for _, a := range attrs {
		if a.Check != nil {
			x := s.resolve(s.bits(fold(a.Check.Cond), u), reading)
			s.expand(x, reading, s.moment)
			u.Word.Checks = append(u.Word.Checks, s.check(a.Check, x))
		}
	}
}

// selector binds the field that selects the arm of a union.
func (b *binder) selector(u *Union, s *scope, by *dsl.Name) {
	u.N = 64
	if u.Word == nil {
		if u.By = s.names[by.Text]; u.By == nil {
			b.name(by, dsl.CodeUnknown, "%s is not an argument of the union", by.Text).WithHint("by names the number that selects the arm: an argument, or a word that is the first row of the union")
		}
		b.index.field(by, u.By)
		return
	}
	width := 8 * u.Word.Type.Scalar.Width()
	u.By, u.N = u.Word.Field, width
	word := u.wordDecl()
	found := by.Text == u.By.Name
	for _, bf := range word.Bits {
		if bf.Rest {
			u.Word.Rest = true
			continue
		}
		if bf.Name.Text != by.Text || len(u.Word.Bits) > 0 {
			bits := bf.Lo.Text
			if bf.Hi != nil {
				bits += ".." + bf.Hi.Text
			}
			b.errorf(bf.Pos, 1, dsl.CodeBits, "bits of a union's word belong to its arms").
				WithHint("write `%s { %s %s }` in the arms that have it; bits that select the arm have the name after by", u.Word.Field.Name, bits, bf.Name.Text)
			continue
		}
		found = true
		if bf.Signed {
			b.errorf(bf.Pos, 1, dsl.CodeBits, "the bits that select an arm have no sign").WithHint("leave `signed` out: arms have the numbers from 0")
		}
		bit := &Bit{Pos: bf.Pos, Doc: bf.Doc.String(), Mentions: mentions(bf.Attrs)}
		bit.Field = s.field(bf.Name, bf.Doc, bit)
		bit.Field.Record = nil
		bit.Lo, bit.N = b.bitRange(bf.Lo, bf.Hi, width, bf.Pos)
		u.Word.Bits = append(u.Word.Bits, bit)
		u.By, u.Lo, u.N = bit.Field, bit.Lo, bit.N
	}
	u.Closed = len(u.Word.Bits) > 0 && !u.Word.Rest
	if found {
		b.index.field(by, u.By)
	}
	if !found {
		b.name(by, dsl.CodeUnknown, "%s is neither the word of the union nor some of its bits", by.Text).WithHint("by names the number that selects the arm, here %s", u.Word.Field.Name)
	}
}

// wordDecl returns the declaration of the word of a union.
func (u *Union) wordDecl() *dsl.Row {
	for _, i := range u.items {
		if i.Row != nil {
			return i.Row
		}
	}
	return nil // unreachable: a union with a word has its row
}

// Mask returns the number whose lowest bits are set, and no others.
func Mask(bits int) int64 {
	return 1<<bits - 1
}

// bitRange returns the lowest bit of a field and how many there are.
func (b *binder) bitRange(lo, hi *dsl.Num, width int, pos dsl.Pos) (int, int) {
	a, ok := parseUint(lo)
	z, ok2 := a, true
	if hi != nil {
		z, ok2 = parseUint(hi)
	}
	if !ok || !ok2 || z < a || z >= uint64(width) {
		hint := "write 3 for one bit, 0..7 for eight"
		if ok && ok2 && z < a && a < uint64(width) {
			hint = fmt.Sprintf("write %d..%d", z, a)
		}
		b.errorf(pos, 1, dsl.CodeBits, "bits go from 0 to %d, the lower one first", width-1).WithHint("%s", hint)
		return 0, 0
	}
	return int(a), int(z-a) + 1
}

// claim queues the check that the bits of an arm overlap neither each other nor those
// that select the arm.
func (s *scope) claim(u *Union, word *dsl.Row) {
	if word == nil {
		return
	}
	s.first = append(s.first, func() {
		taken := uint64(0) // bits of one number have no other
		if !s.rec.Arm.Several() {
			taken = uint64(Mask(u.N)) << u.Lo
		}
		for _, bit := range s.rec.Arm.Bits {
			m := uint64(Mask(bit.N)) << bit.Lo
			if taken&m != 0 && (len(u.Word.Bits) > 0 || s.rec.Arm.Several()) {
				s.errorf(bit.Pos, 1, dsl.CodeBits, "the bits overlap others of the word").WithHint("every bit belongs to one field")
			} else if taken&m != 0 {
				low, high := 0, bit.Lo-1
				if bit.Lo == 0 && bit.N < u.N {
					low, high = bit.N, u.N-1
				} else if bit.Lo == 0 {
					high = u.N/2 - 1
				}
				s.errorf(bit.Pos, 1, dsl.CodeBits, "all bits of the word select the arms of %s, so no bit is left", u.Name).
					WithHint("say which bits do, after the row of the word: { %d..%d %s  rest any }, with another name for the word", low, high, u.By.Name)
			}
			taken |= m
		}
	})
}

// armWord binds bits of the union's word in an arm. top reports whether they are in the arm
// itself, not in a block of it.
func (s *scope) armWord(d *dsl.Word, top bool) []Node {
	switch {
	case s.word == nil || s.rec.Arm == nil:
		s.name(d.Name, dsl.CodeBits, "bits of a union's word are allowed in its arms only").
			WithHint("write the bits in braces after the row of the word")
	case d.Name.Text != s.word.Field.Name:
		s.name(d.Name, dsl.CodeUnknown, "the word of the union is %s, not %s", s.word.Field.Name, d.Name.Text).
			WithHint("write %s { … }", s.word.Field.Name).Replace(d.Name.Text, s.word.Field.Name)
	default:
		s.index.field(d.Name, s.word.Field)
	}
	if s.rec.Arm != nil && !top {
		s.name(d.Name, dsl.CodeBits, "bits of a union's word are read before the rows of an arm, so they cannot be in a block").
			WithHint("move them out of the block")
	}
	var out []Node
	for _, bf := range d.Bits {
		if bf.Rest {
			s.errorf(bf.Pos, 4, dsl.CodeBits, "`rest any` belongs to the row of the word").WithHint("write it in the union")
			continue
		}
		out = append(out, s.armBits(bf))
	}
	return out
}

// armBits binds one field in the union's word.
func (s *scope) armBits(d *dsl.BitField) *Bit {
	bit := &Bit{Pos: d.Pos, Doc: d.Doc.String(), Mentions: mentions(d.Attrs)}
	s.checkAttributes(d.Attrs, "bits", builtin.OfBits)
	if s.word == nil || s.rec.Arm == nil {
		bit.Field = s.field(d.Name, d.Doc, bit)
		return bit
	}
	f := s.declare(d.Name, d.Doc, bit)
	bit.Field = f
	bit.Lo, bit.N = s.bitRange(d.Lo, d.Hi, 8*s.word.Type.Scalar.Width(), d.Pos)
	s.rec.Arm.Bits = append(s.rec.Arm.Bits, bit)
	selects, option := "", d.Selects != nil && s.armsOf(d) == nil
	if option {
		selects = "a bit that selects"
		if d.Value != nil {
			s.errorf(d.Value.Pos, 1, dsl.CodeArgs, "a bit that selects is not computed").WithHint("a writer takes it from the choice of the option")
		}
	}
	s.checkNumber(d.Value, d.Attrs, selects)
	if option {
		s.selects(f, d)
	} else {
		s.storeBits(f, bit, d)
	}
	s.first = append(s.first, func() {
		if !option {
			bit.Value = s.value(bit, d.Value)
			s.derive(f, bit.Value)
		}
		s.bitNumber(bit, d)
	})
	return bit
}

// selects binds a bit that selects between the two forms of the option.
func (s *scope) selects(f *Field, d *dsl.BitField) {
	option, name := s.option, d.Selects.Name
	switch {
	case !s.selectsOption(d):
		s.unknownSelected(d)
	case len(option.Choices) < 2:
		s.name(name, dsl.CodeArgs, "option %s has one choice, so there is nothing to select", option.Name)
	case !option.Choices[0].Scalar.IsFloat():
		s.name(name, dsl.CodeArgs, "option %s is of integers, and a bit selects between floats only", option.Name).
			WithHint("give the row two forms: "+byExample, "value")
	default:
		s.rec.Selector = f
		s.typeName(d.Selects, true)
		f.Selects, f.Used = true, true
		f.Derive = &Expr{Op: builtin.Num, Pos: d.Pos, Num: int64(min(s.choice.Index, 1))}
	}
}

// selectsOption reports whether bits name the option.
func (b *binder) selectsOption(d *dsl.BitField) bool {
	return b.option != nil && d.Selects.Path() == b.option.Name
}

// armsOf returns the union that bits name, whose arm they select, or nil.
func (b *binder) armsOf(d *dsl.BitField) *Union {
	if d.Selects == nil {
		return nil
	}
	return b.unions[d.Selects.Path()]
}

// unknownSelected reports a name after selects that is neither an option nor a union.
func (b *binder) unknownSelected(d *dsl.BitField) {
	if d.Selects.Import != nil {
		b.unknownImported(d.Selects)
		return
	}
	name := d.Selects.Name
	e := b.name(name, dsl.CodeUnknown, "there is no option or union %s", name.Text).WithHint("bits select between the choices of the option, or an arm of a union")
	b.near(e, name.Text, func() []string {
		all := b.src.declared("union")
		if b.option != nil {
			all = append(all, b.option.Name)
		}
		return all
	})
}

// storeBits makes bits a field of the record's values, unless a writer computes them.
func (s *scope) storeBits(f *Field, bit *Bit, d *dsl.BitField) {
	f.Kind = builtin.Uint
	switch bit.Signed = d.Signed; {
	case d.Signed && bit.N == 1:
		s.errorf(d.Pos, 1, dsl.CodeBits, "one bit is a truth, which has no sign").WithHint("leave `signed` out, or give %s several bits", f.Name)
	case d.Signed:
		f.Kind = builtin.Int
	case bit.N == 1:
		f.Kind = builtin.Bool
	}
	if u := s.armsOf(d); u != nil {
		s.storeArm(f, bit, d, u)
	}
	if d.Value == nil {
		s.store(f)
	} else {
		f.Kind = builtin.None
	}
}

// storeArm makes the value of bits an arm of a union, without its content.
func (s *scope) storeArm(f *Field, bit *Bit, d *dsl.BitField, u *Union) {
	t, last := d.Selects, u.last()
	switch {
	case d.Value != nil:
		s.errorf(d.Value.Pos, 1, dsl.CodeArgs, "bits that select an arm are not computed").WithHint("leave `selects %s` out: a writer computes numbers", u.Name).
			Remove(s.files[d.Pos.Filename], d.Name.End(), t.EndPos)
		return
	case t.ID || t.Extent != nil || len(t.Args) > 0:
		s.name(t.Name, dsl.CodeArgs, "the number of an arm has neither a length nor arguments").WithHint("write selects %s", t.Path()).Replace(t.String(), t.Path())
	case u.first(listed) != nil:
		s.name(t.Name, dsl.CodeInverse, "%s has no number for arm %s of %s, which has several", f.Name, u.first(listed).Name, u.Name).
			WithHint("leave `selects %s` out, and store the number", u.Name).Remove(s.files[d.Pos.Filename], d.Name.End(), t.EndPos)
	case last != nil && bit.N < 64 && last.ID >= 1<<bit.N:
		s.name(t.Name, dsl.CodeUnreachable, "arm %s of %s has number %s, which %d bits cannot hold", last.Name, u.Name, last.IDText(), bit.N).
			WithHint("leave `selects %s` out, and store the number", u.Name).Remove(s.files[d.Pos.Filename], d.Name.End(), t.EndPos)
	}
	s.typeName(t, false)
	f.Kind, f.ArmOf = builtin.None, u
}

// bitNumber binds what a reader knows of bits once it has their word.
func (s *scope) bitNumber(bit *Bit, d *dsl.BitField) {
	for _, a := range d.Attrs {
		if a.Any {
			bit.Any, bit.Field.Ignored = true, true
		}
	}
	s.know(bit.Field)
	bit.Checks = s.checks(bit.Field, bit.Value, d.Value, d.Attrs)
	bit.Field.state.value = true
}

// declareBits declares the fields in the bits of a row.
func (s *scope) declareBits(row *Row, d *dsl.Row) {
	if len(d.Bits) == 0 {
		return
	}
	t := row.Type
	if (d.Type.Extent == nil || t.Coding != builtin.Fixed) && !d.Type.ID && (t.Form != Number || t.Scalar.IsFloat()) {
		s.errorf(d.Type.Pos, len(t.Name), dsl.CodeBits, "bits are of an integer, and %s is not one", t.Name).WithHint("use a type such as u32")
	}
	if d.Computed() != nil {
		s.errorf(d.Pos, 1, dsl.CodeBits, "%s is made of its bits, so it cannot be computed as a whole", d.Name.Text).WithHint("give values to its bits instead")
	}
	width, taken := t.bits(), uint64(0)
	for _, bf := range d.Bits {
		if bf.Rest {
			row.Rest = true
			continue
		}
		bit := &Bit{Row: row, Pos: bf.Pos, Doc: bf.Doc.String(), Mentions: mentions(bf.Attrs)}
		bit.Field = s.declare(bf.Name, bf.Doc, bit)
		bit.Lo, bit.N = s.bitRange(bf.Lo, bf.Hi, width, bf.Pos)
		m := uint64(Mask(bit.N)) << bit.Lo
		if taken&m != 0 {
			s.errorf(bf.Pos, 1, dsl.CodeBits, "the bits of %s overlap others of the word", bf.Name.Text).WithHint("every bit belongs to one field")
		}
		taken |= m
		s.storeBits(bit.Field, bit, bf)
		row.Bits = append(row.Bits, bit)
	}
}

// bitValues binds what a writer puts into the bits of a row.
func (s *scope) bitValues(row *Row, d *dsl.Row) {
	k := 0
	for _, bf := range d.Bits {
		if bf.Rest {
			continue
		}
		bit := row.Bits[k]
		k++
		bit.Value = s.value(bit, bf.Value)
		s.derive(bit.Field, bit.Value)
	}
}

// bitNumbers binds what a reader knows of the bits of a row.
func (s *scope) bitNumbers(row *Row, d *dsl.Row) {
	k := 0
	for _, bf := range d.Bits {
		if !bf.Rest {
			s.bitNumber(row.Bits[k], bf)
			k++
		}
	}
}

// write binds the value that a writer puts in place of an arm.
func (s *scope) write(i *dsl.Item) *Write {
	d := i.Writes
	w := &Write{Pos: d.Pos, Absent: d.Absent, Text: d.Text.String()}
	if s.rec.Arm == nil {
		s.errorf(d.Pos, 6, dsl.CodeArgs, "writes means nothing outside of an arm of a union").WithHint("leave it out").
			Remove(s.files[d.Pos.Filename], d.Pos, d.EndPos)
		return w
	}
	if !slices.Contains(s.rec.items, i) {
		s.errorf(d.Pos, 6, dsl.CodeArgs, "writes is about the whole arm, and cannot be in a block of it").WithHint("move it out of the block, and give it a condition with if")
	}
	s.rec.Writes = append(s.rec.Writes, w)
	u := s.rec.Arm.Union
	if !d.Absent {
		if w.Arm = u.Arm(d.Arm.Text); w.Arm == nil {
			e := s.name(d.Arm, dsl.CodeUnknown, "union %s has no arm %s", u.Name, d.Arm.Text).WithHint("name the arm that is written in place of this one")
			s.near(e, d.Arm.Text, func() []string {
				var all []string
				for _, a := range u.Arms {
					all = append(all, a.Name)
				}
				return all
			})
			w.Absent = true
		} else if s.index != nil {
			s.index.use(d.Arm, u.decl.Arm(d.Arm.Text).At)
		}
	}
	if d.When != nil {
		s.then(func() {
			w.When = s.writer(fold(d.When.Cond), false)
			s.writes = append(s.writes, w)
		})
	}
	return w
}

// conditions reports conditions of writes that a value of the arm alone does not decide.
func (s *scope) conditions() {
	for _, w := range s.writes {
		if s.outer(w.When, map[*Field]bool{}) {
			s.errorf(w.Pos, 6, dsl.CodeDirection, "the condition looks at a number that is not a field of the arm").WithHint("use stored fields of the arm, or closed(GATE)")
		}
	}
}

// outer reports whether an expression of a writer depends on a number outside of a
// value of the record.
func (s *scope) outer(x *Expr, seen map[*Field]bool) bool {
	if f := x.Field; x.Op == builtin.Ref && !seen[f] {
		seen[f] = true
		switch {
		case f.Param:
			return true
		case f.Index >= 0:
			return false
		case f.Derive != nil:
			return s.outer(f.Derive, seen)
		}
		return true
	}
	return slices.ContainsFunc(x.Args, func(a *Expr) bool { return s.outer(a, seen) })
}
