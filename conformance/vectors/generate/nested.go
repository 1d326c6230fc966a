// Containers in containers, as many as there may be and one more.

package generate

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// embed adds every candidate with bytes in every context.
func (c *candidates) embed(contexts []context) {
	alone := c.all
	for i := range contexts {
		x := &contexts[i]
		// Of each type one shape is in the first container, and a key and a value of a map, even
		// if it finds nothing.
		based := map[int]bool{}
		always := i == 0 || x.open == 0 && (strings.HasPrefix(x.name, "key-of-") || strings.HasPrefix(x.name, "value-of-"))
		for j := range alone {
			k := alone[j]
			if k.bytes == nil || k.context != "" || !k.keep || len(k.bytes) > 256 {
				continue
			}
			base := k.keep && k.flags[0] == "basic" && !based[k.typ]
			based[k.typ] = based[k.typ] || base
			k.bytes = x.in(k.bytes)
			k.context = x.name
			k.about += ", " + x.place + ", with another value behind it"
			k.open |= x.open
			k.flags = append(append([]string(nil), k.flags...), "container")
			if strings.HasPrefix(x.name, "key-of-") {
				k.flags = append(k.flags, "keys")
			}
			k.keep = base && always
			c.add(k)
		}
	}
	for i := range contexts {
		c.nest(&contexts[i], i == 0)
	}
}

// nest adds containers in containers, as many as there may be, and one more.
func (c *candidates) nest(x *context, first bool) {
	v, ok := c.sentinel(7)
	if !ok {
		return
	}
	inner, err := c.m.Append(nil, v, interp.Options{})
	if err != nil {
		return
	}
	limit := int(c.p.Depth)
	for n := limit - 3; n < limit+3; n++ {
		opt := interp.Options{Open: x.open}
		_, _, err := c.m.Decode(x.nested(inner, n), opt)
		_, _, over := c.m.Decode(x.nested(inner, n+1), opt)
		if err != nil || over == nil {
			continue
		}
		rule := c.rule(int(c.p.Routines[c.p.Root].Start))
		text := fmt.Sprintf("%d values in each other, %s", n+2, x.place)
		// All of them for one container; of a map, that too many are refused.
		if first {
			c.add(candidate{typ: x.typ, rule: rule, what: "deepest", context: x.name, about: fmt.Sprintf("%d values in each other, %s, as many as there may be", n+1, x.place),
				bytes: x.nested(inner, n), open: x.open, flags: []string{"depth"}, keep: true})
			if v, _, err := c.m.Decode(x.nested(inner, n+1), interp.Options{Open: x.open, MaxDepth: limit + 8}); err == nil {
				c.add(candidate{typ: x.typ, rule: rule, what: "too-deep-refused", context: x.name, about: text + ", one too many",
					value: v, open: x.open, flags: []string{"depth", "write"}, keep: true})
			}
		}
		c.add(candidate{typ: x.typ, rule: rule, what: "too-deep", context: x.name, about: text + ", one too many",
			bytes: x.nested(inner, n+1), open: x.open, flags: []string{"depth"}, keep: first || strings.HasPrefix(x.name, "value-of")})
		return
	}
}

// deepWork bounds the bytes that the checksums of a nested packet cover together, if each record has one. So running it on
// all mutants ends.
const deepWork = 1 << 22

// firstRefused returns the first number from 1 to limit+1 that is refused, if all numbers below it are accepted. It tries the
// greatest numbers first: a packet that is accepted takes longer than one that is refused.
func firstRefused(limit int, refused func(n int) bool) int {
	low := limit + 1
	for step := 1; low > 1; step *= 2 {
		n := max(1, low-step)
		if !refused(n) {
			return n + 1 + sort.Search(low-n-1, func(i int) bool { return refused(n + 1 + i) })
		}
		low = n
	}
	return low
}

// deep adds records that hold each other without being values of the root. They are
// nested as often as they may be and once more.
func (c *candidates) deep(seeds []seed) {
	if _, ok := c.sentinel(0); ok {
		return // nested by contexts
	}
	done := map[int]bool{}
	summed := slices.ContainsFunc(c.p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Sum || in.Op == bytecode.Total })
	for _, s := range seeds {
		full := c.full(s)
		c.walk(c.p.Root, full, func(p place) {
			if p.hole || p.again != 1 || done[p.typ] || !slices.Contains(p.within[:len(p.within)-1], p.typ) {
				return
			}
			done[p.typ] = true
			outer, inner := -1, len(p.within)-1
			for i, t := range p.within[:inner] {
				if t == p.typ {
					outer = i
				}
			}
			at, step := p.path[:p.starts[outer]], p.path[p.starts[outer]:p.starts[inner]]
			routine := c.routineAt(c.p.Root, full, at)
			once := c.at(c.p.Root, full, at)
			nested := func(n int) (v interp.Value, b []byte, err error) {
				more := once
				for range n {
					more = c.replace(routine, once, step, more)
				}
				v = c.replace(c.p.Root, full, at, more)
				b, err = c.m.Append(nil, v, interp.Options{Open: s.open})
				return v, b, err
			}
			k := candidate{typ: s.typ, rule: c.typeRule(p.typ), open: s.open, flags: []string{"depth"}}
			put := func(n int, what string, keep bool, v interp.Value, b []byte) {
				k.what, k.value, k.bytes, k.keep = what, v, b, keep
				k.about = fmt.Sprintf("%s in each other %d times", c.p.Types[p.typ].Name, n+2)
				c.add(k)
			}
			limit := int(c.p.Depth) + 2
			first := firstRefused(limit, func(n int) bool {
				_, _, err := nested(n)
				return err != nil
			})
			_, one, _ := nested(1)
			_, two, _ := nested(2)
			accepted := func(n int, what string, keep bool) (ok bool) {
				if n < 1 || n >= first {
					return true
				}
				if least := len(one) + (n-1)*(len(two)-len(one)); summed && n*least > deepWork {
					return false // without writing it
				}
				_, b, err := nested(n)
				if ok = err == nil && !(summed && n*len(b) > deepWork); ok {
					put(n, what, keep, interp.Value{}, b)
				}
				return ok
			}
			for n := 1; n < first; n *= 2 {
				accepted(n, fmt.Sprintf("nested-%d", n), false)
			}
			accepted(int(c.p.Depth)/2-1, "deep", true)
			if !accepted(first-1, fmt.Sprintf("nested-%d", first-1), false) || first > limit {
				return
			}
			v, _, _ := nested(first)
			put(first, "too-deep-refused", true, v, nil)
			// The bytes of a writer without a limit.
			if b, err := c.m.Append(nil, v, interp.Options{Open: s.open, MaxDepth: int(c.p.Depth) + 4}); err == nil {
				put(first, "too-deep", true, interp.Value{}, b)
			}
		})
	}
}

// routineAt returns the routine of the value at a path that leads to a whole record.
func (g *model) routineAt(routine uint32, v interp.Value, path []int) uint32 {
	for len(path) > 0 {
		t := g.typeOf(routine, v)
		in := &g.p.Code[g.types[t].cells[path[0]].ops[0]]
		v = g.open(t, v)[path[0]]
		path = path[1:]
		calls := in.Calls()
		if in.Op == bytecode.Call {
			routine = calls[0]
			continue
		}
		routine = calls[path[0]%len(calls)] // of a map, a key and its value in turn
		v = v.At(path[0])
		path = path[1:]
	}
	return routine
}

// at returns the value at such a path.
func (g *model) at(routine uint32, v interp.Value, path []int) interp.Value {
	var found interp.Value
	if len(path) == 0 {
		return v
	}
	for len(path) > 0 {
		t := g.typeOf(routine, v)
		next := 1
		if in := &g.p.Code[g.types[t].cells[path[0]].ops[0]]; in.Op != bytecode.Call {
			next = 2
		}
		cell := g.open(t, v)[path[0]]
		routine, found = g.routineAt(routine, v, path[:next]), cell
		if next == 2 {
			found = cell.At(path[1])
		}
		v, path = found, path[next:]
	}
	return found
}
