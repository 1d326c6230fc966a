package languages

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/conformance/exported"
	"github.com/octable/octable/conformance/generated"
	"github.com/octable/octable/dsl/schema"
)

// Names are the languages that code is generated in and the formats of exports.
var Names = func() []string {
	var names []string
	for _, l := range generated.Languages {
		names = append(names, l.Name)
	}
	for _, t := range exported.Tools {
		names = append(names, t.Name)
	}
	return names
}()

// Options are those of a batch.
type Options struct {
	Values int    // drawn for each set of options of generated code; exports read ten packets for each
	Seed   uint64 // of the values of the first schema; those of the others follow
}

// Compare compares the code or the exports of schemas with the interpreter. The folder
// must be empty. There is an error for each schema, nil if it agrees, and one about the
// batch as a whole, which is a [generated.Missing] if this machine lacks a tool.
func Compare(language, dir string, schemas []*schema.Schema, o Options) ([]error, error) {
	if t := exported.Named(language); t != nil {
		return compareExports(t, dir, schemas, o)
	}
	i := slices.IndexFunc(generated.Languages, func(l generated.Language) bool { return l.Name == language })
	if i < 0 {
		return nil, fmt.Errorf("there is no language %q; there are %v", language, Names)
	}
	b := &batch{Options: o, language: generated.Languages[i], dir: dir, results: make([]error, len(schemas))}
	return b.results, b.run(schemas)
}

// compareExports compares exports. Ids of schemas are made unique: a program has one
// protocol of a name.
func compareExports(t *exported.Tool, dir string, schemas []*schema.Schema, o Options) ([]error, error) {
	var subjects []*exported.Subject
	for i, s := range schemas {
		subject := &exported.Subject{Name: specName(i)}
		if p, err := compile.Schema(s); err != nil {
			subject.Err = err
		} else if m, err := model.New(s, p); err != nil {
			subject.Err = err
		} else {
			m.Schema = fmt.Sprintf("%s-%d", m.Schema, i)
			subject.Model, subject.Program = m, p
		}
		subjects = append(subjects, subject)
	}
	err := t.Check(dir, subjects, 10*o.Values, o.Seed)
	var results []error
	for _, s := range subjects {
		results = append(results, s.Err)
	}
	return results, err
}

// batch is the generated code of schemas.
type batch struct {
	Options
	language generated.Language
	dir      string
	results  []error
	code     generated.Code
}

func specName(i int) string { return fmt.Sprintf("drawn%04d", i) }

// left returns the names of the schemas that have not failed.
func (b *batch) left() []string {
	var specs []string
	for i, err := range b.results {
		if err == nil {
			specs = append(specs, specName(i))
		}
	}
	return specs
}

func (b *batch) run(schemas []*schema.Schema) error {
	defer func() {
		for i := range schemas {
			generated.Drop(specName(i))
		}
	}()
	for i, s := range schemas {
		if b.results[i] = generated.Add(specName(i), s); b.results[i] == nil {
			b.results[i] = b.generate(specName(i))
		}
	}
	if err := b.open(); err != nil || b.code == nil {
		return err
	}
	b.laws()
	if err := b.code.Close(); err != nil {
		return err
	}
	if b.language.Name == "python" {
		return b.rejected(generated.CheckPython(filepath.Join(b.dir, "types"), b.left()))
	}
	return nil
}

// generate generates code once, to find the schemas that the back end does not take.
func (b *batch) generate(spec string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the back end panics: %v\n%.1500s", r, debug.Stack())
		}
	}()
	m, err := generated.ModelOf(spec)
	if err != nil {
		return err
	}
	l, err := gen.Named(b.language.Name)
	if err != nil {
		return err
	}
	_, err = l.Generate(m, model.Options{})
	return err
}

// open builds the code of the schemas that have not failed. It builds again without
// those that the compiler rejects.
func (b *batch) open() error {
	for attempt := 0; ; attempt++ {
		specs := b.left()
		if len(specs) == 0 {
			return nil
		}
		dir := filepath.Join(b.dir, strconv.Itoa(attempt))
		if err := os.Mkdir(dir, 0o777); err != nil {
			return err
		}
		code, err := b.language.Open(dir, specs)
		if err == nil {
			b.code = code
			return nil
		}
		if err := b.rejected(err); err != nil {
			return err
		}
	}
}

// rejected sets the results of the schemas that a build error is about. It returns the
// error if it is about no schema.
func (b *batch) rejected(err error) error {
	var build *generated.BuildError
	if err == nil || !errors.As(err, &build) {
		return err
	}
	found := false
	for i := range b.results {
		if said := build.About(specName(i)); said != "" && b.results[i] == nil {
			b.results[i], found = fmt.Errorf("%s rejects the code: %.1500s", build.Tool, said), true
		}
	}
	if !found {
		return err
	}
	return nil
}

// laws compares the code with the interpreter: of two schemas at once if each has a
// process.
func (b *batch) laws() {
	workers := 1
	if b.language.Name == "go" {
		workers = 2
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(b.results); i += workers {
				if b.results[i] == nil {
					b.results[i] = b.code.Laws(specName(i), b.Values, b.Seed+uint64(i))
				}
			}
		})
	}
	wg.Wait()
}
