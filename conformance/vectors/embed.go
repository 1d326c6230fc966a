// The vectors of the project's schemas, embedded.

package vectors

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
)

//go:generate go run ../../cmd/octable vectors -o data

//go:embed data/*.json schema.json README.md
var files embed.FS

// The names of files that are no suites.
const (
	ManifestName = "manifest.json"
	SchemaName   = "schema.json"
	CrossName    = "cross.json"
)

// Specs returns the specs that there are vectors for, in alphabetical order: those of
// [codec.Schemas].
func Specs() []string {
	m, err := Embedded()
	if err != nil {
		return nil // a test sees to it that there is one
	}
	var out []string
	for _, f := range m.Files {
		if f.Spec != "" {
			out = append(out, f.Spec)
		}
	}
	slices.Sort(out)
	return out
}

// Embedded returns the manifest of the embedded files.
var Embedded = sync.OnceValues(func() (*Manifest, error) {
	b, err := files.ReadFile("data/" + ManifestName)
	if err != nil {
		return nil, err
	}
	m, err := ParseManifest(b)
	return &m, err
})

// Load returns the vectors of one of the project's schemas, by a name that [codec.Load]
// takes, such as "godot-4" or "godot-4.4+double". What it returns is the caller's.
func Load(spec string) (*Suite, error) {
	b, err := files.ReadFile(path.Join("data", spec+".json"))
	if err != nil || strings.ContainsAny(spec, `/\`) || spec+".json" == ManifestName || spec+".json" == CrossName {
		c, err := codec.Load(spec)
		if err != nil {
			return nil, err
		}
		p := raw.Program(c)
		if b, err = files.ReadFile("data/" + p.Schema + "+" + p.Choice + ".json"); err != nil {
			b, err = files.ReadFile("data/" + p.Schema + ".json")
		}
		if err != nil {
			return nil, fmt.Errorf("there are no vectors for the schema %s yet; make them with: octable vectors -spec %s", p.Schema, spec)
		}
	}
	return Parse(b)
}

// LoadCross returns the packets that versions of the format read differently.
func LoadCross() (*CrossFile, error) {
	b, err := files.ReadFile("data/" + CrossName)
	if err != nil {
		return nil, err
	}
	var f CrossFile
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, err
	}
	return &f, nil
}

// Files returns all that somebody needs who wants to use the vectors elsewhere: the
// files of cases, the manifest, the JSON schema of the files, and how to use them.
func Files() (map[string][]byte, error) {
	out := map[string][]byte{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := files.ReadFile(name)
		out[path.Base(name)] = b
		return err
	})
	return out, err
}
