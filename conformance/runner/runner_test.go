//go:build unix

package runner

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/internal/broken"
	"github.com/octable/octable/conformance/internal/sample"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
)

func TestMain(m *testing.M) {
	broken.Main()
	os.Exit(m.Run())
}

// known holds the suites that have been made, by their spec.
var known sync.Map

// suite returns a small suite.
func suite(t testing.TB, spec string) *vectors.Suite {
	t.Helper()
	made, ok := known.Load(spec)
	if !ok {
		s, err := sample.Suite(spec, broken.Trigger, "00000000")
		if err != nil {
			t.Fatal(err)
		}
		made, _ = known.LoadOrStore(spec, s)
	}
	s := *made.(*vectors.Suite)
	s.Cases = slices.Clone(s.Cases) // tests delete some
	return &s
}

func childOf(mode string) Target {
	cfg := process.Config{Command: []string{os.Args[0]}, Env: broken.Env(mode), Timeout: 5 * time.Second, Memory: 72 << 20, EndTimeout: time.Second}
	switch mode {
	case "hang":
		cfg.Timeout = 500 * time.Millisecond
	case "good", "window 1":
		cfg.Timeout, cfg.EndTimeout = time.Minute, time.Minute // a loaded machine is no fault
	}
	return Command(cfg)
}

var everySchema = flag.Bool("all", false, "run the vectors of all schemas, and not of one in eight, as OCTABLE_LONG=1 does")

// TestOwnCodec checks that our own codec passes every vector, to the last bit. The codec reports each error as the
// vector does. The test runs in this process, and in others, however many.
func TestOwnCodec(t *testing.T) {
	specs := suites.Specs()
	if !*everySchema {
		specs = append(long.Part(16, slices.DeleteFunc(specs, func(s string) bool { return s == mainSpec })), mainSpec)
	}
	for _, spec := range specs {
		s, err := suites.Load(spec)
		if err != nil {
			t.Fatal(err)
		}
		type asked struct {
			target Target
			suite  *vectors.Suite
			jobs   int
		}
		small, others := *s, *s // others are what processes are asked for
		if !long.Asked() {
			others.Large = s.Large[:min(1, len(s.Large))]
			others.Cases = long.Part(120, s.Cases)
		}
		if !long.Asked() || spec != mainSpec && spec != "pandemonium-5" && spec != "framing" {
			small.Large = nil // they are alike, and take memory
		}
		all := []asked{{Local(protocol.Octable(), time.Minute), &small, 2}}
		if spec == mainSpec || spec == "pandemonium-5" && long.Asked() {
			childOf := func(mode string) Target { // large cases take memory
				return Command(process.Config{Command: []string{os.Args[0]}, Env: broken.Env(mode), Timeout: time.Minute, EndTimeout: time.Minute, Memory: 512 << 20})
			}
			all = append(all, asked{childOf("good"), &others, 1}, asked{childOf("window 1"), &others, 3})
		}
		for _, a := range all {
			run, err := Conform(context.Background(), a.suite, a.target, Options{Jobs: a.jobs, Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			if run.Failed() || run.Count(Pass) != len(run.Results) || len(run.Results) < len(a.suite.Cases) || len(run.Notes) > 0 || run.Restarts > 0 {
				t.Errorf("%s: %d of %d pass, notes %q, %d restarts, %s", spec, run.Count(Pass), len(run.Results), run.Notes, run.Restarts, run.Stopped)
			}
			for i := range run.Results {
				if r := &run.Results[i]; r.Outcome != Exact && (r.Outcome != RefusedRightly || !r.ExactError) {
					t.Errorf("%s: %s, exact error %t", spec, r.Sentence(), r.ExactError)
				}
			}
		}
	}
}

// Packets that versions read differently are cases of each of them.
func TestCross(t *testing.T) {
	f, err := suites.Cross()
	if err != nil {
		t.Fatal(err)
	}
	readings := map[string]int{}
	for i := range f.Cases {
		for _, r := range f.Cases[i].Readings {
			readings[r.Spec]++
		}
	}
	if len(readings) < 5 {
		t.Fatal(readings)
	}
	for spec, n := range readings {
		s, err := Cross(f, codec.MustLoad(spec), spec)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Cases) != n || s.Spec() != spec {
			t.Errorf("%s: %d cases of %s, not %d", spec, len(s.Cases), s.Spec(), n)
		}
		Check(t, protocol.Octable(), Options{Strict: true}, s)
	}
}

// TestBehaviours: implementations with one mistake fail in the case that has it, as the table says, and pass all others.
// One of five is run without OCTABLE_LONG=1.
func TestBehaviours(t *testing.T) {
	t.Parallel()
	const decoded = "int/valid/" + broken.Trigger
	type behaviour struct {
		mode    string
		op      protocol.Op // of the result that is looked at; "" is decode
		outcome Outcome
		verdict Verdict
		detail  string // of the result, or of the note or error of the run
	}
	for _, c := range long.Part(5, []behaviour{
		{"crash", "", Crash, Fail, "exit status 3"},
		{"panic", "", Crash, Fail, "exit status 2"},
		{"hang", "", Hang, Fail, "within 500ms"},
		{"memory", "", OutOfMemory, Fail, "72 MiB are allowed"},
		{"heap of the runtime", "", OutOfMemory, Fail, "exit status 134"},
		{"wrong id", "", Garbled, Fail, `the "id" of the answer`},
		{"garbage", "", Garbled, Fail, "no JSON object"},
		{"half a line", "", Crash, Fail, "in the middle of an answer"},
		{"neither", "", Garbled, Fail, `none of "ok"`},
		{"both", "", Garbled, Fail, "error and ok"},
		{"no value", "", Garbled, Fail, `without the key "value"`},
		{"bad value", "", Garbled, Fail, "the value of the answer cannot be read"},
		{"null", "", SilentNull, Fail, "null, without an error, in place of the value"},
		{"wrong used", "", Wrong, Fail, "it says that it took 4 bytes; it took 8"},
		{"unsupported", "", Unsupported, Skip, ""},
		{"recode only", protocol.Recode, Exact, Pass, ""},
		{"window 1", "", Exact, Pass, ""},
		{"bits", "", Exact, Pass, ""},
		{"flood of stderr", "", Exact, Pass, ""},
	}) {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			s := suite(t, "godot-2")
			if c.mode == "flood of stderr" {
				s.Cases = s.Cases[len(s.Cases)-20:]
			}
			run, err := Conform(context.Background(), s, childOf(c.mode), Options{})
			if err != nil {
				t.Fatal(err)
			}
			found := c.mode == "flood of stderr"
			for i := range run.Results {
				r := &run.Results[i]
				if c.op == "" {
					c.op = protocol.Decode
				}
				if r.ID == decoded && r.Op == protocol.Recode && c.op == protocol.Decode {
					continue // the same packet, with the same answer
				}
				if r.ID != decoded || r.Op != c.op {
					if r.Verdict != Pass {
						t.Errorf("%s", r.Sentence())
					}
					continue
				}
				found = true
				if r.Outcome != c.outcome || r.Verdict != c.verdict || !strings.Contains(r.Detail, c.detail) {
					t.Errorf("%s, %s; want %s, %s: %s", r.Verdict, r.Sentence(), c.verdict, c.outcome, c.detail)
				}
			}
			if !found {
				t.Error("the case was not run")
			}
			if len(run.Notes) > 0 || run.Stopped != "" {
				t.Errorf("%q, %s", run.Notes, run.Stopped)
			}
		})
	}
}

// Implementations that are wrong in many cases: by outcome, how all results of a
// sort come out.
func TestHabits(t *testing.T) {
	s := suite(t, "godot-4.4")
	tally := func(t *testing.T, mode string) (*Run, map[string]int) {
		t.Helper()
		run, err := Conform(context.Background(), s, childOf(mode), Options{Filter: Filter{Ops: []protocol.Op{protocol.Decode, protocol.Encode}}})
		if err != nil {
			t.Fatal(err)
		}
		n := map[string]int{}
		for i := range run.Results {
			r := &run.Results[i]
			key := string(r.Case.Result) + ": " + string(r.Outcome) + ", " + string(r.Verdict)
			if r.Ambiguous {
				key += ", ambiguous"
			}
			n[key]++
		}
		return run, n
	}
	_, good := tally(t, "good")
	refused := good["invalid: refused rightly, pass"]
	if refused < 50 {
		t.Fatal(good)
	}
	_, n := tally(t, "null on error")
	if n["invalid: silently null, fail"] != refused {
		t.Error(n)
	}
	run, n := tally(t, "null on error, declared")
	if n["invalid: refused rightly, pass, ambiguous"] != refused || n["valid: exact bytes, pass, ambiguous"] == 0 || run.Failed() {
		t.Error(n)
	}
	if _, n = tally(t, "accepts all"); n["invalid: accepted wrongly, fail"] != refused {
		t.Error(n)
	}
	run, n = tally(t, "lossy floats")
	if n["valid: lossy, fail"] < 2 {
		t.Error(n)
	}
	for i := range run.Results {
		if r := &run.Results[i]; r.Outcome == Lossy && (!strings.Contains(r.Detail, "it is rounded to single precision") || r.Op == protocol.Decode && r.Row != "float.value") {
			t.Error(r.Sentence())
		}
	}
	run, n = tally(t, "lacks")
	skipped := 0
	for i := range run.Results {
		if r := &run.Results[i]; r.Verdict == Skip {
			skipped++
			if r.Outcome != Unsupported || !strings.Contains(r.Reason, "lacks Vector2") || r.Answer.OK {
				t.Errorf("%+v", r)
			}
		}
	}
	if skipped == 0 || run.Failed() || run.Count(Pass)+skipped != len(run.Results) {
		t.Error(n)
	}
	run, n = tally(t, "lacks, null")
	for i := range run.Results {
		r := &run.Results[i]
		lacks := slices.Contains(r.Case.Uses, "Vector2")
		asked := lacks && r.Op == protocol.Decode && r.Case.Result != vectors.Invalid && !r.Case.Objects
		want := map[bool]Verdict{true: Skip, false: Pass}[lacks]
		if asked {
			want = Fail
			if r.Case.Level == vectors.May {
				want = Differs
			}
		}
		if r.Verdict != want || asked && r.Outcome != SilentNull {
			t.Errorf("%s, not %s: %s", r.Verdict, want, r.Sentence())
		}
	}
	if n["valid: silently null, fail"] == 0 {
		t.Error(n)
	}
	run, _ = tally(t, "without")
	for i := range run.Results {
		r := &run.Results[i]
		if needs := slices.Contains(r.Case.Features(), vectors.TypedContainers); needs != (r.Verdict == Skip) {
			t.Errorf("%s: %v: %s", r.Verdict, r.Case.Features(), r.Sentence())
		}
	}
	if run.Count(Skip) == 0 {
		t.Error("nothing is left out")
	}
	run, n = tally(t, "has two")
	for i := range run.Results {
		r := &run.Results[i]
		two := !slices.ContainsFunc(r.Case.Uses, func(typ string) bool { return typ != "Nil" && typ != "int" })
		if want := map[bool]Verdict{true: Pass, false: Skip}[two]; r.Verdict != want {
			t.Errorf("%v: %s: %s", r.Case.Uses, r.Verdict, r.Reason)
		}
	}
	if run.Count(Pass) == 0 || run.Count(Skip) == 0 {
		t.Error(n)
	}
}

func TestRuns(t *testing.T) {
	t.Parallel()
	s := suite(t, "godot-2")
	s.Cases = long.Part(4, s.Cases)
	for mode, want := range map[string]string{
		"exit status at the end": "After all was answered: it did not end well at the end of its input (exit status 7).",
		"one line more":          "After all was answered: it wrote a line that no request had asked for.",
		"disorder":               "the rest was asked one by one",
		"every tenth":            "something is left over from one request to the next",
	} {
		run, err := Conform(context.Background(), s, childOf(mode), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(run.Notes, "\n"); !strings.Contains(notes, want) || run.Count(Pass) != len(run.Results) {
			t.Errorf("%s: %d of %d pass, notes %q", mode, run.Count(Pass), len(run.Results), notes)
		}
	}
	if _, err := Conform(context.Background(), s, childOf("other spec"), Options{}); err == nil || !strings.Contains(err.Error(), "does not have godot-2, but godot-3") {
		t.Error(err)
	}
	if _, err := Conform(context.Background(), s, childOf("protocol 2"), Options{}); err == nil || !strings.Contains(err.Error(), `"protocol" of hello is 2`) {
		t.Error(err)
	}
	// If each answer is noise, it does not go on for ever.
	run, err := Conform(context.Background(), s, Command(process.Config{Command: []string{os.Args[0]}, Env: broken.Env("noise"), GiveUp: 5}), Options{})
	if err != nil || !strings.Contains(run.Stopped, "gave up after 5 requests in a row without an answer; the last one: this line is no JSON object: debug: decoding") || !run.Failed() {
		t.Errorf("%q, %v", run.Stopped, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	run, err = Conform(ctx, s, childOf("slow"), Options{Progress: func(done, _ int, _ *CaseResult) {
		if done == 7 {
			cancel()
		}
	}})
	if err != nil || run.Stopped != "context canceled" || len(run.Results) == 0 || len(run.Results) == len(s.Cases) {
		t.Errorf("%d results, %q, %v", len(run.Results), run.Stopped, err)
	}
}

// An implementation that hangs often is given little time after three timeouts.
func TestHangs(t *testing.T) {
	t.Parallel()
	const patient = time.Second
	s := suite(t, "godot-2")
	invalid := 0
	s.Cases = slices.DeleteFunc(s.Cases, func(c vectors.Case) bool {
		if c.Result == vectors.Invalid && slices.Contains(Ops(&c), protocol.Decode) {
			invalid++
		}
		return invalid > long.Number(8, 1<<30)
	})
	began := time.Now()
	run, err := Conform(context.Background(), s, Command(process.Config{Command: []string{os.Args[0]}, Env: broken.Env("hangs at errors"), Timeout: patient}),
		Options{Filter: Filter{Results: []vectors.Result{vectors.Invalid}, Ops: []protocol.Op{protocol.Decode}}})
	if err != nil {
		t.Fatal(err)
	}
	hangs := 0
	for i := range run.Results {
		if r := &run.Results[i]; r.Outcome == Hang {
			hangs++
		} else if r.Verdict == Fail {
			t.Error(r.Sentence())
		}
	}
	if took := time.Since(began); hangs < long.Number(6, 20) || hangs != len(run.Results) || took > time.Duration(hangs)*patient {
		t.Errorf("%d of %d hang, in %v", hangs, len(run.Results), took)
	}
}

// Mistakes of an implementation in this process are reported as those of a child.
func TestLocal(t *testing.T) {
	s := suite(t, "godot-4.4")
	s.Cases = s.Cases[:5]
	for name, c := range map[string]struct {
		decode  func([]byte) (json.RawMessage, int, error)
		outcome Outcome
		detail  string
	}{
		"panic": {func([]byte) (json.RawMessage, int, error) { panic("oh") }, Crash, "it panics: oh"},
		"hang": {func([]byte) (json.RawMessage, int, error) {
			<-t.Context().Done()
			return nil, 0, nil
		}, Hang, "no answer to the request within 50ms"},
		"nothing": {func([]byte) (json.RawMessage, int, error) { return nil, 0, nil }, Garbled, `without the key "value"`},
		"lacks":   {func([]byte) (json.RawMessage, int, error) { return nil, 0, &protocol.Lack{What: "x"} }, Unsupported, ""},
	} {
		run, err := Conform(context.Background(), s, Local(bad{Implementation: protocol.Octable(), decode: c.decode}, 50*time.Millisecond), Options{Filter: Filter{Ops: []protocol.Op{protocol.Decode}}})
		if err != nil || len(run.Results) != 5 {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range run.Results {
			if r := &run.Results[i]; r.Outcome != c.outcome || !strings.Contains(r.Detail, c.detail) {
				t.Errorf("%s: %s", name, r.Sentence())
			}
		}
	}
}

// recorder is a test that fails without failing this one.
type recorder struct{ failures []string }

func (*recorder) Helper()             {}
func (*recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(f string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(f, args...))
}

func TestCheck(t *testing.T) {
	s := suite(t, "godot-4.4")
	wrong := bad{Implementation: protocol.Octable(), decode: func([]byte) (json.RawMessage, int, error) { return []byte("5"), 0, nil }}
	var r recorder
	Check(&r, wrong, Options{Filter: Filter{Types: []string{"Vector2"}}}, s)
	if len(r.failures) == 0 || !strings.HasPrefix(r.failures[0], "godot-4.4: decode Vector2/") {
		t.Errorf("%q", r.failures)
	}
	r = recorder{}
	Check(&r, protocol.Octable(), Options{Filter: Filter{IDs: []string{"nothing"}}}, s)
	if len(r.failures) != 1 || !strings.Contains(r.failures[0], "there is nothing to ask: octable says") {
		t.Errorf("%q", r.failures)
	}
}
