package export_test

import (
	"bytes"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/compile/export/imhex"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

var (
	comment  = regexp.MustCompile(`//[^\n]*|"(\\.|[^"\\])*"`)
	declared = regexp.MustCompile(`(?m)^struct (\w+)`)
	member   = regexp.MustCompile(`(?m)^ +([A-Z]\w*)(<[^;]*>)? \w+(\[.*\])?( \[\[.*\]\])?;$`)
	variable = regexp.MustCompile(`(?m)^ +(?:le )?[a-z]\w*\d* (\w+)(\[.*\])?( = .*)?( \[\[.*\]\])?;$`)
	structs  = regexp.MustCompile(`(?s)struct \w+(<[^>]*>)? \{.*?\n\};`)
)

// checkPattern reports faults of a pattern. Brackets are not closed, structs are not declared or are declared twice, or
// a struct has a name twice. ImHex runs patterns only in its window, and no registry has it.
func checkPattern(t *testing.T, name, pattern string) {
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

// TestLargeConstant compares unsigned numbers of 64 bits with unsigned constants: an expression of
// the schema has them modulo 2^64.
func TestLargeConstant(t *testing.T) {
	pattern := patternOf(t, "type T {\n    | 0 | 8 | u64 | magic = 0x89504e470d0a1a0a | \"magic\"\n    | 8 | 8 | i64 | x = -1 | \"signed\"\n}\n")
	for _, want := range []string{"magic == 9894494448401390090", "x == -1"} {
		if !bytes.Contains(pattern, []byte(want)) {
			t.Errorf("%s is not in\n%s", want, pattern)
		}
	}
}

// TestRecordPadding pads a record by its own bytes, not by those of the row before it.
func TestRecordPadding(t *testing.T) {
	pattern := patternOf(t, "type T {\n    | 0 | 2 | u8[2] | a |\n    | 2 | N | U | b | pad 8\n}\n\ntype U {\n    | 0 | 1 | u8 | x |\n    | 1 | 2 | u16 | y |\n}\n")
	if want := "s128 begin = $;\n    U b;\n    padding[(8 - ($ - begin) % 8) % 8];"; !bytes.Contains(pattern, []byte(want)) {
		t.Errorf("%s is not in\n%s", want, pattern)
	}
}

// patternOf returns the pattern of a schema whose root is T.
func patternOf(t *testing.T, types string) []byte {
	t.Helper()
	pattern, _, err := imhex.Pattern(modelOf(t, types))
	if err != nil {
		t.Fatal(err)
	}
	return pattern
}

// modelOf returns the model of a schema whose root is T.
func modelOf(t *testing.T, types string) *model.Model {
	t.Helper()
	f, err := dsl.Parse("c.oct", []byte("schema \"c\" { root T }\n\n"+types))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return modeltest.New(t, s)
}

// TestMembers names numbers of a record in the record around it.
func TestMembers(t *testing.T) {
	pattern := patternOf(t, "type T {\n    | 0 | 2 | U | u |\n    | 2 | N | u8[u.y] | a |\n}\n\ntype U {\n    | 0 | 1 | u8 | x |\n    | 1 | 1 | u8 | y |\n}\n")
	for _, want := range []string{"s128 memberRead0 = 0;", "memberRead0 = value.y;", "U u;\n    s128 u_ = memberRead0;\n    s128 count = u_;"} {
		if !bytes.Contains(pattern, []byte(want)) {
			t.Errorf("%s is not in\n%s", want, pattern)
		}
	}
}

// TestNestedMembers refuses numbers of a record that may contain itself: a variable has the number that was read last.
func TestNestedMembers(t *testing.T) {
	m := modelOf(t, "type T {\n    | 0 | N | U | u |\n    | P | M | u8[u.x] | a |\n}\n\ntype U {\n    | 0 | 1 | u8 | x |\n    | 1 | 1 | u8 | y |\n    | 2 | N | U | u | if x > 0\n}\n")
	if _, _, err := imhex.Pattern(m); err == nil || !strings.Contains(err.Error(), "a number of U in expressions of another record") {
		t.Error(err)
	}
}

// TestElseNumber refuses numbers that only the else arm of a union has.
func TestElseNumber(t *testing.T) {
	pattern := patternOf(t, "type T {\n    | 0 | 4 | U.id | kind |\n}\n\nunion U(kind) by kind {}\n\narm U 3 a {}\n\narm U else b {}\n")
	if want := "std::assert(kind == 3, "; !bytes.Contains(pattern, []byte(want)) {
		t.Errorf("%s is not in\n%s", want, pattern)
	}
}

// TestZeroDivisor divides by 0, which gives 0.
func TestZeroDivisor(t *testing.T) {
	pattern := patternOf(t, "type T {\n    | 0 | 1 | u8 | n |\n    | 1 | N | u8[6 / n] | a |\n    | P | M | u8[n % 3] | b |\n}\n")
	for _, want := range []string{"(n == 0 ? 0 : 6 / n)", "(n % 3)"} {
		if !bytes.Contains(pattern, []byte(want)) {
			t.Errorf("%s is not in\n%s", want, pattern)
		}
	}
}
