// The implementations, and how they are started.

package results

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/octable/octable/conformance/engines"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// Kind is where an implementation comes from.
type Kind string

// The kinds.
const (
	Own     Kind = "own"     // this project's codec
	Engine  Kind = "engine"  // installed by .ci/engines
	Package Kind = "package" // of the npm registry, installed by .ci/packages
	Example Kind = "example" // the codec beside a wrapper
)

// Implementation is one that the suite is run against.
type Implementation struct {
	Name     string // of its file here
	Kind     Kind
	Spec     string
	Program  []string // as a person types it, in front of the wrapper
	Wrapper  string   // from the top of the project
	How      string   // its results were obtained, in Markdown
	Findings []Finding
}

// Finding is a fact for the author of an implementation, with a result
// that shows it.
type Finding struct {
	Text string // a sentence or two, in Markdown
	Op   protocol.Op
	Case string // id
}

// program is what starts the implementation here. The error says what is missing.
func (i *Implementation) program() ([]string, error) {
	switch i.Kind {
	case Engine:
		for _, e := range engines.Installed {
			if e.Name != i.Name {
				continue
			}
			path, err := e.Path()
			if err != nil {
				return nil, fmt.Errorf("%s is not installed (.ci/engines %s would put it at %s)", i.Name, i.Name, path)
			}
			return []string{path, i.Program[len(i.Program)-1]}, nil
		}
		return nil, fmt.Errorf("there is no engine %s", i.Name)
	case Package:
		shelf, err := shelf()
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(filepath.Join(shelf, "package-lock.json")); err != nil {
			return nil, fmt.Errorf("the packages are not installed (.ci/packages would put them into %s)", shelf)
		}
	}
	path, err := exec.LookPath(i.Program[0])
	if err != nil {
		return nil, fmt.Errorf("%s is not installed; on a machine with it, .ci/run runs this implementation", i.Program[0])
	}
	return append([]string{path}, i.Program[1:]...), nil
}

// shelf is where .ci/packages puts packages.
func shelf() (string, error) {
	if dir := os.Getenv("OCTABLE_PACKAGES"); dir != "" {
		return dir, nil
	}
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "octable-packages"), err
}

// Missing names the software that must be installed before the implementation can be run, or is empty.
func (i *Implementation) Missing() error {
	if i.Kind == Own {
		return nil
	}
	_, err := i.program()
	return err
}

//go:embed expected
var expected embed.FS

// Expectations returns the list of the failures that are known, if there is one.
func (i *Implementation) Expectations() (*runner.Expectations, error) {
	name := "expected/" + i.Name + ".txt"
	text, err := expected.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return runner.ParseExpectations(name, text)
}

// Run runs a suite against the implementation. top is the top of the project. What the
// run says of paths of this machine is replaced by what a person would type there.
func (i *Implementation) Run(ctx context.Context, top string, s *vectors.Suite) (*runner.Run, error) {
	expect, err := i.Expectations()
	if err != nil {
		return nil, err
	}
	if i.Kind == Own {
		return runner.Conform(ctx, s, runner.Local(protocol.Octable(), 0), runner.Options{Expect: expect})
	}
	here, err := i.program()
	if err != nil {
		return nil, err
	}
	cfg := process.Config{
		Command: append(here, filepath.Join(top, filepath.FromSlash(i.Wrapper))),
		TCP:     i.Kind == Engine,
		Memory:  1 << 30,
	}
	if i.Kind == Engine { // Godot 3.2 writes logs to where it is started, and scripts take seconds for a large value
		cfg.Timeout = time.Minute
		if cfg.Dir, err = os.MkdirTemp("", "octable-engine-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(cfg.Dir)
	}
	jobs := 1
	if i.Kind == Package {
		cfg.Timeout, cfg.Memory, jobs = time.Second, 512<<20, 2 // some hang, or take all they get, in many cases
		small := *s
		small.Large = nil // which take about a second, so that results would depend on the machine
		s = &small
	}
	run, err := runner.Conform(ctx, s, runner.Command(cfg), runner.Options{Expect: expect, Jobs: jobs})
	if err != nil {
		return nil, err
	}
	run.Command = append(append([]string{}, i.Program...), i.Wrapper)
	if cfg.TCP {
		run.Flags = []string{"-tcp"}
	}
	switch i.Kind {
	case Engine:
		run.Flags = append(run.Flags, "-timeout", cfg.Timeout.String())
	case Package:
		run.Flags = []string{"-timeout", cfg.Timeout.String(), "-memory", "512MiB"}
	}
	clean(run, top)
	return run, nil
}

// clean takes paths of this machine out of what an implementation said.
func clean(run *runner.Run, top string) {
	pairs := []string{"file://" + filepath.ToSlash(top) + "/", "", top + string(filepath.Separator), ""}
	if dir, err := shelf(); err == nil {
		pairs = append(pairs, dir, "$(.ci/packages)")
	}
	if home, err := os.UserHomeDir(); err == nil {
		pairs = append(pairs, home, "~")
	}
	paths := strings.NewReplacer(pairs...)
	for i := range run.Results {
		r := &run.Results[i]
		for _, s := range []*string{&r.Detail, &r.Stderr, &r.Answer.Error, &r.Answer.Unsupported} {
			*s = paths.Replace(*s)
		}
	}
}
