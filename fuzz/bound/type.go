// Types of rows.

package bound

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// arguments checks the arguments of a type.
func (c *checker) arguments(pos dsl.Pos, t *schema.Type, d *dsl.TypeRef) {
	if n := len(t.Args); n != len(d.Args) && (n != len(d.Args)+1 || !givesOrder(t)) {
		c.errorf(pos, "%s has %d arguments, not %d", d.Path(), len(d.Args), len(t.Args))
		return
	}
	for i := range d.Args {
		c.same(pos, "an argument", t.Args[i], d.Args[i])
	}
}

// givesOrder reports whether the last argument of a type is the order of its bytes.
func givesOrder(t *schema.Type) bool {
	params := t.Params()
	n := len(params)
	return n == len(t.Args) && n > 0 && params[n-1].Node == nil && params[n-1].Name == "order" && params[n-1].Used
}

// scalarWidth has the bytes of every scalar.
var scalarWidth = map[string]int{"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8, "code4": 4,
	"u24": 3, "i24": 3, "u40": 5, "i40": 5, "u48": 6, "i48": 6, "u56": 7, "i56": 7, "f16": 2}

// init adds the scalars with a fixed order of bytes.
func init() {
	for name, width := range maps.Clone(scalarWidth) {
		if width > 1 && name != "code4" {
			scalarWidth[name+"be"], scalarWidth[name+"le"] = width, width
		}
	}
}

// codings has the scalar of the numbers of every coding of varying width.
var codings = map[string]string{"leb128": "u64", "sleb128": "i64", "zigzag": "i64", "vlq": "u64", "ber": "u64", "quic": "u64", "compactsize": "u64", "ebml": "u64"}

// digitBits has, for every coding in digits, the bits of a number of 1 to 9 digits.
var digitBits = map[string][]int{"octal": {3, 6, 9, 12, 15, 18, 21, 24, 27}, "decimal": {3, 6, 9, 13, 16, 19, 23, 26, 29}, "hex": {4, 8, 12, 16, 20, 24, 28, 32}, "HEX": {4, 8, 12, 16, 20, 24, 28, 32}, "sdecimal": {}}

// endedDigits checks the coding of a number in digits before a terminator.
func (c *checker) endedDigits(n *schema.Row, d *dsl.TypeRef) {
	t, scalar := n.Type, "u64"
	if d.Name.Text == "sdecimal" {
		scalar = "i64"
	}
	want := fmt.Sprintf("%s[until %q]", d.Name.Text, strings.ToLower(strings.ReplaceAll(d.Extent.Until.Text, " ", "")))
	if t.Form != schema.Number || t.Size != nil || t.Until != "" || t.Swapped || t.Coding.String() != want || t.Scalar.String() != scalar || !t.Coding.Varies() {
		c.errorf(n.Pos, "%s is bound to %s of %s", want, t.Coding, t.Scalar)
	}
}

// digits checks the coding of a number in digits, given the width and the fill of its row.
func (c *checker) digits(n *schema.Row, d *dsl.TypeRef, attrs []*dsl.Attr) {
	if d.Extent.Until != nil {
		c.endedDigits(n, d)
		return
	}
	t, fill := n.Type, map[string]string{"octal": "00"}[d.Name.Text]
	width, err := strconv.ParseInt(d.Extent.Count.Num.Text, 0, 64)
	if text := strings.TrimLeft(d.Extent.Count.Num.Text, "0"); err != nil || !strings.HasPrefix(text, "x") {
		width, _ = strconv.ParseInt(text, 10, 64)
	}
	if width == 1 {
		fill = ""
	}
	side := ""
	for _, a := range attrs {
		side += a.Side
		if a.Fill != nil {
			fill = strings.ToLower(strings.ReplaceAll(a.Fill.Text, " ", ""))
		}
	}
	digits := int(width) - len(fill)/2
	if t.Form != schema.Number || t.Size != nil || t.Swapped || t.Coding.String() != fmt.Sprintf("%s[%d]", d.Name.Text, width) || fmt.Sprintf("%x", t.Coding.Fill()) != fill || string(t.Coding.Side()) != side {
		c.errorf(n.Pos, "%s is bound to %s %s with the fill %x, not %d bytes %s with %s", d.Name.Text, t.Coding, t.Coding.Side(), t.Coding.Fill(), width, side, fill)
	}
	if bits := digitBits[d.Name.Text]; digits <= len(bits) {
		scalar := "u32"
		for _, s := range []string{"u16", "u8"} {
			if most := uint64(1)<<(8*scalarWidth[s]) - 1; c.mostDigits(d.Name.Text, digits) <= most {
				scalar = s
			}
		}
		if t.Scalar.String() != scalar || t.Coding.Bits() != bits[digits-1] {
			c.errorf(n.Pos, "%d digits of %s are %s with %d bits, not %s with %d", digits, d.Name.Text, t.Scalar, t.Coding.Bits(), scalar, bits[digits-1])
		}
	}
}

// mostDigits returns the highest number of some digits.
func (c *checker) mostDigits(name string, digits int) uint64 {
	base, out := map[string]uint64{"octal": 8, "decimal": 10, "hex": 16, "HEX": 16}[name], uint64(1)
	for range digits {
		out *= base
	}
	return out - 1
}

// inOrder reports whether the scalar and the order of bytes of a type are those of a name.
func inOrder(t *schema.Type, name string, big bool) bool {
	plain, isBig := strings.CutSuffix(name, "be")
	plain, isLittle := strings.CutSuffix(plain, "le")
	swapped := isBig && !big || isLittle && big
	if plain == name { // an order before the row may be another one
		swapped = t.Swapped
	}
	return t.Scalar.String() == plain && t.Swapped == swapped && (t.Big == nil || plain == name)
}

// typ checks the type of a row.
func (c *checker) typ(n *schema.Row, d *dsl.TypeRef) {
	t, name := n.Type, d.Path()
	if t.Name != name {
		c.errorf(n.Pos, "the type of %s is %s, not %s", n.Field.Name, name, t.Name)
	}
	if option := c.s.Option; option != nil && option.Name == name && (t.Form == schema.Number || t.Form == schema.Array) {
		if t.Scalar != c.s.Choice.Scalar {
			c.errorf(n.Pos, "%s is %s under %s, not %s", name, c.s.Choice.Scalar, c.s.Choice.Name, t.Scalar)
		}
		if t.Narrow != builtin.NoScalar && (t.Narrow != option.Choices[0].Scalar || t.Wide != option.Choices[1].Scalar) {
			c.errorf(n.Pos, "the bit selects between %s and %s, not %s and %s", option.Choices[0].Scalar, option.Choices[1].Scalar, t.Narrow, t.Wide)
		}
	} else if scalar := codings[name]; scalar != "" && !d.ID {
		if t.Coding.String() != name || t.Scalar.String() != scalar || t.Swapped || t.Form != schema.Number {
			c.errorf(n.Pos, "%s is bound to another type", name)
		}
	} else if width := scalarWidth[name]; width > 0 && !d.ID && (!inOrder(t, name, c.s.Big) || t.Form != schema.Number && t.Form != schema.Array) {
		c.errorf(n.Pos, "%s is bound to another type", name)
	}
	var size *dsl.Expr
	if d.Extent != nil && digitBits[name] == nil {
		size = d.Extent.Count
	}
	if size != nil && t.Size != nil {
		c.same(n.Pos, "the number in brackets", t.Size, size)
	}
	if (t.Size == nil) != (size == nil) {
		c.errorf(n.Pos, "the number in brackets is bound: %v; it is written: %v", t.Size != nil, size != nil)
	}
	if d.Extent != nil && digitBits[name] == nil {
		c.delimiter(n.Pos, "the terminator", t.Until, d.Extent.Until)
	}
	c.arguments(n.Pos, t, d)
	if t.Form == schema.OfRecord && t.Record.Name != name || t.Form == schema.OfUnion && t.Union.Name != name {
		c.errorf(n.Pos, "%s is bound to another type", name)
	}
}

// kind checks the kind of the value of a stored number that has one form.
func (c *checker) kind(n *schema.Row, d *dsl.Row) {
	if n.Field.Index < 0 || n.When != nil || d.Type == nil || d.Type.ID || d.Type.Extent != nil {
		return
	}
	name := d.Type.Path()
	if option := c.s.Option; option != nil && option.Name == name {
		name = c.s.Choice.Scalar.String()
	}
	if scalar := codings[name]; scalar != "" {
		name = scalar
	}
	if want, ok := kindOf(name); ok && n.Field.Kind != want {
		c.errorf(n.Pos, "a value of %s is of kind %s, not %s", name, want, n.Field.Kind)
	}
}

// kindOf returns the kind of the values of a type that the language has.
func kindOf(name string) (builtin.Kind, bool) {
	switch {
	case scalarWidth[name] > 0:
		return map[byte]builtin.Kind{'u': builtin.Uint, 'c': builtin.Uint, 'i': builtin.Int, 'f': builtin.Float}[name[0]], true
	case strings.HasPrefix(name, "bool"):
		return builtin.Bool, true
	}
	return builtin.None, false
}
