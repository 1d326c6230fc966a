package examples

import (
	"math"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// A Printer prints values of one program as the literals of examples:
// Vector2(0.5, 2), Dictionary({String("a"): int(1)}), {id: 5, name: "a"}. Values of
// a union have the name of their arm, others stand bare.
type Printer struct {
	p *bytecode.Program
	m *interp.Machine
	// types are the numbers of types by tag.
	types map[uint16]uint32
	// codes are the fields that hold the letters of a code, of which a value knows
	// only the number.
	codes map[field]bool
	// Limit is the number of bytes after which a text is cut off; 0 is no limit.
	Limit int
}

// field is a field of a type.
type field struct{ typ, cell uint32 }

// NewPrinter returns a Printer for values that its own machine reads: tags in them
// are the numbers of types, from 1.
func NewPrinter(p *bytecode.Program) (*Printer, error) {
	m, err := interp.New(p, func(i int, _ *bytecode.Type) uint16 { return uint16(i + 1) })
	if err != nil {
		return nil, err
	}
	return PrinterOf(m), nil
}

// PrinterOf returns a Printer for values that a machine reads.
func PrinterOf(m *interp.Machine) *Printer {
	p := m.Program()
	r := &Printer{p: p, m: m, types: map[uint16]uint32{}, codes: map[field]bool{}}
	for i := range p.Types {
		if tag := m.Tag(i); tag != 0 {
			r.types[tag] = uint32(i)
		}
	}
	var typ uint32
	letters := map[uint32]bool{} // registers
	for i := range p.Code {
		switch in := &p.Code[i]; in.Op {
		case bytecode.Fields:
			typ = in.B
			clear(letters)
		case bytecode.Word, bytecode.Union:
			letters[in.B] = in.Scalar() == bytecode.Code4
		case bytecode.Take:
			r.codes[field{typ, in.A}] = letters[in.B]
		}
	}
	return r
}

// code reports whether field i of a record holds letters.
func (r *Printer) code(v interp.Value, i int) bool {
	typ, ok := r.types[v.Tag()]
	return ok && r.codes[field{typ, uint32(i)}]
}

// Machine returns the machine that reads what the Printer prints.
func (r *Printer) Machine() *interp.Machine { return r.m }

// Type returns the type of a value, or nil when it has none: a number or a list
// that is the field of a record.
func (r *Printer) Type(v interp.Value) *bytecode.Type {
	if i, ok := r.types[v.Tag()]; ok {
		return &r.p.Types[i]
	}
	return nil
}

// String prints a value.
func (r *Printer) String(v interp.Value) string {
	w := writer{r: r, limit: r.Limit}
	if w.limit == 0 {
		w.limit = math.MaxInt
	}
	w.value(v, 0)
	s := w.b.String()
	if len(s) > w.limit {
		s = strings.ToValidUTF8(s[:w.limit], "") + "…"
	}
	return s
}

type writer struct {
	r     *Printer
	b     strings.Builder
	limit int
}

// maxNest is how deeply values are printed; they may be nested more deeply than
// anybody reads.
const maxNest = 1100

func (w *writer) full() bool { return w.b.Len() > w.limit }

func (w *writer) value(v interp.Value, nest int) {
	switch t := w.r.Type(v); {
	case w.full():
	case nest > maxNest:
		w.b.WriteString("…")
	case t == nil || t.Union == "":
		w.content(v, nest)
	default:
		w.b.WriteString(t.Name)
		if v.Kind() == interp.Unit {
			return
		}
		w.b.WriteByte('(')
		if v.Kind() == interp.Lanes || v.Kind() == interp.Packed {
			w.numbers(v)
		} else {
			w.content(v, nest)
		}
		w.b.WriteByte(')')
	}
}

// content prints a value without its name.
func (w *writer) content(v interp.Value, nest int) {
	switch v.Kind() {
	case interp.None:
		w.b.WriteString("none")
	case interp.Unit:
		w.b.WriteString("{}")
	case interp.Bool:
		w.b.WriteString(strconv.FormatBool(v.Bool()))
	case interp.Int:
		w.b.WriteString(strconv.FormatInt(v.Int(), 10))
	case interp.Uint:
		if v.Scalar() == bytecode.Code4 {
			w.b.WriteString(strconv.Quote(codeText(v.Uint())))
			break
		}
		w.b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case interp.Float:
		w.b.WriteString(floatText(v.Float(), 64))
	case interp.Text:
		text, more := v.Text(), ""
		if room := max(w.limit-w.b.Len(), 0); len(text) > room {
			text, more = text[:room], " " // past the limit, so that it is cut off
		}
		w.b.WriteString(strconv.Quote(text) + more)
	case interp.Lanes, interp.Packed:
		w.b.WriteByte('[')
		w.numbers(v)
		w.b.WriteByte(']')
	case interp.List:
		w.b.WriteByte('[')
		for i, e := range v.Cells() {
			if w.full() {
				return
			}
			w.comma(i)
			w.value(e, nest+1)
		}
		w.b.WriteByte(']')
	case interp.Map:
		w.b.WriteByte('{')
		for i, cells := 0, v.Cells(); i+1 < len(cells); i += 2 {
			if w.full() {
				return
			}
			w.comma(i)
			w.value(cells[i], nest+1)
			w.b.WriteString(": ")
			w.value(cells[i+1], nest+1)
		}
		w.b.WriteByte('}')
	case interp.Record:
		w.record(v, nest)
	}
}

func (w *writer) record(v interp.Value, nest int) {
	t := w.r.Type(v)
	w.b.WriteByte('{')
	n := 0
	for i, f := range v.Cells() {
		if f.IsNone() {
			continue
		}
		if w.full() {
			return
		}
		w.comma(n)
		n++
		if t != nil && i < len(t.Fields) {
			w.b.WriteString(t.Fields[i].Name)
			w.b.WriteString(": ")
		}
		if w.r.code(v, i) {
			w.b.WriteString(strconv.Quote(codeText(f.Uint())))
			continue
		}
		w.value(f, nest+1)
	}
	w.b.WriteByte('}')
}

func (w *writer) comma(i int) {
	if i > 0 {
		w.b.WriteString(", ")
	}
}

// numbers prints lanes, or the elements of a packed array.
func (w *writer) numbers(v interp.Value) {
	width := 1
	if v.Kind() == interp.Packed {
		width = v.Width()
	}
	for i := range v.Len() {
		if w.full() {
			return
		}
		w.comma(i)
		if width == 1 {
			w.b.WriteString(LaneText(v, i))
			continue
		}
		w.b.WriteByte('[')
		for k := range width {
			w.comma(k)
			w.b.WriteString(LaneText(v, i*width+k))
		}
		w.b.WriteByte(']')
	}
}

// LaneText prints one number of a tuple or of a packed array.
func LaneText(v interp.Value, i int) string {
	switch s := v.Scalar(); {
	case s == bytecode.F32, s == bytecode.F16:
		return floatText(v.LaneFloat(i), 32)
	case s == bytecode.F64:
		return floatText(v.LaneFloat(i), 64)
	case s == bytecode.Code4:
		return strconv.Quote(codeText(v.LaneBits(i)))
	case s.Signed():
		return strconv.FormatInt(v.LaneInt(i), 10)
	}
	return strconv.FormatUint(v.LaneBits(i), 10)
}

func codeText(u uint64) string {
	return string([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)})
}

func floatText(f float64, bits int) string {
	switch {
	case f != f:
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f == 0 && math.Signbit(f):
		return "-0.0"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// FieldText prints field i of a record where only the record knows what it is: the
// letters of a code. It returns "" for any other field.
func (r *Printer) FieldText(record interp.Value, i int) string {
	if !r.code(record, i) {
		return ""
	}
	return strconv.Quote(codeText(record.At(i).Uint()))
}
