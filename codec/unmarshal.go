// Values to Go values.

package codec

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Unmarshaler is implemented by types that read their own Value. The method
// may keep the Value, which does not change. It is called for Nil too.
type Unmarshaler interface {
	UnmarshalOctable(Value) error
}

// To sets what ptr points to, which must not be nil, to what v represents. It is the
// reverse of [Codec.ValueOf] and takes the same types and tags:
//
//	Go                        format
//	bool                      bool
//	integers                  int; float without a fraction
//	floats                    float; int; rounded unless Options.Exact is set
//	string, StringName        String, StringName
//	NodePath, RID, Signal,    the type of that name
//	  Callable, Vector2 …
//	Object, ObjectID          Object, in full or by its id; Nil
//	Value                     anything
//	slice                     Array, typed or not, and any packed array; Nil
//	array                     the same, of exactly its length
//	map                       Dictionary, typed or not; Nil
//	[]Pair                    Dictionary, with every pair that was sent; Nil
//	struct                    Dictionary
//	pointer                   Nil, or its element, which is made if needed
//	any                       see below
//
// Nothing that was sent is dropped unseen. An integer that does not fit is an
// error, as are a key that no field of a struct takes (but see the option rest
// of tags, and [Options.IgnoreUnknown]), and a repeated key if the Go
// type holds each key once. Keys have to be spelled as the field is. Fields whose
// keys are missing from a Dictionary keep what they hold; those that are absent
// in a record are set to zero. A field with the option required may not be missing.
//
// A map is replaced by a new one. A slice is reused if it has room, and its
// elements are cleared first. An interface that holds a pointer keeps it, and what it
// points to is set. Texts share memory with v; all else is copied. When there
// is an error, what ptr points to may be set in part.
//
// An empty interface gets the natural Go value:
//
//	Nil, bool, int, float     nil, bool, int64, float64
//	String                    string
//	Vector2 and so on         the type of that name in package godot
//	PackedInt32Array …        the slice that ValueOf makes it of
//	Array                     []any
//	Dictionary                map[string]any when all keys are Strings, else map[any]any
//
// A Dictionary that a map cannot hold becomes a []Pair: if a key is there
// twice, is NaN, or is of a type that Go has no equality for, such as an Array.
// Any other value without a faithful Go type stays a [Value]: numbers of double
// precision that a Vector3 would have to round, and types that only some
// versions or schemas have. A map does not keep the order of a Dictionary, nor
// []any the element type of an Array; a Value keeps both.
func (v Value) To(ptr any) error { return conversion{}.to(v, ptr) }

func (c conversion) to(v Value, ptr any) error {
	if x, ok := ptr.(*Value); ok && x != nil {
		*x = orNil(v)
		return nil
	}
	rv := reflect.ValueOf(ptr)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return &TypeError{GoType: reflect.TypeOf(ptr), Err: ErrGoType,
			Problem: "only what a pointer points to can be set, and it must not be nil"}
	}
	rv = rv.Elem()
	if v.of != nil {
		return c.toNamed(v, rv)
	}
	p := planFor(rv.Type(), want{names: c.Names})
	if c.src != nil && !p.hasRaw() {
		c.src = nil
	}
	r := reader{conversion: c, max: c.maxDepth()}
	return r.value(p, v, rv)
}

// reader follows plans from Values to Go values.
type reader struct {
	conversion
	max   int
	depth int      // containers around the value
	hops  int      // pointers and interfaces around the value
	given [][]byte // the bytes of the values of the next map
}

func (r *reader) fail(p *plan, err error, format string, args ...any) error {
	return &TypeError{GoType: p.typ, Problem: fmt.Sprintf(format, args...), Err: err}
}

// mismatch says that v is not what the plan can take.
func (r *reader) mismatch(p *plan, v Value, takes string) error {
	if v.IsNil() {
		return r.fail(p, ErrMismatch, "it is Nil and not %s; a pointer to the type takes both", takes)
	}
	hint := ""
	if takes != "Dictionary" {
		if t := goTypeNamed(v.Type()); t != "" {
			hint = "; its Go type is " + t
		}
	}
	return r.fail(p, ErrMismatch, "it is %s and not %s%s", describe(v), takes, hint)
}

// goTypeNamed returns the Go type to suggest for a type of Variants, or "".
func goTypeNamed(t Type) string {
	switch t {
	case variant.Bool:
		return "bool"
	case variant.Int:
		return "int64"
	case variant.Float:
		return "float64"
	case variant.String:
		return "string"
	case variant.ArrayType:
		return "[]any"
	case variant.DictionaryType:
		return "a struct or map"
	}
	for kind, packed := range packedOfKind {
		if packed == t {
			return "[]" + kind.String()
		}
	}
	for own, packed := range packedOf {
		if packed == t {
			return "[]godot." + own.String()
		}
	}
	for own, g := range variant.GoTypes() {
		if Type(g.Type) == t && t != variant.ObjectType {
			return own.String()
		}
	}
	return ""
}

// enter counts a container around the values to come.
func (r *reader) enter(p *plan) error {
	if r.depth++; r.depth > r.max+1 {
		return r.fail(p, ErrNesting, "it is nested over %d levels deep; %s to allow more", r.max, r.set("MaxDepth", "Codec.To"))
	}
	return nil
}

// value sets rv, whose type is p.typ, to v.
func (r *reader) value(p *plan, v Value, rv reflect.Value) error {
	switch p.readHook {
	case valueHook:
		if err := rv.Addr().Interface().(Unmarshaler).UnmarshalOctable(orNil(v)); err != nil {
			return r.fail(p, err, "its UnmarshalOctable: %v", err)
		}
		return nil
	case textHook:
		s, ok := v.AsString()
		if !ok {
			return r.mismatch(p, v, "String")
		}
		if err := rv.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s)); err != nil {
			return r.fail(p, err, "its UnmarshalText: %v", err)
		}
		return nil
	}
	switch p.form {
	case formBool:
		b, ok := v.AsBool()
		if !ok || v.Type() != variant.Bool {
			return r.mismatch(p, v, "bool")
		}
		rv.SetBool(b)
		return nil
	case formInt, formUint, formFloat:
		return r.number(p, v, rv)
	case formText:
		s, ok := v.AsString()
		if !ok {
			return r.mismatch(p, v, "String or StringName")
		}
		rv.SetString(s)
		return nil
	case formID:
		return r.id(p, v, rv)
	case formLanes:
		return r.lanes(p, v, rv)
	case formPacked, formPackedText, formList:
		return r.sequence(p, v, rv)
	case formMap:
		return r.mapping(p, v, rv)
	case formPairs:
		return r.pairs(p, v, rv)
	case formStruct:
		return r.structure(p, v, rv)
	case formPointer:
		return r.pointer(p, v, rv)
	case formInterface:
		return r.inside(p, v, rv)
	case formValue:
		*rv.Addr().Interface().(*Value) = orNil(v)
		return nil
	case formArray:
		return r.array(p, v, rv)
	case formDigits:
		return r.digits(p, v, rv)
	case formTime:
		return r.time(p, v, rv)
	case formRaw:
		return r.raw(p, v, rv)
	case formOwn:
		return r.own(p, v, rv)
	}
	return r.fail(p, ErrGoType, "the type %s", p.problem)
}

// own sets a struct that represents one type.
func (r *reader) own(p *plan, v Value, rv reflect.Value) error {
	if p.godot == variant.ObjectType {
		if v.IsNil() || variant.IsNullObject(v.raw) {
			rv.SetZero()
			return nil
		}
		if v.Type() == variant.ObjectType && v.raw.Kind() == interp.Uint {
			return r.fail(p, ErrMismatch, "it is %s, known only by its id; its Go type is godot.ObjectID", describe(v))
		}
	}
	x, ok := variant.Natural(v.raw)
	if !ok || v.Type() != p.godot {
		return r.mismatch(p, v, p.godot.String())
	}
	rv.Set(reflect.ValueOf(x))
	return nil
}

func (r *reader) number(p *plan, v Value, rv reflect.Value) error {
	switch v.Type() {
	case variant.Int:
		if i, ok := v.AsInt(); ok {
			return r.setInt(p, i, rv)
		}
	case variant.Float:
		if f, ok := v.AsFloat(); ok {
			return r.setFloat(p, f, rv)
		}
	}
	if p.form == formFloat {
		return r.mismatch(p, v, "float or int")
	}
	return r.mismatch(p, v, "int")
}

// setInt sets a Go number to an integer.
func (r *reader) setInt(p *plan, i int64, rv reflect.Value) error {
	switch {
	case rv.CanInt():
		if rv.OverflowInt(i) {
			return r.fail(p, ErrInexact, "int %d does not fit into %v; a wider type would take it", i, rv.Type())
		}
		rv.SetInt(i)
	case rv.CanUint():
		if i < 0 {
			return r.fail(p, ErrInexact, "int %d does not fit into %v; a signed type would take it", i, rv.Type())
		}
		if rv.OverflowUint(uint64(i)) {
			return r.fail(p, ErrInexact, "int %d does not fit into %v; a wider type would take it", i, rv.Type())
		}
		rv.SetUint(uint64(i))
	default:
		f, ok := exactFloat(i)
		if !(ok && (rv.Kind() == reflect.Float64 || exactSingle(f))) && !r.rounds(p) {
			return r.fail(p, ErrInexact, "int %d does not fit into %v without being rounded; use int64, or %s", i, rv.Type(), p.rounding())
		}
		rv.SetFloat(f)
	}
	return nil
}

// setFloat sets a Go number to a float.
func (r *reader) setFloat(p *plan, f float64, rv reflect.Value) error {
	if rv.CanFloat() {
		if rv.Kind() == reflect.Float32 && !fitsSingle(f, r.rounds(p)) {
			return r.fail(p, ErrInexact, "float %v does not fit into %v without being rounded; use float64, or %s", f, rv.Type(), p.rounding())
		}
		rv.SetFloat(f)
		return nil
	}
	i, ok := exactInt(f)
	if !ok {
		return r.fail(p, ErrInexact, "float %v is not an integer of 64 bits; use float64", f)
	}
	return r.setInt(p, i, rv)
}

func (r *reader) id(p *plan, v Value, rv reflect.Value) error {
	isID := v.Type() == p.godot && (v.raw.Kind() == interp.Uint || p.godot == variant.RIDType)
	ok := isID || p.godot == variant.ObjectType && (v.IsNil() || variant.IsNullObject(v.raw))
	if !ok && p.godot == variant.ObjectType && v.Type() == variant.ObjectType {
		return r.fail(p, ErrMismatch, "it is an Object in full and not an id; its Go type is godot.Object")
	}
	var id uint64
	if isID {
		id = v.raw.Uint()
	}
	if !ok {
		return r.mismatch(p, v, p.godot.String())
	}
	if rv.OverflowUint(id) {
		return r.fail(p, ErrInexact, "%v %d does not fit into %v; use uint64", p.godot, id, rv.Type())
	}
	rv.SetUint(id)
	return nil
}

// lanes reads a math type.
func (r *reader) lanes(p *plan, v Value, rv reflect.Value) error {
	s := v.raw.Scalar()
	if v.Type() != p.godot || v.raw.Kind() != interp.Lanes || v.raw.Width() != p.lanes.Lanes || s.IsFloat() != p.lanes.Scalar.IsFloat() {
		return r.mismatch(p, v, p.godot.String())
	}
	if p.flat && s == p.lanes.Scalar {
		var buf [4 * variant.MaxLanes]byte
		b, _ := variant.Lanes(v.raw, variant.Type(p.godot), &buf)
		if p.godot.rowwise() {
			b = buf[:copy(buf[:], b)]
			transpose(b)
		}
		variant.SetRaw(rv, b)
		return nil
	}
	return r.numbers(p, v.raw, p.godot.rowwise(), rv)
}

// numbers reads the numbers of a math type one by one.
func (r *reader) numbers(p *plan, v interp.Value, rowwise bool, rv reflect.Value) error {
	next := 0
	var walk func(rv reflect.Value) error
	walk = func(rv reflect.Value) error {
		switch rv.Kind() {
		case reflect.Array:
			for i := range rv.Len() {
				if err := walk(rv.Index(i)); err != nil {
					return within(indexStep(i), err)
				}
			}
			return nil
		case reflect.Struct:
			for i := range rv.NumField() {
				if err := walk(rv.Field(i)); err != nil {
					return within("."+rv.Type().Field(i).Name, err)
				}
			}
			return nil
		}
		lane := next
		if rowwise && lane < 9 {
			lane = lane%3*3 + lane/3
		}
		next++
		if v.Scalar().IsFloat() {
			return r.setFloat(p, v.LaneFloat(lane), rv)
		}
		return r.setInt(p, v.LaneInt(lane), rv)
	}
	return walk(rv)
}

// isSequence reports whether v is an array of any kind.
func (v Value) isSequence() bool {
	switch v.Type() {
	case variant.ArrayType, variant.TypedArrayType, variant.PackedTypedArrayType, variant.PackedStringArray:
		return v.list().Kind() == interp.List
	}
	return v.Type().layout().Elem != variant.Invalid && v.raw.Kind() == interp.Packed
}

// elem returns element i of an array of any kind.
func (v Value) elem(i int) Value {
	if v.raw.Kind() != interp.Packed {
		e := v.list().Cells()[i]
		if v.Type() == variant.PackedStringArray {
			return wrap(variant.MakeString(e.Text()))
		}
		return wrap(e)
	}
	form := v.Type().layout()
	if n := v.raw.Width(); n > 1 {
		size := n * v.raw.Scalar().Width()
		b := v.raw.Bytes()[i*size : (i+1)*size]
		wide := v.raw.Scalar() == bytecode.F64
		return wrap(interp.MakeLanes(uint16(form.Elem), v.raw.Scalar(), b).WithWide(wide))
	}
	if v.raw.Scalar().IsFloat() {
		return wrap(variant.MakeFloat(v.raw.LaneFloat(i)))
	}
	return wrap(variant.MakeInt(v.raw.LaneInt(i)))
}

// sequence reads an array of any kind into a slice or array.
func (r *reader) sequence(p *plan, v Value, rv reflect.Value) error {
	slice := rv.Kind() == reflect.Slice
	if v.IsNil() && slice {
		rv.SetZero()
		return nil
	}
	if !v.isSequence() {
		return r.mismatch(p, v, "an array")
	}
	n := v.list().Len()
	if !slice && n != rv.Len() {
		return r.fail(p, ErrMismatch, "it has %d elements, and the Go array %d; a slice takes any number", n, rv.Len())
	}
	bulk := p.form == formPacked && p.flat && v.Type() == p.godot &&
		v.raw.Kind() == interp.Packed && v.raw.Scalar() == p.lanes.Scalar && v.raw.Width() == p.lanes.Lanes
	if slice {
		switch {
		case n <= rv.Cap() && !(n == 0 && rv.IsNil()):
			rv.SetLen(n)
			if !bulk {
				rv.Clear()
			}
		case bulk && n > 0: // without zeroing the memory first
			placeAt(rv.Addr()).makeOf(rv.Type(), int(rv.Type().Elem().Size()), v.raw.Bytes())
			return nil
		default:
			rv.Set(reflect.MakeSlice(rv.Type(), n, n))
		}
	} else if !bulk {
		rv.SetZero()
	}
	if bulk {
		if n > 0 {
			variant.SetRaw(rv, v.raw.Bytes())
		}
		return nil
	}
	if err := r.enter(p); err != nil {
		return err
	}
	parts := r.parts()
	for i := range n {
		r.src = parts.next()
		if err := r.value(p.elem, v.elem(i), rv.Index(i)); err != nil {
			return within(indexStep(i), err)
		}
	}
	r.depth--
	return nil
}

// mapping reads a Dictionary into a new map.
func (r *reader) mapping(p *plan, v Value, rv reflect.Value) error {
	if v.IsNil() {
		rv.SetZero()
		return nil
	}
	if v.Type() != variant.DictionaryType {
		return r.mismatch(p, v, "Dictionary")
	}
	if err := r.enter(p); err != nil {
		return err
	}
	m := reflect.MakeMapWithSize(p.typ, v.Len())
	parts := r.parts()
	for k, val := range v.Pairs() {
		key := reflect.New(p.key.typ).Elem()
		r.src = parts.next()
		if err := r.value(p.key, k, key); err != nil {
			return within("[key "+describe(k)+"]", err)
		}
		if !key.Comparable() {
			return r.fail(p, ErrMismatch, "its key %s has no equality in Go; []codec.Pair takes any keys", describe(k))
		}
		if m.MapIndex(key).IsValid() {
			return r.fail(p, ErrDuplicateKey, "key %s occurs twice; []codec.Pair takes all pairs", describe(k))
		}
		elem := reflect.New(p.elem.typ).Elem()
		r.src = parts.next()
		if err := r.value(p.elem, val, elem); err != nil {
			return within(keyStep(k), err)
		}
		m.SetMapIndex(key, elem)
	}
	r.depth--
	rv.Set(m)
	return nil
}

// pairs reads a Dictionary into a new []Pair.
func (r *reader) pairs(p *plan, v Value, rv reflect.Value) error {
	if v.IsNil() {
		rv.SetZero()
		return nil
	}
	if v.Type() != variant.DictionaryType {
		return r.mismatch(p, v, "Dictionary")
	}
	rv.Set(reflect.ValueOf(pairsOf(v)).Convert(rv.Type()))
	return nil
}

func pairsOf(v Value) []Pair {
	pairs := make([]Pair, 0, v.Len())
	for k, val := range v.Pairs() {
		pairs = append(pairs, Pair{k, val})
	}
	return pairs
}

// structure reads a Dictionary into a struct.
func (r *reader) structure(p *plan, v Value, rv reflect.Value) error {
	if p.problem != "" {
		return r.fail(p, ErrGoType, "the type %s", p.problem)
	}
	if v.Type() != variant.DictionaryType {
		return r.mismatch(p, v, "Dictionary")
	}
	if err := r.enter(p); err != nil {
		return err
	}
	fields := p.fields.fields
	var few [64]bool
	seen := few[:]
	if len(fields) > len(few) {
		seen = make([]bool, len(fields))
	}
	var rest []Pair
	var given [][]byte
	parts := r.parts()
	next, required := 0, 0
	for k, val := range v.Pairs() {
		parts.next()
		r.src = parts.next()
		i := -1
		if name, ok := k.AsString(); ok {
			if next < len(fields) && fields[next].name == name {
				i = next // the usual order
			} else if j, ok := p.fields.byName[name]; ok {
				i = j
			}
		}
		if i < 0 {
			if p.fields.rest != nil {
				rest = append(rest, Pair{k, val})
				if parts != nil {
					given = append(given, r.src)
				}
			} else if !r.IgnoreUnknown && !p.fields.loose {
				return r.unknown(p, k)
			}
			continue
		}
		f := &fields[i]
		if seen[i] {
			return r.fail(p, ErrDuplicateKey, "key %s occurs twice; []codec.Pair takes all pairs", describe(k))
		}
		seen[i] = true
		next = i + 1
		if f.required {
			required++
		}
		fv, err := r.field(p, f, rv)
		if err == nil {
			err = r.value(f.plan, val, fv)
		}
		if err != nil {
			return within(nameStep(f.name), err)
		}
	}
	if required < p.fields.required {
		for i, f := range fields {
			if f.required && !seen[i] {
				return r.fail(p, ErrMissingKey, "the key %s is missing, which the tag says is required", shortQuote(f.name))
			}
		}
	}
	r.depth--
	if f := p.fields.rest; f != nil {
		fv, err := r.field(p, f, rv)
		if err != nil {
			return err
		}
		if len(rest) == 0 {
			fv.SetZero()
			return nil
		}
		if r.src = nil; f.plan.form == formMap {
			r.given = given
		}
		return r.value(f.plan, dictionary(rest), fv)
	}
	return nil
}

// unknown says that no field takes a key.
func (r *reader) unknown(p *plan, k Value) error {
	if s, ok := k.AsString(); ok {
		for _, f := range p.fields.fields {
			if strings.EqualFold(f.name, s) {
				return r.fail(p, ErrUnknownKey, "no field takes its key %s; one takes %s: upper and lower case differ", shortQuote(s), shortQuote(f.name))
			}
		}
	}
	return r.fail(p, ErrUnknownKey, "no field takes its key %s; add one, or a map with the tag `octable:\",rest\"`, or %s", describe(k), r.set("IgnoreUnknown", "Codec.To"))
}

// field returns the field of a struct, making what embedded pointers point to.
func (r *reader) field(p *plan, f *field, rv reflect.Value) (reflect.Value, error) {
	for _, n := range f.index {
		if rv.Kind() == reflect.Pointer {
			if rv.IsNil() {
				if !rv.CanSet() {
					return rv, r.fail(p, ErrGoType, "the embedded pointer %v is nil and cannot be set, since its type is not exported", rv.Type())
				}
				rv.Set(reflect.New(rv.Type().Elem()))
			}
			rv = rv.Elem()
		}
		rv = rv.Field(n)
	}
	return rv, nil
}

// pointer reads into what a pointer points to.
func (r *reader) pointer(p *plan, v Value, rv reflect.Value) error {
	if v.IsNil() {
		rv.SetZero()
		return nil
	}
	if rv.IsNil() {
		x := reflect.New(p.elem.typ)
		if err := r.value(p.elem, v, x.Elem()); err != nil {
			return err
		}
		rv.Set(x)
		return nil
	}
	if r.hops++; r.hops > 4*r.max {
		return r.fail(p, ErrNesting, "the Go value is %d pointers deep, or points to itself", r.hops)
	}
	err := r.value(p.elem, v, rv.Elem())
	r.hops--
	return err
}

// inside reads into an interface.
func (r *reader) inside(p *plan, v Value, rv reflect.Value) error {
	if v.IsNil() {
		rv.SetZero()
		return nil
	}
	if i := r.interfaces[p.typ]; i != nil {
		return r.named(p, i, v, rv)
	}
	if e := rv.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() {
		return r.pointer(planFor(e.Type(), p.want), v, e)
	}
	if rv.NumMethod() > 0 {
		return r.fail(p, ErrGoType, "which Go type to use for %s cannot be told from an interface with methods; put a pointer in it, or declare its types in Options.Interfaces", describe(v))
	}
	x, err := r.natural(v)
	if err != nil {
		return err
	}
	rv.Set(reflect.ValueOf(x))
	return nil
}
