// Generated Go: all packages in one program, which holds them against the interpreter
// in its own process and talks the conformance protocol.

package generated

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile/gen/golang"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/runner"
)

// program is the package of the program, in which the others are put.
const program = "github.com/octable/octable/conformance/generated/internal/program"

// structs are the sources with which generated functions of structs are held against
// package codec.
//
//go:embed internal/program/testdata
var structs embed.FS

// binding joins a generated package to the program.
const binding = `package main

import (
	"unsafe"

	variant "` + program + `/%[1]s"
	"github.com/octable/octable/interp"
)

func init() {
	all = append(all, implementation{
		name:  %[2]q,
		codec: load(%[5]q),
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
			return &trouble{e.Kind.Error(), e.Path, e.Rule, e.Expected, e.Found, e.Offset}
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

// typedBinding joins a generated package whose values have Go types of the schema to the program.
const typedBinding = `package main

import (
	"fmt"
	"reflect"

	"github.com/octable/octable/compile/bytecode"
	variant "` + program + `/%[1]s"
	"github.com/octable/octable/interp"
)

func init() {
	shapes := %[4]s
	all = append(all, implementation{
		name:  %[2]q,
		codec: load(%[5]q),
		decode: func(b []byte, o options) (interp.Value, int, error) {
			x, n, err := %[1]sOptions(o).Decode(b)
			if err != nil {
				return interp.Value{}, n, err
			}
			_ = fmt.Sprint(x)
			return shapes.value(reflect.ValueOf(&x).Elem(), 0), n, nil
		},
		append: func(dst []byte, v interp.Value, o options) ([]byte, error) {
			var x variant.%[6]s
			if !shapes.set(reflect.ValueOf(&x).Elem(), 0, v) {
				return nil, errUnlike
			}
			return %[1]sOptions(o).Append(dst, %[7]sx)
		},
		trouble: func(err error) *trouble {
			e, ok := err.(*variant.Error)
			if !ok {
				return nil
			}
			return &trouble{e.Kind.Error(), e.Path, e.Rule, e.Expected, e.Found, e.Offset}
		},
		like: func(v interp.Value) (interp.Value, bool) {
			var x variant.%[6]s
			if !shapes.set(reflect.ValueOf(&x).Elem(), 0, v) {
				return v, false
			}
			return shapes.value(reflect.ValueOf(&x).Elem(), 0), true
		},
	})
}

func %[1]sOptions(o options) variant.Options {
	return variant.Options{Strict: o.strict, MaxDepth: o.depth, MaxMemory: o.memory%[3]s}
}
`

var (
	notLetters = regexp.MustCompile(`[^a-z0-9]`)
	newFunc    = regexp.MustCompile(`(?m)^func New(\w+)\(x (\.\.\.)?`)
	asMethod   = regexp.MustCompile(`(?m)^func \(v Value\) As(\w+)\(\) \(x (\w*)`)
)

// typed returns the cases that take values apart and put them together again.
// The values are of the types that the text of a package declares.
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

// overlay is files that the go command sees beside those of the program.
type overlay struct {
	dir, root string
	replace   map[string]string
}

func (o *overlay) put(name string, text []byte) error {
	at := filepath.Join(o.dir, strings.ReplaceAll(name, "/", "-"))
	o.replace[filepath.Join(o.root, filepath.FromSlash(name))] = at
	return os.WriteFile(at, text, 0o666)
}

// add generates the package of a schema.
func (o *overlay) add(spec string) error {
	m, err := ModelOf(spec)
	if err != nil {
		return err
	}
	files, err := golang.Generate(m, model.Options{Package: "variant"})
	if err != nil {
		return fmt.Errorf("%s: %w", spec, err)
	}
	name := notLetters.ReplaceAllString(spec, "_")
	types, options := "", ""
	for _, f := range files {
		if err := o.put(name+"/"+f.Name, f.Text); err != nil {
			return err
		}
		if f.Name == "types.go" {
			types = string(f.Text)
		}
		if strings.Contains(string(f.Text), "\tKeepWidths bool") {
			options += ", KeepWidths: o.keep"
		}
	}
	for _, gate := range golang.Gates(m) {
		options += ", " + gate + ": o.gates"
	}
	if t := golang.TypesOf(m); t != nil {
		pointer := "&"
		if m.Root.Union != nil {
			pointer = ""
		}
		return o.put(name+".go", fmt.Appendf(nil, typedBinding, name, spec, options, describe(m, t), m.Program.Save(), t.Root, pointer))
	}
	if types == "" {
		return fmt.Errorf("%s: there is no file types.go, by whose declarations values are taken apart", spec)
	}
	return o.put(name+".go", fmt.Appendf(nil, binding, name, spec, options, typed(types), m.Program.Save()))
}

// structsOf is the schema with functions of structs.
const structsOf = "godot-4.4"

// addStructs generates functions of structs, and adds what holds them against codec.
func (o *overlay) addStructs() error {
	source := func(name, pkg string) ([]byte, error) {
		text, err := structs.ReadFile("internal/program/testdata/" + name + ".txt")
		return bytes.ReplaceAll(text, []byte("PACKAGE"), []byte(pkg)), err
	}
	for _, s := range []struct{ name, pkg, at string }{
		{"types.go", "plain", "plain/types.go"}, {"types.go", "made", "made/types.go"}, // the same structs, for codec and generated
		{"alias.go", "plain", "plain/alias.go"}, {"structs.go", "main", "structs.go"},
	} {
		text, err := source(s.name, s.pkg)
		if err == nil {
			err = o.put(s.at, text)
		}
		if err != nil {
			return err
		}
	}
	m, err := ModelOf(structsOf)
	if err != nil {
		return err
	}
	types, err := source("types.go", "made")
	if err != nil {
		return err
	}
	files, err := golang.Generate(m, model.Options{Tag: "octable", Structs: &model.File{Name: "types.go", Text: types}})
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := o.put("made/"+f.Name, f.Text); err != nil {
			return err
		}
	}
	return nil
}

// goProgram is the program that has the generated packages.
type goProgram struct{ path string }

// openGo builds the program with packages of schemas, in an overlay of this module.
func openGo(dir string, specs []string) (Code, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, Missing("the go command is not installed; .ci/run needs it")
	}
	root, err := exec.Command("go", "list", "-f", "{{.Dir}}", program).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s, which has to be run inside of this module: %w", program, err)
	}
	o := &overlay{dir: dir, root: strings.TrimSpace(string(root)), replace: map[string]string{}}
	for _, spec := range specs {
		if err := o.add(spec); err != nil {
			return nil, err
		}
	}
	if slices.Contains(specs, structsOf) {
		if err := o.addStructs(); err != nil {
			return nil, err
		}
	}
	b, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return nil, err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, b, 0o666); err != nil {
		return nil, err
	}
	p := &goProgram{filepath.Join(dir, "program.exe")}
	if b, err := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", list, "-o", p.path, program).CombinedOutput(); err != nil {
		return nil, &BuildError{Tool: "go build", Err: err, Output: string(b)}
	}
	return p, nil
}

// Target implements [Code].
func (p *goProgram) Target() runner.Target {
	return runner.Command(process.Config{Command: []string{p.path, "-serve"}})
}

// Laws implements [Code].
func (p *goProgram) Laws(spec string, values int, seed uint64) error {
	b, err := exec.Command(p.path, "-only", spec, "-values", strconv.Itoa(values), "-seed", strconv.FormatUint(seed, 10)).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, b)
	}
	return nil
}

// Loses implements [Code].
func (p *goProgram) Loses(string, codec.Value) bool { return false }

// Close implements [Code].
func (p *goProgram) Close() error { return nil }
