// Go values to Values.

package codec

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Marshaler is implemented by types that make their own Value.
type Marshaler interface {
	MarshalOctable() (Value, error)
}

// conversion is how Go values are converted; see the [Options] of the same names.
type conversion struct {
	c             *Codec // nil for Variants of no schema
	IgnoreUnknown bool
	Exact         bool
	Names         Naming
	MaxDepth      int
	interfaces    map[reflect.Type]*Interface
	alias         bool   // slices of bytes share the memory of values of schemas with names
	src           []byte // of the Value that is read, for RawMessages; nil if unknown
}

const defaultDepth = 1024

// set says how an option is set. The functions without a Codec have no options, and method is the one that has.
func (c conversion) set(option, method string) string {
	if c.c == nil {
		return "use " + method + " with Options." + option
	}
	return "set Options." + option
}

// rounding returns what allows numbers to be rounded.
func (p *plan) rounding() string {
	if p.want.exact {
		return "leave out exact in the tag"
	}
	return "add round to the tag, or leave out Options.Exact"
}

// rounds reports whether numbers may lose precision.
func (c conversion) rounds(p *plan) bool { return p.want.round || !c.Exact && !p.want.exact }

func (c conversion) maxDepth() int {
	if c.MaxDepth <= 0 {
		return defaultDepth
	}
	return c.MaxDepth
}

// valueOf returns the Variant that a Go value represents; package godot describes it.
func (c conversion) valueOf(x any) (Value, error) {
	switch x := x.(type) {
	case nil:
		return wrap(variant.MakeNil()), nil
	case Value:
		return orNil(x), nil
	}
	rv := reflect.ValueOf(x)
	w := writer{conversion: c, max: c.maxDepth()}
	return w.value(planFor(rv.Type(), want{names: c.Names}), rv)
}

// orNil returns Nil for the zero Value.
func orNil(v Value) Value {
	if v.Type() == variant.Invalid && v.raw.IsNone() {
		return wrap(variant.MakeNil())
	}
	return v
}

// writer follows plans from Go values to Values.
type writer struct {
	conversion
	max   int
	depth int // containers around the value
	hops  int // pointers and interfaces around the value
}

func (w *writer) fail(p *plan, err error, format string, args ...any) (Value, error) {
	return Value{}, &TypeError{Writing: true, GoType: p.typ, Problem: fmt.Sprintf(format, args...), Err: err}
}

// addressable returns a value that has an address: rv or a copy of it.
func addressable(rv reflect.Value) reflect.Value {
	if rv.CanAddr() {
		return rv
	}
	ptr := reflect.New(rv.Type())
	ptr.Elem().Set(rv)
	return ptr.Elem()
}

// get returns what rv, which is a T, holds.
func get[T any](rv reflect.Value) T {
	if rv.CanAddr() {
		return *rv.Addr().Interface().(*T) // spares the allocation that an interface of T needs
	}
	return rv.Interface().(T)
}

// hooked calls a method of the type.
func (w *writer) hooked(p *plan, rv reflect.Value) (Value, error) {
	method := addressable(rv).Addr().Interface()
	if p.writeHook == valueHook {
		v, err := method.(Marshaler).MarshalOctable()
		if err != nil {
			return w.fail(p, err, "its MarshalOctable: %v", err)
		}
		return w.wanted(p, orNil(v))
	}
	text, err := method.(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return w.fail(p, err, "its MarshalText: %v", err)
	}
	if p.want.typ == variant.StringNameType {
		return wrap(variant.MakeStringName(string(text))), nil
	}
	return wrap(variant.MakeString(string(text))), nil
}

// wanted checks a Value that was not made here against what the tag asks for.
func (w *writer) wanted(p *plan, v Value) (Value, error) {
	if t := p.want.typ; t != variant.Invalid && v.Type() != t && !(t == variant.ObjectType && v.IsNil()) {
		return w.fail(p, ErrMismatch, "it is %s, but the tag asks for %v", describe(v), t)
	}
	return v, nil
}

// enter counts a container around the values to come.
func (w *writer) enter(p *plan) error {
	if w.depth++; w.depth > w.max+1 {
		_, err := w.fail(p, ErrNesting, "it is nested over %d levels deep, or contains itself; %s to allow more", w.max, w.set("MaxDepth", "Codec.ValueOf"))
		return err
	}
	return nil
}

// value converts one Go value, whose type is p.typ.
func (w *writer) value(p *plan, rv reflect.Value) (Value, error) {
	if p.writeHook != noHook {
		return w.hooked(p, rv)
	}
	switch p.form {
	case formBool:
		return wrap(variant.MakeBool(rv.Bool())), nil
	case formInt:
		return w.int(p, rv.Int())
	case formUint:
		u := rv.Uint()
		if u > math.MaxInt64 {
			return w.fail(p, ErrInexact, "%d does not fit, since the format has no int over %d; an id may be type=RID in its tag", u, int64(math.MaxInt64))
		}
		return w.int(p, int64(u))
	case formFloat:
		f := rv.Float()
		if p.godot == variant.Float {
			return wrap(variant.MakeFloat(f)), nil
		}
		i, ok := exactInt(f)
		if !ok {
			return w.fail(p, ErrInexact, "%v is not an int of 64 bits, as its tag asks", f)
		}
		return wrap(variant.MakeInt(i)), nil
	case formText:
		if rv.Len() > math.MaxInt32 {
			return w.tooLong(p, rv)
		}
		if p.godot == variant.StringNameType {
			return wrap(variant.MakeStringName(rv.String())), nil
		}
		return wrap(variant.MakeString(rv.String())), nil
	case formID:
		if p.godot == variant.RIDType {
			return wrap(interp.MakeUint(variant.RIDType, rv.Uint())), nil
		}
		return wrap(interp.MakeUint(variant.ObjectType, rv.Uint())), nil
	case formLanes:
		return w.lanes(p, rv)
	case formPacked:
		return w.packed(p, rv)
	case formPackedText, formList:
		return w.list(p, rv)
	case formMap:
		return w.mapping(p, rv)
	case formPairs:
		return w.pairs(p, get[[]Pair](rv.Convert(reflect.TypeFor[[]Pair]())))
	case formStruct:
		return w.structure(p, rv)
	case formPointer, formInterface:
		return w.inside(p, rv)
	case formValue:
		return w.wanted(p, orNil(get[Value](rv)))
	case formArray:
		return w.array(p, rv)
	case formDigits:
		return w.digits(p, rv)
	case formTime:
		return w.time(p, get[time.Time](rv))
	case formRaw:
		return w.raw(p, rv.Bytes())
	case formOwn:
		own, _ := variant.GoTypeOf(p.typ)
		return wrap(own.Make(rv.Interface())), nil
	}
	return w.fail(p, ErrGoType, "the type %s", p.problem)
}

func (w *writer) tooLong(p *plan, rv reflect.Value) (Value, error) {
	return w.fail(p, ErrInexact, "its length %d is more than any version can hold, %d", rv.Len(), math.MaxInt32)
}

func (w *writer) int(p *plan, i int64) (Value, error) {
	if p.godot == variant.Int {
		return wrap(variant.MakeInt(i)), nil
	}
	f, ok := exactFloat(i)
	if !ok && !w.rounds(p) {
		return w.fail(p, ErrInexact, "%d is no float, as its tag asks, without being rounded; %s", i, p.rounding())
	}
	return wrap(variant.MakeFloat(f)), nil
}

// inside converts what a pointer points to, or what is in an interface.
func (w *writer) inside(p *plan, rv reflect.Value) (Value, error) {
	if rv.IsNil() {
		return wrap(variant.MakeNil()), nil
	}
	if w.hops++; w.hops > 4*w.max {
		return w.fail(p, ErrNesting, "it is %d pointers deep, or points to itself", w.hops)
	}
	rv = rv.Elem()
	elem := p.elem
	if elem == nil {
		elem = planFor(rv.Type(), p.want)
	}
	v, err := w.value(elem, rv)
	if i := w.interfaces[p.typ]; i != nil && err == nil {
		v, err = w.named(p, i, rv.Type(), v)
	}
	w.hops--
	return v, err
}

// lanes converts the numbers of a math type.
func (w *writer) lanes(p *plan, rv reflect.Value) (Value, error) {
	var b []byte
	if p.flat {
		b = variant.RawBytes(addressable(rv))
	} else {
		var err error
		if b, err = w.numbers(p, p.lanes.Scalar, nil, rv); err != nil {
			return Value{}, err
		}
	}
	if p.godot.rowwise() {
		transpose(b)
	}
	return wrap(interp.MakeLanes(uint16(p.godot), p.lanes.Scalar, b)), nil
}

// transpose exchanges rows and columns of the nine numbers of four bytes that b begins with.
func transpose(b []byte) {
	for row := range 3 {
		for col := range row {
			x, y := b[4*(3*row+col):], b[4*(3*col+row):]
			a, c := binary.LittleEndian.Uint32(x), binary.LittleEndian.Uint32(y)
			binary.LittleEndian.PutUint32(x, c)
			binary.LittleEndian.PutUint32(y, a)
		}
	}
}

// numbers appends the numbers that a value consists of.
func (w *writer) numbers(p *plan, s bytecode.Scalar, b []byte, rv reflect.Value) ([]byte, error) {
	switch rv.Kind() {
	case reflect.Array:
		for i := range rv.Len() {
			var err error
			if b, err = w.numbers(p, s, b, rv.Index(i)); err != nil {
				return nil, within(indexStep(i), err)
			}
		}
		return b, nil
	case reflect.Struct:
		for i := range rv.NumField() {
			var err error
			if b, err = w.numbers(p, s, b, rv.Field(i)); err != nil {
				return nil, within("."+rv.Type().Field(i).Name, err)
			}
		}
		return b, nil
	}
	var i int64
	var f float64
	ok := true
	switch {
	case rv.CanFloat():
		f = rv.Float()
		if !s.IsFloat() {
			i, ok = exactInt(f)
		}
	case rv.CanUint() && rv.Uint() > math.MaxInt64:
		ok = false
	default:
		if rv.CanInt() {
			i = rv.Int()
		} else {
			i = int64(rv.Uint())
		}
		if s.IsFloat() {
			f, ok = exactFloat(i)
			ok = ok || w.rounds(p)
		}
	}
	switch s {
	case bytecode.U8:
		ok = ok && 0 <= i && i <= math.MaxUint8
		b = append(b, byte(i))
	case bytecode.I32:
		ok = ok && math.MinInt32 <= i && i <= math.MaxInt32
		b = binary.LittleEndian.AppendUint32(b, uint32(i))
	case bytecode.I64:
		b = binary.LittleEndian.AppendUint64(b, uint64(i))
	case bytecode.F32:
		ok = ok && fitsSingle(f, w.rounds(p))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f)))
	case bytecode.F64:
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	if !ok {
		hint := ""
		if s == bytecode.F32 {
			hint = "; " + p.rounding()
		}
		return nil, &TypeError{Writing: true, GoType: rv.Type(), Err: ErrInexact,
			Problem: fmt.Sprintf("%v does not fit into the %v that %v is made of%s", rv.Interface(), s, p.godot, hint)}
	}
	return b, nil
}

// fitsSingle reports whether a number may be put into single precision.
func fitsSingle(f float64, round bool) bool {
	return exactSingle(f) || round && !math.IsInf(float64(float32(f)), 0)
}

// packed converts a slice or array of numbers, or of tuples of them.
func (w *writer) packed(p *plan, rv reflect.Value) (Value, error) {
	n := rv.Len()
	if n > math.MaxInt32 {
		return w.tooLong(p, rv)
	}
	var b []byte
	switch {
	case n == 0:
	case p.flat && rv.Kind() == reflect.Slice:
		b = variant.RawBytes(rv)
	case p.flat:
		b = variant.RawBytes(addressable(rv))
	default:
		b = make([]byte, 0, n*p.lanes.Lanes*p.lanes.Scalar.Width())
		for i := range n {
			var err error
			if b, err = w.numbers(p, p.lanes.Scalar, b, rv.Index(i)); err != nil {
				return Value{}, within(indexStep(i), err)
			}
		}
	}
	return wrap(interp.MakePacked(uint16(p.godot), p.lanes.Scalar, p.lanes.Lanes, b)), nil
}

// list converts a slice or array element by element.
func (w *writer) list(p *plan, rv reflect.Value) (Value, error) {
	n := rv.Len()
	if n > math.MaxInt32 {
		return w.tooLong(p, rv)
	}
	if err := w.enter(p); err != nil {
		return Value{}, err
	}
	elem := p.want.elem
	if p.godot == variant.PackedStringArray {
		elem = variant.ElemType{Type: variant.String}
	}
	cells := make([]interp.Value, n)
	for i := range cells {
		v, err := w.value(p.elem, rv.Index(i))
		if err == nil && !fits(elem, v) {
			_, err = w.fail(p.elem, ErrMismatch, "it is %s, but the elements have to be %v", describe(v), elem)
		}
		if err != nil {
			return Value{}, within(indexStep(i), err)
		}
		cells[i] = v.raw
	}
	w.depth--
	if p.godot == variant.PackedStringArray {
		for i := range cells {
			cells[i] = cells[i].WithTag(0)
		}
		return wrap(interp.MakeList(variant.PackedStringArray, cells)), nil
	}
	return wrap(variant.TypedArray(interp.MakeList(variant.ArrayType, cells), elem)), nil
}

// mapping converts a map, sorted by key.
func (w *writer) mapping(p *plan, rv reflect.Value) (Value, error) {
	if err := w.enter(p); err != nil {
		return Value{}, err
	}
	pairs := make([]Pair, 0, rv.Len())
	for it := rv.MapRange(); it.Next(); {
		k, err := w.value(p.key, it.Key())
		if err != nil {
			return Value{}, within("[a key]", err)
		}
		v, err := w.value(p.elem, it.Value())
		if err != nil {
			return Value{}, within(keyStep(k), err)
		}
		pairs = append(pairs, Pair{k, v})
	}
	slices.SortFunc(pairs, func(a, b Pair) int { return compareKeys(a.Key.raw, b.Key.raw) })
	for i := 1; i < len(pairs); i++ {
		if a, b := pairs[i-1].Key, pairs[i].Key; compareKeys(a.raw, b.raw) == 0 {
			return w.fail(p, ErrDuplicateKey, "its keys %s and %s are one for the engine, which would keep one of their values", describe(a), describe(b))
		}
	}
	w.depth--
	return w.pairs(p, pairs)
}

// pairs converts pairs in their own order.
func (w *writer) pairs(p *plan, pairs []Pair) (Value, error) {
	cells := make([]Value, 0, 2*len(pairs))
	for _, pair := range pairs {
		cells = append(cells, orNil(pair.Key), orNil(pair.Value))
	}
	return w.dictionary(p, cells)
}

// structure converts a struct field by field.
func (w *writer) structure(p *plan, rv reflect.Value) (Value, error) {
	if p.problem != "" {
		return w.fail(p, ErrGoType, "the type %s", p.problem)
	}
	if err := w.enter(p); err != nil {
		return Value{}, err
	}
	cells := make([]Value, 0, 2*len(p.fields.fields))
	for i := range p.fields.fields {
		f := &p.fields.fields[i]
		fv, ok := f.in(rv)
		if !ok || f.omitted(fv) {
			continue
		}
		v, err := w.value(f.plan, fv)
		if err != nil {
			return Value{}, within(nameStep(f.name), err)
		}
		key := wrap(variant.MakeString(f.name))
		if p.want.key.Type == variant.StringNameType {
			key = wrap(variant.MakeStringName(f.name))
		}
		cells = append(cells, key, v)
	}
	if f := p.fields.rest; f != nil {
		if fv, ok := f.in(rv); ok {
			w.depth--
			rest, err := w.value(f.plan, fv)
			if err != nil {
				return Value{}, err
			}
			w.depth++
			for k, v := range rest.Pairs() {
				if s, ok := k.AsString(); ok {
					if _, taken := p.fields.byName[s]; taken {
						return w.fail(p, ErrDuplicateKey, "the key %s of the rest is that of a field", shortQuote(s))
					}
				}
				cells = append(cells, k, v)
			}
		}
	}
	w.depth--
	return w.dictionary(p, cells)
}

// in returns the field of a struct; it is not ok inside an embedded pointer that is nil.
func (f *field) in(rv reflect.Value) (reflect.Value, bool) {
	for i, n := range f.index {
		if i > 0 && rv.Kind() == reflect.Pointer {
			if rv.IsNil() {
				return reflect.Value{}, false
			}
			rv = rv.Elem()
		}
		rv = rv.Field(n)
	}
	return rv, true
}

// omitted reports whether a field is not to be written.
func (f *field) omitted(rv reflect.Value) bool {
	if f.omitEmpty {
		switch rv.Kind() {
		case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
			if rv.Len() == 0 {
				return true
			}
		case reflect.Struct:
		default:
			if rv.IsZero() {
				return true
			}
		}
	}
	if !f.omitZero {
		return false
	}
	if k := rv.Kind(); (k == reflect.Pointer || k == reflect.Interface) && rv.IsNil() {
		return true
	}
	if z, ok := addressable(rv).Addr().Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return rv.IsZero()
}

// dictionary makes a Dictionary of keys and values in turn, typed where the tag
// asks for it.
func (w *writer) dictionary(p *plan, cells []Value) (Value, error) {
	dict := wrap(interp.MakeMap(variant.DictionaryType, rawCells(cells)))
	key, elem := p.want.key, p.want.elem
	if key == (variant.ElemType{}) && elem == (variant.ElemType{}) {
		return dict, nil
	}
	for k, v := range dict.Pairs() {
		if !fits(key, k) {
			return w.fail(p, ErrMismatch, "its key %s has to be %v", describe(k), key)
		}
		if !fits(elem, v) {
			_, err := w.fail(p, ErrMismatch, "it is %s, but the values have to be %v", describe(v), elem)
			return Value{}, within(keyStep(k), err)
		}
	}
	return wrap(variant.TypedDictionary(dict.raw, key, elem)), nil
}

// compareKeys orders keys by type and then by what they are. It returns 0 for
// keys that are one for the engine: also for a String and a StringName of the
// same text, for 0.0 and -0.0, and for any two NaN.
func compareKeys(a, b interp.Value) int {
	ta, tb := Type(a.Tag()), Type(b.Tag())
	if ta == variant.StringNameType {
		ta = variant.String
	}
	if tb == variant.StringNameType {
		tb = variant.String
	}
	if c := cmp.Or(cmp.Compare(ta, tb), cmp.Compare(a.Kind(), b.Kind())); c != 0 {
		return c
	}
	switch a.Kind() {
	case interp.Bool, interp.Uint:
		return cmp.Compare(a.Uint(), b.Uint())
	case interp.Int:
		return cmp.Compare(a.Int(), b.Int())
	case interp.Float:
		return cmp.Compare(a.Float(), b.Float())
	case interp.Text:
		return strings.Compare(a.Text(), b.Text())
	case interp.Lanes, interp.Packed:
		if a.Scalar() == bytecode.U8 && b.Scalar() == bytecode.U8 {
			return bytes.Compare(a.Bytes(), b.Bytes())
		}
		for i := range min(numbersIn(a), numbersIn(b)) {
			var c int
			if a.Scalar().IsFloat() {
				c = cmp.Compare(a.LaneFloat(i), b.LaneFloat(i))
			} else {
				c = cmp.Compare(a.LaneInt(i), b.LaneInt(i))
			}
			if c != 0 {
				return c
			}
		}
		return cmp.Compare(numbersIn(a), numbersIn(b))
	}
	return slices.CompareFunc(a.Cells(), b.Cells(), compareKeys)
}

// numbersIn returns how many numbers a math type or packed array consists of.
func numbersIn(v interp.Value) int {
	if v.Kind() == interp.Packed {
		return v.Len() * v.Width()
	}
	return v.Len()
}
