// Parts of packets that stay bytes.

package codec

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// RawMessage is the bytes of one Variant in a packet. It is decoded later, by [Codec.Unmarshal], or sent on
// unchanged. Reading checks the bytes and copies them, unless [Options.Alias] is set; writing checks that they are
// one value of the schema. An empty RawMessage is written as Nil.
//
// Only where the bytes are not at hand they are made from the decoded value, and differ if a writer would have chosen others:
// [Value.To], elements of typed containers, and values of [Options.Interfaces]. A RawMessage is written unchanged in structs,
// slices, and maps with keys of text, also with the tag option rest; in other containers its value is written.
// Of schemas other than Variants a RawMessage is a []byte.
type RawMessage []byte

var rawType = reflect.TypeFor[RawMessage]()

// checkRaw returns the value in the bytes of a RawMessage.
func (c *Codec) checkRaw(b []byte) (interp.Value, error) {
	v, used, err := c.m.Decode(b, c.raw)
	if err == nil && used != len(b) {
		err = c.trailing(b, used)
	}
	return v, codecError(err)
}

// parts steps through the bytes of the values in a container.
type parts struct {
	s   *skipper
	b   []byte
	in  memory.View
	pos int

	given [][]byte // instead: the values of pairs
}

// parts returns the places of the parts of the value that is read. They are the keys and values of a Dictionary in
// turn, or the elements of an Array. It returns nil if they are not known.
func (r *reader) parts() *parts {
	if r.src == nil {
		if given := r.given; given != nil {
			r.given = nil
			return &parts{given: given}
		}
		return nil
	}
	p := &parts{s: r.c.types.skipper(r.c.m), b: r.src, in: memory.Of(r.src), pos: 8}
	f := p.s.form(p.in, 0, len(p.b))
	if r.src = nil; f == nil || f.Kind != interp.Map && (f.Kind != interp.List || f.Texts) {
		return nil
	}
	return p
}

// next returns the bytes of the next part, or nil.
func (p *parts) next() []byte {
	switch {
	case p == nil:
		return nil
	case p.s == nil:
		if p.pos++; p.pos%2 == 1 || p.pos/2 > len(p.given) {
			return nil
		}
		return p.given[p.pos/2-1]
	}
	from := p.pos
	next, ok := p.s.skip(p.b, p.in, from, 1)
	if !ok {
		return nil // unreachable: the bytes have been decoded, and have as many parts as the value
	}
	p.pos = next
	return p.b[from:next:next]
}

// hasRaw reports whether a RawMessage may be in a value of the plan.
func (p *plan) hasRaw() bool {
	if has, ok := rawPlans.Load(p); ok {
		return has.(bool)
	}
	seen := map[*plan]bool{}
	var find func(p *plan) bool
	find = func(p *plan) bool {
		if p == nil || seen[p] {
			return false
		}
		seen[p] = true
		if p.form == formRaw || find(p.key) || find(p.elem) {
			return true
		}
		if p.fields == nil {
			return false
		}
		rest := p.fields.rest
		return rest != nil && find(rest.plan) || slices.ContainsFunc(p.fields.fields, func(f field) bool { return find(f.plan) })
	}
	has := find(p)
	rawPlans.Store(p, has)
	return has
}

var rawPlans sync.Map // *plan → bool

// raw makes the value of a RawMessage.
func (w *writer) raw(p *plan, b []byte) (Value, error) {
	if len(b) == 0 {
		return orNil(Value{}), nil
	}
	if w.c == nil {
		return w.fail(p, ErrGoType, "its bytes have no schema; use Codec.ValueOf or Codec.Marshal")
	}
	v, err := w.c.checkRaw(bytes.Clone(b))
	if err != nil {
		return w.fail(p, err, "it is not one value of schema %s: %v", w.c.Schema(), err)
	}
	return w.wanted(p, wrap(v))
}

// raw sets a RawMessage to the bytes of a value.
func (r *reader) raw(p *plan, v Value, rv reflect.Value) error {
	if r.c == nil {
		return r.fail(p, ErrGoType, "a RawMessage needs a schema; use Codec.To or Codec.Unmarshal")
	}
	if b := r.src; b != nil {
		if !r.c.opt.Alias {
			b = bytes.Clone(b)
		}
		rv.SetBytes(b)
		return nil
	}
	opt := r.c.raw
	opt.KeepWidths = true
	b, err := r.c.m.Encode(orNil(v).raw, opt)
	if err != nil {
		err = codecError(err)
		return r.fail(p, err, "it cannot be encoded: %v", err)
	}
	rv.SetBytes(b)
	return nil
}

// isRawMap reports whether a plan is that of a map of text to RawMessages.
func (p *plan) isRawMap() bool {
	return p.form == formMap && p.elem.form == formRaw && p.key.form == formText && p.key.writeHook == noHook && p.writeHook == noHook &&
		p.want.key == (variant.ElemType{}) && p.want.elem == (variant.ElemType{})
}

// rawPairs writes the pairs of a map of text to RawMessages, sorted by key, and returns their end. It is wrong for a key of taken,
// and for bytes that are not one value.
func (w *planWriter) rawPairs(p *plan, x place, pos int, taken map[string]int) int {
	rv := x.value(p.typ)
	keys := rv.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	from := writer{conversion: w.c.conversion()}
	from.max = from.maxDepth()
	opt := w.c.raw
	if opt.MaxDepth = w.limit - w.depth; opt.MaxDepth <= 0 {
		return wrong
	}
	if w.c.m != w.rawOf {
		w.raw, w.rawOf = w.c.m.NewWriter(opt), w.c.m
	} else {
		w.raw.SetOptions(opt)
	}
	out := w.out[:pos]
	for _, k := range keys {
		if _, isTaken := taken[k.String()]; isTaken {
			return wrong
		}
		key, err := from.value(p.key, k)
		if err == nil {
			out, err = w.raw.Append(out, key.raw)
		}
		b := rv.MapIndex(k).Bytes()
		if len(b) == 0 && err == nil {
			out, err = w.raw.Append(out, variant.MakeNil())
		} else if err == nil {
			_, err = w.c.checkRaw(b)
			out = append(out, b...)
		}
		if err != nil {
			return wrong
		}
	}
	w.set(out)
	return len(out)
}
