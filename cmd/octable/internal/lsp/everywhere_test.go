package lsp

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// corpora returns the texts of the shipped schemas and
// those of the manual, by the names of their files.
func corpora(t *testing.T) []*snapshot {
	ours := &snapshot{docs: map[string]*document{}, parser: &parser{files: map[string]parsed{}}}
	manual := &snapshot{docs: map[string]*document{}, parser: &parser{files: map[string]parsed{}}}
	add := func(s *snapshot, name, text string) {
		s.docs[name] = &document{uri: "file:///" + name, name: name, text: newText(text, false)}
	}
	for _, id := range spec.IDs() {
		name, text, _ := spec.Source(id)
		add(ours, name, string(text))
	}
	for _, path := range formats(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		add(ours, filepath.Base(path), string(text))
	}
	for id, text := range manualSchemas(t) {
		add(manual, id+".oct", text)
	}
	return []*snapshot{ours, manual}
}

// TestHoverEverything checks that each use of a name in the schemas of octable is known. Renaming a declaration
// changes no other name. Each name, word, number, operator and text has a hover. It tries one schema of six, or
// all with OCTABLE_LONG=1.
func TestHoverEverything(t *testing.T) {
	for _, s := range corpora(t) {
		for _, name := range long.Part(6, slices.Sorted(maps.Keys(s.docs))) {
			hoverAll(t, s, name, s.docs[name].text.s)
		}
	}
}

// TestFeaturesEverywhere checks features at all places of schemas. Each word, name, number and text has a
// semantic token, each block of several lines can be folded, and each declaration is found in the workspace. It
// tries one schema of three, or all with OCTABLE_LONG=1.
func TestFeaturesEverywhere(t *testing.T) {
	for _, s := range corpora(t) {
		for _, name := range long.Part(3, slices.Sorted(maps.Keys(s.docs))) {
			d := s.docs[name]
			p := place{s, name, d.text, 0}
			marked := map[int]bool{}
			for _, token := range p.tokens() {
				marked[token.from] = true
			}
			for _, token := range dsl.Tokens(name, d.text.s) {
				if token.Kind != dsl.OperatorKind && !marked[token.Pos.Offset] {
					t.Errorf("%s:%d: no semantic token for %s", name, token.Pos.Line, token.Text)
				}
			}
			folds := map[int]bool{}
			for _, fold := range p.folds() {
				folds[fold.StartLine] = true
			}
			f, err := s.parse(name, d.text.s)
			if err != nil {
				t.Fatal(err)
			}
			for _, decl := range f.Decls {
				lines := strings.Split(strings.TrimSpace(d.text.s[decl.Pos.Offset:decl.EndPos.Offset]), "\n")
				opens := slices.IndexFunc(lines, func(line string) bool { return strings.HasSuffix(line, "{") })
				if opens >= 0 && opens < len(lines)-2 && !folds[decl.Pos.Line-1+opens] {
					t.Errorf("%s:%d: the declaration cannot be folded", name, decl.Pos.Line)
				}
			}
			found := map[string]bool{}
			for _, symbol := range s.documentSymbols(name) {
				found[symbol.Name] = true
			}
			files, err := s.lineage(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range s.index(name, files).Names {
				switch n.To.Sort {
				case schema.TypeName, schema.UnionName, schema.ArmName, schema.EncodingName:
					if n.Declares && !found[n.Text] {
						t.Errorf("%s:%d: %s is no symbol", name, n.Pos.Line, n.Text)
					}
				}
			}
		}
	}
}

// quiet are the signs that separate other tokens.
const quiet = "{}()[],:;"

// hoverAll checks the hovers of the tokens of a file.
func hoverAll(t *testing.T, s *snapshot, name, text string) {
	files, err := s.lineage(name)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	h := s.hovers(name, files)
	for _, o := range h.x.Names {
		if at := text[o.Pos.Offset:][:len(o.Text)]; o.To.Name != at {
			t.Errorf("%s: %s names %s", name, at, o.To.Name)
		}
	}
	errata, mentioned := s.errata(name), map[int]bool{}
	for _, n := range marks(h.x.file()) {
		mentioned[n.Pos.Offset] = errata[n.Text] != nil || len(errata) == 0 // pages of the manual are elsewhere
	}
	missing := map[string]bool{}
	for _, token := range h.tokens {
		switch {
		case token.Kind == dsl.CommentKind, token.Kind == dsl.DocKind, strings.Contains(quiet, token.Text), mentioned[token.Pos.Offset]:
			continue
		}
		got, from, to, ok := h.at(token.Pos.Offset)
		inside := token.Kind == dsl.StringKind // an example names arms in its bytes
		if !ok || got == "" || !inside && (from != token.Pos.Offset || to != from+len(token.Text)) {
			missing[fmt.Sprintf("%d:%s", token.Pos.Line, token.Text)] = true
		}
	}
	if len(missing) > 0 {
		t.Errorf("%s: no hover on %v", name, slices.Sorted(maps.Keys(missing)))
	}
}

// formats returns the paths of the schemas of other formats.
func formats(t *testing.T) []string {
	paths, err := filepath.Glob("../../../../spec/formats/*.oct")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	return paths
}

// manualSchemas returns the schemas of the manual that have no mistakes, by their ids.
func manualSchemas(t *testing.T) map[string]string {
	manual, err := os.ReadFile("../../../../dsl/LANGUAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, block := range strings.Split(string(manual), "\n```oct\n")[1:] {
		text, results, _ := strings.Cut(block, "\n---\n")
		if !strings.HasPrefix(results, "line ") {
			_, id, _ := strings.Cut(text, "schema \"")
			id, _, _ = strings.Cut(id, "\"")
			out[id] = text + "\n"
		}
	}
	return out
}
