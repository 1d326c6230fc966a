// Schemas, ready for the laws.

package fuzz

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/asm"
	"github.com/octable/octable/interp/notation"
)

// Schema is one program and the options that it is tried with.
type Schema struct {
	Name     string         // id and choice, and "with objects" if gates are open
	Resolved *schema.Schema // nil if only its program is known
	Codec    *codec.Codec   // lenient
	Objects  bool           // gates are open
	NoValue  error          // reason that no value can be drawn, an [interp.ErrNoValue], or nil

	strict   *codec.Codec
	keep     *codec.Codec // keeps widths
	raw      interp.Options
	saved    *interp.Machine // of the program after saving and loading
	unfused  *interp.Machine // of the program, without the fast loops
	asm      *asm.Assembler  // of the program
	other    *Schema         // with its gates inverted, or nil
	twin     *codec.Codec    // of the other choice, if both read both forms
	toEnd    bool            // a row takes all bytes up to the end of the input
	tails    bool            // and some row leaves bytes for rows behind it
	parts    bool            // rows are at places that fields hold
	pads     bool            // padding may be missing at the end of a region
	sums     bool            // it has checksums
	compares bool            // a reader compares numbers with what a writer computes
	nests    bool            // values count towards the depth
	measures bool            // a condition of a reader depends on the content or the size of a row
	cells    cellBound       // of a value that is read

	dropsMarks bool // a text is read without a byte order mark at its beginning

	writesOther bool       // some value is written as another one
	reference   *Reference // nil if Resolved is

	goOnce  sync.Once
	goTypes *goTypes // nil if the schema has no such types, or before the first use

	values, wide sync.Pool // of *generator
	redrawn      atomic.Int64
}

// Pair is a schema with its gates closed and with its gates open.
type Pair struct {
	Closed *Schema
	Open   *Schema // nil if the schema has no gates
}

// NewPair prepares a codec's schema for the laws. The program of the codec must be that of the
// resolved schema. It may be nil if it is not known; then the laws about the reference cannot be
// tried.
func NewPair(name string, resolved *schema.Schema, c *codec.Codec) (p Pair, err error) {
	if p.Closed, err = prepare(name, resolved, c, false); err != nil || len(raw.Program(c).Gates) == 0 {
		return p, err
	}
	if p.Open, err = prepare(name, resolved, c, true); err != nil {
		return p, err
	}
	p.Closed.other, p.Open.other = p.Open, p.Closed
	return p, nil
}

// With returns the schema with its gates open, or closed if it has none.
func (p Pair) With(open bool) *Schema {
	if open && p.Open != nil {
		return p.Open
	}
	return p.Closed
}

// All returns both schemas, or the one if there are no gates.
func (p Pair) All() []*Schema {
	if p.Open == nil {
		return []*Schema{p.Closed}
	}
	return []*Schema{p.Closed, p.Open}
}

// redrawn returns how many records were begun again to draw values of both.
func (p Pair) redrawn() int {
	n := 0
	for _, s := range p.All() {
		n += int(s.redrawn.Load())
	}
	return n
}

// NoValue returns an error if no value can be drawn for one of them.
func (p Pair) NoValue() error {
	for _, s := range p.All() {
		if s.NoValue != nil {
			return s.NoValue
		}
	}
	return nil
}

// Schemas returns every embedded schema under each choice, and once more with its
// gates open if it has any.
var Schemas = sync.OnceValue(func() []*Schema {
	var all []*Schema
	for _, id := range codec.Schemas() {
		c := codec.MustLoad(id)
		base, _, _ := strings.Cut(id, "+")
		s, err := compile.Load(base)
		if err == nil {
			s, err = s.With(raw.Program(c).Choice)
		}
		var p Pair
		if err == nil {
			p, err = NewPair(id, s, c)
		}
		if err == nil {
			err = p.NoValue()
		}
		if err != nil {
			panic(err) // of the embedded schemas: a test says so
		}
		all = append(all, p.All()...)
	}
	return all
})

// prepare prepares a codec's schema for the laws, with its gates open or closed.
func prepare(name string, resolved *schema.Schema, c *codec.Codec, objects bool) (*Schema, error) {
	s := &Schema{Name: name, Resolved: resolved, Objects: objects}
	if objects {
		s.Name += " with objects"
		s.raw.Open = 0xff
	}
	if resolved != nil {
		s.reference = NewReference(resolved, raw.Machine(c))
	}
	var err error
	with := func(o codec.Options) (out *codec.Codec) {
		o.Objects = objects
		if err == nil {
			out, err = c.With(o)
		}
		return out
	}
	s.Codec, s.strict, s.keep = with(codec.Options{}), with(codec.Options{Strict: true}), with(codec.Options{KeepWidths: true})
	if err != nil {
		return nil, err
	}
	p := raw.Program(c)
	loaded, err := bytecode.Load(p.Save())
	if err != nil {
		return nil, fmt.Errorf("%s: the saved program does not load: %w", name, err)
	}
	tag := func(i int, _ *bytecode.Type) uint16 { return raw.Machine(c).Tag(i) }
	if s.saved, err = interp.New(loaded, tag); err != nil {
		return nil, fmt.Errorf("%s: the saved program does not run: %w", name, err)
	}
	if s.unfused, err = interp.NewUnfused(p, tag); err != nil {
		return nil, fmt.Errorf("%s: the program does not run without the fast loops: %w", name, err)
	}
	named, err := interp.NewUnfused(p, func(i int, _ *bytecode.Type) uint16 { return uint16(i + 1) })
	if err != nil {
		return nil, fmt.Errorf("%s: the program does not run: %w", name, err)
	}
	s.asm = asm.New(notation.Of(named))
	s.toEnd, s.tails, s.pads = openEnded(p)
	s.parts = slices.ContainsFunc(p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Base })
	s.sums = slices.ContainsFunc(p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Sum || in.Op == bytecode.Total })
	s.compares = slices.ContainsFunc(p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Compare })
	s.nests = slices.ContainsFunc(p.Routines, func(r bytecode.Routine) bool { return r.Nests })
	s.measures = measures(p)
	s.cells = newCellBound(p)
	s.dropsMarks = slices.ContainsFunc(p.Encodings, func(e bytecode.Encoding) bool { return e.DropBOM })
	s.writesOther = writesOther(p)
	if other, ok := strings.CutSuffix(name, "+double"); ok && bothForms(p) {
		if twin, err := codec.Load(other); err == nil && bothForms(raw.Program(twin)) {
			s.twin, err = twin.With(codec.Options{Objects: objects})
			if err != nil {
				return nil, err
			}
		}
	}
	for _, keep := range []bool{false, true} {
		opt := interp.GenerateOptions{Open: s.raw.Open, KeepWidths: keep, Repeats: keep}
		g, err := raw.Machine(c).NewGenerator(opt)
		if err != nil {
			s.NoValue = fmt.Errorf("%s: %w", name, err)
			break
		}
		pool := &s.values
		if keep {
			pool = &s.wide
		}
		pool.Put(&generator{Generator: g})
		pool.New = func() any {
			g, _ := raw.Machine(c).NewGenerator(opt) // as above
			return &generator{Generator: g}
		}
	}
	return s, nil
}

// generator draws values, and keeps the last one: laws ask for the same value in turn.
type generator struct {
	*interp.Generator
	last   interp.Choices // nil before the first value
	cached codec.Value
}

func (g *generator) value(c interp.Choices, redrawn *atomic.Int64) codec.Value {
	if g.last == nil || !bytes.Equal(g.last, c) {
		before := g.Redrawn()
		v, _ := g.Generate(c)
		g.last, g.cached = append(interp.Choices{}, c...), raw.Wrap(v)
		redrawn.Add(int64(g.Redrawn() - before))
	}
	return g.cached
}

func (s *Schema) String() string { return s.Name }

// Unfused returns the machine that runs the program without the fast loops and plans.
func (s *Schema) Unfused() *interp.Machine { return s.unfused }

// Value makes a value that a writer writes unchanged, and a reader gives.
func (s *Schema) Value(c interp.Choices) codec.Value { return s.make(&s.values, c) }

// Odd makes a value that a writer accepts if it keeps widths, and may write changed. It may have equal keys, and numbers
// that are marked wide without need.
func (s *Schema) Odd(c interp.Choices) codec.Value { return s.make(&s.wide, c) }

func (s *Schema) make(pool *sync.Pool, c interp.Choices) codec.Value {
	g := pool.Get().(*generator)
	defer pool.Put(g)
	return g.value(c, &s.redrawn)
}

// Choices returns the choices that make a value.
func (s *Schema) Choices(v codec.Value) (interp.Choices, error) {
	g := s.values.Get().(*generator)
	defer s.values.Put(g)
	return g.Choices(raw.Value(v))
}

// openEnded reports which rows of a program go to the end of its input. They are rows outside of regions of the root,
// and of routines that the root calls outside of regions.
func openEnded(p *bytecode.Program) (rest, tails, pads bool) {
	for pc := range p.Code {
		pads = pads || p.Code[pc].Op == bytecode.Pad && p.Code[pc].B&bytecode.PadOrEnd != 0
	}
	seen := map[uint32]bool{}
	var visit func(routine uint32)
	scan := func(b bytecode.Block) {
		regions := 0
		for pc := b.First; pc < b.Last; pc++ {
			in := &p.Code[pc]
			switch in.Op {
			case bytecode.Enter:
				regions++
			case bytecode.Leave:
				regions--
			case bytecode.Seek:
				pc = p.End(pc) // parts follow
			}
			if regions > 0 {
				continue
			}
			switch in.Op {
			case bytecode.Rest, bytecode.Through, bytecode.Spare:
				rest = rest || in.Op != bytecode.Through
				tails = tails || in.Op == bytecode.Spare
				visit(in.A)
			case bytecode.Packed:
				rest = rest || in.C == bytecode.None
			case bytecode.Let:
				tails = tails || p.Exprs[in.B].Op == bytecode.ExprLeft
				rest = rest || tails || p.Exprs[in.B].Op == bytecode.ExprMore
			case bytecode.Gaps:
				rest = true
			case bytecode.Until:
				rest = rest || p.Strings[in.B] == ""
			case bytecode.Call:
				visit(in.A)
			case bytecode.List:
				visit(in.B)
			case bytecode.Map:
				visit(in.B)
				visit(in.D)
			}
		}
	}
	visit = func(routine uint32) {
		if !seen[routine] {
			seen[routine] = true
			scan(p.Body(routine))
		}
	}
	for pc := range p.Code {
		if p.Code[pc].Op == bytecode.Seek {
			scan(p.Inner(pc)[0])
		}
	}
	visit(p.Root)
	return rest, tails, pads
}

// measures reports whether a condition of a reader depends on the content or the size of a row.
func measures(p *bytecode.Program) bool {
	asks := func(expr uint32, sizes map[int64]bool) (found bool) {
		p.Exprs[expr].Walk(func(e *bytecode.Expr) {
			found = found || e.Op.NeedsCells() || e.Op == bytecode.ExprReg && sizes[e.Arg]
		})
		return found
	}
	for i := range p.Routines {
		sizes := map[int64]bool{} // registers that depend on the size of a row
		for pc := p.Routines[i].Start; pc < p.Routines[i].End; pc++ {
			switch in := &p.Code[pc]; in.Op {
			case bytecode.Size:
				sizes[int64(in.A)] = true
			case bytecode.Let:
				if asks(in.B, sizes) {
					sizes[int64(in.A)] = true
				}
			case bytecode.Check, bytecode.If:
				if asks(in.A, sizes) {
					return true
				}
			}
		}
	}
	return false
}

// bothForms reports whether vectors are read in single and in double precision.
func bothForms(p *bytecode.Program) bool {
	narrow, wide := false, false
	for pc := range p.Code {
		if in := &p.Code[pc]; in.Op == bytecode.Lanes {
			narrow = narrow || in.Scalar() == bytecode.F32 && in.B == 2
			wide = wide || in.A&bytecode.FlagWide != 0
		}
	}
	return narrow && wide
}

// writesOther reports whether a writer replaces some value by another. It does so if an arm has a rule for it, or if no
// number that a record writes is that of a field.
func writesOther(p *bytecode.Program) bool {
	asked := map[uint32]bool{} // cells whose number the record has written
	ask := func(expr uint32) {
		p.Exprs[expr].Walk(func(e *bytecode.Expr) {
			if e.Op == bytecode.ExprValue || e.Op == bytecode.ExprArm {
				asked[uint32(e.Arg)] = true
			}
		})
	}
	for _, in := range p.Code {
		switch in.Op {
		case bytecode.Subst:
			return true
		case bytecode.Fields:
			clear(asked)
		case bytecode.Header, bytecode.Word:
			if in.C != bytecode.None {
				ask(in.C)
			}
		case bytecode.Take, bytecode.ArmRef:
			if !asked[in.A] {
				return true
			}
		}
	}
	return false
}
