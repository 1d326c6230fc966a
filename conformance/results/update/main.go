// Update runs the suite against the implementations that are installed, or against those
// that are named. It writes the results to conformance/results:
//
//	go run ./conformance/results/update [-expect] [NAME…]
//
// With -expect it also writes the lists of known failures of engines anew; the reasons
// are then to be given by hand. With -pages it runs nothing, and makes the pages again of
// the files that there are.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/octable/octable/conformance/results"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors/suites"
)

func main() {
	expect := flag.Bool("expect", false, "write the lists of known failures of engines anew")
	pages := flag.Bool("pages", false, "make the pages again, and run nothing")
	flag.Parse()
	if err := update(flag.Args(), *expect, *pages); err != nil {
		fmt.Fprintln(os.Stderr, "update:", err)
		os.Exit(1)
	}
}

func update(names []string, expect, pages bool) error {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("where the project is cannot be found: %w", err)
	}
	top := strings.TrimSpace(string(out))
	dir := filepath.Join(top, "conformance", "results")
	for _, n := range names {
		if !slices.ContainsFunc(results.All, func(i results.Implementation) bool { return i.Name == n }) {
			return fmt.Errorf("there is no implementation called %s", n)
		}
	}
	for i := range results.All {
		impl := &results.All[i]
		if pages || len(names) > 0 && !slices.Contains(names, impl.Name) {
			continue
		}
		if err := impl.Missing(); err != nil {
			fmt.Printf("%s: unchanged: %v\n", impl.Name, err)
			continue
		}
		if err := one(impl, top, dir, expect); err != nil {
			return fmt.Errorf("%s: %w", impl.Name, err)
		}
	}
	readme, html, err := results.Pages(dir)
	if err != nil {
		return fmt.Errorf("the pages are left as they are: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, results.ReadmeName), readme, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, results.HTMLName), html, 0o644)
}

// one runs an implementation and writes its file.
func one(impl *results.Implementation, top, dir string, expect bool) error {
	s, err := suites.Load(impl.Spec)
	if err != nil {
		return err
	}
	run, err := impl.Run(context.Background(), top, s)
	if err != nil {
		return err
	}
	if run.Stopped != "" {
		return errors.New(run.Stopped)
	}
	if expect && impl.Kind == results.Engine {
		name := filepath.Join(dir, "expected", impl.Name+".txt")
		old, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		list, err := runner.ParseExpectations(name, old)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, list.Update(run, true), 0o644); err != nil {
			return err
		}
	}
	b, err := results.NewFile(run, machine()).Marshal()
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d pass, %d fail, %d expected, %d differ, %d unsupported, in %v\n", impl.Name, run.Count(runner.Pass), run.Count(runner.Fail),
		run.Count(runner.ExpectedFail), run.Count(runner.Differs), run.Count(runner.Skip), run.Took.Round(1e8))
	for _, u := range run.Unused {
		fmt.Println("  without use:", u)
	}
	return os.WriteFile(filepath.Join(dir, impl.Name+".json"), b, 0o644)
}

// machine says what this machine is like.
func machine() string {
	text := fmt.Sprintf("%d processors, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	if f, err := os.Open("/proc/meminfo"); err == nil {
		defer f.Close()
		var kib int64
		line, _ := bufio.NewReader(f).ReadString('\n')
		if n, _ := fmt.Sscanf(line, "MemTotal: %d kB", &kib); n == 1 {
			text += fmt.Sprintf(", %d GiB of memory", (kib+1<<19)>>20)
		}
	}
	if b, err := os.ReadFile("/etc/os-release"); err == nil {
		for line := range strings.Lines(string(b)) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
				text += ", " + strings.Trim(name, `"`)
			}
		}
	}
	return text
}
