// Plans of Go types: one per type, made once and kept.
//
// This file looks at types only. Writing (marshal.go) and reading
// (unmarshal.go) follow the plans, each in one switch over the form, and so can
// any other path between bytes and Go memory: planFor gives the plan, hooks come
// before the form, flat says where memory may be copied unchanged, and the
// fields of a struct have offsets.

package codec

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
)

// form is how a Go type is converted.
type form uint8

const (
	formNone       form = iota // no way to convert; plan.problem says why
	formBool                   // bool
	formInt                    // signed integer, written as plan.godot: Int or Float
	formUint                   // unsigned integer, written as Int or Float
	formFloat                  // float, written as Float or Int
	formText                   // string, written as String or StringName
	formID                     // unsigned integer, written as RID or as Object by instance id
	formLanes                  // numbers of a math type, which is plan.godot
	formPacked                 // slice or array of numbers or tuples of numbers, written as the packed array plan.godot
	formPackedText             // slice or array of strings, written as PackedStringArray
	formList                   // slice or array, written as Array
	formMap                    // map, written as Dictionary
	formPairs                  // []Pair, written as Dictionary
	formStruct                 // struct, written as Dictionary
	formPointer                // pointer, written as its element, or Nil
	formInterface              // the value in it
	formValue                  // Value
	formRaw                    // RawMessage
	formArray                  // struct, written as Array
	formDigits                 // bool or number, written as String
	formTime                   // time.Time, written as Unix seconds
	formOwn                    // struct that represents the type plan.godot
)

// hook says which of its methods a type converts itself with.
type hook uint8

const (
	noHook    hook = iota
	valueHook      // Marshaler, Unmarshaler
	textHook       // encoding.TextMarshaler, encoding.TextUnmarshaler
)

// want is what a field's tag asks for. It is part of what plans are kept by.
type want struct {
	typ   Type             // the type to write; Invalid: what the Go type says
	key   variant.ElemType // of a typed Dictionary
	elem  variant.ElemType // of a typed Array or Dictionary
	round bool             // numbers may lose precision
	exact bool             // numbers may not lose precision
	array bool             // a struct is an Array
	text  bool             // a number is a String
	unix  bool             // a time is seconds
	loose bool             // a struct leaves out unknown keys
	names Naming           // of fields without a name in their tag
}

// inner returns what is wanted of the elements of a container of type t.
func (w want) inner(t variant.ElemType) want {
	if t.Class != "" || t.Script != "" {
		return want{typ: variant.ObjectType, round: w.round, exact: w.exact, names: w.names}
	}
	return want{typ: Type(t.Type), round: w.round, exact: w.exact, names: w.names}
}

// plan is how one Go type is converted. It does not change once made; plans
// of recursive types point back to themselves.
type plan struct {
	typ       reflect.Type
	mem       goType // of typ
	want      want
	form      form
	writeHook hook
	readHook  hook
	godot     Type           // the type that is written, where the Go type decides it
	key, elem *plan          // map; slice, array, map, pointer
	fields    *structPlan    // struct
	lanes     variant.Layout // formLanes, formPacked
	flat      bool           // formLanes, formPacked: memory holds just the numbers, in the scalar of lanes
	problem   string         // formNone: the reason; formStruct: a mistake in its tags
}

// structPlan is the fields of a struct, those of embedded structs among them.
type structPlan struct {
	fields   []field // without rest, in the order in which they are written
	rest     *field  // takes the keys that no field has
	byName   map[string]int
	required int    // how many fields have to be there
	loose    bool   // unknown keys are left out
	variant  string // the first field with an option that only Variants have
}

// field is one key of the Dictionary that a struct is written as.
type field struct {
	name      string
	goName    string
	index     []int   // from the outer struct, through embedded ones
	offset    uintptr // the same in bytes; only where indirect is false
	indirect  bool    // an embedded pointer is on the way
	tagged    bool    // the name is from the tag
	omitEmpty bool
	omitZero  bool
	required  bool
	rest      bool
	plan      *plan
}

var (
	valueType           = reflect.TypeFor[Value]()
	pairType            = reflect.TypeFor[Pair]()
	marshalerType       = reflect.TypeFor[Marshaler]()
	unmarshalerType     = reflect.TypeFor[Unmarshaler]()
	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// packedOf are the packed arrays that slices of own types are written as.
var packedOf = map[Type]Type{
	variant.Vector2Type: variant.PackedVector2Array, variant.Vector3Type: variant.PackedVector3Array,
	variant.Vector4Type: variant.PackedVector4Array, variant.ColorType: variant.PackedColorArray,
	variant.Vector2iType: variant.PackedVector2iArray, variant.Vector3iType: variant.PackedVector3iArray,
	variant.Vector4iType: variant.PackedVector4iArray,
}

// packedOfKind are the packed arrays that slices of Go's own types are written as.
var packedOfKind = map[reflect.Kind]Type{
	reflect.Uint8: variant.PackedByteArray, reflect.Int32: variant.PackedInt32Array, reflect.Int64: variant.PackedInt64Array,
	reflect.Float32: variant.PackedFloat32Array, reflect.Float64: variant.PackedFloat64Array, reflect.String: variant.PackedStringArray,
}

type planKey struct {
	typ  reflect.Type
	want want
}

// key returns the key that the plan is kept by. It is the type alone, which
// needs no allocation to look up, if the tag asks for nothing.
func (k planKey) key() any {
	if k.want == (want{}) {
		return k.typ
	}
	return k
}

var plans sync.Map // planKey.key → *plan

// planFor returns the plan for a type. It is safe for concurrent use: plans
// become visible to others only when all that they point to are complete.
func planFor(t reflect.Type, w want) *plan {
	k := planKey{t, w}
	if p, ok := plans.Load(k.key()); ok {
		return p.(*plan)
	}
	pl := planner{}
	p := pl.plan(t, w)
	for k, q := range pl {
		plans.LoadOrStore(k.key(), q)
	}
	return p
}

// planner holds the plans that are being made.
type planner map[planKey]*plan

func (pl planner) plan(t reflect.Type, w want) *plan {
	k := planKey{t, w}
	if p, ok := plans.Load(k.key()); ok {
		return p.(*plan)
	}
	if p, ok := pl[k]; ok {
		return p
	}
	p := &plan{typ: t, mem: goTypeOf(t), want: w, godot: w.typ}
	pl[k] = p
	pl.fill(p)
	return p
}

// maxPointers is the most pointers one after the other. It ends the
// search in types such as "type P *P".
const maxPointers = 32

func (pl planner) fill(p *plan) {
	t, w := p.typ, p.want
	switch t {
	case valueType:
		p.form = formValue
		return
	case rawType:
		p.form = formRaw
		return
	}
	if k := t.Kind(); k != reflect.Pointer && k != reflect.Interface && !w.unix {
		p.findHooks()
	}
	if own, ok := variant.GoTypeOf(t); ok && p.godot == variant.Invalid {
		p.godot = Type(own.Type)
	}
	p.form = pl.formOf(p)
	if p.form == formNone && p.problem == "" {
		if w.typ != variant.Invalid {
			p.problem = fmt.Sprintf("cannot be %v, as its tag asks", w.typ)
		} else {
			p.problem = "has no form in the format; implement Marshaler and Unmarshaler, or leave it out with the tag `octable:\"-\"`"
		}
	}
}

func (p *plan) findHooks() {
	ptr := reflect.PointerTo(p.typ)
	text := p.want.typ == variant.Invalid || p.want.typ == variant.String || p.want.typ == variant.StringNameType
	switch {
	case ptr.Implements(marshalerType):
		p.writeHook = valueHook
	case text && ptr.Implements(textMarshalerType):
		p.writeHook = textHook
	}
	switch {
	case ptr.Implements(unmarshalerType):
		p.readHook = valueHook
	case text && ptr.Implements(textUnmarshalerType):
		p.readHook = textHook
	}
}

// formOf decides the form of a type, and with it the rest of the plan.
func (pl planner) formOf(p *plan) form {
	t, w := p.typ, p.want
	number := func(f form) form {
		switch p.godot {
		case variant.Invalid:
			p.godot = variant.Int
			if f == formFloat {
				p.godot = variant.Float
			}
			return f
		case variant.Int, variant.Float:
			return f
		}
		return formNone
	}
	k := t.Kind()
	switch inside := k == reflect.Pointer || k == reflect.Interface; {
	case inside: // the options are those of the element
	case w.text:
		return p.digits(k)
	case w.unix:
		return p.time()
	case w.array && k != reflect.Struct, w.loose && k != reflect.Struct:
		p.problem = "is no struct, as the options array and ignoreunknown ask"
		return formNone
	}
	switch k {
	case reflect.Bool:
		return p.as(variant.Bool, formBool)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return number(formInt)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if p.godot == variant.RIDType || p.godot == variant.ObjectType {
			return formID
		}
		return number(formUint)
	case reflect.Float32, reflect.Float64:
		return number(formFloat)
	case reflect.String:
		if p.godot == variant.StringNameType {
			return formText
		}
		return p.as(variant.String, formText)
	case reflect.Slice:
		if t.Elem() == pairType {
			return p.as(variant.DictionaryType, formPairs)
		}
		return pl.sequence(p)
	case reflect.Array:
		if p.godot.layout().IsMath() {
			return p.asLanes()
		}
		return pl.sequence(p)
	case reflect.Map:
		p.key = pl.plan(t.Key(), w.inner(w.key))
		p.elem = pl.plan(t.Elem(), w.inner(w.elem))
		return p.as(variant.DictionaryType, formMap)
	case reflect.Struct:
		if own, ok := variant.GoTypeOf(t); ok && own.Make != nil {
			return p.as(Type(own.Type), formOwn)
		}
		if p.godot.layout().IsMath() {
			return p.asLanes()
		}
		if w.array || markers(t).array {
			if p.as(variant.ArrayType, formArray) == formNone {
				return formNone
			}
			if p.fields, p.problem = pl.structFields(t, w.names); p.problem == "" {
				p.problem = p.fields.positional()
			}
			return formArray
		}
		if p.as(variant.DictionaryType, formStruct) == formNone {
			return formNone
		}
		if kt := w.key.Type; kt != variant.Invalid && kt != variant.String && kt != variant.StringNameType {
			p.problem = "has String keys, not " + w.key.String()
			return formNone
		}
		if p.fields, p.problem = pl.structFields(t, w.names); p.fields != nil {
			p.fields.loose = w.loose || markers(t).loose
		}
		return formStruct
	case reflect.Pointer:
		for e, n := t, 0; e.Kind() == reflect.Pointer; e, n = e.Elem(), n+1 {
			if n == maxPointers {
				p.problem = "is pointers without end"
				return formNone
			}
		}
		p.elem = pl.plan(t.Elem(), w)
		return formPointer
	case reflect.Interface:
		return formInterface
	}
	return formNone
}

// as returns f where the tag asks for t or for nothing.
func (p *plan) as(t Type, f form) form {
	if p.godot != variant.Invalid && p.godot != t {
		return formNone
	}
	p.godot = t
	return f
}

// sequence decides the form of a slice or array.
func (pl planner) sequence(p *plan) form {
	elem := p.typ.Elem()
	if p.godot == variant.Invalid {
		p.godot = packedFor(elem)
	}
	w := p.want
	switch form := p.godot.layout(); {
	case p.godot == variant.ArrayType:
		p.elem = pl.plan(elem, w.inner(w.elem))
		return formList
	case p.godot == variant.PackedStringArray:
		p.elem = pl.plan(elem, want{typ: variant.String, round: w.round, exact: w.exact})
		if p.elem.form != formText && p.elem.writeHook == noHook && p.elem.form != formInterface {
			return formNone
		}
		return formPackedText
	case form.Elem != variant.Invalid:
		p.lanes = form
		p.elem = pl.plan(elem, want{typ: Type(form.Elem), round: w.round, exact: w.exact})
		if elem.Kind() == reflect.Pointer || elem.Kind() == reflect.Interface || p.elem.writeHook != noHook || p.elem.readHook != noHook {
			return formNone
		}
		n, kind, ok := leaves(elem)
		if !ok || n != form.Lanes {
			return formNone
		}
		p.flat = kind != reflect.Invalid && kind == scalarKinds[form.Scalar]
		return formPacked
	}
	return formNone
}

// packedFor returns what slices of a type are written as.
func packedFor(elem reflect.Type) Type {
	if own, ok := variant.GoTypeOf(elem); ok {
		if t, ok := packedOf[Type(own.Type)]; ok {
			return t
		}
		return variant.ArrayType
	}
	t, ok := packedOfKind[elem.Kind()]
	if !ok {
		return variant.ArrayType
	}
	e := plan{typ: elem}
	if e.findHooks(); e.writeHook != noHook || e.readHook != noHook {
		return variant.ArrayType
	}
	return t
}

// asLanes decides whether a struct or array can be the math type it is to be.
func (p *plan) asLanes() form {
	p.lanes = p.godot.layout()
	n, kind, ok := leaves(p.typ)
	if !ok || n != p.lanes.Lanes {
		p.problem = fmt.Sprintf("cannot be %v, which is %d numbers", p.godot, p.lanes.Lanes)
		return formNone
	}
	p.flat = kind == scalarKinds[p.lanes.Scalar]
	return formLanes
}

// scalarKinds are the kinds whose memory is that of a scalar.
var scalarKinds = [...]reflect.Kind{
	bytecode.U8: reflect.Uint8, bytecode.I32: reflect.Int32, bytecode.I64: reflect.Int64,
	bytecode.F32: reflect.Float32, bytecode.F64: reflect.Float64,
}

// leaves returns how many numbers a type consists of, and their kind where it
// is the same for all. It is not ok when there is anything else in the type,
// also when there are more numbers than any math type has.
func leaves(t reflect.Type) (n int, kind reflect.Kind, ok bool) {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		return 1, t.Kind(), true
	case reflect.Array:
		n, kind, ok = leaves(t.Elem())
		if t.Len() > variant.MaxLanes || n*t.Len() > variant.MaxLanes {
			return 0, 0, false
		}
		return n * t.Len(), kind, ok
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			m, k, ok := leaves(f.Type)
			if !ok || !f.IsExported() || n+m > variant.MaxLanes {
				return 0, 0, false
			}
			if i == 0 {
				kind = k
			} else if k != kind {
				kind = reflect.Invalid
			}
			n += m
		}
		return n, kind, true
	}
	return 0, 0, false
}

// structFields collects the fields of a struct and of the structs embedded in
// it. As in Go itself, and in encoding/json, a field hides those of the same
// name that are embedded deeper; at the same depth one whose name is from a
// tag hides those without. Two that neither hides are a mistake.
func (pl planner) structFields(t reflect.Type, names Naming) (*structPlan, string) {
	all, problem := pl.allFields(t, names)
	if problem != "" {
		return nil, problem
	}
	sp := &structPlan{byName: map[string]int{}}
	groups := map[string][]field{}
	for _, f := range all {
		if !f.rest {
			groups[f.name] = append(groups[f.name], f)
			continue
		}
		if sp.rest != nil {
			return nil, "has two fields for the rest; one has to take all"
		}
		if t := f.plan.typ; t.Kind() != reflect.Map && (t.Kind() != reflect.Slice || t.Elem() != pairType) || f.plan.writeHook != noHook || f.plan.readHook != noHook {
			return nil, fmt.Sprintf("has field %s for the rest, which has to be a map or []codec.Pair", f.goName)
		}
		sp.rest = &f
	}
	for name, group := range groups {
		slices.SortStableFunc(group, func(a, b field) int {
			switch {
			case len(a.index) != len(b.index):
				return len(a.index) - len(b.index)
			case a.tagged == b.tagged:
				return 0
			case a.tagged:
				return -1
			}
			return 1
		})
		if len(group) > 1 && len(group[0].index) == len(group[1].index) && group[0].tagged == group[1].tagged {
			return nil, fmt.Sprintf("has two fields with the key %q; give one another name in its tag", name)
		}
		sp.fields = append(sp.fields, group[0])
	}
	slices.SortFunc(sp.fields, func(a, b field) int { return slices.Compare(a.index, b.index) })
	for i, f := range sp.fields {
		sp.byName[f.name] = i
		if f.required {
			sp.required++
		}
		if w := f.plan.want; (w.text || w.unix || w.array || w.exact) && sp.variant == "" {
			sp.variant = f.goName
		}
	}
	return sp, ""
}

// allFields returns the fields of a struct and of the structs that are embedded in it, level by level. problem is the
// mistake in one of them, or "".
func (pl planner) allFields(t reflect.Type, names Naming) (all []field, problem string) {
	type level struct {
		typ      reflect.Type
		index    []int
		offset   uintptr
		indirect bool
	}
	visited := map[reflect.Type]bool{t: true}
	for next := []level{{typ: t}}; len(next) > 0; {
		current := next
		next = nil
		for _, l := range current {
			for i := range l.typ.NumField() {
				sf := l.typ.Field(i)
				at := level{sf.Type, append(slices.Clone(l.index), i), l.offset + sf.Offset, l.indirect}
				text, tagged := sf.Tag.Lookup("octable")
				if text == "-" {
					continue
				}
				if sf.Name == "_" && tagged {
					if problem := checkMarkers(text); problem != "" {
						return nil, problem
					}
					continue
				}
				inline := slices.Contains(splitTag(text)[1:], "inline")
				if inline && (text != ",inline" || !isEmbedded(sf.Type) || !sf.IsExported()) {
					return nil, fmt.Sprintf("has a tag with inline on field %s, which has to be an exported struct without a name and other options", sf.Name)
				}
				if inline || sf.Anonymous && isEmbedded(sf.Type) && (!tagged || text == "") {
					if sf.Type.Kind() == reflect.Pointer {
						at.typ, at.offset, at.indirect = sf.Type.Elem(), 0, true
					}
					if !visited[at.typ] {
						next = append(next, at)
					}
					continue
				}
				if !sf.IsExported() {
					if tagged {
						return nil, fmt.Sprintf("has a tag on field %s, which is not exported", sf.Name)
					}
					continue
				}
				f, w, err := parseTag(text)
				if err != "" {
					return nil, fmt.Sprintf("has a tag on field %s with %s", sf.Name, err)
				}
				if f.tagged = f.name != ""; !f.tagged {
					f.name = names.name(sf.Name)
				}
				w.names = names
				f.goName = sf.Name
				f.index, f.offset, f.indirect = at.index, at.offset, at.indirect
				f.plan = pl.plan(sf.Type, w)
				if w.typ != variant.Invalid && f.plan.form == formNone && f.plan.problem != "" {
					return nil, fmt.Sprintf("has field %s of type %v, which %s", sf.Name, sf.Type, f.plan.problem)
				}
				all = append(all, f)
			}
		}
		for _, l := range next {
			visited[l.typ] = true
		}
	}
	return all, ""
}

// isEmbedded reports whether the fields of an embedded type count as fields of the outer one.
// They do so for structs that are written field by field.
func isEmbedded(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if _, own := variant.GoTypeOf(t); own || t.Kind() != reflect.Struct || t == valueType {
		return false
	}
	p := plan{typ: t}
	p.findHooks()
	return p.writeHook == noHook && p.readHook == noHook
}

// parseWant reads a type as in "Vector2", "Array[int]", "Dictionary[String, Variant]".
func parseWant(text string) (w want, ok bool) {
	name, args, typed := strings.Cut(text, "[")
	t, ok := variant.TypeNamed(name)
	if w.typ = Type(t); !ok || t >= variant.TypeBuiltin {
		return w, false
	}
	if !typed {
		return w, true
	}
	args, closed := strings.CutSuffix(args, "]")
	key, value, two := strings.Cut(args, ",")
	switch {
	case !closed:
		return w, false
	case w.typ == variant.ArrayType && !two:
		w.elem, ok = parseElemType(args)
		return w, ok
	case w.typ == variant.DictionaryType && two:
		if w.key, ok = parseElemType(key); ok {
			w.elem, ok = parseElemType(value)
		}
		return w, ok
	}
	return w, false
}

// parseElemType reads the name of an element type. It is the name of a type of
// the format or a native class, or the path of a script.
func parseElemType(text string) (variant.ElemType, bool) {
	text = strings.TrimSpace(text)
	if text == "Variant" {
		return variant.ElemType{}, true
	}
	if t, ok := variant.TypeNamed(text); ok {
		if t < variant.TypeBuiltin && t != variant.ObjectType && t != variant.Nil {
			return variant.ElemType{Type: t}, true
		}
		if t != variant.ObjectType {
			return variant.ElemType{}, false
		}
	}
	if strings.HasPrefix(text, "res://") {
		return variant.ElemType{Type: variant.ObjectType, Script: text}, true
	}
	if text == "" || text[0] < 'A' || text[0] > 'Z' || strings.ContainsAny(text, "[], ") {
		return variant.ElemType{}, false
	}
	return variant.ElemType{Type: variant.ObjectType, Class: text}, true
}

// fits reports whether an element may be in a container typed with t. It does
// not look at the class of the element.
func fits(t variant.ElemType, v Value) bool {
	switch t.Type {
	case variant.Invalid:
		return true
	case variant.ObjectType:
		return v.Type() == variant.ObjectType || v.IsNil()
	}
	return v.Type() == Type(t.Type)
}
