package main

import (
	"bufio"
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/fuzz"
)

// TestCounterexamples checks that a mistake planted in a program is shown with its bytes, its
// rows and the law. The output has a command line that shows it again.
func TestCounterexamples(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	var all bytes.Buffer
	for _, test := range []struct{ schema, mutant string }{
		{"ntp", "time.poll/u8/read"},
		{"ntp", "time.version/unchecked/read"},
		{"wave", "Chunk.size/swapped/read"},
		{"wave", "format.rate/behind-bytes_per_second/write"},
		{"testdata/tiny.oct", "Say.text/unpadded/write"},
	} {
		s, err := compile.Load(test.schema)
		if err != nil {
			t.Fatal(err)
		}
		p, err := compile.Schema(s)
		if err != nil {
			t.Fatal(err)
		}
		mutants, _ := mutants.Of(p)
		found := false
		for _, mu := range mutants {
			if mu.ID != test.mutant {
				continue
			}
			found = true
			x, _, err := fuzz.Check(s, mu.Program(), fuzz.DefaultTries)
			if err != nil || x == nil {
				t.Fatalf("%s: %v, %v", mu.ID, x, err)
			}
			c := &checkCommand{env: &env{stdout: bufio.NewWriter(&all), stderr: os.Stderr}, tries: fuzz.DefaultTries, name: test.schema}
			c.stdout.WriteString(test.schema + ", " + mu.ID + ": " + mu.About + "\n")
			if err := c.show(s, mu.Program(), x); err != nil {
				t.Fatal(err)
			}
			c.stdout.WriteString("\n")
			if err := c.stdout.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if !found {
			var ids []string
			for _, mu := range mutants {
				ids = append(ids, mu.ID)
			}
			t.Errorf("there is no mutant %s of %s: %s", test.mutant, test.schema, strings.Join(ids, " "))
		}
	}
	const name = "testdata/counterexamples.golden"
	if *update {
		if err := os.WriteFile(name, all.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(all.Bytes(), want) {
		t.Errorf("output differs; -update writes it to %s\n%s", name, lineDiff(string(want), all.String()))
	}
}
