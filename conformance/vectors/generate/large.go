// Large cases: texts, arrays, lists and maps of about 2^8, 2^16 and 2^24 parts. They are not
// among the candidates, since trying mutants on them would take hours.

package generate

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// largestPacket bounds the packets of large cases up to 2^16 parts.
const largestPacket = 2 << 20

// large returns the large cases of a program: for each row, in the simplest shape that has it.
func (c *candidates) large(s *vectors.Suite) ([]vectors.Large, error) {
	var out []vectors.Large
	var failed error
	seen := map[string]bool{}
	for _, one := range c.seedList {
		if one.open != 0 {
			continue
		}
		full := c.full(one)
		c.walk(c.p.Root, full, func(p place) {
			if p.hole || p.inner || p.typ != one.typ || failed != nil {
				return
			}
			rule := c.fieldRule(p)
			for _, pc := range c.types[p.typ].cells[p.cell].ops {
				in := &c.p.Code[pc]
				if seen[rule.Name] || c.tooMany(p) > 0 {
					return
				}
				for _, n := range c.sizes(in) {
					l, err := c.sized(s, one, full, p, in, rule, n)
					if err != nil {
						failed = err
						return
					}
					if l != nil {
						out = append(out, *l)
						seen[rule.Name] = true
					}
				}
			}
		})
	}
	slices.SortFunc(out, func(a, b vectors.Large) int { return cmp.Compare(a.ID, b.ID) })
	return out, failed
}

// sizes returns the numbers of parts to try for an instruction.
func (c *candidates) sizes(in *bytecode.Instr) []int {
	switch in.Op {
	case bytecode.Text:
		return []int{1<<8 - 1, 1 << 8, 1<<16 - 1, 1 << 16, 1 << 24}
	case bytecode.Packed:
		if in.A&bytecode.FlagWide != 0 {
			return nil
		}
		if int(in.B)*in.Scalar().Width() == 1 {
			return []int{1<<8 - 1, 1 << 8, 1<<16 - 1, 1 << 16, 1 << 24}
		}
		return []int{1 << 8, 1 << 16}
	case bytecode.List, bytecode.Map:
		if in.B == c.p.Root {
			return []int{1<<8 - 1, 1 << 8, 1<<16 - 1, 1 << 16}
		}
		return []int{1 << 8, 1 << 16}
	}
	return nil
}

// sized returns a case with n parts in a field, or nil if no case has that size.
func (c *candidates) sized(s *vectors.Suite, one seed, full interp.Value, p place, in *bytecode.Instr, rule *bytecode.Rule, n int) (*vectors.Large, error) {
	part, ok := c.repeated(p, in, n)
	if !ok {
		return nil, nil
	}
	k := candidate{typ: one.typ, rule: rule, flags: []string{"size"}, what: fmt.Sprintf("size-%s", numberName(uint64(n), false)),
		about: plural(n, map[bytecode.Op]string{bytecode.Text: "byte", bytecode.Map: "pair"}[in.Op])}
	if in.Op == bytecode.List || in.Op == bytecode.Packed {
		k.about = plural(n, "element")
	}
	if n > 1<<16 {
		k.flags = append(k.flags, "size-huge")
	}
	v := c.replace(c.p.Root, full, p.path, part)
	b, err := c.m.Append(nil, v, k.options())
	if err != nil || n <= 1<<16 && len(b) > largestPacket {
		return nil, nil // it has a number of parts that is fixed, or bounded
	}
	k.bytes = b
	verdict, err := c.judge(&k)
	if err != nil {
		return nil, err
	}
	if verdict.result != vectors.Valid || !sameValue(v, verdict.value) && !bytes.Equal(verdict.canonical, b) {
		return nil, nil
	}
	out, flags := c.build(&k, verdict, s.Spec())
	for key, f := range flags {
		s.Flags[key] = f
	}
	l := vectors.NewLarge(out)
	return &l, nil
}

// repeated returns a field with n parts like its first: keys of a map differ by a number.
func (c *candidates) repeated(p place, in *bytecode.Instr, n int) (interp.Value, bool) {
	v := p.value
	switch in.Op {
	case bytecode.Text:
		return interp.MakeText(0, strings.Repeat("a", n)), true
	case bytecode.Packed:
		size := int(in.B) * in.Scalar().Width()
		elem := make([]byte, size)
		if b := v.Bytes(); len(b) >= size {
			elem = b[:size]
		}
		return interp.MakePacked(0, in.Scalar(), int(in.B), bytes.Repeat(elem, n)), true
	case bytecode.Map:
		parts := v.Cells()
		if _, ok := c.sentinel(0); !ok || in.B != c.p.Root || len(parts) < 2 {
			return v, false
		}
		cells := make([]interp.Value, 0, 2*n)
		for i := range n {
			key, _ := c.sentinel(int64(i))
			cells = append(cells, key, parts[1])
		}
		return v.WithCells(cells), true
	}
	parts := v.Cells()
	if len(parts) == 0 || n*weight(parts[0]) > largest {
		return v, false
	}
	cells := make([]interp.Value, n)
	for i := range cells {
		cells[i] = parts[0]
	}
	return v.WithCells(cells), true
}
