package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	process "github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/report"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/fuzz/differential"
	"github.com/octable/octable/interp/asm"
)

const fuzzLong = `Fuzz searches for differences between an implementation and a schema: wrong
values, bytes that are accepted or refused wrongly, crashes, hangs, and too
much memory. A target is a command that speaks the protocol of conformance
tests. Several targets run side by side, and each is tried with the findings of
the others.

Inputs come from the schema. Values are drawn and changed part by part, packets
are damaged in each length, count, flag and text, and any that reaches a new
instruction, branch or refusal of the schema leads to more. Findings of one
cause are merged, shrunk and explained. Known differences, which need a reason,
are counted separately.

Without a target the laws of the schema are tried on this command, and the
report says how fast all of the schema was reached.

With -corpus a folder keeps the findings, and the packets that reached
something new, as they are found. Runs on one machine, or on several that mount
the folder, may share it; each continues from the packets of the others. A run
may be killed at any time. -workers N is N such runs in one command. "octable
fuzz merge" adds other folders and removes packets that add nothing.

It ends after -time, or at Ctrl-C, with a report. The exit status is 1 if there
are findings.`

// fuzzSpan is how long a run may be asked to take.
const fuzzSpan = 30 * 24 * time.Hour

type fuzzCommand struct {
	*env
	target
	targets  []string
	time     time.Duration
	timeout  time.Duration
	memory   int
	seed     int
	workers  int
	findings int
	maxBytes int
	show     int
	objects  bool
	exact    bool
	inputs   int
	tcp      bool
	known    string
	corpus   string
	json     string
}

func (e *env) fuzzCommand() *cobra.Command {
	c := &fuzzCommand{env: e}
	cmd := &cobra.Command{
		Use:   "fuzz [FLAG…]",
		Short: "Search for mistakes of implementations with inputs from a schema",
		Long:  fuzzLong,
		Example: `octable fuzz -spec godot-4.4 -target 'node my-codec.mjs' -time 60s
octable fuzz -spec godot-3 -target './a' -target './b' -corpus found
octable fuzz -spec godot-4.4 -workers 4 -corpus /mnt/shared -time 8h
octable fuzz -spec my-format.oct
octable fuzz vectors found
octable fuzz export seeds -spec godot-4.4`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fail(exitUsage, "%s takes no argument such as %q, but vectors, export or merge; a target is given by -target", cmd.CommandPath(), args[0])
			}
			return c.run()
		},
	}
	c.target.flags(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&c.targets, "target", nil, "ask the implementation that `COMMAND` starts; blanks separate its arguments, except inside quotes; may be repeated")
	f.DurationVar(&c.time, "time", time.Minute, "end after `TIME`, such as 90s or 2h")
	f.DurationVar(&c.timeout, "timeout", time.Second, "count a hang if a target does not answer in `TIME`")
	f.IntVar(&c.memory, "memory", 512, "end a target that takes more than `N` MiB of memory")
	f.IntVar(&c.findings, "findings", 200, "end with a target that has `N` findings")
	f.IntVar(&c.inputs, "inputs", 0, "end with a target, or the laws, after `N` inputs; 0 is no limit")
	f.IntVar(&c.maxBytes, "max-bytes", 512, "make packets of at most `N` bytes")
	f.IntVar(&c.seed, "seed", 1, "the seed `N` of random choices")
	f.IntVar(&c.workers, "workers", 1, "let `N` workers share what they find, the first with the number of -seed and the others with those after it")
	f.IntVar(&c.show, "show", 12, "show `N` findings of each target in full, and the others in a line")
	f.BoolVar(&c.objects, "objects", false, "allow full objects in half of the inputs, if the target supports the option")
	f.BoolVar(&c.exact, "exact", false, "also count it if a target writes other bytes for the same value, refuses bytes that engines accept but no writer produces, or writes a value without bytes")
	f.BoolVar(&c.tcp, "tcp", false, "talk over a connection whose address is in OCTABLE_CONNECT, for targets that cannot read their input")
	f.StringVar(&c.known, "known", "", "read known differences, which are not counted, from `FILE`")
	f.StringVar(&c.corpus, "corpus", "", "keep findings and packets in the folder `DIR`, which runs may share, and begin with those in it")
	f.StringVar(&c.json, "json", "", "write the report as JSON to `FILE`, - for the output")
	cmd.AddCommand(e.fuzzVectorsCommand(), e.fuzzExportCommand(), e.fuzzMergeCommand())
	return cmd
}

func (c *fuzzCommand) run() error {
	for _, n := range []struct {
		name      string
		n         int
		low, high int
	}{{"memory", c.memory, 1, 1 << 30}, {"findings", c.findings, 1, 1 << 20}, {"inputs", c.inputs, 0, math.MaxInt32}, {"max-bytes", c.maxBytes, 16, 1 << 20}, {"seed", c.seed, math.MinInt32, math.MaxInt32}, {"show", c.show, 0, 1 << 20}, {"workers", c.workers, 1, 256}} {
		if n.n < n.low || n.n > n.high {
			return fail(exitUsage, "%d is no value for -%s; it is from %d to %d", n.n, n.name, n.low, n.high)
		}
	}
	if c.time < 100*time.Millisecond || c.time > fuzzSpan {
		return fail(exitUsage, "%v is no value for -time; it is from 100ms to %v", c.time, fuzzSpan)
	}
	if c.timeout < 10*time.Millisecond || c.timeout > time.Hour {
		return fail(exitUsage, "%v is no value for -timeout; it is from 10ms to 1h", c.timeout)
	}
	if err := c.load(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the command at once
	}()
	if len(c.targets) == 0 {
		return c.laws(ctx)
	}
	return c.differential(ctx)
}

// spec is the schema as a target is asked for it.
func (c *fuzzCommand) spec() string {
	id, choice := c.split()
	if strings.ContainsAny(id, "/\\.") {
		id = c.program.Schema
	}
	if choice == "" || choice == "single" {
		return id
	}
	return id + "+" + choice
}

// live is a line on the terminal that is written over and over.
type live struct {
	mu   sync.Mutex
	w    io.Writer // nil if there is no terminal
	last time.Time
}

func (e *env) live() *live {
	f, ok := e.stderr.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) || os.Getenv("TERM") == "dumb" {
		return &live{}
	}
	return &live{w: f}
}

// line shows a line in the place of the last one, a few times a second.
func (l *live) line(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.w == nil || time.Since(l.last) < 150*time.Millisecond {
		return
	}
	l.last = time.Now()
	fmt.Fprintf(l.w, "\r\x1b[K%s", fmt.Sprintf(format, args...))
}

// say prints a line that stays.
func (l *live) say(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.w != nil {
		fmt.Fprintf(l.w, "\r\x1b[K%s\n", fmt.Sprintf(format, args...))
	}
}

// end takes the line away.
func (l *live) end() {
	if l.w != nil {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}

func rounded(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Second:
		return d.Round(time.Second)
	case d >= time.Second:
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}

// reached says how much of a schema was reached, and when it was all.
func reached(percent float64, full time.Duration) string {
	if full > 0 {
		return fmt.Sprintf("100 %% after %v", rounded(full))
	}
	return fmt.Sprintf("%.1f %%", math.Floor(10*percent)/10) // 100 is all
}

// laws tries the laws in this process.
func (c *fuzzCommand) laws(ctx context.Context) error {
	share, done, err := c.share()
	if err != nil {
		return err
	}
	defer done()
	seeds, err := share.seeds()
	if err != nil {
		return err
	}
	s, err := c.resolved()
	if err != nil && !isProgram(c.name) { // the laws about the reference need more than a program
		return err
	}
	l := c.live()
	all, err := crowd(c.workers, func(worker int) (*fuzz.HuntReport, error) {
		exchange, err := share.exchange()
		if err != nil {
			return nil, err
		}
		r, err := fuzz.Hunt(ctx, c.spec(), s, c.codec, fuzz.HuntOptions{
			Time: c.time, Inputs: c.each(), Seed: uint64(c.seed + worker), Seeds: seeds, MaxBytes: c.maxBytes, Most: c.findings, Exchange: exchange, Broken: share.broken,
			Progress: func(r fuzz.HuntReport) {
				if worker == 0 { // it knows what the others find
					l.line("%v  %.0f inputs/s  schema %s  %s", rounded(r.Took), r.PerSecond*float64(c.workers), reached(r.Percent(), r.Full), count(len(r.Violations), "violation", "violations"))
				}
			},
		})
		if err != nil {
			return nil, &failure{exitSchema, err}
		}
		return r, nil
	})
	l.end()
	if err != nil {
		return err
	}
	r := fuzz.MergeHunts(all)
	if err := share.close(); err != nil {
		return err
	}
	if err := c.writeReport(r); err != nil {
		return err
	}
	if c.json != "-" {
		c.printHunt(r)
	}
	if len(r.Violations) > 0 {
		return refused()
	}
	return nil
}

func (c *fuzzCommand) printHunt(r *fuzz.HuntReport) {
	fmt.Fprintf(c.stdout, "%s: %s in %v, %.0f a second; all laws tried on %d of them\n", r.Schema, count(r.Inputs, "input", "inputs"), rounded(r.Took), r.PerSecond, r.Checks)
	if r.Stopped != "" {
		fmt.Fprintf(c.stdout, "  ended before its time: %s\n", r.Stopped)
	}
	fmt.Fprintf(c.stdout, "  schema: %d of %d points (%s)\n", r.Reached, r.Points, reached(r.Percent(), r.Full))
	for _, m := range r.Milestones {
		fmt.Fprintf(c.stdout, "    %3d %% after %v, %s\n", m.Percent, rounded(m.After), count(m.Inputs, "input", "inputs"))
	}
	for i, id := range r.Missing {
		if i == c.show {
			fmt.Fprintf(c.stdout, "    and %d more\n", len(r.Missing)-i)
			break
		}
		fmt.Fprintf(c.stdout, "    not reached: %s\n", id)
	}
	for _, v := range r.Violations {
		fmt.Fprintf(c.stdout, "  broken: %s\n", v.Error)
	}
	for _, law := range r.Untried {
		fmt.Fprintf(c.stdout, "  not tried: %s; give the schema that %s was compiled from\n", law, c.name)
	}
	if len(r.Violations) == 0 {
		fmt.Fprintln(c.stdout, "  every law holds")
	}
}

// writeReport writes the report as JSON.
func (c *fuzzCommand) writeReport(r any) error {
	switch c.json {
	case "":
		return nil
	case "-":
		return c.writeJSON(r)
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(c.json, append(text, '\n'), 0o666)
}

// splitCommand splits a command line at blanks that are not inside quotes.
func splitCommand(s string) ([]string, error) {
	var args []string
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if begun {
				args = append(args, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		args = append(args, word.String())
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the quote %c in it does not end", quote)
	case len(args) == 0:
		return nil, errors.New("it is empty")
	}
	return args, nil
}

// differential asks targets.
func (c *fuzzCommand) differential(ctx context.Context) error {
	known, err := c.knownDifferences()
	if err != nil {
		return err
	}
	share, done, err := c.share()
	if err != nil {
		return err
	}
	defer done()
	seeds, err := share.seeds()
	if err != nil {
		return err
	}
	commands := make([][]string, len(c.targets))
	for i, t := range c.targets {
		if commands[i], err = splitCommand(t); err != nil {
			return fail(exitUsage, "%q is no value for -target: %v", t, err)
		}
	}
	l := c.live()
	all, err := crowd(c.workers, func(worker int) (*differential.Report, error) {
		return c.ask(ctx, commands, l, share, differential.Options{
			Spec: c.spec(), Codec: c.codec, Time: c.time, Findings: c.findings, Inputs: c.each(), MaxBytes: c.maxBytes, Seed: uint64(c.seed + worker),
			Objects: c.objects, Exact: c.exact, Seeds: seeds, Known: known, Exchange: share.exchange,
		})
	})
	l.end()
	if err != nil {
		return err
	}
	r := differential.Merge(all)
	a, err := c.assembler()
	if err != nil {
		return err
	}
	for _, t := range r.Targets {
		for _, f := range t.Findings {
			if b, err := hex.DecodeString(f.Bytes); err == nil && len(b) > 0 {
				text, _ := a.Disassemble(b, asm.Options{})
				f.Text = string(text)
			}
			share.report(func(dir string) error { return differential.Save(dir, f) }) // with the results of other targets
		}
	}
	if err := share.close(); err != nil {
		return err
	}
	if err := c.writeReport(r); err != nil {
		return err
	}
	if c.json != "-" {
		if err := c.printRun(r); err != nil {
			return err
		}
	}
	for _, t := range r.Targets {
		if len(t.Findings) > 0 {
			return refused()
		}
	}
	return nil
}

// ask asks processes of the targets that are started for one worker.
func (c *fuzzCommand) ask(ctx context.Context, commands [][]string, l *live, share *sharing, opt differential.Options) (*differential.Report, error) {
	var sessions []runner.Session
	defer func() {
		for _, s := range sessions {
			_ = s.Close() // its end was not asked for
		}
	}()
	for _, command := range commands {
		s, err := runner.Open(ctx, runner.Command(process.Config{Command: command, TCP: c.tcp, Timeout: c.timeout, Memory: int64(c.memory) << 20}))
		if err != nil {
			return nil, fail(exitRefused, "%s", targetError(err))
		}
		sessions = append(sessions, s)
	}
	opt.Progress = func(p differential.Progress) {
		now := ""
		if p.Now != "" {
			now = "  " + p.Now
		}
		l.line("%v  %.0f questions/s  schema %s  %s, %d known%s", rounded(p.Took), float64(p.Asked*c.workers)/max(p.Took.Seconds(), 0.001), reached(p.Percent, p.Full),
			count(p.Findings, "finding", "findings"), p.Known, now)
	}
	opt.Finding = func(f *differential.Finding) {
		share.report(func(dir string) error { return differential.Save(dir, f) })
		l.say("%v  %s: %s, %s: %s, %s (%s)", rounded(f.After), report.Clean(f.Target), f.Outcome, f.Op, f.Row, f.Kind, count(len(f.Bytes)/2, "byte", "bytes"))
	}
	r, err := differential.Run(ctx, sessions, opt)
	if err != nil {
		return nil, fail(exitRefused, "%s", report.Clean(err.Error()))
	}
	return r, nil
}

// targetError adds the last words of a target that does not start.
func targetError(err error) string {
	text := report.Clean(err.Error())
	var f *process.Fault
	if errors.As(err, &f) && strings.TrimSpace(f.Stderr) != "" {
		lines := strings.Split(strings.TrimSpace(f.Stderr), "\n")
		text += "; it wrote: " + report.Clean(lines[len(lines)-1])
	}
	return text
}

func (c *fuzzCommand) knownDifferences() ([]differential.Known, error) {
	known := differential.Engines()
	if c.known == "" {
		return known, nil
	}
	b, err := os.ReadFile(c.known)
	if err != nil {
		return nil, err
	}
	more, err := differential.ParseKnown(b)
	if err != nil {
		return nil, fail(exitUsage, "%s: %v", c.known, err)
	}
	return append(more, known...), nil
}

// bytesOf groups hexadecimal digits by four bytes.
func bytesOf(digits string) string {
	b, _ := hex.DecodeString(digits)
	var parts []string
	for len(b) > 0 {
		n := min(4, len(b))
		parts = append(parts, hex.EncodeToString(b[:n]))
		b = b[n:]
	}
	return strings.Join(parts, " ")
}
