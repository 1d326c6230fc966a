package lsp

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema/schematest"
)

// replacing matches hints that name the text to write or to leave out.
var replacing = regexp.MustCompile("^(did you mean |keep one$|leave (it|the with|`(any|bom drop|nul|selects [A-Za-z.]+)`) out|" +
	"leave it out|leave out the with|put text in double quotes|put it at the start|put `[^`]+` (before|after) it|put quoted text in|put a code of letters in|" +
	"replace it by a space|a comment begins with //$|write // |write `[^`…]+`$|write `any` after|name the first row before the last|the field that selects the form the value|" +
	"[a-z]+\\([a-z]+\\) is the number of |write its offset|write replace before|write drop [^…]+, or replace it|write the lower number first|write the cell @|leave it out: `with )")

// inherited is a schema that those with mistakes in what they inherit extend.
const inherited = "schema \"named\" { root T }\ntype T {\n    | 0 | 1 | u8 | n |\n    example five \"05\" is 5\n}\nunion U by n {\n    | 0 | 1 | u8 | n |\n}\narm U 0 a {}\n"

// mistaken returns schemas with mistakes: those of the tests of the language, and of the manual.
func mistaken(t *testing.T) map[string]string {
	const language = "../../../../dsl/"
	texts := map[string]string{}
	for name, text := range schematest.Texts(t, language+"schema/testdata/errors", language+"testdata/errors") {
		if strings.Contains(name, "/") {
			texts[filepath.Base(name)] = text
		}
	}
	manual, err := os.ReadFile(language + "LANGUAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(manual), "\n```oct\n")[1:] {
		text, results, _ := strings.Cut(block, "\n---\n")
		if strings.HasPrefix(results, "line ") {
			_, id, _ := strings.Cut(text, "schema \"")
			id, _, _ = strings.Cut(id, "\"")
			texts["manual-"+id+".oct"] = text + "\n"
		}
	}
	for name, text := range map[string]string{
		"again.oct": "type T {\n    | 0 | 1 | u8 | m |\n}\n", "arm.oct": "arm U 1 a {}\n", "broken.oct": "extend T {\n    | 0 | 2 | u16 | n |\n}\n",
		"unbound.oct": "extend T {\n    example \"05\" is six\n}\ndrop T.five\ndrop T.fiv\n",
	} {
		texts[name] = "schema \"" + strings.TrimSuffix(name, ".oct") + "\" extends \"named\" {}\n" + text
	}
	return texts
}

// TestFixesEverywhere holds that each hint which names a replacement has a code action, and that the action
// removes the diagnostic.
func TestFixesEverywhere(t *testing.T) {
	fixes := 0
	texts := mistaken(t)
	for _, name := range long.Part(12, slices.Sorted(maps.Keys(texts))) {
		text := texts[name]
		check := func(text string) []diagnostic {
			s := &snapshot{docs: map[string]*document{}, parser: &parser{files: map[string]parsed{}}}
			for name, text := range map[string]string{name: text, "named.oct": inherited} {
				s.docs[name] = &document{uri: "file:///" + name, name: name, text: newText(text, false)}
			}
			return s.check(name)
		}
		same := func(list []diagnostic, d diagnostic) (n int) {
			for _, one := range list {
				if one.Code == d.Code && one.Message == d.Message {
					n++
				}
			}
			return n
		}
		before := check(text)
		for _, d := range before {
			_, hint, _ := strings.Cut(d.Message, "\n")
			edit, ok := fix(newText(text, false), d)
			switch {
			case !ok && d.fix != nil:
				t.Errorf("%s: the text at the place is not %q: %s", name, d.fix.Old, d.Message)
			case !ok && replacing.MatchString(hint):
				t.Errorf("%s: no action: %s", name, d.Message)
			case ok:
				fixes++
				after := newText(text, false).change(contentChange{&edit.Range, edit.NewText}).s
				if now := check(after); same(now, d) >= same(before, d) {
					t.Errorf("%s: after %q in place of %q: %s", name, edit.NewText, d.fix.Old, d.Message)
				}
			}
		}
	}
	if t.Logf("%d replacements", fixes); fixes < long.Number(10, 150) {
		t.Errorf("%d replacements", fixes)
	}
}
