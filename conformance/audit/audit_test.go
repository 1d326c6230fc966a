package audit

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/dsl/long"
)

func countRows(e *Expectation) (fields int) {
	for _, s := range e.Sections {
		for _, t := range s.Subtables {
			fields += len(t.Rows)
		}
	}
	return fields
}

func TestForms(t *testing.T) {
	e := fixture()
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			text := f.render(e)
			r := audit(t, text, e)
			if !r.OK() {
				t.Fatalf("%s\n%s", rendering(r), text)
			}
			fields := countRows(e)
			if strings.Contains(f.name, "no titles") {
				fields = countRows(withoutAbsent(e))
			}
			if want := (Totals{Rows: fields, Accounted: fields}); r.Fields != want {
				t.Errorf("field rows %+v, want %+v", r.Fields, want)
			}
			if want := (Totals{Rows: len(e.Types), Accounted: len(e.Types)}); r.Types != want {
				t.Errorf("type rows %+v, want %+v", r.Types, want)
			}
			var errata []string
			for _, c := range r.Errata {
				errata = append(errata, c.Erratum)
			}
			want := "E7 E12 E13 E14 E17 E51"
			switch f.name {
			case "cells with bars":
				want = "E7 E13 E14 E17 E22 E23 E24 E51"
			case "cells with bars, no titles":
				want = "E13 E17 E22 E23 E24 E32 E51"
			}
			if got := strings.Join(errata, " "); got != want {
				t.Errorf("errata %s, want %s", got, want)
			}
		})
	}
}

var (
	digitRun   = regexp.MustCompile(`[0-9]+`)
	numberWord = regexp.MustCompile(`\b(?:zero|two)\b`)
)

// TestEveryNumber changes each number of each form and expects that the
// audit fails and names the line.
func TestEveryNumber(t *testing.T) {
	e := fixture()
	for _, f := range long.Part(4, forms) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			text := f.render(e)
			start, changes := 0, 0
			for n, l := range strings.SplitAfter(text, "\n") {
				var exempt []int
				if f.exempt != nil {
					exempt = f.exempt.FindStringIndex(strings.TrimSuffix(l, "\n"))
				}
				places := append(digitRun.FindAllStringIndex(l, -1), numberWord.FindAllStringIndex(l, -1)...)
				for _, m := range places {
					if exempt != nil && m[0] < exempt[1] {
						continue
					}
					old := l[m[0]:m[1]]
					others := []string{"three", "3"}
					if v, err := strconv.Atoi(old); err == nil {
						others = []string{fmt.Sprint(v + 1), fmt.Sprint(v + 4), fmt.Sprint(v / 2)}
						if v == 0 {
							others = others[:2]
						}
					} else if isDigit(old[0]) {
						others = []string{old[1:]}
					}
					if !long.Asked() { // one of them, in turn
						k := changes % len(others)
						others = others[k : k+1]
					}
					for _, other := range others {
						changed := text[:start+m[0]] + other + text[start+m[1]:]
						changes++
						doc, err := Parse("page", []byte(changed))
						if err != nil {
							t.Errorf("line %d: %s for %s in %q: %v", n+1, other, old, l, err)
							continue
						}
						r := Compare(doc, e)
						if r.OK() {
							t.Errorf("line %d: %s for %s in %q is not noticed", n+1, other, old, l)
							continue
						}
						at := fmt.Sprintf("page:%d: ", n+1)
						if !slices.ContainsFunc(r.Failures(), func(f Entry) bool {
							return f.Line == n+1 && strings.HasPrefix(f.Message, at)
						}) {
							t.Errorf("line %d: %s for %s in %q: no failure names the line:\n%s", n+1, other, old, l, rendering(r))
						}
					}
				}
				start += len(l)
			}
			if changes < 100 {
				t.Errorf("only %d changes were tried", changes)
			}
		})
	}
}

// TestRowsAndSections removes, doubles and exchanges rows, tables and
// sections on the schema's side of the page.
func TestRowsAndSections(t *testing.T) {
	e := fixture()
	noticed := func(t *testing.T, f form, what string, changed *Expectation) {
		t.Helper()
		if r := audit(t, f.render(changed), e); r.OK() {
			t.Errorf("%s: %s is not noticed", f.name, what)
		}
	}
	for _, f := range long.Part(6, forms) {
		noTitles := strings.Contains(f.name, "no titles")
		for i := range e.Types {
			c := fixture()
			c.Types = slices.Delete(c.Types, i, i+1)
			noticed(t, f, fmt.Sprintf("type row %d removed", i), c)
			c = fixture()
			c.Types = slices.Insert(c.Types, i, c.Types[i])
			noticed(t, f, fmt.Sprintf("type row %d doubled", i), c)
			if i > 0 {
				c = fixture()
				c.Types[i], c.Types[i-1] = c.Types[i-1], c.Types[i]
				noticed(t, f, fmt.Sprintf("type row %d exchanged", i), c)
			}
		}
		for i, s := range e.Sections {
			if !noTitles || len(s.Subtables) > 0 && s.Subtables[0].Rows[0].Absent == "" {
				c := fixture()
				c.Sections = slices.Delete(c.Sections, i, i+1)
				noticed(t, f, "section "+s.Title+" removed", c)
				c = fixture()
				c.Sections = slices.Insert(c.Sections, i, c.Sections[i])
				noticed(t, f, "section "+s.Title+" doubled", c)
			}
			if i > 0 && !noTitles {
				c := fixture()
				c.Sections[i], c.Sections[i-1] = c.Sections[i-1], c.Sections[i]
				noticed(t, f, "section "+s.Title+" exchanged", c)
			}
			for j, tab := range s.Subtables {
				if noTitles && tab.Rows[0].Absent != "" {
					continue
				}
				for k, r := range tab.Rows {
					what := fmt.Sprintf("row %s of %s %d", r.Name, s.Title, j)
					c := fixture()
					rows := &c.Sections[i].Subtables[j].Rows
					if len(*rows) > 1 {
						*rows = slices.Delete(*rows, k, k+1)
						noticed(t, f, what+" removed", c)
					}
					c = fixture()
					rows = &c.Sections[i].Subtables[j].Rows
					*rows = slices.Insert(*rows, k, (*rows)[k])
					noticed(t, f, what+" doubled", c)
					if k > 0 {
						c = fixture()
						rows = &c.Sections[i].Subtables[j].Rows
						(*rows)[k], (*rows)[k-1] = (*rows)[k-1], (*rows)[k]
						noticed(t, f, what+" exchanged", c)
					}
				}
			}
		}
	}
}

// TestLostCell removes a single cell where cells are lines.
func TestLostCell(t *testing.T) {
	e := fixture()
	for _, f := range forms {
		if !strings.HasPrefix(f.name, "cells") {
			continue
		}
		lines := strings.Split(f.render(e), "\n")
		for i, l := range lines {
			cell := strings.HasSuffix(l, "|") && !strings.HasPrefix(l, "---")
			if !cell && !startsRow(fieldTable, l) {
				continue
			}
			if l == "" || i%long.Number(6, 1) != 0 {
				continue
			}
			changed := strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "\n")
			if r := audit(t, changed, e); r.OK() {
				t.Errorf("%s: line %d %q is missing, which is not noticed", f.name, i+1, l)
			}
		}
	}
}

func TestWords(t *testing.T) {
	e := fixture()
	page := string(RenderRST(e))
	for _, change := range [][2]string{
		{"| X of column Y, [1][0] |", "| Y of column Y, [1][0] |"},
		{"| X of column Y, [1][0] |", "| X of column X, [1][0] |"},
		{"| X of column Y, [1][0] |", "| X of origin Y, [1][0] |"},
		{"| Red (0..1) ", "| Blue (0..1)"},
		{"| normal y ", "| imaginary y"},
		{"| signed, 32 bits |", "| unsigned, 32 bits |"},
		{"In the old form:", "In the new form:"},
		{"| rect2 ", "| rect3 "},
		{"| Float | size x", "| Integer | size x"},
		{"<class_Vector2>", "<class_Rect2>"},
		{"(unsupported)", ""},
		{"| <variable> |", "| Integer    |"},
		{"| Y+4+Z  |", "| Y+4+X  |"},
		{"| 8..8+length\\*8  |", "| 8..8+length\\*12  |"},
	} {
		if !strings.Contains(page, change[0]) {
			t.Fatalf("%q is not in the page", change[0])
		}
		if r := audit(t, strings.Replace(page, change[0], change[1], 1), e); r.OK() {
			t.Errorf("%q for %q is not noticed", change[1], change[0])
		}
	}
	// Another wording with the same meaning is no difference.
	for _, change := range [][2]string{
		{"| X of column Y, [1][0] |", "| The X component of the Y column vector, accessed via [1][0] |"},
		{"| Y+4+Z  |", "| 4+Z+Y  |"},
		{"| X+0 ", "| X "},
		{"| 8+i\\*8 |", "| 8..8+length*8 |"},
		{"two bytes", "2 bytes"},
		{"Padded to 4 bytes", "This is always padded to 4 bytes"},
	} {
		if !strings.Contains(page, change[0]) {
			t.Fatalf("%q is not in the page", change[0])
		}
		if r := audit(t, strings.Replace(page, change[0], change[1], 1), e); !r.OK() {
			t.Errorf("%q for %q:\n%s", change[1], change[0], rendering(r))
		}
	}
}

func TestSaid(t *testing.T) {
	page := func() string { return string(RenderRST(fixture())) }()
	find := func(e *Expectation) *WantRow {
		for i := range e.Sections {
			if e.Sections[i].Title == "PackedInt64Array" {
				return &e.Sections[i].Subtables[0].Rows[0]
			}
		}
		panic("not there")
	}
	wrong := "| 4      | 8   | Integer | length"
	if !strings.Contains(page, wrong) {
		t.Fatalf("%q is not in the page:\n%s", wrong, page)
	}
	right := strings.Replace(page, wrong, "| 4      | 4   | Integer | length", 1)

	e := fixture()
	if r := audit(t, right, e); r.OK() {
		t.Error("a document without the erratum passes though the erratum is not optional")
	}
	find(e).Said[0].Optional = true
	for _, text := range []string{page, right} {
		if r := audit(t, text, e); !r.OK() {
			t.Error(rendering(r))
		}
	}
	find(e).Said = append(find(e).Said, said("E99", "length", "16"))
	if r := audit(t, page, e); !r.OK() {
		t.Error(rendering(r))
	}
	find(e).Said = nil
	r := audit(t, page, e)
	if r.OK() {
		t.Fatal("a cell that differs passes without an erratum")
	}
	got := r.Failures()[0]
	if len(r.Failures()) != 1 || got.Kind != FieldRow || len(got.Differences) != 1 ||
		got.Differences[0] != (Difference{"length", `"4"`, `"8"`}) || got.Pos != "types.octable:6" {
		t.Errorf("got %+v", r.Failures())
	}
	if !regexp.MustCompile(`^page:\d+: row 1 \(length\) of the table in section 13: PackedInt64Array: ` +
		`length: expected "4", found "8"; correct the document or the schema \(types.octable:6\), or note`).MatchString(got.Message) {
		t.Error(got.Message)
	}
}

func TestAbsentAllOrNone(t *testing.T) {
	e := fixture()
	// A page with titles that lacks one of the tables of E32.
	c := fixture()
	for i := range c.Sections {
		if c.Sections[i].Title == "Basis2" {
			c.Sections[i].Subtables = nil
		}
	}
	r := audit(t, string(RenderRST(c)), e)
	if r.OK() || r.Fields.Missing != 4 {
		t.Errorf("only a part of what E32 covers is missing, and the report is\n%s", rendering(r))
	}
}

func TestCorrected(t *testing.T) {
	e := fixture()
	c := e.Corrected()
	r := audit(t, string(RenderRST(c)), c)
	if !r.OK() || len(r.Errata) > 0 {
		t.Error(rendering(r))
	}
	if len(e.Sections[9].Subtables[2].Rows[0].Said) == 0 {
		t.Error("Corrected changed its receiver")
	}
}

func TestBadExpectation(t *testing.T) {
	page := string(RenderRST(fixture()))
	for want, spoil := range map[string]func(r *WantRow){
		`types.octable:5: the offset "4+" of the row value of section 1: bool lacks a number or a variable; write it like`: func(r *WantRow) { r.Offset = "4+" },
		`the length "X*Y" of the row value of section 1: bool multiplies two variables`:                                    func(r *WantRow) { r.Length = "X*Y" },
		`has the type "int"; give one of Integer, Float, Bytes, Byte, <variable>`:                                          func(r *WantRow) { r.Type = "int" },
		`is about the cell "len"; give one of offset, length, type, description`:                                           func(r *WantRow) { r.Said = []Said{said("E1", "len", "4")} },
		`notes that the document says "4" but names no erratum`:                                                            func(r *WantRow) { r.Said = []Said{said("", "length", "4")} },
	} {
		e := fixture()
		spoil(&e.Sections[1].Subtables[0].Rows[0])
		r := audit(t, page, e)
		if r.OK() || !strings.Contains(rendering(r), want) {
			t.Errorf("no %q in\n%s", want, rendering(r))
		}
	}
}

func TestNothing(t *testing.T) {
	if Compare(nil, fixture()).OK() {
		t.Error("no document passes")
	}
	doc, err := Parse("page", RenderRST(fixture()))
	if err != nil {
		t.Fatal(err)
	}
	if Compare(doc, nil).OK() {
		t.Error("no expectation passes")
	}
}

func TestReport(t *testing.T) {
	e := fixture()
	page := strings.Replace(string(RenderRST(e)), "0..255", "0..256", 1)
	r := audit(t, page, e)
	want := regexp.MustCompile(`^page against fixture: 42 of 43 field rows and 18 of 18 type rows accounted for
  E7    2
  E12   4
  E13   1
  E14   1
  E17   1
  E51   1
1 failure:
page:\d+: row 2 \(element\) of the table in section 12: PackedByteArray: description: expected "Byte \(0\.\.255\)", ` +
		`found "Byte \(0\.\.256\)" \(numbers: expected 0 255, found 0 256\); correct the document or ` +
		`the schema \(types\.octable:7\), or note on the field the erratum by which they differ\.
$`)
	if got := rendering(r); !want.MatchString(got) {
		t.Errorf("got\n%s", got)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if back.OK() || back.Fields != r.Fields || len(back.Entries) != len(r.Entries) {
		t.Errorf("JSON lost something: %s", data)
	}
	for _, e := range r.Entries {
		if e.Status == Failed != (e.Message != "") {
			t.Errorf("status and message do not go together: %+v", e)
		}
	}
}
