// The laws: a peer reads and writes bytes and values as the interpreter does.

package generated

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/internal/paths"
	"github.com/octable/octable/conformance/internal/spoil"
	"github.com/octable/octable/interp"
)

// laws checks the module of one schema.
type laws struct {
	peer   *Peer
	module *module
	values int // how many are drawn for each set of options
	m      *interp.Machine
	p      *bytecode.Program
	show   *Shower
	rng    *rand.Rand
	pool   *spoil.Pool
	damage *corrupt.Engine
}

// Laws compares the module of a schema with the interpreter in both directions. The inputs are generated values, changed
// values and damaged packets, lenient and strict, with gates open and closed, and at the limits. It draws a number of
// values for each set of options. The error describes the first difference.
func (m *Modules) Laws(spec string, values int, seed uint64) error {
	mod, err := m.module(spec)
	if err != nil {
		return err
	}
	c := mod.codec
	l := &laws{peer: m.peer, module: mod, values: values, m: raw.Machine(c), p: raw.Program(c), show: mod.show, rng: rand.New(rand.NewPCG(seed, 7)), damage: corrupt.New(raw.Machine(c), interp.Options{Open: 0xff})}
	l.pool = spoil.NewPool(l.rng)
	return l.check()
}

// options are those of a request.
type options struct {
	gates, strict bool
	depth, memory int
}

func (o options) raw() interp.Options {
	r := interp.Options{MaxDepth: o.depth, MaxMemory: o.memory}
	if o.gates {
		r.Open = 0xff
	}
	return r
}

func (l *laws) check() error {
	for _, o := range []options{{}, {gates: true}, {strict: true, gates: true}, {depth: 3, gates: true}, {memory: 500, gates: true}} {
		if o == (options{gates: true}) && len(l.p.Gates) == 0 {
			continue
		}
		open := uint8(0)
		if o.gates {
			open = 0xff
		}
		for _, odd := range []bool{false, true} {
			g, err := l.m.NewGenerator(interp.GenerateOptions{Open: open, KeepWidths: odd, Repeats: odd, MaxBytes: 1000})
			if err != nil {
				continue // the schema has no value, or none without permissions
			}
			for n := range l.values {
				c := make(interp.Choices, l.rng.IntN(4+n%97*4))
				for i := range c {
					c[i] = byte(l.rng.Uint32())
				}
				v, _ := g.Generate(c)
				if err := l.value(v, o); err != nil {
					return fmt.Errorf("options %+v: %w", o, err)
				}
			}
		}
	}
	return l.deep()
}

func (l *laws) value(v interp.Value, o options) error {
	l.pool.Add(v)
	if err := l.write(v, o); err != nil {
		return err
	}
	for range 2 {
		if err := l.write(l.pool.Change(v, 3, l.misplaced), o); err != nil {
			return err
		}
		if err := l.write(l.damage.Boundary(l.rng, v), o); err != nil {
			return err
		}
	}
	for _, keep := range []bool{false, true} {
		r := o.raw()
		r.KeepWidths = keep
		b, err := l.m.Encode(v, r)
		if err != nil {
			continue
		}
		if err := l.read(b, o); err != nil {
			return err
		}
		for range 2 {
			if err := l.read(spoil.Bytes(l.rng, b), o); err != nil {
				return err
			}
			if with, ok := l.damage.Draw(l.rng, b); ok {
				if err := l.read(with, o); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (l *laws) request(op string, o options) Request {
	return Request{Spec: l.module.spec, Op: op, Gates: l.module.open(o.gates), Strict: o.strict, Depth: o.depth, Memory: o.memory}
}

// read checks what is made of bytes, and what is written for that.
func (l *laws) read(b []byte, o options) error {
	want, used, wantErr := l.m.Decode(b, o.raw())
	if wantErr == nil && o.strict && l.show.Loses(want) {
		return nil // a language may make another one of it, which is not what a writer produces
	}
	if wantErr == nil && o.strict {
		wantErr = l.m.NewReader(o.raw()).Canonical(b, want, used)
	}
	q := l.request("decode", o)
	q.Bytes = hex.EncodeToString(b)
	a, err := l.peer.Ask(q)
	if err != nil {
		return fmt.Errorf("packet %x: %w", b, err)
	}
	if err := compare(wantErr, a.Error, true); err != nil {
		return fmt.Errorf("packet %x: %w", b, err)
	}
	if wantErr != nil {
		return nil
	}
	shown, ok := l.show.Show(want)
	if !ok {
		return fmt.Errorf("packet %x: its value cannot be shown", b)
	}
	if a.Used != used {
		return fmt.Errorf("packet %x: used %d, want %d", b, a.Used, used)
	}
	if !reflect.DeepEqual(shown, a.Value) {
		return fmt.Errorf("packet %x:\n got %s\nwant %s", b, text(a.Value), text(shown))
	}
	q.Op = "recode"
	q.Strict = false
	if a, err = l.peer.Ask(q); err != nil {
		return fmt.Errorf("packet %x: %w", b, err)
	}
	again, wantErr := l.m.Encode(want, o.raw())
	if l.lost(want, o, wantErr, a.Error) {
		return nil
	}
	if err := compare(wantErr, a.Error, false); err != nil {
		return fmt.Errorf("packet %x, written again: %w", b, err)
	}
	if a.Bytes != hex.EncodeToString(again) && !l.show.Loses(want) {
		return fmt.Errorf("packet %x, written again:\n got %s\nwant %x", b, a.Bytes, again)
	}
	return nil
}

// write checks what is written for a value.
func (l *laws) write(v interp.Value, o options) error {
	shown, ok := l.show.Show(v)
	if !ok || likeKeys(v) {
		return nil
	}
	q := l.request("encode", o)
	q.Value = shown
	a, err := l.peer.Ask(q)
	if err != nil {
		return err
	}
	odd := q
	odd.Value = l.odd(shown)
	if _, err := l.peer.Ask(odd); err != nil { // it is written or refused
		return err
	}
	want, wantErr := l.m.Encode(v, o.raw())
	if l.lost(v, o, wantErr, a.Error) {
		return nil
	}
	if err := compare(wantErr, a.Error, false); err != nil {
		return fmt.Errorf("value %s: %w", text(shown), err)
	}
	if a.Bytes != hex.EncodeToString(want) && !l.show.Loses(v) {
		return fmt.Errorf("value %s:\n got %s\nwant %x", text(shown), a.Bytes, want)
	}
	return nil
}

// likeKeys reports whether a map has keys that differ in their types alone. A writer takes any type of a record. The
// interpreter compares the types of keys; generated code compares their content.
func likeKeys(v interp.Value) bool {
	cells := v.Cells()
	if v.Kind() == interp.Map {
		for i := 0; i < len(cells); i += 2 {
			key := cells[i].WithWide(true)
			for k := 0; k < i; k += 2 {
				if other := cells[k].WithWide(true); key.Tag() != other.Tag() && interp.Identical(key.WithTag(other.Tag()), other, false) {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(cells, likeKeys)
}

// lost reports whether a refusal may be about bits of a NaN that the language does not keep. The bits decide on the form
// of a number, and so on the offset, and views show them. If the language refuses the value, so does the interpreter, or
// it refuses the one with ordinary bits. If only the interpreter does, it accepts the one with ordinary bits.
func (l *laws) lost(v interp.Value, o options, want error, got *Error) bool {
	if got == nil && want == nil || !l.show.Loses(v) {
		return false
	}
	_, without := l.m.Encode(ordinary(v), o.raw())
	if got == nil {
		return without == nil
	}
	return want != nil || without != nil
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return interp.Clip(string(b), 1500)
}

// compare compares an error with that of the interpreter. If bytes are read, everything must be the same. If a value is
// written, its kind, place and row must be the same: the description of a value depends on the language.
func compare(want error, got *Error, reading bool) error {
	var e *interp.Error
	if !errors.As(want, &e) {
		if want != nil {
			return want
		}
		if got != nil {
			return fmt.Errorf("refused: %s", got.Message)
		}
		return nil
	}
	if got == nil {
		return fmt.Errorf("accepted, and it should be refused: %w", want)
	}
	w := Error{Kind: e.Word(), Offset: e.Offset, Path: e.Path, Rule: e.Rule.Name, Expected: e.Expected, Found: e.Found}
	g := *got
	g.Message = ""
	w.Path, g.Path = paths.Compared(w.Path, g.Path)
	if !reading || e.Kind == interp.ErrNotCanonical && strings.HasPrefix(e.Found, "a value that none writes") {
		w.Expected, w.Found, g.Expected, g.Found = "", "", "", ""
	}
	if w != g {
		return fmt.Errorf("refused otherwise:\n got %+v\nwant %+v", g, w)
	}
	return nil
}

// misplaced returns a part that may not belong where v is.
func (l *laws) misplaced(v interp.Value) interp.Value {
	switch v.Kind() {
	case interp.Text:
		return interp.MakeText(v.Tag(), spoil.Text(l.rng))
	case interp.Int:
		return interp.MakeInt(v.Tag(), int64(l.rng.Uint64())>>l.rng.IntN(64))
	case interp.Uint:
		return interp.MakeUint(v.Tag(), l.rng.Uint64()>>l.rng.IntN(64))
	case interp.Record:
		if cells := slices.Clone(v.Cells()); len(cells) > 0 {
			cells[l.rng.IntN(len(cells))] = interp.Value{}
			return interp.MakeRecord(v.Tag(), cells)
		}
	}
	return l.pool.Part(v)
}

// odds are parts in a wrong place.
var odds = []any{nil, true, Whole(-1), map[string]any{"i": "1180591620717411303424"}, Real(0.5), Text("x"), Text("\xff"), Broken("\xff"), Array("f32", nil),
	[]any{}, []any{nil}, []any{[]any{nil, Whole(1)}}, map[string]any{"o": map[string]any{}}, map[string]any{"o": map[string]any{"$type": Text("Vector2")}}}

// odd returns what is shown with something else in one place of it.
func (l *laws) odd(shown any) any {
	if l.rng.IntN(4) > 0 {
		switch x := shown.(type) {
		case []any:
			if len(x) > 0 {
				out := slices.Clone(x)
				i := l.rng.IntN(len(out))
				out[i] = l.odd(out[i])
				return out
			}
		case map[string]any:
			if members, ok := x["o"].(map[string]any); ok && len(members) > 0 {
				out := maps.Clone(members)
				name := slices.Sorted(maps.Keys(out))[l.rng.IntN(len(out))]
				if name[0] != '$' { // which says what the object is
					out[name] = l.odd(out[name])
				}
				return map[string]any{"o": out}
			}
		}
	}
	return odds[l.rng.IntN(len(odds))]
}

// deep checks the limit on nesting: lists that nest as deeply as is allowed, and one
// level more.
func (l *laws) deep() error {
	g, err := l.m.NewGenerator(interp.GenerateOptions{MaxBytes: 200})
	if err != nil {
		return nil // the schema has no value, or none without permissions
	}
	for range 300 {
		c := make(interp.Choices, 200)
		for i := range c {
			c[i] = byte(l.rng.Uint32())
		}
		v, _ := g.Generate(c)
		if v.Kind() != interp.List {
			continue
		}
		x := v
		limit := int(l.p.Depth)
		for n := range limit + 3 {
			x = interp.MakeList(v.Tag(), []interp.Value{x})
			if n < limit-3 {
				continue
			}
			if err := l.write(x, options{}); err != nil {
				return fmt.Errorf("%d levels: %.2000w", n, err)
			}
			if b, err := l.m.Encode(x, interp.Options{MaxDepth: 4000}); err == nil {
				if err := l.read(b, options{}); err != nil {
					return fmt.Errorf("%d levels: %.2000w", n, err)
				}
			}
		}
		return nil
	}
	return nil
}
