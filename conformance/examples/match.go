package examples

import (
	"math"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/interp"
)

// match reports whether a literal stands for a value.
func (r *Printer) match(l *dsl.Literal, v interp.Value) bool {
	t := r.Type(v)
	if t == nil || t.Union == "" {
		return r.content(l, v)
	}
	if l.Name == nil || l.Name.Text != t.Name {
		return false
	}
	switch v.Kind() {
	case interp.Unit:
		return len(l.Args) == 0
	case interp.Lanes, interp.Packed:
		return numbers(l.Args, v)
	}
	return len(l.Args) == 1 && r.content(l.Args[0], v)
}

func (r *Printer) content(l *dsl.Literal, v interp.Value) bool {
	switch v.Kind() {
	case interp.Bool:
		return l.Name != nil && l.Name.Text == strconv.FormatBool(v.Bool())
	case interp.Int, interp.Uint:
		if v.Scalar() == bytecode.Code4 {
			return l.Text != nil && l.Text.Text == codeText(v.Uint())
		}
		if v.Kind() == interp.Uint {
			return number(l) == strconv.FormatUint(v.Uint(), 10)
		}
		return number(l) == strconv.FormatInt(v.Int(), 10)
	case interp.Float:
		f, ok := float(l)
		return ok && same(f, v.Float(), v.Scalar())
	case interp.Text:
		return l.Text != nil && l.Text.Text == v.Text()
	case interp.Lanes, interp.Packed:
		return l.IsList && numbers(l.Elems, v)
	case interp.List:
		cells := v.Cells()
		if !l.IsList || len(l.Elems) != len(cells) {
			return false
		}
		for i, e := range l.Elems {
			if !r.match(e, cells[i]) {
				return false
			}
		}
		return true
	case interp.Map:
		cells := v.Cells()
		if !l.IsMap || 2*len(l.Pairs) != len(cells) {
			return false
		}
		for i, p := range l.Pairs {
			if !r.match(p.Key, cells[2*i]) || !r.match(p.Value, cells[2*i+1]) {
				return false
			}
		}
		return true
	case interp.Record:
		return r.record(l, v)
	}
	return false
}

// record wants every field that is there by its name, and no other.
func (r *Printer) record(l *dsl.Literal, v interp.Value) bool {
	t := r.Type(v)
	if t == nil || !l.IsMap {
		return false
	}
	pairs := l.Pairs
	for i, f := range v.Cells() {
		if f.IsNone() {
			continue
		}
		if len(pairs) == 0 || pairs[0].Key.Name == nil || pairs[0].Key.Name.Text != t.Fields[i].Name {
			return false
		}
		if l := pairs[0].Value; r.code(v, i) {
			if l.Text == nil || l.Text.Text != codeText(f.Uint()) {
				return false
			}
		} else if !r.match(l, f) {
			return false
		}
		pairs = pairs[1:]
	}
	return len(pairs) == 0
}

func numbers(ls []*dsl.Literal, v interp.Value) bool {
	if len(ls) != v.Len() {
		return false
	}
	width := 1
	if v.Kind() == interp.Packed {
		width = v.Width()
	}
	for i, l := range ls {
		parts := []*dsl.Literal{l}
		if width > 1 {
			if parts = l.Elems; !l.IsList || len(parts) != width {
				return false
			}
		}
		for k, p := range parts {
			if !lane(p, v, i*width+k) {
				return false
			}
		}
	}
	return true
}

func lane(l *dsl.Literal, v interp.Value, i int) bool {
	if v.Scalar().IsFloat() {
		f, ok := float(l)
		return ok && same(f, v.LaneFloat(i), v.Scalar())
	}
	if v.Scalar() == bytecode.Code4 {
		return l.Text != nil && l.Text.Text == codeText(v.LaneBits(i))
	}
	return number(l) == LaneText(v, i)
}

// number returns the digits of a literal that is a whole number.
func number(l *dsl.Literal) string {
	if l.Num == nil {
		return ""
	}
	text := strings.ReplaceAll(l.Num.Text, "_", "")
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		if u, err := strconv.ParseUint(text, 0, 64); err == nil {
			text = strconv.FormatUint(u, 10)
		}
	}
	if l.Neg {
		return "-" + text
	}
	return text
}

func float(l *dsl.Literal) (float64, bool) {
	f := 0.0
	switch {
	case l.Num != nil:
		var err error
		if f, err = strconv.ParseFloat(strings.ReplaceAll(l.Num.Text, "_", ""), 64); err != nil {
			return 0, false
		}
	case l.Name != nil && l.Name.Text == "inf":
		f = math.Inf(1)
	case l.Name != nil && l.Name.Text == "nan":
		f = math.NaN()
	default:
		return 0, false
	}
	if l.Neg {
		f = math.Copysign(f, -1)
	}
	return f, true
}

// same compares a float with what an example says, which may have as few digits as
// tell apart numbers of the precision on the wire.
func same(want, got float64, s bytecode.Scalar) bool {
	if want != want {
		return got != got
	}
	equal := func(a float64) bool {
		return a == got && math.Signbit(a) == math.Signbit(got)
	}
	return equal(want) || s == bytecode.F32 && equal(float64(float32(want)))
}

// literalText prints a literal as it stands in the schema.
func literalText(l *dsl.Literal) string {
	var b strings.Builder
	writeLiteral(&b, l)
	return b.String()
}

func writeLiteral(b *strings.Builder, l *dsl.Literal) {
	list := func(open string, ls []*dsl.Literal, end string) {
		b.WriteString(open)
		for i, e := range ls {
			if i > 0 {
				b.WriteString(", ")
			}
			writeLiteral(b, e)
		}
		b.WriteString(end)
	}
	switch {
	case l.Name != nil:
		if l.Neg {
			b.WriteByte('-')
		}
		b.WriteString(l.Name.Text)
		if len(l.Args) > 0 {
			list("(", l.Args, ")")
		}
	case l.Num != nil:
		if l.Neg {
			b.WriteByte('-')
		}
		b.WriteString(l.Num.Text)
	case l.Text != nil:
		b.WriteString(strconv.Quote(l.Text.Text))
	case l.IsList:
		list("[", l.Elems, "]")
	case l.IsMap:
		b.WriteByte('{')
		for i, p := range l.Pairs {
			if i > 0 {
				b.WriteString(", ")
			}
			writeLiteral(b, p.Key)
			b.WriteString(": ")
			writeLiteral(b, p.Value)
		}
		b.WriteByte('}')
	}
}
