// Single rows: their bytes for a value, and the value of their bytes.

package interp

import (
	"github.com/octable/octable/compile/bytecode"
)

// AppendWord appends the number of a word, or of a union, in the form of its row. It reports
// whether the row holds the number.
func AppendWord(dst []byte, p *bytecode.Program, pc int, x uint64) ([]byte, bool) {
	in := &p.Code[pc]
	if !holds(in, int64(x)) {
		return dst, false
	}
	g := writing{p: p, out: dst}
	g.putNumber(in, x)
	return g.out, true
}

// AppendRow appends the bytes that a writer writes for the value of one row. An instruction that
// fills a row of a variable size gets no fill. The error is an [*Error].
func (m *Machine) AppendRow(dst []byte, pc int, v Value) ([]byte, error) {
	g := writing{w: &Writer{m: m}, m: m, p: m.p, out: dst, base: len(dst)}
	if in := &m.p.Code[pc]; !g.field(in, &v) {
		return dst, g.err
	}
	return g.out, nil
}

// field writes the value of one row.
func (g *writing) field(in *bytecode.Instr, v *Value) bool {
	switch in.Op {
	case bytecode.Scalars:
		if in.Coded() {
			if !g.integer(in.Scalar(), *v, in.Rule) || !g.fitting(in, int64(v.u)) {
				return false
			}
			g.putNumber(in, v.u)
			return true
		}
		return g.scalar(in.Scalar(), *v, g.big(in), in.Rule)
	case bytecode.Truth:
		if v.kind != Bool {
			return g.mismatch(in.Rule, *v, "a bool")
		}
		g.put(in.Scalar(), v.u&1, g.big(in))
		return true
	case bytecode.Lanes, bytecode.Packed:
		if (v.kind != Lanes && v.kind != Packed) || v.Width() != int(in.B) {
			return g.mismatch(in.Rule, *v, "numbers")
		}
		return g.numbers(in.Scalar(), *v, g.big(in), in.Rule)
	case bytecode.Text:
		if v.kind != Text {
			return g.mismatch(in.Rule, *v, "text")
		}
		enc := &g.p.Encodings[in.A]
		b, _, why := encodeText(enc, v.Bytes())
		if why != "" {
			return g.fail(ErrText, in.Rule, "text that a reader gets back", why)
		}
		if g.out = append(g.out, b...); enc.NUL == bytecode.NULCounted {
			g.out = append(g.out, 0)
		}
		return true
	case bytecode.Until:
		return g.until(in, v)
	case bytecode.Filled:
		c, ok := g.content(in, v)
		if !ok || !g.putContent(in, c) {
			return false
		}
		if size, constant := g.p.Exprs[in.B].Constant(); constant {
			for n := int64(len(c.b)); n < size; n++ {
				g.out = append(g.out, byte(in.D))
			}
		}
		return true
	}
	return g.fail(ErrMismatch, in.Rule, "a row with a value", in.Op.String())
}

// ReadRow returns the value of the bytes of one row, which must be all of b. The error is an
// [*Error].
func (m *Machine) ReadRow(pc int, b []byte) (Value, error) {
	g := reading{m: m, p: m.p, in: b, end: len(b), memory: none}
	in := &m.p.Code[pc]
	v, ok := g.field(in)
	if ok && g.pos < len(b) {
		ok = g.fail(ErrTrailing, g.pos, in.Rule, "the end of the row", countOf(len(b)-g.pos, "byte")+" more")
	}
	if !ok {
		return Value{}, g.err
	}
	return v, nil
}

// field reads the value of one row.
func (g *reading) field(in *bytecode.Instr) (v Value, ok bool) {
	n := g.end - g.pos
	switch in.Op {
	case bytecode.Scalars, bytecode.Word, bytecode.Union:
		x, ok := g.scalarOf(in)
		if !ok {
			return v, false
		}
		v = scalarValue(in.Scalar(), x)
	case bytecode.Truth:
		b, ok := g.take(in.Scalar().Width(), in.Rule)
		if !ok {
			return v, false
		}
		v = MakeBool(0, g.number(in, b) != 0)
	case bytecode.Lanes:
		b, ok := g.take(in.Scalar().Width()*int(in.B), in.Rule)
		if !ok {
			return v, false
		}
		v = MakeLanes(0, in.Scalar(), g.little(in, b))
	case bytecode.Packed:
		size := in.Scalar().Width() * int(in.B)
		b, _ := g.claim(int64(n/size), size, in.Rule)
		v = MakePacked(0, in.Scalar(), int(in.B), g.little(in, b))
	case bytecode.Text:
		b, _ := g.claim(int64(n), 1, in.Rule)
		text, bad, why := decodeText(&g.p.Encodings[in.A], b)
		if why != "" {
			return v, g.fail(ErrText, bad, in.Rule, g.p.Encodings[in.A].Charset.Standard(), why)
		}
		v = MakeText(0, string(text))
	case bytecode.Until:
		if v, ok = g.until(in); !ok {
			return v, false
		}
	case bytecode.Filled:
		if v, ok = g.filled(in, int64(n)); !ok {
			return v, false
		}
	default:
		return v, g.fail(ErrMismatch, g.pos, in.Rule, "a row with a value", in.Op.String())
	}
	if (in.Op == bytecode.Scalars || in.Op == bytecode.Lanes || in.Op == bytecode.Packed) && in.A&bytecode.FlagWide != 0 {
		v.form |= formWide
	}
	return v, true
}

// Compose returns the value of the cells of a record, as a reader does. The instruction is the
// done of the record.
func (m *Machine) Compose(done int, cells []Value) Value {
	in := &m.p.Code[done]
	t, tag := &m.p.Types[in.A], m.tags[in.A]
	if len(t.Fields) == 0 {
		return MakeUnit(tag)
	}
	cells = cells[:len(t.Fields)]
	if in.B&bytecode.DoneAlone != 0 {
		if i := alone(t, cells); i >= 0 && t.Fields[i].Kind == None {
			return cells[i]
		} else if i >= 0 {
			return cells[i].WithTag(tag)
		}
	}
	return MakeRecord(tag, cells)
}

// Taken returns the value that a take gives for the number of its register.
func Taken(in *bytecode.Instr, x uint64) Value { return taken(in, x) }
