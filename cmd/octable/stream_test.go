package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestStreamsAgain writes what was read from files that engines recorded, and expects their bytes.
func TestStreamsAgain(t *testing.T) {
	for _, c := range []struct{ file, spec, order string }{
		{"testdata/files/g4_vars_be.bin", "godot-4.4", "big"},
		{"testdata/files/g3_vars_one.bin", "godot-3", "little"},
	} {
		want, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{"-text", "-json"} {
			for _, lines := range []string{"-indent", "-indent=false"} {
				var text, got, errs bytes.Buffer
				stream := []string{"-framed=" + c.order, "-spec", c.spec}
				if code := run(slices.Concat([]string{"decode", form, lines}, stream, []string{c.file}), nil, &text, &errs); code != 0 {
					t.Fatalf("%s: %d %s", c.file, code, &errs)
				}
				args := []string{"encode", "-raw"}
				if form == "-json" {
					args = append(args, form)
				}
				if code := run(slices.Concat(args, stream), strings.NewReader(text.String()), &got, &errs); code != 0 || !bytes.Equal(got.Bytes(), want) {
					t.Errorf("%s %s %s: %d %s\n%x\n%x", c.file, form, lines, code, &errs, got.Bytes(), want)
				}
			}
		}
	}
}
