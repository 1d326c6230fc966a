// Command ratios measures octable against its references and rivals, prints
// the ratios, and holds them against the bars. It prints nothing but what it
// has measured in this run, and fails if a bar is missed or not measured.
//
//	ratios                                 everything but the engines
//	ratios -godot4 PATH -godot3 PATH       the engines too
//	ratios -only '^game/decode-struct/'    some cases, and the bars that rest on them
//	ratios -json                           for programs
//
// A bar that is missed is measured again, with its cases alone and for more rounds, before the
// verdict: the medians of a few rounds differ by some percent on a machine that does other work.
//
// PATH is a Godot executable that needs no display. The environment variables
// OCTABLE_GODOT4 and OCTABLE_GODOT3 take the place of the flags.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/octable/octable/codec/bench"
	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/engine"
)

func main() {
	keepMemory()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command, and returns the exit status. It is 0 if all bars are
// reached, 1 if not, and 2 if nothing was measured.
func run(args []string, stdout, stderr io.Writer) int {
	log := log.New(stderr, "ratios: ", 0)
	o, match := parse(args, log)
	if match == nil {
		return 2
	}
	bars, chosen, parallel := choose(match)
	if o.list {
		printNames(stdout, bars, chosen)
		return 0
	}
	if len(chosen) == 0 && len(bars) == 0 {
		log.Printf("no case and no bar matches %q; -list prints them", o.only)
		return 2
	}
	if o.round >= 0 {
		plan := bench.Plan{Round: o.round, Time: o.slice, Procs: o.procs}
		if err := json.NewEncoder(stdout).Encode(plan.Measure(chosen, parallel)); err != nil {
			log.Print(err)
			return 2
		}
		return 0
	}
	missed, err := o.compare(args, bars, stdout, stderr)
	switch {
	case err != nil:
		log.Print(err)
		return 2
	case missed > 0:
		return 1
	}
	return 0
}

// options are the flags.
type options struct {
	rounds, round, again, procs int
	slice                       time.Duration
	only                        string
	asJSON, list, progress      bool
	godot4, godot3              string
}

// parse reads the flags. match is that of the cases and bars, or nil if the flags are wrong, which it prints.
func parse(args []string, log *log.Logger) (o options, match *regexp.Regexp) {
	flag := flag.NewFlagSet("ratios", flag.ContinueOnError)
	flag.SetOutput(log.Writer())
	flag.IntVar(&o.rounds, "rounds", 7, "measure each case `n` times, each in a separate process")
	flag.IntVar(&o.round, "round", -1, "measure round `n` alone, in this process, and print it as JSON")
	flag.IntVar(&o.again, "again", 15, "measure the cases of bars that are missed for `n` rounds more")
	flag.DurationVar(&o.slice, "time", 40*time.Millisecond, "measure each case for about this `duration` in a round, four times that where it allocates")
	flag.IntVar(&o.procs, "cpu", 1, "GOMAXPROCS; ratios of allocating cases are unsteady with more than 1")
	flag.StringVar(&o.only, "only", "", "only cases, or bars by their id, that match this `regexp`")
	flag.BoolVar(&o.asJSON, "json", false, "print JSON")
	flag.BoolVar(&o.list, "list", false, "print the names of the cases and the bars, and measure nothing")
	flag.BoolVar(&o.progress, "progress", true, "print progress to standard error")
	flag.StringVar(&o.godot4, "godot4", os.Getenv("OCTABLE_GODOT4"), "time this Godot 4 `executable`")
	flag.StringVar(&o.godot3, "godot3", os.Getenv("OCTABLE_GODOT3"), "time this Godot 3 `executable`")
	if err := flag.Parse(args); err != nil {
		return o, nil
	}
	if flag.NArg() > 0 || o.rounds < 1 || o.again < 0 || o.slice <= 0 || o.procs < 1 {
		log.Print("no arguments, and positive numbers")
		flag.Usage()
		return o, nil
	}
	match, err := regexp.Compile(o.only)
	if err != nil {
		log.Print(err)
	}
	return o, match
}

// compare measures all rounds and prints the bars. It returns the number of those that are missed.
func (o *options) compare(args []string, bars []bench.Bar, stdout, stderr io.Writer) (missed int, err error) {
	engines, err := openEngines(o.godot4, o.godot3)
	if err != nil {
		return 0, err
	}
	for _, e := range engines {
		defer e.Close()
	}
	results, versions := &bench.Results{}, map[string]string{}
	// repeat measures n rounds of what args choose.
	repeat := func(first, n int, args []string) error {
		for i := first; i < first+n; i++ {
			if err := measure(results, append(slices.Clone(args), "-round", strconv.Itoa(i)), stderr); err != nil {
				return fmt.Errorf("round %d: %w", i+1, err)
			}
			if err := timeEngines(results, versions, engines, o.slice); err != nil {
				return err
			}
			if o.progress {
				fmt.Fprintf(stderr, "round %d of %d\n", i+1, first+n)
			}
		}
		return nil
	}
	if err := repeat(0, o.rounds, args); err != nil {
		return 0, err
	}
	verdicts, missed, unsure := judge(bars, results)
	if unsure != nil && o.again > 0 {
		if o.progress {
			fmt.Fprintf(stderr, "%d bars missed; their cases are measured again\n", len(unsure))
		}
		if err := repeat(o.rounds, o.again, append(slices.Clone(args), "-only", "^("+strings.Join(unsure, "|")+")$")); err != nil {
			return 0, err
		}
		verdicts, missed, _ = judge(bars, results)
	}
	if o.asJSON {
		return missed, printJSON(stdout, map[string]any{
			"go": runtime.Version(), "arch": runtime.GOARCH, "rounds": o.rounds, "gomaxprocs": o.procs,
			"engines": versions, "measured": results, "bars": verdicts, "missed": missed,
		})
	}
	fmt.Fprintf(stdout, "%s %s/%s, GOMAXPROCS %d, %d rounds; medians, [least..greatest]\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, o.procs, o.rounds)
	printCases(stdout, results)
	printEngines(stdout, results, versions)
	printBars(stdout, verdicts, missed)
	return missed, nil
}

// choose returns the bars whose id or subject matches and the cases to measure. These are the
// cases that match and those that the bars need; parallel are the subjects that are measured on
// two cores.
func choose(match *regexp.Regexp) (bars []bench.Bar, chosen []*cases.Case, parallel []string) {
	var wanted []string
	for _, b := range bench.Bars() {
		if match.MatchString(b.ID) || match.MatchString(b.Subject) {
			bars = append(bars, b)
			if b.Kind == bench.Speedup2 {
				parallel = append(parallel, b.Subject)
			} else {
				wanted = append(wanted, b.Names()...)
			}
		}
	}
	for _, c := range cases.All() {
		if match.MatchString(c.Name()) || slices.Contains(wanted, c.Name()) {
			chosen = append(chosen, c)
		}
	}
	return bars, chosen, parallel
}

func printNames(stdout io.Writer, bars []bench.Bar, chosen []*cases.Case) {
	for _, c := range chosen {
		fmt.Fprintln(stdout, c.Name())
	}
	for _, b := range bars {
		fmt.Fprintf(stdout, "%s\t%s\t%s %g\n", b.ID, b.Title, b.Kind, b.Limit)
	}
}

func printJSON(stdout io.Writer, v any) error {
	out := json.NewEncoder(stdout)
	out.SetIndent("", "\t")
	return out.Encode(v)
}

// judge holds the results against the bars. It counts those that are missed or not measured; unsure are the quoted
// names of the subjects of those that are missed.
func judge(bars []bench.Bar, results *bench.Results) (verdicts []bench.Verdict, missed int, unsure []string) {
	for _, b := range bars {
		v := b.Judge(results)
		switch v.State {
		case bench.Miss:
			missed++
			unsure = append(unsure, regexp.QuoteMeta(b.Subject))
		case bench.Missing:
			missed++
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, missed, unsure
}

// openEngines starts the engines whose paths are not empty.
func openEngines(godot4, godot3 string) (engines []*engine.Engine, err error) {
	for _, e := range [][2]string{{"godot4", godot4}, {"godot3", godot3}} {
		if e[1] == "" {
			continue
		}
		started, err := engine.New(e[0], e[1])
		if err != nil {
			for _, other := range engines {
				other.Close()
			}
			return nil, err
		}
		engines = append(engines, started)
	}
	return engines, nil
}

// timeEngines adds a round of each engine.
func timeEngines(results *bench.Results, versions map[string]string, engines []*engine.Engine, slice time.Duration) error {
	for _, e := range engines {
		timings, err := e.Time(slice)
		if err != nil {
			return err
		}
		for _, t := range timings {
			versions[e.Name] = t.Version
			decode, encode := bench.EngineDirections(t.Workload)
			results.AddEngine(t.Workload+"/"+decode+"/"+e.Name, t.Decode)
			results.AddEngine(t.Workload+"/"+encode+"/"+e.Name, t.Encode)
		}
	}
	return nil
}

// measure adds a round that a separate process measures. The places of code, heap and stacks in a
// process change the ratio of two cases by up to a third, and a median over processes does not.
func measure(results *bench.Results, args []string, stderr io.Writer) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(exe, args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), child+"=1"), stderr
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	var r bench.Results
	if err := json.Unmarshal(out, &r); err != nil {
		return err
	}
	results.Add(&r)
	return nil
}

// child is set in the environment of processes that measure a round.
const child = "OCTABLE_RATIOS_ROUND"

// printCases prints, job by job, how long each case takes and how its time
// relates to the fastest reference's.
func printCases(stdout io.Writer, r *bench.Results) {
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	job := ""
	var base *bench.Result
	for _, c := range r.Cases {
		if c.Engine {
			continue
		}
		i := strings.LastIndexByte(c.Name, '/')
		if c.Name[:i] != job {
			job = c.Name[:i]
			base = reference(r, job)
			fmt.Fprintf(w, "\n%s\ttime\tallocs\tx %s\n", job, base.Name[i+1:])
		}
		fmt.Fprintf(w, "  %s\t%s\t%.0f\t%s\n", c.Name[i+1:], duration(c.Median()), c.Allocs, bench.Ratio(c, base))
	}
	w.Flush()
}

// reference returns the result that a job is compared with. It is memcpy, or
// else the fastest reference written by hand, or else the fastest of all.
func reference(r *bench.Results, job string) *bench.Result {
	var best *bench.Result
	rank := func(c *bench.Result) int {
		impl := strings.TrimPrefix(c.Name, job+"/")
		switch {
		case impl == "memcpy":
			return 3
		case strings.HasPrefix(impl, "hand"):
			return 2
		case strings.HasPrefix(impl, bench.Ours):
			return 0
		}
		return 1
	}
	for _, c := range r.Cases {
		if !strings.HasPrefix(c.Name, job+"/") || c.Engine {
			continue
		}
		if best == nil || rank(c) > rank(best) || rank(c) == rank(best) && c.Median() < best.Median() {
			best = c
		}
	}
	return best
}

// printEngines prints what the engines take, and what the references and
// octable take of that.
func printEngines(stdout io.Writer, r *bench.Results, versions map[string]string) {
	if len(versions) == 0 {
		return
	}
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "\nengines, same packets, new results\ttime\ttimes that of hand\ttimes that of %s\n", bench.Ours)
	for _, c := range r.Cases {
		if !c.Engine {
			continue
		}
		i := strings.LastIndexByte(c.Name, '/')
		times := func(impls ...string) string {
			for _, impl := range impls {
				if other := r.Named(c.Name[:i+1] + impl); other != nil {
					return bench.Ratio(c, other).String()
				}
			}
			return "-"
		}
		fmt.Fprintf(w, "  %s %s\t%s\t%s\t%s\n", c.Name, versions[c.Name[i+1:]], duration(c.Median()),
			times("hand-iterative", "hand-single-pass", "hand-bulk"), times(bench.Ours))
	}
	w.Flush()
}

func printBars(stdout io.Writer, verdicts []bench.Verdict, missed int) {
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "\nbar\t%s\twanted\tmeasured\t\t\n", bench.Ours)
	for _, v := range verdicts {
		sign := "<="
		if v.Kind == bench.Faster || v.Kind == bench.Speedup2 {
			sign = ">="
		}
		measured := "-"
		if v.Measured != nil {
			measured = v.Measured.String()
		}
		note := v.Note
		if v.State == bench.Missing {
			note = "no " + note
		}
		fmt.Fprintf(w, "%s\t%s\t%s %s %g\t%s\t%s\t%s\n", v.ID, v.Title, unit(v.Kind), sign, v.Limit, measured, v.State, note)
	}
	w.Flush()
	fmt.Fprintf(stdout, "\n%d of %d bars missed or not measured\n", missed, len(verdicts))
}

func unit(k bench.Kind) string {
	switch k {
	case bench.Allocs:
		return "allocs"
	case bench.Nanos:
		return "ns"
	case bench.Faster:
		return "speed x"
	case bench.Speedup2:
		return "two cores x"
	case bench.Growth:
		return "growth x"
	}
	return "time x"
}

func duration(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.1f ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	}
	return fmt.Sprintf("%.2f ms", ns/1e6)
}
