// Machines: programs ready to run.

package interp

import (
	"fmt"
	"slices"
	"sync"

	"github.com/octable/octable/compile/bytecode"
)

// none is the number of a register, a cell, a place or a limit that there is not.
const none = -1

// Machine is a program that has been verified and prepared. It does not change
// and may be used by any number of goroutines.
type Machine struct {
	p        *bytecode.Program
	tags     []uint16            // of each type of the program
	byTag    [][]int32           // of each routine that is a union: arm of its table by tag, plus 1; 0 for other tags
	tables   []*bytecode.Table   // of each routine that is a union
	keys     keyRules            // how values of a tag compare as keys, if that is special
	fast     []*fastUnion        // of each routine that is a union, or nil
	plans    []*plan             // of each routine that has no fast union, or nil
	parts    bool                // rows are at places; such programs are run by their instructions
	chooses  bool                // a writer chooses places of parts
	views    bool                // some row is a view
	last     map[int]bool        // instructions that begin a part which goes up to the end of its base
	computed []compiled          // of each expression of the program, or nil
	texts    []uint32            // of each text of the program: the first one that is the same
	cover    func() *coverLayout // of every Coverage, made when first needed

	readers sync.Pool // of *Reader, without memory of values
	writers sync.Pool // of *Writer
}

// New prepares a program. The tag function gives the tag that values of a type
// will have; with nil, tags are the types' indexes. Two arms of one union must
// not have the same tag.
func New(p *bytecode.Program, tag func(i int, t *bytecode.Type) uint16) (*Machine, error) {
	m, err := NewUnfused(p, tag)
	if err != nil {
		return nil, err
	}
	m.makeComputations()
	m.fuse()
	m.makePlans()
	return m, nil
}

// NewUnfused is [New] without the fast loops and without plans, for programs that are
// run a few times only.
func NewUnfused(p *bytecode.Program, tag func(i int, t *bytecode.Type) uint16) (*Machine, error) {
	if err := bytecode.Verify(p); err != nil {
		return nil, err
	}
	m := &Machine{p: p, tags: make([]uint16, len(p.Types))}
	m.cover = sync.OnceValue(func() *coverLayout { return newCoverLayout(m) })
	for i := range p.Types {
		m.tags[i] = uint16(i)
		if tag != nil {
			m.tags[i] = tag(i, &p.Types[i])
		}
	}
	m.byTag = make([][]int32, len(p.Routines))
	m.tables = make([]*bytecode.Table, len(p.Routines))
	for i := range p.Routines {
		t, ok := p.UnionTable(uint32(i))
		if !ok {
			continue
		}
		m.tables[i] = t
		most := uint16(0)
		for _, a := range t.Arms {
			most = max(most, m.tags[a.Type])
		}
		m.byTag[i] = make([]int32, int(most)+1)
		for j, a := range t.Arms {
			tag := m.tags[a.Type]
			if k := m.byTag[i][tag]; k > 0 {
				return nil, fmt.Errorf("arms %s and %s of %s have the same tag %d", p.Types[t.Arms[k-1].Type].Name, p.Types[a.Type].Name, p.Routines[i].Name, tag)
			}
			m.byTag[i][tag] = int32(j) + 1
		}
	}
	m.keys = keyRules{}
	for rule, types := range p.Keys {
		for _, t := range types {
			m.keys[m.tags[t]] |= 1 << rule
		}
	}
	for i, t := range p.Types {
		for _, f := range t.Fields {
			if f.Alone && len(t.Fields) > 1 && (f.Kind == List || f.Kind == Map) {
				m.keys[m.tags[i]] |= keyCore
			}
		}
	}
	m.parts = slices.ContainsFunc(p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Base })
	m.chooses = slices.ContainsFunc(p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Choose })
	m.views = slices.ContainsFunc(p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Seek && in.D&bytecode.SeekView != 0 })
	m.last = map[int]bool{}
	for pc := range p.Code {
		if p.Code[pc].Op == bytecode.Seek {
			m.last[pc] = p.ToEnd(p.Inner(pc)[0])
		}
	}
	m.texts = make([]uint32, len(p.Strings))
	for i, s := range p.Strings {
		m.texts[i] = uint32(slices.Index(p.Strings, s))
	}
	m.fast = make([]*fastUnion, len(p.Routines))
	m.plans = make([]*plan, len(p.Routines))
	return m, nil
}

// Program returns the program, which must not be changed.
func (m *Machine) Program() *bytecode.Program { return m.p }

// Tag returns the tag of type i of the program.
func (m *Machine) Tag(i int) uint16 { return m.tags[i] }

// arm returns the index of the arm of a union that a tag belongs to.
func (m *Machine) arm(routine uint32, tag uint16) (int, bool) {
	if arms := m.byTag[routine]; int(tag) < len(arms) {
		i := int(arms[tag]) - 1
		return i, i >= 0
	}
	return 0, false
}

// armStart returns the first instruction of an arm of a union.
func (m *Machine) armStart(routine uint32, arm int) int {
	union := &m.p.Code[m.p.Routines[routine].Start]
	return m.p.ArmAt(union.D, arm) + 1
}

// armTag returns the tag of values of an arm of a union.
func (m *Machine) armTag(routine uint32, arm int) uint16 {
	return m.tags[m.tables[routine].Arms[arm].Type]
}

// Options are the choices of one call or of a Reader or Writer. The zero value
// is safe: every gate is closed and every limit is in force.
type Options struct {
	// Open has bit i set where gate i of the program is open. Both directions.
	Open uint8
	// MaxDepth limits how deeply values may be nested; 0 is the schema's own
	// limit. Both directions.
	MaxDepth int
	// MaxMemory limits the bytes of memory that one call may take for values. 0 is no limit beyond
	// the constant times the input that always holds. Reading only.
	MaxMemory int
	// KeepWidths writes numbers in the form that they were read in, narrow or
	// wide. The schema has both forms for such a number. Writing only.
	KeepWidths bool
}

func (m *Machine) depth(o *Options) int {
	if o.MaxDepth > 0 {
		return min(o.MaxDepth, bytecode.MaxDepth)
	}
	return int(m.p.Depth)
}

// maxNest is the greatest number of routines in progress. It bounds recursion that the
// depth of a schema does not count.
func maxNest(depth int) int { return 4*depth + 64 }
