package audit

import (
	"strings"
	"testing"
)

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "page: the document has neither a table of type ids",
		"\x00\x01\x02":                "page: the document has neither",
		"a\nb\xff\n":                  "page:2: the document is not UTF-8 text",
		"# Something else\n\nText 4.": "page: the document has neither",
	} {
		_, err := Parse("page", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got error %v, want %s", text, err, want)
		}
	}
	if _, err := Parse("page", make([]byte, maxDocument+1)); err == nil {
		t.Error("a text that is too large is read")
	}
}

func TestProblems(t *testing.T) {
	const head = "+---+---+---+---+\n| Offset | Len | Type | Description |\n+===+===+===+===+\n"
	for text, want := range map[string]string{
		head + "| 4 | 4 | Float |\n+---+---+---+---+\n":                                                       "the table row has 3 cells instead of 4",
		head + "| 4 | 4 | Float | a | 7 |\n+---+\n":                                                           "the table row has 5 cells instead of 4",
		head + "| 4 | 4 | Float | a\n+---+\n":                                                                 "does not start and end with |",
		head + "+---+\n\n+---+---+\n| A | B |\n+---+---+\n":                                                   "the head of this table is not one of the two",
		"4 |\n5 |\nType |\nValue |\n0 |\nnull |\n":                                                            "table cells are before any head",
		"Type |\nValue |\n0 |\nnull |\n1 |\n":                                                                 "the table row has 1 cells instead of 2",
		"Type\n\nValue\n\n0\n\nnull\n\n1\n\n5: Vector2\n":                                                     "the table row has 1 cells instead of 2",
		"Type\nValue\n0\nnull\n99999999999999999999: Big\n":                                                   "is not a number as ids are written",
		"Offset |\nLen |\nType |\nDescription |\n4 |\n4 |\nFloat |\nOffset |\nLen |\nType |\nDescription |\n": "the table row has 3 cells",
		"Type\nValue\n0\nnull\n05: Vector2\n":                                                                 "is not a number as ids are written",
	} {
		doc, err := Parse("page", []byte(text))
		if err != nil {
			// A page of damage alone is no page.
			doc, err = Parse("page", []byte(text+"\nType |\nValue |\n0 |\nnull |\n"))
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		found := false
		for _, p := range doc.Problems {
			found = found || strings.Contains(p.Text, want) && p.Line > 0
		}
		if !found {
			t.Errorf("%q: problems %v, want %q", text, doc.Problems, want)
		}
		if Compare(doc, nil).OK() {
			t.Errorf("%q passes", text)
		}
	}
}

func TestTitles(t *testing.T) {
	for text, want := range map[string][2]string{
		"Vector2":                          {"Vector2", ""},
		":ref:`Vector2<class_vector2>`":    {"Vector2", "vector2"},
		"`Vector2( vector2 )`":             {"Vector2", "vector2"},
		"Rect2( rect2 )":                   {"Rect2", "rect2"},
		"RID (unsupported)":                {"RID (unsupported)", ""},
		"`RID( rid )` (unsupported)":       {"RID (unsupported)", "rid"},
		":ref:`RID<class_rid>` (no type!)": {"RID (no type!)", "rid"},
	} {
		if name, target := readTitle(text); name != want[0] || target != want[1] {
			t.Errorf("%q: got %q, %q, want %q", text, name, target, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, same := range [][]string{
		{"8..8+length\\*12", "8+i*12", "8 + 12 * i", "8..8+12*n", "4+4+i*(10+2)"},
		{"X+4", "4+X", "X+8-4", "X + 2*2"},
		{"Y+4+Z", "Z+Y+4"},
		{"X+0", "X", "1*X", "2*X-X"},
		{"0", "4-4"},
		{"8..12+length*8"},
		{"12+i*8", "12..12+length*8"},
		{"8..8+length", "8+i"},
	} {
		first := ""
		for i, text := range same {
			p, err := parsePlace(text)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			if i == 0 {
				first = p.normal()
			} else if p.normal() != first {
				t.Errorf("%q is %s, %q is %s", same[0], first, text, p.normal())
			}
		}
	}
	seen := map[string]string{}
	for _, text := range []string{"8", "4", "X", "Y", "x", "X+4", "X+8", "8..8+length*4", "8..8+length*8", "8..12+length*8",
		"12+i*8", "8..8", "8+length", "2*X", "X-4"} {
		p, err := parsePlace(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if other := seen[p.normal()]; other != "" {
			t.Errorf("%q and %q are both %s", text, other, p.normal())
		}
		seen[p.normal()] = text
	}
	for _, text := range []string{"", "+", "4+", "04", "4 bytes", "4:", "(4", "X*Y", "8..", "..8", "99999999999999999999999999", "9999999999999999*9", "Довжина",
		strings.Repeat("(", 10000), strings.Repeat("1+", 10000)} {
		if p, err := parsePlace(text); err == nil {
			t.Errorf("%.20q is read as %s", text, p.normal())
		}
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"val&0x7FFFFFFF = elements, val&0x80000000": "0x7fffffff 0x80000000",
		"[0][12], UTF-8, 0..255":                    "0 12 8 0 255",
		"ENCODE_FLAG_64 & 1 == 1":                   "64 1 1",
		"two bytes, Zero, three; one after twofold": "2 0 3",
		"(1024x768) 1x80 0xZ":                       "1024 768 1 80 0",
		"half ½ of ٣":                               "½ ٣",
		"(offset - 4) * 2 + 4":                      "4 2 4",
	} {
		if got := strings.Join(numbers(text), " "); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestMeaning(t *testing.T) {
	for text, want := range map[string]meaning{
		"The X component of the Y column vector, accessed via [1][0]": {"1 0", "X Y", "column"},
		"Sub-name count":              {"", "", "count name sub"},
		"NameCount=val&0x7FFFFFFF":    {"0x7fffffff", "", "count name"},
		"subname":                     {"", "", "name sub"},
		"1024x768, 4x":                {"1024 768 4", "", ""},
		"Flags (absolute: val&1 !=0)": {"1 0", "", "absolute flags"},
		"number of properties":        {"", "", "property"},
	} {
		if got := meaningOf(text, glossary.words); got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

// FuzzParse looks for texts that Parse or Compare cannot cope with.
func FuzzParse(f *testing.F) {
	e := fixture()
	for _, form := range forms {
		f.Add([]byte(form.render(e)))
	}
	f.Add([]byte("+--|\n| |\n+---+ | + | ---|\n|\n||\nOffset|\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := Parse("page", text)
		if err != nil {
			return
		}
		r := Compare(doc, e)
		if r.Fields.Rows != doc.FieldRows() || r.Types.Rows != len(doc.Types) {
			t.Errorf("the report has %d field and %d type rows, the document %d and %d",
				r.Fields.Rows, r.Types.Rows, doc.FieldRows(), len(doc.Types))
		}
	})
}
