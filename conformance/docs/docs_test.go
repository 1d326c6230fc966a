package docs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/audit"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// lineNumbers are places in the project's schemas, which move.
var lineNumbers = regexp.MustCompile(`\b((?:godot|pandemonium|ntp|wave|framing)[a-z0-9.-]*\.oct):\d+`)

func load(t *testing.T, id string) *schema.Schema {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func pageOf(t *testing.T, s *schema.Schema) *page.Page {
	t.Helper()
	p, err := page.Load(s, page.Embedded)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func build(t *testing.T, id string, opt Options) *Page {
	t.Helper()
	s := load(t, id)
	opt.Page = pageOf(t, s)
	page, err := Build(s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func rst(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteRST(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The pages as they are.
func TestGolden(t *testing.T) {
	for _, test := range []struct {
		file, id string
		opt      Options
		write    func(*Page, *bytes.Buffer) error
	}{
		{"godot-4.4.rst", "godot-4.4", Options{Plain: true, Framing: load(t, "framing")}, func(p *Page, b *bytes.Buffer) error { return p.WriteRST(b) }},
		{"godot-4.4.md", "godot-4.4", Options{Base: load(t, "godot-4.3"), Framing: load(t, "framing")}, func(p *Page, b *bytes.Buffer) error { return p.WriteMarkdown(b) }},
		{"godot-4-doc.rst", "godot-4-doc", Options{Plain: true}, func(p *Page, b *bytes.Buffer) error { return p.WriteRST(b) }},
		{"ntp.rst", "ntp", Options{}, func(p *Page, b *bytes.Buffer) error { return p.WriteRST(b) }},
		{"wave.md", "wave", Options{}, func(p *Page, b *bytes.Buffer) error { return p.WriteMarkdown(b) }},
		{"framing.html", "framing", Options{}, func(p *Page, b *bytes.Buffer) error { return p.WriteHTML(b) }},
	} {
		t.Run(test.file, func(t *testing.T) {
			var b bytes.Buffer
			if err := test.write(build(t, test.id, test.opt), &b); err != nil {
				t.Fatal(err)
			}
			got := lineNumbers.ReplaceAllString(b.String(), "$1:N")
			golden.Check(t, test.file, []byte(got))
		})
	}
}

// TestAudit checks that a page of a document is accepted as that document, row by row. It has
// all of the rows even if it has other content, too.
func TestAudit(t *testing.T) {
	for _, id := range spec.IDs() {
		if !strings.HasSuffix(id, "-doc") {
			continue
		}
		want, err := audit.FromPage(pageOf(t, load(t, id)))
		if err != nil {
			t.Fatal(err)
		}
		for _, plain := range []bool{true, false} {
			page := build(t, id, Options{Plain: plain})
			doc, err := audit.Parse(id, []byte(rst(t, page)))
			if err != nil {
				t.Fatal(err)
			}
			r := audit.Compare(doc, want)
			if plain && !r.OK() {
				var out strings.Builder
				_ = r.WriteText(&out)
				t.Errorf("%s:\n%.2000s", id, out.String())
			}
			for _, f := range r.Failures() {
				if f.Kind != audit.Prose {
					t.Errorf("%s, plain %t: %s", id, plain, f.Message)
				}
			}
			if r.Fields.Rows == 0 || r.Fields.Accounted != r.Fields.Rows || r.Fields.Missing > 0 || r.Types.Accounted != r.Types.Rows || r.Types.Missing > 0 {
				t.Errorf("%s, plain %t: rows %+v, types %+v", id, plain, r.Fields, r.Types)
			}
		}
	}
}

// TestPages checks that the target of every reference is in its page, once. Every type
// has its rows and is shown in bytes.
func TestPages(t *testing.T) {
	for _, id := range long.Part(3, spec.IDs()) {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			opt := Options{Framing: load(t, "framing")}
			page := build(t, id, opt)
			anchors := map[string]int{}
			refs := map[string]bool{}
			texts := func(ts ...Text) {
				for _, x := range ts {
					for _, s := range x {
						if s.Style == Link {
							refs[s.Ref] = true
						}
					}
				}
			}
			var walk func(list []*Section)
			walk = func(list []*Section) {
				for _, s := range list {
					anchors[s.Anchor]++
					texts(s.Title)
					dumps := 0
					for _, b := range s.Blocks {
						switch x := b.(type) {
						case Paragraph:
							texts(x.Text)
							if x.Text.String() == "" {
								t.Errorf("%s has an empty paragraph", s.Title)
							}
						case List:
							texts(x.Items...)
						case Note:
							texts(x.Text)
						case Table:
							for _, row := range x.Rows {
								texts(row...)
								if len(row) != len(x.Head) {
									t.Errorf("%s has a row of %d cells under a head of %d", s.Title, len(row), len(x.Head))
								}
							}
						case Dump:
							dumps++
							if strings.Contains(x.Text, "error:") || x.About == "" {
								t.Errorf("%s shows %x as\n%s", s.Title, x.Packet, x.Text)
							}
						}
					}
					if s.Number >= 0 && dumps == 0 && !strings.HasSuffix(s.Title.String(), "(unsupported)") { // the pages of Godot 3 refuse it
						t.Errorf("%s is not shown in bytes", s.Title)
					}
					walk(s.Sections)
				}
			}
			walk(page.Sections)
			for a, n := range anchors {
				if n != 1 || a == "" {
					t.Errorf("the anchor %q is there %d times", a, n)
				}
			}
			for r := range refs {
				if anchors[r] == 0 {
					t.Errorf("%q is referred to and is not there", r)
				}
			}
			var html bytes.Buffer
			if err := page.WriteHTML(&html); err != nil {
				t.Fatal(err)
			}
			ids := map[string]bool{}
			for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(html.String(), -1) {
				ids[m[1]] = true
			}
			for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(html.String(), -1) {
				if !ids[m[1]] {
					t.Errorf("the HTML refers to #%s, which is not there", m[1])
				}
			}
			for _, tag := range []string{"section", "table", "div", "ul", "pre", "figure", "main"} {
				if a, b := strings.Count(html.String(), "<"+tag), strings.Count(html.String(), "</"+tag+">"); a != b {
					t.Errorf("<%s> is opened %d times and closed %d times", tag, a, b)
				}
			}
			if regexp.MustCompile(`(?:src|href)="(?:http:|//|[a-z]+\.)`).MatchString(html.String()) {
				t.Error("the HTML needs other files")
			}
		})
	}
}

// A note is about something that the schemas have.
func TestNotes(t *testing.T) {
	schemas := map[string]*schema.Schema{}
	for _, id := range spec.IDs() {
		schemas[id] = load(t, id)
	}
	for _, id := range spec.IDs() {
		text, ok := spec.Notes(id)
		if !ok {
			continue
		}
		// The part that a note is about may have come with a later schema, or be gone in one.
		known := map[string]bool{}
		for _, s := range schemas {
			if !slices.ContainsFunc(s.Lineage(), func(l *schema.Schema) bool { return l.ID == id }) {
				continue
			}
			for _, u := range s.Unions {
				known[u.Name] = true
				for _, a := range u.Arms {
					known[a.Name], known[u.Name+"."+a.Name] = true, true
				}
			}
			for _, r := range s.Records {
				known[r.Name] = true
			}
		}
		n := parseNotes(string(text), nil)
		sections := []string{"intro", "packet", "header", "text", "precision", "limits", "unconfirmed", "keys", "framing", "after"}
		for head := range n.parts {
			word, rest, _ := strings.Cut(head, " ")
			if (word == "type" || word == "doc") && known[rest] || rest == "" && slices.Contains(sections, head) {
				continue
			}
			t.Errorf("the notes on %s have %q, which is about nothing there", id, head)
		}
		for _, m := range regexp.MustCompile(`\{([A-Za-z0-9]+)\}`).FindAllStringSubmatch(string(text), -1) {
			if !known[m[1]] {
				t.Errorf("the notes on %s refer to %s, which no schema has", id, m[1])
			}
		}
	}
}

var classRole = regexp.MustCompile(":ref:`[^<`]*<([^>`]*)>`")

// The pages are read without a word by the tools that they are for, where these
// are there.
func TestTools(t *testing.T) {
	pages := map[string]string{}
	for _, id := range long.Part(4, []string{"wave", "godot-4.4", "pandemonium-5", "godot-4-doc"}) {
		pages[id] = rst(t, build(t, id, Options{Framing: load(t, "framing")}))
	}
	pages["framing, plain"] = rst(t, build(t, "framing", Options{Plain: true}))
	if long.Asked() {
		pages["godot-4.4, plain"] = rst(t, build(t, "godot-4.4", Options{Plain: true, Framing: load(t, "framing")}))
	}
	t.Run("docutils", func(t *testing.T) {
		tool, err := exec.LookPath("rst2html5")
		if err != nil {
			t.Skip("docutils is not installed (.ci/run installs python3-docutils): ", err)
		}
		for name, text := range pages {
			cmd := exec.Command(tool, "--report=2", "--halt=5")
			cmd.Stdin = strings.NewReader(".. role:: ref\n\n" + text) // a role of Sphinx
			var errs bytes.Buffer
			cmd.Stderr = &errs
			if err := cmd.Run(); err != nil || errs.Len() > 0 {
				t.Errorf("%s: %v\n%.2000s", name, err, errs.String())
			}
		}
	})
	t.Run("sphinx", func(t *testing.T) {
		long.Only(t)
		tool, err := exec.LookPath("sphinx-build")
		if err != nil {
			t.Skip("Sphinx is not installed (.ci/run installs python3-sphinx): ", err)
		}
		dir := t.TempDir()
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		write("conf.py", "project = 'x'\nextensions = []\nnitpicky = True\n")
		write("index.rst", pages["godot-4.4"])
		// The classes of the engine's manual, which the page refers to.
		classes := ":orphan:\n\n"
		seen := map[string]bool{}
		for _, m := range classRole.FindAllStringSubmatch(pages["godot-4.4"], -1) {
			if !seen[m[1]] {
				seen[m[1]] = true
				classes += fmt.Sprintf(".. _%s:\n\n%s\n%s\n\n", m[1], m[1], strings.Repeat("=", len(m[1])))
			}
		}
		write("classes.rst", classes)
		if out, err := exec.Command(tool, "-q", "-W", "--keep-going", "-b", "html", dir, filepath.Join(dir, "out")).CombinedOutput(); err != nil {
			t.Errorf("%v\n%.3000s", err, out)
		}
	})
}

// TestFields: a page says which numbers are truths, unless the description does, and which bits are signed. A schema without
// a title and a description has no introduction.
func TestFields(t *testing.T) {
	s, err := compile.Resolve("doors.oct", []byte(`schema "doors" { root Door }
type Door {
    | 0 | 1 | bool8 | locked | "is locked"
    | 1 | 1 | bool8 | open   | "1 for open"
    | 2 | 1 | u8    | word   | {
        0..3  angle signed        "an angle"
        4..7  half signed = angle / 2
    }
    | 3 | 1 | Lock | lock |
}
union Lock by kind { | 0 | 1 | u8 | word | { 0..3 kind } }
arm Lock 0 bolt { word { 4..7 turns signed "its turns" check turns > -5 } }`), nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := Build(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := rst(t, page)
	for _, want := range []string{
		"Is locked; 0 is false, 1 is true",
		"An angle; signed, in two's complement",
		"Written as ``angle / 2``; compared by a reader; signed, in two's complement",
		"Its turns; signed, in two's complement; refused unless ``turns > -5``",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	for _, wrong := range []string{"1 for open;", "Introduction"} {
		if strings.Contains(text, wrong) {
			t.Errorf("the page has %q:\n%s", wrong, text)
		}
	}
}
