// Package project writes packages with generated code that can be published. A package has the code, a
// description for the registry of the language, a README, a licence, and tests with vectors.
package project

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/golang"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/conformance/generated"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/dsl/schema"
)

//go:embed files
var files embed.FS

// Input is the input of a package.
type Input struct {
	Language gen.Language
	Name     string // in the registry: of an npm or Python package, or the path of a Go module. If it is "", it is made from the schema's id
	Model    *model.Model
	Codec    *codec.Codec
	Suite    *vectors.Suite
	Schema   *schema.Schema // for its examples, or nil
	Options  model.Options
}

// File is a file of a package.
type File struct {
	Name  string // with slashes
	Text  []byte
	Yours bool // it belongs to the user, and is written if it is not there
}

// layout says where the files of a language are.
type layout struct {
	code    string // folder of the generated code; PACKAGE is the name of the package
	vectors string
	shown   string // the file that shows values, "" without one
	name    *regexp.Regexp
	about   string // what a name is
}

var layouts = map[string]layout{
	"ts":     {"src", "test/vectors.json", "test/shown.mjs", regexp.MustCompile(`^(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*$`), "an npm package"},
	"python": {"src/PACKAGE", "tests/vectors.json", "tests/shown.py", regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`), "a Python package"},
	"go":     {".", "testdata/vectors.json", "", regexp.MustCompile(`^[A-Za-z0-9._~/-]*[A-Za-z][A-Za-z0-9_]*$`), "a Go module, which ends with the name of the package"},
}

// data is what templates get.
type data struct {
	Name    string // in the registry
	Package string // that programs import
	Title   string
	Schema  string
	Program string
	Mark    string   // the text that generated files begin with
	Gates   []string // options of the code
	Arg     string   // of a call that encodes x
	Example *example
	Refused *kase // nil if there are no bytes that are refused
}

// generatedFiles matches the files of folder files that are written anew each time.
var generatedFiles = regexp.MustCompile(`^(test|tests)/|_test\.go$`)

// Files returns the files of a package, or an error if the language has no packages or refuses the name.
func Files(in Input) ([]File, error) {
	l, ok := layouts[in.Language.Name]
	if !ok {
		return nil, fmt.Errorf("there are no packages for %s", in.Language.Name)
	}
	d := data{
		Name: in.Name, Title: in.Model.Title, Schema: in.Model.Schema, Program: in.Model.Hash,
		Mark: fmt.Sprintf("%s%s from schema %s. DO NOT EDIT.", gen.Mark, in.Language.Name, in.Model.Schema),
	}
	if d.Title == "" {
		d.Title = "The format " + in.Model.Schema
	}
	if d.Name == "" {
		d.Name = nameOf(in.Language.Name, in.Model)
	}
	if !l.name.MatchString(d.Name) {
		return nil, fmt.Errorf("%q is no name for %s", d.Name, l.about)
	}
	d.Package = packageOf(in.Language.Name, d.Name)
	if taken[in.Language.Name][d.Package] {
		return nil, fmt.Errorf("%s means something else in the language; give the package another name with -package", d.Package)
	}
	d.Gates, d.Arg, d.Refused = in.gates(), "x", in.refused()
	if golang.TypesOf(in.Model) != nil && in.Model.Root.Union == nil {
		d.Arg = "&x"
	}
	o := in.Options
	o.Package = d.Package
	code, err := in.Language.Generate(in.Model, o)
	if err != nil {
		return nil, err
	}
	var out []File
	for _, f := range code {
		out = append(out, File{Name: path.Join(strings.ReplaceAll(l.code, "PACKAGE", d.Package), f.Name), Text: f.Text})
	}
	cases, err := in.cases(d.Mark)
	if err != nil {
		return nil, err
	}
	out = append(out, File{Name: l.vectors, Text: cases})
	if d.Example, err = in.example(); err != nil {
		return nil, err
	}
	if l.shown != "" {
		comment := "// "
		if strings.HasSuffix(l.shown, ".py") {
			comment = "# "
		}
		out = append(out, File{Name: l.shown, Text: append([]byte(comment+d.Mark+"\n\n"), in.language().Shown...)})
	}
	rest, err := templates(in.Language.Name, d)
	return append(out, rest...), err
}

// language returns the language as the tests of generated code have it.
func (in *Input) language() generated.Language { return languageOf(in.Language.Name) }

func languageOf(name string) generated.Language {
	i := slices.IndexFunc(generated.Languages, func(l generated.Language) bool { return l.Name == name })
	return generated.Languages[i] // TestLanguages compares the names
}

// gates returns the options of the code that open gates.
func (in *Input) gates() []string {
	if show := in.shower(in.language()); show != nil {
		return show.Gates(in.Model)
	}
	return golang.Gates(in.Model)
}

// templates returns the files of a language in folder files.
func templates(language string, d data) ([]File, error) {
	var out []File
	for _, folder := range []string{language, "all"} {
		root := path.Join("files", folder)
		err := fs.WalkDir(files, root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := files.ReadFile(name)
			if err != nil {
				return err
			}
			t, err := template.New(name).Delims("<<", ">>").Parse(string(text))
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := t.Execute(&b, d); err != nil {
				return err
			}
			to := strings.TrimSuffix(strings.TrimPrefix(name, root+"/"), ".tmpl")
			out = append(out, File{Name: strings.ReplaceAll(to, "PACKAGE", d.Package), Text: b.Bytes(), Yours: !generatedFiles.MatchString(to)})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// nameOf returns the name of a package that is made from the id of its schema.
func nameOf(language string, m *model.Model) string {
	id := m.Schema
	if m.Choice != "" && m.Choice != "single" {
		id += "-" + m.Choice
	}
	if language == "go" {
		name := golang.PackageName(id)
		if taken[language][name] {
			name += "format"
		}
		return "example.com/" + name
	}
	name := strings.ToLower(regexp.MustCompile(`[^A-Za-z0-9.-]+`).ReplaceAllString(id, "-"))
	if taken[language][packageOf(language, name)] {
		name += "-format"
	}
	return name
}

// packageOf returns the name that programs import a package by.
func packageOf(language, name string) string {
	switch language {
	case "python":
		return model.Snake(name)
	case "go":
		return path.Base(name)
	}
	return name
}
