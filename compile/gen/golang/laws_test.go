package golang_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen/gentest"
	"github.com/octable/octable/compile/gen/golang"
	"github.com/octable/octable/compile/gen/model"
)

// modelOf returns the model of an embedded schema.
func modelOf(t testing.TB, id string) *model.Model {
	p := codec.MustLoad(id).Program()
	s, err := compile.Load(p.Schema)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(p, s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var notLetters = regexp.MustCompile(`[^a-z0-9]`)

// binding joins a generated package to testdata/laws.
const binding = `package main

import (
	"unsafe"

	"github.com/octable/octable/interp"
	variant "github.com/octable/octable/compile/gen/golang/laws/%[1]s"
)

func init() {
	all = append(all, implementation{
		name: %[2]q,
		decode: func(b []byte, o options) (interp.Value, int, error) {
			v, n, err := %[1]sOptions(o).Decode(b)
			return *(*interp.Value)(unsafe.Pointer(&v)), n, err
		},
		append: func(dst []byte, v interp.Value, o options) ([]byte, error) {
			return %[1]sOptions(o).Append(dst, *(*variant.Value)(unsafe.Pointer(&v)))
		},
		trouble: func(err error) *trouble {
			e, ok := err.(*variant.Error)
			if !ok {
				return nil
			}
			return &trouble{e.Kind.Error(), e.Path, e.Rule, e.Source, e.Expected, e.Found, e.Offset}
		},
		typed: func(v interp.Value) (interp.Value, bool) {
			w, ok := %[1]sTyped(*(*variant.Value)(unsafe.Pointer(&v)))
			return *(*interp.Value)(unsafe.Pointer(&w)), ok
		},
	})
}

func %[1]sOptions(o options) variant.Options {
	return variant.Options{Strict: o.strict, MaxDepth: o.depth, MaxMemory: o.memory%[3]s}
}

func %[1]sTyped(v variant.Value) (variant.Value, bool) {
	switch v.Type() {
%[4]s	}
	return v, false
}
`

var (
	newFunc  = regexp.MustCompile(`(?m)^func New(\w+)\(x (\.\.\.)?`)
	asMethod = regexp.MustCompile(`(?m)^func \(v Value\) As(\w+)\(\) \(x (\w*)`)
)

// typed returns the cases that take values apart and put them together again, of
// what the text of a package declares.
func typed(types string) string {
	dots := map[string]string{}
	for _, m := range newFunc.FindAllStringSubmatch(types, -1) {
		dots[m[1]] = m[2]
	}
	var out strings.Builder
	for _, m := range asMethod.FindAllStringSubmatch(types, -1) {
		name, typ := m[1], m[2]
		put := "x.Value()"
		switch d, ok := dots[name]; {
		case strings.Contains(types, "\nfunc (x "+typ+") AsValue()"):
			put = "x.AsValue()"
		case strings.Contains(types, "\nfunc (x "+typ+") Value()"):
		case ok:
			put = fmt.Sprintf("variant.New%s(x%s)", name, d)
		}
		fmt.Fprintf(&out, "\tcase variant.Type%s:\n\t\tif x, ok := v.As%s(); ok {\n\t\t\treturn %s, true\n\t\t}\n", name, name, put)
	}
	return out.String()
}

// build generates packages and builds testdata/laws with them, in an overlay of
// this module, and returns the command.
func build(t *testing.T, ids []string) string {
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay := map[string]string{}
	put := func(name string, text []byte) {
		at := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(at, text, 0o666); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(root, "laws", filepath.FromSlash(name))] = at
	}
	text, err := os.ReadFile("testdata/laws/main.go")
	if err != nil {
		t.Fatal(err)
	}
	put("main.go", text)
	for _, id := range ids {
		m := modelOf(t, id)
		files, err := golang.Generate(m, model.Options{Package: "variant"})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		name := notLetters.ReplaceAllString(id, "_")
		types, options := "", ""
		for _, f := range files {
			put(name+"/"+f.Name, f.Text)
			if f.Name == "types.go" {
				types = string(f.Text)
			}
			if strings.Contains(string(f.Text), "\tKeepWidths bool") {
				options += ", KeepWidths: o.keep"
			}
		}
		for _, gate := range m.Gates {
			options += ", " + model.Pascal(gate) + ": o.gates"
		}
		put(name+".go", fmt.Appendf(nil, binding, name, id, options, typed(types)))
	}
	types, err := os.ReadFile("testdata/structs/types.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"plain", "made"} { // the same structs, for codec and generated
		put(name+"/types.go", bytes.ReplaceAll(types, []byte("PACKAGE"), []byte(name)))
	}
	for file, as := range map[string]string{"alias.go.txt": "plain/alias.go", "structs.go.txt": "structs.go"} {
		text, err := os.ReadFile("testdata/structs/" + file)
		if err != nil {
			t.Fatal(err)
		}
		put(as, bytes.ReplaceAll(text, []byte("PACKAGE"), []byte("plain")))
	}
	files, err := golang.Generate(modelOf(t, "godot-4.4"), model.Options{
		Tag: "godot", Structs: &model.File{Name: "types.go", Text: bytes.ReplaceAll(types, []byte("PACKAGE"), []byte("made"))},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		put("made/"+f.Name, f.Text)
	}
	b, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, b, 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "laws.exe")
	if b, err := exec.Command("go", "build", "-overlay", list, "-o", out, "./laws").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, b)
	}
	if os.Getenv("OCTABLE_KEEP") != "" {
		_ = os.Rename(out, os.Getenv("OCTABLE_KEEP"))
		out = os.Getenv("OCTABLE_KEEP")
	}
	return out
}

func TestLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program with every generated package in it")
	}
	b, err := exec.Command(build(t, codec.Schemas()), "-values", strconv.Itoa(gentest.Values(30))).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, b)
	}
}
