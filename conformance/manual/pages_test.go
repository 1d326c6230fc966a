package manual

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	about "github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
)

var pageName = regexp.MustCompile(`(?m)^page "([^"]+)"`)

// TestManualPages binds every page of the manual to the schema of its name. Mistakes after
// a line --- are compared with those that the page has.
func TestManualPages(t *testing.T) {
	p := readManual(t)
	schemas := map[string]string{}
	for _, e := range p.examples(t) {
		schemas[e.id()] = e.schema
	}
	pages := 0
	for _, f := range p.fences {
		if f.kind != "page" {
			continue
		}
		pages++
		source, want, wrong := strings.Cut(f.text, "---\n")
		id := pageName.FindStringSubmatch(source)[1]
		file, err := dsl.Parse(id+".oct", []byte(schemas[id]))
		if err != nil {
			t.Fatal(err)
		}
		s, err := schema.Resolve(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		bound, err := about.Load(s, func(of string) (*dsl.File, error) {
			if of != id {
				return nil, nil
			}
			return dsl.ParsePage(id+".page", []byte(source))
		})
		got := ""
		var diags dsl.Diagnostics
		if errors.As(err, &diags) {
			for _, d := range diags {
				got += fmt.Sprintf("line %d: %s: %s\n", d.Pos.Line, d.Code, d.Message)
			}
		}
		if got != want || wrong != (err != nil) {
			t.Errorf("line %d: the page has the mistakes\n%s%v\nwant\n%s", f.line, got, err, want)
		}
		if wrong {
			continue
		}
		if err := bound.Undeclared().Err(); err != nil {
			t.Error(err)
		}
		read, err := dsl.ParsePage(id+".page", []byte(source))
		if err != nil || string(dsl.Format(read)) != source {
			t.Errorf("line %d: the page is not formatted; it should be\n%s", f.line, dsl.Format(read))
		}
	}
	if pages < 3 {
		t.Errorf("%d pages", pages)
	}
	text := explained(p.prose)
	for _, m := range keywordsOfGrammar.FindAllStringSubmatch(dsl.PageGrammar(), -1) {
		if !text[m[1]] {
			t.Errorf("the text does not explain the word %s", m[1])
		}
	}
}
