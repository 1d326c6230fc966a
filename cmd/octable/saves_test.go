package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompressedResources writes compressed resources of engines again, and expects the same content.
func TestCompressedResources(t *testing.T) {
	files, err := filepath.Glob("testdata/files/*_rscc_*")
	if err != nil || len(files) != 8 {
		t.Fatal(files, err)
	}
	content := func(file string) string {
		var out, errs bytes.Buffer
		if code := run([]string{"decode", "-format", "bytes", file}, nil, &out, &errs); code != 0 {
			t.Fatalf("%s: %d %s", file, code, &errs)
		}
		return out.String()
	}
	for _, file := range files {
		for _, form := range []string{"-text", "-json"} {
			var text, errs bytes.Buffer
			if code := run([]string{"decode", form, file}, nil, &text, &errs); code != 0 || !strings.Contains(errs.String(), "RSCC") {
				t.Fatalf("%s: %d %s", file, code, &errs)
			}
			again := filepath.Join(t.TempDir(), "again")
			args := []string{"encode", "-spec", "rscc", "-compress", "zstd", "-o", again}
			if form == "-json" {
				args = append(args, form)
			}
			if code := run(args, strings.NewReader(text.String()), &text, &errs); code != 0 {
				t.Fatalf("%s: %d %s", file, code, &errs)
			}
			if content(again) != content(file) {
				t.Errorf("%s: other content", file)
			}
		}
	}
}
