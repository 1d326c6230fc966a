// Runs: targets that are asked until the time is over.

package differential

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/cover"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
)

// Options say how a run goes. The zero value of a limit is its default.
type Options struct {
	Spec     string // as the targets are asked for it
	Codec    *codec.Codec
	Time     time.Duration // default one minute
	Minimise time.Duration // for each finding; default 4 seconds
	Findings int           // of each target after which it is no longer asked; default 100
	Inputs   int           // likewise; 0 is no limit
	MaxBytes int           // of a packet; default 512
	Seed     uint64
	Objects  bool // let objects in full be read, where the target can be told to
	// Exact also counts other bytes for the same value, and refusals of packets that no writer
	// produces and engines accept. The target is also asked to write what cannot be written.
	Exact   bool
	Seeds   [][]byte // packets to begin with
	Known   []Known
	Shallow bool // leave out packets that are nested too deeply, which are large
	// Exchange returns what shares the packets of a target with other sources. It may be nil.
	Exchange func() (inputs.Exchange, error)

	// Finding is called for each finding when it is complete, and Progress from time to time.
	// Several goroutines call them, one at a time, if they are not nil.
	Finding  func(*Finding)
	Progress func(Progress)
}

// maxBytes is how many bytes a packet has where Options do not say.
const maxBytes = 512

// Progress is the progress of a run.
type Progress struct {
	Asked    int           // questions so far, of all targets
	Took     time.Duration // since the beginning
	Percent  float64       // of what can be reached of the schema, of the target for which it is least
	Full     time.Duration // after which all of it was reached, for each target; 0 before
	Findings int
	Known    int
	Now      string // what takes long
}

// Report is the result of a run.
type Report struct {
	Spec    string         `json:"spec"`
	Program string         `json:"program"` // hash of the compiled schema
	Started time.Time      `json:"started"`
	Took    time.Duration  `json:"took"`
	Seed    uint64         `json:"seed"`
	Stopped string         `json:"stopped,omitempty"` // why it ended before its time
	Targets []TargetReport `json:"targets"`
}

// TargetReport is the result for one target.
type TargetReport struct {
	About     protocol.About `json:"about"`
	Asked     int            `json:"asked"`     // questions
	PerSecond float64        `json:"perSecond"` //
	Inputs    int            `json:"inputs"`
	// Reached is the number of points of the schema that inputs reached. Points is the number of
	// those that can be reached. They are points of reading, and of writing what was read; in
	// exact runs, of writing anything. Full is the time after which all were reached.
	Reached  int           `json:"reached"`
	Points   int           `json:"points"`
	Full     time.Duration `json:"full,omitempty"`
	Missing  []string      `json:"missing,omitempty"` // points that were not reached
	Restarts int           `json:"restarts"`
	Late     int           `json:"late,omitempty"` // inputs that differed when the time was over, and were not looked into
	Stopped  string        `json:"stopped,omitempty"`
	Notes    []string      `json:"notes,omitempty"`
	Findings []*Finding    `json:"findings"`
	Known    []*Finding    `json:"known,omitempty"`
}

// worker asks one target.
type worker struct {
	s        *subject
	opt      *Options
	target   runner.Session
	judge    *runner.Judge
	about    protocol.About
	name     string
	src      *inputs.Source
	points   *cover.Map
	began    time.Time
	findings map[key]*Finding
	tests    map[*Finding]*test
	known    map[string]*Finding // by reason
	muted    map[string]bool     // what is not asked again, since it takes long to answer
	beside   []answered          // faults that were not looked for
	report   TargetReport
	shared   *shared
}

// shared is what all workers tell.
type shared struct {
	mu       sync.Mutex
	progress Progress
	percent  map[*worker]float64
	opt      *Options
	began    time.Time
}

func (s *shared) tell(f func(p *Progress)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(&s.progress)
	if s.opt.Progress != nil {
		p := s.progress
		p.Took = time.Since(s.began)
		p.Percent = s.least()
		s.opt.Progress(p)
	}
}

// least is how much of the schema was reached for the target for which that is least.
func (s *shared) least() float64 {
	least := 100.0
	for _, x := range s.percent {
		least = min(least, x)
	}
	return least
}

// Run asks targets until the time is over, the context ends, or all have as many
// findings as they may. A target that cannot be asked any more ends alone.
func Run(ctx context.Context, targets []runner.Session, opt Options) (*Report, error) {
	if opt.Time <= 0 {
		opt.Time = time.Minute
	}
	if opt.Minimise <= 0 {
		opt.Minimise = 4 * time.Second
	}
	if opt.Findings <= 0 {
		opt.Findings = 100
	}
	if opt.MaxBytes <= 0 {
		opt.MaxBytes = maxBytes
	}
	s, err := newSubject(opt.Spec, opt.Codec)
	if err != nil {
		return nil, err
	}
	r := &Report{Spec: opt.Spec, Program: s.p.Hash(), Started: time.Now(), Seed: opt.Seed, Targets: make([]TargetReport, len(targets))}
	timed, cancel := context.WithTimeout(ctx, opt.Time)
	defer cancel()
	sh := &shared{opt: &opt, percent: map[*worker]float64{}, began: r.Started}
	workers := make([]*worker, len(targets))
	for i, t := range targets {
		if about := t.About(); !slices.Contains(about.Specs, opt.Spec) {
			return nil, fmt.Errorf("%s does not have the schema %s; its hello says that it has %s", name(about), opt.Spec, strings.Join(about.Specs, ", "))
		}
		own, err := newSubject(opt.Spec, opt.Codec) // engines are for one goroutine
		if err != nil {
			return nil, err
		}
		w := &worker{s: own, opt: &opt, target: t, about: t.About(), name: name(t.About()), began: r.Started, findings: map[key]*Finding{},
			tests: map[*Finding]*test{}, known: map[string]*Finding{}, muted: map[string]bool{}, shared: sh}
		w.report.About = w.about
		if w.judge, err = runner.NewJudge(opt.Codec, w.about); err != nil {
			return nil, err
		}
		objects := opt.Objects && w.about.Objects
		choices := inputs.Options{Seed: opt.Seed, Objects: objects, MaxBytes: opt.MaxBytes, Plain: !opt.Exact, Shallow: opt.Shallow}
		if opt.Exchange != nil {
			if choices.Exchange, err = opt.Exchange(); err != nil {
				return nil, err
			}
		}
		if w.src, err = inputs.New(own.m, choices); err != nil {
			return nil, err
		}
		for _, b := range opt.Seeds {
			w.src.Seed(b)
		}
		w.points = cover.New(own.m, cover.Setup{Gates: objects, ReadBack: !opt.Exact})
		workers[i] = w
		sh.percent[w] = 0
	}
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() { w.run(timed, ctx) })
	}
	wg.Wait()
	if ctx.Err() != nil {
		r.Stopped = "it was interrupted"
	}
	compareTargets(ctx, workers)
	for i, w := range workers {
		w.finish()
		r.Targets[i] = w.report
	}
	r.Took = time.Since(r.Started)
	return r, nil
}

// The most inputs that are asked at once. A fault among them costs them all, so
// after one they are few.
const (
	mostAtOnce  = 24
	fewAtOnce   = 4
	firstAtOnce = 8
)

// run asks until the first context ends; what was found then is made small until
// the second does.
func (w *worker) run(ctx, whole context.Context) {
	atOnce := firstAtOnce
	op := protocol.Decode
	if !w.about.Can(op) {
		op = protocol.Recode
	}
	if !w.about.Can(op) && !w.about.Can(protocol.Encode) {
		w.report.Stopped = "it has none of the operations decode, encode and recode"
		return
	}
	for ctx.Err() == nil {
		if w.opt.Inputs > 0 && w.report.Inputs >= w.opt.Inputs {
			w.report.Stopped = fmt.Sprintf("it had %d inputs, which is the limit", w.report.Inputs)
			return
		}
		if len(w.findings) >= w.opt.Findings {
			w.report.Stopped = fmt.Sprintf("it has %d findings, which is the limit", len(w.findings))
			return
		}
		var batch []*test
		for len(batch) < atOnce && ctx.Err() == nil {
			in := w.src.Next()
			asked := len(batch)
			for _, t := range w.s.tests(in, w.opt.Exact) {
				if t.op == protocol.Decode {
					t.op = op
				}
				if w.about.Can(t.op) && !w.lacks(t) && !w.mutes(t) {
					batch = append(batch, t)
				}
			}
			if in.Packet != nil || len(batch) > asked {
				w.report.Inputs++
			}
		}
		all, err := w.ask(ctx, batch)
		atOnce = min(mostAtOnce, 2*atOnce)
		for len(all) > 0 && err == nil {
			a := all[0]
			all = all[1:]
			if slow(a.v.Outcome) {
				atOnce = fewAtOnce
			}
			if w.counts(&a) {
				err = w.found(ctx, whole, a)
			}
			all = append(all, w.beside...) // faults that came up on the way
			w.beside = nil
		}
		w.measure()
		if err != nil && ctx.Err() == nil {
			w.report.Stopped = "it cannot be asked any more: " + err.Error()
			return
		}
	}
}

// measure notes how much of the schema was reached.
func (w *worker) measure() {
	percent := 100.0
	if w.report.Full == 0 {
		r := w.points.Report(w.src.Coverage())
		percent = r.Percent()
		if len(r.Missing) == 0 {
			w.report.Full = time.Since(w.began)
		}
	}
	w.shared.tell(func(p *Progress) {
		w.shared.percent[w] = percent
		if w.shared.least() == 100 && p.Full == 0 {
			p.Full = time.Since(w.shared.began)
		}
	})
}

// lacks reports whether a packet has a type that the target does not have.
func (w *worker) lacks(t *test) bool {
	if t.in.Open && !w.about.Objects {
		return true
	}
	if len(w.about.Lacks) == 0 && len(w.about.Has) == 0 {
		return false
	}
	for _, name := range w.s.types(t.packet, t.in.Open) {
		if w.about.Lack(name) {
			return true
		}
	}
	return false
}

// signature says what an input is about, as far as that is known before it is asked.
func (w *worker) signature(t *test) string {
	switch {
	case t.in.Way == inputs.Damaged:
		return string(t.op) + "|" + t.in.Note
	case t.refuse != nil:
		return string(t.op) + "|" + t.refuse.Word() + "|" + t.refuse.Rule.Name
	}
	return string(t.op) + "|" + strings.Join(w.s.types(t.packet, t.in.Open), ", ")
}

// mutes reports whether an input is like one that took long to answer.
func (w *worker) mutes(t *test) bool {
	if len(w.muted) == 0 {
		return false
	}
	if w.muted[w.signature(t)] {
		return true
	}
	if t.refuse != nil {
		return false
	}
	types := strings.Join(w.s.types(t.packet, t.in.Open), ", ")
	for k := range w.findings {
		if k.op == t.op && slow(k.outcome) && (k.kind == "valid" || k.kind == "written") && within(k.row, types) {
			return true
		}
	}
	return false
}

// counts reports whether a verdict is one that the caller wants to know of.
func (w *worker) counts(a *answered) bool {
	if w.opt.Exact {
		return a.v.Wrong() || a.v.Outcome == runner.SameValue
	}
	return a.v.Wrong() && (a.v.Outcome != runner.RefusedWrongly || a.v.Kind != "acceptable")
}

// ask asks tests and judges the answers. If there is an error, those to the first
// tests are there.
func (w *worker) ask(ctx context.Context, tests []*test) ([]answered, error) {
	requests := make([]protocol.Request, len(tests))
	for i, t := range tests {
		requests[i] = t.request(w.s, &w.about)
	}
	replies, err := w.target.Do(ctx, requests)
	all := make([]answered, 0, len(replies))
	for i, r := range replies {
		if r.Fault != nil && r.Fault.Kind == "" { // stopped
			break
		}
		a := answered{t: tests[i], answer: r.Answer, v: w.s.judge(w.judge, tests[i], r)}
		if r.Fault != nil {
			a.stderr = r.Fault.Stderr
		}
		all = append(all, a)
	}
	w.report.Asked += len(all)
	w.shared.tell(func(p *Progress) { p.Asked += len(all) })
	return all, err
}

// found takes note of an answer that is wrong. What is found when the first context
// has ended, and is not known, is only counted.
func (w *worker) found(ctx, whole context.Context, a answered) error {
	after := time.Since(w.began)
	if f := w.before(&a); f != nil {
		f.Seen++
		return nil
	}
	if w.isKnown(&a, after) {
		return nil
	}
	if ctx.Err() != nil {
		w.report.Late++
		return nil
	}
	ctx = whole
	if slow(a.v.Outcome) {
		w.muted[w.signature(a.t)] = true
	}
	w.shared.tell(func(p *Progress) {
		p.Now = fmt.Sprintf("making a packet of %d bytes smaller: %s", len(a.t.packet), a.v.Outcome)
	})
	small, asked, err := w.minimise(ctx, a)
	w.shared.tell(func(p *Progress) { p.Now = "" })
	if f := w.before(&small); f != nil {
		f.Seen++
		return err
	}
	if w.isKnown(&small, after) {
		return err
	}
	f := w.s.finding(small.t, small.v, w.about, small.answer, small.stderr)
	f.First, f.Asked, f.After = len(a.t.packet), asked, after
	w.findings[keyOf(small.t, &small.v)] = f
	w.tests[f] = small.t
	if slow(small.v.Outcome) {
		w.muted[w.signature(small.t)] = true
	}
	// Once more, as the last word: by now it may be another process.
	if again, err := w.ask(ctx, []*test{small.t}); err == nil && len(again) == 1 {
		f.Repeats = again[0].v.same(&small.v)
	}
	w.shared.tell(func(p *Progress) {
		p.Findings++
		if w.opt.Finding != nil {
			w.opt.Finding(f)
		}
	})
	return err
}

// before returns the finding that an answer belongs to, if there is one.
func (w *worker) before(a *answered) *Finding {
	k := keyOf(a.t, &a.v)
	if f := w.findings[k]; f != nil {
		return f
	}
	if !a.v.byTypes() {
		return nil
	}
	for k, f := range w.findings {
		if k.op == a.t.op && k.outcome == a.v.Outcome && k.kind == a.v.Kind && within(k.row, a.v.Row) {
			return f
		}
	}
	return nil
}

// why is the reason of a difference that is known, or "".
func (w *worker) why(a *answered) string { return w.s.reason(w.opt.Known, w.name, a.t, &a.v) }

func (w *worker) isKnown(a *answered, after time.Duration) bool {
	why := w.why(a)
	if why == "" {
		return false
	}
	f := w.known[why]
	if f == nil {
		f = w.s.finding(a.t, a.v, w.about, a.answer, a.stderr)
		f.Known, f.After, f.Seen = why, after, 0
		w.known[why] = f
		w.shared.tell(func(p *Progress) { p.Known++ })
	}
	f.Seen++
	if slow(a.v.Outcome) {
		w.muted[w.signature(a.t)] = true
	}
	return true
}

// compareTargets asks each target about what was found in the others.
func compareTargets(ctx context.Context, workers []*worker) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for _, w := range workers {
		for _, o := range workers {
			if o == w || strings.HasPrefix(o.report.Stopped, "it cannot") {
				continue
			}
			for f, t := range w.tests {
				if o.lacks(t) || !o.about.Can(t.op) || slow(f.Outcome) && ctx.Err() != nil {
					continue
				}
				all, err := o.ask(ctx, []*test{t})
				if len(all) == 1 {
					f.Others = append(f.Others, Other{o.name, all[0].v.Outcome, all[0].v.Detail})
				}
				if err != nil {
					break
				}
			}
		}
	}
}

// finish fills the report.
func (w *worker) finish() {
	r := &w.report
	cov := w.points.Report(w.src.Coverage())
	r.Reached, r.Points = len(cov.Reached), len(cov.Reached)+len(cov.Missing)
	for _, q := range cov.Missing {
		r.Missing = append(r.Missing, q.ID)
	}
	r.Restarts, r.Notes = w.target.Restarts(), w.target.Notes()
	r.PerSecond = float64(r.Asked) / max(time.Since(w.began).Seconds(), 1e-9)
	r.Findings = []*Finding{}
	for _, f := range w.findings {
		r.Findings = append(r.Findings, f)
	}
	sortFindings(r.Findings)
	for _, f := range w.known {
		r.Known = append(r.Known, f)
	}
	sortFindings(r.Known)
}

// sortFindings puts the worst first, and the smallest first among these.
func sortFindings(all []*Finding) {
	rank := func(f *Finding) int { return -slices.Index(runner.Outcomes, f.Outcome) }
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if rank(a) != rank(b) {
			return rank(a) < rank(b)
		}
		if a.size() != b.size() {
			return a.size() < b.size()
		}
		return a.ID < b.ID
	})
}
