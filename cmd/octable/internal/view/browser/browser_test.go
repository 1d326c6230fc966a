// Package browser tests the page of octable view in Chromium, with both back ends. It is a separate module, since
// users of octable do not need a driver of browsers.
//
//	go test -C cmd/octable/internal/view/browser ./...
//	go test -C cmd/octable/internal/view/browser -shots DIR     also keeps screenshots
//	go test -C cmd/octable/internal/view/browser -sample        most tests take one back end, by turns
//
// Without Chromium the tests are skipped. OCTABLE_BROWSER names another program.
package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

var (
	shots  = flag.String("shots", "", "folder for screenshots")
	sample = flag.Bool("sample", false, "run most tests with one back end, by turns")
)

// backEnds are the names of the back ends.
var backEnds = []string{"http", "wasm"}

// sampled is the number of tests that took one back end.
var sampled int

const root = "../../../../.."

// build holds the program and the static page, which are built once.
var build struct {
	sync.Once
	err           error
	program, page string
}

// built returns the program and the folder of the static page.
func built(t *testing.T) (program, page string) {
	t.Helper()
	build.Do(func() {
		var dir string
		if dir, build.err = os.MkdirTemp("", "octable-browser-"); build.err != nil {
			return
		}
		build.program, build.page = filepath.Join(dir, "octable"), filepath.Join(dir, "page")
		if have := os.Getenv("OCTABLE_BROWSER_BUILD"); have != "" { // what an earlier build has made
			build.program, build.page = filepath.Join(have, "octable"), filepath.Join(have, "page")
			return
		}
		for _, args := range [][]string{{"go", "build", "-o", build.program, "./cmd/octable"}, {build.program, "view", "-build", build.page}} {
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir = root
			if out, err := cmd.CombinedOutput(); err != nil {
				build.err = fmt.Errorf("%v: %w\n%s", args, err, out)
				return
			}
		}
	})
	if build.err != nil {
		t.Fatal(build.err)
	}
	return build.program, build.page
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.close != nil {
		shared.close()
	}
	if build.program != "" && os.Getenv("OCTABLE_BROWSER_BUILD") == "" {
		_ = os.RemoveAll(filepath.Dir(build.program))
	}
	os.Exit(code)
}

// page is the page in a tab.
type page struct {
	*testing.T
	ctx    context.Context
	origin string
	mu     sync.Mutex
	server *exec.Cmd // octable view, with the HTTP back end
	urls   []string  // of requests
	errors []string  // exceptions and errors of the console
}

// chromium returns the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	if name := os.Getenv("OCTABLE_BROWSER"); name != "" {
		return name
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium here; set OCTABLE_BROWSER to one. .ci/run installs it and runs this test")
	return ""
}

// eachBackEnd runs a test with both back ends, or with one of them if a sample is asked for. Packets are opened by the
// fragment of a link.
func eachBackEnd(t *testing.T, test func(p *page)) {
	_, folder := built(t)
	names := backEnds
	if *sample {
		one := sampled % len(names)
		names = names[one : one+1]
		sampled++
	}
	withBackEnds(t, names, folder, []string{"-call-time", "2m"}, test)
}

// eachBackEndOf runs a test with both back ends. It has another folder of the static page, and flags of the command.
func eachBackEndOf(t *testing.T, folder string, flags []string, test func(p *page)) {
	withBackEnds(t, backEnds, folder, flags, test)
}

func withBackEnds(t *testing.T, names []string, folder string, flags []string, test func(p *page)) {
	path := chromium(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if name == "http" {
				withServer(t, path, flags, test)
				return
			}
			address, err := serve(folder)
			if err != nil {
				t.Fatal(err)
			}
			run(t, path, address, nil, test)
		})
	}
}

// withServer runs a test with the HTTP back end, which is the command with flags.
func withServer(t *testing.T, path string, flags []string, test func(p *page)) {
	program, _ := built(t)
	cmd := exec.Command(program, append([]string{"view", "-no-open"}, flags...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	run(t, path, strings.TrimSpace(line), cmd, test)
}

// served has the addresses of folders of the static page, which are served until all tests have ended. The browser keeps
// the compiled program of an address, and to compile it again takes half of the time of a test.
var served = map[string]string{}

// serve serves a folder of the static page.
func serve(folder string) (address string, err error) {
	if served[folder] == "" {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", err
		}
		go func() { _ = http.Serve(l, static(folder)) }()
		served[folder] = "http://" + l.Addr().String() + "/"
	}
	return served[folder], nil
}

// static is the handler of the folder of the static page. Its calls have more time, for machines with other work.
func static(folder string) http.Handler {
	files := http.FileServer(http.Dir(folder))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.Header().Set("Cache-Control", "max-age=3600")
			files.ServeHTTP(w, r)
			return
		}
		b, err := os.ReadFile(filepath.Join(folder, "index.html"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(bytes.Replace(b, []byte(`name="call-time" content="20"`), []byte(`name="call-time" content="120"`), 1))
	})
}

// shared is the browser of all tests. Each test has a window; the page keeps nothing in the browser.
var shared struct {
	sync.Once
	ctx   context.Context
	close func()
	err   error
}

// start starts the browser.
func start(path string) (context.Context, error) {
	shared.Do(func() {
		profile, err := os.MkdirTemp("", "octable-browser-profile-")
		if err != nil {
			shared.err = err
			return
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
			chromedp.Flag("disable-sync", true), chromedp.UserDataDir(profile), chromedp.WindowSize(1300, 900))
		allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {})) // of events of newer browsers
		shared.ctx, shared.err = ctx, chromedp.Run(ctx)
		shared.close = func() {
			cancel()
			stop()
			_ = os.RemoveAll(profile) // the browser may still write to it
		}
	})
	return shared.ctx, shared.err
}

// run opens the page and runs a test in it. At the end no request may have left the page, and no error may be in the console.
func run(t *testing.T, path, address string, server *exec.Cmd, test func(p *page)) {
	ctx, err := start(path)
	if err != nil {
		t.Fatal(err)
	}
	program := cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser)
	window, err := target.CreateTarget("about:blank").WithNewWindow(true).WithWidth(1300).WithHeight(900).Do(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = target.CloseTarget(window).Do(program) })
	ctx, cancel := chromedp.NewContext(ctx, chromedp.WithTargetID(window))
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(cancel)
	p := &page{T: t, ctx: ctx, origin: address, server: server}
	chromedp.ListenTarget(ctx, func(e any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch e := e.(type) {
		case *network.EventRequestWillBeSent:
			p.urls = append(p.urls, e.Request.URL)
		case *runtime.EventExceptionThrown:
			p.errors = append(p.errors, e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError {
				p.errors = append(p.errors, fmt.Sprint(e.Args))
			}
		}
	})
	p.do(network.Enable(), chromedp.Navigate(address))
	p.wait(`document.querySelectorAll(".tree .line .label").length > 0`)
	test(p)
	p.settle()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, url := range p.urls {
		if !strings.HasPrefix(url, address) && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:") {
			t.Errorf("a request leaves the page: %s", url)
		}
	}
	for _, e := range p.errors {
		t.Errorf("error in the page: %s", e)
	}
}

// do runs actions.
func (p *page) do(actions ...chromedp.Action) {
	p.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// eval returns the text of an expression.
func (p *page) eval(expression string) string {
	p.Helper()
	var out string
	p.do(chromedp.Evaluate("String("+expression+")", &out))
	return out
}

// wait waits until an expression holds.
func (p *page) wait(expression string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	for {
		var ok bool
		if err := chromedp.Run(ctx, chromedp.Evaluate("!!("+expression+")", &ok)); err != nil {
			p.shot("failed")
			p.Fatalf("%s does not come to hold: %v; the page says %s", expression, err, p.eval(`document.body.innerText.slice(0, 2000)`))
		}
		if ok {
			return
		}
		time.Sleep(30 * time.Millisecond)
	}
}

// is waits until an expression has a text.
func (p *page) is(expression, want string) {
	p.Helper()
	got := ""
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if got = p.eval(expression); got == want {
			return
		}
	}
	p.shot("failed")
	p.Errorf("%s is %q, want %q", expression, got, want)
}

// settle waits until no call is in progress.
func (p *page) settle() {
	p.Helper()
	p.wait(`!document.body.classList.contains("busy")`)
	time.Sleep(100 * time.Millisecond)
	p.wait(`!document.body.classList.contains("busy")`)
}

// shot keeps a screenshot if that is asked for.
func (p *page) shot(name string) {
	p.Helper()
	if *shots == "" {
		return
	}
	var b []byte
	if err := chromedp.Run(p.ctx, chromedp.Sleep(200*time.Millisecond), chromedp.CaptureScreenshot(&b)); err != nil {
		p.Log(err)
		return
	}
	if err := os.MkdirAll(*shots, 0o777); err != nil {
		p.Fatal(err)
	}
	file := filepath.Join(*shots, strings.ReplaceAll(p.Name(), "/", "-")+"-"+name+".png")
	if err := os.WriteFile(file, b, 0o666); err != nil {
		p.Fatal(err)
	}
}

// pick chooses a file to open.
func (p *page) pick(name string, data []byte) {
	p.Helper()
	file := filepath.Join(p.TempDir(), name)
	if err := os.WriteFile(file, data, 0o666); err != nil {
		p.Fatal(err)
	}
	p.do(chromedp.SetUploadFiles(`input[aria-label="File to open"]`, []string{file}, chromedp.ByQuery))
}

// open opens bytes as the user does: with a file.
func (p *page) open(name string, data []byte) {
	p.Helper()
	p.pick(name, data)
	p.wait(fmt.Sprintf(`document.querySelector("#bar .title").textContent.startsWith(%q)`, fmt.Sprintf("%s, %d bytes", name, len(data))))
	p.settle()
}

// click clicks a button by its text.
func (p *page) click(text string) {
	p.Helper()
	p.do(chromedp.Click(fmt.Sprintf(`//button[normalize-space()=%q]`, text), chromedp.BySearch))
	p.settle()
}

// byteAt selects the leaf of a byte.
func (p *page) byteAt(offset int) {
	p.Helper()
	p.do(chromedp.Click(fmt.Sprintf(`#pane-bytes .digits [data-at="%d"]`, offset), chromedp.ByQuery))
	p.settle()
}

// digits waits until the pane shows bytes.
func (p *page) digits(want string) {
	p.Helper()
	p.is(`[...document.querySelectorAll("#pane-bytes .digits span")].map(e => e.textContent).join("")`, strings.ReplaceAll(want, " ", ""))
}

// selected waits until the pane of bytes shows bytes as selected.
func (p *page) selected(want string) {
	p.Helper()
	p.is(`[...document.querySelectorAll("#pane-bytes .digits .on")].map(e => e.textContent).join("")`, want)
}

// key presses a key in an element.
func (p *page) key(selector, key string) {
	p.Helper()
	p.do(chromedp.Focus(selector, chromedp.ByQuery), chromedp.KeyEvent(key))
	p.settle()
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// narrow gives the page the width of a telephone.
func (p *page) narrow() { p.do(emulation.SetDeviceMetricsOverride(390, 800, 1, true)) }
