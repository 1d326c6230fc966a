// All candidates of a program.

package generate

import (
	"crypto/sha256"
	"errors"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// collect returns the candidates of a program, simple ones first as far as it goes. Examples are packets of it.
func collect(m *interp.Machine, examples [][]byte) (*candidates, error) {
	g := newModel(m)
	seeds, err := g.seeds(examples)
	if err != nil {
		return nil, err
	}
	g.seedList = seeds
	g.collectSamples()
	c := &candidates{model: g, seen: map[string]bool{}, same: map[[sha256.Size]byte]bool{}}
	steering := g.steering()
	encodings := map[string]bool{}
	shut := map[int]int{} // by type, how many shapes are refused where gates are closed
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
			if p.hole || p.inner {
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
				bytes: k.bytes, flags: []string{"gate"}, keep: shut[s.typ] == 0})
			c.add(candidate{typ: s.typ, rule: g.typeRule(s.typ), what: join(s.name, "closed-write"), about: c.shapeText(s) + ", " + c.closedText(),
				value: full, flags: []string{"gate"}, keep: shut[s.typ] < 2})
			shut[s.typ]++
		}
	}
	c.mixed()
	c.unmade()
	if err := c.barred(); err != nil {
		return nil, err
	}
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

// vary adds a value with a change in one field. It adds its packet, or the value alone if a writer refuses
// it. The value is also added if a writer replaces it.
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
	if !c.affords(len(b)) {
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
