package schematest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The line before the mistakes that a file expects. The second one is for a schema that does not end with a newline.
const (
	mark = "// ###\n"
	bare = "\n// ### no newline\n"
)

// Split returns the schema in a file of testdata, and the mistakes that the file expects of it. These
// are comments after a line "// ###". A file without this line expects none.
func Split(file []byte) (text []byte, want string) {
	text, rest := file, []byte(nil)
	if i := bytes.LastIndex(file, []byte("\n"+mark)); i >= 0 {
		text, rest = file[:i+1], file[i+1+len(mark):]
	} else if i := bytes.LastIndex(file, []byte(bare)); i >= 0 {
		text, rest = file[:i], file[i+len(bare):]
	}
	for line := range strings.Lines(string(rest)) {
		want += strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ")
	}
	return text, want
}

// join returns the file that Split splits.
func join(text []byte, want string) []byte {
	if want == "" {
		return text
	}
	out := append(bytes.Clone(text), mark...)
	if !bytes.HasSuffix(text, []byte("\n")) {
		out = append(bytes.Clone(text), bare...)
	}
	for line := range strings.Lines(want) {
		if line != "\n" {
			line = " " + line
		}
		out = append(out, "//"+line...)
	}
	return out
}

// Case calls diagnose with the schema in a file. It compares the mistakes that this returns with those
// that the file expects. OCTABLE_UPDATE=1 writes them into the file, and a test that writes fails.
func Case(t *testing.T, path string, diagnose func(text []byte) string) {
	t.Helper()
	if err := compare(path, diagnose); err != nil {
		t.Error(err) // unreachable: only a mistake in diagnose fails the test
	}
}

// compare is Case without the test. Its error says how the mistakes differ.
func compare(path string, diagnose func(text []byte) string) error {
	file, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text, want := Split(file)
	got := diagnose(text)
	if got == want {
		return nil
	}
	if os.Getenv("OCTABLE_UPDATE") != "1" {
		return fmt.Errorf("%s: got\n%s\nwant\n%s\nOCTABLE_UPDATE=1 writes it", path, got, want)
	}
	return errors.Join(fmt.Errorf("%s: written anew", path), os.WriteFile(path, join(text, got), 0o644))
}
