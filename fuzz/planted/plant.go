// Planting: the build of the test, and the search for each mistake.

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The test that draws schemas.
const (
	testPackage = "./fuzz/schemas"
	testName    = "^TestDrawn$"
)

// Result is what drawing schemas found of one mistake.
type Result struct {
	Name    string   `json:"name"`
	Effect  string   `json:"effect"`
	Found   bool     `json:"found"`
	Seconds float64  `json:"seconds"`
	Schemas int      `json:"schemas"` // drawn until then
	Lines   []string `json:"lines"`   // the beginning of the counterexample
	Reason  string   `json:"reason,omitempty"`
}

func (r *Result) verdict() string {
	if r.Found {
		return "found"
	}
	return "not found"
}

func (r *Result) print(w io.Writer) {
	fmt.Fprintf(w, "\n%s: %s after %.1f s and %d schemas\n", r.Name, r.verdict(), r.Seconds, r.Schemas)
	for _, line := range r.Lines {
		fmt.Fprintf(w, "    %s\n", line)
	}
}

// planter builds the test with all mistakes and runs it with one of them.
type planter struct {
	options
	all          []Mistake
	root, folder string
	binary       string
	context      context.Context
	cancel       context.CancelFunc
}

func newPlanter(o options) (*planter, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "planted")
	if err != nil {
		return nil, err
	}
	p := &planter{options: o, all: All(), root: root, folder: folder, binary: filepath.Join(folder, "schemas.test")}
	p.context, p.cancel = context.WithCancel(context.Background())
	if err := p.build(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *planter) close() {
	p.cancel()
	os.RemoveAll(p.folder)
}

// build makes the test with all mistakes, by an overlay of the files that have some.
func (p *planter) build() error {
	files, err := schemata(p.root, p.all)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for name, text := range files {
		file := filepath.Join(p.folder, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		replace[filepath.Join(p.root, filepath.FromSlash(name))] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	overlay := filepath.Join(p.folder, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(p.context, "go", "test", "-c", "-overlay", overlay, "-o", p.binary, testPackage)
	cmd.Dir = p.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the test cannot be built: %w\n%s", err, out)
	}
	return nil
}

// control runs the test without a mistake, on the same schemas. The error says that it
// fails.
func (p *planter) control() error {
	r := &Result{}
	if err := p.search(r, 0); err != nil {
		return err
	}
	if r.Found {
		return fmt.Errorf("the test fails without a mistake after %d schemas; correct that first:\n%s", r.Schemas, strings.Join(r.Lines, "\n"))
	}
	return nil
}

// plant runs the test with one mistake until it fails or the time is over.
func (p *planter) plant(m *Mistake) *Result {
	r := &Result{Name: m.Name, Effect: m.Effect, Reason: m.Missed}
	number := slices.IndexFunc(p.all, func(x Mistake) bool { return x.Name == m.Name }) + 1
	if err := p.search(r, number); err != nil {
		r.Reason = err.Error()
	}
	return r
}

// Lines of the output of the test.
var (
	failure = regexp.MustCompile(`seed (\d+): (.*)`)
	crash   = regexp.MustCompile(`^(panic|fatal error|unexpected fault address|SIG[A-Z]+).*`)
	drawn   = regexp.MustCompile(`: (\d+) schemas of `)
)

// shrinking is how long a test may take to shrink a counterexample.
const shrinking = time.Minute

// search runs the test with a mistake, 0 for none. A test that fails may shrink the
// counterexample.
func (p *planter) search(r *Result, number int) error {
	ctx, cancel := context.WithCancel(p.context)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.binary, "-test.run", testName, "-test.v", "-test.timeout", "0",
		"-duration", p.time.String(), "-seed", strconv.FormatUint(p.seed, 10), "-laws", "1", "-only", p.law)
	cmd.Dir = filepath.Join(p.root, filepath.FromSlash(testPackage))
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, number))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = cmd.Stdout
	began := time.Now()
	limit := time.AfterFunc(p.time+shrinking, cancel)
	defer limit.Stop()
	if err := cmd.Start(); err != nil {
		return err
	}
	shrunk := false
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		line := strings.TrimRight(lines.Text(), " \t")
		if f := failure.FindStringSubmatch(line); !r.Found && (f != nil || crash.MatchString(line)) {
			r.Found, r.Seconds = true, time.Since(began).Seconds()
			limit.Reset(shrinking)
			if r.Lines = []string{line}; f != nil {
				seed, _ := strconv.ParseUint(f[1], 10, 64)
				r.Schemas, r.Lines = int(seed-p.seed)+1, []string{f[2]}
			}
			if !p.shrink {
				cancel()
			}
		}
		if n := drawn.FindStringSubmatch(line); n != nil && r.Schemas == 0 {
			r.Schemas, _ = strconv.Atoi(n[1])
		}
		switch {
		case strings.HasSuffix(line, "shrunk:"):
			shrunk = true
		case drawn.MatchString(line):
			shrunk = false
		case shrunk && len(r.Lines) < 16 && line != "":
			r.Lines = append(r.Lines, strings.TrimPrefix(line, "        "))
		}
	}
	err = cmd.Wait()
	if !r.Found {
		r.Seconds = time.Since(began).Seconds()
		if err != nil {
			return fmt.Errorf("the test ends without a counterexample: %w", err)
		}
	}
	return lines.Err()
}
