// The worked example of a new version, run.

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/dsl/long"
)

// times are what differs from run to run.
var times = regexp.MustCompile(`\d+ results in [0-9.]+m?s`)

// TestNext runs the commands in the worked example, in a copy of its folder, and
// compares what they print with what stands there. A line that is only … stands for
// any lines.
func TestNext(t *testing.T) {
	long.Only(t) // it makes the vectors of a whole schema
	const folder = "../../spec/next"
	source, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("COLUMNS", "100")
	octable, err := os.Executable() // which is the command here: see TestMain
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	fresh := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		var out strings.Builder
		out.WriteString("```console\n")
		lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(block, "```console\n"), "```"), "\n")
		for i := 0; i < len(lines); {
			command, ok := strings.CutPrefix(lines[i], "$ octable ")
			i++
			if !ok {
				continue
			}
			var shown []string
			for i < len(lines) && !strings.HasPrefix(lines[i], "$ ") {
				shown = append(shown, lines[i])
				i++
			}
			shown = shown[:len(shown)-btoi(len(shown) > 0 && shown[len(shown)-1] == "" && i == len(lines))]
			args := split(t, command)
			for k := range args {
				if args[k] == "octable" {
					args[k] = octable
				}
			}
			var stdout bytes.Buffer
			if code := run(args, strings.NewReader(""), &stdout, &stdout); code != exitOK {
				t.Errorf("%s: exit %d\n%s", command, code, stdout.String())
			}
			got := lineNumbers.ReplaceAllString(times.ReplaceAllString(stdout.String(), "… results"), "${1}N")
			if elided(shown, got) {
				got = strings.Join(shown, "\n") + "\n"
			}
			out.WriteString("$ octable " + command + "\n" + got)
		}
		return out.String() + "```"
	})
	if fresh != string(text) {
		if *update {
			if err := os.WriteFile(filepath.Join(source, "README.md"), []byte(fresh), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Errorf("the worked example does not show what its commands print; -update writes it:\n%s", lineDiff(string(text), fresh))
	}
	built(t, dir)
}

// built sees that generated code is code.
func built(t *testing.T, dir string) {
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example\n\ngo 1.26\n")
	for _, tool := range [][]string{{"go", "vet", "./next"}, {"python3", "-c", "import next"}} {
		if _, err := exec.LookPath(tool[0]); err != nil {
			t.Logf("%s is not there: %v", tool[0], err)
			continue
		}
		cmd := exec.Command(tool[0], tool[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "PYTHONDONTWRITEBYTECODE=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", tool, err, out)
		}
	}
}
