package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/octable/octable/conformance/dump"
)

var update = flag.Bool("update", false, "write what is made into testdata")

var plainTree = dump.Options{Width: 90, Row: 8}

// golden compares what was made with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; -update writes it. It is now\n%s", name, got)
	}
}

func TestText(t *testing.T) {
	for i, run := range runs() {
		var b bytes.Buffer
		if err := Text(&b, run, TextOptions{Width: 90, Causes: 6, More: "-all shows them"}); err != nil {
			t.Fatal(err)
		}
		golden(t, []string{"good.txt", "naive.txt"}[i], b.Bytes())
	}
}
