// The worked example of a new version, run.

package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/octable/octable/dsl/long"
)

// TestNext runs the commands in the worked example.
func TestNext(t *testing.T) {
	long.Only(t) // it makes the vectors of a whole schema
	built(t, runPage(t, "../../spec/next/README.md", "../../spec/next"))
}

// built sees that generated code is code.
func built(t *testing.T, dir string) {
	for _, tool := range [][]string{{"go", "vet", "./next"}, {"python3", "-c", "import next"}} {
		if _, err := exec.LookPath(tool[0]); err != nil {
			t.Logf("%s is not there: %v", tool[0], err)
			continue
		}
		cmd := exec.Command(tool[0], tool[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOWORK=off", "PYTHONDONTWRITEBYTECODE=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", tool, err, out)
		}
	}
}
