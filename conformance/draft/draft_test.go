package draft

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/audit"
	"github.com/octable/octable/conformance/docs"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

func parse(t *testing.T, name string, text []byte) *audit.Document {
	t.Helper()
	doc, err := audit.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// passes drafts a schema of a document and returns it. It compares the document with what is
// written, as octable audit does, and counts the rows.
func passes(t *testing.T, name string, text []byte) (*Draft, *audit.Expectation) {
	t.Helper()
	doc := parse(t, name, text)
	d, err := New(doc, "drafted")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want := expectation(t, d)
	r := audit.Compare(doc, want)
	if !r.OK() || !d.Report.OK() {
		t.Fatalf("%s: the audit of the draft fails: %.2000v\n%s", name, r.Failures(), d.Schema)
	}
	if r.Fields.Accounted != doc.FieldRows() {
		t.Errorf("%s: %d of %d rows are accounted for", name, r.Fields.Accounted, doc.FieldRows())
	}
	return d, want
}

func expectation(t *testing.T, d *Draft) *audit.Expectation {
	t.Helper()
	f, err := dsl.Parse("drafted.oct", d.Schema)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, d.Schema)
	}
	if _, err := compile.Schema(s); err != nil {
		t.Fatal(err)
	}
	p, err := page.Load(s, func(string) (*dsl.File, error) {
		if d.Page == nil {
			return nil, nil
		}
		return dsl.ParsePage("drafted.page", d.Page)
	})
	if err != nil {
		t.Fatal(err)
	}
	want, err := audit.FromPage(p)
	if err != nil {
		t.Fatal(err)
	}
	return want
}

// TestForms: a document gives the same schema in each form, with its line numbers.
func TestForms(t *testing.T) {
	line := regexp.MustCompile(`page:\d+|line [0-9, ]+`)
	var first []byte
	for _, name := range []string{"station.md", "station.rst", "station.html", "station.txt"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		d, _ := passes(t, "page", text)
		if name == "station.md" {
			golden.Check(t, "station.oct", d.Schema)
			golden.Check(t, "station.page", d.Page)
		}
		same := line.ReplaceAll(append(slices.Clone(d.Schema), d.Page...), []byte("LINE"))
		if first == nil {
			first = same
		} else if !bytes.Equal(first, same) {
			t.Errorf("%s gives another schema than station.md:\n%s", name, d.Schema)
		}
	}
}

// TestAwkward drafts tables with unusual forms. They have merged cells, two rows of heads, offsets and lengths in
// hexadecimal digits, bits and the names of numbers, several lengths or none, no offsets and no lengths, and types as many
// languages name them. The audit of each passes, and notices another offset or type.
func TestAwkward(t *testing.T) {
	for _, c := range []struct{ name, old, text string }{
		{"log.md", "| 06 | 16 |", "| 05 | 16 |"},
		{"box.rst", "| 8-11        |", "| 9-11        |"},
		{"widget.html", "<td>+6h<", "<td>+5h<"},
		{"gizmo.html", "<td>2-3<", "<td>2-4<"},
		{"odd.md", "| end-4 |", "| end-5 |"},
		{"types.md", "| `8` | `double`", "| `9` | `double`"},
		{"flow.md", "| 4-7 |", "| 4-6 |"},
		{"wide.md", "| 0 | 4 |", "| 0 | 3 |"},
		{"turn.md", "| id | u32 |", "| id | u16 |"},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", c.name))
		if err != nil {
			t.Fatal(err)
		}
		d, want := passes(t, "page", text)
		golden.Check(t, strings.TrimSuffix(c.name, filepath.Ext(c.name))+".oct", d.Schema)
		changed := bytes.Replace(text, []byte(c.old), []byte(c.text), 1)
		if audit.Compare(parse(t, "page", changed), want).OK() {
			t.Errorf("%s: %s in place of %s is not noticed", c.name, c.text, c.old)
		}
	}
}

// TestSpans drafts tables with hexadecimal offsets, and with the first and the last byte of each row.
func TestSpans(t *testing.T) {
	text, err := os.ReadFile("testdata/frame.md")
	if err != nil {
		t.Fatal(err)
	}
	d, want := passes(t, "page", text)
	golden.Check(t, "frame.oct", d.Schema)
	for _, change := range []struct{ old, text string }{{"0x06", "0x07"}, {"1..4", "1..3"}, {"5 – 6", "4 – 5"}} {
		changed := bytes.Replace(text, []byte(change.old), []byte(change.text), 1)
		if audit.Compare(parse(t, "page", changed), want).OK() {
			t.Errorf("%s in place of %s is not noticed", change.text, change.old)
		}
	}
}

// TestNumbers: the audit of a draft notices each changed offset and length of its document.
func TestNumbers(t *testing.T) {
	text, err := os.ReadFile("testdata/station.md")
	if err != nil {
		t.Fatal(err)
	}
	_, want := passes(t, "page", text)
	cell := regexp.MustCompile(`(?m)^\| (\d+)[^|]* \| (\d+) \|`)
	n := 0
	for _, m := range cell.FindAllSubmatchIndex(text, -1) {
		for _, at := range [][]int{m[2:4], m[4:6]} {
			old, err := strconv.Atoi(string(text[at[0]:at[1]]))
			if err != nil {
				t.Fatal(err)
			}
			changed := slices.Concat(text[:at[0]], fmt.Append(nil, old+1), text[at[1]:])
			n++
			if audit.Compare(parse(t, "page", changed), want).OK() {
				t.Errorf("%d for %d in %q is not noticed", old+1, old, text[m[0]:m[1]])
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d numbers were changed", n)
	}
}

// TestTypeIDs: a document with a table of type ids gives a union with an arm for each.
func TestTypeIDs(t *testing.T) {
	text, err := os.ReadFile("testdata/shapes.rst")
	if err != nil {
		t.Fatal(err)
	}
	d, want := passes(t, "shapes.rst", text)
	golden.Check(t, "shapes.oct", d.Schema)
	golden.Check(t, "shapes.page", d.Page)
	changed := strings.Replace(string(text), "at most 16", "at most 17", 1)
	if audit.Compare(parse(t, "shapes.rst", []byte(changed)), want).OK() {
		t.Error("a changed number of the prose is not noticed")
	}
}

// TestDocs: the page of a schema gives a schema again, in each form of pages.
func TestDocs(t *testing.T) {
	files, err := filepath.Glob("../../spec/formats/*.oct")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	for _, name := range long.Part(8, append(files, spec.IDs()...)) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".oct"), func(t *testing.T) {
			t.Parallel()
			s, err := compile.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			if s.Root == nil {
				return
			}
			about, err := page.Load(s, page.Embedded)
			if err != nil {
				t.Fatal(err)
			}
			p, err := docs.Build(s, docs.Options{Page: about, Plain: !long.Asked()})
			if err != nil {
				t.Fatal(err)
			}
			for form, write := range map[string]func(*bytes.Buffer) error{
				"rst":      func(b *bytes.Buffer) error { return p.WriteRST(b) },
				"markdown": func(b *bytes.Buffer) error { return p.WriteMarkdown(b) },
				"html":     func(b *bytes.Buffer) error { return p.WriteHTML(b) },
			} {
				var b bytes.Buffer
				if err := write(&b); err != nil {
					t.Fatal(err)
				}
				passes(t, s.ID+"."+form, b.Bytes())
			}
		})
	}
}

// TestDocuments drafts the documents of others that the machine has. They are copies of Godot's page in the folder
// $OCTABLE_SEEDS, and SQLite's file format in Debian's sqlite3-doc.
func TestDocuments(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("OCTABLE_SEEDS"), "*.txt"))
	if os.Getenv("OCTABLE_SEEDS") == "" {
		files = nil
	}
	files = append(files, "/usr/share/doc/sqlite3/fileformat2.html")
	read := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		read++
		d, _ := passes(t, filepath.Base(name), text)
		if d.Rows < 50 {
			t.Errorf("%s: only %d rows", name, d.Rows)
		}
	}
	if read == 0 {
		t.Skip("neither sqlite3-doc nor the folder $OCTABLE_SEEDS is there")
	}
}

// TestDamage drafts pages that are cut off and shuffled: an error or a schema, no panic.
func TestDamage(t *testing.T) {
	for _, name := range []string{"station.md", "station.html", "shapes.rst"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(text, []byte("\n"))
		for i := 0; i < len(lines); i += long.Number(3, 1) {
			for _, changed := range [][]byte{
				bytes.Join(lines[:i], nil),
				bytes.Join(slices.Delete(slices.Clone(lines), i, i+1), nil),
				bytes.Join(slices.Concat(lines[i:], lines[:i]), nil),
			} {
				doc, err := audit.Parse("page", changed)
				if err != nil {
					continue
				}
				if d, err := New(doc, "drafted"); err == nil {
					expectation(t, d)
				}
			}
		}
	}
}

// TestTableNumbers leaves the number of a table out of the name of its type. A row of one byte is a number, also if its
// description mentions a string.
func TestTableNumbers(t *testing.T) {
	doc, err := audit.Parse("page.md", []byte("# USB\n\n## Table 9-10. Configuration Descriptor\n\n| Offset | Field | Size | Description |\n|---|---|---|---|\n"+
		"| 0 | bLength | 1 | Size of this descriptor |\n| 1 | iConfiguration | 1 | Index of string descriptor |\n"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := New(doc, "usb")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"type ConfigurationDescriptor {", "/// Configuration Descriptor.", "| 1 | 1 | u8 | iConfiguration | "} {
		if !bytes.Contains(d.Schema, []byte(want)) {
			t.Errorf("%s is not in\n%s", want, d.Schema)
		}
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"The database page size in bytes. Must be": "database_page_size_bytes",
		`The "Page Count" - The number of pages`:   "page_count",
		"X coordinate":                             "x_coordinate",
		"0 for False, 1 for True":                  "",
		"The two-byte integer at offset 3 gives the number of cells on the page.": "number_cells_page",
		"Опис":             "",
		"a":                "a",
		"a of":             "",
		"bLength":          "bLength",
		"NumberOfSections": "NumberOfSections",
		"BS_jmpBoot":       "BS_jmpBoot",
		"Length":           "length",
		"MAGIC_NUMBER":     "magic_number",
		"The wTotalLength": "wtotallength",
		"src_as":           "src_as",
		"number_of_the_x":  "number_of_the_x",
	} {
		if got := fieldName(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
