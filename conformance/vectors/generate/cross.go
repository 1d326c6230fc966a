// Packets that versions of the format read differently.

package generate

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// families are versions in their order: each is compared with its neighbors. A packet
// is shown with the reading of every version of its family.
var families = [][]string{
	{"godot-2", "godot-3.0", "godot-3", "godot-4.0", "godot-4.3", "godot-4.4"},
	{"godot-3", "pandemonium-3.5", "pandemonium-3.8", "pandemonium-5"},
	{"godot-3.2-doc", "godot-3-doc", "godot-3"},
	{"godot-4-doc", "godot-4.0"},
	{"godot-4-doc", "godot-4-doc+double"},
	{"pandemonium-doc", "pandemonium-5"},
}

// crossFlags say what packets of the cross file have in common.
var crossFlags = map[string]vectors.Flag{
	"other-type": {Class: "wrong type id", Why: "Versions number the types differently, and a packet does not say which version it is of.",
		Effect: "What one version wrote is another value to the other, without an error.",
		Links:  []string{issue + "69114", issue + "73530", issue + "74811", issue + "12848"}},
	"other-value": {Class: "wrong rule", Why: "The same type has other rows, flags or rules for text in another version.",
		Effect: "What one version wrote is another value to the other, without an error.",
		Links:  []string{issue + "48213", issue + "76841"}},
	"bytes-left": {Class: "bytes after the value", Why: "One version takes more bytes for a value than the other.",
		Effect: "The next value is looked for in the wrong place."},
	"refused": {Class: "unknown type taken", Why: "One version has no meaning for what the other writes.",
		Effect: "The packet has to be refused; a lenient reader accepts it."},
}

// reader is one version of a family.
type reader struct {
	spec string
	c    *codec.Codec
	g    *model
}

// CrossFile returns packets that neighbors of a family of versions read differently. For each
// pair of types and each way in which they differ, it returns the shortest packet that the
// suites have or that growing values make. The suites are those of the versions.
func CrossFile(suites map[string]*vectors.Suite) (*vectors.CrossFile, error) {
	out := &vectors.CrossFile{Format: vectors.Format, Flags: map[string]vectors.Flag{}}
	done := map[string]bool{}
	for _, family := range families {
		var readers []reader
		for _, spec := range family {
			c, err := codec.Load(spec)
			if err != nil {
				return nil, err
			}
			if suites[spec] == nil {
				return nil, fmt.Errorf("there is no suite of %s", spec)
			}
			readers = append(readers, reader{spec, c, newModel(raw.Machine(c))})
		}
		for i := range readers[1:] {
			for _, x := range between(&readers[i], &readers[i+1], suites) {
				key := strings.Join(family, " ") + " " + string(x.bytes)
				if done[key] {
					continue
				}
				done[key] = true
				one := vectors.Cross{ID: x.id, About: x.about, Flags: []string{x.flag}, Bytes: hex.EncodeToString(x.bytes)}
				for k := range readers {
					r, err := readers[k].reading(x.bytes)
					if err != nil {
						return nil, err
					}
					one.Readings = append(one.Readings, r)
				}
				out.Cases = append(out.Cases, one)
				out.Flags[x.flag] = crossFlags[x.flag]
			}
		}
	}
	slices.SortFunc(out.Cases, func(a, b vectors.Cross) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

// reading is the result of a version for a packet.
func (r *reader) reading(b []byte) (vectors.Reading, error) {
	out := vectors.Reading{Spec: r.spec}
	v, used, err := r.c.Decode(b)
	var e *interp.Error
	if errors.As(err, &e) {
		out.Error = &vectors.Error{Kind: e.Word(), Offset: e.Offset, Path: e.Path, Text: sentence(e.Kind, e.Expected, e.Found)}
		return out, nil
	}
	if used < len(b) {
		out.Used = used
	}
	out.Value, err = appendValue(nil, raw.Value(v))
	return out, err
}

// typeName returns the name that a version has for the type of a value.
func (r *reader) typeName(v interp.Value) string {
	if t := r.g.typeOf(r.g.p.Root, v); t >= 0 {
		return r.g.p.Types[t].Name
	}
	return "value"
}

// crossing is a packet that two versions read differently.
type crossing struct {
	id, about, flag string
	bytes           []byte
}

// between returns the packets that two versions read differently, what the one writes
// and what the other writes.
func between(a, b *reader, suites map[string]*vectors.Suite) []crossing {
	best := map[string]crossing{}
	for _, side := range [][2]*reader{{a, b}, {b, a}} {
		from, to := side[0], side[1]
		for _, packet := range from.packets(suites[from.spec]) {
			x, ok := cross(from, to, packet)
			if old, there := best[x.id]; ok && (!there || len(packet) < len(old.bytes) || len(packet) == len(old.bytes) && string(packet) < string(old.bytes)) {
				best[x.id] = x
			}
		}
	}
	var out []crossing
	for _, x := range best {
		out = append(out, x)
	}
	slices.SortFunc(out, func(x, y crossing) int { return cmp.Compare(x.id, y.id) })
	return out
}

// cross says how another version reads a packet that a version writes.
func cross(from, to *reader, b []byte) (crossing, bool) {
	v, used, err := from.c.Decode(b)
	if err != nil || used != len(b) {
		return crossing{}, false
	}
	if again, err := from.c.Encode(v); err != nil || string(again) != string(b) {
		return crossing{}, false // no writer of this version produces it
	}
	x := crossing{bytes: b}
	written := from.typeName(raw.Value(v))
	subject := fmt.Sprintf("What %s writes for %s %s, %s", from.spec, article(written), written, to.spec)
	x.id = fmt.Sprintf("%s-to-%s/%s", from.spec, to.spec, written)
	w, used, err := to.c.Decode(b)
	var e *codec.Error
	switch {
	case errors.As(err, &e):
		x.id += "/refused-" + e.Word()
		x.flag, x.about = "refused", subject+" refuses: "+sentence(e.Kind, e.Expected, e.Found)+"."
	case w.Type() != v.Type():
		read := to.typeName(raw.Value(w))
		x.id += "/" + read
		x.flag, x.about = "other-type", fmt.Sprintf("%s reads as %s %s.", subject, article(read), read)
	case !sameValue(raw.Value(v), raw.Value(w)):
		x.id += "/other-value"
		x.flag, x.about = "other-value", subject+" reads as another value of the same type."
	case used < len(b):
		x.id += "/bytes-left"
		x.flag, x.about = "bytes-left", subject+" reads with bytes left over."
	default:
		return crossing{}, false
	}
	if err == nil && used < len(b) && x.flag != "bytes-left" {
		x.id += "-and-more"
		x.about = strings.TrimSuffix(x.about, ".") + ", with bytes left over."
	}
	return x, true
}

// packets returns packets that a version writes. They are those of its suite and larger ones,
// which have enough bytes for any type for which another version takes them.
func (r *reader) packets(s *vectors.Suite) [][]byte {
	var out [][]byte
	for i := range s.Cases {
		if k := &s.Cases[i]; k.Result == vectors.Valid && !k.Objects && len(k.Bytes) > 0 && len(k.Bytes) < 1000 {
			b, _ := hex.DecodeString(k.Bytes)
			out = append(out, b)
		}
	}
	seeds, err := r.g.seeds(nil)
	if err != nil {
		return out
	}
	for _, seed := range seeds {
		if seed.open != 0 {
			continue
		}
		for _, n := range []int{2, 4, 8, 16} {
			if b, err := r.c.Encode(raw.Wrap(r.g.grown(seed, n))); err == nil {
				out = append(out, b)
			}
		}
	}
	return out
}

// grown returns a value with n parts in each list and array, and n letters in each text.
func (g *model) grown(s seed, n int) interp.Value {
	v := g.full(s)
	g.walk(g.p.Root, v, func(p place) {
		if p.hole || p.inner {
			return
		}
		in := &g.p.Code[g.types[p.typ].cells[p.cell].ops[0]]
		var with interp.Value
		switch in.Op {
		case bytecode.Text:
			with = interp.MakeText(0, strings.Repeat("a", n))
		case bytecode.Packed:
			b := make([]byte, 0, n*p.value.Width()*p.value.Scalar().Width())
			for i := range n * p.value.Width() {
				b = appendNumber(b, p.value.Scalar(), float64(i%8))
			}
			with = interp.MakePacked(0, p.value.Scalar(), p.value.Width(), b).WithWide(p.value.Wide())
		case bytecode.List:
			parts := p.value.Cells()
			if len(parts) == 0 {
				return
			}
			var more []interp.Value
			for range n {
				more = append(more, parts[0])
			}
			with = interp.MakeList(0, more)
		case bytecode.Map:
			parts := p.value.Cells()
			if len(parts) < 2 {
				return
			}
			var more []interp.Value
			for i := range n {
				more = append(more, g.altered(in.B, parts[0], i), parts[1])
			}
			with = interp.MakeMap(0, more)
		default:
			return
		}
		if next := g.replace(g.p.Root, v, p.path, with); g.writes(next, s.open) {
			v = next
		}
	})
	return v
}
