// Corpora: folders in which findings stay.

package differential

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/fuzz/corpus"
)

// Save writes a finding as JSON into a folder, with its bytes beside it. It makes the
// folder if that does not exist. Of findings with one ID the smallest stays, so that
// processes may share the folder; see [corpus.Keep].
func Save(dir string, f *Finding) error {
	b, err := hex.DecodeString(f.Bytes)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return corpus.Keep(dir, f.ID, f.size(), b, append(text, '\n'))
}

// Load reads the findings in a folder, in the order of their IDs, the smallest of each.
func Load(dir string) ([]*Finding, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return nil, err
	}
	var all []*Finding
	err := corpus.Reports(dir, func(path string, text []byte) error {
		f := new(Finding)
		if err := json.Unmarshal(text, f); err != nil {
			return fmt.Errorf("%s is no finding: %w", path, err)
		}
		if _, err := hex.DecodeString(f.Bytes); err != nil || f.ID == "" || f.Spec == "" {
			return fmt.Errorf("%s is no finding: it needs an id, a spec, and bytes in hexadecimal digits", path)
		}
		all = append(all, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b *Finding) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), cmp.Compare(a.size(), b.size()))
	})
	return slices.CompactFunc(all, func(a, b *Finding) bool { return a.ID == b.ID }), nil
}

// Packets returns the packets of the findings in a folder for one schema, to begin
// a run with. There need be no such folder.
func Packets(dir, spec string) ([][]byte, error) {
	all, err := Load(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out [][]byte
	for _, f := range all {
		if b, _ := hex.DecodeString(f.Bytes); f.Spec == spec && len(b) > 0 {
			out = append(out, b)
		}
	}
	return out, err
}

// Suites makes conformance vectors of findings. Each schema has a suite with the packets of its
// findings in the order of their ids, each once. The expected results are computed again, with
// the current schemas.
func Suites(findings []*Finding) ([]*vectors.Suite, error) {
	var all []*vectors.Suite
	bySpec := map[string]*vectors.Suite{}
	subjects := map[string]*subject{}
	seen := map[string]bool{}
	for _, f := range findings {
		s := subjects[f.Spec]
		if s == nil {
			c, err := codec.Load(f.Spec)
			if err != nil {
				return nil, fmt.Errorf("finding %s: %w", f.ID, err)
			}
			if s, err = newSubject(f.Spec, c); err != nil {
				return nil, err
			}
			suite := &vectors.Suite{Format: vectors.Format, Schema: s.p.Schema, Title: s.p.Title, Program: s.p.Hash(), Flags: map[string]vectors.Flag{}}
			if strings.Contains(f.Spec, "+") {
				suite.Choice = s.p.Choice
			}
			subjects[f.Spec], bySpec[f.Spec] = s, suite
			all = append(all, suite)
		}
		b, err := hex.DecodeString(f.Bytes)
		if err != nil {
			return nil, err
		}
		in := inputs.Input{Way: f.Way, Note: f.Note, Open: f.Case.Objects}
		in.Change.Kind = f.Damage
		t := s.read(in, b)
		t.op = f.Op
		if f.Op == protocol.Encode {
			v := t.value
			if f.Case.Value != nil {
				if v, err = godot.ParseJSON(f.Case.Value); err != nil {
					return nil, fmt.Errorf("finding %s: %w", f.ID, err)
				}
			}
			if t = s.writing(in, raw.Value(v)); t == nil {
				continue
			}
		}
		v := f.Verdict
		c := s.vector(t, &v)
		if key := f.Spec + c.ID; !seen[key] {
			seen[key] = true
			bySpec[f.Spec].Cases = append(bySpec[f.Spec].Cases, c)
		}
	}
	for _, s := range all {
		slices.SortFunc(s.Cases, func(a, b vectors.Case) int { return strings.Compare(a.ID, b.ID) })
	}
	return all, nil
}
