// Planting one mistake: overlay, build, run.

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
	"strconv"
	"strings"
	"time"
)

// The test that draws schemas.
const (
	testPackage = "./fuzz/schemas"
	testName    = "^TestDrawn$"
)

// Result is what became of one mistake.
type Result struct {
	Name    string   `json:"name"`
	Effect  string   `json:"effect"`
	Found   bool     `json:"found"`
	Seconds float64  `json:"seconds"` // of drawing, without the build
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

// planter builds and runs the test.
type planter struct {
	options
	root, folder string
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
	p := &planter{options: o, root: root, folder: folder}
	p.context, p.cancel = context.WithCancel(context.Background())
	return p, nil
}

func (p *planter) close() {
	p.cancel()
	os.RemoveAll(p.folder)
}

// plant returns the result of one mistake.
func (p *planter) plant(m *Mistake) *Result {
	r := &Result{Name: m.Name, Effect: m.Effect, Reason: m.Missed}
	folder := filepath.Join(p.folder, strings.ReplaceAll(m.Name, "/", "-"))
	defer os.RemoveAll(folder)
	binary, err := p.build(m, folder)
	if err == nil {
		err = p.search(r, binary, folder)
	}
	if err != nil {
		r.Reason, r.Lines = err.Error(), strings.Split(strings.TrimSpace(err.Error()), "\n")
	}
	return r
}

// build makes the test with a mistake in it and returns its file.
func (p *planter) build(m *Mistake, folder string) (string, error) {
	source := filepath.Join(p.root, filepath.FromSlash(m.File))
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	patched, err := m.Patch(string(text))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	file, overlay, binary := filepath.Join(folder, "patched.go"), filepath.Join(folder, "overlay.json"), filepath.Join(folder, "schemas.test")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {source: file}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(file, []byte(patched), 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(p.context, "go", "test", "-c", "-p", "1", "-overlay", overlay, "-o", binary, testPackage)
	cmd.Dir = p.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the test with %s cannot be built: %w\n%s", m.Name, err, out)
	}
	return binary, nil
}

// search runs the test until it fails or the time is over.
func (p *planter) search(r *Result, binary, folder string) error {
	ctx, cancel := context.WithTimeout(p.context, p.time+time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.run", testName, "-test.v", "-test.timeout", "0",
		"-duration", p.time.String(), "-seed", strconv.FormatUint(p.seed, 10))
	cmd.Dir = filepath.Join(p.root, filepath.FromSlash(testPackage))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	err := cmd.Run()
	r.Seconds = time.Since(began).Seconds()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	r.read(out.String(), err != nil)
	return nil
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
