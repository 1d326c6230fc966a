// All candidates of a program.

package generate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// collect returns the candidates of a program, simple ones first as far as it goes.
func collect(m *interp.Machine) (*candidates, error) {
	g := newModel(m)
	seeds, err := g.seeds()
	if err != nil {
		return nil, err
	}
	g.seedList = seeds
	g.collectSamples()
	c := &candidates{model: g, seen: map[string]bool{}, same: map[string]bool{}}
	steering := g.steering()
	encodings := map[string]bool{}
	shut := map[int]bool{} // types of which one shape is refused where gates are closed
	for _, s := range seeds {
		full := g.full(s)
		c.base(s, full)
		k, err := g.trace(s.typ, s.open, full)
		if err != nil {
			continue
		}
		k.shape = s.name
		c.spoilt(k, steering)
		if k, err := g.trace(s.typ, s.open, s.value); err == nil {
			k.shape = s.name
			c.flipped(k)
		}
		g.walk(g.p.Root, full, func(p place) {
			if p.hole || p.topPath > 0 {
				return
			}
			rule := g.fieldRule(p)
			for _, v := range g.variations(p) {
				if v.flags[0] == "equal-keys" && c.pairs(s, full, p, rule, v) {
					continue
				}
				c.vary(s, g.replace(g.p.Root, full, p.path, v.value), rule, v)
			}
			c.widths(s, full, p, rule, steering)
			c.rawTexts(s, full, p, encodings)
			c.foreign(s, full, p, rule)
		})
		if s.open != 0 {
			c.add(candidate{typ: s.typ, rule: g.typeRule(s.typ), what: join(s.name, "closed"), about: c.shapeText(s) + ", " + c.closedText(),
				bytes: k.bytes, flags: []string{"gate"}, keep: !shut[s.typ]})
			c.add(candidate{typ: s.typ, rule: g.typeRule(s.typ), what: join(s.name, "closed-write"), about: c.shapeText(s) + ", " + c.closedText(),
				value: full, flags: []string{"gate"}, keep: !shut[s.typ]})
			shut[s.typ] = true
		}
	}
	c.mixed()
	c.unmade()
	c.foreignRoot()
	c.deep(seeds)
	c.embed(g.contexts(seeds))
	return c, nil
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "-" + b
}

// fieldRule returns the row that holds a field.
func (g *model) fieldRule(p place) *bytecode.Rule {
	c := &g.types[p.typ].cells[p.cell]
	return g.rule(c.ops[0])
}

// closedText says that gates are closed.
func (c *candidates) closedText() string {
	return "where the caller has not allowed " + strings.Join(c.p.Gates, " or ")
}

// shapeText says what a seed is.
func (c *candidates) shapeText(s seed) string {
	if s.name == "" {
		return "a plain value"
	}
	var parts []string
	for _, part := range strings.Split(strings.TrimSuffix(s.name, "-open"), ".") {
		field, arm, ok := strings.Cut(part, "-")
		if ok {
			field += " (" + arm + ")"
		}
		parts = append(parts, field)
	}
	text := "with " + strings.Join(parts, ", ")
	if s.open != 0 {
		text += ", where the caller has allowed " + strings.Join(c.p.Gates, " and ")
	}
	return text
}

// base adds a seed with something in every field, and the seed itself.
func (c *candidates) base(s seed, full interp.Value) {
	opt := interp.Options{Open: s.open}
	flags := []string{"basic"}
	if c.laned(s.typ) {
		flags = append(flags, "lanes")
	}
	if s.name != "" {
		flags = append(flags, "optional")
	}
	if s.open != 0 {
		flags = append(flags, "gate")
	}
	if b, err := c.m.Append(nil, full, opt); err == nil {
		c.add(candidate{typ: s.typ, rule: c.typeRule(s.typ), what: s.name, about: c.shapeText(s), bytes: b, open: s.open, flags: flags, keep: true})
	}
	if b, err := c.m.Append(nil, s.value, opt); err == nil {
		c.add(candidate{typ: s.typ, rule: c.typeRule(s.typ), what: join(s.name, "empty"), about: "every number 0 and every text empty", bytes: b, open: s.open, flags: flags})
	}
}

// laned reports whether values of a type are several numbers in an order.
func (g *model) laned(t int) bool {
	for _, cell := range g.types[t].cells {
		for _, pc := range cell.ops {
			if in := &g.p.Code[pc]; (in.Op == bytecode.Lanes || in.Op == bytecode.Packed) && in.B > 1 {
				return true
			}
		}
	}
	return false
}

// vary adds a value with something else in one field: its packet, and the value alone
// where it is refused or something else is written in its place.
func (c *candidates) vary(s seed, v interp.Value, rule *bytecode.Rule, x variation) {
	k := candidate{typ: s.typ, shape: s.name, rule: rule, what: x.what, about: x.about, open: s.open, flags: x.flags, keep: x.keep}
	b, err := c.m.Append(nil, v, interp.Options{Open: s.open})
	if errors.Is(err, interp.ErrMismatch) && x.flags[0] != "foreign" && x.flags[0] != "mixed" {
		return // a value that has no notation
	}
	if err != nil {
		k.value = v
		k.what += "-refused"
		k.flags = append(append([]string(nil), k.flags...), "write")
		c.add(k)
		return
	}
	k.bytes = b
	if x.flags[0] == "padding" { // the padding of a longer text is met where that of a short one is not
		if t, err := c.traceBytes(s.typ, s.open, b); err == nil {
			for i := range t.rows {
				if e := &t.rows[i]; e.Kind == interp.Padding && e.Rule == rule {
					c.add(candidate{typ: s.typ, shape: s.name, rule: rule, what: x.what + "-padding-missing", about: x.about + ", which is missing at the end of the input",
						bytes: b[:e.Offset], open: s.open, flags: []string{"padding-end"}})
				}
			}
		}
	}
	w, used, err := c.m.Decode(b, interp.Options{Open: s.open})
	if err != nil || used != len(b) || !sameValue(v, w) {
		alone := k
		alone.bytes, alone.value = nil, v
		alone.what += "-written"
		alone.flags = append(append([]string(nil), k.flags...), "write")
		c.add(alone)
		k.keep = false
	}
	c.add(k)
}

// pairs adds a packet with pairs that a writer merges: it is written with other keys,
// which are then replaced. It returns false where that cannot be done.
func (c *candidates) pairs(s seed, full interp.Value, p place, rule *bytecode.Rule, x variation) bool {
	opt := interp.Options{Open: s.open}
	cells := append([]interp.Value(nil), x.value.Cells()...)
	for i := 0; i < len(cells); i += 2 {
		mark, ok := c.sentinel(0x5a5a5a00 + int64(i))
		if !ok {
			return c.pairsOf(s, full, p, rule, x)
		}
		cells[i] = mark
	}
	b, err := c.m.Append(nil, c.replace(c.p.Root, full, p.path, interp.MakeMap(0, cells)), opt)
	if err != nil {
		return false
	}
	for i := 0; i < len(cells); i += 2 {
		mark, err := c.m.Append(nil, cells[i], opt)
		key, err2 := c.m.Append(nil, x.value.At(i), opt)
		if err != nil || err2 != nil || bytes.Count(b, mark) != 1 {
			return false
		}
		b = bytes.Replace(b, mark, key, 1)
	}
	c.add(candidate{typ: s.typ, shape: s.name, rule: rule, what: x.what, about: x.about, bytes: b, open: s.open, flags: x.flags, keep: x.keep})
	return true
}

// pairsOf is pairs for keys that are no values of the root: it is written with other
// keys, which the trace finds.
func (c *candidates) pairsOf(s seed, full interp.Value, p place, rule *bytecode.Rule, x variation) bool {
	opt := interp.Options{Open: s.open}
	elem := c.p.Code[c.types[p.typ].cells[p.cell].ops[0]].B
	// written returns the packet of a map, and where its keys are.
	written := func(cells []interp.Value) (b []byte, keys []interp.Event, ok bool) {
		b, err := c.m.Append(nil, c.replace(c.p.Root, full, p.path, interp.MakeMap(0, cells)), opt)
		if err != nil {
			return nil, nil, false
		}
		_, _, err = c.m.NewReader(opt).Trace(b, func(e interp.Event) {
			if e.Kind == interp.Close && strings.HasSuffix(e.Path, fmt.Sprintf(".key(%d)", len(keys))) {
				keys = append(keys, e)
			}
		})
		return b, keys, err == nil && len(keys) == len(cells)/2
	}
	cells := append([]interp.Value(nil), x.value.Cells()...)
	for i := 0; i < len(cells); i += 2 {
		cells[i] = c.altered(elem, cells[0], i/2)
	}
	b, keys, ok := written(cells)
	if !ok {
		return false
	}
	for i := len(keys) - 1; i >= 0; i-- {
		one, at, ok := written([]interp.Value{x.value.At(2 * i), x.value.At(2*i + 1)})
		if !ok {
			return false
		}
		key := one[at[0].Offset : at[0].Offset+at[0].Len]
		b = slices.Concat(b[:keys[i].Offset], key, b[keys[i].Offset+keys[i].Len:])
	}
	c.add(candidate{typ: s.typ, shape: s.name, rule: rule, what: x.what, about: x.about, bytes: b, open: s.open, flags: x.flags, keep: x.keep})
	return true
}

// widths adds packets in the other of two widths that a field can have.
func (c *candidates) widths(s seed, full interp.Value, p place, rule *bytecode.Rule, steering map[string]bool) {
	if !c.types[p.typ].cells[p.cell].wide {
		return
	}
	opt := interp.Options{Open: s.open}
	keep := opt
	keep.KeepWidths = true
	first := true
	try := func(v interp.Value, wide bool, what, about string, flags []string) {
		b, err := c.m.Append(nil, v, keep)
		if err != nil {
			return
		}
		if usual, err := c.m.Append(nil, v, opt); err != nil || string(usual) == string(b) {
			return
		}
		form := "narrow"
		if wide {
			form = "wide"
		}
		c.add(candidate{typ: s.typ, shape: s.name, rule: rule, what: join(form, what), about: about + ", in the " + form + " form though a writer takes the other",
			bytes: b, open: s.open, flags: append([]string{"width", "other-width"}, flags...), keep: first || what == "not-single"})
		if first {
			first = false
			if k, err := c.traceBytes(s.typ, s.open, b); err == nil {
				k.form, k.shape = form+"-", s.name
				c.spoilt(k, steering)
			}
		}
	}
	all := append([]variation{{value: p.value, about: c.shapeText(s)}}, c.variations(p)...)
	for _, wide := range []bool{true, false} {
		for _, x := range all {
			with := x.value
			if with.Kind() != p.value.Kind() {
				continue
			}
			if with.Kind() != interp.Lanes && with.Kind() != interp.Packed {
				with = with.WithWide(wide)
			} else if with.Wide() != wide {
				with = otherPrecision(with)
			}
			try(c.replace(c.p.Root, full, p.path, with), wide, x.what, x.about, x.flags)
		}
	}
}

// otherPrecision returns reals in the other precision, which holds them or rounds.
func otherPrecision(v interp.Value) interp.Value {
	from, to := v.Scalar(), bytecode.F64
	if from == bytecode.F64 {
		to = bytecode.F32
	}
	if !from.IsFloat() {
		return v
	}
	var b []byte
	for i := range len(v.Bytes()) / from.Width() {
		b = appendNumber(b, to, v.LaneFloat(i))
	}
	wide := to == bytecode.F64
	if v.Kind() == interp.Packed {
		return interp.MakePacked(v.Tag(), to, v.Width(), b).WithWide(wide)
	}
	return interp.MakeLanes(v.Tag(), to, b).WithWide(wide)
}

// foreignTag is that of a type that the program does not have.
func (g *model) foreignTag() (uint16, bool) {
	known := map[uint16]bool{}
	for i := range g.p.Types {
		known[g.m.Tag(i)] = true
	}
	for _, t := range []codec.Type{codec.CallableType, codec.PackedVector4iArray, codec.ProjectionType, codec.Nil} {
		if !known[uint16(t)] {
			return uint16(t), true
		}
	}
	return 0, false
}

// foreign adds, where a field names a type, one that the schema does not have.
func (c *candidates) foreign(s seed, full interp.Value, p place, rule *bytecode.Rule) {
	for _, pc := range c.types[p.typ].cells[p.cell].ops {
		if tag, ok := c.foreignTag(); ok && c.p.Code[pc].Op == bytecode.ArmRef {
			c.vary(s, c.replace(c.p.Root, full, p.path, interp.MakeUnit(tag)), rule,
				variation{what: "foreign", about: "a type of another version, " + codec.Type(tag).String(), flags: []string{"foreign"}, keep: true})
		}
	}
}

// mixed adds values with a field of one shape in the place of that of another: a
// number that tells of one arm beside a value of another, two forms at once.
func (c *candidates) mixed() {
	type field struct {
		shape string
		value interp.Value
	}
	known := map[[2]int][]field{}
	at := func(p place) [2]int { return [2]int{p.typ, p.cell} }
	for _, s := range c.seedList {
		c.walk(c.p.Root, c.full(s), func(p place) {
			if !p.hole && p.topPath == 0 && len(c.p.Types[p.typ].Fields) > 1 {
				known[at(p)] = append(known[at(p)], field{s.name, p.value})
			}
		})
	}
	done := map[[2]int]int{}
	for _, s := range c.seedList {
		full := c.full(s)
		c.walkCells(full, func(p place) {
			if field := c.p.Types[p.typ].Fields[p.cell]; field.Alone && len(c.p.Types[p.typ].Fields) > 1 {
				start := p.path[:len(p.path)-1]
				if cells := c.open(p.typ, c.at(c.p.Root, full, start)); !cells[p.cell].IsNone() {
					v := c.replace(c.p.Root, full, start, cells[p.cell].WithTag(c.m.Tag(p.typ)))
					c.vary(s, v, c.fieldRule(p), variation{what: "alone", flags: []string{"mixed"}, about: "this field without the others of its record"})
				}
			}
			for _, other := range known[at(p)] {
				if other.shape == s.name || done[at(p)] > 12 {
					continue
				}
				done[at(p)]++
				v := c.replace(c.p.Root, full, p.path, other.value)
				if _, err := c.m.Append(nil, v, interp.Options{Open: s.open}); err == nil {
					continue // another shape
				}
				c.vary(s, v, c.fieldRule(p), variation{what: join("of", other.shape), flags: []string{"mixed"},
					about: "a field as in a value with " + other.shape + ", which does not go with the others"})
			}
		})
	}
}

// walkCells calls f for every field of the records of a value, those that are absent
// included.
func (c *candidates) walkCells(v interp.Value, f func(place)) {
	done := map[string]bool{}
	c.walk(c.p.Root, v, func(p place) {
		start := p.path[:len(p.path)-1]
		key := fmt.Sprint(start)
		if p.hole || p.topPath > 0 || done[key] {
			return
		}
		done[key] = true
		for i := range c.types[p.typ].cells {
			if len(c.types[p.typ].cells[i].ops) == 0 {
				continue
			}
			q := p
			q.cell, q.path = i, append(append([]int(nil), start...), i)
			f(q)
		}
	})
}

// unmade adds the arms of the root union of which there is no value: it is tried to
// read and to write one.
func (c *candidates) unmade() {
	t, ok := c.p.UnionTable(c.p.Root)
	if !ok {
		return
	}
	made := map[int]bool{}
	for _, s := range c.seedList {
		made[s.typ] = true
	}
	for _, a := range t.Arms {
		typ := int(a.Type)
		if made[typ] || a.Else {
			continue
		}
		k := candidate{typ: typ, rule: c.typeRule(typ), flags: []string{"foreign"}, keep: true, about: "a type of which the document does not say how it is written"}
		k.what, k.value = "refused", interp.MakeUnit(c.m.Tag(typ))
		c.add(k)
		b, err := c.m.Append(nil, c.seedList[0].value, interp.Options{})
		if packet, err2 := c.traceBytes(c.seedList[0].typ, 0, b); err == nil && err2 == nil && len(packet.rows) > 0 {
			k.what, k.value, k.bytes = "read", interp.Value{}, c.patch(packet, &packet.rows[0], a.ID)
			c.add(k)
		}
	}
}

// foreignRoot adds a value of a type that the schema does not have.
func (c *candidates) foreignRoot() {
	t, ok := c.p.UnionTable(c.p.Root)
	tag, ok2 := c.foreignTag()
	if !ok || !ok2 {
		return
	}
	v := interp.MakeUnit(tag)
	switch codec.Type(tag) {
	case codec.PackedVector4iArray:
		v = interp.MakePacked(tag, bytecode.I32, 4, nil)
	case codec.ProjectionType:
		v = interp.MakeLanes(tag, bytecode.F32, make([]byte, 64))
	}
	first := int(t.Arms[0].Type)
	c.add(candidate{typ: first, rule: c.rule(int(c.p.Routines[c.p.Root].Start)), what: "foreign-refused", value: v, keep: true,
		about: "a value of a type of another version, " + codec.Type(tag).String(), flags: []string{"foreign", "write"}})
}

// embed adds every candidate with bytes in every context.
func (c *candidates) embed(contexts []context) {
	alone := c.all
	based := map[int]bool{} // types of which one shape is in a container whatever it finds
	for i := range contexts {
		x := &contexts[i]
		for j := range alone {
			k := alone[j]
			if k.bytes == nil || k.context != "" || !k.keep || len(k.bytes) > 256 {
				continue
			}
			base := k.keep && k.flags[0] == "basic" && !based[k.typ]
			based[k.typ] = based[k.typ] || base && i == 0
			k.bytes = x.in(k.bytes)
			k.context = x.name
			k.about += ", " + x.place + ", with another value behind it"
			k.open |= x.open
			k.flags = append(append([]string(nil), k.flags...), "container")
			k.keep = base && i == 0
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

// deep adds records that hold each other without being values of the root, nested as
// often as they may be and once more.
func (c *candidates) deep(seeds []seed) {
	if _, ok := c.sentinel(0); ok {
		return // nested by contexts
	}
	done := map[int]bool{}
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
			for n := 1; n <= int(c.p.Depth)+2; n++ {
				more := once
				for range n {
					more = c.replace(routine, once, step, more)
				}
				v := c.replace(c.p.Root, full, at, more)
				b, err := c.m.Append(nil, v, interp.Options{Open: s.open})
				k := candidate{typ: s.typ, rule: c.typeRule(p.typ), open: s.open, flags: []string{"depth"}, keep: true,
					about: fmt.Sprintf("%s in each other %d times", c.p.Types[p.typ].Name, n+2)}
				if err != nil {
					k.what, k.value = "too-deep-refused", v
					c.add(k)
					// What a writer without a limit would write.
					if b, err := c.m.Append(nil, v, interp.Options{Open: s.open, MaxDepth: int(c.p.Depth) + 4}); err == nil {
						k.what, k.value, k.bytes = "too-deep", interp.Value{}, b
						c.add(k)
					}
					return
				}
				if n == int(c.p.Depth)/2-1 {
					k.what, k.bytes = "deep", b
					c.add(k)
				}
				k.what, k.bytes, k.keep = fmt.Sprintf("nested-%d", n), b, false
				c.add(k)
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
		switch in.Op {
		case bytecode.Call, bytecode.Rest:
			routine = in.A
		case bytecode.Map:
			routine = in.B
			if path[0]%2 == 1 {
				routine = in.D
			}
		default:
			routine = in.B
		}
		if in.Op != bytecode.Call {
			v = v.At(path[0])
			path = path[1:]
		}
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
