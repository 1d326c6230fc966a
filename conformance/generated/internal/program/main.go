// Command program compares generated packages with the interpreter. Both must give the same
// results for the same bytes and values, with the same texts of errors. With -serve it is an
// implementation of the conformance protocol instead.
//
// Package generated builds it together with the packages, and a file for each that adds
// it here; without them it has nothing to do.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/internal/paths"
	"github.com/octable/octable/conformance/internal/spoil"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/interp"
)

// load returns a function that loads the codec of a compiled program once.
func load(b string) func() *codec.Codec {
	return sync.OnceValue(func() *codec.Codec {
		p, err := bytecode.Load([]byte(b))
		if err != nil {
			panic(err)
		}
		c, err := raw.Codec(p)
		if err != nil {
			panic(err)
		}
		return c
	})
}

// trouble is what an error says.
type trouble struct {
	Kind, Path, Rule, Expected, Found string
	Offset                            int
}

// options are those of a generated package that all of them have.
type options struct {
	gates, strict, keep bool
	depth, memory       int
}

// implementation is a generated package.
type implementation struct {
	name   string
	codec  func() *codec.Codec
	decode func(b []byte, o options) (interp.Value, int, error)
	append func(dst []byte, v interp.Value, o options) ([]byte, error)
	// trouble returns what an error of the package says.
	trouble func(error) *trouble
	// typed takes a value apart into Go types and puts it together again.
	typed func(v interp.Value) (interp.Value, bool)
	// like returns a value as the package has it, whose values have Go types. It is nil for
	// packages that have values as the interpreter has them.
	like func(v interp.Value) (interp.Value, bool)
}

// all is filled by a file for each package, more by that about structs, for a schema.
var (
	all  []implementation
	more = map[string]func(values int, seed uint64) error{}
)

func main() {
	values := flag.Int("values", 300, "values for each schema and set of options")
	only := flag.String("only", "", "one schema")
	seed := flag.Uint64("seed", 1, "of the values")
	serve := flag.Bool("serve", false, "talk the conformance protocol")
	flag.Parse()
	if *serve {
		protocol.Main(newServed())
		return
	}
	if len(all) == 0 {
		fmt.Println("There is no generated package in this program: go test ./conformance/generated builds it with them.")
		os.Exit(2)
	}
	failed := false
	for _, i := range all {
		if *only != "" && i.name != *only {
			continue
		}
		if err := check(i, *values, *seed); err != nil {
			fmt.Printf("%s: %v\n", i.name, err)
			failed = true
		}
	}
	for name, check := range more {
		if *only != "" && name != *only {
			continue
		}
		if err := check(*values, *seed); err != nil {
			fmt.Println(err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
	fmt.Println("ok")
}

// tag numbers types as generated packages do.
func tag(i int, t *bytecode.Type) uint16 {
	if t.Name == "" || t.Union == "" && t.Fields == nil {
		return 0
	}
	return uint16(i) + 1
}

// subject is a schema being checked.
type subject struct {
	implementation
	m    *interp.Machine
	rng  *rand.Rand
	pool *spoil.Pool // parts of values, to be put into others
}

func check(impl implementation, values int, seed uint64) error {
	p := raw.Program(impl.codec())
	m, err := interp.New(p, tag)
	if err != nil {
		return err
	}
	s := &subject{implementation: impl, m: m, rng: rand.New(rand.NewPCG(seed, 7))}
	s.pool = spoil.NewPool(s.rng)
	for _, o := range []options{{}, {gates: true}, {strict: true, gates: true}, {keep: true}, {depth: 3, gates: true}, {memory: 500, gates: true}, {depth: 9000}} {
		if o.gates && len(p.Gates) == 0 && !o.strict && o.depth+o.memory == 0 || o.keep && impl.like != nil {
			continue
		}
		open := uint8(0)
		if o.gates {
			open = 0xff
		}
		for _, odd := range []bool{false, true} {
			g, err := m.NewGenerator(interp.GenerateOptions{Open: open, KeepWidths: odd, Repeats: odd, MaxBytes: 2000})
			if err != nil {
				continue // the schema has no value, or none without permissions
			}
			for n := range values {
				c := make(interp.Choices, s.rng.IntN(4+n%97*4))
				for i := range c {
					c[i] = byte(s.rng.Uint32())
				}
				v, _ := g.Generate(c)
				if err := s.value(v, o); err != nil {
					return fmt.Errorf("options %+v, choices %x: %w", o, []byte(c), err)
				}
			}
		}
	}
	return s.deep()
}

// raw are the interpreter's options.
func (o options) raw() interp.Options {
	r := interp.Options{MaxDepth: o.depth, MaxMemory: o.memory, KeepWidths: o.keep}
	if o.gates {
		r.Open = 0xff
	}
	return r
}

// value checks a value, its bytes, and damaged forms of both.
func (s *subject) value(v interp.Value, o options) error {
	s.pool.Add(v)
	if err := s.write(v, o); err != nil {
		return err
	}
	for range 3 {
		if err := s.write(s.pool.Change(v, 3, s.misplaced), o); err != nil {
			return err
		}
	}
	if !o.keep && s.typed != nil { // widths are lost in Go types
		if w, ok := s.typed(v); ok {
			a, err1 := s.m.Encode(v, o.raw())
			b, err2 := s.m.Encode(w, o.raw())
			if (err1 == nil) != (err2 == nil) || !bytes.Equal(a, b) {
				return fmt.Errorf("taken apart and put together: %x is %x (%v, %v)", a, b, err1, err2)
			}
		}
	}
	for _, keep := range []bool{false, true} {
		r := o.raw()
		r.KeepWidths = keep
		b, err := s.m.Encode(v, r)
		if err != nil {
			continue
		}
		if err := s.read(b, o); err != nil {
			return err
		}
		for range 6 {
			if err := s.read(spoil.Bytes(s.rng, b), o); err != nil {
				return err
			}
		}
	}
	return nil
}

// read checks that both make the same of bytes.
func (s *subject) read(b []byte, o options) error {
	in := bytes.Clone(b)
	want, wantUsed, wantErr := s.m.Decode(b, o.raw())
	if wantErr == nil && o.strict && s.loses(want) {
		return nil
	}
	if wantErr == nil && o.strict {
		wantErr = s.m.NewReader(o.raw()).Canonical(b, want, wantUsed)
	}
	got, used, err := s.decode(b, o)
	if err := s.compare(wantErr, err, true); err != nil {
		return fmt.Errorf("packet %x: %w", b, err)
	}
	if !bytes.Equal(in, b) {
		return fmt.Errorf("packet %x was changed to %x", in, b)
	}
	if wantErr != nil {
		return nil
	}
	if used != wantUsed {
		return fmt.Errorf("packet %x: used %d, want %d", b, used, wantUsed)
	}
	if s.like != nil {
		var ok bool
		if want, ok = s.like(want); !ok {
			return fmt.Errorf("packet %x: the Go types have no value %s", b, show(want))
		}
	}
	if !interp.Identical(want, got, true) {
		return fmt.Errorf("packet %x: is %s, want %s", b, show(got), show(want))
	}
	return s.write(got, o)
}

// loses reports whether a value has a NaN of which a Go type does not keep all bits. The NaN is
// in a tuple or an array of two widths, of which the Go type has one.
func (s *subject) loses(v interp.Value) bool {
	if s.like == nil || !hasNaN(v) {
		return false
	}
	same, _ := s.like(v)
	a, _ := s.m.Encode(v, interp.Options{Open: 0xff})
	b, _ := s.m.Encode(same, interp.Options{Open: 0xff})
	return !bytes.Equal(a, b)
}

// hasNaN reports whether a number of a tuple or an array is not a number.
func hasNaN(v interp.Value) bool {
	if n := v.Scalar(); (v.Kind() == interp.Lanes || v.Kind() == interp.Packed) && n.IsFloat() {
		for i := range len(v.Bytes()) / n.Width() {
			if f := v.LaneFloat(i); f != f {
				return true
			}
		}
	}
	return slices.ContainsFunc(v.Cells(), hasNaN)
}

// write checks that both make the same of a value.
func (s *subject) write(v interp.Value, o options) error {
	if s.like != nil {
		var ok bool
		if v, ok = s.like(v); !ok {
			return nil
		}
	}
	prefix := []byte("before")
	want, wantErr := s.m.Append(bytes.Clone(prefix), v, o.raw())
	got, err := s.append(bytes.Clone(prefix), v, o)
	if err := s.compare(wantErr, err, false); err != nil {
		return fmt.Errorf("value %s: %w", show(v), err)
	}
	if !bytes.Equal(want, got) {
		return fmt.Errorf("value %s: written as %x, want %x", show(v), got, want)
	}
	return nil
}

// compare holds an error against that of the interpreter. If values have Go types, what is
// found in a value goes by Go, and so do keys in paths.
func (s *subject) compare(want, got error, reading bool) error {
	var e *interp.Error
	if !errors.As(want, &e) {
		if want != nil {
			return want
		}
		if got != nil {
			return fmt.Errorf("refused: %w", got)
		}
		return nil
	}
	w := &trouble{e.Kind.Error(), e.Path, e.Rule.Name, e.Expected, e.Found, e.Offset}
	if got == nil {
		return fmt.Errorf("accepted, and it should be refused: %w", want)
	}
	g := s.trouble(got)
	if g == nil {
		return fmt.Errorf("another kind of error: %w", got)
	}
	if s.like != nil {
		w.Path, g.Path = paths.Compared(w.Path, g.Path)
		if !reading || e.Kind == interp.ErrNotCanonical {
			w.Expected, w.Found, g.Expected, g.Found = "", "", "", ""
		}
	}
	// Generated code does not name the row of the bits and its limits.
	bits := e.Kind == interp.ErrRange && g.Expected == "a number that fits its bits" && strings.HasPrefix(w.Expected, "a number from 0 to ")
	if bits {
		w.Expected, w.Found = g.Expected, g.Found
	}
	if !reflect.DeepEqual(w, g) {
		return fmt.Errorf("refused otherwise:\nwant %+v\n got %+v", *w, *g)
	}
	if s.like == nil && !bits && !strings.HasPrefix(want.Error(), strings.TrimSuffix(got.Error(), ")")) {
		return fmt.Errorf("refused in other words:\nwant %s\n got %s", want, got)
	}
	return nil
}

func show(v interp.Value) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%d", v.Kind(), v.Tag())
	switch {
	case v.Kind() == interp.Text || v.Kind() == interp.Lanes || v.Kind() == interp.Packed:
		fmt.Fprintf(&b, "%s %x", v.Scalar(), v.Bytes())
	case v.Kind() < interp.Text:
		fmt.Fprintf(&b, " %x", v.Uint())
	}
	for i, c := range v.Cells() {
		if b.Len() > 4000 {
			b.WriteString("…")
			break
		}
		fmt.Fprintf(&b, "[%d:%s]", i, show(c))
	}
	return b.String()
}

// misplaced returns a part that does not belong where v is.
func (s *subject) misplaced(v interp.Value) interp.Value {
	switch s.rng.IntN(12) {
	case 0:
		return interp.Value{}
	case 1:
		return v.WithTag(uint16(s.rng.IntN(60)))
	case 2:
		return interp.MakeInt(v.Tag(), int64(s.rng.Uint64())>>s.rng.IntN(64))
	case 3:
		return interp.MakeUint(v.Tag(), s.rng.Uint64()>>s.rng.IntN(64))
	case 4:
		return interp.MakeText(v.Tag(), spoil.Text(s.rng))
	case 5:
		return interp.MakeUnit(v.Tag())
	case 6:
		return interp.MakeFloat(v.Tag(), 0.1)
	case 7:
		return interp.MakeLanes(v.Tag(), bytecode.F64, make([]byte, 8*(1+s.rng.IntN(16))))
	case 8:
		return interp.MakePacked(v.Tag(), bytecode.I32, 1+s.rng.IntN(3), make([]byte, 4*s.rng.IntN(10)))
	case 9:
		if cells := v.Cells(); len(cells) > 0 {
			other := []func(uint16, []interp.Value) interp.Value{interp.MakeList, interp.MakeMap, interp.MakeRecord}[s.rng.IntN(3)]
			return other(v.Tag(), cells[:s.rng.IntN(len(cells)+1)])
		}
		return interp.MakeRecord(v.Tag(), make([]interp.Value, s.rng.IntN(4)))
	}
	w := s.pool.Part(v.WithWide(true))
	if s.rng.IntN(2) == 0 {
		w = w.WithTag(v.Tag())
	}
	return w
}

// deep checks the limit on nesting: packets that nest as deeply as is allowed,
// and one level more.
func (s *subject) deep() error {
	g, err := s.m.NewGenerator(interp.GenerateOptions{MaxBytes: 200})
	if err != nil {
		return nil // the schema has no value, or none without permissions
	}
	for range 200 {
		c := make(interp.Choices, 200)
		for i := range c {
			c[i] = byte(s.rng.Uint32())
		}
		v, _ := g.Generate(c)
		for _, wrap := range []func(interp.Value) interp.Value{
			func(x interp.Value) interp.Value { return interp.MakeList(v.Tag(), []interp.Value{x}) },
			func(x interp.Value) interp.Value { return interp.MakeMap(v.Tag(), []interp.Value{x, x.WithWide(true)}) },
		} {
			if k := v.Kind(); k != interp.List && k != interp.Map {
				continue
			}
			if wrap(v).Kind() != v.Kind() {
				continue
			}
			x := v
			levels := 40
			if v.Kind() == interp.List {
				levels = 1030
			} else {
				levels = 8
			}
			for n := range levels {
				x = wrap(x)
				if n > 1015 || n < 12 {
					if err := s.write(x, options{}); err != nil {
						return err
					}
					if b, err := s.m.Encode(x, interp.Options{MaxDepth: 4000}); err == nil {
						if err := s.read(b, options{}); err != nil {
							return err
						}
					}
				}
			}
			return nil
		}
	}
	return nil
}
