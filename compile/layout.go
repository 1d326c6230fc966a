// Layout: every declared offset and length against the sum of what stands
// before it. Offsets and lengths may hold letters: a letter that is new stands
// for a length, or a place, that depends on the content, and may be used after
// it. So X+8 after a text of X bytes is checked as 8 is after a number.

package compile

import (
	"fmt"
	"sort"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// linear is a sum of multiples of letters and a number.
type linear struct {
	num  int64
	coef map[string]int64
}

func number(n int64) linear { return linear{num: n} }

func letter(s string) linear { return linear{coef: map[string]int64{s: 1}} }

func (a linear) plus(b linear, times int64) linear {
	out := linear{num: a.num + times*b.num, coef: map[string]int64{}}
	for s, k := range a.coef {
		out.coef[s] += k
	}
	for s, k := range b.coef {
		out.coef[s] += times * k
	}
	for s, k := range out.coef {
		if k == 0 {
			delete(out.coef, s)
		}
	}
	return out
}

func (a linear) equal(b linear) bool {
	d := a.plus(b, -1)
	return d.num == 0 && len(d.coef) == 0
}

// letterAlone returns the letter that a is, or "".
func (a linear) letterAlone() string {
	if a.num == 0 && len(a.coef) == 1 {
		for s, k := range a.coef {
			if k == 1 {
				return s
			}
		}
	}
	return ""
}

func (a linear) String() string {
	var letters []string
	for s := range a.coef {
		letters = append(letters, s)
	}
	sort.Strings(letters)
	var b strings.Builder
	if a.num != 0 || len(letters) == 0 {
		fmt.Fprint(&b, a.num)
	}
	for _, s := range letters {
		k := a.coef[s]
		if b.Len() > 0 && k > 0 {
			b.WriteByte('+')
		}
		switch k {
		case 1:
			b.WriteString(s)
		case -1:
			b.WriteString("-" + s)
		default:
			fmt.Fprintf(&b, "%s*%d", s, k)
		}
	}
	return b.String()
}

// place is where a row stands, if that is known.
type place struct {
	at    linear
	known bool
}

// layouter checks one record for one choice of the axis.
type layouter struct {
	c       *compiler
	what    string
	letters map[string]linear // what letters stand for
	scaled  bool              // the record holds numbers of the axis
	element bool              // inside a list
	rows    int               // rows seen
	fresh   int
}

// layout checks every record of the schema.
func (c *compiler) layout() {
	for _, t := range c.s.Types {
		c.layoutOf(t.Name, t.Items, 0)
	}
	for _, u := range c.s.Unions {
		head := c.layoutOf(u.Name, u.Items, 0)
		for _, a := range u.Arms {
			c.layoutOf(a.Name, a.Items, head)
		}
	}
}

// layoutOf checks the items of one record that begins at an offset, and returns
// the offset after them where it is a number.
func (c *compiler) layoutOf(what string, items []*dsl.Item, from int64) int64 {
	l := &layouter{c: c, what: what, letters: map[string]linear{}, scaled: c.usesAxis(items)}
	end := l.items(items, place{number(from), true})
	if end.known && len(end.at.coef) == 0 {
		return end.at.num
	}
	return from
}

// usesAxis reports whether numbers of the axis stand in items.
func (c *compiler) usesAxis(items []*dsl.Item) bool {
	if c.axis == nil {
		return false
	}
	for _, i := range items {
		switch {
		case i.Row != nil && i.Row.Type.Name.Text == c.axis.Name.Text:
			return true
		case i.Repeat != nil && c.usesAxis(i.Repeat.Items):
			return true
		case i.Within != nil && c.usesAxis(i.Within.Items):
			return true
		case i.If != nil && (c.usesAxis(i.If.Then) || c.usesAxis(i.If.Else)):
			return true
		}
	}
	return false
}

func (l *layouter) items(items []*dsl.Item, at place) place {
	for _, i := range items {
		if i.Row != nil && sameAs(i.Row) != nil {
			l.again(i.Row, items)
		}
	}
	items = solid(items)
	for k := 0; k < len(items); k++ {
		i := items[k]
		switch {
		case i.Row != nil:
			n := 1
			if whenOf(i.Row.Attrs) != nil {
				for k+n < len(items) && items[k+n].Row != nil && items[k+n].Row.Name.Text == i.Row.Name.Text && whenOf(items[k+n].Row.Attrs) != nil {
					n++
				}
			}
			at = l.forms(items[k:k+n], at)
			k += n - 1
		case i.If != nil:
			then, other := l.items(i.If.Then, at), l.items(i.If.Else, at)
			if !then.known || !other.known || !then.at.equal(other.at) {
				then = place{}
			}
			at = then
		case i.Repeat != nil:
			l.repeat(i.Repeat, at)
			at = place{}
		case i.Within != nil:
			l.items(i.Within.Items, at)
			at = place{}
		}
	}
	return at
}

// forms checks rows that are forms of one field, or one row under a condition,
// or a plain row. What follows is known where it is the same for all of them.
func (l *layouter) forms(items []*dsl.Item, at place) place {
	var end place
	for k, i := range items {
		here := at
		after := l.row(i.Row, &here)
		if k == 0 {
			end, at = after, here
		} else if !end.known || !after.known || !end.at.equal(after.at) {
			end = place{}
		}
	}
	if len(items) == 1 && whenOf(items[0].Row.Attrs) != nil {
		if _, fixed := l.c.fixedSize(items[0].Row); fixed {
			end = place{} // there or not: its letterless length cannot say
		}
	}
	return end
}

// row checks one row and returns the place after it. Where the row gives its
// place a letter, *at becomes known.
func (l *layouter) row(row *dsl.Row, at *place) place {
	c := l.c
	off, ok := l.linear(row.Offset, nil)
	if !ok {
		return place{}
	}
	moved := off
	if c.choice > 0 && l.scaled {
		moved = l.moved(row, off)
	}
	alone := off.letterAlone()
	isNew := alone != "" && !l.bound(alone)
	switch {
	case isNew && at.known:
		l.letters[alone] = at.at
	case isNew:
		l.letters[alone] = letter(alone + "#")
		*at = place{letter(alone + "#"), true}
	case !at.known:
		c.errorf(row.Offset.Pos, 1, dsl.CodeOffset, "the offset of %s.%s depends on content that no letter stands for", l.what, row.Name.Text).
			WithHint("begin with a new letter, which then stands for this place")
		*at = place{moved, true}
	case !moved.equal(at.at):
		choice := ""
		if c.choice > 0 {
			choice = " where " + c.axis.Name.Text + " is " + c.axis.Choices[c.choice].Name.Text
		}
		sort := "a gap"
		if d := moved.plus(at.at, -1); len(d.coef) == 0 && d.num < 0 {
			sort = "an overlap"
		}
		c.errorf(row.Offset.Pos, 1, dsl.CodeOffset, "%s.%s is declared at %s%s, but the rows before it end at %s: %s", l.what, row.Name.Text, l.show(moved), choice, l.show(at.at), sort).
			WithHint("correct the offset, or the lengths of the rows before it")
		*at = place{moved, true}
	}
	size := l.length(row)
	return place{at.at.plus(size, 1), true}
}

// again checks a row that documents the bytes of another one.
func (l *layouter) again(row *dsl.Row, items []*dsl.Item) {
	c, name := l.c, sameAs(row)
	var find func(items []*dsl.Item) *dsl.Row
	find = func(items []*dsl.Item) *dsl.Row {
		for _, i := range items {
			if i.Row != nil && i.Row != row && i.Row.Name.Text == name.Text {
				return i.Row
			}
			if i.If != nil {
				if r := find(append(append([]*dsl.Item(nil), i.If.Then...), i.If.Else...)); r != nil {
					return r
				}
			}
		}
		return nil
	}
	other := find(items)
	if other == nil {
		var all []string
		for _, i := range items {
			if i.Row != nil && i.Row != row {
				all = append(all, i.Row.Name.Text)
			}
		}
		d := c.errorf(name.Pos, len(name.Text), dsl.CodeUnknown, "there is no row %s in this table that %s could be the same as", name.Text, row.Name.Text).
			WithHint("name a row beside this one, or in an if beside it")
		if near := c.near(name.Text, func() []string { return all }); near != "" {
			d.WithHint("did you mean %s?", near)
		}
		return
	}
	for _, cell := range []struct {
		what string
		a, b *dsl.Expr
		code dsl.Code
	}{{"offset", row.Offset, other.Offset, dsl.CodeOffset}, {"length", row.Length, other.Length, dsl.CodeLength}} {
		a, ok := l.linear(cell.a, nil)
		b, ok2 := l.linear(cell.b, nil)
		if ok && ok2 && !a.equal(b) {
			c.errorf(cell.a.Pos, 1, cell.code, "%s is said to be the same as %s, but its %s is %s and not %s", row.Name.Text, name.Text, cell.what, l.show(a), l.show(b)).
				WithHint("correct the %s, or leave out same where the row has bytes of its own", cell.what)
		}
	}
}

// moved returns a declared offset as the choice of the axis moves it.
func (l *layouter) moved(row *dsl.Row, off linear) linear {
	choice := l.c.axis.Choices[l.c.choice]
	for _, a := range row.Attrs {
		if a.At != nil && a.At.Choice.Text == choice.Name.Text {
			if m, ok := l.linear(a.At.Offset, nil); ok {
				return m
			}
		}
	}
	rule := choice.Offset
	if l.element {
		rule = choice.Elem
	}
	if rule == nil {
		return off
	}
	m, _ := l.linear(rule, map[string]linear{"offset": off})
	return m
}

// length checks the declared length of a row and returns it.
func (l *layouter) length(row *dsl.Row) linear {
	c := l.c
	declared, ok := l.linear(row.Length, nil)
	if !ok {
		return number(0)
	}
	if size, fixed := c.fixedSize(row); fixed {
		if c.choice > 0 && row.Type.Name.Text == c.axis.Name.Text && c.axis.Choices[c.choice].Length != nil {
			declared, _ = l.linear(c.axis.Choices[c.choice].Length, map[string]linear{"length": declared})
		}
		if !declared.equal(number(size)) {
			name := row.Type.Name.Text
			if row.Type.Size != nil {
				name += "[…]"
			}
			c.errorf(row.Length.Pos, 1, dsl.CodeLength, "%s.%s is declared %s bytes long, but %s takes %d", l.what, row.Name.Text, l.show(declared), name, size).
				WithHint("correct the length or the type")
		}
		return number(size)
	}
	alone := declared.letterAlone()
	if t := row.Type; alone == "" && t.Size == nil && !t.ID && c.scalar(t.Name.Text) == bytecode.NoScalar && truthWidth(t.Name.Text) == bytecode.NoScalar &&
		!c.encoding0(t.Name.Text) && c.s.Type(t.Name.Text) == nil && c.s.Union(t.Name.Text) == nil {
		return declared // of an unknown type, which is reported where it is used
	}
	if alone == "" || l.bound(alone) {
		c.errorf(row.Length.Pos, 1, dsl.CodeLength, "the length of %s.%s depends on its content or padding, so a new letter stands for it", l.what, row.Name.Text).
			WithHint("write a letter that this record does not use yet")
		l.fresh++
		return letter(fmt.Sprintf("?%d", l.fresh))
	}
	l.letters[alone] = letter(alone)
	return letter(alone)
}

func (l *layouter) bound(s string) bool {
	_, ok := l.letters[s]
	return ok || s == "i" && l.element
}

// show prints a place with the letters of the schema.
func (l *layouter) show(a linear) string { return strings.ReplaceAll(a.String(), "#", "") }

// repeat checks the rows of an element. Where all elements have one size, i is
// the number of the element and offsets are those of element i.
func (l *layouter) repeat(r *dsl.Repeat, at place) {
	c := l.c
	inner := &layouter{c: c, what: l.what + "." + r.Name.Text, letters: map[string]linear{}, scaled: l.scaled, element: true}
	size, fixed := int64(0), at.known
	for _, i := range r.Items {
		switch {
		case i.Row != nil:
			n, ok := c.fixedSize(i.Row)
			fixed = fixed && ok && whenOf(i.Row.Attrs) == nil
			size += n
		case i.Repeat != nil, i.If != nil, i.Within != nil:
			fixed = false
		}
	}
	if fixed {
		at = place{at.at.plus(letter("i"), size), true}
	} else {
		at = place{}
	}
	inner.items(r.Items, at)
}

// fixedSize returns the bytes of a row where its content does not matter.
func (c *compiler) fixedSize(row *dsl.Row) (int64, bool) {
	for _, a := range row.Attrs {
		if a.Pad != nil {
			return 0, false
		}
	}
	return c.typeSize(row.Type, 0)
}

func (c *compiler) typeSize(t *dsl.TypeRef, depth int) (int64, bool) {
	name := t.Name.Text
	if t.ID {
		return 4, true
	}
	one := int64(c.scalar(name).Width())
	if w := truthWidth(name); w.Valid() {
		one = int64(w.Width())
	}
	switch {
	case t.Size != nil:
		n, constant := schema.ConstExpr(c.s, t.Size)
		if c.encoding0(name) {
			one = 1
		}
		if constant && (n < 0 || n > maxSize) {
			c.errorf(t.Size.Pos, 1, dsl.CodeRange, "a length is from 0 to %d", int64(maxSize)).WithHint("correct the number")
			return 0, false
		}
		return n * one, constant && one > 0
	case one > 0:
		return one, true
	}
	rec := c.s.Type(name)
	if rec == nil || depth > 20 {
		return 0, false
	}
	if n, known := c.sizes[name]; known {
		return max(n, 0), n >= 0
	}
	n, ok := c.recordSize(rec, depth)
	if c.sizes == nil {
		c.sizes = map[string]int64{}
	}
	if c.sizes[name] = n; !ok {
		c.sizes[name] = -1
	}
	return n, ok
}

// maxSize bounds the length of a row of one size, far above what a value can have.
const maxSize = 1 << 40

func (c *compiler) recordSize(rec *schema.Type, depth int) (int64, bool) {
	sum := int64(0)
	for _, i := range rec.Items {
		switch {
		case i.Row != nil:
			for _, a := range i.Row.Attrs {
				if a.Pad != nil || a.When != nil {
					return 0, false
				}
			}
			if sameAs(i.Row) != nil {
				continue
			}
			n, ok := c.typeSize(i.Row.Type, depth+1)
			if sum += n; !ok || sum > maxSize {
				return 0, false
			}
		case i.Repeat != nil, i.If != nil, i.Within != nil:
			return 0, false
		}
	}
	return sum, true
}

// encoding0 reports whether a name is that of a text encoding.
func (c *compiler) encoding0(name string) bool { return name == "utf8" || c.s.Encoding(name) != nil }

// maxLetters bounds the letters of one record and of one offset.
const maxLetters = 200

// linear reads an offset or a length.
func (l *layouter) linear(e *dsl.Expr, env map[string]linear) (linear, bool) {
	out, ok := l.node(schema.Fold(e), env)
	if !ok {
		l.c.errorf(e.Pos, 1, dsl.CodeOffset, "an offset or length is a sum of numbers below 2^40 and of letters times numbers").
			WithHint("for example 8, X+8 or 8+i*12")
	}
	return out, ok
}

func (l *layouter) node(n *schema.Node, env map[string]linear) (linear, bool) {
	switch n.Op {
	case schema.OpNum:
		return number(n.Num), n.OK && n.Num >= 0 && n.Num < 1<<40
	case schema.OpName:
		if v, ok := env[n.Name.Text]; ok {
			return v, true
		}
		if v, ok := l.letters[n.Name.Text]; ok {
			return v, true
		}
		if v, ok := l.c.s.Constant(n.Name.Text); ok {
			return number(v), true
		}
		return letter(n.Name.Text), len(l.letters) < maxLetters
	case "+", "-":
		a, ok := l.node(n.Args[0], env)
		b, ok2 := l.node(n.Args[1], env)
		if len(a.coef)+len(b.coef) > maxLetters {
			return linear{}, false
		}
		if n.Op == "-" {
			return a.plus(b, -1), ok && ok2
		}
		return a.plus(b, 1), ok && ok2
	case "*":
		a, ok := l.node(n.Args[0], env)
		b, ok2 := l.node(n.Args[1], env)
		switch {
		case !ok || !ok2:
		case len(a.coef) == 0:
			return linear{}.plus(b, a.num), true
		case len(b.coef) == 0:
			return linear{}.plus(a, b.num), true
		}
	}
	return linear{}, false
}
