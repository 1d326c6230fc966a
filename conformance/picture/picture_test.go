package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/segment"
	"github.com/octable/octable/spec"
)

// drawn checks that a picture has a box for each byte of cells of a fixed size. Lines must not overlap. Both
// drawings must be well formed.
func drawn(t *testing.T, name string, p *Picture) {
	t.Helper()
	for _, part := range p.Parts {
		columns := map[*Cell]int{}
		labels := map[*Cell]int{}
		for _, l := range part.lines() {
			behind := 0
			for _, x := range l.boxes {
				if x.from < behind || x.to <= x.from || x.to > PerLine {
					t.Errorf("%s: %s has a box from %d to %d behind %d", name, x.cell.Name, x.from, x.to, behind)
				}
				behind = x.to
				columns[x.cell] += x.to - x.from
				if x.label {
					labels[x.cell]++
				}
			}
		}
		for _, c := range part.Cells {
			if torn := c.Bytes == Varies || c.Bytes > mostFixed; c.Bytes != 0 && (torn && columns[c] != PerLine || !torn && columns[c] != c.Bytes || labels[c] != 1) {
				t.Errorf("%s: %s of %d bytes has %d columns and %d labels", name, c.Name, c.Bytes, columns[c], labels[c])
			}
		}
	}
	wellFormed(t, name, p.SVG(Options{}))
	for line := range strings.Lines(p.Text()) {
		if n := len([]rune(line)); n > 96 && !strings.Contains(line, ":") {
			t.Errorf("%s: a line of %d characters: %s", name, n, line)
		}
	}
}

// wellFormed checks that a text is XML with the elements of pictures alone.
func wellFormed(t *testing.T, name, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		x, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if e, ok := x.(xml.StartElement); ok && !strings.Contains(" svg title desc style rect path line text g ", " "+e.Name.Local+" ") {
			t.Errorf("%s: element %s", name, e.Name.Local)
		}
	}
}

func load(t *testing.T, id string) *schema.Schema {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTypes(t *testing.T) {
	n := 0
	for _, id := range long.Part(3, spec.All()) {
		s := load(t, id)
		for _, name := range Names(s) {
			p, err := Type(s, name)
			if err != nil {
				t.Fatal(id, name, err)
			}
			drawn(t, id+" "+name, p)
			n++
		}
	}
	if want := long.Number(150, 500); n < want {
		t.Errorf("%d types, expected at least %d", n, want)
	}
}

// TestPackets draws the packets of all examples: each byte is in one cell.
func TestPackets(t *testing.T) {
	n := 0
	for _, id := range long.Part(3, codec.Schemas()) {
		c, err := codec.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		s := load(t, strings.Split(id, "+")[0])
		if s.Root == nil || s.Root.Union == nil {
			continue
		}
		for _, a := range s.Root.Union.Arms {
			for _, e := range a.Examples {
				packet := segment.Read(raw.Machine(c), e.Bytes, interp.Options{Open: 0xff})
				p := Packet(packet, s)
				drawn(t, id+" "+a.Name, p)
				covered := 0
				for _, part := range p.Parts {
					for _, c := range part.Cells {
						covered += max(c.Bytes, 0)
					}
				}
				if last := p.Parts; len(e.Bytes) < 64 && len(last) > 0 && covered != len(e.Bytes) {
					t.Errorf("%s %s: %d of %d bytes", id, a.Name, covered, len(e.Bytes))
				}
				n++
			}
		}
	}
	if want := long.Number(150, 500); n < want {
		t.Errorf("%d packets, expected at least %d", n, want)
	}
}

// TestMarkup draws a text with markup in it.
func TestMarkup(t *testing.T) {
	c, err := codec.Load("godot-4.4")
	if err != nil {
		t.Fatal(err)
	}
	b := []byte("\x04\x00\x00\x00\x14\x00\x00\x00<script>a</script>]]")
	p := Packet(segment.Read(raw.Machine(c), b, interp.Options{}), nil)
	drawn(t, "markup", p)
	if svg := p.SVG(Options{ID: `"><script>`}); strings.Contains(svg, "<script>") {
		t.Error("markup of a text or an id is in the picture")
	}
}

func TestUnknown(t *testing.T) {
	_, err := Type(load(t, "ntp"), "Nothing")
	var unknown *UnknownError
	if !errors.As(err, &unknown) || unknown.Error() != "ntp has no type, union or arm Nothing" {
		t.Error(err)
	}
}

// TestGolden compares pictures in characters with testdata/pictures.txt; -update writes them.
func TestGolden(t *testing.T) {
	var b strings.Builder
	for _, x := range [][2]string{{"godot-4.4", "Dictionary"}, {"ntp", "Packet"}, {"dns", "Message"}, {"png", "File"}, {"tar", "Header"}, {"rsrc", "Resource"}, {"msgpack", "Value"}} {
		s := load(t, x[0])
		p, err := Type(s, x[1])
		if err != nil {
			p, err = Type(s, s.Root.Name)
		}
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("### " + x[0] + "\n" + p.Text() + strings.Join(p.Describe(), "\n") + "\n\n")
	}
	golden.Check(t, "pictures.txt", []byte(b.String()))
}
