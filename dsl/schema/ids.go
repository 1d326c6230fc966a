// Numbers of arms: several for one arm, and the number that a writer puts into the word.

package schema

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// ids binds the numbers of an arm. It reports whether they are numbers.
func (r *resolver) ids(out *armDecl, ids []*dsl.ID) bool {
	var codes []string
	for _, id := range ids {
		one, ok := r.id(id)
		switch {
		case !ok:
			return false
		case id.Else && len(ids) > 1:
			r.errorf(id.Pos, len("else"), dsl.CodeArm, "an else arm is for every number that no arm has, so it has no numbers besides").WithHint("write else alone, or leave it out")
			return false
		case id.Else:
			out.Else = true
			return true
		}
		if n, twice := out.IDs.Shared(one); twice {
			r.errorf(id.Pos, id.Width(), dsl.CodeArm, "arm %s has number %s twice", out.Name, cmp.Or(id.Code, numberText(n, isHex(id.Num)))).WithHint("write every number once")
			return false
		}
		out.IDs = builtin.Join(append(out.IDs, one)...)
		out.hex = out.hex || isHex(id.Num)
		codes = append(codes, id.Code)
	}
	if !slices.Contains(codes, "") {
		out.Code = strings.Join(codes, ", ")
	}
	return true
}

// id binds one number or one range.
func (r *resolver) id(d *dsl.ID) (builtin.Range, bool) {
	if d.Num == nil {
		return builtin.One(codeID(d.Code)), true
	}
	out := builtin.Range{}
	for _, n := range []*dsl.Num{d.Num, d.High} {
		if n == nil {
			break
		}
		id, ok := parseUint(n)
		if !ok {
			r.errorf(n.Pos, len(n.Text), dsl.CodeRange, "%s is not the number of an arm", n.Text).WithHint("a number is a whole one below 2^64")
			return out, false
		}
		if out.Hi = id; n == d.Num {
			out.Lo = id
		}
	}
	if out.Hi < out.Lo {
		r.errorf(d.Pos, d.Width(), dsl.CodeRange, "%s..%s is empty", d.Num.Text, d.High.Text).WithHint("write the lower number first: %s..%s", d.High.Text, d.Num.Text).
			Replace(d.Num.Text+".."+d.High.Text, d.High.Text+".."+d.Num.Text)
		return out, false
	}
	return out, true
}

// IDText returns the numbers of the arm as a schema writes them.
func (a *armDecl) IDText() string {
	return (&Arm{IDs: a.IDs, Code: a.Code, Else: a.Else, hex: a.hex}).IDText()
}

// Several reports whether values of the arm have no number in common. Such an arm
// has several numbers, or is for all others.
func (a *Arm) Several() bool { return a.Else || a.IDs.Several() }

// first returns the first arm of which f is true, or nil.
func (u *Union) first(f func(*Arm) bool) *Arm {
	if i := slices.IndexFunc(u.Arms, f); i >= 0 {
		return u.Arms[i]
	}
	return nil
}

// last returns the arm with the highest number, or nil if no arm has one.
func (u *Union) last() *Arm {
	var last *Arm
	for _, a := range u.Arms {
		if !a.Else && (last == nil || a.ID > last.ID) {
			last = a
		}
	}
	return last
}

// listed reports whether an arm has several numbers.
func listed(a *Arm) bool { return a.IDs.Several() }

// refused reports whether an arm is always refused, so that nothing writes its number.
func (a *Arm) refused() bool {
	return slices.ContainsFunc(a.Body, func(n Node) bool { _, ok := n.(*Refuse); return ok }) ||
		slices.ContainsFunc(a.items, func(i *dsl.Item) bool { return i.Refuse != nil }) // before the body is bound
}

// unnumbered reports whether arm() of a value of the arm has no number. A reader needs a number that
// is that of no other arm, a writer the one that is written. Nothing writes a refused arm.
func (a *Arm) unnumbered(dir direction) bool {
	return !a.refused() && (a.Else || dir == writing && a.IDs.Several())
}

// named returns the bits of the union's number that fields of the arm have.
func (a *Arm) named() uint64 {
	out := uint64(0)
	if a.Several() {
		for _, bit := range a.Bits {
			out |= uint64(Mask(bit.N)) << bit.Lo
		}
	}
	return out >> a.Union.Lo & uint64(Mask(a.Union.N))
}

// varying returns the bits of the union's number that are not the same in all numbers
// of the arm.
func (a *Arm) varying() uint64 {
	if a.Else {
		return uint64(Mask(a.Union.N))
	}
	return a.IDs.Varying()
}

// FixedID returns the number that a writer gives the union's word for the arm. The
// bits that are in fields of the arm are 0.
func (a *Arm) FixedID() uint64 { return a.ID &^ a.named() }

// refuses returns the numbers that a writer must refuse. The fields of the arm can give them,
// and the arm does not have them. If without is true, the result has the numbers that it may
// write instead.
func (a *Arm) refuses() (ids builtin.Ranges, without bool) {
	switch named := a.named(); {
	case a.Union.Word == nil || !a.Several() || a.refused() || a.Form != nil:
		return nil, false
	case a.Else:
		for _, other := range a.Union.Arms {
			ids = append(ids, other.IDs...)
		}
		return builtin.Join(ids...), false
	case a.IDs.Count() == 1<<bits.OnesCount64(named):
		return nil, false // every combination is a number of the arm
	}
	return a.IDs, true
}

// idCheck returns the condition that the number in the union's word is one of the arm.
// It also returns the message if it is not. The condition is nil if it always holds.
// It is about values: a reader has selected the arm by the number.
func (a *Arm) idCheck() (cond *Expr, message string) {
	ids, without := a.refuses()
	if len(ids) == 0 {
		return nil, ""
	}
	u := a.Union
	n := &Expr{Op: builtin.Ref, Pos: a.Pos, Field: u.Word.Field}
	if u.By != u.Word.Field {
		n = binary(builtin.And, binary(builtin.Shr, n, &Expr{Op: builtin.Num, Num: int64(u.Lo)}), &Expr{Op: builtin.Num, Num: Mask(u.N)})
	}
	cond = among(n, ids.Signed())
	if without {
		return cond, "the bits give a number that arm " + a.Name + " does not have"
	}
	return &Expr{Op: builtin.Not, Pos: a.Pos, Args: []*Expr{cond}}, "the bits give a number of another arm than " + a.Name
}

// among returns the condition that a number is in one of some ranges. It is a balanced
// tree, since expressions are not nested deeply.
func among(n *Expr, ids builtin.Ranges) *Expr {
	if k := len(ids) / 2; k > 0 {
		return binary(builtin.Either, among(n, ids[:k]), among(n, ids[k:]))
	}
	lo, hi := &Expr{Op: builtin.Num, Num: int64(ids[0].Lo)}, &Expr{Op: builtin.Num, Num: int64(ids[0].Hi)}
	if ids[0].Lo == ids[0].Hi {
		return binary(builtin.Eq, n, lo)
	}
	return binary(builtin.Both, binary(builtin.Ge, n, lo), binary(builtin.Le, n, hi))
}

// computedIDs reports bits of an arm's number that a writer computes while a reader accepts
// any. It does so if the fields can give a number that the arm does not have.
func (s *scope) computedIDs(a *Arm, others bool) {
	for _, bit := range a.Bits {
		if number := uint64(Mask(a.Union.N)) << a.Union.Lo; others && bit.Any && number>>bit.Lo&uint64(Mask(bit.N)) != 0 {
			s.errorf(bit.Pos, 1, dsl.CodeInverse, "a writer computes %s, which may give a number that arm %s does not have", bit.Field.Name, a.Name).
				WithHint("store the bits, or give the arm all numbers that they can give")
		}
	}
}

// maxCompared is the most ranges that a writer compares a number with. A comparison with
// a range has up to 16 operations.
const maxCompared = builtin.MaxSteps/16 - 1

// determine checks that a writer knows the number of an arm. Bits that differ between its
// numbers must be in fields of the arm.
func (s *scope) determine(a *Arm) {
	u := a.Union
	if u.Word == nil || !a.Several() || a.refused() || a.Form != nil {
		return
	}
	open := a.varying() &^ a.named() & uint64(Mask(u.N))
	if open == 0 {
		ids, _ := a.refuses()
		s.computedIDs(a, len(ids) > 0)
		if len(ids) > maxCompared {
			s.errorf(a.Pos, len("arm"), dsl.CodeRange, "a writer would compare the number of arm %s with %d ranges, and at most %d are allowed", a.Name, len(ids), maxCompared).
				WithHint("divide the arm in two")
		}
		return
	}
	lo := bits.TrailingZeros64(open)
	n := bits.Len64(open) - lo
	if a.named()>>lo&(1<<n-1) != 0 { // bits between have a name
		n = bits.TrailingZeros64(^(open >> lo))
	}
	text := fmt.Sprint(lo + u.Lo)
	if n > 1 {
		text += fmt.Sprintf("..%d", lo+u.Lo+n-1)
	}
	s.errorf(a.Pos, len("arm"), dsl.CodeInverse, "the number of arm %s is not determined: its numbers differ in bits that no field has", a.Name).
		WithHint("name the bits in the arm: %s { %s NAME }", u.Word.Field.Name, text)
}

// isHex reports whether there is a number that is written in hexadecimal.
func isHex(n *dsl.Num) bool { return n != nil && strings.HasPrefix(strings.ToLower(n.Text), "0x") }

// numberText prints a number as the schema writes those beside it.
func numberText(n uint64, hex bool) string { return builtin.Range{Lo: n, Hi: n}.Text(hex) }

// inHex reports whether some arms of a union have numbers in hexadecimal.
func inHex(arms []*armDecl) bool {
	return slices.ContainsFunc(arms, func(a *armDecl) bool { return a.hex })
}

// equals reports a code that the integer in a row can never equal. The code has more letters than the row has bytes,
// or the row has its highest byte first and the letters differ in the other order. The error is at a place of some
// width.
func (b *binder) equals(f *Field, pos dsl.Pos, width int, code string, numbers ...builtin.Range) bool {
	row, ok := f.Node.(*Row)
	if !ok || row.Type.Form != Number || row.Type.Coding != builtin.Fixed || !row.Type.Scalar.Valid() {
		return true
	}
	t, bytes := row.Type, row.Type.Scalar.Width()
	for _, n := range numbers {
		if n.Hi > uint64(Mask(8*bytes)) {
			text := codeText(n.Hi)
			d := b.errorf(pos, width, dsl.CodeUnreachable, "%s has more letters than %s has bytes", text, f.Name)
			switch number, escaped := dsl.EscapedCode(text); {
			case escaped:
				d.WithHint("a code has no escapes; these bytes are the number %s", number)
			case strings.Contains(text, `\`):
				d.WithHint("a code has no escapes; one with other bytes is a number whose lowest byte is the first: 0x00434241 for A, B, C and a zero byte")
			default:
				d.WithHint("a letter is a byte; give %s a type of more bytes, or leave letters out", f.Name)
			}
			return false
		}
		if t.Scalar != builtin.Code4 && t.Big == nil && b.s.Big != t.Swapped && bits.ReverseBytes64(n.Lo)>>(64-8*bytes) != n.Lo { // as 'II' is not
			name := "code4"
			if bytes != 4 {
				name = t.Scalar.String() + "le"
			}
			b.errorf(pos, width, dsl.CodeArgs, "the first letter of %s is the lowest byte of its number, and the highest byte of %s comes first", code, f.Name).
				WithHint("give %s the type %s", f.Name, name)
			return false
		}
	}
	return true
}
