// Package golden compares outputs of tests with committed files. go test -update writes the
// files.
package golden

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what is made into the files that it is compared with")

// Updates reports whether [Check] and [File] write files anew.
func Updates() bool { return *update }

// Check compares what was made with a file of testdata.
func Check(t *testing.T, name string, got []byte) {
	t.Helper()
	File(t, filepath.Join("testdata", name), got)
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

// difference returns the number of the first line in which two texts differ, and both lines, or "" if the texts are equal.
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
