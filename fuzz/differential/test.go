// Tests: one packet or value, in one direction, and what should come of it.

package differential

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// subject is one schema, and what is needed to say what should come of a packet.
type subject struct {
	spec string
	c    [2]*codec.Codec // gates closed, open
	m    *interp.Machine
	p    *bytecode.Program
	eng  *corrupt.Engine
	// byKind has the parts of values that the notation has only by their kind,
	// though they can be written. That happens with types of other formats.
	byKind map[string]bool
}

func newSubject(spec string, c *codec.Codec) (*subject, error) {
	s := &subject{spec: spec, m: raw.Machine(c), p: raw.Program(c), eng: corrupt.New(raw.Machine(c), interp.Options{})}
	for i := range s.c {
		var err error
		if s.c[i], err = c.With(codec.Options{Objects: i == 1}); err != nil {
			return nil, err
		}
	}
	return s, s.kinds()
}

// kinds finds parts of values that the notation has only by their kind; others are
// found on the way.
func (s *subject) kinds() error {
	s.byKind = map[string]bool{}
	g, err := s.m.NewGenerator(interp.GenerateOptions{Open: 0xff, MaxBytes: 256})
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 1))
	for b := range 2048 {
		c := interp.Choices{byte(b)}
		for range 24 {
			c = append(c, byte(r.Uint32()))
		}
		v, _ := g.Generate(c)
		j, err := godot.AppendJSON(nil, raw.Wrap(v))
		if err != nil {
			return err
		}
		s.learn(j)
	}
	return nil
}

// learn takes note of how the notation has a value that can be written.
func (s *subject) learn(j []byte) {
	for _, part := range partByKind.FindAll(j, -1) {
		s.byKind[string(part)] = true
	}
}

// partByKind is the beginning of a part of a value that the notation has by its kind.
var partByKind = regexp.MustCompile(`"\$type":"[^"]*",("wide":true,)?"kind":"[^"]*"`)

// said reports whether a value is said as those are that can be written.
func (s *subject) said(j []byte) bool {
	for _, part := range partByKind.FindAll(j, -1) {
		if !s.byKind[string(part)] {
			return false
		}
	}
	return true
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// test is one question.
type test struct {
	in        inputs.Input
	op        protocol.Op
	packet    []byte
	value     codec.Value // that should be read, or is to be written
	used      int
	refuse    *interp.Error // why the packet is to be refused
	canonical []byte
	other     bool // the bytes of the value represent another one
}

// tests returns the questions about an input. They are to read its packet and to write its
// value, or to write a value that has no bytes. An implementation that is exact is also asked
// to write the values of packets in a form that no writer produces, and values for which a
// writer writes others.
func (s *subject) tests(in inputs.Input, exact bool) []*test {
	if in.Packet == nil {
		if t := s.writing(in, in.Value); t != nil && (t.refuse != nil || exact) {
			return []*test{t}
		}
		return nil
	}
	t := s.read(in, in.Packet)
	all := []*test{t}
	if t.valid() || exact && t.canonical != nil {
		if w := s.writing(in, raw.Value(t.value)); w != nil {
			all = append(all, w)
		}
	}
	if exact && !in.From.IsNone() && t.refuse == nil && !exactly(t.value, raw.Wrap(in.From)) {
		if w := s.writing(in, in.From); w != nil {
			all = append(all, w)
		}
	}
	return all
}

// exactly reports whether two values are the same, apart from the width of numbers.
func exactly(a, b codec.Value) bool {
	if codec.Equal(a, b) {
		return true
	}
	relation, _, _ := vectors.Compare(a, b)
	return relation == vectors.Exact
}

// read makes a test of reading a packet.
func (s *subject) read(in inputs.Input, packet []byte) *test {
	t := &test{in: in, op: protocol.Decode, packet: packet}
	c := s.c[b2i(in.Open)]
	v, used, err := c.Decode(packet)
	if err != nil {
		errors.As(err, &t.refuse)
		return t
	}
	t.value, t.used = v, used
	t.canonical, _ = c.Encode(v)
	return t
}

// writing makes the test of writing a value, or of refusing it. It returns nil if the value has
// no bytes and writers of other implementations cannot write it in the notation.
func (s *subject) writing(in inputs.Input, v interp.Value) *test {
	j, err := godot.AppendJSONStyle(nil, raw.Wrap(v), godot.JSONStyle{Explicit: true})
	if err != nil {
		return nil
	}
	value, err := godot.ParseJSON(j) // which may be another one
	if err != nil {
		return nil
	}
	t := &test{in: in, op: protocol.Encode, value: value}
	c := s.c[b2i(in.Open)]
	if t.packet, err = c.Encode(value); err != nil {
		if !errors.As(err, &t.refuse) || !s.said(j) {
			return nil
		}
		return t
	}
	t.canonical, t.used = t.packet, len(t.packet)
	back, _, err := c.Decode(t.packet)
	if t.other = err != nil || !exactly(value, back); !t.other && bytes.Contains(j, []byte(`"kind":`)) {
		s.learn(j)
	}
	return t
}

// said is the value of a test as the notation has it.
func (t *test) said() []byte {
	j, _ := godot.AppendJSONStyle(nil, t.value, godot.JSONStyle{Explicit: true})
	return j
}

// unwritten reports whether a test is about a value that has no bytes.
func (t *test) unwritten() bool { return t.op == protocol.Encode && t.refuse != nil }

// valid reports whether the packet is just what a writer writes.
func (t *test) valid() bool { return t.refuse == nil && string(t.packet) == string(t.canonical) }

func (t *test) request(s *subject, about *protocol.About) protocol.Request {
	r := protocol.Request{Op: t.op, Spec: s.spec, Objects: t.in.Open}
	if t.op == protocol.Encode {
		r.Value, _ = godot.AppendJSONStyle(nil, t.value, godot.JSONStyle{Explicit: true, Bits: about.Reals == "bits"})
	} else {
		r.Bytes = hex.EncodeToString(t.packet)
	}
	return r
}

// types returns the names of the types that a packet has, as far as it can be read.
func (s *subject) types(packet []byte, open bool) []string {
	var all []string
	add := func(name string) {
		if name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	s.trace(packet, open, func(e *interp.Event) {
		switch {
		case e.Kind == interp.Close && e.Value.Tag() != 0:
			add(s.c[0].TypeName(codec.Type(e.Value.Tag())))
		default:
			if typ, ok := s.eng.Arm(e); ok {
				add(typ.Name)
			}
		}
	})
	slices.Sort(all)
	return all
}

// trace reports the rows of a packet, as far as it can be read.
func (s *subject) trace(packet []byte, open bool, f interp.ObserverFunc) {
	opt := interp.Options{}
	if open {
		opt.Open = 0xff
	}
	_, _, _ = s.m.DecodeObserved(packet, opt, f)
}

// headerRule is the row of the root union's word.
func (s *subject) headerRule() *bytecode.Rule {
	return &s.p.Rules[s.p.Code[s.p.Routines[s.p.Root].Start].Rule]
}

// Verdict judges an answer.
type Verdict struct {
	Outcome runner.Outcome `json:"outcome"`
	Row     string         `json:"row,omitempty"`  // of the schema where the difference is
	Kind    string         `json:"kind,omitempty"` // of difference at this row
	Path    string         `json:"path,omitempty"` // in the value
	Offset  int            `json:"offset"`         // in the packet
	Detail  string         `json:"detail,omitempty"`
}

// Wrong reports whether the schema does not allow the answer.
func (v *Verdict) Wrong() bool {
	switch v.Outcome {
	case runner.Exact, runner.SameValue, runner.RefusedRightly, runner.Unsupported:
		return false
	}
	return true
}

// kind says what is special about a test, beside its row.
func (t *test) kind() string {
	switch {
	case t.refuse != nil:
		return t.refuse.Word()
	case !t.valid():
		return "acceptable"
	case t.op == protocol.Encode:
		return "written"
	}
	return "valid"
}

// judge says what a reply to a test is worth.
func (s *subject) judge(j *runner.Judge, t *test, r process.Reply) Verdict {
	c := s.question(t)
	return s.verdict(j, t, &c, r)
}

// verdict is judge, for a test whose case was made before.
func (s *subject) verdict(j *runner.Judge, t *test, c *vectors.Case, r process.Reply) Verdict {
	res := j.Result(c, t.op, r)
	v := Verdict{Outcome: res.Outcome, Row: res.Row, Kind: t.kind(), Path: res.Path, Offset: res.Offset, Detail: res.Detail}
	switch {
	case v.Outcome == runner.Unsupported:
		v.Detail = res.Reason
	case v.Outcome == runner.Wrong && r.Answer.Used != 0 && r.Answer.Used != t.used && t.op == protocol.Decode && t.refuse == nil && v.Path == "":
		v.Kind = "used"
	}
	if v.byTypes() {
		v.Row = strings.Join(s.types(t.packet, t.in.Open), ", ")
	}
	return v
}

// question is a test as a case: as much of it as judging takes.
func (s *subject) question(t *test) vectors.Case {
	c := vectors.Case{Row: s.headerRule().Name, Level: vectors.Must, Result: vectors.Valid, Bytes: hex.EncodeToString(t.packet), Objects: t.in.Open}
	if t.refuse != nil {
		c.Result, c.Row, c.Source = vectors.Invalid, t.refuse.Rule.Name, t.refuse.Rule.File
		if t.unwritten() {
			c.Value, _ = godot.AppendJSONStyle(nil, t.value, godot.JSONStyle{Explicit: true})
		}
		c.Error = &vectors.Error{Kind: t.refuse.Word(), Offset: t.refuse.Offset, Path: t.refuse.Path, Text: t.refuse.Error()}
		return c
	}
	c.Value, _ = godot.AppendJSONStyle(nil, t.value, godot.JSONStyle{Explicit: true})
	if t.used < len(t.packet) {
		c.Used = t.used
	}
	if t.other { // it is about writing alone
		c.Bytes, c.Canonical = "", c.Bytes
	}
	if !t.valid() {
		c.Result, c.Level, c.Canonical = vectors.Acceptable, vectors.Should, hex.EncodeToString(t.canonical)
	}
	return c
}

func short(b []byte) string {
	const most = 48
	if len(b) > most {
		return fmt.Sprintf("%x… (%d bytes)", b[:most], len(b))
	}
	return fmt.Sprintf("%x", b)
}
