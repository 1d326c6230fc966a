// Command mutants measures how many random changes of the source the tests notice.
//
// A mutant is one change in the body of a function: an operator, a bound, a negated condition, a removed statement, a constant
// that is one larger or smaller, a result, or break in place of continue. Text of messages, capacities, generated code,
// statements with a comment "unreachable: REASON", and numbers that are returned with false or an error are left out. The command draws mutants by a seed and builds each test once with all of them, in an overlay that
// changes nothing in the tree. It runs each test alone with coverage, so each mutant needs only the tests that reach it.
//
//	go run ./fuzz/mutants -seed 1                     # 300 mutants
//	go run ./fuzz/mutants -seed 1 -n 60 -only '^codec '
//
// It runs the tests of go test ./... that are about the core: of dsl, compile, interp, codec, fuzz, the manual, examples, samples and
// vectors. With OCTABLE_LONG=1 it runs them with all inputs, which takes hours.
// So tries with few inputs come first, and the others try only what those did not notice:
//
//	go run ./fuzz/mutants -seed 1 -results FILE
//	OCTABLE_LONG=1 go run ./fuzz/mutants -seed 1 -results FILE
//
// Measures of coverage are kept in the user's cache, by the program of the test. They take minutes the first time.
//
// Exit status: 0 if the share of noticed mutants is at least -least, 1 if it is smaller or the command fails, 2 if the command line
// is wrong. A mutant that is in equivalent.txt with its argument does not count.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/octable/octable/fuzz/overlay"
)

type options struct {
	packages []string // folders with mutants
	tests    []string // patterns of packages with tests, then their paths
	only     *regexp.Regexp
	names    *regexp.Regexp // of tests
	count    int
	seed     uint64
	jobs     int
	json     bool
	list     bool
	least    float64
	budget   float64
	cache    string
	results  string
}

func main() {
	var o options
	only, packages, tests, names := "", "", "", ""
	flag.StringVar(&packages, "packages", "dsl/schema compile compile/bytecode interp codec", "draw mutants of these `folders`")
	flag.StringVar(&tests, "tests", "./dsl/... ./compile ./compile/bytecode ./interp/... ./codec/... ./conformance/examples ./conformance/formats ./conformance/manual ./conformance/vectors/... ./conformance/runner ./fuzz ./fuzz/languages ./fuzz/schemas ./fuzz/targets", "run the tests of these `packages`")
	flag.StringVar(&names, "run", "", "run the tests whose names match a `regexp`")
	flag.StringVar(&only, "only", "", "draw mutants whose key matches a `regexp`")
	flag.IntVar(&o.count, "n", 300, "draw `n` mutants")
	flag.Uint64Var(&o.seed, "seed", 0, "seed of the sample; 0 is a fresh one")
	flag.IntVar(&o.jobs, "jobs", 2, "run the tests of `n` mutants at the same time")
	flag.BoolVar(&o.json, "json", false, "print the results as JSON, and the progress on standard error")
	flag.BoolVar(&o.list, "list", false, "print the sample and run nothing")
	flag.Float64Var(&o.least, "least", 0.9, "exit with status 1 if a smaller `share` is noticed")
	flag.Float64Var(&o.budget, "budget", 0, "leave out the slowest tests of a mutant beyond `seconds` of processor time; 0 runs all that reach it")
	flag.StringVar(&o.cache, "cache", "", "`folder` for measures of coverage; \"\" is a folder in the user's cache")
	flag.StringVar(&o.results, "results", "", "add the results to a `file`, and try no mutant again that is noticed in it")
	flag.Parse()
	var err error
	var err2 error
	o.only, err = regexp.Compile(only)
	o.names, err2 = regexp.Compile(names)
	if err != nil || err2 != nil || flag.NArg() > 0 || o.count < 1 || o.jobs < 1 {
		fmt.Fprintln(os.Stderr, "mutants: wrong arguments; see go run ./fuzz/mutants -h")
		os.Exit(2)
	}
	o.packages, o.tests = strings.Fields(packages), strings.Fields(tests)
	for o.seed == 0 {
		o.seed = rand.Uint64N(1 << 32)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ok, err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run tries a sample and reports whether enough mutants are noticed.
func run(ctx context.Context, o options) (bool, error) {
	table, err := readEquivalents(equivalentText)
	if err != nil {
		return false, err
	}
	r := &runner{options: o, progress: os.Stdout}
	if o.json {
		r.progress = os.Stderr
	}
	if r.root, err = overlay.Root(); err != nil {
		return false, err
	}
	if r.folder, err = os.MkdirTemp("", "mutants"); err != nil {
		return false, err
	}
	defer os.RemoveAll(r.folder)
	if r.cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return false, fmt.Errorf("no cache: %w; set -cache", err)
		}
		r.cache = filepath.Join(user, "octable-mutants")
	}
	if err := os.MkdirAll(r.cache, 0o755); err != nil {
		return false, err
	}
	if err := r.resume(); err != nil {
		return false, err
	}
	if err := r.sample(); err != nil {
		return false, err
	}
	if o.list {
		for _, m := range r.mutants {
			fmt.Println(m)
		}
		return true, nil
	}
	if r.tests, err = overlay.List(r.root, "{{.ImportPath}}", r.tests...); err != nil {
		return false, err
	}
	for i, name := range r.tests {
		r.tests[i] = "./" + strings.TrimPrefix(name, modulePath)
	}
	for _, step := range []func(context.Context) error{r.measureAll, r.build} {
		if err := step(ctx); err != nil {
			return false, err
		}
	}
	results := r.run(ctx, table)
	share := print(r.progress, r.packages, results)
	if o.json {
		err = json.NewEncoder(os.Stdout).Encode(struct {
			Seed    uint64    `json:"seed"`
			Share   float64   `json:"share"`
			Results []*Result `json:"results"`
		}{o.seed, share, results})
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted; the results are those of a part of the sample")
	}
	return share >= o.least, err
}

// print prints the figures of each package. It returns the share of mutants that are noticed of those that are not
// equivalent.
func print(w io.Writer, packages []string, results []*Result) float64 {
	verdicts := []Verdict{Killed, TimedOut, Survived, NotReached, Equivalent}
	fmt.Fprintf(w, "\n%-20s", "package")
	for _, v := range verdicts {
		fmt.Fprintf(w, " %12s", v)
	}
	fmt.Fprintf(w, " %8s\n", "noticed")
	line := func(name string, of func(*Result) bool) float64 {
		counts := map[Verdict]int{}
		for _, x := range results {
			if of(x) {
				counts[x.Verdict]++
			}
		}
		fmt.Fprintf(w, "%-20s", name)
		for _, v := range verdicts {
			fmt.Fprintf(w, " %12d", counts[v])
		}
		noticed := counts[Killed] + counts[TimedOut]
		share := float64(noticed) / float64(max(1, noticed+counts[Survived]+counts[NotReached]))
		fmt.Fprintf(w, " %6.1f %%\n", 100*share)
		return share
	}
	for _, p := range packages {
		line(p, func(x *Result) bool { return x.Folder == p })
	}
	return line("all", func(*Result) bool { return true })
}
