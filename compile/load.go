// Finding schemas: embedded ones by id, others as files.

package compile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// Load parses and resolves a schema: one of the project's by its id, or a file by its
// path. See [IsPath].
func Load(nameOrPath string) (*schema.Schema, error) {
	if IsPath(nameOrPath) {
		return LoadFile(nameOrPath)
	}
	name := spec.Alias(nameOrPath)
	if _, _, ok := spec.Source(name); !ok {
		_, err := embedded(name)
		return nil, err
	}
	resolve, _ := resolved.LoadOrStore(name, sync.OnceValues(func() (*schema.Schema, error) {
		f, err := embedded(name)
		if err != nil {
			return nil, err // unreachable: the shipped schemas have no mistakes
		}
		return schema.Resolve(f, embedded)
	}))
	return resolve.(func() (*schema.Schema, error))()
}

// IsPath reports whether Load takes a name for the path of a file. A path ends in
// .oct or has a path separator.
func IsPath(name string) bool {
	return strings.HasSuffix(name, ".oct") || strings.ContainsAny(name, `/\`)
}

// LoadFile parses and resolves a schema file. A schema that it extends is looked for
// beside it, as ID.oct, and then among the embedded ones.
func LoadFile(path string) (*schema.Schema, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := dsl.Parse(path, text)
	if err != nil {
		return nil, err
	}
	return schema.Resolve(f, func(id string) (*dsl.File, error) {
		beside := filepath.Join(filepath.Dir(path), filepath.Base(id)+".oct")
		if text, err := os.ReadFile(beside); err == nil {
			return dsl.Parse(beside, text)
		}
		return embedded(id)
	})
}

// Text parses, resolves and compiles a schema from memory for a choice of its option. A
// schema that it extends must be one of the embedded ones.
func Text(name string, text []byte, choice string) (*bytecode.Program, error) {
	s, err := Resolve(name, text, nil)
	return compiled(s, err, choice)
}

// Resolve parses and resolves a schema from memory. A schema that it extends is looked for among the texts of beside, by
// its id, and then among the embedded ones.
func Resolve(name string, text []byte, beside map[string]string) (*schema.Schema, error) {
	f, err := dsl.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return schema.Resolve(f, func(id string) (*dsl.File, error) {
		if text, ok := beside[id]; ok {
			return dsl.Parse(id+".oct", []byte(text))
		}
		return embedded(id)
	})
}

// Program loads and compiles a schema for a choice of its option; see [Load] for the name.
func Program(nameOrPath, choice string) (*bytecode.Program, error) {
	s, err := Load(nameOrPath)
	return compiled(s, err, choice)
}

// compiled compiles a schema that has been resolved without an error.
func compiled(s *schema.Schema, err error, choice string) (*bytecode.Program, error) {
	if err == nil {
		s, err = s.With(choice)
	}
	if err != nil {
		return nil, err
	}
	return Schema(s)
}

// parsed holds each embedded schema that was loaded, by its name in [spec.FS]. An entry is a function that returns the
// file and the error.
var parsed sync.Map

// resolved holds the same of each embedded schema that was resolved, by its id. Nobody changes a resolved schema.
var resolved sync.Map

// embedded returns the file of an embedded schema. It is parsed once; nobody changes it.
func embedded(id string) (*dsl.File, error) {
	name, text, ok := spec.Source(id)
	if !ok {
		if near := builtin.Nearest(id, spec.All()); near != "" {
			return nil, fmt.Errorf("there is no schema %q; did you mean %q?", id, near)
		}
		return nil, fmt.Errorf("there is no schema %q; there are: %s", id, strings.Join(spec.All(), ", "))
	}
	parse, _ := parsed.LoadOrStore(name, sync.OnceValues(func() (*dsl.File, error) { return dsl.Parse(name, text) }))
	return parse.(func() (*dsl.File, error))()
}
