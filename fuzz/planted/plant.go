// Planting: the build of the test, and the search for the mistakes.

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

	"github.com/octable/octable/fuzz/overlay"
)

// The test that draws schemas.
const (
	testPackage = "./fuzz/schemas"
	testName    = "^TestPlanted$"
	variable    = "OCTABLE_PLANTED" // has the plan of the test
)

// Result tells whether drawn schemas found one mistake.
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

// planter builds the test with all mistakes and runs it.
type planter struct {
	options
	all          []Mistake
	functions    []int // that have the mistakes
	root, folder string
	binary       string
	context      context.Context
	cancel       context.CancelFunc
	began        time.Time
}

func newPlanter(o options) (*planter, error) {
	root, err := overlay.Root()
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
	p.began = time.Now()
	return p, nil
}

func (p *planter) close() {
	p.cancel()
	os.RemoveAll(p.folder)
}

// build makes the test with all mistakes, by an overlay of the files that have some.
func (p *planter) build() error {
	planted, err := plantAll(p.root, p.all)
	if err != nil {
		return err
	}
	p.functions = planted.Of
	file, err := planted.Write(p.folder)
	if err != nil {
		return err
	}
	_, err = overlay.Test(p.context, p.root, testPackage, p.binary, "-overlay", file)
	return err
}

// search is the state of a search.
type search struct {
	left  []int // numbers of the mistakes that are not found
	from  int   // schemas that were drawn
	found func(number, schemas int, text string)
}

// Lines of the output of the test.
var (
	lineFound = regexp.MustCompile(`^planted found: (.*)`)
	lineRun   = regexp.MustCompile(`^planted run: (\d+) \[(.*)\]`)
	lineEnd   = regexp.MustCompile(`^planted end: (\d+)`)
	failure   = regexp.MustCompile(`seed \d+: .*`)
	crash     = regexp.MustCompile(`^(panic|fatal error|unexpected fault address|SIG[A-Z]+).*`)
)

// plant draws schemas until all mistakes are found, the time is over or there are enough schemas. It returns how
// many there are. A mistake with which the process of the test ends is found.
func (p *planter) plant(mistakes []Mistake, found func(m *Mistake, schemas int, text string)) (schemas int, err error) {
	s := &search{found: func(number, schemas int, text string) { found(&p.all[number-1], schemas, text) }}
	for _, m := range mistakes {
		s.left = append(s.left, 1+slices.IndexFunc(p.all, func(x Mistake) bool { return x.Name == m.Name }))
	}
	for len(s.left) > 0 && time.Since(p.began) < p.time {
		last, text, err := p.test(s, s.left, s.from, p.schemas)
		if err != nil {
			return s.from, err
		}
		if last == nil {
			break
		}
		if text == "" {
			return s.from, fmt.Errorf("the test ends after %d schemas, for no reason that it prints", s.from)
		}
		ended, at := last, s.from
		if len(last) > 1 { // of which of them?
			ended = nil
			for _, number := range last {
				if alone, why, err := p.test(s, []int{number}, at, at+1); err != nil {
					return at, err
				} else if alone != nil {
					ended, text = append(ended, number), why
				}
			}
		}
		for _, number := range ended {
			s.remove(number)
			s.found(number, at+1, text)
		}
		if s.from = at; len(ended) == 0 {
			s.from++ // they do it together only
		}
	}
	return s.from, nil
}

func (s *search) remove(number int) {
	s.left = slices.DeleteFunc(slices.Clone(s.left), func(n int) bool { return n == number })
}

// test runs the test with mistakes. If the process ends before the test, it returns the mistakes that were switched
// on and the reason. The error says that a law does not hold without a mistake.
func (p *planter) test(s *search, numbers []int, from, to int) (last []int, text string, err error) {
	type mistake struct{ Number, Function int }
	plan := struct {
		From     int
		Shrink   bool
		Mistakes []mistake
	}{From: from, Shrink: p.shrink}
	for _, n := range numbers {
		plan.Mistakes = append(plan.Mistakes, mistake{n, p.functions[n-1]})
	}
	words, err := json.Marshal(plan)
	if err != nil {
		return nil, "", err
	}
	cmd := exec.CommandContext(p.context, p.binary, "-test.run", testName, "-test.v", "-test.timeout", "0",
		"-duration", max(p.time-time.Since(p.began), time.Second).String(), "-schemas", strconv.Itoa(to), "-seed", strconv.FormatUint(p.seed, 10), "-only", p.law)
	cmd.Dir = filepath.Join(p.root, filepath.FromSlash(testPackage))
	cmd.Env = append(os.Environ(), variable+"="+string(words))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	ended := false
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		line := lines.Text()
		if m := lineRun.FindStringSubmatch(line); m != nil {
			s.from, _ = strconv.Atoi(m[1])
			last = nil
			for _, word := range strings.Fields(m[2]) {
				n, _ := strconv.Atoi(word)
				last = append(last, n)
			}
		} else if m := lineFound.FindStringSubmatch(line); m != nil {
			var r struct {
				Number, Schemas int
				Text            string
			}
			if err := json.Unmarshal([]byte(m[1]), &r); err != nil {
				return nil, "", err
			}
			s.remove(r.Number)
			s.found(r.Number, r.Schemas, r.Text)
		} else if m := lineEnd.FindStringSubmatch(line); m != nil {
			ended = true
			s.from, _ = strconv.Atoi(m[1])
		} else if text == "" && (crash.MatchString(line) || failure.MatchString(line)) {
			text = strings.TrimSpace(line)
		}
	}
	if err := cmd.Wait(); err == nil && ended || p.context.Err() != nil {
		return nil, "", lines.Err()
	} else if strings.Contains(text, "without a mistake") {
		return nil, "", fmt.Errorf("the test fails without a mistake after %d schemas; correct that first: %s", s.from, text)
	}
	if last == nil {
		last = []int{}
	}
	return last, text, lines.Err()
}
