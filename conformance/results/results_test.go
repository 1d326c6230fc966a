package results

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/octable/octable/conformance/report"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
)

// asked names the variable that asks for runs of a kind.
var asked = map[Kind]string{Engine: "OCTABLE_ENGINE_TESTS", Package: "OCTABLE_PACKAGE_TESTS"}

// TestImplementations checks that engines do what the vectors say, except for the
// lists of known differences. Packages do what the files here say.
func TestImplementations(t *testing.T) {
	for i := range All {
		impl := &All[i]
		t.Run(impl.Name, func(t *testing.T) {
			if name := asked[impl.Kind]; name != "" && os.Getenv(name) == "" {
				t.Skipf("not asked for: %s is not set (.ci/run sets it where it can install them)", name)
			}
			if err := impl.Missing(); err != nil {
				t.Skip(err)
			}
			s, err := suites.Load(impl.Spec)
			if err != nil {
				t.Fatal(err)
			}
			top, err := filepath.Abs("../..")
			if err != nil {
				t.Fatal(err)
			}
			if s.Cases = long.Part(8, s.Cases); !long.Asked() {
				s.Large = nil
			}
			run, err := impl.Run(context.Background(), top, s)
			if err != nil {
				t.Fatal(err)
			}
			if run.Stopped != "" || impl.Kind != Package && run.Failed() {
				var b bytes.Buffer
				if err := report.Text(&b, run, report.TextOptions{}); err != nil {
					t.Fatal(err)
				}
				t.Errorf("%s", b.Bytes())
			}
			t.Logf("%s %s: %d pass, %d expected, %d fail, %d differ, %d unsupported; started again %d times, %v", run.About.Name, run.About.Version,
				run.Count(runner.Pass), run.Count(runner.ExpectedFail), run.Count(runner.Fail), run.Count(runner.Differs), run.Count(runner.Skip), run.Restarts, run.Took)
			compare(t, impl, run)
		})
	}
}

// compare says where a run came out otherwise than the one whose file is here.
func compare(t *testing.T, impl *Implementation, run *runner.Run) {
	t.Helper()
	f, err := ReadFile(impl.Name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if f.Stale() {
		// Who changes vectors may not have what is needed to write the file again.
		say := t.Errorf
		if asked[impl.Kind] == "" {
			say = t.Logf
		}
		say("the file here is about other vectors; write it again: go run ./conformance/results/update %s", impl.Name)
		return
	}
	if f.About.Version != run.About.Version {
		t.Logf("the file here is of version %s", f.About.Version)
		return
	}
	now, was := NewFile(run, "").outcomes(), f.outcomes()
	var names []string
	for n := range was {
		if _, ok := now[n]; ok || long.Asked() {
			names = append(names, n)
		}
	}
	for n := range now {
		if _, ok := was[n]; !ok {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	other := 0
	for _, n := range names {
		if kind(now[n]) == kind(was[n]) {
			continue
		}
		if other++; other <= 10 {
			t.Errorf("%s: it is %q, and the file says %q", n, now[n], was[n])
		}
	}
	if other > 0 {
		t.Errorf("%d results are others than the file says; write it again: go run ./conformance/results/update %s", other, impl.Name)
	}
}

// kind returns an outcome without details that may vary. They are the limit that is met first,
// and padding that an engine leaves as the memory was.
func kind(o runner.Outcome) runner.Outcome {
	switch o {
	case runner.Hang, runner.OutOfMemory, runner.Crash:
		return "no answer"
	case runner.SameValue:
		return runner.Exact
	}
	return o
}

// ints skips a test if an int has 32 bits. Some packages say that they read more bytes
// than such a machine can count.
func ints(t *testing.T) {
	t.Helper()
	if strconv.IntSize == 32 {
		t.Skip("an int of 32 bits is too small for numbers in the files; .ci/run runs this test on 64 bits")
	}
}

// The pages are made of the files.
func TestPages(t *testing.T) {
	ints(t)
	for i := range All {
		f, err := ReadFile(All[i].Name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if f.Stale() {
			t.Skipf("the vectors have changed since %s was run; run go run ./conformance/results/update on a machine that has it", All[i].Name)
		}
	}
	readme, html, err := Pages(".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{ReadmeName: readme, HTMLName: html} {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale; go run ./conformance/results/update -pages", name)
		}
	}
}

// A file is read back as it was written.
func TestFile(t *testing.T) {
	ints(t)
	for i := range All {
		name := All[i].Name + ".json"
		f, err := ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		again, err := f.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if was, _ := os.ReadFile(name); !bytes.Equal(was, again) {
			t.Errorf("%s is written otherwise than it is read", name)
		}
	}
}
