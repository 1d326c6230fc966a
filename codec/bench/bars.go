// The bars: what the measurement has to show.

package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/document"
	"github.com/octable/octable/codec/bench/generated"
	"github.com/octable/octable/codec/bench/suite"
)

// Kind says what a bar compares.
type Kind string

// The kinds of bar.
const (
	Slower   Kind = "time over base, at most"          // time of the subject / time of the base
	Faster   Kind = "times as fast, at least"          // time of the base / time of the subject
	Growth   Kind = "time per part over base, at most" // the same as Slower, divided by how much more the subject does
	Allocs   Kind = "allocations, at most"
	Nanos    Kind = "nanoseconds, at most"
	Speedup2 Kind = "speed-up on two cores, at least"
)

// Bar is one row of what has to be reached. Names are names of cases.
type Bar struct {
	ID      string
	Title   string
	Kind    Kind
	Subject string
	Base    []string // the fastest of them counts
	Limit   float64
	Parts   float64 // Growth: how many times the work of the base the subject does
	Control string  // Faster, Growth: where this case misses the bar as well, the machine cannot show it
	Less    string  // Growth: what Control is compared with, the same code with the work of the base
}

// Ours is the name of octable's cases.
const Ours = "octable"

// Generated is the name of the cases of code that octable generates.
const Generated = generated.Impl

// Bars lists all bars: octable's in the order of what they compare, then those of the
// code that it generates.
func Bars() []Bar {
	l := &barList{}
	l.variants()
	l.memory()
	l.rivals()
	l.generated()
	l.formats()
	l.titles()
	return l.bars
}

// barList is the bars so far.
type barList struct{ bars []Bar }

// name returns the name of a case.
func name(w, direction, impl string) string { return w + "/" + direction + "/" + impl }

// of adds a bar of a subject.
func (l *barList) of(subject, id string, kind Kind, limit float64, w, direction string, impls ...string) {
	b := Bar{ID: id, Kind: kind, Limit: limit, Subject: name(w, direction, subject), Parts: 1}
	for _, i := range impls {
		b.Base = append(b.Base, name(w, direction, i))
	}
	l.bars = append(l.bars, b)
}

// add adds a bar of the interpreter.
func (l *barList) add(id string, kind Kind, limit float64, w, direction string, impls ...string) {
	l.of(Ours, id, kind, limit, w, direction, impls...)
}

// best adds a bar of generated code, which the fastest of some cases is the base of.
func (l *barList) best(id, w, direction string, impls ...string) {
	l.of(Generated, id, Slower, 1, w, direction, impls...)
}

// faster adds bars of the interpreter over other libraries.
func (l *barList) faster(id, direction, control string, impls []string, limits ...float64) {
	for i, impl := range impls {
		l.add(id, Faster, limits[i], "game", direction, impl)
		l.bars[len(l.bars)-1].Control = name("game", direction, control)
	}
}

// variants adds the bars of values and structs of Godot's format, and of records that run by plans.
func (l *barList) variants() {
	// Generic decode over the best that is written by hand, with any technique.
	byHand := []string{"hand-recursive-raw", "hand-iterative-raw", "hand-recursive", "hand-iterative"}
	l.add("D1", Slower, 1.15, "game", cases.DecodeValue, byHand...)
	for _, w := range []string{"rpc", "nest", "ints"} {
		l.add("D2", Slower, 1.25, w, cases.DecodeValue, byHand...)
	}
	l.add("D3", Slower, 0.55, "game", cases.DecodeValue, Ours+"-unfused")

	// Structs.
	l.add("D4", Slower, 0.75, "game", cases.DecodeStruct, "hand-idiomatic")
	l.add("D5", Slower, 1.35, "game", cases.DecodeStruct, "hand-straight")
	l.add("D6", Slower, 0.80, "game-permuted", cases.DecodeStruct, "hand-idiomatic")

	// Streams of frames over a Mapper.
	l.bars = append(l.bars,
		Bar{ID: "D7", Kind: Slower, Limit: 1.2, Parts: 1, Subject: name("game", cases.DecodeStream, Ours), Base: []string{name("game", cases.DecodeStruct, Ours)}},
		Bar{ID: "E4", Kind: Slower, Limit: 1.2, Parts: 1, Subject: name("game", cases.EncodeStream, Ours), Base: []string{name("game", cases.EncodeStruct, Ours)}})
	l.add("A1", Allocs, 0, "game", cases.DecodeStream)
	l.add("A1", Allocs, 0, "game", cases.EncodeStream)

	// One value of a packet over all of it.
	l.bars = append(l.bars,
		Bar{ID: "D8", Kind: Slower, Limit: 0.7, Parts: 1, Subject: name("game", cases.GetLast, Ours), Base: []string{name("game", cases.DecodeValue, Ours)}},
		Bar{ID: "D8", Kind: Slower, Limit: 0.2, Parts: 1, Subject: name("game", cases.GetLast, Ours), Base: []string{name("game", cases.DecodeValueFresh, Ours)}})

	// Generic encode.
	l.add("E1", Slower, 0.90, "game", cases.EncodeValue, "hand-append")
	for _, w := range []string{"rpc", "game", "nest", "ints"} {
		l.add("E2", Slower, 1.20, w, cases.EncodeValue, "hand-single-pass-raw", "hand-single-pass")
	}
	l.add("E3", Slower, 1.05, "game", cases.EncodeStruct, "hand-append")

	// Records of any shape, which run by plans: over the same cells filled and written by
	// hand, and over the same structs.
	for _, w := range []string{"batch-little", "batch-big"} {
		l.add("R1", Slower, 1.5, w, cases.DecodeValue, "hand")
		l.add("R2", Slower, 1.5, w, cases.EncodeValue, "hand")
		l.add("R3", Slower, 1.5, w, cases.DecodeStruct, "hand")
		l.add("R4", Slower, 1.3, w, cases.EncodeStruct, "hand")
	}
}

// memory adds the bars of packed arrays and of allocations.
func (l *barList) memory() {
	// Packed arrays: bandwidth over that of memcpy.
	for _, w := range []string{"vec3-64K", "vec3-12M"} {
		l.add("P1", Faster, 0.90, w, cases.DecodePacked, "memcpy")
		l.add("P1", Faster, 0.90, w, cases.EncodePacked, "memcpy")
	}
	l.add("P3", Allocs, 0, "vec3-12M", cases.DecodePackedAlias)
	l.add("P3", Allocs, 0, "bytes-16M", cases.DecodePackedAlias)
	l.bars = append(l.bars, Bar{ID: "P3", Kind: Growth, Limit: 1.25, Parts: 1,
		Subject: name("vec3-12M", cases.DecodePackedAlias, Ours),
		Base:    []string{name("vec3-64K", cases.DecodePackedAlias, Ours)}})

	// Allocations.
	for _, w := range []string{"rpc", "game", "nest", "ints"} {
		l.add("A1", Allocs, 0, w, cases.DecodeValue)
		l.add("A1", Allocs, 0, w, cases.EncodeValue)
	}
	for _, w := range []string{"batch-little", "batch-big"} {
		for _, direction := range []string{cases.DecodeValue, cases.EncodeValue, cases.DecodeStruct, cases.EncodeStruct} {
			l.add("A1", Allocs, 0, w, direction)
		}
	}
	l.add("A1", Allocs, 0, "game", cases.DecodeStruct)
	l.add("A1", Allocs, 0, "game", cases.EncodeStruct)
	l.add("A2", Allocs, 1, "game", cases.EncodeStructFresh)
	l.add("A2", Allocs, 1, "game", cases.EncodeValueFresh)
	l.add("A2", Allocs, 16, "game", cases.DecodeValueFresh)
}

// rivals adds the bars over other formats, libraries and engines, and those of growth and of two cores.
func (l *barList) rivals() {
	// Other formats and libraries.
	l.faster("X1", cases.DecodeStructFresh, "hand-straight-one-copy", []string{"msgp", "protobuf", "msgpack", "json"}, 1.2, 2.5, 5, 15)
	l.faster("X2", cases.DecodeValueFresh, "hand-recursive-raw", []string{"msgp", "msgpack", "cbor", "json"}, 2.5, 4, 5, 9)
	l.faster("X3", cases.EncodeStructFresh, "hand-straight-raw", []string{"msgp", "protobuf", "cbor", "json"}, 0.9, 1.5, 2.5, 8)
	l.faster("X4", cases.EncodeValueFresh, "hand-single-pass-raw", []string{"msgp", "cbor", "msgpack", "json"}, 2.5, 6, 6, 15)

	l.add("X5", Faster, 1, document.Workload, cases.DecodeValueFresh, "msgpack")

	// Growth from a thousand entities to a hundred thousand, per entity.
	// Values are written both as a program made them, scattered over the heap, and as
	// decoding made them.
	for _, direction := range []string{cases.DecodeValue, cases.EncodeValue, cases.EncodeDecoded, cases.DecodeStruct, cases.EncodeStruct} {
		l.bars = append(l.bars, Bar{ID: "S1", Kind: Growth, Limit: 1.25, Parts: 100,
			Subject: name("game-100k", direction, Ours), Base: []string{name("game", direction, Ours)}})
		if hand := "hand-single-pass-raw"; direction == cases.EncodeValue {
			b := &l.bars[len(l.bars)-1]
			b.Control, b.Less = name("game-100k", direction, hand), name("game", direction, hand)
		}
	}

	// Two cores, on paths without allocation.
	for _, w := range []string{"rpc", "game"} {
		l.add("S2", Speedup2, 1.7, w, cases.DecodeValue)
		l.add("S2", Speedup2, 1.7, w, cases.EncodeValue)
	}

	// The engine's own bytes_to_var and var_to_bytes, which make new results too.
	for _, engine := range []string{"godot4", "godot3"} {
		l.add("G1", Faster, 1, "game", cases.DecodeValueFresh, engine)
		l.add("G1", Faster, 1, "game", cases.EncodeValueFresh, engine)
	}

	l.add("L1", Nanos, 1e6, "godot-4.4", cases.Load)
}

// generated adds the bars of generated code for Godot's format and for batches of records.
func (l *barList) generated() {
	// Generated code over the best that is written by hand with the same checked loads
	// and stores: generic values, then structs.
	for _, w := range []string{"rpc", "game", "nest", "ints"} {
		l.best("C1", w, cases.DecodeValue, "hand-recursive", "hand-iterative")
		l.best("C1", w, cases.DecodeValueFresh, "hand-recursive", "hand-iterative", "hand-idiomatic")
	}
	for _, w := range []string{"rpc", "game", "nest", "ints"} {
		l.best("C2", w, cases.EncodeValue, "hand-single-pass", "hand-append")
		l.best("C2", w, cases.EncodeDecoded, "hand-single-pass", "hand-append")
		l.best("C2", w, cases.EncodeValueFresh, "hand-single-pass", "hand-append")
	}
	for _, w := range []string{"game", "game-permuted"} {
		l.best("C3", w, cases.DecodeStruct, "hand-straight", "hand-idiomatic")
		l.best("C3", w, cases.DecodeStructFresh, "hand-straight-one-copy", "hand-idiomatic-one-copy")
	}
	l.best("C4", "game", cases.EncodeStruct, "hand-straight", "hand-append")
	l.best("C4", "game", cases.EncodeStructFresh, "hand-straight", "hand-append")
	for _, w := range []string{"rpc", "game", "nest", "ints"} {
		l.of(Generated, "C5", Allocs, 0, w, cases.DecodeValue)
		l.of(Generated, "C5", Allocs, 0, w, cases.EncodeValue)
	}
	for _, w := range []string{"batch-little", "batch-big"} {
		for _, direction := range []string{cases.DecodeStruct, cases.EncodeStruct} {
			l.of(Generated, "C6", Slower, 1.05, w, direction, "hand")
			l.of(Generated, "C5", Allocs, 0, w, direction)
		}
	}
	l.of(Generated, "C5", Allocs, 0, "game", cases.DecodeStruct)
	l.of(Generated, "C5", Allocs, 0, "game", cases.EncodeStruct)
}

// formats adds the bars of the formats of spec/formats.
func (l *barList) formats() {
	// Formats of spec/formats into and out of the generated types; README.md has those that are not reached.
	for _, w := range []string{"symtab", "msgpack", "pcap", "dns", "png"} {
		l.of(Generated, "F1", Slower, 1.05, w, cases.DecodeTyped, "hand")
		if w != "dns" { // README.md says what is not reached
			l.of(Generated, "F1", Slower, 1.05, w, cases.EncodeTyped, "hand")
		}
		l.of(suite.Reused, "F1", Slower, 1.05, w, cases.DecodeTyped, "hand")
		l.of(suite.Reused, "F2", Allocs, 0, w, cases.DecodeTyped)
		l.of(Generated, "F2", Allocs, 0, w, cases.EncodeTyped)
		l.of(Ours, "F3", Slower, 1.5, w, cases.DecodeTyped, "hand") // into structs by the interpreter
		l.of(Ours, "F4", Allocs, 0, w, cases.DecodeTyped)
		l.of(Ours, "F4", Allocs, 0, w, cases.EncodeTyped)
	}
	l.of(Generated, "F2", Allocs, 0, "symtab", cases.DecodeTyped)
	l.of(Ours, "F3", Slower, 1.3, "symtab", cases.EncodeTyped, "hand")
	l.of(Ours, "F3", Slower, 1.3, "msgpack", cases.EncodeTyped, "hand")
	l.of(Ours, "F3", Slower, 1.5, "symtab", cases.DecodeValue, "hand") // into Values by the interpreter
	l.of(Ours, "F3", Slower, 1.5, "symtab", cases.EncodeDecoded, "hand")
	l.of(Ours, "F3", Slower, 1.5, "msgpack", cases.DecodeValue, "hand")
	l.of(Ours, "F3", Slower, 1.5, "msgpack", cases.EncodeDecoded, "hand")
	l.of(Ours, "F3", Slower, 1.5, "dns", cases.DecodeValue, "hand")
	l.of(Ours, "F3", Slower, 1.5, "pcap", cases.DecodeValue, "hand")
	for _, w := range []string{"symtab", "msgpack", "dns", "pcap", "png"} {
		l.of(Ours, "F4", Allocs, 0, w, cases.DecodeValue)
		l.of(Ours, "F4", Allocs, 0, w, cases.EncodeDecoded)
	}
	for _, direction := range []string{cases.DecodeTyped, cases.EncodeTyped} {
		l.of(Generated, "X6", Faster, 1, "msgpack", direction, "msgpack")
		l.of(Generated, "X6", Faster, 1, "msgpack", direction, "msgp")
		l.of(Generated, "X6", Faster, 1, "dns", direction, "miekg")
	}
	l.of(suite.Reused, "X6", Faster, 1, "pcap", cases.DecodeTyped, "gopacket")
	l.of(Generated, "X6", Faster, 1, "pcap", cases.EncodeTyped, "gopacket")
}

// titles gives each bar its title.
func (l *barList) titles() {
	for i := range l.bars {
		b := &l.bars[i]
		at := strings.LastIndexByte(b.Subject, '/')
		job, impl := b.Subject[:at], b.Subject[at+1:]
		if b.Title = job; impl != Ours {
			b.Title += " " + impl
		}
		if len(b.Base) > 0 {
			short := make([]string, len(b.Base))
			for j, base := range b.Base {
				short[j] = strings.TrimPrefix(base, job+"/")
			}
			b.Title += " : " + short[0]
			switch len(short) {
			case 1:
			case 2:
				b.Title += " or " + short[1]
			default:
				b.Title = fmt.Sprintf("%s or the best of %d others", b.Title, len(short)-1)
			}
		}
	}
}

// Verdict is what became of a bar.
type Verdict struct {
	Bar      Bar     `json:"-"`
	ID       string  `json:"id"`
	Title    string  `json:"title"`
	Kind     Kind    `json:"kind"`
	Limit    float64 `json:"limit"`
	State    string  `json:"state"`
	Note     string  `json:"note,omitempty"` // what was compared with, or why nothing was
	Measured *Spread `json:"measured,omitempty"`
}

// States of a Verdict.
const (
	Pass    = "pass"
	Miss    = "MISS"
	Missing = "not measured" // counts as missed
	Skipped = "skipped"      // the machine cannot show it
)

// Spread is a median with the range that it comes from.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

func (s Spread) String() string {
	f := func(x float64) string {
		switch {
		case x >= 1000:
			return fmt.Sprintf("%.0f", x)
		case x >= 10:
			return fmt.Sprintf("%.1f", x)
		}
		return fmt.Sprintf("%.2f", x)
	}
	if s.Min == s.Max {
		return f(s.Median)
	}
	return fmt.Sprintf("%s [%s..%s]", f(s.Median), f(s.Min), f(s.Max))
}

func spread(list []float64) Spread {
	return Spread{median(list), slices.Min(list), slices.Max(list)}
}

// Ratio returns the spread of a's time over b's, round by round. An engine only knows
// the clock on the wall, so that counts for what is compared with one.
func Ratio(a, b *Result) Spread {
	x, y := a.Nanos, b.Nanos
	if a.Engine != b.Engine {
		x, y = a.Wall, b.Wall
	}
	list := make([]float64, min(len(x), len(y)))
	for i := range list {
		list[i] = x[i] / y[i]
	}
	return spread(list)
}

func (s Spread) inverse() Spread { return Spread{1 / s.Median, 1 / s.Max, 1 / s.Min} }

// Judge holds what was measured against the bar.
func (b Bar) Judge(r *Results) Verdict {
	v := Verdict{Bar: b, ID: b.ID, Title: b.Title, Kind: b.Kind, Limit: b.Limit, State: Missing}
	subject := r.Named(b.Subject)
	if b.Kind == Speedup2 {
		s := r.Speedups[b.Subject]
		if s == nil {
			v.Note = b.Subject
			return v
		}
		m := spread(s.Rounds)
		m.Median = s.Best()
		v.Measured, v.Note = &m, fmt.Sprintf("best round; a loop without memory %.2f", slices.Max(s.Control))
		v.State = verdict(m.Median >= b.Limit)
		if v.State == Miss && !s.Scales() {
			v.State = Skipped
		}
		return v
	}
	if subject == nil {
		v.Note = b.Subject
		return v
	}
	var m Spread
	switch b.Kind {
	case Allocs:
		m = spread([]float64{subject.Allocs})
		v.State = verdict(m.Median <= b.Limit)
	case Nanos:
		m = spread(subject.Nanos)
		v.State = verdict(m.Median <= b.Limit)
	default:
		var base *Result
		for _, name := range b.Base {
			if c := r.Named(name); c != nil && (base == nil || c.Median() < base.Median()) {
				base = c
			}
		}
		if base == nil {
			v.Note = strings.Join(b.Base, ", ")
			return v
		}
		if len(b.Base) > 1 {
			v.Note = "the best is " + base.Name
		}
		m = Ratio(subject, base)
		m = Spread{m.Median / b.Parts, m.Min / b.Parts, m.Max / b.Parts}
		if b.Kind == Faster {
			m = m.inverse()
			v.State = verdict(m.Median >= b.Limit)
			if c := r.Named(b.Control); v.State == Miss && c != nil {
				if by := Ratio(c, base).inverse(); by.Median < b.Limit {
					v.State, v.Note = Skipped, fmt.Sprintf("by hand %.2f (%s)", by.Median, b.Control)
				}
			}
		} else {
			v.State = verdict(m.Median <= b.Limit)
			if c, less := r.Named(b.Control), r.Named(b.Less); v.State == Miss && c != nil && less != nil {
				if by := Ratio(c, less).Median / b.Parts; by > b.Limit {
					v.State, v.Note = Skipped, fmt.Sprintf("by hand %.2f (%s)", by, b.Control)
				}
			}
		}
	}
	if math.IsNaN(m.Median) {
		return v
	}
	v.Measured = &m
	return v
}

func verdict(ok bool) string {
	if ok {
		return Pass
	}
	return Miss
}

// Names lists the cases that a bar needs.
func (b Bar) Names() []string {
	names := append([]string{b.Subject}, b.Base...)
	for _, name := range []string{b.Control, b.Less} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}
