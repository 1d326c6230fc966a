// Packets beside what they mean, for every type.

package docs

import (
	"cmp"
	"encoding/binary"
	"html/template"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// dumper finds packets of types and shows them.
type dumper struct {
	b     *builder
	view  *inspect.Viewer
	codec *codec.Codec
	print *notation.Notation
	drawn map[string][][]byte // packets that a generator made, by type
}

func newDumper(b *builder) (*dumper, error) {
	d := &dumper{b: b}
	var err error
	if d.view, err = inspect.NewViewer(b.p, b.s); err != nil {
		return nil, err
	}
	if d.codec, err = raw.Codec(b.p); err != nil {
		return nil, err
	}
	d.print, err = notation.New(b.p)
	return d, err
}

// packet is one that can be shown.
type packet struct {
	bytes   []byte
	open    uint8
	flags   uint64           // of its header
	written bool             // a writer writes it so
	rows    map[rowForm]bool // that reading it goes through
}

// rowForm is a row of a type, and the form of its content if it may have
// several.
type rowForm struct {
	rule    *bytecode.Rule
	scalar  bytecode.Scalar
	padding bool
	flags   uint64 // of the header
}

// mostDumps is how many packets of a type are shown, and mostBytes how long they
// may be.
const (
	mostDumps = 3
	mostBytes = 136
)

// of returns packets of a type: few, that together go through as many rows of it as
// the examples do.
func (d *dumper) of(r *schema.Record) []Dump {
	name := r.Name
	var all []packet
	for _, e := range r.Examples {
		if e.Value == nil {
			continue
		}
		b := e.Bytes
		if len(b) == 0 || len(b) > mostBytes {
			continue
		}
		open := uint8(0)
		for _, g := range e.Open {
			open |= 1 << g.Index
		}
		if p, ok := d.read(name, b, open); ok {
			all = append(all, p)
		}
	}
	if !slices.ContainsFunc(all, func(p packet) bool { return p.written }) {
		for _, b := range d.draw()[name] {
			if p, ok := d.read(name, b, 0xff); ok {
				all = append(all, p)
			}
		}
	}
	seen := map[rowForm]bool{}
	var chosen []packet
	// Packets of the writer come first; other packets only for rows that none of
	// them goes through, such as those of builds with double precision.
	for _, written := range []bool{true, false} {
		for len(chosen) < mostDumps {
			best, gain := -1, 0
			for i, p := range all {
				if p.written != written {
					continue
				}
				n := 0
				for r := range p.rows {
					if !written {
						r.flags = 0
					}
					if !seen[r] {
						n++
					}
				}
				// Of two that show as much, the longer one has something in it.
				if n > gain || n > 0 && n == gain && better(p.bytes, all[best].bytes) {
					best, gain = i, n
				}
			}
			if best < 0 {
				break
			}
			for r := range all[best].rows {
				seen[r] = true
				r.flags = 0
				seen[r] = true
			}
			chosen = append(chosen, all[best])
		}
	}
	slices.SortStableFunc(chosen, func(x, y packet) int {
		return cmp.Or(cmp.Compare(x.flags, y.flags), cmp.Compare(len(x.bytes), len(y.bytes)))
	})
	var out []Dump
	for _, p := range chosen {
		out = append(out, d.show(p.bytes, p.open))
	}
	return out
}

// better reports whether a packet shows more than one with the same rows. A short packet is
// better than a long one. Of two short ones the longer is better, of two long ones the shorter,
// and of two of the same length the one with more different bytes.
func better(b, than []byte) bool {
	const short = 48
	if (len(b) <= short) != (len(than) <= short) {
		return len(b) <= short
	}
	if len(b) != len(than) {
		return (len(b) > len(than)) == (len(b) <= short)
	}
	return variety(b) > variety(than)
}

func variety(b []byte) int {
	seen := map[byte]bool{}
	for _, x := range b {
		seen[x] = true
	}
	return len(seen)
}

// read reads a packet that must be of a type and nothing else.
func (d *dumper) read(name string, b []byte, open uint8) (packet, bool) {
	p := packet{bytes: b, open: open, rows: map[rowForm]bool{}}
	r := raw.Machine(d.codec).NewReader(interp.Options{Open: open})
	r.Observe(interp.ObserverFunc(func(e *interp.Event) {
		switch e.Kind {
		case interp.Row:
			if d.own(name, e.Rule) {
				f := rowForm{rule: e.Rule, scalar: e.Value.Scalar()}
				if e.Offset == 0 && e.Derived {
					f.flags = e.Number >> 8
					p.flags = f.flags
				}
				p.rows[f] = true
			}
		case interp.Padding:
			if e.Len > 0 && d.own(name, e.Rule) {
				p.rows[rowForm{rule: e.Rule, padding: true}] = true
			}
		}
	}))
	v, used, err := r.Read(b)
	if err != nil || used != len(b) {
		return p, false
	}
	p.written = r.Canonical(b, v, used) == nil
	tag := raw.Machine(d.codec).Tag
	for i := range d.b.p.Types {
		if tag(i) == v.Tag() && d.b.p.Types[i].Name == name {
			return p, true
		}
	}
	return p, v.Tag() == 0 && name == d.b.s.Root.Name
}

// own reports whether a row is of a type, or of a part of types. It is false for a
// row of another type inside of it.
func (d *dumper) own(name string, r *bytecode.Rule) bool {
	of, _, _ := strings.Cut(r.Name, ".")
	root := d.b.s.Root.Union
	return of == name || root == nil || root.Arm(of) == nil
}

// draw makes packets of all types, for those without examples.
func (d *dumper) draw() map[string][][]byte {
	if d.drawn != nil {
		return d.drawn
	}
	d.drawn = map[string][][]byte{}
	open := interp.GenerateOptions{Open: 0xff, MaxBytes: mostBytes}
	g, err := raw.Machine(d.codec).NewGenerator(open)
	if err != nil {
		return d.drawn
	}
	failed := 0
	add := func(c ...byte) {
		if failed == 16 { // each failure takes long
			return
		}
		v, _, ok := g.Try(c)
		if !ok {
			failed++
		}
		b, err := raw.Machine(d.codec).Encode(v, interp.Options{Open: 0xff})
		if err != nil || len(b) > mostBytes || len(b) == 0 {
			return
		}
		name := d.b.s.Root.Name
		for i := range d.b.p.Types {
			if raw.Machine(d.codec).Tag(i) == v.Tag() && v.Tag() != 0 {
				name = d.b.p.Types[i].Name
			}
		}
		d.drawn[name] = append(d.drawn[name], b)
	}
	for x := range 128 {
		add(byte(x))
		for _, y := range []byte{1, 3, 0x41, 0xff} {
			add(byte(x), y, 0x61, 0xff, 2, 0x62)
		}
	}
	return d.drawn
}

// show makes the dump of a packet.
func (d *dumper) show(b []byte, open uint8) Dump {
	return d.sheet(b, open, func(s *inspect.Sheet) { s.Packet(0, len(b)) })
}

func (d *dumper) sheet(b []byte, open uint8, show func(*inspect.Sheet)) Dump {
	opt := inspect.Options{Read: interp.Options{Open: open}, Width: 100, Row: 8, All: true}
	var text, html strings.Builder
	show(inspect.NewSheet(d.view, &text, b, opt))
	opt.Paint = paint
	show(inspect.NewSheet(d.view, &html, b, opt))
	return Dump{About: d.value(b, open), Packet: b, Text: strings.TrimRight(text.String(), "\n"), HTML: template.HTML(strings.TrimRight(html.String(), "\n"))} // #nosec: paint escapes
}

// classes are those of the styles in HTML.
var classes = map[inspect.Style]string{inspect.Faint: "f", inspect.TypeName: "t", inspect.FieldName: "n", inspect.Steering: "s", inspect.Content: "c", inspect.Warning: "w", inspect.Bad: "b"}

// paint writes a piece of a dump as HTML.
func paint(s inspect.Style, text string) string {
	text = template.HTMLEscapeString(text)
	if c := classes[s]; c != "" && strings.TrimSpace(text) != "" {
		return `<span class="` + c + `">` + text + `</span>`
	}
	return text
}

// value prints the value of a packet.
func (d *dumper) value(b []byte, open uint8) string {
	opt := interp.Options{Open: open}
	if v, _, err := raw.Machine(d.codec).Decode(b, opt); err == nil {
		if text, err := raw.PlainText(d.codec, v); err == nil && text != "" && !strings.HasPrefix(text, "Raw(") {
			return text
		}
	}
	v, _, err := d.print.Machine().Decode(b, opt)
	if err != nil {
		return ""
	}
	return d.print.String(v)
}

// framed shows a value after its length, in the order that a schema has for it.
func (d *dumper) framed(f *schema.Schema) *Dump {
	value, err := d.codec.Encode(godot.NewInt(42))
	if err != nil {
		return nil
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(value)))
	if f.Big {
		b = binary.BigEndian.AppendUint32(nil, uint32(len(value)))
	}
	b = append(b, value...)
	out := d.sheet(b, 0, func(s *inspect.Sheet) {
		s.Length(0, len(value))
		s.Packet(4, len(b))
	})
	out.About = d.value(value, 0)
	return &out
}
