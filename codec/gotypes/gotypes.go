// Package gotypes makes Go types for the values of a schema by package reflect, and changes Go
// values of them. Laws and tests compare plans of such types with conversion through Value.
package gotypes

import (
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Types are Go types for the values of a schema. They stay in memory for ever, as those of package reflect do.
type Types struct {
	Root       reflect.Type
	Interfaces []codec.Interface // of the unions, for [codec.Options]
	Made       int               // structs that were made

	arms map[reflect.Type][]reflect.Type // of interface types
}

// New makes Go types for the program of a resolved schema. Records are structs, and unions interfaces or structs.
// Numbers, texts and lists have the types that generated code has, or others. It returns nil for a schema of Variants,
// and for one that generated code has no types for.
func New(s *schema.Schema, p *bytecode.Program, r *rand.Rand) *Types {
	m, err := model.New(s, p)
	if err != nil || m.IsVariant() {
		return nil
	}
	t := &typeMaker{m: m, r: r, unions: map[*model.Routine]reflect.Type{}, records: map[*model.Type]reflect.Type{}, open: map[*model.Type]bool{},
		out: &Types{arms: map[reflect.Type][]reflect.Type{}}}
	t.out.Root = t.of(m.Root.Shape)
	return t.out
}

var valueType = reflect.TypeFor[codec.Value]()

// typeMaker makes the Go types of a schema.
type typeMaker struct {
	m       *model.Model
	r       *rand.Rand
	unions  map[*model.Routine]reflect.Type
	records map[*model.Type]reflect.Type
	open    map[*model.Type]bool // records whose types are being made
	out     *Types
}

// oneIn reports true once in n times.
func (t *typeMaker) oneIn(n int) bool { return t.r.IntN(n) == 0 }

// of returns the Go type of a shape.
func (t *typeMaker) of(s *model.Shape) reflect.Type {
	if t.oneIn(60) {
		return []reflect.Type{valueType, reflect.TypeFor[any]()}[t.r.IntN(2)]
	}
	switch s.Kind {
	case model.Bool:
		return reflect.TypeFor[bool]()
	case model.Number:
		return t.number(s)
	case model.Text:
		if t.oneIn(5) {
			return reflect.TypeFor[[]byte]()
		}
		return reflect.TypeFor[string]()
	case model.Lanes:
		if t.oneIn(4) {
			return reflect.SliceOf(t.number(s))
		}
		return reflect.ArrayOf(s.Width, t.number(s))
	case model.Packed:
		if s.Width == 1 {
			return reflect.SliceOf(t.number(s))
		}
		return reflect.SliceOf(reflect.ArrayOf(s.Width, t.number(s)))
	case model.List:
		return reflect.SliceOf(t.of(s.Elem))
	case model.Map:
		return t.pairs(s)
	case model.Union:
		return t.union(s.Routine)
	case model.Record:
		return t.record(s.Type)
	case model.ArmName:
		return reflect.TypeFor[string]()
	}
	return valueType // fields without a form
}

// number returns a Go type for the numbers of a shape, which are of one sort. It is the least type that holds all of
// them, or a wider one.
func (t *typeMaker) number(s *model.Shape) reflect.Type {
	signed := slices.ContainsFunc(s.Scalars, builtin.Scalar.Signed)
	float := slices.ContainsFunc(s.Scalars, builtin.Scalar.IsFloat)
	width := 1
	for _, x := range s.Scalars {
		width = max(width, 1<<bits.Len(uint(x.Held().Width()-1)))
	}
	if t.oneIn(5) {
		width = 8
	}
	switch {
	case float && width <= 4:
		return reflect.TypeFor[float32]()
	case float:
		return reflect.TypeFor[float64]()
	case s.Scalar() == builtin.Code4 && t.oneIn(2):
		return reflect.TypeFor[string]()
	case signed || width < 8 && t.oneIn(8):
		return []reflect.Type{1: reflect.TypeFor[int8](), 2: reflect.TypeFor[int16](), 4: reflect.TypeFor[int32](), 8: reflect.TypeFor[int64]()}[width]
	}
	return []reflect.Type{1: reflect.TypeFor[uint8](), 2: reflect.TypeFor[uint16](), 4: reflect.TypeFor[uint32](), 8: reflect.TypeFor[uint64]()}[width]
}

// pairs returns a Go map, or a slice of structs of a key and a value.
func (t *typeMaker) pairs(s *model.Shape) reflect.Type {
	key, value := t.of(s.Key), t.of(s.Elem)
	if k := key.Kind(); t.oneIn(3) && (k == reflect.String || k >= reflect.Int && k <= reflect.Uint64) {
		return reflect.MapOf(key, value)
	}
	return reflect.SliceOf(reflect.StructOf([]reflect.StructField{{Name: "Key", Type: key}, {Name: "Value", Type: value}}))
}

// record returns a struct. Inside of a record of the same type it is a Value, as package reflect makes no recursive type.
func (t *typeMaker) record(typ *model.Type) reflect.Type {
	if t.open[typ] {
		return valueType
	}
	out, ok := t.records[typ]
	if !ok {
		t.open[typ] = true
		out = t.structOf(typ, "")
		t.open[typ], t.records[typ] = false, out
	}
	return out
}

// structOf returns a struct for a record or an arm. Two structs with different marks are different types.
func (t *typeMaker) structOf(typ *model.Type, mark string) reflect.Type {
	var fields []reflect.StructField
	add := func(name string, of reflect.Type) {
		fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(len(fields)), Type: of, Tag: reflect.StructTag(`octable:"` + name + `"`)})
	}
	if f := typ.Alone(); f != nil && f.Shape.Kind == model.Lanes && len(typ.Lanes) > 0 {
		number := t.number(f.Shape)
		for _, name := range typ.Lanes {
			add(name, number)
		}
	} else {
		for _, f := range typ.Fields {
			if t.oneIn(60) {
				continue
			}
			of := t.of(f.Shape)
			if f.Optional && (of.Kind() != reflect.Slice && of.Kind() != reflect.Interface || t.oneIn(4)) || t.oneIn(30) {
				of = reflect.PointerTo(of)
			}
			add(f.Name, of)
		}
	}
	if mark != "" {
		fields = append(fields, reflect.StructField{Name: "Mark" + mark, Type: reflect.TypeFor[struct{}](), Tag: `octable:"-"`})
	}
	t.out.Made++
	return reflect.StructOf(fields)
}

// union returns an interface type whose arms are declared, or a struct with a field for each arm.
func (t *typeMaker) union(r *model.Routine) reflect.Type {
	if of, ok := t.unions[r]; ok {
		return of
	}
	t.unions[r] = valueType // inside of the arms, where a struct would be recursive
	if len(t.out.Interfaces) == len(unionTypes) || t.oneIn(6) {
		var fields []reflect.StructField
		for i, a := range r.Union.Arms {
			fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(i), Type: reflect.PointerTo(t.arm(a.Type, map[reflect.Type]bool{}, i)), Tag: reflect.StructTag(`octable:"` + a.Type.Name + `"`)})
		}
		t.out.Made++
		t.unions[r] = reflect.StructOf(fields)
		return t.unions[r]
	}
	made := &unionTypes[len(t.out.Interfaces)]
	t.out.Interfaces = append(t.out.Interfaces, codec.Interface{}) // its place
	place := len(t.out.Interfaces) - 1
	t.unions[r] = made.typ
	arms, seen := map[string]any{}, map[reflect.Type]bool{}
	for i, a := range r.Union.Arms {
		of := t.arm(a.Type, seen, i)
		if pointer := reflect.PointerTo(of); !seen[pointer] && t.oneIn(6) {
			of = pointer
		}
		seen[of] = true
		arms[a.Type.Name] = reflect.Zero(of).Interface()
		t.out.arms[made.typ] = append(t.out.arms[made.typ], of)
	}
	t.out.Interfaces[place] = made.declare(arms)
	return made.typ
}

// arm returns a Go type for the content of arm i of a union, other than those seen.
func (t *typeMaker) arm(typ *model.Type, seen map[reflect.Type]bool, i int) reflect.Type {
	if f := typ.Alone(); f != nil && f.Shape.Kind != model.Record && f.Shape.Kind != model.Union && !t.oneIn(6) {
		of := t.of(f.Shape)
		if named := namedTypes[of]; len(named) > 0 {
			of = named[i%len(named)]
		}
		if k := of.Kind(); !seen[of] && of != valueType && k != reflect.Interface {
			return of
		}
	}
	return t.structOf(typ, strconv.Itoa(i))
}

// unionType is an interface type for the arms of a union.
type unionType struct {
	typ     reflect.Type
	declare func(arms map[string]any) codec.Interface
}

// anyArm is an interface type for each P.
type anyArm[P any] any

// unionTypes are different interface types.
var unionTypes = []unionType{newUnionType[[0]byte](), newUnionType[[1]byte](), newUnionType[[2]byte](), newUnionType[[3]byte](), newUnionType[[4]byte](),
	newUnionType[[5]byte](), newUnionType[[6]byte](), newUnionType[[7]byte](), newUnionType[[8]byte](), newUnionType[[9]byte](), newUnionType[[10]byte]()}

func newUnionType[P any]() unionType {
	return unionType{reflect.TypeFor[anyArm[P]](), func(arms map[string]any) codec.Interface {
		types := map[string]anyArm[P]{}
		for name, x := range arms {
			types[name] = x
		}
		return codec.InterfaceOf("", types)
	}}
}

// A defined type for each P.
type (
	namedBool[P any]    bool
	namedText[P any]    string
	namedBytes[P any]   []byte
	namedInt8[P any]    int8
	namedInt16[P any]   int16
	namedInt32[P any]   int32
	namedInt64[P any]   int64
	namedUint8[P any]   uint8
	namedUint16[P any]  uint16
	namedUint32[P any]  uint32
	namedUint64[P any]  uint64
	namedFloat32[P any] float32
	namedFloat64[P any] float64
)

// namedTypes has defined types by the types that they are defined by.
var namedTypes = func() map[reflect.Type][]reflect.Type {
	out := map[reflect.Type][]reflect.Type{}
	addNamed[[0]byte](out)
	addNamed[[1]byte](out)
	addNamed[[2]byte](out)
	addNamed[[3]byte](out)
	return out
}()

func addNamed[P any](to map[reflect.Type][]reflect.Type) {
	for of, named := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[bool](): reflect.TypeFor[namedBool[P]](), reflect.TypeFor[string](): reflect.TypeFor[namedText[P]](), reflect.TypeFor[[]byte](): reflect.TypeFor[namedBytes[P]](),
		reflect.TypeFor[int8](): reflect.TypeFor[namedInt8[P]](), reflect.TypeFor[int16](): reflect.TypeFor[namedInt16[P]](),
		reflect.TypeFor[int32](): reflect.TypeFor[namedInt32[P]](), reflect.TypeFor[int64](): reflect.TypeFor[namedInt64[P]](),
		reflect.TypeFor[uint8](): reflect.TypeFor[namedUint8[P]](), reflect.TypeFor[uint16](): reflect.TypeFor[namedUint16[P]](),
		reflect.TypeFor[uint32](): reflect.TypeFor[namedUint32[P]](), reflect.TypeFor[uint64](): reflect.TypeFor[namedUint64[P]](),
		reflect.TypeFor[float32](): reflect.TypeFor[namedFloat32[P]](), reflect.TypeFor[float64](): reflect.TypeFor[namedFloat64[P]](),
	} {
		to[of] = append(to[of], named)
	}
}
