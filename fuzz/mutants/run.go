// Running tests with one mutant switched on.

package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/octable/octable/fuzz/overlay"
	"github.com/octable/octable/fuzz/overlay/active"
)

// Verdict is the result of a mutant.
type Verdict string

// Verdicts.
const (
	Killed     Verdict = "killed"
	TimedOut   Verdict = "timed out"   // a test takes many times as long: it is noticed too
	Survived   Verdict = "survived"    // tests run it and pass
	NotReached Verdict = "not reached" // no test runs it
	Equivalent Verdict = "equivalent"  // the table has the reason
)

// Result is the verdict of a mutant, with the test that killed it.
type Result struct {
	*Mutant `json:"-"`
	Name    string  `json:"mutant"`
	Key     string  `json:"key"`
	Verdict Verdict `json:"verdict"`
	By      string  `json:"by,omitempty"`
}

// runner has the mutants and the tests.
type runner struct {
	options
	root, folder string
	progress     io.Writer
	programs     []*program
	planted      *overlay.Planted
	mutants      []*Mutant
	known        map[string]*Result // of an earlier run, by key
	mutex        sync.Mutex         // guards the records of tests
}

// sample draws the mutants, without those that the compiler refuses.
func (r *runner) sample() error {
	var all []*Mutant
	for _, folder := range r.packages {
		list, err := mutants(r.root, folder)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	all = slices.DeleteFunc(all, func(m *Mutant) bool { return !r.only.MatchString(m.Key) })
	if len(all) == 0 {
		return fmt.Errorf("no mutant matches %q", r.only)
	}
	fmt.Fprintf(r.progress, "%d mutants in all, seed %d\n", len(all), r.seed)
	// the order depends on nothing but the seed and the key: a change of the source keeps the rest of the sample
	rank := map[*Mutant]uint64{}
	for _, m := range all {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", r.seed, m.Key))
		rank[m] = binary.BigEndian.Uint64(sum[:])
	}
	slices.SortFunc(all, func(a, b *Mutant) int { return cmp.Compare(rank[a], rank[b]) })
	wanted := min(r.count, len(all))
	chosen := all[:min(len(all), wanted*3/2+20)]
	bad, err := plant(r.root, chosen)
	if err != nil {
		return err
	}
	var good []*Mutant
	for i, m := range chosen {
		if bad[i] == nil {
			good = append(good, m)
		}
	}
	r.mutants = good[:min(wanted, len(good))]
	r.planted, err = overlay.Plant(r.root, edits(r.mutants))
	return err
}

func edits(list []*Mutant) []overlay.Edit {
	var out []overlay.Edit
	for _, m := range list {
		out = append(out, m.Edit)
	}
	return out
}

// plant returns the errors of types of mutants, by their numbers.
func plant(root string, list []*Mutant) (map[int]error, error) {
	p, err := overlay.Plant(root, edits(list))
	if err != nil {
		return nil, err
	}
	return p.Check()
}

// build builds the test of each package with all mutants.
func (r *runner) build(ctx context.Context) error {
	file, err := r.planted.Write(r.folder)
	if err != nil {
		return err
	}
	for i, p := range r.programs {
		p.binary = filepath.Join(r.folder, fmt.Sprintf("tests%d", i))
		if _, err := overlay.Test(ctx, r.root, p.Package, p.binary, "-overlay", file); err != nil {
			return err
		}
	}
	return nil
}

// group are tests of one program that run together.
type group struct {
	of      *program
	tests   []*test
	seconds float64
}

const together = 1.0 // seconds of quick tests that run together

// score estimates how often a test notices a mutant, in a second.
func (t *test) score(m *Mutant) float64 {
	kills := float64(t.kills) + 0.1
	if t.of.Package == "./"+m.Folder {
		kills++
	}
	return kills / (float64(t.tries) + 2) / max(t.Seconds, 0.02)
}

// groups returns the tests that reach a mutant, first those that notice most in a second.
func (r *runner) groups(m *Mutant) []*group {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var tests []*test
	score := map[*test]float64{}
	for _, p := range r.programs {
		for _, t := range p.Tests {
			if !t.bad && t.reaches(m) {
				tests = append(tests, t)
				score[t] = t.score(m)
			}
		}
	}
	slices.SortStableFunc(tests, func(a, b *test) int { return cmp.Compare(score[b], score[a]) })
	var out []*group
	open, seconds := map[*program]*group{}, 0.0
	for _, t := range tests {
		if seconds += t.Seconds; seconds > together {
			clear(open)
			seconds = t.Seconds
		}
		g := open[t.of]
		if g == nil {
			g = &group{of: t.of}
			open[t.of] = g
			out = append(out, g)
		}
		g.tests = append(g.tests, t)
		g.seconds += t.Seconds
	}
	return out
}

// try runs the tests that reach a mutant until one fails.
func (r *runner) try(ctx context.Context, i int) (Verdict, string) {
	verdict, spent := NotReached, 0.0
	for _, g := range r.groups(r.mutants[i]) {
		verdict = Survived
		if spent += g.seconds; r.budget > 0 && spent > r.budget && spent > g.seconds {
			break
		}
		if v, by := r.tryGroup(ctx, g, i); v != Survived || ctx.Err() != nil {
			return v, by
		}
	}
	return verdict, ""
}

// tryGroup runs a group with a mutant. A test that notices its first mutant is run without it, too, and
// is left out if it fails then, such as a test that counts allocations.
func (r *runner) tryGroup(ctx context.Context, g *group, i int) (Verdict, string) {
	for {
		v, by := r.runGroup(ctx, g, g.tests, fmt.Sprintf("%s=%d:%d", active.Variable, r.planted.Of[i], i+1))
		if v == Survived || ctx.Err() != nil {
			r.tried(g.tests, nil)
			return Survived, ""
		}
		failed := g.tests
		if by != nil {
			failed = []*test{by}
		}
		if r.trusted(failed) {
			r.tried(g.tests, by)
			return v, g.of.Package + " " + failed[0].Name
		}
		for _, t := range failed {
			without, _ := r.runGroup(ctx, g, []*test{t}, active.Variable+"=")
			r.judge(t, without == Survived)
		}
		g.tests = slices.DeleteFunc(g.tests, func(t *test) bool { return t.bad })
		if len(g.tests) == 0 {
			return Survived, ""
		}
	}
}

func (r *runner) tried(tests []*test, by *test) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, t := range tests {
		t.tries++
	}
	if by != nil {
		by.kills++
	}
}

// trusted reports whether all tests of a list are known to pass without a mutant.
func (r *runner) trusted(tests []*test) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return !slices.ContainsFunc(tests, func(t *test) bool { return !t.good })
}

func (r *runner) judge(t *test, good bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	t.good, t.bad = good, !good
	if t.bad {
		fmt.Fprintf(r.progress, "%s of %s fails with all mutants switched off and is left out\n", t.Name, t.of.Package)
	}
}

// runGroup runs tests with an environment variable, and returns the test that failed, if its name is known.
func (r *runner) runGroup(ctx context.Context, g *group, tests []*test, variable string) (Verdict, *test) {
	limit := 3 + 4*g.seconds
	limited, cancel := context.WithTimeout(ctx, time.Duration(float64(time.Second)*limit*16))
	defer cancel()
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	// a shell sets the limits of processor time and memory: the machine has other work
	command := fmt.Sprintf(`ulimit -t %d; ulimit -v 8000000; exec "$0" "$@"`, int(limit))
	cmd := r.command(limited, g.of, "sh", "-c", command, g.of.binary, "-test.failfast", "-test.run", "^("+strings.Join(names, "|")+")$")
	cmd.Env = append(os.Environ(), variable)
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil {
		return Survived, nil
	}
	var by *test
	if m := failLine.FindSubmatch(out); m != nil {
		if k := slices.Index(names, string(m[1])); k >= 0 {
			by = tests[k]
		}
	}
	if limited.Err() != nil || strings.Contains(string(out), "SIGXCPU") || cmd.ProcessState != nil && cmd.ProcessState.UserTime().Seconds()+1 > limit {
		return TimedOut, by
	}
	return Killed, by
}

var failLine = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// run tries all mutants.
func (r *runner) run(ctx context.Context, table *equivalents) []*Result {
	results := make([]*Result, len(r.mutants))
	var wait sync.WaitGroup
	var mutex sync.Mutex
	next, done := 0, 0
	for range r.jobs {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for {
				mutex.Lock()
				i := next
				next++
				mutex.Unlock()
				if i >= len(r.mutants) || ctx.Err() != nil {
					return
				}
				m := r.mutants[i]
				x := r.known[m.Key]
				if x == nil {
					x = &Result{Key: m.Key}
					if x.Verdict, x.By = r.try(ctx, i); ctx.Err() != nil {
						return
					}
				}
				x.Mutant, x.Name = m, m.String()
				if reason := table.reason(m.Key); reason != "" && (x.Verdict == Survived || x.Verdict == NotReached) {
					x.Verdict, x.By = Equivalent, reason
				}
				mutex.Lock()
				results[i] = x
				r.keep(x)
				if done++; x.Verdict != Killed {
					fmt.Fprintf(r.progress, "%d/%d %s: %s %s\n", done, len(r.mutants), x.Verdict, x.Name, x.By)
				}
				mutex.Unlock()
			}
		}()
	}
	wait.Wait()
	results = slices.DeleteFunc(results, func(x *Result) bool { return x == nil })
	slices.SortStableFunc(results, func(a, b *Result) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.From, b.From))
	})
	return results
}

// resume reads the results of earlier runs. A mutant that was noticed is not tried again.
func (r *runner) resume() error {
	data, err := os.ReadFile(r.results)
	if r.results == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	r.known = map[string]*Result{}
	for n, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		x := &Result{}
		if err := json.Unmarshal([]byte(line), x); err != nil {
			return fmt.Errorf("%s:%d: %w", r.results, n+1, err)
		}
		if x.Verdict == Killed || x.Verdict == TimedOut {
			r.known[x.Key] = x
		}
	}
	return nil
}

// keep adds a result to the file of results.
func (r *runner) keep(x *Result) {
	if r.results == "" || r.known[x.Key] != nil {
		return
	}
	line, err := json.Marshal(x)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(r.results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_, err = f.Write(append(line, '\n'))
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		fmt.Fprintf(r.progress, "the result is not kept: %v\n", err)
	}
}
