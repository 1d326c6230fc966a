// Running tests with one mutant switched on.

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
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
	random := rand.New(rand.NewPCG(r.seed, 2))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
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
	tests   []string
	seconds float64
}

const quick = 0.5 // seconds of a test that runs together with others

// groups returns the tests that reach a mutant: first those of its package, then the quick ones of others, then each slow one
// by its time.
func (r *runner) groups(m *Mutant) []*group {
	var out []*group
	for _, p := range r.programs {
		together := &group{of: p}
		for _, t := range p.Tests {
			if !t.reaches(m) {
				continue
			}
			if t.Seconds > quick {
				out = append(out, &group{p, []string{t.Name}, t.Seconds})
				continue
			}
			together.tests = append(together.tests, t.Name)
			together.seconds += t.Seconds
		}
		if together.tests != nil {
			out = append(out, together)
		}
	}
	order := func(g *group) float64 {
		if g.of.Package == "./"+m.Folder {
			return g.seconds / 4
		}
		return g.seconds
	}
	slices.SortStableFunc(out, func(a, b *group) int { return cmp.Compare(order(a), order(b)) })
	return out
}

// try runs the tests that reach a mutant until one fails.
func (r *runner) try(ctx context.Context, i int) (Verdict, string) {
	m := r.mutants[i]
	verdict, spent := NotReached, 0.0
	for _, g := range r.groups(m) {
		verdict = Survived
		if spent += g.seconds; r.budget > 0 && spent > r.budget && spent > g.seconds {
			break
		}
		limit := 5 + 4*g.seconds
		limited, cancel := context.WithTimeout(ctx, time.Duration(float64(time.Second)*limit*8))
		// a shell sets the limits of processor time and memory: the machine has other work
		command := fmt.Sprintf(`ulimit -t %d; ulimit -v 8000000; exec "$0" "$@"`, int(limit))
		cmd := r.command(limited, g.of, "sh", "-c", command, g.of.binary, "-test.failfast", "-test.run", "^("+strings.Join(g.tests, "|")+")$")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d:%d", active.Variable, r.planted.Of[i], i+1))
		out, err := cmd.CombinedOutput()
		late := limited.Err() != nil
		cancel()
		if ctx.Err() != nil {
			return Survived, ""
		}
		var status *exec.ExitError
		if err != nil && !late && !errors.As(err, &status) && !errors.Is(err, exec.ErrWaitDelay) {
			return Survived, err.Error()
		}
		if err != nil {
			by := g.of.Package
			if m := failLine.FindSubmatch(out); m != nil {
				by += " " + string(m[1])
			}
			if late || strings.Contains(string(out), "SIGXCPU") || cmd.ProcessState.UserTime().Seconds()+1 > limit {
				return TimedOut, by
			}
			return Killed, by
		}
	}
	return verdict, ""
}

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
				x := &Result{Mutant: m, Name: m.String(), Key: m.Key}
				x.Verdict, x.By = r.try(ctx, i)
				if ctx.Err() != nil {
					return
				}
				if reason := table.reason(m.Key); reason != "" && (x.Verdict == Survived || x.Verdict == NotReached) {
					x.Verdict, x.By = Equivalent, reason
				}
				mutex.Lock()
				results[i] = x
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
