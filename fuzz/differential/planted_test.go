package differential

import (
	"context"
	"encoding/json"
	"flag"
	"regexp"
	"sort"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/facts"
	"github.com/octable/octable/conformance/mutate"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/interp"
)

var (
	plantedSpec  = flag.String("planted-spec", "godot-4.4", "plant bugs in this schema")
	plantedEvery = flag.Int("planted-every", 100, "plant one bug of so many")
	plantedMatch = flag.String("planted-match", "", "plant those whose id has this regular expression in it")
	plantedSize  = flag.Int("planted-inputs", 20000, "look for each with so many inputs")
)

// planted is an implementation with one mistake in one direction.
type planted struct {
	spec string
	bad  *mutate.Implementation
}

func (p *planted) About() protocol.About {
	return protocol.About{Protocol: protocol.Version, Name: "planted", Ops: []protocol.Op{protocol.Decode, protocol.Encode}, Specs: []string{p.spec}, Objects: true}
}

func options(objects bool) interp.Options {
	return interp.Options{Open: map[bool]uint8{true: 0xff}[objects]}
}

func refusal(e *interp.Error) error {
	return &protocol.Refusal{Kind: e.Word(), Offset: e.Offset, Text: e.Error()}
}

func (p *planted) Decode(_ string, b []byte, objects bool) (json.RawMessage, int, error) {
	o := p.bad.Decode(b, options(objects))
	if o.Err != nil {
		return nil, 0, refusal(o.Err)
	}
	text, err := codec.AppendJSON(nil, codec.FromRaw(o.Value))
	return text, o.Used, err
}

func (p *planted) Encode(_ string, value json.RawMessage, objects bool) ([]byte, error) {
	v, err := codec.ParseJSON(value)
	if err != nil {
		return nil, err
	}
	o := p.bad.Encode(v.Raw(), options(objects))
	if o.Err != nil {
		return nil, refusal(o.Err)
	}
	return o.Bytes, nil
}

func (p *planted) Recode(string, []byte, bool) ([]byte, int, error) {
	return nil, 0, &protocol.Lack{What: "recode"}
}

// TestPlanted: bugs that are planted in the schema's program are found. The default
// is a sample; for all of them, and the figure:
//
//	go test ./fuzz/differential -run TestPlanted -v -planted-every 1 -planted-inputs 20000 -timeout 1h
func TestPlanted(t *testing.T) {
	c, err := codec.Load(*plantedSpec)
	if err != nil {
		t.Fatal(err)
	}
	m := c.Machine()
	match, err := regexp.Compile(*plantedMatch)
	if err != nil {
		t.Fatal(err)
	}
	known := facts.Of(m, facts.Setup{Gates: true})
	mutants, _ := mutate.Of(m.Program())
	all, found, equivalent := 0, 0, 0
	classes := map[string][2]int{}
	for i, mu := range mutants {
		if i%*plantedEvery != 0 || !match.MatchString(mu.ID) {
			continue
		}
		if _, ok := mutate.Equivalent(mu, known, mutate.Results); ok {
			equivalent++
			continue
		}
		bad, err := mu.New(m)
		if err != nil {
			t.Fatalf("%s: %v", mu.ID, err)
		}
		ctx := context.Background()
		s, err := runner.Open(ctx, runner.Local(&planted{*plantedSpec, bad}, time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(ctx, []runner.Session{s}, Options{Spec: *plantedSpec, Codec: c, Time: time.Hour, Minimise: time.Nanosecond, Findings: 1,
			Inputs: *plantedSize, Seed: uint64(i), Objects: true, Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		all++
		n := classes[mu.Class]
		n[1]++
		if len(r.Targets[0].Findings) > 0 {
			found++
			n[0]++
		} else {
			t.Logf("not found: %s: %s", mu.ID, mu.About)
		}
		classes[mu.Class] = n
	}
	t.Logf("%s: %d of %d planted bugs are found with at most %d inputs each; %d more are shown to change nothing", *plantedSpec, found, all, *plantedSize, equivalent)
	var names []string
	for name := range classes {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t.Logf("%4d of %4d  %s", classes[name][0], classes[name][1], name)
	}
	if 10*found < 9*all {
		t.Errorf("%d of %d planted bugs are found", found, all)
	}
}
