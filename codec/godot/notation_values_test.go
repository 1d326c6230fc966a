package godot_test

import (
	"math"
	"math/rand/v2"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// valueMaker makes values of every shape there is, for tests of laws. It is fed
// with bytes, so that a fuzzer can steer it, and makes null when they run out.
type valueMaker struct{ data []byte }

func (m *valueMaker) byte() byte {
	if len(m.data) == 0 {
		return 0
	}
	b := m.data[0]
	m.data = m.data[1:]
	return b
}

func (m *valueMaker) n(n int) int { return int(m.byte()) % n }

func (m *valueMaker) bits() (u uint64) {
	for range 8 {
		u = u<<8 | uint64(m.byte())
	}
	switch m.n(4) {
	case 0:
		return u >> (u & 63)
	case 1:
		return uint64(int64(u) >> (u & 63))
	}
	return u
}

var hardFloats = []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1.5, 1e15, 1e16, 123456789, 5e-324, 1e300, 1e-310,
	math.MaxFloat64, math.SmallestNonzeroFloat32, math.MaxFloat32, 16777216, 16777217, 1e22, 1e23, 0.0001, 0.00001,
	0.10000000149011612, 126.34751070237293, 1 << 53, 1<<53 + 2, math.Inf(1), math.Inf(-1), math.NaN(),
	math.Float64frombits(variant.OrdinaryNaN64), math.Float64frombits(1<<63 | variant.OrdinaryNaN64), math.Float64frombits(0x7ff0000000000001)}

func (m *valueMaker) float() float64 {
	switch m.n(4) {
	case 0:
		return hardFloats[m.n(len(hardFloats))]
	case 1:
		return math.Float64frombits(m.bits())
	case 2:
		return float64(math.Float32frombits(uint32(m.bits())))
	}
	return float64(int64(m.bits())>>20) / 1000
}

var hardTexts = []string{"", "a", "a/b", "a:b", "/", "\"\\\n\t\r\b\f\v\a", "\x00", "\xff", "é\xc3", "日本", "😀", "\u2028\ufeff\u202e\ufffe",
	"\xed\xa0\x80", "\xed\xa0\xbd\xed\xb8\x80", "$type", "12", "null", "uid://x", "res://x.gd", "Node", "int", "Variant", "Raw",
	"\x7f\u0085", "a b", "Object", "Resource", "\U000e0001\U0010ffff", "\ufffd"}

func (m *valueMaker) text() string {
	if m.n(2) == 0 {
		return hardTexts[m.n(len(hardTexts))]
	}
	n := min(m.n(6), len(m.data))
	s := string(m.data[:n])
	m.data = m.data[n:]
	return s
}

func (m *valueMaker) texts() []string {
	var texts []string
	for range m.n(4) {
		texts = append(texts, m.text())
	}
	return texts
}

func (m *valueMaker) numbers(s bytecode.Scalar, n int) []byte {
	var b []byte
	for range n {
		bits := m.bits()
		switch {
		case s == bytecode.F32 && m.n(3) > 0:
			bits = uint64(math.Float32bits(float32(m.float())))
		case s == bytecode.F64 && m.n(3) > 0:
			bits = math.Float64bits(m.float())
		}
		for range s.Width() {
			b = append(b, byte(bits))
			bits >>= 8
		}
	}
	return b
}

func (m *valueMaker) elemType() godot.ElemType {
	switch m.n(5) {
	case 0:
		return godot.ElemType{}
	case 1:
		return godot.ElemType{Type: godot.ObjectType, Class: m.text()}
	case 2:
		return godot.ElemType{Type: godot.ObjectType, Script: m.text()}
	}
	return godot.ElemType{Type: godot.Type(1 + m.n(int(godot.ArrayType)))}
}

// value makes any value; depth limits how deeply it is nested.
func (m *valueMaker) value(depth int) godot.Value {
	v := m.bare(depth)
	if m.n(16) == 0 {
		v = wide(v)
	}
	return v
}

func (m *valueMaker) values(depth int) []godot.Value {
	var values []godot.Value
	if depth > 0 {
		for range m.n(5) {
			values = append(values, m.value(depth-1))
		}
	}
	return values
}

func (m *valueMaker) bare(depth int) godot.Value {
	switch t := godot.Type(m.n(int(variant.NumTypes) + 8)); t {
	case godot.Bool:
		return godot.NewBool(m.n(2) == 1)
	case godot.Int:
		return godot.NewInt(int64(m.bits()))
	case godot.Float:
		return godot.NewFloat(m.float())
	case godot.String:
		return godot.NewString(m.text())
	case godot.StringNameType:
		return godot.NewStringName(m.text())
	case godot.NodePathType:
		return godot.NodePath{m.texts(), m.texts(), m.n(2) == 1}.Value()
	case godot.RIDType:
		return godot.NewRID(m.bits())
	case godot.ObjectType:
		switch m.n(3) {
		case 0:
			return godot.NewObjectID(m.bits())
		case 1:
			return godot.Object{}.Value()
		}
		o := godot.Object{Class: m.text()}
		for _, v := range m.values(depth) {
			o.Properties = append(o.Properties, godot.Property{m.text(), v})
		}
		return o.Value()
	case godot.CallableType:
		return godot.NewCallable()
	case godot.SignalType:
		return godot.Signal{m.text(), m.bits()}.Value()
	case godot.DictionaryType:
		var pairs []codec.Pair
		for _, v := range m.values(depth) {
			key := godot.NewString(m.text())
			if m.n(3) == 0 {
				key = m.value(depth - 1)
			}
			pairs = append(pairs, codec.Pair{Key: key, Value: v})
		}
		v := godot.NewDictionary(pairs...)
		if m.n(3) == 0 {
			v = godot.WithPairTypes(v, m.elemType(), m.elemType())
		}
		return v
	case godot.ArrayType:
		v := godot.NewArray(m.values(depth)...)
		if m.n(3) == 0 {
			v = godot.WithElemType(v, m.elemType())
		}
		return v
	case godot.PackedStringArray:
		return godot.NewPackedStringArray(m.texts())
	default:
		l := variant.LayoutOf(variant.Type(t))
		switch {
		case l.Lanes == 0:
			return raw.Wrap(m.odd(depth))
		case l.Packed():
			scalar := l.Scalar
			wide := l.Real && m.n(3) == 0
			if wide {
				scalar = bytecode.F64
			}
			v := newPacked(t, scalar, l.Lanes, m.numbers(scalar, l.Lanes*m.n(4)))
			return raw.Wrap(raw.Value(v).WithWide(wide))
		case l.Real && m.n(3) == 0:
			return raw.Wrap(interp.MakeLanes(uint16(t), bytecode.F64, m.numbers(bytecode.F64, l.Lanes)).WithWide(true))
		}
		return raw.Wrap(interp.MakeLanes(uint16(t), l.Scalar, m.numbers(l.Scalar, l.Lanes)))
	}
}

// odd makes a value whose layout need not be that of its type.
func (m *valueMaker) odd(depth int) interp.Value {
	tag := uint16(0)
	switch m.n(3) {
	case 0:
		tag = uint16(m.n(int(variant.NumTypes)))
	case 1:
		tag = uint16(m.bits())
	}
	scalar := bytecode.Scalar(1 + m.n(11))
	switch kind := interp.Kind(m.n(12)); kind {
	case interp.Unit:
		return interp.MakeUnit(tag)
	case interp.Bool:
		return interp.MakeBool(tag, m.n(2) == 1)
	case interp.Int:
		return interp.MakeInt(tag, int64(m.bits()))
	case interp.Uint:
		return interp.MakeUint(tag, m.bits())
	case interp.Float:
		return interp.MakeFloat(tag, m.float())
	case interp.Text:
		return interp.MakeText(tag, m.text())
	case interp.Lanes:
		return interp.MakeLanes(tag, scalar, m.numbers(scalar, m.n(5)))
	case interp.Packed:
		width := 1 + m.n(4)
		return interp.MakePacked(tag, scalar, width, m.numbers(scalar, width*m.n(4)))
	case interp.List:
		return interp.MakeList(tag, m.cells(depth))
	case interp.Map:
		pairs := m.cells(depth)
		return interp.MakeMap(tag, pairs[:len(pairs)&^1])
	case interp.Record:
		return interp.MakeRecord(tag, m.cells(depth))
	}
	return interp.Value{}.WithTag(tag)
}

// cells makes the elements of an array.
func (m *valueMaker) cells(depth int) []interp.Value {
	return raw.Value(godot.NewArray(m.values(depth)...)).Cells()
}

// randomValue makes a value from a seed.
func randomValue(seed uint64) godot.Value {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, 20+r.IntN(600))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	m := valueMaker{data}
	return m.value(5)
}

// newLanes makes a math type of numbers of single precision.
func newLanes(t godot.Type, lanes ...float32) godot.Value {
	return raw.Wrap(interp.MakeLanes(uint16(t), bytecode.F32, variant.BytesOf(lanes)))
}

// newWideLanes makes a math type of numbers of double precision.
func newWideLanes(t godot.Type, lanes ...float64) godot.Value {
	return raw.Wrap(interp.MakeLanes(uint16(t), bytecode.F64, variant.BytesOf(lanes)).WithWide(true))
}

// newIntLanes makes an integer math type.
func newIntLanes(t godot.Type, lanes ...int32) godot.Value {
	return raw.Wrap(interp.MakeLanes(uint16(t), bytecode.I32, variant.BytesOf(lanes)))
}

// newPacked makes a packed array of bytes, which it shares.
func newPacked(t godot.Type, s bytecode.Scalar, lanes int, b []byte) godot.Value {
	return raw.Wrap(interp.MakePacked(uint16(t), s, lanes, b))
}
