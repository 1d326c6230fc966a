// Modules of a language as an implementation of the conformance protocol.

package generated

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// Modules are generated modules of schemas, loaded by a peer. They are an
// implementation of the conformance protocol. Close ends the peer.
type Modules struct {
	peer    *Peer
	about   protocol.About
	dialect func(*model.Model) Dialect

	mu    sync.Mutex
	known map[string]*module
}

// module is what is needed to ask for one schema.
type module struct {
	spec  string
	codec *codec.Codec
	show  *Shower
	loose *Shower // for values that are not of the schema
}

// open returns the options of all gates, or of no gate.
func (m *module) open(gates bool) []string {
	if !gates {
		return nil
	}
	return m.show.Gates(m.show.Model)
}

// newModules returns modules that a peer has loaded.
func newModules(language string, specs []string, peer *Peer, dialect func(*model.Model) Dialect) *Modules {
	return &Modules{
		peer: peer, dialect: dialect, known: map[string]*module{},
		about: about(language, specs),
	}
}

// about says what generated code is.
func about(language string, specs []string) protocol.About {
	return protocol.About{
		Protocol: protocol.Version, Name: "generated " + language, Language: language, Link: "https://github.com/octable/octable",
		Ops: []protocol.Op{protocol.Decode, protocol.Encode, protocol.Recode}, Specs: slices.Clone(specs), Objects: true,
	}
}

// format is a schema and its codec.
type format struct {
	schema *schema.Schema
	codec  *codec.Codec
}

// model returns the model of a format for the choice that its codec has.
func (f format) model() (*model.Model, error) {
	s, err := f.schema.With(raw.Program(f.codec).Choice)
	if err != nil {
		return nil, err
	}
	return model.New(s, raw.Program(f.codec))
}

// formats are those that were loaded, since parsing takes its time.
var formats sync.Map // of ids to functions that return a format

// formatOf returns one of the project's schemas, or one that [Use] has added.
func formatOf(spec string) (format, error) {
	load, _ := formats.LoadOrStore(spec, sync.OnceValues(func() (format, error) {
		c, err := codec.Load(spec)
		if err != nil {
			return format{}, err
		}
		s, err := compile.Load(c.Schema())
		return format{s, c}, err
	}))
	return load.(func() (format, error))()
}

// Use adds the schema in a file, which must leave no choice, and returns its id.
func Use(path string) (spec string, err error) {
	s, err := compile.Load(path)
	if err != nil {
		return "", err
	}
	return s.ID, Add(s.ID, s)
}

// Add makes a schema available under a name, for the choice that it is resolved for.
func Add(spec string, s *schema.Schema) error {
	p, err := compile.Schema(s)
	if err != nil {
		return err
	}
	c, err := raw.Codec(p)
	if err != nil {
		return err
	}
	formats.Store(spec, func() (format, error) { return format{s, c}, nil })
	return nil
}

// Drop removes a schema that [Add] has added.
func Drop(spec string) { formats.Delete(spec) }

// ModelOf returns the model of one of the project's schemas, or of one that [Use] has added.
func ModelOf(spec string) (*model.Model, error) {
	f, err := formatOf(spec)
	if err != nil {
		return nil, err
	}
	return f.model()
}

func (m *Modules) module(spec string) (*module, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known := m.known[spec]; known != nil {
		return known, nil
	}
	if !slices.Contains(m.about.Specs, spec) {
		return nil, &protocol.Lack{What: fmt.Sprintf("the schema %q, of which there is no module", spec)}
	}
	f, err := formatOf(spec)
	if err != nil {
		return nil, err
	}
	mod, err := f.model()
	if err != nil {
		return nil, err
	}
	c := f.codec
	known := &module{spec: spec, codec: c, show: NewShower(c, mod, m.dialect(mod)), loose: NewShower(c, mod, m.dialect(mod))}
	known.loose.loose = true
	m.known[spec] = known
	return known, nil
}

// Close ends the peer.
func (m *Modules) Close() error { return m.peer.Close() }

// About implements [protocol.Implementation].
func (m *Modules) About() protocol.About { return m.about }

// ask asks the peer. A refusal is a [protocol.Refusal].
func (m *Modules) ask(q Request) (Answer, error) {
	a, err := m.peer.Ask(q)
	if err != nil {
		panic(err) // which is a crash to the runner, as it should be
	}
	if e := a.Error; e != nil {
		return a, &protocol.Refusal{Kind: e.Kind, Offset: e.Offset, Text: e.Message}
	}
	return a, nil
}

// Decode implements [protocol.Implementation].
func (m *Modules) Decode(spec string, b []byte, objects bool) (json.RawMessage, int, error) {
	mod, err := m.module(spec)
	if err != nil {
		return nil, 0, err
	}
	a, err := m.ask(Request{Spec: spec, Op: "decode", Bytes: hex.EncodeToString(b), Gates: mod.open(objects)})
	if err != nil {
		return nil, 0, err
	}
	v, err := mod.show.Read(a.Value)
	if err != nil {
		panic(fmt.Errorf("the value is not of the schema: %w: %s", err, text(a.Value)))
	}
	value, err := godot.AppendJSON(nil, raw.Wrap(v))
	return value, a.Used, err
}

// Encode implements [protocol.Implementation].
func (m *Modules) Encode(spec string, value json.RawMessage, objects bool) ([]byte, error) {
	mod, err := m.module(spec)
	if err != nil {
		return nil, err
	}
	v, err := godot.ParseJSON(value)
	if err != nil {
		return nil, err
	}
	shown, ok := mod.show.Show(raw.Value(v))
	if !ok {
		if nothing(raw.Value(v)) {
			return nil, &protocol.Lack{What: "nothing that has a type"}
		}
		if shown, ok = mod.loose.Show(raw.Value(v)); !ok {
			return nil, errors.New("the value cannot be shown")
		}
	}
	a, err := m.ask(Request{Spec: spec, Op: "encode", Value: shown, Gates: mod.open(objects)})
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(a.Bytes)
}

// nothing reports whether a part of a value has a type and no content
// for all that. No reader gives such a value, and no language has it: writers that take
// values of one kind write an empty arm for it.
func nothing(v interp.Value) bool {
	return v.IsNone() && v.Tag() != 0 || slices.ContainsFunc(v.Cells(), nothing)
}

// Recode implements [protocol.Implementation].
func (m *Modules) Recode(spec string, b []byte, objects bool) ([]byte, int, error) {
	mod, err := m.module(spec)
	if err != nil {
		return nil, 0, err
	}
	a, err := m.ask(Request{Spec: spec, Op: "recode", Bytes: hex.EncodeToString(b), Gates: mod.open(objects)})
	if err != nil {
		return nil, 0, err
	}
	again, err := hex.DecodeString(a.Bytes)
	return again, a.Used, err
}

// Target implements [Code].
func (m *Modules) Target() runner.Target { return runner.Local(m, 2*patience) }

// Loses implements [Code].
func (m *Modules) Loses(spec string, v codec.Value) bool {
	mod, err := m.module(spec)
	return err == nil && mod.show.Loses(raw.Value(v))
}
