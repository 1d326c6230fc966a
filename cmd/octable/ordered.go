// Jobs that run at once and whose results come in order.

package main

import (
	"bufio"
	"iter"
	"runtime"

	"github.com/spf13/cobra"
)

// workers is how many jobs of a command run at once.
type workers struct{ jobs int }

func (w *workers) flags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&w.jobs, "j", 0, "use `N` processors (default all)")
}

// check refuses negative numbers of processors.
func (w *workers) check() error {
	if w.jobs < 0 {
		return fail(exitUsage, "-j %d: give a number of processors, or 0 for all", w.jobs)
	}
	return nil
}

// n returns the number of jobs that run at once.
func (w *workers) n() int {
	if w.jobs > 0 {
		return w.jobs
	}
	return runtime.GOMAXPROCS(0)
}

// ordered runs jobs on n goroutines, each with a separate worker. It passes their results to done in the
// order of the jobs, until done returns false. With n = 1 everything runs in the goroutine of the caller. A
// panic of a job continues in the caller.
func ordered[J, R any](n int, jobs iter.Seq[J], worker func() func(J) R, done func(R) bool) {
	if n <= 1 {
		work := worker()
		for j := range jobs {
			if !done(work(j)) {
				return
			}
		}
		return
	}
	type result struct {
		r     R
		panic any
	}
	type task struct {
		job J
		out chan result
	}
	caught := func(out chan result) {
		if p := recover(); p != nil {
			out <- result{panic: p}
		}
	}
	stop := make(chan struct{})
	defer close(stop)
	tasks, queue := make(chan task), make(chan chan result, 2*n)
	for range n {
		go func() {
			var work func(J) R
			for t := range tasks {
				func() {
					defer caught(t.out)
					if work == nil {
						work = worker()
					}
					t.out <- result{r: work(t.job)}
				}()
			}
		}()
	}
	go func() {
		defer close(queue)
		defer close(tasks)
		failed := make(chan result, 1)
		defer func() {
			if len(failed) > 0 {
				select {
				case queue <- failed:
				case <-stop:
				}
			}
		}()
		defer caught(failed)
		for j := range jobs {
			out := make(chan result, 1)
			select {
			case queue <- out:
			case <-stop:
				return
			}
			select {
			case tasks <- task{j, out}:
			case <-stop:
				return
			}
		}
	}()
	for out := range queue {
		r := <-out
		if r.panic != nil {
			panic(r.panic)
		}
		if !done(r.r) {
			return
		}
	}
}

// batches joins parts into jobs of about chunkSize bytes.
func batches[P any](parts iter.Seq[P], size func(P) int) iter.Seq[[]P] {
	return func(yield func([]P) bool) {
		var all []P
		n := 0
		for p := range parts {
			all = append(all, p)
			if n += size(p) + 4; n >= chunkSize {
				if !yield(all) {
					return
				}
				all, n = nil, 0
			}
		}
		if len(all) > 0 {
			yield(all)
		}
	}
}

// chunkSize is how many bytes of input a job takes.
const chunkSize = 64 << 10

// transcript is what a job prints, in order.
type transcript struct {
	parts []saying
	out   *bufio.Writer
}

// saying is a part of output, or of messages.
type saying struct {
	message bool
	text    []byte
}

// speaker writes to a transcript.
type speaker struct {
	t       *transcript
	message bool
}

func (s speaker) Write(b []byte) (int, error) {
	s.t.parts = append(s.t.parts, saying{s.message, append([]byte(nil), b...)})
	return len(b), nil
}

// recorded returns an environment that writes to a transcript.
func (e *env) recorded() (*env, *transcript) {
	t := &transcript{}
	t.out = bufio.NewWriterSize(speaker{t, false}, 16<<10)
	own := *e
	own.stdout, own.stderr = t.out, speaker{t, true}
	return &own, t
}

// replay prints a transcript. Messages come after the output before them.
func (e *env) replay(t *transcript) error {
	_ = t.out.Flush() // it cannot fail
	for _, p := range t.parts {
		if !p.message {
			if _, err := e.stdout.Write(p.text); err != nil {
				return err
			}
			continue
		}
		if err := e.stdout.Flush(); err != nil {
			return err
		}
		_, _ = e.stderr.Write(p.text)
	}
	return nil
}
