// Cases: candidates with the results of the codec.

package generate

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// verdict is the result of the codec for a candidate.
type verdict struct {
	result    vectors.Result
	value     interp.Value // in the form of the case
	text      []byte       // value as JSON
	used      int
	canonical []byte
	again     interp.Value // what canonical is read as
	err       *interp.Error
	// silent is set if bytes are read that represent a value which is not written.
	// No case can say that of both.
	silent bool
}

// judge runs a candidate.
func (c *candidates) judge(k *candidate) (*verdict, error) {
	v := &verdict{}
	opt := k.options()
	if k.bytes == nil {
		if err := v.take(k.value); err != nil {
			return nil, err
		}
		b, err := c.m.Append(nil, v.value, opt)
		if errors.As(err, &v.err) {
			v.result = vectors.Invalid
			v.err.Offset = 0
			return v, nil
		}
		v.result, v.canonical = vectors.Valid, b
		return v, nil
	}
	raw, used, err := c.m.Decode(k.bytes, opt)
	if errors.As(err, &v.err) {
		v.result = vectors.Invalid
		return v, nil
	}
	if err := v.take(raw); err != nil {
		return nil, err
	}
	v.used = used
	b, err := c.m.Append(nil, v.value, opt)
	if err != nil {
		v.silent = true
		v.result = vectors.Acceptable
		return v, nil
	}
	v.result, v.canonical = vectors.Acceptable, b
	if string(b) == string(k.bytes) {
		v.result = vectors.Valid
		return v, nil
	}
	again, _, err := c.m.Decode(b, opt)
	if err != nil {
		return nil, fmt.Errorf("what is written for %x is refused: %w", k.bytes, err)
	}
	v.again = again
	return v, nil
}

// take keeps a value in the form of a case. The value is converted to JSON and back, which
// drops the width that numbers had in the packet.
func (v *verdict) take(value interp.Value) error {
	text, err := appendValue(nil, value)
	if err != nil {
		return err
	}
	parsed, err := godot.ParseJSON(text)
	if err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	v.text, v.value = text, raw.Value(parsed)
	return nil
}

func appendValue(dst []byte, v interp.Value) ([]byte, error) {
	return godot.AppendJSONStyle(dst, raw.Wrap(unmarked(v)), godot.JSONStyle{Explicit: true})
}

// unmarked returns a value without the marks that say which width a number had on the
// wire. Those of vectors stay: they say which precision the numbers have.
func unmarked(v interp.Value) interp.Value {
	switch v.Kind() {
	case interp.Int, interp.Uint, interp.Float:
		return v.WithWide(false)
	case interp.List, interp.Map, interp.Record:
		cells := append([]interp.Value(nil), v.Cells()...)
		for i := range cells {
			cells[i] = unmarked(cells[i])
		}
		if v.Kind() == interp.Record {
			return interp.MakeRecord(v.Tag(), cells)
		}
		return v.WithCells(cells)
	}
	return v
}

// trial returns the candidate for a bench.
func (k *candidate) trial(v *verdict) mutants.Case {
	t := mutants.Case{Open: k.open}
	if k.bytes != nil {
		t.Decode, t.Bytes = true, k.bytes
	}
	if v.text != nil && !v.silent {
		t.Encode, t.Value = true, v.value
	}
	return t
}

// build makes the case of a candidate.
func (c *candidates) build(k *candidate, v *verdict, spec string) (vectors.Case, map[string]vectors.Flag) {
	out := vectors.Case{
		ID: c.id(k), Row: k.rule.Name, Source: k.rule.File, Type: c.p.Types[k.typ].Name, Result: v.result,
		Bytes: hex.EncodeToString(k.bytes), Objects: k.open != 0, Uses: c.uses(k, v),
	}
	if v.err != nil {
		out.Error = &vectors.Error{Kind: v.err.Word(), Offset: v.err.Offset, Path: v.err.Path, Text: sentence(v.err.Kind, v.err.Expected, v.err.Found)}
	}
	if v.text != nil {
		out.Value = v.text
	}
	switch {
	case k.bytes == nil:
		out.Canonical = hex.EncodeToString(v.canonical)
	case v.result == vectors.Acceptable:
		out.Canonical = hex.EncodeToString(v.canonical)
		if v.used < len(k.bytes) {
			out.Used = v.used
		}
		if r, _, _ := vectors.Compare(raw.Wrap(v.value), raw.Wrap(v.again)); r != vectors.Exact && r != vectors.SameValue {
			out.Also, _ = appendValue(nil, v.again)
		}
	}
	out.About = c.about(k, &out)
	described := describe(&out, spec, k.flags)
	if c.misfit(v.value) && v.text != nil {
		add := flags["misfit"]
		out.Flags = append(out.Flags, "misfit")
		described["misfit"] = add.Flag
		out.Level = may
	}
	slices.Sort(out.Flags)
	return out, described
}

// sentence is an error without its place, which is in separate fields.
func sentence(kind error, expected, found string) string {
	s := kind.Error()
	switch {
	case expected != "" && found != "":
		s += ": expected " + expected + ", found " + found
	case expected != "":
		s += ": expected " + expected
	case found != "":
		s += ": " + found
	}
	return s
}

// about is what a case is about, in a sentence.
func (c *candidates) about(k *candidate, out *vectors.Case) string {
	subject := out.Type
	if k.rule.Name != "" && k.rule.Name != subject {
		subject = k.rule.Name
		if !strings.HasPrefix(subject, out.Type+".") {
			subject = out.Type + ", " + subject
		}
	}
	s := subject + ": " + k.about
	if k.bytes == nil {
		s += "; to be written"
	}
	return s + "."
}

// uses returns the names of the types in a case, as the schema has them. They are those in its
// value, or in the part that was read of a packet that is refused.
func (c *candidates) uses(k *candidate, v *verdict) []string {
	set := map[string]bool{c.p.Types[k.typ].Name: true}
	_, union := c.p.UnionTable(c.p.Root)
	add := func(t int) {
		if name := c.p.Types[t].Name; name != "" && (!union || c.ofRoot(t)) {
			set[name] = true
		}
	}
	if v.text != nil {
		c.walk(c.p.Root, v.value, func(p place) {
			if !p.hole {
				add(p.typ)
			} else if t := c.typeOf(c.p.Root, p.value); t >= 0 {
				add(t)
			}
			if !p.hole && p.value.Kind() == interp.Unit { // it names a type
				for i := range c.p.Types {
					if c.m.Tag(i) == p.value.Tag() {
						add(i)
					}
				}
			}
		})
	} else if k.bytes != nil {
		byName := map[string]int{}
		for i := range c.p.Types {
			byName[c.p.Types[i].Name] = i
		}
		_, _, _ = c.m.DecodeObserved(k.bytes, k.options(), interp.ObserverFunc(func(e *interp.Event) {
			if !e.Outline() {
				return
			}
			name, _, _ := strings.Cut(e.Rule.Name, ".")
			if t, ok := byName[name]; ok {
				add(t)
			}
			if e.Rule.Name == c.headerRow() && e.Kind == interp.Row {
				if t, ok := c.p.UnionTable(c.p.Root); ok {
					if i, ok := t.ByID(c.armID(e.Number)); ok {
						add(int(t.Arms[i].Type))
					}
				}
			}
		}))
	}
	var out []string
	for name := range set {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// ofRoot reports whether a type is an arm of the root union.
func (c *candidates) ofRoot(t int) bool {
	table, ok := c.p.UnionTable(c.p.Root)
	if !ok {
		return false
	}
	for _, a := range table.Arms {
		if int(a.Type) == t {
			return true
		}
	}
	return false
}

// armID returns the number of the arm that a header word tells of.
func (c *candidates) armID(word uint64) uint64 {
	in := &c.p.Code[c.p.Routines[c.p.Root].Start]
	mask := uint64(0xffffffff)
	c.p.Exprs[in.C].Walk(func(x *bytecode.Expr) {
		if n, ok := x.Constant(); ok && n > 0 { // the number of a mask
			mask = uint64(n)
		}
	})
	return word & mask
}

// misfit reports whether a typed container holds something of another type. The format allows
// it, and engines drop or convert it.
func (c *candidates) misfit(v interp.Value) bool {
	found := false
	var walk func(v interp.Value)
	walk = func(v interp.Value) {
		x := raw.Wrap(v)
		fits := func(e codec.Value, t godot.ElemType) bool {
			return t.IsUntyped() || t.Type == godot.Nil || e.Type() == t.Type || t.Type == godot.ObjectType && e.IsNil()
		}
		switch {
		case x.Type() == godot.ArrayType && v.Kind() == interp.Record:
			for _, e := range x.Elems() {
				found = found || !fits(e, godot.ElemTypeOf(x))
			}
		case x.Type() == godot.DictionaryType && v.Kind() == interp.Record:
			key, value := godot.PairTypesOf(x)
			for a, b := range x.Pairs() {
				found = found || !fits(a, key) || !fits(b, value)
			}
		}
		for _, e := range v.Cells() {
			walk(e)
		}
	}
	walk(v)
	return found
}
