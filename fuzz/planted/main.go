// Command planted measures whether drawing schemas finds mistakes of the compiler.
//
// The table holds small mistakes in the source of dsl/schema, compile and interp. The
// command builds the test of package fuzz/schemas once, with all mistakes in an overlay,
// which changes nothing in the tree. The test draws schemas with many mistakes switched on,
// up to one in each function. If a law does not hold, it divides them until a mistake breaks
// a law of this schema alone; then the mistake is found, and is left out from there on. Without
// a mistake no law must break. An idle core draws about 4,000 schemas in five minutes.
//
//	go run ./fuzz/planted                       # all of them
//	go run ./fuzz/planted -only '^plan/'
//	go run ./fuzz/planted -sample 40 -schemas 150 -least 0.6    # forty drawn from the table
//
// Exit status: 0 if at least 95 % are found, 1 if fewer are or the command fails, 2 if
// the command line is wrong. A sample leaves out the mistakes for which the table has the
// reason that they are missed.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"time"
)

type options struct {
	only    *regexp.Regexp
	sample  int
	time    time.Duration
	seed    uint64
	json    bool
	list    bool
	shrink  bool
	least   float64
	schemas int
	law     string
}

func main() {
	o, only := options{}, ""
	flag.StringVar(&only, "only", "", "plant those whose name matches a `regexp`")
	flag.IntVar(&o.sample, "sample", 0, "plant `n` of them, drawn by the seed; 0 is all")
	flag.DurationVar(&o.time, "time", 4*time.Hour, "draw schemas for up to a `duration`")
	flag.IntVar(&o.schemas, "schemas", 4000, "draw up to `n` schemas")
	flag.Uint64Var(&o.seed, "seed", 0, "seed of the sample and of the schemas; 0 is a fresh one")
	flag.BoolVar(&o.json, "json", false, "print the results as JSON, and the progress on standard error")
	flag.BoolVar(&o.list, "list", false, "print the table and plant nothing")
	flag.BoolVar(&o.shrink, "shrink", false, "shrink each counterexample, up to 20 seconds")
	flag.Float64Var(&o.least, "least", 0.95, "exit with status 1 if a smaller `share` is found")
	flag.StringVar(&o.law, "law", "", "check the laws whose name matches a `regexp`; \"\" checks all, which takes longer for each schema")
	flag.Parse()
	var err error
	if o.only, err = regexp.Compile(only); err != nil || flag.NArg() > 0 || o.sample < 0 || o.schemas < 1 || o.time <= 0 {
		fmt.Fprintln(os.Stderr, "planted: wrong arguments; see go run ./fuzz/planted -h")
		os.Exit(2)
	}
	if o.seed == 0 {
		o.seed = rand.Uint64N(1<<32-1) + 1
	}
	ok, err := run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// choose returns the mistakes that the options ask for.
func choose(o options) []Mistake {
	all := slices.DeleteFunc(All(), func(m Mistake) bool { return !o.only.MatchString(m.Name) })
	if o.sample == 0 {
		return all
	}
	all = slices.DeleteFunc(all, func(m Mistake) bool { return m.Missed != "" })
	r := rand.New(rand.NewPCG(o.seed, 1))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(o.sample, len(all))]
}

// run plants mistakes and reports whether enough of them are found.
func run(o options) (bool, error) {
	mistakes := choose(o)
	if len(mistakes) == 0 {
		return false, fmt.Errorf("no mistake matches %q; see -list", o.only)
	}
	if o.list {
		for _, m := range mistakes {
			fmt.Printf("%-28s %s: %s\n", m.Name, m.File, m.Effect)
		}
		return true, nil
	}
	p, err := newPlanter(o)
	if err != nil {
		return false, err
	}
	defer p.close()
	progress := os.Stdout
	if o.json {
		progress = os.Stderr
	}
	fmt.Fprintf(progress, "%d mistakes, up to %d schemas and %v, seed %d\n", len(mistakes), o.schemas, o.time, o.seed)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	defer signal.Stop(stop)
	go func() {
		<-stop
		p.cancel()
	}()
	var results []*Result
	for i := range mistakes {
		results = append(results, &Result{Name: mistakes[i].Name, Effect: mistakes[i].Effect, Reason: mistakes[i].Missed})
	}
	schemas, err := p.plant(mistakes, func(m *Mistake, schemas int, text string) {
		r := results[slices.IndexFunc(results, func(r *Result) bool { return r.Name == m.Name })]
		r.Found, r.Schemas, r.Seconds, r.Lines = true, schemas, time.Since(p.began).Seconds(), strings.Split(text, "\n")
		r.print(progress)
	})
	if err != nil {
		return false, err
	}
	for _, r := range results {
		if !r.Found {
			r.Schemas, r.Seconds = schemas, time.Since(p.began).Seconds()
		}
	}
	s := summarize(results)
	if o.json {
		return s.Share >= o.least, json.NewEncoder(os.Stdout).Encode(struct {
			Seed    uint64    `json:"seed"`
			Summary summary   `json:"summary"`
			Results []*Result `json:"results"`
		}{o.seed, s, results})
	}
	s.print(os.Stdout, results)
	return s.Share >= o.least, nil
}

// summary is the result of all mistakes.
type summary struct {
	All   int     `json:"all"`
	Found int     `json:"found"`
	Share float64 `json:"share"`
	Half  int     `json:"half"` // schemas until half of all are found; 0 if they are not
	Most  int     `json:"most"` // schemas until nine of ten are found; 0 if they are not
}

func summarize(results []*Result) summary {
	s := summary{All: len(results)}
	var after []int
	for _, r := range results {
		if r.Found {
			after = append(after, r.Schemas)
		}
	}
	slices.Sort(after)
	s.Found = len(after)
	s.Share = float64(s.Found) / float64(max(1, s.All))
	quantile := func(tenths int) int {
		if n := (s.All*tenths + 9) / 10; n > 0 && n <= len(after) {
			return after[n-1]
		}
		return 0
	}
	s.Half, s.Most = quantile(5), quantile(9)
	return s
}

func (s summary) print(w *os.File, results []*Result) {
	fmt.Fprintf(w, "\n%-28s %-9s %8s %9s\n", "mistake", "result", "seconds", "schemas")
	for _, r := range results {
		fmt.Fprintf(w, "%-28s %-9s %8.1f %9d\n", r.Name, r.verdict(), r.Seconds, r.Schemas)
	}
	fmt.Fprintf(w, "\n%d of %d mistakes are found (%.1f %%)", s.Found, s.All, 100*s.Share)
	if s.Half > 0 {
		fmt.Fprintf(w, ", half of them within %d schemas", s.Half)
	}
	if s.Most > 0 {
		fmt.Fprintf(w, ", nine of ten within %d", s.Most)
	}
	fmt.Fprintln(w)
	for _, r := range results {
		if !r.Found {
			fmt.Fprintf(w, "not found: %s: %s %s\n", r.Name, r.Effect, strings.TrimSpace(r.Reason))
		}
	}
}
