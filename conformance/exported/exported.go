// Package exported compares exports of schemas with the interpreter. Tools read packets
// with the exports of many schemas in one run: generated readers of Kaitai Struct in
// Node, and tshark with dissectors of Wireshark.
//
// A packet that the interpreter accepts has the same numbers and texts at the same places
// for both. A packet that it rejects is rejected by the tool, as far as the export can
// say that.
package exported

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/export"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/generated"
	"github.com/octable/octable/conformance/internal/spoil"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// Tool reads packets with exports in one format.
type Tool struct {
	Name string // of the format, as in [export.Formats]
	// open reports whether this machine has the tool; the error is a [generated.Missing] if not.
	open func() error
	// read reads the packets of all subjects.
	read func(dir string, subjects []*Subject) error
	// rejects reports whether the tool rejects packets that the interpreter rejects with this error.
	rejects func(error) bool
	same    func(packet []byte, want *part, got *Leaf) bool
	// declines reports whether an export declines a packet, as it announces.
	// err is that of the interpreter.
	declines func(s *Subject, parts []*part, got *Reading, err error) bool
	gates    uint8 // that are open
}

// Tools are the tools that there are readers for.
var Tools = []*Tool{kaitaiTool, wiresharkTool}

// Named returns the tool for a format, or nil.
func Named(name string) *Tool {
	for _, t := range Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Subject is an exported schema with packets. A subject with an error is left out.
type Subject struct {
	Name    string
	Model   *model.Model
	Program *bytecode.Program

	// Err is the first disagreement, or the error of the exporter or the tool. It is an
	// [*export.Unsupported] if the format cannot express the schema.
	Err                error
	Accepted, Rejected int // packets that were compared
	Declined           int // packets that the export announces not to read

	file     []byte
	notes    []string
	packets  [][]byte
	readings []Reading
}

// Reading is the result of a packet.
type Reading struct {
	Error  string // rejected
	Leaves []Leaf
}

// Leaf is a number, a text or bytes of a packet.
type Leaf struct {
	At, Len int
	Name    string
	Text    string // as the tool shows it
	Or      []int  // other offsets that the tool may mean by At
}

func (l *Leaf) isAt(offset int) bool { return l.At == offset || slices.Contains(l.Or, offset) }

// Check exports all subjects, has the tool read packets with all of them in one run, and
// sets their results. The packets are drawn: n of each subject, with seeds that follow each
// other. The error is about the tool as a whole; it is a [generated.Missing] if this machine
// lacks it.
func (t *Tool) Check(dir string, subjects []*Subject, n int, seed uint64) error {
	if err := t.open(); err != nil {
		return err
	}
	var exported []*Subject
	for i, s := range subjects {
		if s.Err == nil {
			s.Err = s.export(t.Name)
		}
		if s.Err == nil {
			s.Err = s.draw(n, rand.New(rand.NewPCG(seed+uint64(i), 2)), t.gates)
		}
		if s.Err == nil {
			exported = append(exported, s)
		}
	}
	if err := t.read(dir, exported); err != nil {
		return err
	}
	for _, s := range exported {
		if s.Err == nil {
			s.Err = s.compare(t)
		}
	}
	return nil
}

// export writes the file.
func (s *Subject) export(format string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the exporter panics: %v", r)
		}
	}()
	for _, f := range export.Formats {
		if f.Name == format {
			s.file, s.notes, err = f.Write(s.Model)
			return err
		}
	}
	return fmt.Errorf("there is no format %q", format)
}

// maxPacket bounds the bytes of a packet, so that it fits into one of IP.
const maxPacket = 1 << 15

// draw makes packets: of generated values, one in three of them damaged.
func (s *Subject) draw(n int, r *rand.Rand, gates uint8) error {
	m, err := interp.New(s.Program, nil)
	if err != nil {
		return err
	}
	g, err := m.NewGenerator(interp.GenerateOptions{Open: gates, MaxBytes: 400, MaxDepth: 20})
	if err != nil {
		return nil // the schema has no value, or none without permissions
	}
	e := corrupt.New(m, interp.Options{Open: gates})
	for tries := 0; len(s.packets) < n && tries < 4*n; tries++ {
		choices := make(interp.Choices, r.IntN(120))
		for i := range choices {
			choices[i] = byte(r.Uint32())
		}
		v, _ := g.Generate(choices)
		b, err := m.Encode(v, interp.Options{Open: gates})
		if err != nil {
			continue // the generator does not know all rules of writers
		}
		switch r.IntN(6) {
		case 0:
			b = spoil.Bytes(r, b)
		case 1:
			if with, ok := e.Draw(r, b); ok {
				b = with
			}
		}
		if len(b) > 0 && len(b) < maxPacket {
			s.packets = append(s.packets, b)
		}
	}
	return nil
}

// compare compares the readings with the interpreter.
func (s *Subject) compare(t *Tool) error {
	m, err := interp.New(s.Program, nil)
	if err != nil {
		return err
	}
	if len(s.readings) != len(s.packets) {
		return fmt.Errorf("the tool reports %d packets of %d", len(s.readings), len(s.packets))
	}
	for i, b := range s.packets {
		got := &s.readings[i]
		var want []*part
		var padding [][2]int
		_, _, err := m.DecodeObserved(b, interp.Options{Open: t.gates}, interp.ObserverFunc(func(e *interp.Event) {
			switch {
			case e.Len == 0:
			case e.Kind == interp.Row:
				want = s.expand(want, e)
			case e.Kind == interp.Padding:
				padding = append(padding, [2]int{e.Offset, e.Offset + e.Len})
			}
		}))
		got.Leaves = slices.DeleteFunc(got.Leaves, func(l Leaf) bool {
			return slices.ContainsFunc(padding, func(p [2]int) bool { return p[0] <= l.At && l.At+l.Len <= p[1] })
		})
		if t.declines(s, want, got, err) {
			s.Declined++
			continue
		}
		if err != nil {
			s.Rejected++
			if got.Error == "" && t.rejects(err) {
				return fmt.Errorf("packet %x is accepted, but the interpreter rejects it: %w", b, err)
			}
			continue
		}
		s.Accepted++
		if got.Error != "" {
			return fmt.Errorf("packet %x is rejected: %s", b, got.Error)
		}
		for i := range max(len(want), len(got.Leaves)) {
			switch {
			case i >= len(want):
				return fmt.Errorf("packet %x: part %d is %+v; the interpreter has %d parts", b, i, got.Leaves[i], len(want))
			case i >= len(got.Leaves):
				return fmt.Errorf("packet %x: part %d is missing, expected %+v", b, i, *want[i])
			}
			if w, g := want[i], &got.Leaves[i]; !g.isAt(w.at) || g.Len != w.n || !t.same(b, w, g) {
				return fmt.Errorf("packet %x: part %d is %+v, expected %+v", b, i, *g, *w)
			}
		}
	}
	return nil
}

// part is a number, a text or bytes as the interpreter reads it.
type part struct {
	at, n  int
	width  int // bytes of the bits
	kind   partKind
	bits   uint64 // of a number, sign-extended
	signed bool   // a number is known to be signed
	real   float64
	text   string
}

type partKind uint8

const (
	whole partKind = iota
	float
	truth
	letters // a code
	text
	raw
)

// expand adds the parts of a row.
func (s *Subject) expand(to []*part, e *interp.Event) []*part {
	v := e.Value
	coding := s.Program.Code[e.PC].Coding()
	add := func(p part) {
		if p.width = p.n; coding != builtin.Fixed {
			p.width = coding.Scalar().Width()
		}
		to = append(to, &p)
	}
	switch v.Kind() {
	case interp.Lanes, interp.Packed:
		width := v.Scalar().Width()
		if v.Kind() == interp.Packed && v.Scalar() == bytecode.U8 && v.Width() == 1 {
			add(part{at: e.Offset, n: e.Len, kind: raw, text: string(v.Bytes())})
			return to
		}
		for i := range e.Len / width {
			p := part{at: e.Offset + i*width, n: width, bits: uint64(v.LaneInt(i)), signed: v.Scalar().Signed()}
			switch {
			case v.Scalar().IsFloat():
				p.kind, p.real = float, v.LaneFloat(i)
			case v.Scalar() == bytecode.Code4:
				p.kind, p.bits = letters, v.LaneBits(i)
			}
			add(p)
		}
	case interp.Text:
		add(part{at: e.Offset, n: e.Len, kind: text, text: v.Text()})
	case interp.Float:
		add(part{at: e.Offset, n: e.Len, kind: float, real: v.Float()})
	case interp.Int, interp.Uint:
		add(part{at: e.Offset, n: e.Len, bits: v.Uint(), signed: v.Kind() == interp.Int})
	case interp.Bool:
		add(part{at: e.Offset, n: e.Len, kind: truth})
	default:
		add(part{at: e.Offset, n: e.Len, bits: e.Number})
	}
	return to
}

// sameBits reports whether numbers are equal in a width in bytes.
func sameBits(a, b uint64, width int) bool { return (a^b)<<(64-8*width) == 0 }

// structural reports whether an error is about the structure of a packet.
func structural(err error) bool {
	return errors.Is(err, interp.ErrTruncated) || errors.Is(err, interp.ErrType) || errors.Is(err, interp.ErrValue)
}

// needs returns an error unless a command is installed.
func needs(command string) error {
	if _, err := exec.LookPath(command); err != nil {
		return generated.Missing(command + " is not installed")
	}
	return nil
}
