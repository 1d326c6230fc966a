package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/mutate"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// mutant is our own codec with one mistake, as an implementation.
type mutant struct {
	protocol.Implementation
	one *mutate.Implementation
}

func options(objects bool) (o interp.Options) {
	if objects {
		o.Open = 0xff
	}
	return o
}

func outcome(o mutate.Outcome) error {
	if e := o.Err; e != nil {
		return &protocol.Refusal{Kind: e.Word(), Offset: e.Offset, Text: e.Error()}
	}
	return nil
}

func (mu *mutant) Decode(_ string, b []byte, objects bool) (json.RawMessage, int, error) {
	o := mu.one.Decode(b, options(objects))
	if err := outcome(o); err != nil {
		return nil, 0, err
	}
	value, err := codec.AppendJSON(nil, codec.FromRaw(o.Value))
	return value, o.Used, err
}

func (mu *mutant) Encode(_ string, value json.RawMessage, objects bool) ([]byte, error) {
	v, err := codec.ParseJSON(value)
	if err != nil {
		return nil, err
	}
	o := mu.one.Encode(v.Raw(), options(objects))
	return slices.Clone(o.Bytes), outcome(o)
}

func TestMutants(t *testing.T) {
	const spec = "godot-4.4"
	s := suite(t, spec)
	c := codec.MustLoad(spec)
	bench := mutate.NewBench(c.Machine(), mutate.Results)
	for i := range s.Cases {
		v := &s.Cases[i]
		add := mutate.Case{Decode: v.Bytes != "" || v.Value == nil, Bytes: packetOf(v)}
		if v.Value != nil {
			value, err := codec.ParseJSON(v.Value)
			if err != nil {
				t.Fatal(err)
			}
			add.Encode, add.Value = true, value.Raw()
		}
		bench.Add(add)
	}
	all, _ := mutate.Of(c.Program())
	tried := map[string]int{}
	outs := map[string]map[Outcome]int{}
	for _, m := range all {
		key := m.Class + " " + fmt.Sprint(m.Dir)
		if tried[key] >= 40 {
			continue
		}
		killer := bench.Killer(m, 0)
		if killer < 0 {
			continue
		}
		tried[key]++
		one := *s
		one.Cases = []vectors.Case{s.Cases[killer]}
		impl, err := m.New(c.Machine())
		if err != nil {
			t.Fatal(err)
		}
		run, err := Conform(context.Background(), &one, Local(&mutant{protocol.Octable(), impl}, 0), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range run.Results {
			r := &run.Results[i]
			if (r.Op == protocol.Decode) == (m.Dir == interp.Reading) {
				if outs[key] == nil {
					outs[key] = map[Outcome]int{}
				}
				outs[key][r.Outcome]++
				t.Log(m.ID, m.About, "|", r.Verdict, r.Sentence())
			}
		}
	}
	for _, k := range mutate.Classes {
		t.Log(k.Name, "R", outs[k.Name+" "+interp.Reading.String()], "W", outs[k.Name+" "+interp.Writing.String()])
	}
}
