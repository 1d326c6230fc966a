// Known differences: those that were looked into, and stay.

package differential

import (
	"bytes"
	_ "embed" // of known.json
	"encoding/json"
	"fmt"
	"strings"

	"github.com/octable/octable/conformance/runner"
)

// Known is a rule for findings that are known, with the reason. An empty pattern
// fits everything; in others * matches any characters and ? one.
type Known struct {
	Target  string `json:"target,omitempty"` // name and version, such as "Godot 4.6*"
	Spec    string `json:"spec,omitempty"`
	Op      string `json:"op,omitempty"`      // decode, encode or recode
	Outcome string `json:"outcome,omitempty"` // such as "refused wrongly"
	Row     string `json:"row,omitempty"`     // such as "NodePath.*"
	Kind    string `json:"kind,omitempty"`
	Path    string `json:"path,omitempty"`
	Detail  string `json:"detail,omitempty"`
	When    string `json:"when,omitempty"` // what the packet has in it; one of Conditions
	Reason  string `json:"reason"`         // why it is so, and why it stays
}

// ParseKnown reads a file of known differences: a JSON list of them.
func ParseKnown(b []byte) ([]Known, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var all []Known
	if err := d.Decode(&all); err != nil {
		return nil, fmt.Errorf("known differences are a JSON list of objects with target, spec, op, outcome, row, kind, path, detail, when and reason: %w", err)
	}
	if d.More() {
		return nil, fmt.Errorf("known differences are one JSON list; there is more after it")
	}
	for i, k := range all {
		if strings.TrimSpace(k.Reason) == "" {
			return nil, fmt.Errorf("known difference %d has no reason", i+1)
		}
		if k.Row == "" && k.Path == "" && k.Detail == "" && k.Kind == "" && k.When == "" {
			return nil, fmt.Errorf("known difference %d is about everything; give it a row, kind, path, detail or when", i+1)
		}
		if k.When != "" && conditions[k.When] == nil {
			return nil, fmt.Errorf("known difference %d has %q for when; it is one of: %s", i+1, k.When, strings.Join(Conditions(), ", "))
		}
	}
	return all, nil
}

func fits(pattern, text string) bool { return pattern == "" || runner.Glob(pattern, text) }

// reason returns why a difference is known, or "".
func (s *subject) reason(all []Known, target string, t *test, v *Verdict) string {
	for _, k := range all {
		if fits(k.Target, target) && fits(k.Spec, s.spec) && fits(k.Op, string(t.op)) && fits(k.Outcome, string(v.Outcome)) &&
			fits(k.Row, v.Row) && fits(k.Kind, v.Kind) && fits(k.Path, v.Path) && fits(k.Detail, v.Detail) &&
			(k.When == "" || t.refuse == nil && conditions[k.When](s, t)) {
			return k.Reason
		}
	}
	return ""
}

//go:embed known.json
var engines []byte

// Engines returns the differences between the schemas and the engines that were run,
// each with its reason.
func Engines() []Known {
	all, err := ParseKnown(engines)
	if err != nil {
		panic(err) // a test reads the file
	}
	return all
}
