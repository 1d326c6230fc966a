package examples

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Match reports whether a literal represents a value.
func Match(n *notation.Notation, l *schema.Literal, v interp.Value) bool {
	return matcher{n}.match(l, v)
}

// matcher compares literals with values.
type matcher struct{ *notation.Notation }

// match reports whether a literal represents a value.
func (r matcher) match(l *schema.Literal, v interp.Value) bool {
	t := r.Type(v)
	if t == nil || t.Union == "" {
		return r.body(l, v, t)
	}
	if l.Kind != schema.Named || l.Name != t.Name {
		return false
	}
	switch v.Kind() {
	case interp.Unit:
		return len(l.Parts) == 0
	case interp.Lanes, interp.Packed:
		if numbers(l.Parts, v) {
			return true
		}
	}
	return len(l.Parts) == 1 && r.body(l.Parts[0], v, t)
}

// body compares the content of a value of a type, which may be nil. The field that represents
// a record may have its name.
func (r matcher) body(l *schema.Literal, v interp.Value, t *bytecode.Type) bool {
	if r.content(l, v) {
		return true
	}
	if t == nil {
		return false
	}
	i := notation.Alone(t, v)
	if i < 0 {
		return v.Kind() == interp.Record && l.Kind == schema.Named && l.Name == "none" && len(l.Parts) == 0 &&
			!slices.ContainsFunc(v.Cells(), func(c interp.Value) bool { return !c.IsNone() })
	}
	if l.Kind == schema.Pairs && len(l.Parts) == 2 && l.Parts[0].Kind == schema.Named && l.Parts[0].Name == t.Fields[i].Name {
		l = l.Parts[1]
	}
	text, letters := r.Letters(v, i)
	return letters && quoted(l, text) || r.content(l, v)
}

func (r matcher) content(l *schema.Literal, v interp.Value) bool {
	switch v.Kind() {
	case interp.Bool:
		return l.Kind == schema.Named && l.Name == strconv.FormatBool(v.Bool())
	case interp.Int, interp.Uint:
		if v.Scalar() == bytecode.Code4 {
			return quoted(l, notation.Code(v.Uint()))
		}
		if v.Kind() == interp.Uint {
			return l.Whole() == strconv.FormatUint(v.Uint(), 10)
		}
		return l.Whole() == strconv.FormatInt(v.Int(), 10)
	case interp.Float:
		f, ok := l.Float()
		return ok && same(f, v.Float(), v.Scalar())
	case interp.Text:
		return quoted(l, v.Text())
	case interp.Lanes, interp.Packed:
		return l.Kind == schema.Sequence && numbers(l.Parts, v)
	case interp.List:
		return l.Kind == schema.Sequence && r.parts(l.Parts, v.Cells())
	case interp.Map:
		return l.Kind == schema.Pairs && r.parts(l.Parts, v.Cells())
	case interp.Record:
		return r.record(l, v)
	case interp.Unit:
		return l.Kind == schema.Pairs && len(l.Parts) == 0
	}
	return false
}

// parts reports whether literals represent cells.
func (r matcher) parts(ls []*schema.Literal, cells []interp.Value) bool {
	return slices.EqualFunc(ls, cells, r.match)
}

func quoted(l *schema.Literal, text string) bool { return l.Kind == schema.Quoted && l.Text == text }

// record wants every field that is there by its name, and no other.
func (r matcher) record(l *schema.Literal, v interp.Value) bool {
	t := r.Type(v)
	if t == nil || l.Kind != schema.Pairs {
		return false
	}
	pairs := l.Parts
	for i, f := range v.Cells() {
		if f.IsNone() {
			continue
		}
		if len(pairs) == 0 || pairs[0].Kind != schema.Named || pairs[0].Name != t.Fields[i].Name {
			return false
		}
		if !r.field(pairs[1], v, i) {
			return false
		}
		pairs = pairs[2:]
	}
	return len(pairs) == 0
}

// field reports whether a literal represents field i of a record.
func (r matcher) field(l *schema.Literal, v interp.Value, i int) bool {
	if text, letters := r.Letters(v, i); letters {
		return quoted(l, text)
	}
	return r.match(l, v.At(i))
}

func numbers(ls []*schema.Literal, v interp.Value) bool {
	if len(ls) != v.Len() {
		return false
	}
	width := 1
	if v.Kind() == interp.Packed {
		width = v.Width()
	}
	for i, l := range ls {
		parts := []*schema.Literal{l}
		if width > 1 {
			if parts = l.Parts; l.Kind != schema.Sequence || len(parts) != width {
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

func lane(l *schema.Literal, v interp.Value, i int) bool {
	if v.Scalar().IsFloat() {
		f, ok := l.Float()
		return ok && same(f, v.LaneFloat(i), v.Scalar())
	}
	if v.Scalar() == bytecode.Code4 {
		return quoted(l, notation.Code(v.LaneBits(i)))
	}
	return l.Whole() == notation.LaneText(v, i)
}

// same compares a float with what an example says. That may have just the digits that
// distinguish numbers of the precision on the wire.
func same(want, got float64, s bytecode.Scalar) bool {
	if want != want {
		return got != got
	}
	equal := func(a float64) bool {
		return a == got && math.Signbit(a) == math.Signbit(got)
	}
	single := s == bytecode.F32 || s == bytecode.F16
	return equal(want) || single && equal(float64(float32(want)))
}

// difference says where a value first differs from a literal that does not represent it.
func (r matcher) difference(path string, l *schema.Literal, v interp.Value) string {
	at := ""
	if path != "" {
		at = "at " + strings.TrimPrefix(path, ".") + ", "
	}
	t, part := r.Type(v), l
	alike := t == nil || t.Union == "" // up to the parts
	if !alike && l.Kind == schema.Named && l.Name == t.Name && len(l.Parts) == 1 {
		part, alike = l.Parts[0], true
	}
	switch {
	case !alike:
	case v.Kind() == interp.List && part.Kind == schema.Sequence:
		n := min(len(part.Parts), v.Len())
		for i, cell := range v.Cells()[:n] {
			if !r.match(part.Parts[i], cell) {
				return r.difference(fmt.Sprintf("%s[%d]", path, i), part.Parts[i], cell)
			}
		}
		return fmt.Sprintf("%sthe bytes have %d elements, the example has %d", at, v.Len(), len(part.Parts))
	case v.Kind() == interp.Record && part.Kind == schema.Pairs:
		if text := r.fieldDifference(path, part.Parts, v, t); text != "" {
			return text
		}
	}
	return fmt.Sprintf("%sthe bytes are %s, the example says %s", at, r.Clipped(v, most), interp.Clip(literalText(l), most))
}

// fieldDifference says which field of a record is the first that pairs do not represent, "" without one.
func (r matcher) fieldDifference(path string, pairs []*schema.Literal, v interp.Value, t *bytecode.Type) string {
	for i, f := range v.Cells() {
		if f.IsNone() {
			continue
		}
		name := t.Fields[i].Name
		at := strings.TrimPrefix(path+"."+name, ".")
		text, letters := r.Letters(v, i)
		switch k := slices.Index(keys(pairs), name); {
		case k < 0 && letters:
			return fmt.Sprintf("the bytes have %s: %q, which the example leaves out", at, text)
		case k < 0:
			return fmt.Sprintf("the bytes have %s: %s, which the example leaves out", at, r.Clipped(f, most))
		case k > 0:
			return fmt.Sprintf("the example has %s behind %s; fields are in the order of their rows", at, literalText(pairs[0]))
		case r.field(pairs[1], v, i):
			pairs = pairs[2:]
		case letters:
			return fmt.Sprintf("at %s, the bytes are %q, the example says %s", at, text, interp.Clip(literalText(pairs[1]), most))
		default:
			return r.difference(path+"."+name, pairs[1], f)
		}
	}
	if len(pairs) > 0 {
		return fmt.Sprintf("the example has %s: %s, which the bytes leave out", strings.TrimPrefix(path+"."+literalText(pairs[0]), "."), interp.Clip(literalText(pairs[1]), most))
	}
	return ""
}

// keys returns the names of the fields of a record.
func keys(pairs []*schema.Literal) (names []string) {
	for i := 0; i < len(pairs); i += 2 {
		names = append(names, literalText(pairs[i]))
	}
	return names
}

// literalText prints a literal in the notation of the schema.
func literalText(l *schema.Literal) string {
	var b strings.Builder
	writeLiteral(&b, l)
	return b.String()
}

func writeLiteral(b *strings.Builder, l *schema.Literal) {
	list := func(open, end string) {
		b.WriteString(open)
		for i, e := range l.Parts {
			switch {
			case i == 0:
			case l.Kind == schema.Pairs && i%2 == 1:
				b.WriteString(": ")
			default:
				b.WriteString(", ")
			}
			writeLiteral(b, e)
		}
		b.WriteString(end)
	}
	switch l.Kind {
	case schema.Named:
		b.WriteString(l.Name)
		if len(l.Parts) > 0 {
			list("(", ")")
		}
	case schema.Numeral:
		b.WriteString(l.Num)
	case schema.Quoted:
		b.WriteString(strconv.Quote(l.Text))
	case schema.Sequence:
		list("[", "]")
	case schema.Pairs:
		list("{", "}")
	}
}
