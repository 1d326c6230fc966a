// Running a suite.

package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
)

// Target is an implementation that can be run: [Command] or [Local].
type Target interface {
	// open begins to ask it. Sessions of one target may be used side by side.
	open(ctx context.Context) (session, error)
	command() []string
}

// session is what [process.Session] is.
type session interface {
	About() protocol.About
	Do(ctx context.Context, requests []protocol.Request) ([]process.Reply, error)
	Restarts() int
	Notes() []string
	Close() *process.Fault
}

// Command is an implementation in child processes.
func Command(cfg process.Config) Target { return &command{cfg} }

type command struct{ cfg process.Config }

func (c *command) command() []string { return c.cfg.Command }

func (c *command) open(ctx context.Context) (session, error) {
	s, err := process.Open(ctx, c.cfg)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Options say what is run, and how. The zero value runs all.
type Options struct {
	Filter
	Large  bool          // large cases of more than 1 MiB are asked, too
	Strict bool          // other bytes than those of a writer fail, though they represent the same value
	Jobs   int           // sessions side by side; default 1
	Expect *Expectations // nil if no failure is expected
	// Codec is that of the schema, which judges bytes and values. nil is the one that codec.Load has for the suite.
	Codec *codec.Codec
	// Progress is called after each case, by one goroutine at a time.
	Progress func(done, total int, r *CaseResult)
}

// batch is how many requests a session is given at once.
const batch = 64

// Conform runs a suite against an implementation. The error is about the suite, the
// options, or an implementation that does not start or lacks the schema. A run that
// has begun gives no error, but says in [Run.Stopped] why it did not come to its end,
// which may also be that the context ended.
func Conform(ctx context.Context, s *vectors.Suite, target Target, opt Options) (*Run, error) {
	c := opt.Codec
	if c == nil {
		var err error
		if c, err = codec.Load(s.Spec()); err != nil {
			return nil, err
		}
	}
	run := &Run{Spec: s.Spec(), Suite: s, Program: s.Program, Command: target.command(), Started: time.Now()}
	first, err := target.open(ctx)
	if err != nil {
		return nil, err
	}
	sessions := []session{first}
	defer func() {
		for _, s := range sessions {
			s.Close()
		}
	}()
	run.About = first.About()
	if !among(run.About.Specs, run.Spec) || len(run.About.Specs) == 0 {
		return nil, fmt.Errorf("%s says in its hello that it does not have %s, but %s", run.About.Name, run.Spec, strings.Join(run.About.Specs, ", "))
	}
	judge, err := newJudge(c, &run.About)
	if err != nil {
		return nil, err
	}
	judge.strict = opt.Strict
	w := work{judge: judge, spec: run.Spec, about: &run.About, tasks: tasks(s, &run.About, &opt.Filter, opt.Large), progress: opt.Progress}
	if len(w.tasks) == 0 {
		return nil, fmt.Errorf("there is nothing to ask: %s says in its hello that it has the operations %s, and no case that was chosen can be asked so", run.About.Name, words(run.About.Ops))
	}
	w.results = make([]*CaseResult, len(w.tasks))
	jobs := max(min(opt.Jobs, (len(w.tasks)+batch-1)/batch), 1)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	for i := range jobs {
		if i > 0 {
			more, err := target.open(ctx)
			if err != nil {
				cancel(err)
				break
			}
			sessions = append(sessions, more)
		}
		mine := sessions[i]
		wait.Go(func() {
			if err := w.run(ctx, mine); err != nil {
				cancel(err)
			}
		})
	}
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		run.Stopped = err.Error()
	}
	faults := make([]*process.Fault, len(sessions))
	for i, s := range sessions {
		wait.Go(func() { faults[i] = s.Close() })
	}
	wait.Wait()
	for i, s := range sessions {
		if faults[i] != nil {
			run.note(fmt.Sprintf("After all was answered: %s.", faults[i].Text))
		}
		run.Restarts += s.Restarts()
		for _, n := range s.Notes() {
			run.note(n)
		}
	}
	sessions = nil
	for _, r := range w.results {
		if r != nil {
			run.Results = append(run.Results, *r)
		}
	}
	opt.Expect.apply(run, run.Stopped == "" && opt.Filter.All())
	run.Took = time.Since(run.Started)
	return run, nil
}

func words(ops []protocol.Op) string {
	var list []string
	for _, op := range ops {
		list = append(list, string(op))
	}
	return strings.Join(list, ", ")
}

func (r *Run) note(text string) {
	for _, n := range r.Notes {
		if n == text {
			return
		}
	}
	r.Notes = append(r.Notes, text)
}

// Failed reports whether the run has a failure. These are a case that failed and was not expected to, one that passed and was
// expected to fail, a line of the list without a case, and a run that stopped early.
func (r *Run) Failed() bool {
	return r.Count(Fail) > 0 || r.Count(StalePass) > 0 || len(r.Unused) > 0 || r.Stopped != ""
}

// work is what several sessions share.
type work struct {
	judge *judge
	spec  string
	about *protocol.About
	tasks []task

	mu       sync.Mutex
	next     int // the first task that nobody has taken
	done     int
	results  []*CaseResult // by task; nil if it was not asked
	progress func(done, total int, r *CaseResult)
}

// run asks tasks until there are no more.
func (w *work) run(ctx context.Context, s session) error {
	for {
		at := w.take()
		if len(at) == 0 {
			return nil
		}
		var asked []int
		var requests []protocol.Request
		for _, i := range at {
			t := &w.tasks[i]
			if t.lack != "" && !t.probe {
				w.finish(i, &CaseResult{Case: t.c, ID: t.c.ID, Op: t.op, Outcome: Unsupported, Verdict: Skip, Reason: t.lack, Row: t.c.Row})
				continue
			}
			whole, err := t.whole()
			if err != nil {
				return err
			}
			r, err := request(whole, t.op, w.spec, w.about)
			if err != nil {
				return err
			}
			asked, requests = append(asked, i), append(requests, r)
		}
		replies, err := s.Do(ctx, requests)
		for n, reply := range replies {
			t := &w.tasks[asked[n]]
			res, err := w.judge.task(t, reply)
			if err != nil {
				return err
			}
			w.finish(asked[n], &res)
		}
		if err != nil {
			return err
		}
	}
}

// take returns the numbers of tasks to ask next.
func (w *work) take() []int {
	w.mu.Lock()
	defer w.mu.Unlock()
	var at []int
	for len(at) < batch && w.next < len(w.tasks) {
		large := w.tasks[w.next].large != nil // its messages take memory: it is asked alone
		if large && len(at) > 0 {
			break
		}
		at = append(at, w.next)
		w.next++
		if large {
			break
		}
	}
	return at
}

func (w *work) finish(i int, r *CaseResult) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.results[i] = r
	w.done++
	if w.progress != nil {
		w.progress(w.done, len(w.tasks), r)
	}
}

// request is what a case asks.
func request(c *vectors.Case, op protocol.Op, spec string, about *protocol.About) (protocol.Request, error) {
	r := protocol.Request{Op: op, Spec: spec, Objects: c.Objects}
	if op != protocol.Encode {
		r.Bytes = c.Bytes
		return r, nil
	}
	value, err := Explicit(c.Value, about)
	if err != nil {
		return r, fmt.Errorf("the value of case %s: %w", c.ID, err)
	}
	r.Value = value
	return r, nil
}

// Explicit returns a value as an implementation is to get it.
func Explicit(value json.RawMessage, about *protocol.About) (json.RawMessage, error) {
	v, err := godot.ParseJSON(value)
	if err != nil {
		return nil, err
	}
	return godot.AppendJSONStyle(nil, v, godot.JSONStyle{Explicit: true, Bits: about.Reals == "bits"})
}
