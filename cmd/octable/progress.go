package main

import (
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progressDelay is how long a run takes before a bar appears.
const progressDelay = time.Second

// progress shows on a terminal how far a long run is. Nil shows nothing.
type progress struct {
	env   *env
	max   int64
	unit  string
	about func() string // a text behind the bar, or nil
	begun time.Time
	done  int64

	stderr io.Writer // of env, without the bar
	box    *mpb.Progress
	bar    *mpb.Bar // nil before the delay
}

// progress returns the progress of a run with a number of bytes or other parts. It is nil unless messages go to
// a terminal.
func (e *env) progress(max int64, unit string) *progress {
	f, ok := e.stderr.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{env: e, max: max, unit: unit, begun: time.Now(), stderr: e.stderr}
}

// meter is progress for a run that prints all the time. It is nil if the output goes to a terminal, too.
func (e *env) meter(max int64, unit string) *progress {
	if e.terminal() {
		return nil
	}
	return e.progress(max, unit)
}

// add counts parts that are done.
func (p *progress) add(n int) {
	if p == nil {
		return
	}
	p.done += int64(n)
	if p.bar == nil {
		if time.Since(p.begun) < progressDelay {
			return
		}
		p.show()
	}
	p.bar.SetCurrent(min(p.done, p.max))
}

// of says how many parts there are.
func (p *progress) of(max int) {
	if p != nil {
		p.max = int64(max)
	}
}

// show puts the bar on the terminal. Messages are printed above it.
func (p *progress) show() {
	count := decor.CountersNoUnit("%d of %d " + p.unit)
	if p.unit == "bytes" {
		count = decor.CountersKibiByte("% .1f of % .1f")
	}
	after := []decor.Decorator{decor.Percentage(decor.WCSyncSpace), decor.Name("  "), decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left")}
	if p.about != nil {
		after = append(after, decor.Any(func(decor.Statistics) string { return "  " + p.about() }))
	}
	p.box = mpb.New(mpb.WithOutput(p.stderr), mpb.WithWidth(40))
	p.bar = p.box.New(p.max, mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"),
		mpb.PrependDecorators(count), mpb.AppendDecorators(after...), mpb.BarRemoveOnComplete())
	p.env.stderr = p.box
}

// end removes the bar.
func (p *progress) end() {
	if p == nil || p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.box.Wait()
	p.env.stderr, p.bar = p.stderr, nil
}
