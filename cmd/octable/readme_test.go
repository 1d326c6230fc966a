// The README's commands, run.

package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestREADME runs the commands in the README's console blocks and compares what
// they print with the output on the page. A line that is only … matches any lines.
func TestREADME(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the commands of the README; go test without it runs them")
	}
	const file = "../../README.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	page := string(text)
	fresh := consoleBlock.ReplaceAllStringFunc(page, func(block string) string {
		return runBlock(t, block)
	})
	if fresh != page {
		if *update {
			if err := os.WriteFile("README.md", []byte(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		t.Error("the README does not show what its commands print; -update writes it")
	}
}

var consoleBlock = regexp.MustCompile("(?ms)^```console\n.*?^```$")

func runBlock(t *testing.T, block string) string {
	lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(block, "```console\n"), "```"), "\n")
	var out strings.Builder
	out.WriteString("```console\n")
	commands := 0
	for i := 0; i < len(lines); {
		if !strings.HasPrefix(lines[i], "$ ") {
			i++
			continue
		}
		commands++
		command := lines[i]
		i++
		var shown []string
		for i < len(lines) && !strings.HasPrefix(lines[i], "$ ") {
			shown = append(shown, lines[i])
			i++
		}
		if i == len(lines) && len(shown) > 0 && shown[len(shown)-1] == "" {
			shown = shown[:len(shown)-1]
		}
		got := runShown(t, command)
		out.WriteString(command + "\n")
		if elided(shown, got) {
			got = strings.Join(shown, "\n") + "\n"
		}
		out.WriteString(got)
	}
	if commands == 0 {
		t.Errorf("a console block without a command:\n%s", block)
	}
	out.WriteString("```")
	return out.String()
}

// runShown runs one command line of the README.
func runShown(t *testing.T, line string) string {
	line = strings.TrimPrefix(line, "$ ")
	var stdin string
	if left, right, piped := strings.Cut(line, " | "); piped {
		words := split(t, left)
		switch words[0] {
		case "echo":
			stdin = strings.Join(words[1:], " ") + "\n"
		case "printf":
			stdin = strings.ReplaceAll(words[1], `\n`, "\n")
		default:
			t.Fatalf("the README pipes from %s, which this test does not know", words[0])
		}
		line = right
	}
	words := split(t, line)
	if words[0] != "./octable" {
		t.Fatalf("the README runs %s, which this test does not know", words[0])
	}
	self, err := os.Executable() // which is the command here: see TestMain
	if err != nil {
		t.Fatal(err)
	}
	for i := range words {
		if words[i] == "./octable" {
			words[i] = self
		}
	}
	var out bytes.Buffer
	run(words[1:], strings.NewReader(stdin), &out, &out)
	return out.String()
}

// split splits a line as a shell does, as far as single quotes go.
func split(t *testing.T, line string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		if strings.HasPrefix(m[0], "'") {
			words = append(words, m[1])
		} else {
			words = append(words, m[2])
		}
	}
	if len(words) == 0 {
		t.Fatalf("no command in %q", line)
	}
	return words
}

// elided reports whether lines with … for any lines are what was printed.
func elided(shown []string, got string) bool {
	all := strings.Join(shown, "\n")
	if !strings.Contains("\n"+all+"\n", "\n…\n") {
		return false
	}
	rest := "\n" + got
	for k, part := range strings.Split("\n"+all+"\n", "\n…\n") {
		part = strings.Trim(part, "\n")
		if part == "" {
			continue
		}
		at := strings.Index(rest, "\n"+part+"\n")
		if at < 0 || k == 0 && at != 0 {
			return false
		}
		rest = rest[at+len(part)+1:]
	}
	return true
}
