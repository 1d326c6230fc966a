// The files of a set of vectors.

package generate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/dsl/page"
)

// ForSpec makes the vectors of one of the project's schemas, by a name of
// [codec.Schemas].
func ForSpec(name string) (*vectors.Suite, *codec.Codec, error) {
	c, err := codec.Load(name)
	if err != nil {
		return nil, nil, err
	}
	source, err := compile.Load(c.Schema())
	if err != nil {
		return nil, nil, err
	}
	about, err := page.Load(source, page.Embedded)
	if err != nil {
		return nil, nil, err
	}
	_, choice, _ := strings.Cut(name, "+")
	s, err := Suite(choice, c, ErrataOf(about), source.Packets())
	return s, c, err
}

// Set is a set of files: suites, the packets that versions read differently where
// there are any, and their manifest.
func Set(suites []*vectors.Suite, cross *vectors.CrossFile) map[string][]byte {
	out := map[string][]byte{}
	m := &vectors.Manifest{Format: vectors.Format}
	add := func(f vectors.File, text []byte) {
		out[f.Name] = text
		f.SHA256 = vectors.Digest(text)
		m.Files = append(m.Files, f)
	}
	for _, s := range suites {
		add(vectors.File{Name: s.FileName(), Spec: s.Spec(), Program: s.Program, Cases: len(s.Cases)}, s.Marshal())
	}
	if cross != nil {
		add(vectors.File{Name: vectors.CrossName, Cases: len(cross.Cases)}, cross.Marshal())
	}
	slices.SortFunc(m.Files, func(a, b vectors.File) int { return cmp.Compare(a.Name, b.Name) })
	out[vectors.ManifestName] = m.Marshal()
	return out
}
