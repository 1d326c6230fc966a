// Planting: the build of the test, and the search for each mistake.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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

// plant runs the test with one mistake until it fails or the time is over.
func (p *planter) plant(m *Mistake) *Result {
	r := &Result{Name: m.Name, Effect: m.Effect, Reason: m.Missed}
	ctx, cancel := context.WithTimeout(p.context, p.time+time.Minute)
	defer cancel()
	number := slices.IndexFunc(p.all, func(x Mistake) bool { return x.Name == m.Name }) + 1
	out, err := p.run(ctx, number)
	r.Seconds = out.seconds
	if err != nil {
		r.Reason = err.Error()
		return r
	}
	r.read(out.text, out.failed)
	return r
}

// output is the result of one run of the test.
type output struct {
	text    string
	failed  bool
	seconds float64
}

// run runs the test with a mistake, 0 for none.
func (p *planter) run(ctx context.Context, number int) (output, error) {
	cmd := exec.CommandContext(ctx, p.binary, "-test.run", testName, "-test.v", "-test.timeout", "0",
		"-duration", p.time.String(), "-seed", strconv.FormatUint(p.seed, 10))
	cmd.Dir = filepath.Join(p.root, filepath.FromSlash(testPackage))
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, number))
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	began := time.Now()
	err := cmd.Run()
	var exit *exec.ExitError
	failed := errors.As(err, &exit)
	if failed {
		err = nil
	}
	return output{text.String(), failed, time.Since(began).Seconds()}, err
}

var drawn = regexp.MustCompile(`(\d+) schemas`)

// read takes the result from the output of the test.
func (r *Result) read(out string, failed bool) {
	r.Found = failed
	if all := drawn.FindAllStringSubmatch(out, -1); len(all) > 0 {
		r.Schemas, _ = strconv.Atoi(all[len(all)-1][1])
	}
	for line := range strings.Lines(out) {
		if failed && len(r.Lines) < 12 {
			r.Lines = append(r.Lines, strings.TrimRight(line, "\n"))
		}
	}
}
