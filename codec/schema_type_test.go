package codec

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/octable/octable/compile/bytecode"
)

// SchemaType returns a random Go type for all values of a schema up to a depth, and a declaration of the types that
// unions have in empty interfaces.
func SchemaType(c *Codec, r *rand.Rand) (reflect.Type, Interface) {
	g := typeMaker{p: c.m.Program(), r: r, arms: map[string]any{}, seen: map[reflect.Type]bool{}, boxed: r.IntN(2) == 0}
	t := g.routine(g.p.Root, 5)
	return t, InterfaceOf("", g.arms)
}

// typeMaker makes Go types for routines.
type typeMaker struct {
	p     *bytecode.Program
	r     *rand.Rand
	arms  map[string]any
	seen  map[reflect.Type]bool
	boxed bool // unions are empty interfaces
}

func (g *typeMaker) routine(index uint32, depth int) reflect.Type {
	if depth == 0 {
		return reflect.TypeFor[any]()
	}
	in := &g.p.Code[g.p.Routines[index].Start]
	if in.Op == bytecode.Fields {
		return g.record(int(g.p.Routines[index].Start), depth, "")
	}
	var fields []reflect.StructField
	for i := range g.p.Tables[in.D].Arms {
		at := g.p.ArmAt(in.D, i) + 1
		if g.p.Code[at].Op != bytecode.Fields {
			continue
		}
		typ := &g.p.Types[g.p.Code[at].B]
		t := g.record(at, depth, typ.Name)
		switch {
		case g.boxed && len(typ.Fields) > 0 && g.r.IntN(30) > 0:
			x := reflect.New(t)
			if g.r.IntN(2) == 0 {
				x = x.Elem()
			}
			if g.arms[typ.Name] == nil && !g.seen[t] {
				g.arms[typ.Name], g.seen[t] = x.Interface(), true
			}
		case len(typ.Fields) == 0 && g.r.IntN(2) == 0:
			t = reflect.TypeFor[bool]()
		case g.r.IntN(4) > 0:
			t = reflect.PointerTo(t)
		}
		if g.r.IntN(30) > 0 {
			fields = append(fields, g.field(len(fields), typ.Name, t, ""))
		}
	}
	if g.boxed {
		return reflect.TypeFor[any]()
	}
	return reflect.StructOf(fields)
}

func (g *typeMaker) field(i int, name string, t reflect.Type, arm string) reflect.StructField {
	return reflect.StructField{Name: fmt.Sprint("F", i), Type: t, Tag: reflect.StructTag(fmt.Sprintf("octable:%q arm:%q", name, arm))}
}

func (g *typeMaker) record(fields, depth int, arm string) reflect.Type {
	typ := &g.p.Types[g.p.Code[fields].B]
	if len(typ.Lanes) > 0 && g.r.IntN(3) > 0 {
		return g.lanes(fields, typ, arm)
	}
	cells := make([]reflect.Type, len(typ.Fields))
	for pc := fields; pc < g.p.End(fields); pc++ {
		in := &g.p.Code[pc]
		if cell := in.Cell(); cell != bytecode.None && cells[cell] == nil {
			cells[cell] = g.content(in, depth-1)
		}
	}
	var out []reflect.StructField
	for i, t := range cells {
		if t == nil || g.r.IntN(60) == 0 {
			continue
		}
		if g.r.IntN(6) == 0 {
			t = reflect.PointerTo(t)
		}
		out = append(out, g.field(i, typ.Fields[i].Name, t, arm))
	}
	return reflect.StructOf(out)
}

// lanes returns a struct for the numbers of a record that is a tuple.
func (g *typeMaker) lanes(fields int, typ *bytecode.Type, arm string) reflect.Type {
	var out []reflect.StructField
	for pc := fields; pc < g.p.End(fields); pc++ {
		if in := &g.p.Code[pc]; in.Op == bytecode.Lanes && len(out) == 0 {
			for i, name := range typ.Lanes {
				if g.r.IntN(30) > 0 {
					out = append(out, g.field(i, name, g.number(in.Scalar()), arm))
				}
			}
		}
	}
	return reflect.StructOf(out)
}

func (g *typeMaker) number(s bytecode.Scalar) reflect.Type {
	if s.IsFloat() {
		return []reflect.Type{reflect.TypeFor[float32](), reflect.TypeFor[float64]()}[g.r.IntN(2)]
	}
	unsigned := []reflect.Type{reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64]()}
	signed := []reflect.Type{reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64]()}
	at := map[int]int{1: 0, 2: 1, 4: 2}
	i, ok := at[s.Width()]
	if !ok {
		i = 3
	}
	if g.r.IntN(8) == 0 {
		i = g.r.IntN(4)
	}
	if s.Signed() != (g.r.IntN(12) == 0) {
		return signed[i]
	}
	return unsigned[i]
}

func (g *typeMaker) content(in *bytecode.Instr, depth int) reflect.Type {
	switch in.Op {
	case bytecode.Scalars:
		return g.number(in.Scalar())
	case bytecode.Truth:
		return reflect.TypeFor[bool]()
	case bytecode.Take:
		if kind, _ := in.Taken(); kind == 0 || in.C == bytecode.TakeBool {
			return reflect.TypeFor[bool]()
		}
		return g.number([]bytecode.Scalar{bytecode.U8, bytecode.U16, bytecode.U32, bytecode.U64}[g.r.IntN(4)])
	case bytecode.Text, bytecode.Until, bytecode.Filled:
		if in.Op != bytecode.Text && in.A == bytecode.None || g.r.IntN(5) == 0 {
			return reflect.TypeFor[[]byte]()
		}
		return reflect.TypeFor[string]()
	case bytecode.Lanes:
		return g.tuple(in)
	case bytecode.Packed:
		if in.B > 1 {
			return reflect.SliceOf(g.tuple(in))
		}
		return reflect.SliceOf(g.number(in.Scalar()))
	case bytecode.List:
		return reflect.SliceOf(g.routine(in.B, depth))
	case bytecode.Rest, bytecode.Through:
		return reflect.SliceOf(g.routine(in.A, depth))
	case bytecode.Call:
		return g.routine(in.A, depth)
	case bytecode.Map:
		return reflect.SliceOf(reflect.StructOf([]reflect.StructField{
			{Name: "Key", Type: g.routine(in.B, depth)}, {Name: "Value", Type: g.routine(in.D, depth)}}))
	case bytecode.ArmRef:
		return reflect.TypeFor[string]()
	}
	return reflect.TypeFor[any]()
}

// tuple returns a type for a tuple of numbers.
func (g *typeMaker) tuple(in *bytecode.Instr) reflect.Type {
	if g.r.IntN(4) == 0 {
		return reflect.SliceOf(g.number(in.Scalar()))
	}
	return reflect.ArrayOf(int(in.B), g.number(in.Scalar()))
}
