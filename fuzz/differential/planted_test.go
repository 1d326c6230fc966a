package differential

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/reach"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

var (
	plantedSpec  = flag.String("planted-spec", "godot-4.4", "plant bugs in these schemas, with commas between them, or in all")
	plantedEvery = flag.Int("planted-every", long.Number(64, 16), "plant one bug of n")
	plantedMatch = flag.String("planted-match", "", "plant those whose id has this regular expression in it")
	plantedSize  = flag.Int("planted-inputs", long.Number(10000, 40000), "look for each with n inputs")
)

// planted is an implementation with one mistake in one direction.
type planted struct {
	spec string
	bad  *mutants.Implementation
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
	text, err := godot.AppendJSON(nil, raw.Wrap(o.Value))
	return text, o.Used, err
}

func (p *planted) Encode(_ string, value json.RawMessage, objects bool) ([]byte, error) {
	v, err := godot.ParseJSON(value)
	if err != nil {
		return nil, err
	}
	o := p.bad.Encode(raw.Value(v), options(objects))
	if o.Err != nil {
		return nil, refusal(o.Err)
	}
	return o.Bytes, nil
}

func (p *planted) Recode(string, []byte, bool) ([]byte, int, error) {
	return nil, 0, &protocol.Lack{What: "recode"}
}

// round has the questions of one run, prepared once. Its inputs come from the schema, and not
// from the target, so all targets of a schema can be asked the same.
type round struct {
	s         *subject
	judge     *runner.Judge
	questions []readied
	by        [2][][]int32   // for each direction and instruction: the questions that run it
	unsaid    []inputs.Input // values that the notation does not have, or has as others
}

// readied is a question with what goes out for it and what should come back.
type readied struct {
	*test
	number  int // of its input, from 1
	request protocol.Request
	want    vectors.Case
}

// newRound makes the questions of a run with n inputs, as [Run] does.
func newRound(spec string, seed uint64, size int) (*round, error) {
	c, err := codec.Load(spec)
	if err != nil {
		return nil, err
	}
	r := &round{}
	if r.s, err = newSubject(spec, c); err != nil {
		return nil, err
	}
	about := (&planted{spec: spec}).About()
	if r.judge, err = runner.NewJudge(c, about); err != nil {
		return nil, err
	}
	for d := range r.by {
		r.by[d] = make([][]int32, len(r.s.p.Code))
	}
	src, err := inputs.New(r.s.m, inputs.Options{Seed: seed, Objects: true, MaxBytes: maxBytes})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	ran := r.s.m.NewCoverage()
	for n := 1; n <= size; {
		in := src.Next()
		tests := r.s.tests(in, true)
		if len(tests) == 0 {
			r.unsaid = append(r.unsaid, in)
			continue
		}
		for _, t := range tests {
			q := readied{t, n, t.request(r.s, &about), r.s.question(t)}
			opt := options(t.in.Open)
			ran.Reset()
			d := interp.Reading
			if t.op == protocol.Encode {
				d = interp.Writing
				v, err := godot.ParseJSON(q.request.Value)
				if err != nil {
					return nil, err
				}
				_, _ = r.s.m.AppendObserved(nil, raw.Value(v), opt, ran)
			} else {
				_, _, _ = r.s.m.DecodeObserved(t.packet, opt, ran)
			}
			for pc := range r.by[d] {
				if ran.HasRun(d, pc) {
					r.by[d][pc] = append(r.by[d][pc], int32(len(r.questions)))
				}
			}
			r.questions = append(r.questions, q)
		}
		n++
	}
	return r, nil
}

// candidates returns the questions that run one of the instructions. To all others a
// mutant of these gives the answers of the original.
func (r *round) candidates(d interp.Direction, pcs []int) []int32 {
	var all []int32
	for _, pc := range pcs {
		all = append(all, r.by[d][pc]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ask asks a target questions in turn, and returns the first that it answers wrong,
// or nil.
func (r *round) ask(target protocol.Implementation, questions []int32) (*readied, error) {
	const atOnce = 16
	ctx := context.Background()
	session, err := runner.Open(ctx, runner.Local(target, time.Minute))
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(questions, atOnce) {
		requests := make([]protocol.Request, len(some))
		for i, k := range some {
			requests[i] = r.questions[k].request
		}
		replies, err := session.Do(ctx, requests)
		if err != nil {
			return nil, err
		}
		for i, k := range some {
			q := &r.questions[k]
			if v := r.s.verdict(r.judge, q.test, &q.want, replies[i]); v.Wrong() || v.Outcome == runner.SameValue {
				return q, nil
			}
		}
	}
	return nil, nil
}

// unaskable returns a value by which a mutant differs that no question can have, where
// there is one.
func (r *round) unaskable(mu *mutants.Mutant) (string, bool) {
	bad, err := mu.New(r.s.m)
	if err != nil || mu.Dir != interp.Writing {
		return "", false
	}
	for _, in := range r.unsaid {
		var want mutants.Outcome
		want.Bytes, err = r.s.m.Encode(in.Value, options(in.Open))
		errors.As(err, &want.Err)
		if !mutants.Same(mu.Dir, want, bad.Encode(in.Value, options(in.Open)), mutants.Results) {
			return raw.Wrap(in.Value).String(), true
		}
	}
	return "", false
}

// TestPlanted: bugs that are planted in the schema's program are found. The default
// is a sample; for all of them, and the figure:
//
//	go test ./fuzz/differential -run TestPlanted -v -planted-every 1 -timeout 1h
func TestPlanted(t *testing.T) {
	specs := strings.Split(*plantedSpec, ",")
	if *plantedSpec == "all" {
		specs = codec.Schemas()
	}
	for _, spec := range specs {
		t.Run(spec, func(t *testing.T) { plant(t, spec) })
	}
}

func plant(t *testing.T, spec string) {
	match, err := regexp.Compile(*plantedMatch)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	r, err := newRound(spec, 1, *plantedSize)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d inputs give %d questions, made in %v", spec, *plantedSize, len(r.questions), time.Since(began).Round(time.Millisecond))
	known := reach.Of(r.s.m, reach.Setup{Gates: true})
	all, _ := mutants.Of(r.s.p)
	var kept []*mutants.Mutant
	same := 0
	for i, mu := range all {
		if i%*plantedEvery != 0 || !match.MatchString(mu.ID) {
			continue
		}
		if _, ok := mutants.Equivalent(mu, known, mutants.Results); ok {
			same++
			continue
		}
		kept = append(kept, mu)
	}
	found := make([]*readied, len(kept))
	var wait sync.WaitGroup
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range work {
				mu := kept[i]
				bad, err := mu.New(r.s.m)
				if err == nil {
					found[i], err = r.ask(&planted{spec, bad}, r.candidates(mu.Dir, mu.PCs))
				}
				if err != nil {
					t.Errorf("%s: %v", mu.ID, err)
				}
			}
		})
	}
	for i := range kept {
		work <- i
	}
	close(work)
	wait.Wait()
	type figure struct{ found, all int }
	missed, unaskable := 0, 0
	classes := map[string]figure{}
	var after []int // how many inputs
	for i, mu := range kept {
		f := classes[mu.Class]
		if found[i] == nil {
			if v, ok := r.unaskable(mu); ok {
				unaskable++
				t.Logf("not asked for: %s: %s: it shows in such as %s, which the notation does not have", mu.ID, mu.About, v)
				continue
			}
			missed++
			t.Errorf("not found: %s: %s", mu.ID, mu.About)
		} else {
			f.found++
			after = append(after, found[i].number)
			if *plantedMatch != "" {
				t.Logf("found: %s: %s: %s %s%s", mu.ID, mu.About, found[i].op, found[i].want.Bytes, found[i].want.Canonical)
			}
		}
		f.all++
		classes[mu.Class] = f
	}
	slices.Sort(after)
	quantile := ""
	if n := len(after); n > 0 {
		quantile = fmt.Sprintf(", half of them by %d inputs, nine of ten by %d, the last by %d", after[n/2], after[n*9/10], after[n-1])
	}
	t.Logf("%s: %d of %d planted bugs are found%s; %d more are shown to change nothing, and %d in nothing that can be asked; %v", spec, len(after), len(after)+missed, quantile,
		same, unaskable, time.Since(began).Round(time.Millisecond))
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		t.Logf("%4d of %4d  %s", classes[class].found, classes[class].all, class)
	}
}

// TestRound: a target without mistakes answers every question right.
func TestRound(t *testing.T) {
	r, err := newRound("godot-4.4", 1, 2000)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]int32, len(r.questions))
	for i := range all {
		all[i] = int32(i)
	}
	q, err := r.ask(protocol.Octable(), all)
	if err != nil {
		t.Fatal(err)
	}
	if q != nil {
		t.Errorf("%s: %s %s", q.want.ID, q.op, q.want.Bytes)
	}
}
