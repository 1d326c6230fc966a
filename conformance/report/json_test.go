package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/dsl/golden"
)

func write(t *testing.T, run *runner.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteJSON(&b, run); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(b.Bytes()) {
		t.Fatalf("no JSON: %s", b.Bytes())
	}
	return b.Bytes()
}

// A run is read back as it was written, and gives the same reports.
func TestReadWhatWasWritten(t *testing.T) {
	for i, run := range runs() {
		b := write(t, run)
		golden.Check(t, []string{"good.json", "naive.json"}[i], b)
		again, err := Read(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(run, again); diff != "" {
			t.Errorf("read back differently (- written, + read):\n%s", diff)
		}
		for j := range again.Results {
			if again.Results[j].Case == nil || again.Results[j].Case.ID != again.Results[j].ID {
				t.Fatal("a result without its case")
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	good := string(write(t, runs()[1]))
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "ends too early"},
		{"half of it", good[:len(good)/2], "ends too early"},
		{"other JSON", `{"results":[]}`, `it has the keys "format", "run" and "suite"`},
		{"no JSON", "TAP version 14\n", "no file of a run"},
		{"a newer one", strings.Replace(good, `"format":1`, `"format":9`, 1), "format 9"},
		{"two", good + good, "more in the file"},
		{"another outcome", strings.Replace(good, `"outcome":"hang"`, `"outcome":"tired"`, 1), `unknown outcome "tired"`},
		{"another verdict", strings.Replace(good, `"verdict":"fail"`, `"verdict":"maybe"`, 1), `unknown verdict "maybe"`},
		{"another operation", strings.Replace(good, `"op":"decode"`, `"op":"guess"`, 1), `unknown operation "guess"`},
		{"a result twice", strings.Replace(good, `"op":"encode"`, `"op":"decode"`, 1), "two results of"},
		{"a result of no case", strings.Replace(good, `"id":"Nil.value"`, `"id":"x"`, 1), `the case "x"`},
		{"another type", `{"format":"one"}`, "no file of a run"},
	} {
		_, err := Read(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", c.name, err, c.want)
		}
	}
}

// Every result is counted once in each count, and in just one type.
func TestSummaryAddsUp(t *testing.T) {
	all := append(runs(), large(t, "godot-4.4", 5, 200)...)
	for _, run := range all {
		sum := Summarize(run)
		total := func(rows []Row) (n int) {
			for _, r := range rows {
				n += r.All.Total()
			}
			return n
		}
		levels, outcomes, bads, differ := 0, 0, 0, 0
		for _, l := range sum.Levels {
			levels += l.Total()
		}
		for _, n := range sum.Outcomes {
			outcomes += n
		}
		for _, c := range sum.Causes {
			bads += len(c.Results)
		}
		for _, c := range sum.Differences {
			differ += len(c.Results)
		}
		n := len(run.Results)
		if sum.All.Total() != n || total(sum.Types) != n || levels != n || outcomes != n {
			t.Errorf("%s: of %d results there are %d, by type %d, by level %d, by outcome %d", run.About.Name, n, sum.All.Total(), total(sum.Types), levels, outcomes)
		}
		if bads != sum.All.Bad() || differ != sum.All.Differs || bads+differ != run.Count(runner.Fail)+run.Count(runner.ExpectedFail)+run.Count(runner.Differs) {
			t.Errorf("%s: %d failures have causes, of %d; %d differ, of %d", run.About.Name, bads, sum.All.Bad(), differ, sum.All.Differs)
		}
		for i := 1; i < len(sum.Causes); i++ {
			if compareCauses(sum.Causes[i-1], sum.Causes[i]) > 0 {
				t.Errorf("%s: cause %d comes before the one it should follow", run.About.Name, i)
			}
		}
	}
}
