// Finding the page of a schema.

package page

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// Loader finds the page of a schema by the id of the schema. It returns nil without an
// error if there is no such page.
type Loader func(id string) (*dsl.File, error)

// Load returns the page of a schema. A schema without a page has that of the schema that it
// extends, or an empty one. The error is a [dsl.Diagnostics] if pages have mistakes.
func Load(s *schema.Schema, load Loader) (*Page, error) {
	b := &binder{load: load, files: map[string]*dsl.File{}, pages: map[string]*Page{}}
	p := &Page{}
	for _, one := range s.Lineage() {
		p = p.next(one)
		f, err := load(one.ID)
		if err != nil {
			return nil, err
		}
		if f != nil {
			p = b.page(f, p, nil)
		}
		if b.err != nil {
			return nil, b.err
		}
		b.pages[one.ID] = p
	}
	if err := b.diags.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// Library returns the page in a file that is beside no schema, such as one of errata.
func Library(f *dsl.File, load Loader) (*Page, error) {
	b := &binder{load: load, files: map[string]*dsl.File{}, pages: map[string]*Page{}}
	p := b.page(f, &Page{}, nil)
	if b.err != nil {
		return nil, b.err
	}
	if err := b.diags.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// parsed holds the file and the error of each embedded page that was loaded, by its id. A
// value is a function that returns them.
var parsed sync.Map

// Embedded finds the pages of the schemas that octable has.
func Embedded(id string) (*dsl.File, error) {
	name, text, ok := spec.Page(id)
	if !ok {
		return nil, nil
	}
	parse, _ := parsed.LoadOrStore(name, sync.OnceValues(func() (*dsl.File, error) { return dsl.ParsePage(name, text) }))
	return parse.(func() (*dsl.File, error))()
}

// Beside finds pages beside the file of a schema. The schema's own page has the name of the
// file with the ending .page, others are ID.page in the same folder. Pages that are not there
// are looked for among those that octable has.
func Beside(s *schema.Schema) Loader {
	return func(id string) (*dsl.File, error) {
		path := filepath.Join(filepath.Dir(s.File), filepath.Base(id)+".page")
		if id == s.ID {
			path = Path(s.File)
		}
		text, err := os.ReadFile(path)
		switch {
		case err == nil:
			return dsl.ParsePage(path, text)
		case !os.IsNotExist(err):
			return nil, err
		}
		return Embedded(id)
	}
}

// Path returns the path of the page beside a schema file.
func Path(file string) string { return strings.TrimSuffix(file, ".oct") + ".page" }
