// Reach: the tests of each package, their time, and the blocks of source that each of them runs.

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/fuzz/overlay"
)

// program is the test of a package.
type program struct {
	Package string // such as ./interp
	Tests   []*test
	binary  string // with all mutants
}

// test is a test function that passes without a mutant.
type test struct {
	Name    string
	Seconds float64
	Blocks  map[string][]block // that it runs, by file
	of      *program

	tries, kills int  // mutants that it was run with, and noticed
	good, bad    bool // passes, fails with all mutants switched off
}

// block is a block of statements, from its first place to its last.
type block struct{ Line, Column, EndLine, EndColumn int }

func (b block) has(line, column int) bool {
	return (b.Line < line || b.Line == line && b.Column <= column) && (line < b.EndLine || line == b.EndLine && column < b.EndColumn)
}

// reaches reports whether a test runs the place of a mutant.
func (t *test) reaches(m *Mutant) bool {
	for _, b := range t.Blocks[m.File] {
		if b.has(m.Reach.Line, m.Reach.Column) {
			return true
		}
	}
	return false
}

const modulePath = "github.com/octable/octable/"

// measure runs each test of a package alone, with the coverage of the packages that have mutants. What it finds is kept
// in the folder of the cache as long as the program, the files beside its source and the choice of all inputs are the same.
func (r *runner) measure(ctx context.Context, name string) (*program, error) {
	binary := filepath.Join(r.folder, "cover.test")
	defer os.Remove(binary)
	var packages []string
	for _, f := range r.packages {
		packages = append(packages, modulePath+f)
	}
	if ok, err := overlay.Test(ctx, r.root, name, binary, "-cover", "-coverpkg", strings.Join(packages, ",")); err != nil || !ok {
		return nil, err
	}
	key, err := r.key(name, binary)
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(r.cache, key+".json")
	p := &program{Package: name}
	if data, err := os.ReadFile(kept); err == nil && json.Unmarshal(data, p) == nil {
		for _, t := range p.Tests {
			t.of = p
		}
		return p, nil
	}
	*p = program{Package: name}
	list, err := r.command(ctx, p, binary, "-test.list", "^(Test|Fuzz|Example)").Output()
	if err != nil {
		return nil, fmt.Errorf("%s: the tests cannot be listed: %w", name, err)
	}
	for _, word := range strings.Fields(string(list)) {
		if !r.names.MatchString(word) {
			continue
		}
		profile := filepath.Join(r.folder, "profile")
		began := time.Now()
		cmd := r.command(ctx, p, binary, "-test.run", "^"+word+"$", "-test.coverprofile", profile)
		out, err := cmd.CombinedOutput()
		if err != nil {
			fmt.Fprintf(r.progress, "%s fails with the measure of coverage and is left out: %v\n%s", word, err, last(out))
			continue
		}
		t := &test{Name: word, Seconds: time.Since(began).Seconds(), of: p}
		if s := cmd.ProcessState; s != nil {
			t.Seconds = (s.UserTime() + s.SystemTime()).Seconds()
		}
		if t.Blocks, err = readProfile(profile); err != nil {
			return nil, err
		}
		p.Tests = append(p.Tests, t)
	}
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return p, os.WriteFile(kept, data, 0o600)
}

// key returns the name of a file of the cache. The file is for a program and the files in the folder of its package.
func (r *runner) key(name, binary string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, r.names, long.Asked())
	add := func(file string) error {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(h, f)
		return err
	}
	if err := add(binary); err != nil {
		return "", err
	}
	err := filepath.WalkDir(filepath.Join(r.root, name), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return add(file)
	})
	return hex.EncodeToString(h.Sum(nil)[:12]), err
}

var profileLine = regexp.MustCompile(`^` + modulePath + `(\S+):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)$`)

// readProfile returns the blocks of a profile that are run, by file.
func readProfile(name string) (map[string][]block, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	out := map[string][]block{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		m := profileLine.FindStringSubmatch(lines.Text())
		if m == nil || m[6] == "0" {
			continue
		}
		var n [4]int
		for i := range n {
			n[i], _ = strconv.Atoi(m[2+i])
		}
		out[m[1]] = append(out[m[1]], block{n[0], n[1], n[2], n[3]})
	}
	return out, lines.Err()
}

// measureAll measures the tests of all packages.
func (r *runner) measureAll(ctx context.Context) error {
	for _, name := range r.tests {
		p, err := r.measure(ctx, name)
		if err != nil {
			return err
		}
		if p != nil && len(p.Tests) > 0 {
			seconds := 0.0
			for _, t := range p.Tests {
				seconds += t.Seconds
			}
			fmt.Fprintf(r.progress, "%s: %d tests, %.1f s\n", name, len(p.Tests), seconds)
			r.programs = append(r.programs, p)
		}
	}
	return nil
}

// command returns a command in the folder of a package.
func (r *runner) command(ctx context.Context, p *program, binary string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = filepath.Join(r.root, filepath.FromSlash(p.Package))
	cmd.WaitDelay = time.Second
	return cmd
}

// last returns the last lines of an output.
func last(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n") + "\n"
}
