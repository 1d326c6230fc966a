package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	process "github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/report"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
)

type conformCommand struct {
	*env
	target
	cfg     process.Config
	opt     runner.Options
	vectors string
	cross   bool
	memory  string
	space   string
	levels  []string
	results []string
	ops     []string
	expect  string
	update  string
	smoke   bool
	list    bool
	verbose bool
	all     bool
	out     outputs
}

// outputs are the reports that are wanted.
type outputs struct {
	format string // of the one that is printed
	file   string // where to, if not the output
	files  map[string]*string
}

// reports are the forms of a report of one run.
var reports = map[string]func(io.Writer, *runner.Run) error{
	"json": report.WriteJSON, "junit": report.JUnit, "tap": report.TAP, "badge": report.Badge,
	"html": func(w io.Writer, run *runner.Run) error {
		return report.HTML(w, []*runner.Run{run}, report.HTMLOptions{})
	},
}

func (e *env) conformCommand() *cobra.Command {
	c := &conformCommand{env: e}
	cmd := &cobra.Command{
		Use:   "conform -spec ID [FLAG…] -- COMMAND…",
		Short: "Check an implementation in any language against the vectors",
		Long:  conformLong,
		Example: `octable conform -spec godot-4.4 -- octable serve
octable conform -spec godot-4.4 -smoke -- node wrapper.mjs
octable conform -spec godot-4.4 -type String -level must -- node wrapper.mjs
octable conform -spec godot-3 -tcp -expect known.txt -- ./engine`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	c.target.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&c.vectors, "vectors", "", "take the vectors from `PATH`, a file or the folder of \"octable vectors\" (default those octable has)")
	f.BoolVar(&c.cross, "cross", false, "run the packets that other versions of the format read differently, too")
	f.StringArrayVar(&c.opt.IDs, "id", nil, "run the cases whose id fits `PATTERN`, in which * matches any characters and ? one; may be given again")
	f.StringArrayVar(&c.opt.Not, "not", nil, "leave out the cases whose id fits `PATTERN`")
	f.StringSliceVar(&c.opt.Types, "type", nil, "run the cases about `TYPE`, or several with commas between them")
	f.StringSliceVar(&c.opt.Flags, "flag", nil, "run the cases that have `FLAG`")
	f.StringSliceVar(&c.levels, "level", nil, "run the cases of `LEVEL`: must, should, may")
	f.StringSliceVar(&c.results, "result", nil, "run the cases of which bytes are `RESULT`: valid, acceptable, invalid")
	f.StringSliceVar(&c.ops, "op", nil, "ask `OP` alone: decode, encode, recode")
	f.BoolVar(&c.opt.Large, "large", false, "also ask packets of more than 1 MiB")
	f.BoolVar(&c.opt.Strict, "strict", false, "fail bytes that represent the value and are not those that a writer gives, such as other padding")
	f.IntVar(&c.opt.Jobs, "jobs", 0, "run `N` processes side by side (default as many as there are processors, at most 8)")
	f.DurationVar(&c.cfg.Timeout, "timeout", 5*time.Second, "give each answer `TIME`")
	f.DurationVar(&c.cfg.StartTimeout, "start", 30*time.Second, "give each process `TIME` to start")
	f.StringVar(&c.memory, "memory", "1GiB", "allow each process, with those it starts, `SIZE` of memory, or none for no limit")
	f.StringVar(&c.space, "address-space", "", "allow each process `SIZE` of addresses (ulimit -v); runtimes such as Node's reserve far more than they use")
	f.StringVar(&c.expect, "expect", "", "expect the failures that `FILE` lists, each with a reason; a listed case that passes is an error")
	f.StringVar(&c.update, "update-expected", "", "expect what `FILE` lists, and write the file again as it has to be")
	f.BoolVar(&c.cfg.TCP, "tcp", false, "talk over a connection to $OCTABLE_CONNECT, for languages that cannot read their input")
	f.StringVar(&c.cfg.Dir, "dir", "", "start the command in `FOLDER`")
	f.BoolVar(&c.smoke, "smoke", false, "only check that a wrapper keeps to the protocol")
	f.BoolVar(&c.list, "list", false, "list the cases that would be run")
	f.BoolVar(&c.verbose, "v", false, "print other output of the command, and each failure at once")
	f.BoolVar(&c.all, "all", false, "show all failures in full")
	choose(cmd, &c.out.format, "format", "print the report as `FORM`: text, json, tap, junit or html", "text", "text", "json", "tap", "junit", "html")
	f.StringVar(&c.out.file, "o", "", "write the report to `FILE`")
	c.out.flags(cmd)
	cmd.AddCommand(e.conformReportCommand())
	return cmd
}

// flags declares a flag for each form of report.
func (o *outputs) flags(cmd *cobra.Command) {
	o.files = map[string]*string{}
	for _, form := range []string{"json", "junit", "tap", "html", "badge"} {
		usage := map[string]string{
			"json": "also write the run in full, as JSON, to `FILE`", "junit": "also write JUnit XML to `FILE`",
			"tap": "also write TAP to `FILE`", "html": "also write a page to `FILE`", "badge": "also write a badge, in SVG, to `FILE`",
		}[form]
		o.files[form] = cmd.Flags().String(form, "", usage)
	}
}

func (c *conformCommand) run(cmd *cobra.Command, args []string) error {
	if err := c.load(); err != nil {
		return err
	}
	if err := c.limits(); err != nil {
		return err
	}
	suite, err := c.suite()
	if err != nil {
		return err
	}
	if c.cross {
		if err := c.addCross(suite); err != nil {
			return err
		}
	}
	if err := c.filter(suite); err != nil {
		return err
	}
	switch {
	case c.list:
		return c.print(suite)
	case len(args) == 0:
		return fail(exitUsage, "the command of the implementation is missing; it follows --: octable conform -spec %s -- COMMAND…", c.name)
	}
	c.cfg.Command = args
	if c.verbose {
		c.cfg.Log = func(line string) { fmt.Fprintf(c.stderr, "%s\n", printable(line)) }
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if c.smoke {
		return c.check(ctx, suite)
	}
	list := c.expect
	if c.update != "" {
		list = c.update
	}
	if c.opt.Expect, err = expectations(list, c.update != ""); err != nil {
		return err
	}
	if err := c.out.writable(); err != nil {
		return err
	}
	bar := c.cases()
	c.opt.Codec = c.codec
	run, err := runner.Conform(ctx, suite, runner.Command(c.cfg), c.opt)
	bar.end()
	if err != nil {
		return c.notStarted(err)
	}
	run.Flags = c.again()
	if c.cfg.Memory > 0 && !process.MeasuresMemory {
		run.Notes = append(run.Notes, "Memory was not limited, as it cannot be measured on this system.")
	}
	if c.update != "" {
		return c.rewrite(run)
	}
	if err := c.report(run); err != nil {
		return err
	}
	if run.Failed() {
		return refused()
	}
	return nil
}

// cases returns the progress of a run, with the number of failures so far behind the bar. With -v it is nil, and
// failures are printed as they come.
func (c *conformCommand) cases() *progress {
	var bad atomic.Int64
	var bar *progress
	if !c.verbose {
		bar = c.progress(0, "cases")
	}
	if bar != nil {
		bar.about = func() string { return fmt.Sprintf("%d failed", bad.Load()) }
	}
	c.opt.Progress = func(_, total int, r *runner.CaseResult) {
		if r.Verdict == runner.Fail {
			bad.Add(1)
			if c.verbose {
				fmt.Fprintln(c.stderr, printable(r.Sentence()))
			}
		}
		bar.of(total)
		bar.add(1)
	}
	return bar
}

// writable finds out whether reports can be written, before a run that may take long.
func (o *outputs) writable() error {
	names := []string{o.file}
	for _, name := range o.files {
		names = append(names, *name)
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// limits reads the flags that are sizes and times.
func (c *conformCommand) limits() error {
	for _, l := range []struct {
		name, text string
		to         *int64
	}{{"memory", c.memory, &c.cfg.Memory}, {"address-space", c.space, &c.cfg.AddressSpace}} {
		n, err := size(l.text)
		if err != nil {
			return fail(exitUsage, "%q is no value for -%s; %v", l.text, l.name, err)
		}
		*l.to = n
	}
	if c.opt.Jobs == 0 {
		c.opt.Jobs = min(runtime.NumCPU(), 8)
	}
	switch {
	case c.cfg.Timeout <= 0 || c.cfg.StartTimeout <= 0:
		return fail(exitUsage, "-timeout and -start have to be more than 0")
	case c.opt.Jobs < 0 || c.opt.Jobs > 1000:
		return fail(exitUsage, "%d is no value for -jobs; it is from 1 to 1000", c.opt.Jobs)
	case c.expect != "" && c.update != "":
		return fail(exitUsage, "give one of -expect and -update-expected")
	case c.cfg.Memory > 0 && !process.MeasuresMemory && c.memory != "1GiB":
		return fail(exitUsage, "memory cannot be measured on this system; give -memory none")
	}
	return nil
}

// size reads a number of bytes such as 512MiB; none is -1, and nothing 0.
func size(s string) (int64, error) {
	switch s {
	case "":
		return 0, nil
	case "none":
		return -1, nil
	}
	digits := strings.TrimRight(s, "BbKkMmGgTtIi ")
	unit := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s[len(digits):])), "b"), "i")
	n, err := strconv.ParseInt(digits, 10, 64)
	shift, ok := map[string]int{"": 0, "k": 10, "m": 20, "g": 30, "t": 40}[unit]
	if err != nil || !ok || n <= 0 || n > 1<<62>>shift {
		return 0, errors.New("it is a size such as 512MiB, or none")
	}
	return n << shift, nil
}

// suite finds the vectors.
func (c *conformCommand) suite() (*vectors.Suite, error) {
	name := c.vectors
	if name == "" {
		s, err := suites.Load(c.spec())
		if err != nil {
			return nil, fail(exitUsage, "there are no vectors for %s here; make them with \"octable vectors -spec %s -o FOLDER\", and give -vectors FOLDER", c.spec(), c.name)
		}
		return s, nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, c.spec()+".json")
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	s, err := vectors.Parse(b)
	if err != nil {
		return nil, fail(exitRefused, "%s: %v", name, err)
	}
	if s.Spec() != c.spec() {
		return nil, fail(exitUsage, "%s is about %s; give -spec %s", name, s.Spec(), s.Spec())
	}
	return s, nil
}

// addCross adds the packets that other versions read differently to a suite.
func (c *conformCommand) addCross(s *vectors.Suite) error {
	f, err := suites.Cross()
	if err != nil {
		return err
	}
	more, err := runner.Cross(f, c.codec, s.Spec())
	if err != nil {
		return err
	}
	if len(more.Cases) == 0 {
		return fail(exitUsage, "-cross has nothing to add: there are no packets that other versions read in another way than %s", s.Spec())
	}
	s.Cases = append(s.Cases, more.Cases...)
	if s.Flags == nil {
		s.Flags = map[string]vectors.Flag{}
	}
	for name, flag := range more.Flags {
		if _, ok := s.Flags[name]; !ok {
			s.Flags[name] = flag
		}
	}
	return nil
}

// filter reads the flags that choose cases, which have to be about something that
// there is.
func (c *conformCommand) filter(s *vectors.Suite) error {
	types, flags := map[string]bool{}, map[string]bool{}
	for v := range s.All {
		types[v.Type] = true
		for _, f := range v.Flags {
			flags[f] = true
		}
	}
	for _, check := range []struct {
		name  string
		given []string
		known []string
		all   string // the list as text; "" if it is long
	}{
		{"type", c.opt.Types, keys(types), ""}, {"flag", c.opt.Filter.Flags, keys(flags), ""},
		{"level", c.levels, []string{"must", "should", "may"}, "must, should, may"},
		{"result", c.results, []string{"valid", "acceptable", "invalid"}, "valid, acceptable, invalid"},
		{"op", c.ops, []string{"decode", "encode", "recode"}, "decode, encode, recode"},
	} {
		for _, g := range check.given {
			if !slices.Contains(check.known, g) {
				text := "no case of " + s.Spec() + " has it" + meant(g, check.known, "")
				if check.all != "" {
					text = "it is one of " + check.all
				}
				return fail(exitUsage, "%q is no value for -%s; %s", g, check.name, text)
			}
		}
	}
	for _, l := range c.levels {
		c.opt.Levels = append(c.opt.Levels, vectors.Level(l))
	}
	for _, r := range c.results {
		c.opt.Results = append(c.opt.Results, vectors.Result(r))
	}
	for _, op := range c.ops {
		c.opt.Ops = append(c.opt.Ops, protocol.Op(op))
	}
	var ids []string
	for v := range s.All {
		if c.opt.Match(v) {
			return nil
		}
		ids = append(ids, v.ID)
	}
	for _, id := range c.opt.IDs {
		if !slices.ContainsFunc(ids, func(v string) bool { return runner.Glob(id, v) }) {
			return fail(exitUsage, "no case of %s has an id that fits %q%s; octable conform -spec %s -list lists them", s.Spec(), id, meant(id, ids, ""), c.name)
		}
	}
	return fail(exitUsage, "no case of %s fits all of these flags", s.Spec())
}

func keys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// print lists cases.
func (c *conformCommand) print(s *vectors.Suite) error {
	cases := []vectors.Case{}
	for v := range s.All {
		ops := runner.Ops(v)
		if c.opt.Match(v) && (len(c.opt.Ops) == 0 || slices.ContainsFunc(ops, func(op protocol.Op) bool { return slices.Contains(c.opt.Ops, op) })) {
			cases = append(cases, *v)
		}
	}
	if c.out.format == "json" {
		return c.writeJSON(cases)
	}
	for i := range cases {
		v := &cases[i]
		fmt.Fprintf(c.stdout, "%-6s %-10s %s\n", v.Level, v.Result, v.ID)
		if c.verbose {
			fmt.Fprintln(c.stdout, wrap(v.About, 79, strings.Repeat(" ", 18)))
		}
	}
	return nil
}

// check runs the checks of a wrapper.
func (c *conformCommand) check(ctx context.Context, s *vectors.Suite) error {
	findings, err := runner.Smoke(ctx, c.cfg, s)
	if err != nil {
		return fail(exitRefused, "stopped: %v", err)
	}
	bad := 0
	for _, f := range findings {
		if !f.OK {
			bad++
		}
	}
	if c.out.format == "json" {
		if err := c.writeJSON(findings); err != nil {
			return err
		}
	} else {
		for _, f := range findings {
			if f.OK {
				text := ""
				if f.Text != "" {
					text = ": " + f.Text
				}
				fmt.Fprintf(c.stdout, "ok    %s%s\n", f.Check, printable(text))
				continue
			}
			fmt.Fprintf(c.stdout, "WRONG %s\n%s\n", f.Check, wrap(printable(f.Text), 79, "      "))
		}
		if bad == 0 {
			fmt.Fprintln(c.stdout, "The wrapper keeps to the protocol.")
		}
	}
	if bad > 0 {
		return refused()
	}
	return nil
}

// expectations reads a list of expected failures. One that is to be written need not
// be there yet.
func expectations(name string, write bool) (*runner.Expectations, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil && !(write && errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	e, err := runner.ParseExpectations(name, text)
	if err != nil {
		return nil, &failure{exitRefused, err}
	}
	return e, nil
}

// rewrite writes the list of expected failures again.
func (c *conformCommand) rewrite(run *runner.Run) error {
	if run.Stopped != "" {
		return fail(exitRefused, "the run stopped before its end, so %s stays unchanged: %s", c.update, run.Stopped)
	}
	text := c.opt.Expect.Update(run, len(run.Results) > 0 && c.opt.Filter.All())
	if err := os.WriteFile(c.update, text, 0o666); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s: %s expected, %s added, %s no longer\n", c.update,
		count(run.Count(runner.ExpectedFail), "failure is", "failures are"), count(run.Count(runner.Fail), "is", "are"), count(run.Count(runner.StalePass)+len(run.Unused), "is", "are"))
	return nil
}

// notStarted is the error of an implementation that could not be run.
func (c *conformCommand) notStarted(err error) error {
	var f *process.Fault
	if !errors.As(err, &f) {
		if errors.Is(err, context.Canceled) {
			return fail(exitRefused, "stopped")
		}
		return &failure{exitRefused, err}
	}
	text := f.Text
	if tail := strings.TrimSpace(f.Stderr); tail != "" {
		text += "\nwhat it wrote to standard error:\n" + indent(printable(tail), "  ")
	}
	return fail(exitIO, "%s", text)
}

func indent(text, with string) string {
	return with + strings.ReplaceAll(text, "\n", "\n"+with)
}

// printable is foreign text without control characters.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, text)
}

// again are the flags that a single case needs to be run as it was run.
func (c *conformCommand) again() []string {
	var flags []string
	add := func(set bool, words ...string) {
		if set {
			flags = append(flags, words...)
		}
	}
	add(c.cfg.TCP, "-tcp")
	add(c.opt.Strict, "-strict")
	add(c.cross, "-cross")
	add(c.vectors != "", "-vectors", c.vectors)
	add(c.cfg.Dir != "", "-dir", c.cfg.Dir)
	add(c.cfg.Timeout != 5*time.Second, "-timeout", c.cfg.Timeout.String())
	add(c.cfg.StartTimeout != 30*time.Second, "-start", c.cfg.StartTimeout.String())
	add(c.memory != "1GiB", "-memory", c.memory)
	add(c.space != "", "-address-space", c.space)
	return flags
}

// report writes all reports that are wanted.
func (c *conformCommand) report(run *runner.Run) error {
	for form, name := range c.out.files {
		if *name != "" {
			if err := writeFile(*name, func(w io.Writer) error { return reports[form](w, run) }); err != nil {
				return err
			}
		}
	}
	write := func(w io.Writer) error { return reports[c.out.format](w, run) }
	if c.out.format == "text" {
		opt := report.TextOptions{Width: c.width(), More: "-all shows them"}
		if c.all {
			opt.Causes = -1
		}
		if c.out.file == "" {
			var err error
			if opt.Paint, err = c.painter(); err != nil {
				return err
			}
		}
		write = func(w io.Writer) error { return report.Text(w, run, opt) }
	}
	if c.out.file != "" {
		return writeFile(c.out.file, write)
	}
	return write(c.stdout)
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

type conformReportCommand struct {
	*env
	out   outputs
	title string
	about []string
}

func (e *env) conformReportCommand() *cobra.Command {
	c := &conformReportCommand{env: e}
	cmd := &cobra.Command{
		Use:   "report [FLAG…] RUN.json…",
		Short: "Write reports of runs that conform has written",
		Long: `Report reads runs that "octable conform -json FILE" has written. It writes one
page that compares all of them with -html, and other reports of a single run.`,
		Example: `octable conform report -html results.html godot.json mine.json`,
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	choose(cmd, &c.out.format, "format", "print the report as `FORM`: text, json, tap, junit or html", "text", "text", "json", "tap", "junit", "html")
	cmd.Flags().StringVar(&c.title, "title", "", "give the page `TEXT` as its title")
	cmd.Flags().StringArrayVar(&c.about, "about", nil, "put a paragraph of `TEXT` below the title; may be given again")
	c.out.flags(cmd)
	return cmd
}

func (c *conformReportCommand) run(names []string) error {
	var runs []*runner.Run
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		run, err := report.Read(f)
		_ = f.Close()
		if err != nil {
			return fail(exitRefused, "%s is no run that conform has written: %v", name, err)
		}
		runs = append(runs, run)
	}
	html := func(w io.Writer) error {
		return report.HTML(w, runs, report.HTMLOptions{Title: c.title, About: c.about})
	}
	wrote := false
	for form, name := range c.out.files {
		if *name == "" {
			continue
		}
		write := html
		if form != "html" {
			if len(runs) > 1 {
				return fail(exitUsage, "-%s is of one run; -html compares several", form)
			}
			write = func(w io.Writer) error { return reports[form](w, runs[0]) }
		}
		if err := writeFile(*name, write); err != nil {
			return err
		}
		wrote = true
	}
	switch {
	case c.out.format == "html":
		return html(c.stdout)
	case c.out.format != "text" && len(runs) > 1:
		return fail(exitUsage, "-format %s is of one run; -format html compares several", c.out.format)
	case c.out.format != "text":
		return reports[c.out.format](c.stdout, runs[0])
	case wrote:
		return nil
	}
	paint, err := c.painter()
	if err != nil {
		return err
	}
	for i, run := range runs {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		if err := report.Text(c.stdout, run, report.TextOptions{Width: c.width(), Paint: paint}); err != nil {
			return err
		}
	}
	return nil
}
