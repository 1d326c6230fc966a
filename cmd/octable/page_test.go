// Pages whose commands are run: what they print is on the page.

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// times are what differs from run to run.
var times = regexp.MustCompile(`\d+ results in [0-9.]+m?s`)

// codeBlock is a program on a page, which is written into the file main.go or main.ts.
var codeBlock = regexp.MustCompile("(?ms)^```(go|ts)\n(.*?)^```$")

// runPage runs the commands of a page in a copy of a folder, and compares their output with
// the page. A line that is only … matches any lines. It returns the copy.
func runPage(t *testing.T, pagePath, folder string) string {
	t.Helper()
	for _, path := range []*string{&pagePath, &folder} {
		abs, err := filepath.Abs(*path)
		if err != nil {
			t.Fatal(err)
		}
		*path = abs
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("COLUMNS", "100")
	text, err := os.ReadFile(pagePath)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range codeBlock.FindAllStringSubmatch(string(text), -1) {
		writeTo(t, filepath.Join(dir, "main."+m[1]), m[2])
	}
	writeTo(t, filepath.Join(dir, "go.mod"), "module example\n\ngo 1.26\n")
	writeTo(t, filepath.Join(dir, "package.json"), `{"type": "module"}`)
	fresh := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		return freshBlock(t, block)
	})
	if fresh != string(text) {
		if *update {
			writeTo(t, pagePath, fresh)
		}
		t.Errorf("%s does not show what its commands print; -update writes it:\n%s", filepath.Base(pagePath), lineDiff(string(text), fresh))
	}
	return dir
}

func writeTo(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// freshBlock returns a block with what its commands print now.
func freshBlock(t *testing.T, block string) string {
	var out strings.Builder
	out.WriteString("```console\n")
	lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(block, "```console\n"), "```"), "\n")
	for i := 0; i < len(lines); {
		command, ok := strings.CutPrefix(lines[i], "$ ")
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
		got, ran := runCommand(t, command)
		got = lineNumbers.ReplaceAllString(times.ReplaceAllString(got, "… results"), "${1}N")
		if !ran || elided(shown, got) {
			if got = strings.Join(shown, "\n"); got != "" {
				got += "\n"
			}
		}
		out.WriteString("$ " + command + "\n" + got)
	}
	return out.String() + "```"
}

// runCommand runs a command of a page. It reports whether the program is on this machine.
func runCommand(t *testing.T, command string) (output string, ran bool) {
	args := split(t, command)
	if args[0] != "octable" {
		return runTool(t, args)
	}
	octable, err := os.Executable() // which is the command here: see TestMain
	if err != nil {
		t.Fatal(err)
	}
	args = args[1:]
	for k := range args {
		if args[k] == "octable" {
			args[k] = octable
		}
	}
	var stdout bytes.Buffer
	if code := run(args, strings.NewReader(""), &stdout, &stdout); code != exitOK && code != exitRefused {
		t.Errorf("%s: exit %d\n%s", command, code, stdout.String())
	}
	return stdout.String(), true
}

func runTool(t *testing.T, args []string) (output string, ran bool) {
	if path := os.Getenv("OCTABLE_TSC"); args[0] == "tsc" && path != "" {
		args = append([]string{"node", path}, args[1:]...)
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		t.Logf("%s is not there: %v", args[0], err)
		return "", false
	}
	if _, err := os.Stat("main.js"); args[0] == "node" && args[1] == "main.js" && err != nil {
		return "", false // tsc is not there
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %v\n%s", args, err, out)
	}
	return string(out), true
}

// TestStart runs the commands of the page about the first schema.
func TestStart(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the commands of pages; go test without it runs them")
	}
	runPage(t, "../../spec/formats/README.md", "../../spec/formats/start")
}

// TestDocsForms: a page has the form that the name of its file ends with, unless the flag says another one.
func TestDocsForms(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, begins string
		flags        []string
	}{
		{"page.html", "<!doctype html>", nil},
		{"page.HTM", "<!doctype html>", nil},
		{"page.md", "# a message", nil},
		{"page.rst", ".. _format_tiny:", nil},
		{"page", ".. _format_tiny:", nil},
		{"other.html", ".. _format_tiny:", []string{"-format", "rst"}},
	} {
		file := filepath.Join(dir, c.name)
		var out, errs bytes.Buffer
		if code := run(append([]string{"docs", "-o", file, "testdata/tiny.oct"}, c.flags...), nil, &out, &errs); code != 0 {
			t.Errorf("%s: status %d: %s", c.name, code, errs.String())
			continue
		}
		if page, err := os.ReadFile(file); err != nil || !strings.HasPrefix(strings.ToLower(string(page)), c.begins) {
			t.Errorf("%s begins %.40q, want %q (%v)", c.name, page, c.begins, err)
		}
	}
}
