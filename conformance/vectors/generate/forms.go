// Packets that a writer makes in another form: of the other width, with pairs that it merges.

package generate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// pairs adds a packet with pairs that a writer merges: it is written with other keys,
// which are then replaced. It returns false if that cannot be done.
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

// pairsOf is pairs for keys that are no values of the root. It writes the map with
// other keys, which the trace finds.
func (c *candidates) pairsOf(s seed, full interp.Value, p place, rule *bytecode.Rule, x variation) bool {
	opt := interp.Options{Open: s.open}
	elem := c.p.Code[c.types[p.typ].cells[p.cell].ops[0]].B
	// written returns the packet of a map, and where its keys are.
	written := func(cells []interp.Value) (b []byte, keys []interp.Event, ok bool) {
		b, err := c.m.Append(nil, c.replace(c.p.Root, full, p.path, interp.MakeMap(0, cells)), opt)
		if err != nil {
			return nil, nil, false
		}
		_, _, err = c.m.DecodeObserved(b, opt, interp.ObserverFunc(func(e *interp.Event) {
			if e.Kind == interp.Close && strings.HasSuffix(e.Path(), fmt.Sprintf(".key(%d)", len(keys))) {
				keys = append(keys, e.Keep())
			}
		}))
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
