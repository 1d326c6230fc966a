package formats

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/conformance/generated"
	"github.com/octable/octable/conformance/internal/sample"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// TestGenerated has the generated code of each language read and write the files, whole and cut.
func TestGenerated(t *testing.T) {
	if os.Getenv("OCTABLE_ENGINE_TESTS") == "" {
		t.Skip("set OCTABLE_ENGINE_TESTS=1 to run generated code on the files")
	}
	paths, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	var specs []string
	var suites []*vectors.Suite
	var codecs []*codec.Codec
	for _, path := range paths {
		file := "../../spec/formats/" + strings.TrimSuffix(filepath.Base(path), ".jsonl") + ".oct"
		if err := generates(file); err != nil {
			t.Logf("left out: %v", err)
			continue
		}
		spec, err := generated.Use(file)
		if err != nil {
			t.Fatal(err)
		}
		c := codecOf(t, file)
		specs, suites, codecs = append(specs, spec), append(suites, suite(t, c, path)), append(codecs, c)
	}
	for _, l := range generated.Languages {
		t.Run(l.Name, func(t *testing.T) {
			code, err := l.Open(t.TempDir(), specs)
			if missing := generated.Missing(""); errors.As(err, &missing) {
				t.Skip(missing)
			} else if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := code.Close(); err != nil {
					t.Error(err)
				}
			}()
			for i, s := range suites {
				run, err := runner.Conform(context.Background(), s, code.Target(), runner.Options{Codec: codecs[i]})
				if err != nil {
					t.Fatal(err)
				}
				for i := range run.Results {
					if r := &run.Results[i]; r.Verdict == runner.Fail {
						t.Errorf("%s: %s", s.Schema, r.Sentence())
					}
				}
				if run.Failed() || len(run.Results) < least {
					t.Errorf("%s: %d of %d results fail; %s", s.Schema, run.Count(runner.Fail), len(run.Results), run.Stopped)
				}
			}
		})
	}
}

// generates returns an error if no code can be made of a schema.
func generates(file string) error {
	s, err := compile.Load(file)
	if err != nil {
		return err
	}
	p, err := compile.Schema(s)
	if err != nil {
		return err
	}
	_, err = model.New(s, p)
	return err
}

// codecOf returns the codec of a schema in a file.
func codecOf(t *testing.T, file string) *codec.Codec {
	t.Helper()
	p, err := compile.Program(file, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := codec.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// suite returns a case for each file of a format, and one for its first half.
func suite(t *testing.T, c *codec.Codec, path string) *vectors.Suite {
	t.Helper()
	out := &vectors.Suite{Format: vectors.Format, Schema: c.Schema(), Title: c.Schema(), Program: "formats", Flags: map[string]vectors.Flag{}}
	known := map[string]bool{}
	for _, file := range samples(t, path) {
		for _, b := range [][]byte{file.data, file.data[:len(file.data)/2]} {
			v, err := sample.Case(c, b)
			if err != nil {
				t.Fatal(err)
			}
			if v != nil && !known[v.ID] {
				known[v.ID] = true
				out.Cases = append(out.Cases, *v)
			}
		}
	}
	return out
}
