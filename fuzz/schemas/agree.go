// Agreement: every way to run a drawn schema gives the same.

package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/examples"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/interp"
)

// Subject is a drawn schema under one choice of its option, with its gates closed or open. Its
// name is that of the choice.
type Subject struct {
	*fuzz.Schema
	engine *corrupt.Engine    // of values; nil until one is needed
	both   [2]*fuzz.Reference // with plans and without; nil until they are needed
}

// Options returns the options to read and write with.
func (s *Subject) Options() interp.Options {
	if s.Objects {
		return interp.Options{Open: 0xff}
	}
	return interp.Options{}
}

// Subjects compiles a schema for every choice of its option. It returns each with its gates
// closed and, if it has any, open.
func (d *Drawn) Subjects() ([]*Subject, error) {
	var out []*Subject
	for _, choice := range d.Schema.Choices() {
		s, err := d.Schema.With(choice)
		if err != nil {
			return nil, err
		}
		p, err := compile.Schema(s)
		if err != nil {
			return nil, fmt.Errorf("choice %q: the resolved schema does not compile: %w", choice, err)
		}
		c, err := raw.Codec(p)
		if err != nil {
			return nil, fmt.Errorf("choice %q: the program does not run: %w", choice, err)
		}
		pair, err := fuzz.NewPair(choice, s, c)
		if err != nil {
			return nil, fmt.Errorf("choice %q: %w", choice, err)
		}
		for _, f := range pair.All() {
			out = append(out, &Subject{Schema: f})
		}
	}
	return out, nil
}

// Kind is the origin of a packet.
type Kind string

// The origins of packets.
const (
	Encoded Kind = "encoded"
	Damaged Kind = "damaged"
	Cut     Kind = "cut"
	Noise   Kind = "noise"
)

// Packet is bytes that are drawn for a subject.
type Packet struct {
	Kind    Kind
	Choices interp.Choices // of the value
	Bytes   []byte
}

// Packets draws packets for a subject. It draws n values, the bytes of each, and for every two of
// them one packet that is damaged, cut or noise. The choices determine all of them.
func (s *Subject) Packets(c interp.Choices, n int) []Packet {
	r := fuzz.Random(c)
	var out []Packet
	noise := func() {
		b := make([]byte, r.IntN(24))
		for i := range b {
			b[i] = byte(r.Uint32()) >> r.IntN(8)
		}
		out = append(out, Packet{Kind: Noise, Bytes: b})
	}
	if s.NoValue != nil {
		for range n {
			noise()
		}
		return out
	}
	for i := range n {
		choices := make(interp.Choices, r.IntN(16<<(i%3)))
		for k := range choices {
			choices[k] = byte(r.Uint32())
		}
		v := s.Value(choices)
		b, err := s.Codec.Encode(v)
		if err != nil {
			out = append(out, Packet{Kind: Encoded, Choices: choices})
			continue
		}
		out = append(out, Packet{Encoded, choices, b})
		if i%4 == 1 {
			with := s.marked(r, b, raw.Value(v))
			if with == nil || r.IntN(2) == 0 {
				with = nudged(r, b)
			}
			out = append(out, Packet{Kind: Damaged, Bytes: with})
		}
		switch {
		case i%2 == 0 || len(b) > 1<<10:
		case i%8 == 5:
			noise()
		case i%8 == 7 && len(b) > 0:
			out = append(out, Packet{Kind: Cut, Bytes: b[:r.IntN(len(b))]})
		default:
			if with, ok := s.damage().Draw(r, b); ok {
				out = append(out, Packet{Kind: Damaged, Bytes: with})
			}
		}
	}
	return out
}

// marked returns a packet with a byte order mark at the beginning of a text in its value. The
// mark may also be in place of a text. Sometimes a malformed byte is behind it. It returns nil
// if there is no such text.
func (s *Subject) marked(r *rand.Rand, packet []byte, v interp.Value) []byte {
	const mark, alone = "\ufeff", "a=a"
	if r.IntN(3) == 0 {
		if w, ok := withText(v, alone); ok {
			if b, err := raw.Machine(s.Codec).Encode(w, s.Options()); err == nil {
				return bytes.Replace(b, []byte(alone), []byte(mark), 1)
			}
		}
	}
	var all []string
	var walk func(interp.Value)
	walk = func(v interp.Value) {
		if v.Kind() == interp.Text && len(v.Text()) >= len(mark) {
			all = append(all, v.Text())
		}
		for _, c := range v.Cells() {
			walk(c)
		}
	}
	if walk(v); len(all) == 0 {
		return nil
	}
	text := all[r.IntN(len(all))]
	at := bytes.Index(packet, []byte(text))
	if at < 0 { // in another charset
		return nil
	}
	out := bytes.Clone(packet)
	copy(out[at:], mark)
	if len(text) > len(mark) && r.IntN(2) == 0 {
		out[at+len(mark)] = 0xff
	}
	return out
}

// withText returns a value with another text in place of the first one. It is not ok without one.
func withText(v interp.Value, text string) (interp.Value, bool) {
	if v.Kind() == interp.Text {
		return interp.MakeText(v.Tag(), text), true
	}
	for i, c := range v.Cells() {
		if w, ok := withText(c, text); ok {
			cells := slices.Clone(v.Cells())
			cells[i] = w
			return v.WithCells(cells), true
		}
	}
	return v, false
}

// nudged returns a packet in which a small number is less. Half of the time it leaves out as many
// zero bytes behind it, as if they had never been in a region.
func nudged(r *rand.Rand, packet []byte) []byte {
	var small, zeros []int
	for i, x := range packet {
		if x > 0 && x < 64 {
			small = append(small, i)
		}
	}
	out := bytes.Clone(packet)
	if len(small) == 0 {
		return out
	}
	at := small[r.IntN(len(small))]
	n := min(1+r.IntN(3), int(out[at]))
	out[at] -= byte(n)
	for i := at + 1; i+n <= len(out); i++ {
		if len(bytes.Trim(out[i:i+n], "\x00")) == 0 {
			zeros = append(zeros, i)
		}
	}
	if len(zeros) > 0 && r.IntN(2) == 0 {
		i := zeros[r.IntN(len(zeros))]
		out = slices.Delete(out, i, i+n)
	}
	return out
}

// damage returns the engine that damages packets and values of the schema.
func (s *Subject) damage() *corrupt.Engine {
	if s.engine == nil {
		s.engine = corrupt.New(raw.Machine(s.Codec), s.Options())
	}
	return s.engine
}

// Disagreement is a law that does not hold for a drawn schema.
type Disagreement struct {
	Law     string
	Choice  string // of the option
	Open    bool   // gates are open
	Packet  []byte // nil if it is about a value, or about the schema alone
	Choices interp.Choices
	Err     error

	laws *regexp.Regexp // that are checked; nil are all
}

func (e *Disagreement) Error() string {
	out := "law " + e.Law
	if e.Choice != "" {
		out += ", choice " + e.Choice
	}
	if e.Open {
		out += ", gates open"
	}
	if e.Choices != nil {
		out += fmt.Sprintf(", choices %x", []byte(e.Choices))
	} else if e.Packet != nil {
		out += fmt.Sprintf(", packet %x", e.Packet)
	}
	return out + ": " + e.Err.Error()
}

// agreement are the laws of package fuzz about the ways to run a schema, which hold for every
// schema.
var agreement = []string{"assembler", "reference, reading", "reference, writing", "fused", "saved", "modes", "reuse", "structs"}

// canonical are the laws of package fuzz about what a writer writes. They hold for every schema
// that was not damaged. Others are about Go values and notations of the format, or hold only if a
// reader accepts what a writer can write; [stable] and [bounded] are in their place. "either form"
// is left out: a stored size or a condition may allow a number in its wide form only, or all pairs
// with the same key.
var canonical = []string{"round trip", "canonical form", "kept form", "truncation", "choices", "strict", "trailing", "cut", "names"}

// Agree draws packets for a schema and checks all laws on them. The error is a
// [*Disagreement]. Measure, if it is not nil, is called for every packet.
func Agree(d *Drawn, c interp.Choices, measure func(*Subject, Packet, error)) error {
	return AgreeOn(d, c, nil, measure)
}

// AgreeOn is Agree for the laws whose names match an expression, which is nil for all.
func AgreeOn(d *Drawn, c interp.Choices, laws *regexp.Regexp, measure func(*Subject, Packet, error)) error {
	return try(laws, func(at *Disagreement) error {
		if err := at.law("examples", func() error { return exemplary(d) }); err != nil {
			return err
		}
		if err := at.law("history", d.unsplit); err != nil {
			return err
		}
		if err := at.law("import", func() error { return d.sameImported(c) }); err != nil {
			return err
		}
		if err := at.law("wrong schemas", func() error { return d.refused(fuzz.Random(c), 2) }); err != nil {
			return err
		}
		return d.agree(at, c, false, measure)
	})
}

// AgreeDamaged is Agree for a schema that was damaged. Its examples need not hold, and a reader
// may read a written value as another one. Every way to run it still gives the same.
func AgreeDamaged(d *Drawn, c interp.Choices) error {
	return try(nil, func(at *Disagreement) error { return d.agree(at, c, true, nil) })
}

// try calls check, which sets the law and the packet in at before it checks them. It returns an
// error or a panic as a [*Disagreement]. The laws are all if they are nil.
func try(laws *regexp.Regexp, check func(at *Disagreement) error) error {
	at := &Disagreement{laws: laws}
	if at.Err = fuzz.Safely(func() error { return check(at) }); at.Err != nil {
		return at
	}
	return nil
}

// law checks a law, unless others are to be checked.
func (e *Disagreement) law(name string, check func() error) error {
	if e.laws != nil && !e.laws.MatchString(name) {
		return nil
	}
	e.Law = name
	return check()
}

// agree checks a schema and the packets that are drawn for it.
func (d *Drawn) agree(at *Disagreement, c interp.Choices, damaged bool, measure func(*Subject, Packet, error)) error {
	if err := at.law("formatted", func() error { return formatted(d) }); err != nil {
		return err
	}
	if err := at.law("bound", d.bound); err != nil {
		return err
	}
	at.Law = "compiled"
	subjects, err := d.Subjects()
	if err != nil {
		return err
	}
	for _, s := range subjects {
		at.Choice, at.Open = raw.Program(s.Codec).Choice, s.Objects
		if err := at.law("least", s.least); err != nil {
			return err
		}
		if err := at.law("saved program", s.savedProgram); err != nil {
			return err
		}
		packets := s.Packets(c, 16)
		for _, p := range packets {
			at.Packet, at.Choices = p.Bytes, p.Choices
			read, err := s.check(at, p, damaged)
			if err != nil {
				return err
			}
			if measure != nil {
				measure(s, p, read)
			}
		}
		at.Packet, at.Choices = nil, nil
		if err := s.every(at, packets, fuzz.Random(c)); err != nil {
			return err
		}
	}
	return nil
}

// check checks all laws on a packet, and on the values that are drawn from its choices. It
// returns the error of reading the packet.
func (s *Subject) check(at *Disagreement, p Packet, damaged bool) (read, err error) {
	laws := agreement
	if !damaged {
		laws = slices.Concat(agreement, canonical)
	}
	for _, name := range laws {
		if err := at.law(name, func() error { return s.law(name, p) }); err != nil {
			return nil, err
		}
	}
	if err := at.law("values", func() error { return s.variants(p) }); err != nil {
		return nil, err
	}
	if err := at.law("gates", func() error { return s.gates(p.Bytes) }); err != nil {
		return nil, err
	}
	v, used, read := raw.Machine(s.Codec).Decode(p.Bytes, s.Options())
	if !damaged {
		if err := at.law("stable", func() error { return s.stable(p, v, read) }); err != nil {
			return nil, err
		}
	}
	return read, at.law("bounded", func() error { return s.bounded(p.Bytes, v, used, read) })
}

// law checks a law of package fuzz.
func (s *Subject) law(name string, p Packet) error {
	l := fuzz.LawNamed(name)
	if l.Packet != nil {
		return l.Packet(s.Schema, p.Bytes)
	}
	if p.Kind != Encoded {
		return nil
	}
	for _, v := range s.Drawn(l, p.Choices) {
		if err := l.Value(s.Schema, v); err != nil {
			return err
		}
	}
	return nil
}

// stable checks that a value that is read and written is read and written again as the same bytes.
// It does so with and without kept widths, but not for texts that begin with a byte order mark; v
// and err are the result of reading the packet. Writing may fail only for a packet that a writer
// did not write: a reader may accept numbers that a writer computes otherwise.
func (s *Subject) stable(p Packet, v interp.Value, err error) error {
	m := raw.Machine(s.Codec)
	var e *interp.Error
	switch {
	case err != nil && (!errors.As(err, &e) || e.Word() == "" || e.Offset < 0 || e.Offset > len(p.Bytes) || e.Rule.Name == ""):
		return fmt.Errorf("the error has no kind, place or rule: %w", err)
	case err != nil || s.Marked(v):
		return nil
	}
	for _, keep := range []bool{false, true} {
		opt := s.Options()
		opt.KeepWidths = keep
		b, err := m.Encode(v, opt)
		switch {
		case err == nil:
		case p.Kind != Encoded && (errors.Is(err, interp.ErrMismatch) || errors.Is(err, interp.ErrRange) || errors.Is(err, interp.ErrValue) || errors.Is(err, interp.ErrClosed)):
			return nil
		default:
			return fmt.Errorf("what is read is not written: %w", err)
		}
		w, used, err := m.Decode(b, opt)
		if err != nil || used != len(b) {
			return fmt.Errorf("written as %x, of which %d bytes are read: %w", b, used, errors.Join(err, errNot))
		}
		again, err := m.Encode(w, opt)
		if err != nil || !bytes.Equal(b, again) {
			return fmt.Errorf("written as %x, then as %x: %w", b, again, errors.Join(err, errNot))
		}
	}
	return nil
}

var errNot = errors.New("it is not stable")

// bounded checks that a limit of memory or depth either changes nothing or refuses with its error.
// This must be the same with plans and without; v, used and err are the result without a limit.
func (s *Subject) bounded(b []byte, v interp.Value, used int, err error) error {
	m := raw.Machine(s.Codec)
	for _, limit := range []interp.Options{{MaxMemory: 1}, {MaxMemory: 2*len(b) + 20}, {MaxMemory: 20*len(b) + 100}, {MaxDepth: 1}, {MaxDepth: 2}} {
		limit.Open = s.Options().Open
		w, n, err2 := m.Decode(b, limit)
		x, k, err3 := s.Unfused().Decode(b, limit)
		if err := fuzz.Outcome(w, n, err2, x, k, err3); err != nil {
			return fmt.Errorf("with %+v, without plans: %w", limit, err)
		}
		if errors.Is(err2, interp.ErrLimit) || errors.Is(err2, interp.ErrDepth) {
			continue
		}
		if err := fuzz.Outcome(v, used, err, w, n, err2); err != nil {
			return fmt.Errorf("with %+v: %w", limit, err)
		}
	}
	return nil
}

// formatted checks that the text of a schema after formatting gives the same programs, and
// that formatting is stable.
func formatted(d *Drawn) error {
	again := &Drawn{}
	for _, f := range d.Files {
		file, err := d.parse(f)
		if err != nil {
			return err
		}
		once := dsl.Format(file)
		file, err = dsl.Parse(f.ID+".oct", once)
		if err != nil {
			return fmt.Errorf("the formatted text of %s does not parse: %w\n%s", f.ID, err, once)
		}
		if twice := dsl.Format(file); !bytes.Equal(once, twice) {
			return fmt.Errorf("%s formatted again is another text:\n%s\nand\n%s", f.ID, once, twice)
		}
		again.Files = append(again.Files, File{f.ID, string(once)})
	}
	other := Resolve(again.Files)
	if other.Err != nil {
		return fmt.Errorf("the formatted text does not resolve: %w\n%s", other.Err, other)
	}
	for _, choice := range d.Schema.Choices() {
		a, err := program(d.Schema, choice)
		if err != nil {
			return err
		}
		b, err := program(other.Schema, choice)
		if err != nil {
			return err
		}
		if a.Hash() != b.Hash() {
			return fmt.Errorf("choice %q: the formatted text has another program:\n%s", choice, other)
		}
	}
	return nil
}

// exemplary checks that the examples of a schema hold.
func exemplary(d *Drawn) error {
	for _, choice := range d.Schema.Choices() {
		results, err := examples.Run(d.Schema, choice)
		if err != nil {
			return err
		}
		for _, r := range results {
			if !r.OK() {
				return fmt.Errorf("choice %q: %w", choice, r.Diagnostic(d.Schema))
			}
		}
	}
	return nil
}

// program compiles a schema for a choice, without the lines of its rows.
func program(s *schema.Schema, choice string) (*bytecode.Program, error) {
	s, err := s.With(choice)
	if err != nil {
		return nil, err
	}
	p, err := compile.Schema(s)
	if err != nil {
		return nil, err
	}
	for i := range p.Rules {
		p.Rules[i].Line = 0
	}
	return p, nil
}
