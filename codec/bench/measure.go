// Measuring: rounds of slices, one case after the other.

package bench

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/work"
)

// Plan says how to measure.
type Plan struct {
	Round int           // number of the round, which says with which case a job begins
	Time  time.Duration // how long, about
	Procs int           // GOMAXPROCS
}

// slicesPerRound is how many parts the time of a round is cut into. Between
// them the other cases of the same job have theirs.
const slicesPerRound = 2

// longer is how many times as long cases are measured that allocate. Their time depends
// on how many collections of garbage fall into it, which must not be one or two.
const longer = 4

// Result is what was measured of one case.
type Result struct {
	Name   string    `json:"name"`
	Bytes  int       `json:"bytes,omitempty"`
	Nanos  []float64 `json:"ns_per_op"`        // of each round, processor time
	Wall   []float64 `json:"wall_ns_per_op"`   // the same by the clock on the wall
	Allocs float64   `json:"allocs_per_op"`    // the least of all rounds, whole ones
	Heap   float64   `json:"heap_per_op"`      // bytes, the least of all rounds
	Engine bool      `json:"engine,omitempty"` // measured by a script inside an engine
}

// Median returns the median time of an operation in nanoseconds.
func (r *Result) Median() float64 { return median(r.Nanos) }

func median(list []float64) float64 {
	s := slices.Sorted(slices.Values(list))
	if len(s)%2 == 1 {
		return s[len(s)/2]
	}
	return (s[len(s)/2-1] + s[len(s)/2]) / 2
}

// Results is everything that was measured in one run.
type Results struct {
	Cases    []*Result           `json:"cases"`
	Speedups map[string]*Speedup `json:"speedups,omitempty"`
	byName   map[string]*Result
}

// Named returns the result of a case, or nil.
func (r *Results) Named(name string) *Result { return r.byName[name] }

// Add adds the rounds of another run.
func (r *Results) Add(o *Results) {
	for _, c := range o.Cases {
		to := r.result(c.Name, c.Bytes)
		to.Engine = c.Engine
		to.Nanos, to.Wall = append(to.Nanos, c.Nanos...), append(to.Wall, c.Wall...)
		if to.Allocs < 0 || c.Allocs < to.Allocs {
			to.Allocs = c.Allocs
		}
		if to.Heap < 0 || c.Heap < to.Heap {
			to.Heap = c.Heap
		}
	}
	if r.Speedups == nil {
		r.Speedups = map[string]*Speedup{}
	}
	for name, s := range o.Speedups {
		to := r.Speedups[name]
		if to == nil {
			to = &Speedup{}
			r.Speedups[name] = to
		}
		to.Rounds, to.Control = append(to.Rounds, s.Rounds...), append(to.Control, s.Control...)
	}
}

func (r *Results) result(name string, bytes int) *Result {
	if r.byName == nil {
		r.byName = map[string]*Result{}
	}
	if r.byName[name] == nil {
		c := &Result{Name: name, Bytes: bytes, Allocs: -1, Heap: -1}
		r.byName[name] = c
		r.Cases = append(r.Cases, c)
	}
	return r.byName[name]
}

// Measure measures cases once, and the speed-up of those that are named in
// parallel. The cases have to be in the order of [cases.All].
//
// It goes through all jobs. For one job it sets up all cases anew and
// takes their slices in turn, so that what disturbs the machine for longer than
// a slice disturbs all of them. Garbage is collected before each slice, so
// that no case pays for another's; what it leaves itself is collected within
// its time if it is long enough.
func (p Plan) Measure(list []*cases.Case, parallel []string) *Results {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p.Procs))
	r := &Results{Speedups: map[string]*Speedup{}}
	for rest := list; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Job() == rest[0].Job() {
			n++
		}
		p.job(r, rest[:n])
		rest = rest[n:]
		work.Forget()
	}
	if len(parallel) > 0 {
		p.speedups(r, parallel)
	}
	return r
}

func (p Plan) job(r *Results, list []*cases.Case) {
	runs, counts := make([]cases.Run, len(list)), make([]int, len(list))
	spent, wall := make([]time.Duration, len(list)), make([]time.Duration, len(list))
	for i, c := range list {
		runs[i] = c.Make()
		runs[i](2) // what is kept from one call to the next grows to its size
		want := p.Time / slicesPerRound
		if allocates(runs[i]) {
			want *= longer
		}
		counts[i] = calibrate(runs[i], want)
	}
	var before, after runtime.MemStats
	for range slicesPerRound {
		for k := range list {
			i := (k + p.Round) % len(list)
			n := counts[i]
			runtime.GC()
			runtime.ReadMemStats(&before)
			start, cpu := time.Now(), processorTime()
			runs[i](n)
			spent[i] += processorTime() - cpu
			wall[i] += time.Since(start)
			runtime.ReadMemStats(&after)
			res := r.result(list[i].Name(), list[i].Bytes)
			least := func(x *float64, used uint64) {
				if per := float64(used / uint64(n)); *x < 0 || per < *x {
					*x = per
				}
			}
			least(&res.Allocs, after.Mallocs-before.Mallocs)
			least(&res.Heap, after.TotalAlloc-before.TotalAlloc)
		}
	}
	for i, c := range list {
		res := r.result(c.Name(), c.Bytes)
		times := float64(slicesPerRound * counts[i])
		res.Nanos = append(res.Nanos, max(float64(spent[i].Nanoseconds()), 1)/times)
		res.Wall = append(res.Wall, float64(wall[i].Nanoseconds())/times)
	}
}

// allocates reports whether running takes memory from the heap.
func allocates(run cases.Run) bool {
	const times = 10 // more than the runtime itself allocates meanwhile
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run(times)
	runtime.ReadMemStats(&after)
	return after.Mallocs-before.Mallocs >= times
}

// calibrate returns how often to run to fill about the given time.
func calibrate(run cases.Run, want time.Duration) int {
	for n := 1; ; {
		start := time.Now()
		run(n)
		took := max(time.Since(start), time.Nanosecond)
		switch {
		case took >= want/2 || n >= 1<<30:
			return max(1, int(float64(n)*float64(want)/float64(took)))
		case took < want/100:
			n *= 20
		default:
			n = max(n+1, int(float64(n)*float64(want)/float64(took)))
		}
	}
}

// Speedup is how much faster two processors do twice the work.
type Speedup struct {
	Rounds  []float64 `json:"rounds"`
	Control []float64 `json:"control"` // the same of a loop that touches no memory
}

// Best returns the best round. Neighbours on the machine can only make it worse.
func (s *Speedup) Best() float64 { return slices.Max(s.Rounds) }

// Scales reports whether the machine had a second processor to give.
func (s *Speedup) Scales() bool { return slices.Max(s.Control) >= 1.9 }

func (p Plan) speedups(r *Results, names []string) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for _, name := range names {
		c := cases.Named(name)
		if c == nil {
			continue
		}
		s := r.Speedups[name]
		if s == nil {
			s = &Speedup{}
			r.Speedups[name] = s
		}
		s.Control = append(s.Control, p.speedup(func() cases.Run { return spin }))
		s.Rounds = append(s.Rounds, p.speedup(c.Make))
		work.Forget()
	}
}

func (p Plan) speedup(make func() cases.Run) float64 {
	a, b := make(), make()
	a(2)
	b(2)
	n := calibrate(a, p.Time/4)
	runtime.GC()
	start := time.Now()
	a(n)
	b(n)
	alone := time.Since(start)
	var wg sync.WaitGroup
	start = time.Now()
	wg.Go(func() { a(n) })
	b(n)
	wg.Wait()
	return float64(alone) / float64(time.Since(start))
}

// spin keeps a processor busy and nothing else.
func spin(n int) {
	x := uint64(n)
	for range n {
		for range 100 {
			x = x*6364136223846793005 + 1442695040888963407
		}
	}
	if x == 1 {
		panic("cannot happen")
	}
}

// AddEngine adds what an engine took in a round.
func (r *Results) AddEngine(name string, nanos float64) {
	c := r.result(name, 0)
	c.Engine, c.Allocs, c.Heap = true, 0, 0
	c.Nanos, c.Wall = append(c.Nanos, nanos), append(c.Wall, nanos)
}

// EngineDirections returns which of the directions an engine's calls are to be
// compared with. They always make new results.
func EngineDirections(workload string) (decode, encode string) {
	switch workload {
	case "vec3-64K", "vec3-12M", "bytes-16M":
		return cases.DecodePackedFresh, cases.EncodePackedFresh
	}
	return cases.DecodeValueFresh, cases.EncodeValueFresh
}
