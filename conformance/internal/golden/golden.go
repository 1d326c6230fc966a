// Package golden compares what tests make with files of testdata. go test -update
// writes those anew.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write what is made into testdata")

// Updates reports whether [Check] writes files anew.
func Updates() bool { return *update }

// Check compares what was made with a file of testdata.
func Check(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
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
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is made now; look at the difference after go test -update. Now:\n%.3000s", path, got)
	}
}
