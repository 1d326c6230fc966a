package imhex_test

import (
	"bytes"
	"errors"
	"flag"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/export/imhex"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
)

var update = flag.Bool("update", false, "write the golden file anew")

// ImHex runs patterns only in itself, with a window, and is in no registry that
// tests can reach: what can be checked of them without it is checked here.
func TestPattern(t *testing.T) {
	modeltest.All(t, "../../..", func(name string, m *model.Model, _ *bytecode.Program) {
		pattern, cannot, err := imhex.Pattern(m)
		var unsupported *model.Unsupported
		if errors.As(err, &unsupported) && strings.HasSuffix(name, "+") && name != "wave+" {
			t.Logf("%s: %v", name, err)
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, c := range cannot {
			if !bytes.Contains(pattern, []byte(c)) {
				t.Errorf("%s does not say what it cannot say: %s", name, c)
			}
		}
		check(t, name, string(pattern))
		if name == "godot-4.4+single" {
			golden(t, pattern)
		}
	})
}

var (
	comment  = regexp.MustCompile(`//[^\n]*|"(\\.|[^"\\])*"`)
	declared = regexp.MustCompile(`(?m)^struct (\w+)`)
	member   = regexp.MustCompile(`(?m)^ +([A-Z]\w*)(<[^;]*>)? \w+(\[.*\])?( \[\[.*\]\])?;$`)
	variable = regexp.MustCompile(`(?m)^ +(?:le )?[a-z]\w*\d* (\w+)(\[.*\])?( = .*)?( \[\[.*\]\])?;$`)
	structs  = regexp.MustCompile(`(?s)struct \w+(<[^>]*>)? \{.*?\n\};`)
)

// check reports what could not be a pattern: brackets that are not closed, structs
// that are not declared or are declared twice, names that a struct has twice.
func check(t *testing.T, name, pattern string) {
	plain := comment.ReplaceAllString(pattern, "")
	for _, pair := range []string{"{}", "()", "[]"} {
		if strings.Count(plain, pair[:1]) != strings.Count(plain, pair[1:]) {
			t.Errorf("%s: %s do not match", name, pair)
		}
	}
	known := map[string]bool{}
	for _, m := range declared.FindAllStringSubmatch(plain, -1) {
		if known[m[1]] {
			t.Errorf("%s: struct %s is declared twice", name, m[1])
		}
		known[m[1]] = true
	}
	for _, m := range member.FindAllStringSubmatch(plain, -1) {
		if !known[m[1]] {
			t.Errorf("%s: struct %s is not declared", name, m[1])
		}
	}
	for _, body := range structs.FindAllString(plain, -1) {
		seen := map[string]bool{}
		for _, m := range variable.FindAllStringSubmatch(body, -1) {
			if seen[m[1]] {
				t.Errorf("%s: a struct has two members %s:\n%s", name, m[1], body)
			}
			seen[m[1]] = true
		}
		reach(t, name, body)
	}
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// reach reports references to a member that a condition declares, after the condition: the
// member may be unread there.
func reach(t *testing.T, name, body string) {
	blocks, unread := []map[string]bool{{}}, map[string]bool{}
	for _, line := range strings.Split(body, "\n")[1:] {
		declares := variable.FindStringSubmatch(line)
		for _, used := range word.FindAllString(line, -1) {
			if unread[used] && (declares == nil || declares[1] != used) {
				t.Errorf("%s: %s may be unread in %q:\n%s", name, used, strings.TrimSpace(line), body)
			}
		}
		if strings.HasPrefix(strings.TrimSpace(line), "}") && len(blocks) > 1 {
			maps.Copy(unread, blocks[len(blocks)-1])
			blocks = blocks[:len(blocks)-1]
		}
		if strings.HasSuffix(line, "{") {
			blocks = append(blocks, map[string]bool{})
		}
		if declares != nil {
			blocks[len(blocks)-1][declares[1]] = true
		}
	}
}

func golden(t *testing.T, pattern []byte) {
	const file = "testdata/godot-4.4.hexpat"
	if *update {
		if err := os.WriteFile(file, pattern, 0o666); err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s is written anew", file)
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(want, pattern) {
		t.Errorf("%s is not what is exported now (%v); go test ./compile/export/imhex -update writes it", file, err)
	}
}
