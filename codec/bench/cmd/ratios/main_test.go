package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/codec/bench"
)

// TestMain is the command where a test has started it for a round.
func TestMain(m *testing.M) {
	if os.Getenv(child) != "" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func TestRun(t *testing.T) {
	short := []string{"-rounds", "2", "-again", "0", "-time", "1ms", "-progress=false", "-godot4", "", "-godot3", ""}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-only", "^rpc/decode-value/hand"}, 0, "hand-iterative"},
		{[]string{"-only", "^nosuch/"}, 2, ""},
		{[]string{"-only", "("}, 2, ""},
		{[]string{"-rounds", "0"}, 2, ""},
		{[]string{"-again", "-1"}, 2, ""},
		{[]string{"-nosuch"}, 2, ""},
		{[]string{"rpc"}, 2, ""},
		{[]string{"-godot4", "/nosuch/engine", "-only", "^rpc/encode-decoded/hand"}, 2, ""},
		{[]string{"-list"}, 0, "game/decode-struct/hand-straight"},
	} {
		var out bytes.Buffer
		if code := run(append(short[:len(short):len(short)], c.args...), &out, io.Discard); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("%q: exit status %d, want %d and %q in\n%s", c.args, code, c.code, c.want, out.String())
		}
	}

	var out bytes.Buffer
	run(append(short[:len(short):len(short)], "-json", "-only", "^E2$"), &out, io.Discard)
	var report struct {
		Measured struct {
			Cases []struct {
				Name  string
				Nanos []float64 `json:"ns_per_op"`
			}
		}
		Bars []struct{ ID, State string }
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Bars) != 4 || len(report.Measured.Cases) < 8 || len(report.Measured.Cases[0].Nanos) != 2 {
		t.Errorf("report %+v", report)
	}
}

// A bar is measured again if it was measured and missed.
func TestJudge(t *testing.T) {
	bars := []bench.Bar{
		{ID: "reached", Kind: bench.Allocs, Subject: "a/d/octable", Limit: 1},
		{ID: "missed", Kind: bench.Allocs, Subject: "a/d/octable", Limit: 0},
		{ID: "not measured", Kind: bench.Allocs, Subject: "b/d/octable", Limit: 1},
	}
	results := &bench.Results{}
	results.Add(&bench.Results{Cases: []*bench.Result{{Name: "a/d/octable", Nanos: []float64{1}, Allocs: 1}}})
	verdicts, missed, unsure := judge(bars, results)
	if len(verdicts) != 3 || missed != 2 || len(unsure) != 1 || !regexp.MustCompile(unsure[0]).MatchString("a/d/octable") {
		t.Errorf("judge: %+v, %d missed, %q", verdicts, missed, unsure)
	}
}
