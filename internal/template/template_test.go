package template

import (
	"errors"
	html "html/template"
	"io"
	"strings"
	"testing"
	text "text/template"
)

type kind int32

type inner struct {
	Name string
	N    kind
}

type outer struct {
	*inner
	Items []inner
	Pairs [][]string
	On    map[string]bool
	Any   map[string]any
	Trust HTML
	Zero  any
	F     float64
}

var sample = &outer{
	inner: &inner{`<a href="x">&'` + "\x00", 7},
	Items: []inner{{"one", 1}, {"two", 2}, {"", 0}},
	Pairs: [][]string{{"a", "b"}, {"c"}},
	On:    map[string]bool{"text": true},
	Any:   map[string]any{"S": "s", "N": 3, "L": []int{4, 5}, "I": &inner{"deep", 9}},
	F:     1.5,
}

var functions = Funcs{
	"upper":   strings.ToUpper,
	"join":    func(sep string, parts ...string) string { return strings.Join(parts, sep) },
	"data":    func(i inner, level int) map[string]any { return map[string]any{"I": i, "Level": level} },
	"nothing": func() any { return nil },
	"is":      func(x any) bool { return x != nil },
}

// The standard library executes the same templates, with the same results.
func TestSame(t *testing.T) {
	for _, src := range []string{
		`plain text`, `{{/* a comment */}}x{{- " y " -}} z`, `{{.Name}} {{.N}} {{.F}} {{.On.text}}`,
		`<p title="{{.Name}}">{{.Name}}</p>`, `{{if .On.text}}a{{else}}b{{end}}{{if .On.no}}a{{else if .Items}}b{{else}}c{{end}}{{if .Zero}}a{{end}}`,
		`{{with .Name}}[{{.}}]{{else}}none{{end}}{{with .Any.nothing}}x{{else}}none{{end}}{{with $x := .Any.S}}{{$x}}{{.}}{{end}}`,
		`{{range .Items}}{{.Name}}={{.N}};{{end}}`, `{{range $i, $e := .Items}}{{if $i}}, {{end}}{{$i}}:{{$e.Name}}{{$.N}}{{end}}`, `{{range $e := .Items}}{{$e.Name}}{{end}}`,
		`{{range .Zero}}x{{else}}empty{{end}}{{range .Any.L}}{{.}} {{end}}`, `{{$o := "<"}}{{if .On.text}}{{$o = ">"}}{{end}}{{$o}}`,
		`{{$x := 1}}{{range .Items}}{{$x = .N}}{{$y := 2}}{{end}}{{$x}}`, `{{$x := 1}}{{if true}}{{$x := 2}}{{$x}}{{end}}{{$x}}`,
		`{{define "t"}}({{.}}){{end}}{{template "t" .N}}{{template "t" "<"}}`, `{{define "r"}}{{.I.Name}}{{.Level}}{{end}}{{range .Items}}{{template "r" (data . 3)}}{{end}}`,
		`{{upper .Name}} {{join "+" "a" "b"}} {{join ","}} {{printf "%q %d %.2f" .Name .N .F}}`, `{{index .Pairs 0 1}}{{index .Any.L 1}} {{len .Items}}{{len .Name}}`,
		`{{eq .Any.S "s"}}{{eq .Any.N 3}}{{eq .N 7}}{{eq .N 8}}{{eq .Any.S "t"}}`, `{{gt (len .Items) 1}}{{gt 1 1}}{{ge 1 1}}{{ge -1 0}}`, `{{not .Items}}{{not .Zero}}{{not false}}{{not .F}}`,
		`{{and .Items .Name}}|{{and false (index .Items 99)}}|{{and 1 2 0}}|{{and true}}`, `{{(data (index .Items 1) 4).I.Name}}{{.Any.I.Name}}{{$.Any.I.N}}`, `{{is nothing}}{{is .N}}`,
	} {
		mine := New(functions, "", "")
		if err := mine.Parse("main", src); err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		var got, want strings.Builder
		if err := mine.Text(&got, "main", sample); err != nil {
			t.Errorf("%s: %v", src, err)
		}
		if err := text.Must(text.New("main").Funcs(text.FuncMap(functions)).Parse(src)).Execute(&want, sample); err != nil || got.String() != want.String() {
			t.Errorf("%s: %q, want %q, %v", src, &got, &want, err)
		}
		got.Reset()
		want.Reset()
		if err := mine.HTML(&got, "main", sample); err != nil {
			t.Errorf("%s: %v", src, err)
		}
		err := html.Must(html.New("main").Funcs(html.FuncMap(functions)).Parse(src)).Execute(&want, sample)
		if s := strings.ReplaceAll(want.String(), "&#43;", "+"); err != nil || got.String() != s {
			t.Errorf("%s as HTML: %q, want %q, %v", src, &got, s, err)
		}
	}
}

// Trusted text is not escaped, and a value without text prints nothing.
func TestHTML(t *testing.T) {
	mine := New(Funcs{"trust": func(s string) HTML { return HTML(s) }}, "<<", ">>")
	if err := mine.Parse("main", `<< trust "<b>" >>{{<< .Trust >>}}<< .Zero >><< .Name >>`); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := mine.HTML(&got, "main", &outer{inner: &inner{Name: "<"}, Trust: "<i>"}); err != nil || got.String() != "<b>{{<i>}}&lt;" {
		t.Errorf("%q, %v", &got, err)
	}
}

// Every mistake in a template is an error that names its place.
func TestMistakes(t *testing.T) {
	for src, want := range map[string]string{
		`{{.Missing}}`:                     "main:1:2: .Missing: template.outer has no field Missing",
		`{{.Name.Length}}`:                 "no field Length of",
		`{{range .N}}{{end}}`:              "range over a template.kind",
		`{{.Name | upper}}`:                "| is not supported",
		`{{upper}}`:                        "0 arguments, want 1",
		`{{upper .Items}}`:                 "argument 1 is a []template.inner, want string",
		`{{.Name .N}}`:                     "only functions take arguments",
		`{{nil | is}}`:                     "| is not supported",
		`{{is nil}}`:                       "operands of this kind",
		`{{range .Items}}{{break}}{{end}}`: "statements of this kind",
		`{{template "other"}}`:             `"other" is not defined`,
	} {
		mine := New(functions, "", "")
		err := mine.Parse("main", src)
		if err == nil {
			err = mine.Text(io.Discard, "main", sample)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
	if err := New(nil, "", "").Parse("main", "{{unknown .}}"); err == nil {
		t.Error("a function that is not declared is accepted")
	}
	full := errors.New("no room")
	mine := New(nil, "", "")
	if err := mine.Parse("main", "a{{.}}"); err != nil {
		t.Fatal(err)
	}
	if err := mine.Text(limited{full}, "main", 1); !errors.Is(err, full) {
		t.Errorf("%v, want %v", err, full)
	}
}

type limited struct{ err error }

func (l limited) Write([]byte) (int, error) { return 0, l.err }
