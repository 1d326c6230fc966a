package browser

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

var figures = flag.Bool("figures", false, "measure the page, print the figures, and fail for those that miss their limits")

// Limits of the figures.
const (
	maxWasm  = 6 << 20              // bytes of the WebAssembly file in gzip
	maxFirst = 1500                 // milliseconds from navigation to the first values, WebAssembly
	maxOpen  = 100                  // milliseconds until 100,000 elements are open
	maxTask  = 8 * time.Millisecond // CPU of a task of the page while it scrolls, half of a frame. One of a hundred may take more
)

// watchFirst notes when the first values are shown.
const watchFirst = `new MutationObserver((_, o) => {
	if (document.querySelector(".tree .line .label")) { window.firstResult = performance.now(); o.disconnect(); }
}).observe(document, { childList: true, subtree: true });`

// watchLines looks at the first and the last visible line before each event of scrolling. These are lines that the
// browser has shown. A line without digits or a label is blank.
const watchLines = `(() => {
	const list = document.querySelector(%q), box = list.getBoundingClientRect();
	window.lines = { seen: 0, blank: 0 };
	document.addEventListener("scroll", e => {
		if (e.target !== list) return;
		for (const y of [box.top + 3, box.top + list.clientHeight - 3]) {
			window.lines.seen++;
			const text = document.elementFromPoint(box.left + 40, y)?.closest(".line")?.querySelector(".digits, .label")?.textContent;
			if (!text?.trim()) window.lines.blank++;
		}
	}, { capture: true });
})()`

// Figures of the page, on an idle machine:
//
//	go test -C cmd/octable/internal/view/browser -run TestFigures -figures -v
//
// They are the size of the WebAssembly file, the time to the first result of a local load, the time to open 100,000 elements, and
// the frames that Chromium's tracing reports as dropped or as incomplete while 10 MB are scrolled, and the lines that are blank in them. Chromium drops frames on its own, too: the control is a page
// without scripts that has only a tall box of text, scrolled by the same gestures in the same window after the page. The page may drop as many
// frames as the control, and have as many incomplete ones, and two standard deviations of that count more.
func TestFigures(t *testing.T) {
	if !*figures {
		t.Skip("it measures an idle machine: go test -run TestFigures -figures -v does")
	}
	_, folder := built(t)
	wasm, err := os.ReadFile(filepath.Join(folder, "octable.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	size := compressed(t, wasm)
	t.Logf("octable.wasm: %.1f MB, %.2f MB in gzip", float64(len(wasm))/1e6, float64(size)/1e6)
	if size > maxWasm {
		t.Errorf("octable.wasm has %d bytes in gzip; at most %d are allowed", size, maxWasm)
	}
	eachBackEnd(t, func(p *page) {
		p.do(chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := cdppage.AddScriptToEvaluateOnNewDocument(watchFirst).Do(ctx)
			return err
		}))
		for _, name := range []string{"first", "second"} {
			p.do(chromedp.Reload())
			p.wait(`window.firstResult > 0`)
			p.settle()
			first := p.number(`window.firstResult`)
			p.Logf("%s load: first result after %.0f ms", name, first)
			if p.server == nil && first > maxFirst {
				p.Errorf("the first result takes %.0f ms; at most %d are allowed", first, maxFirst)
			}
		}
		p.open("list.bin", append(unhex(t, "1c000000 a0860100"), bytes.Repeat(unhex(t, "02000000 07000000"), 100_000)...))
		p.eval(`(window.began = 0, new MutationObserver((_, o) => {
			if (window.began && [...document.querySelectorAll("#pane-tree .label")].some(e => e.textContent === "[3]")) { window.opened = performance.now() - window.began; o.disconnect(); }
		}).observe(document.querySelector("#pane-tree"), { childList: true, subtree: true }), document.addEventListener("click", () => window.began = performance.now(), { capture: true, once: true }))`)
		p.do(chromedp.Click(`//span[@class="label"][text()="elements"]/../span[@class="twist"]`, chromedp.BySearch))
		p.wait(`window.opened > 0`)
		opened := p.number(`window.opened`)
		p.Logf("100,000 elements are open after %.0f ms", opened)
		if opened > maxOpen {
			p.Errorf("100,000 elements are open after %.0f ms; at most %d are allowed", opened, maxOpen)
		}
		p.open("bytes.bin", append(unhex(t, "1d000000 00009800"), make([]byte, 0x980000)...))
		p.do(chromedp.Click(`//section[@id="pane-tree"]//*[contains(@class, "twist")][text()="▸"]`, chromedp.BySearch))
		p.settle()
		panes := []string{"#pane-bytes .virtual", "#pane-tree .virtual"}
		motions := make([]*motion, len(panes))
		for i, pane := range panes {
			motions[i] = &motion{}
			p.eval(fmt.Sprintf(watchLines, pane))
			for range scrollRounds {
				motions[i].add(p.scrolled(pane))
			}
			seen, blank := p.number(`window.lines.seen`), p.number(`window.lines.blank`)
			p.Logf("10 MB, scrolling %s: %.0f of %.0f lines at its edges are blank", pane, blank, seen)
			if seen < 100*scrollRounds || blank > 0 {
				p.Errorf("%.0f of %.0f lines at the edges of %s are blank while it scrolls", blank, seen, pane)
			}
		}
		plain := p.control()
		p.Logf("control: %v", plain)
		for i, pane := range panes {
			m := motions[i]
			p.Logf("10 MB, scrolling %s: %v", pane, m)
			if most := allowed(plain.dropped); m.dropped > most {
				p.Errorf("%d frames are dropped while %s scrolls, and %d of the control; at most %d are allowed", m.dropped, pane, plain.dropped, most)
			}
			if most := allowed(plain.missing); m.reported == 0 || m.missing > most {
				p.Errorf("%d of %d frames of %s have parts that are not drawn, and %d of the control; at most %d are allowed", m.missing, m.reported, pane, plain.missing, most)
			}
			if m.drawn == 0 || plain.drawn < m.drawn/2 {
				p.Errorf("the traces have %d frames of %s and %d of the control", m.drawn, pane, plain.drawn)
			}
			if slowest := m.slowest(0.99); slowest > maxTask {
				p.Errorf("one of a hundred tasks of the page takes %v of CPU or more while %s scrolls; at most %v are allowed", slowest, pane, maxTask)
			}
		}
	})
}

// allowed returns a count of the control and two standard deviations more.
func allowed(control int) int { return control + int(2*math.Sqrt(float64(control+1))) }

// scrollRounds is how often the control and each pane are scrolled.
const scrollRounds = 3

// controlPage has a box of text of the place and the size of the pane of bytes.
var controlPage = "data:text/html," + url.PathEscape(`<!doctype html><title>control</title><pre style="position:fixed;left:0;top:100px;width:650px;height:300px;margin:0;overflow:auto;background:white;font:13px/20px monospace">`+
	strings.Repeat("000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  ................\n", 2000))

// control scrolls the page without scripts, in place of the page.
func (p *page) control() *motion {
	p.Helper()
	m := &motion{}
	p.do(chromedp.Navigate(controlPage))
	p.wait(`document.querySelector("pre")?.scrollHeight > 30000`)
	for range scrollRounds {
		m.add(p.scrolled("pre"))
	}
	return m
}

// compressed returns the size of data in gzip.
func compressed(t *testing.T, b []byte) int {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = io.Copy(w, bytes.NewReader(b))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// number returns the number of an expression.
func (p *page) number(expression string) (n float64) {
	p.Helper()
	p.do(chromedp.Evaluate(expression, &n))
	return n
}

// motion is what a trace says about the time that the page scrolls.
type motion struct {
	drawn, dropped    int
	reported, missing int                      // frames, and those with a part that was not drawn in time
	tasks             []time.Duration          // CPU of each task of the main thread, sorted
	parts             map[string]time.Duration // of all tasks, by the name of the event
}

// add adds what another trace says.
func (m *motion) add(other *motion) {
	m.drawn += other.drawn
	m.dropped += other.dropped
	m.reported += other.reported
	m.missing += other.missing
	m.tasks = append(m.tasks, other.tasks...)
	slices.Sort(m.tasks)
	if m.parts == nil {
		m.parts = map[string]time.Duration{}
	}
	for name, d := range other.parts {
		m.parts[name] += d
	}
}

// slowest returns the time that a share of the tasks takes at most.
func (m *motion) slowest(share float64) time.Duration {
	if len(m.tasks) == 0 {
		return 0
	}
	return m.tasks[int(share*float64(len(m.tasks)-1))]
}

func (m *motion) String() string {
	return fmt.Sprintf("%d frames drawn, %d dropped, %d incomplete; CPU of a task of the page: median %v, 99%% %v, most %v; %v", m.drawn, m.dropped, m.missing, m.slowest(0.5), m.slowest(0.99), m.slowest(1), m.parts)
}

// timed are the events whose time is added up.
var timed = []string{"FunctionCall", "FireAnimationFrame", "EventDispatch", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "MinorGC", "MajorGC", "RasterTask", "HitTest"}

// traceEvent is an event of a trace.
type traceEvent struct {
	Name     string
	Pid, Tid int
	Dur      int64 // in microseconds
	Tdur     int64 // CPU of its thread
	Args     struct {
		Name  string
		Frame *struct {
			Missing     bool `json:"has_missing_content"`
			NotRastered bool `json:"checkerboarded_needs_raster"`
			NotRecorded bool `json:"checkerboarded_needs_record"`
		} `json:"frame_reporter"`
	}
}

// motionOf reads a trace. Tasks are those of the main thread that has the most frames.
func motionOf(events []traceEvent) *motion {
	m := &motion{parts: map[string]time.Duration{}}
	type thread struct{ pid, tid int }
	frames := map[thread]int{} // of main threads
	names := map[thread]string{}
	for _, e := range events {
		if f := e.Args.Frame; f != nil {
			m.reported++
			if f.Missing || f.NotRastered || f.NotRecorded {
				m.missing++
			}
		}
		switch e.Name {
		case "DrawFrame":
			m.drawn++
		case "DroppedFrame":
			m.dropped++
		case "BeginMainThreadFrame":
			frames[thread{e.Pid, e.Tid}]++
		case "thread_name":
			names[thread{e.Pid, e.Tid}] = e.Args.Name
		}
	}
	var page thread
	for t, n := range frames {
		if n > frames[page] {
			page = t
		}
	}
	for _, e := range events {
		if slices.Contains(timed, e.Name) {
			m.parts[e.Name] += time.Duration(e.Tdur) * time.Microsecond
		}
		if e.Name == "RunTask" && page == (thread{e.Pid, e.Tid}) && e.Tdur > 0 {
			m.tasks = append(m.tasks, time.Duration(e.Tdur)*time.Microsecond)
		}
	}
	slices.Sort(m.tasks)
	return m
}

// scrolled scrolls an element by the gestures of a user for some seconds. It returns what Chromium's tracing says about
// it.
func (p *page) scrolled(selector string) *motion {
	p.Helper()
	var events []traceEvent
	var mu sync.Mutex
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	browser := cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser)
	chromedp.ListenBrowser(ctx, func(e any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := e.(type) {
		case *tracing.EventDataCollected:
			for _, raw := range e.Value {
				var event traceEvent
				if json.Unmarshal(raw, &event) == nil {
					events = append(events, event)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	})
	config := &tracing.TraceConfig{IncludedCategories: []string{"devtools.timeline", "disabled-by-default-devtools.timeline", "devtools.timeline.frame", "disabled-by-default-devtools.timeline.frame"}, ExcludedCategories: []string{"*"}}
	if err := tracing.Start().WithTransferMode(tracing.TransferModeReportEvents).WithTraceConfig(config).Do(browser); err != nil {
		p.Fatal(err)
	}
	x := p.number(fmt.Sprintf(`(r => r.x + r.width / 2)(document.querySelector(%q).getBoundingClientRect())`, selector))
	y := p.number(fmt.Sprintf(`(r => r.y + r.height / 2)(document.querySelector(%q).getBoundingClientRect())`, selector))
	for _, distance := range []float64{-8000, 3000, -20000} {
		p.do(input.SynthesizeScrollGesture(x, y).WithYDistance(distance).WithSpeed(6000).WithGestureSourceType(input.GestureMouse))
	}
	if err := tracing.End().Do(browser); err != nil {
		p.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(time.Minute):
		p.Fatal("the trace does not end")
	}
	mu.Lock()
	defer mu.Unlock()
	return motionOf(events)
}
