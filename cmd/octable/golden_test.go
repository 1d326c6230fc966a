package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the command prints into testdata")

// lineNumbers are places in the project's schemas, which move.
var lineNumbers = regexp.MustCompile(`\b((?:errata|godot|pandemonium|framing|ntp|wave)[a-z0-9.-]*\.(?:oct|page):)\d+`)

// corpora are how much was kept of inputs, which depends on the size of an int.
var corpora = regexp.MustCompile(`\d+ packets of \d+ bytes in all, the longest of \d+,`)

// durations are how long runs took.
var durations = regexp.MustCompile(` in [0-9.]+m?s\b`)

// TestGolden runs the command lines in every file of testdata that ends in .txt. Each is
// followed by its output: errors after "! ", and the exit status if it is not 0. Lines
// of input are after "< ". $T is a folder of the test, and $OCTABLE the command itself.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("COLUMNS", "80")
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := replay(t, string(want))
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(want) {
				t.Errorf("output differs; -update writes it to %s\n%s", name, lineDiff(string(want), got))
			}
		})
	}
}

// replay runs the command lines of a golden file and returns the file with their
// output.
func replay(t *testing.T, script string) string {
	dir := t.TempDir()
	var out strings.Builder
	lines := strings.Split(strings.TrimRight(script, "\n"), "\n")
	first := true
	for i, line := range lines {
		if strings.HasPrefix(line, "# ") && (i+1 == len(lines) || lines[i+1] == "" || strings.HasPrefix(lines[i+1], "#") || strings.HasPrefix(lines[i+1], "$ ")) {
			if !first {
				out.WriteByte('\n')
			}
			first = true
			out.WriteString(line + "\n")
			continue
		}
		command, ok := strings.CutPrefix(line, "$ octable")
		if !ok {
			continue
		}
		if !first {
			out.WriteByte('\n')
		}
		first = false
		out.WriteString(line + "\n")
		var stdin strings.Builder
		for _, l := range lines[i+1:] {
			text, ok := strings.CutPrefix(l, "< ")
			if !ok {
				break
			}
			out.WriteString(l + "\n")
			stdin.WriteString(text + "\n")
		}
		var stdout, stderr bytes.Buffer
		command = strings.NewReplacer("$T", dir, "$OCTABLE", os.Args[0]).Replace(command)
		code := run(arguments(command), strings.NewReader(stdin.String()), &stdout, &stderr)
		tidy := func(s string) string {
			s = strings.NewReplacer(dir, "$T", os.Args[0], "$OCTABLE").Replace(s)
			s = durations.ReplaceAllString(s, " in TIME")
			s = corpora.ReplaceAllString(s, "N packets of N bytes in all, the longest of N,")
			return lineNumbers.ReplaceAllString(s, "${1}N")
		}
		for l := range strings.Lines(tidy(stdout.String())) {
			if strings.HasPrefix(l, "$ ") || strings.HasPrefix(l, "# ") {
				l = " " + l
			}
			out.WriteString(l)
			if !strings.HasSuffix(l, "\n") {
				out.WriteString("\\\n")
			}
		}
		for l := range strings.Lines(tidy(stderr.String())) {
			out.WriteString("! " + l)
		}
		if code != 0 {
			fmt.Fprintf(&out, "exit %d\n", code)
		}
	}
	return out.String()
}

// arguments splits a command line at blanks that are not in single quotes.
func arguments(s string) []string {
	var args []string
	word, quoted, begun := "", false, false
	for _, r := range s {
		switch {
		case r == '\'':
			quoted, begun = !quoted, true
		case r == ' ' && !quoted:
			if begun {
				args = append(args, word)
			}
			word, begun = "", false
		default:
			word, begun = word+string(r), true
		}
	}
	if begun {
		args = append(args, word)
	}
	return args
}
