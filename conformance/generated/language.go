// The languages: how generated code is made ready to be asked.

package generated

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/conformance/runner"
)

// Code is generated code that is ready to be asked.
type Code interface {
	// Target is it as the runner asks it.
	Target() runner.Target
	// Laws compares the code of a schema with the interpreter, with n values for
	// each set of options. The error says what differs.
	Laws(spec string, values int, seed uint64) error
	// Loses reports whether a value has a NaN in it of which the language does not
	// keep all bits. These bits are the one thing that code may lose.
	Loses(spec string, v codec.Value) bool
	// Close ends what was started.
	Close() error
}

// Language is a language that code is generated in.
type Language struct {
	Name string // as [gen.Named] takes it
	// Open generates code of schemas into a folder, which has to be there, and makes it
	// ready. The error is a [Missing] where this machine lacks what that needs.
	Open func(dir string, specs []string) (Code, error)
	// Dialect returns how values look in the language. Shown is a file in it that shows and
	// reads them. Both are nil without a dialect.
	Dialect func(*model.Model) Dialect
	Shown   []byte
}

// Languages are all that there are back ends for.
var Languages = []Language{
	{Name: "go", Open: openGo},
	{Name: "ts", Open: openTypeScript, Dialect: func(*model.Model) Dialect { return inTypeScript }, Shown: typescriptShown},
	{Name: "python", Open: openPython, Dialect: inPython, Shown: pythonShown},
}

// Missing is an error about something that the machine lacks.
type Missing string

func (m Missing) Error() string { return string(m) }

// BuildError says that a compiler rejects generated code.
type BuildError struct {
	Tool   string
	Err    error
	Output string
}

func (e *BuildError) Error() string { return fmt.Sprintf("%s: %v\n%s", e.Tool, e.Err, e.Output) }

func (e *BuildError) Unwrap() error { return e.Err }

// About returns the lines of the output that name a file of a schema.
func (e *BuildError) About(spec string) string {
	own := regexp.MustCompile(`(^|[^A-Za-z0-9])` + regexp.QuoteMeta(spec) + `(/|-|\.[a-z]+[:(]|\s*$)`)
	var out strings.Builder
	for line := range strings.Lines(e.Output) {
		if own.MatchString(line) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// Write generates the code of schemas in a language. It writes the code into folders that are
// named as the schemas are.
func Write(language, dir string, specs []string) error {
	l, err := gen.Named(language)
	if err != nil {
		return err
	}
	for _, spec := range specs {
		m, err := ModelOf(spec)
		if err != nil {
			return err
		}
		files, err := l.Generate(m, model.Options{})
		if err != nil {
			return fmt.Errorf("%s of %s: %w", language, spec, err)
		}
		if err := os.MkdirAll(filepath.Join(dir, spec), 0o777); err != nil {
			return err
		}
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(dir, spec, f.Name), f.Text, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// command is a command of an npm package, whose path may be that of the JavaScript.
func command(path string, args ...string) *exec.Cmd {
	if strings.HasSuffix(path, ".js") {
		return exec.Command("node", append([]string{path}, args...)...)
	}
	return exec.Command(path, args...)
}

// tool returns the path of a command: what an environment variable says, or one in the
// PATH.
func tool(variable, name string) (string, error) {
	if path := os.Getenv(variable); path != "" {
		return path, nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", Missing(fmt.Sprintf("%s is not installed; set %s to its path (.ci/run installs it with .ci/packages)", name, variable))
	}
	return path, nil
}
