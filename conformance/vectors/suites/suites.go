// Package suites holds the vectors of the project's schemas, compressed. It is a
// separate package so that only programs that use the vectors contain them.
package suites

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/vectors"
)

//go:generate go run ./pack

//go:embed data/*.gz schema.json README.md
var files embed.FS

// read returns the text of a file in the folder data.
func read(name string) ([]byte, error) {
	b, err := files.ReadFile("data/" + name + ".gz")
	if err != nil {
		return nil, err
	}
	return Unpack(b)
}

// Unpack returns the text of a compressed file.
func Unpack(b []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Specs returns the specs that there are vectors for, in alphabetical order: those of
// [codec.Schemas].
func Specs() []string {
	m, err := Manifest()
	if err != nil {
		return nil // TestManifest fails then
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

// Manifest returns the manifest of the embedded files.
var Manifest = sync.OnceValues(func() (*vectors.Manifest, error) {
	b, err := read(vectors.ManifestName)
	if err != nil {
		return nil, err
	}
	m, err := vectors.ParseManifest(b)
	return &m, err
})

// Load returns the vectors of one of the project's schemas. The name is one that [codec.Load]
// takes, such as "godot-4" or "godot-4.4+double". The caller may change the result.
func Load(spec string) (*vectors.Suite, error) {
	b, err := read(spec + ".json")
	if err != nil || strings.ContainsAny(spec, `/\`) || spec+".json" == vectors.ManifestName || spec+".json" == vectors.CrossName {
		c, err := codec.Load(spec)
		if err != nil {
			return nil, err
		}
		p := raw.Program(c)
		if b, err = read(p.Schema + "+" + p.Choice + ".json"); err != nil {
			b, err = read(p.Schema + ".json")
		}
		if err != nil {
			return nil, fmt.Errorf("there are no vectors for the schema %s yet; make them with: octable vectors -spec %s", p.Schema, spec)
		}
	}
	return vectors.Parse(b)
}

// Cross returns the packets that versions of the format read differently.
func Cross() (*vectors.CrossFile, error) {
	b, err := read(vectors.CrossName)
	if err != nil {
		return nil, err
	}
	var f vectors.CrossFile
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, err
	}
	return &f, nil
}

// Files returns the files for a use of the vectors elsewhere. They are the cases, the manifest,
// the JSON schema of the files, and the README.
func Files() (map[string][]byte, error) {
	out := map[string][]byte{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if short, ok := strings.CutSuffix(path.Base(name), ".gz"); ok {
			out[short], err = read(short)
		} else {
			out[short], err = files.ReadFile(name)
		}
		return err
	})
	return out, err
}
