package codec

import (
	"reflect"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// Functions for tests that import package godot.
var (
	Describe       = describe
	AppendValue    = (*Codec).appendValue
	UnmarshalValue = (*Codec).unmarshalValue
)

// Named reports whether values of a codec have the names of its schema, and are no Variants.
func Named(c *Codec) bool { return c.notation != nil }

// HasPlan reports whether a type is read by a plan.
func HasPlan(c *Codec, t reflect.Type) bool { return c.readProgram(t) != nil }

// HasWritePlan reports whether a type is written by a plan.
func HasWritePlan(c *Codec, t reflect.Type) bool { return c.writeProgram(t) != nil }

// ReadsByPlan reports whether the plan of a type reads b, without falling back to the Value. It gives back the registers that
// it takes, and leaves all levels.
func ReadsByPlan(c *Codec, b []byte, ptr any) bool {
	rv := reflect.ValueOf(ptr)
	prog := c.readProgram(rv.Type().Elem())
	return prog != nil && prog.reader(nil).reads(c, b, placeAt(rv))
}

func (r *planReader) reads(c *Codec, b []byte, at place) bool {
	return r.start(c, b, at) >= 0 && r.balanced() && r.end == len(b) && r.top == r.floor
}

// WritesByPlan reports whether the plan of a type writes x, without falling back to the Value. It gives back the registers that
// it takes, and leaves all levels.
func WritesByPlan(c *Codec, x any) bool {
	prog, at := c.target(x, nil)
	return prog != nil && c.planWriter(prog, nil).writes(prog, at)
}

func (w *planWriter) writes(prog *writeProgram, at place) bool {
	_, ok := w.run(prog, nil, at)
	return ok && w.balanced()
}

// balanced reports whether no record is open.
func (f *recordFrames) balanced() bool { return f.depth+len(f.regs) == 0 }

// Work counts packets and values that plans take, and what their loops leave to functions.
type Work struct{ All, Read, ReadCalls, Written, WriteCalls int }

// Add reads b into ptr by the plan of its type, and writes that by the plan.
func (w *Work) Add(c *Codec, b []byte, ptr any) {
	rv := reflect.ValueOf(ptr)
	prog := c.readProgram(rv.Type().Elem())
	if w.All++; prog == nil {
		return
	}
	m := &Mapper{r: &planReader{}} // which nothing has used
	if r := prog.reader(m); r.reads(c, b, placeAt(rv)) {
		w.Read, w.ReadCalls = w.Read+1, w.ReadCalls+int(r.leaves)
	} else if c.unmarshalValue(b, ptr) != nil {
		return
	}
	out, at := c.target(ptr, nil)
	if out == nil {
		return
	}
	p := c.planWriter(out, m)
	if p.writes(out, at) {
		w.Written, w.WriteCalls = w.Written+1, w.WriteCalls+int(p.leaves)
	}
}

// Skip returns how many bytes Get skips for the value at the beginning of b. It is not ok if it finds b malformed.
func Skip(c *Codec, b []byte) (n int, ok bool) {
	return c.types.skipper(c.m).skip(b, memory.Of(b), 0, 1)
}

// Missed returns the number of skipped elements of lists, and values in them, that were not like the ones before.
func Missed(c *Codec) int { return int(c.types.skipper(c.m).missed.Load()) }

// SlowParts returns the parts of a type that the plans for it leave to Values, with the reasons.
func SlowParts(c *Codec, t reflect.Type) (read, written []string) {
	if p := c.readProgram(t); p != nil {
		read = p.slow
	}
	if p := c.writeProgram(t); p != nil {
		written = p.slow
	}
	return read, written
}

// Forget frees what a codec and the package know of Go types.
func Forget(c *Codec) {
	*c.types = typePrograms{}
	plans.Clear()
}

// Plans returns the plans that read and write a type.
func Plans(c *Codec, t reflect.Type) []any { return []any{c.readProgram(t), c.writeProgram(t)} }

// ListedByName are the types that listings of plans print by their names.
var ListedByName = []reflect.Type{reflect.TypeFor[Codec](), reflect.TypeFor[field](), reflect.TypeFor[plan](), reflect.TypeFor[goType](), reflect.TypeFor[box](),
	reflect.TypeFor[bytecode.Table](), reflect.TypeFor[bytecode.Instr](), reflect.TypeFor[interp.Machine](), reflect.TypeFor[bytecode.Program]()}
