//go:build unix

package runner

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/octable/octable/conformance/child"
	"github.com/octable/octable/conformance/internal/broken"
	"github.com/octable/octable/conformance/internal/sample"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
)

func TestMain(m *testing.M) {
	broken.Main()
	os.Exit(m.Run())
}

func suite(t testing.TB, spec string) *vectors.Suite {
	t.Helper()
	s, err := sample.Suite(spec, broken.Trigger, "00000000")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func process(mode string) Target {
	return Command(child.Config{Command: []string{os.Args[0]}, Env: broken.Env(mode), Timeout: 2 * time.Second, Memory: 72 << 20, EndTimeout: time.Second})
}

// Our own codec passes, in this process and in others, however many.
func TestOwnCodec(t *testing.T) {
	for _, spec := range []string{"godot-4.4", "godot-4.4+double", "godot-3", "godot-2", "pandemonium-5"} {
		s := suite(t, spec)
		Check(t, protocol.Octable(), Options{}, s)
		for _, jobs := range []int{1, 3} {
			run, err := Conform(context.Background(), s, process("good"), Options{Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			if run.Failed() || run.Count(Pass) != len(run.Results) || len(run.Results) < len(s.Cases) || len(run.Notes) > 0 || run.Restarts > 0 {
				t.Errorf("%s: %d of %d pass, notes %q, %d restarts, %s", spec, run.Count(Pass), len(run.Results), run.Notes, run.Restarts, run.Stopped)
			}
			for i := range run.Results {
				if r := &run.Results[i]; r.Verdict != Pass || r.Case.Error != nil && !r.ExactError {
					t.Errorf("%s: %s", spec, r.Sentence())
				}
			}
		}
	}
}
