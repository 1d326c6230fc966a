package dsl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrors compares the errors in testdata/errors/*.oct with the text beside
// each. An empty one means that there is nothing wrong.
func TestErrors(t *testing.T) {
	names, _ := filepath.Glob("testdata/errors/*.oct")
	if len(names) < 25 {
		t.Fatalf("%d cases", len(names))
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".oct"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Parse(filepath.Base(name), text)
			checkErrors(t, f, err)
			got := ""
			if err != nil {
				got = err.Error() + "\n"
			} else {
				checkFormat(t, f)
			}
			golden(t, strings.TrimSuffix(name, ".oct")+".want", []byte(got))
		})
	}
}
