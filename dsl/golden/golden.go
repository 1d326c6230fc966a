// Package golden compares outputs of tests with committed files. go test -update writes the
// files.
package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/dsl/long"
)

var update = flag.Bool("update", false, "write what is made into the files that it is compared with")

// Updates reports whether [Check] and [File] write files anew.
func Updates() bool { return *update }

// Check compares what was made with a file of testdata.
func Check(t *testing.T, name string, got []byte) {
	t.Helper()
	File(t, filepath.Join("testdata", name), got)
}

// Part returns one of n elements, or all. It returns all if the environment asks for long tests or if files are written
// anew.
func Part[T any](n int, all []T) []T {
	if *update {
		return all
	}
	return long.Part(n, all)
}

// Lines compares the lines made of a [Part] with a file of testdata. If the part is all, it compares all lines of the
// file, or else those that are made.
func Lines(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update || long.Asked() {
		Check(t, name, got)
		return
	}
	want, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if line := missing(string(got), string(want)); line != "" {
		t.Errorf("testdata/%s does not have this line, which is made now; look at the difference after go test -update.\n%s", name, line)
	}
}

// missing returns the first line of a text that another text does not have, or "" if it has all.
func missing(got, want string) string {
	have := strings.Split(want, "\n")
	for line := range strings.SplitSeq(got, "\n") {
		if !slices.Contains(have, line) {
			return line
		}
	}
	return ""
}

// File compares what was made with a file.
func File(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := difference(string(got), string(want)); d != "" {
		t.Errorf("%s is not what is made now; look at the difference after go test -update. Line %s", path, d)
	}
}

// difference returns the number of the first line in which two texts differ, and both lines. It returns "" if the texts
// are equal.
func difference(got, want string) string {
	if got == want {
		return ""
	}
	a, b := append(strings.Split(got, "\n"), ""), append(strings.Split(want, "\n"), "")
	i := 0
	for i < min(len(a), len(b))-1 && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("%d: %s\ninstead of\n%s", i+1, a[i], b[i])
}
