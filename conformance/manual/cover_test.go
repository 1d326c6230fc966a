// Completeness of the manual: it explains each entry of the tables of the language, and
// has a schema with it.

package manual

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// TestManualGrammar compares the grammar in the manual with the parser's.
func TestManualGrammar(t *testing.T) {
	for _, f := range readManual(t).fences {
		if f.kind != "ebnf" {
			continue
		}
		if want := dsl.Grammar(); f.text != want {
			if os.Getenv("OCTABLE_UPDATE") == "1" {
				rewrite(t, map[int]string{f.line: want})
			}
			t.Error("the grammar in the manual is not that of the parser; OCTABLE_UPDATE=1 writes it")
		}
		return
	}
	t.Error("the manual has no grammar")
}

// TestManualComplete checks that the manual is complete. Every production of the grammar is in
// a schema of the manual that has packets, and every attribute, operator, function, type,
// property, error and limit is in its text.
func TestManualComplete(t *testing.T) {
	p := readManual(t)
	used := map[string]bool{}  // fields of the syntax tree, as Row.Doc
	words := map[string]bool{} // tokens of schemas that have packets
	mistakes, text := "", explained(p.prose)
	for _, e := range p.examples(t) {
		if e.wrong {
			mistakes += e.results
			continue
		}
		f, err := dsl.Parse("manual.oct", []byte(e.schema))
		if err != nil {
			t.Error(err)
			continue
		}
		dsl.Walk(f, func(node any) bool { fieldsOf(node, used); return true })
		for _, w := range schemaTokens.FindAllString(e.schema, -1) {
			words[w] = true
		}
	}
	for _, name := range productions() {
		if !used[name] {
			t.Errorf("no schema with packets has %s", name)
		}
	}
	for _, m := range keywordsOfGrammar.FindAllStringSubmatch(dsl.Grammar(), -1) {
		if !words[m[1]] {
			t.Errorf("no schema with packets has the word %s", m[1])
		}
		if !text[m[1]] {
			t.Errorf("the text does not explain the word %s", m[1])
		}
	}
	for _, x := range builtinNames() {
		if !words[x.token] && x.run {
			t.Errorf("no schema with packets has %s", x.token)
		}
		if !text[x.token] {
			t.Errorf("the text does not explain %s", x.token)
		}
	}
	for _, code := range declaredCodes(t) {
		if !strings.Contains(mistakes, ": "+code+": ") {
			t.Errorf("no schema has the mistake %s", code)
		}
		if !strings.Contains(p.prose, "| "+code+" |") {
			t.Errorf("the table of errors lacks %s", code)
		}
	}
	for k := builtin.None; k < builtin.NumKinds; k++ {
		if !strings.Contains(p.prose, "\n| "+k.String()+" |") {
			t.Errorf("the table of values lacks the kind %s", k)
		}
	}
	packetKinds(t, p)
	limits(t, p)
}

var (
	schemaTokens      = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"|[A-Za-z_][A-Za-z0-9_]*|\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%&^<>!]`)
	keywordsOfGrammar = regexp.MustCompile(`"([a-z][a-z0-9]*)"`)
)

// explained returns the parts of a text that are in backquotes or in indented lines.
// It returns each of them, and the words in it.
func explained(prose string) map[string]bool {
	out := map[string]bool{}
	for _, m := range codeInProse.FindAllStringSubmatch(prose, -1) {
		code := strings.ReplaceAll(m[1]+m[2], `\|`, "|")
		out[code] = true
		for _, token := range schemaTokens.FindAllString(code, -1) {
			out[token] = true
		}
	}
	return out
}

var codeInProse = regexp.MustCompile("\x60([^\x60\n]+)\x60|(?m:^ {4}(.+)$)")

// fieldsOf notes the fields of a node that are set.
func fieldsOf(node any, used map[string]bool) {
	v := reflect.ValueOf(node).Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
			used[v.Type().Name()+"."+f.Name] = true
		}
	}
}

// productions returns the fields of the types of the syntax tree that the grammar sets.
func productions() []string {
	var out []string
	seen := map[reflect.Type]bool{}
	var visit func(typ reflect.Type)
	visit = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			if f := typ.Field(i); f.Tag.Get("parser") != "" {
				out = append(out, typ.Name()+"."+f.Name)
				visit(f.Type)
			}
		}
	}
	visit(reflect.TypeFor[dsl.Decl]())
	return out
}

// builtinName is a name of the tables of the language.
type builtinName struct {
	token string
	run   bool // a schema must have it as a token
}

func builtinNames() []builtinName {
	var out []builtinName
	for _, op := range builtin.Operations {
		if op.Name != "" {
			out = append(out, builtinName{op.Name, true})
		}
	}
	for _, t := range builtin.Types() {
		out = append(out, builtinName{t.Name, true})
	}
	for _, a := range builtin.Attributes {
		for _, word := range append(strings.Fields(a.Name), a.Words...) {
			out = append(out, builtinName{word, true})
		}
		out = append(out, builtinName{a.Name, false})
	}
	return out
}

// declaredCodes returns the codes of package dsl.
func declaredCodes(t *testing.T) []string {
	var out []string
	for _, c := range constants(t, "../../dsl", "diag.go") {
		if strings.HasPrefix(c.value, `"E`) {
			out = append(out, strings.Trim(c.value, `"`))
		}
	}
	if len(out) < 10 {
		t.Fatalf("%d codes", len(out))
	}
	return out
}

// packetKinds holds that every kind of error has a row in the manual and a packet.
func packetKinds(t *testing.T, p page) {
	for _, kind := range interp.ErrorKinds {
		word := kind.Word
		if !strings.Contains(p.prose, "\n| "+word+" |") {
			t.Errorf("the table of errors lacks %s", word)
		}
		if !slices.ContainsFunc(p.fences, func(f fence) bool {
			return strings.Contains(f.text, " refused "+word+" at ")
		}) {
			t.Errorf("no packet is refused as %s", word)
		}
	}
}

// limits holds that every limit of programs is in the table of limits.
func limits(t *testing.T, p page) {
	_, section, _ := strings.Cut(p.prose, "\n## Limits\n")
	section, _, _ = strings.Cut(section, "\n## ")
	section = strings.ReplaceAll(section, ",", "")
	list := constants(t, "../../dsl/builtin", "limit.go")
	for _, c := range list {
		if !regexp.MustCompile(`\b` + c.value + `\b`).MatchString(section) {
			t.Errorf("the table of limits lacks %s, which is %s", c.name, c.value)
		}
	}
	if len(list) < 10 {
		t.Errorf("%d limits", len(list))
	}
}

type constant struct{ name, value string }

// constants returns the exported constants of a file.
func constants(t *testing.T, dir, file string) []constant {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, dir+"/"+file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.Default(), Error: func(error) {}} // the other files of the package are missing
	_, _ = config.Check(f.Name.Name, fset, []*ast.File{f}, info)
	var out []constant
	for _, object := range info.Defs {
		if c, ok := object.(*types.Const); ok && c.Exported() {
			out = append(out, constant{c.Name(), c.Val().ExactString()})
		}
	}
	slices.SortFunc(out, func(a, b constant) int { return strings.Compare(a.name, b.name) })
	return out
}

// TestExplained holds that a word counts only in backquotes or in an indented line.
func TestExplained(t *testing.T) {
	for prose, want := range map[string]bool{
		"a `pad` b":             true,
		"a `pad N fill B` b":    true,
		"a `no` pad `no` b":     false,
		"a `padding` b":         false,
		"text:\n    x pad y\nz": true,
	} {
		if got := explained(prose)["pad"]; got != want {
			t.Errorf("%q: %v", prose, got)
		}
	}
}
