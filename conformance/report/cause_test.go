package report_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/report"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors/suites"
)

// misread is our own codec with a mistake in reading.
type misread struct {
	protocol.Implementation
	read func(b []byte, v codec.Value) (codec.Value, error)
}

func (m misread) Decode(spec string, b []byte, objects bool) (json.RawMessage, int, error) {
	value, used, err := m.Implementation.Decode(spec, b, objects)
	if err != nil {
		return nil, 0, err
	}
	v, err := godot.ParseJSON(value)
	if err == nil {
		v, err = m.read(b, v)
	}
	if err != nil {
		return nil, 0, err
	}
	value, err = godot.AppendJSON(nil, v)
	return value, used, err
}

// Failures with one root are one cause, or few, explained by a class that is about it.
func TestRoots(t *testing.T) {
	s, err := suites.Load("godot-4.4")
	if err != nil {
		t.Fatal(err)
	}
	s.Large = nil
	for name, c := range map[string]struct {
		read        func(b []byte, v codec.Value) (codec.Value, error)
		least, most int // failures, causes
		class       string
	}{
		"wide vectors are not read": {func(b []byte, v codec.Value) (codec.Value, error) {
			if text, err := godot.AppendJSON(nil, v); err == nil && strings.Contains(string(text), `"wide":true`) && v.Type() != godot.Int && v.Type() != godot.Float {
				return v, errors.New("unknown flags")
			}
			return v, nil
		}, 20, 3, "wrong width"},
		"a Basis is transposed": {func(_ []byte, v codec.Value) (codec.Value, error) {
			if text, err := godot.AppendJSON(nil, v); err == nil && v.Type() == godot.BasisType {
				var said struct {
					Type  string            `json:"$type"`
					Wide  bool              `json:"wide,omitempty"`
					Value []json.RawMessage `json:"value"`
				}
				if err := json.Unmarshal(text, &said); err != nil {
					return v, err
				}
				n := said.Value
				said.Value = []json.RawMessage{n[0], n[3], n[6], n[1], n[4], n[7], n[2], n[5], n[8]}
				text, _ = json.Marshal(said)
				return godot.ParseJSON(text)
			}
			return v, nil
		}, 3, 1, "component order"},
	} {
		run, err := runner.Conform(context.Background(), s, runner.Local(misread{protocol.Octable(), c.read}, 0), runner.Options{Filter: runner.Filter{Ops: []protocol.Op{protocol.Decode}}})
		if err != nil {
			t.Fatal(err)
		}
		sum := report.Summarize(run)
		if sum.All.Fail < c.least || len(sum.Causes) == 0 || len(sum.Causes) > c.most || len(sum.Causes[0].Classes) == 0 || sum.Causes[0].Classes[0] != c.class {
			t.Errorf("%s: %d failures of %d causes", name, sum.All.Fail, len(sum.Causes))
			for _, c := range sum.Causes {
				t.Log(c.Row, c.Op, c.Outcome, c.Classes, len(c.Results), c.Results[0].ID)
			}
		}
	}
}
