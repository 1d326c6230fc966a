// The documents that an editor has open, and the files around them.

package lsp

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// document is one that is open.
type document struct {
	uri     string
	name    string // of the file, as places in it have it
	version int
	text    *text
}

// workspace is what requests are answered from. Its documents change only with the
// lock held; a snapshot does not change.
type workspace struct {
	mu   sync.Mutex
	docs map[string]*document // by URI
	utf8 bool
	*parser
}

// snapshot is the state of the documents at one time.
type snapshot struct {
	docs map[string]*document // by name of the file
	utf8 bool
	*parser
}

func (w *workspace) snapshot() *snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &snapshot{docs: map[string]*document{}, utf8: w.utf8, parser: w.parser}
	for _, d := range w.docs {
		s.docs[d.name] = d
	}
	return s
}

// parser remembers what it has read, since most files do not change between
// requests.
type parser struct {
	mu    sync.Mutex
	files map[string]parsed // by name
}

type parsed struct {
	sum  [sha256.Size]byte
	file *dsl.File
	err  error

	index *index // of file; nil until it is asked for
}

func (p *parser) parse(name, source string) (*dsl.File, error) {
	sum := sha256.Sum256([]byte(source))
	p.mu.Lock()
	got, ok := p.files[name]
	p.mu.Unlock()
	if ok && got.sum == sum {
		return got.file, got.err
	}
	got = parsed{sum: sum}
	got.file, got.err = dsl.ParseFile(name, []byte(source))
	p.mu.Lock()
	defer p.mu.Unlock()
	const mostFiles = 1000
	if len(p.files) >= mostFiles {
		clear(p.files)
	}
	p.files[name] = got
	return got.file, got.err
}

// fileName returns the name of the file of a URI. It is the path, or the URI
// itself if that is not of a file.
func fileName(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.Clean(filepath.FromSlash(path))
}

// uriOf is the URI of a file.
func (s *snapshot) uriOf(name string) string {
	if d := s.docs[name]; d != nil {
		return d.uri
	}
	path := filepath.ToSlash(name)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// maxFile is more than a schema may have.
const maxFile = 4 << 20

// source returns the text of a file: as an editor has it, or from the disk.
func (s *snapshot) source(name string) (string, error) {
	if d := s.docs[name]; d != nil {
		return d.text.s, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return "", fmt.Errorf("%s is no file of a schema", name)
	}
	b, err := os.ReadFile(name)
	return string(b), err
}

// text returns the text of a file of which places are to be told.
func (s *snapshot) text(name string) *text {
	if d := s.docs[name]; d != nil {
		return d.text
	}
	source, err := s.source(name)
	if err != nil {
		if _, embedded, ok := s.embedded(name); ok {
			source = embedded
		}
	}
	return newText(source, s.utf8)
}

// embedded returns a schema of octable by the name that its file has.
func (s *snapshot) embedded(name string) (file, source string, ok bool) {
	if b, err := fs.ReadFile(spec.FS, name); err == nil {
		return name, string(b), true
	}
	return "", "", false
}

// loader finds the schemas that a schema in a file extends, as the compiler
// does. It looks beside the file, and then among those of octable.
func (s *snapshot) loader(name string) schema.Loader {
	return func(id string) (*dsl.File, error) {
		if filepath.IsAbs(name) {
			beside := filepath.Join(filepath.Dir(name), filepath.Base(id)+".oct")
			if source, err := s.source(beside); err == nil {
				return s.parse(beside, source)
			}
		} else if d := s.docs[id+".oct"]; d != nil { // texts without a folder are beside each other
			return s.parse(d.name, d.text.s)
		}
		file, source, ok := spec.Source(id)
		if !ok {
			if near := builtin.Nearest(id, spec.All()); near != "" {
				return nil, fmt.Errorf("there is no schema %q; did you mean %q?", id, near)
			}
			return nil, fmt.Errorf("there is no schema %q", id)
		}
		return s.parse(file, string(source))
	}
}

// isOurs reports whether a file is one that octable holds, which no editor can change.
func isOurs(name string) bool {
	_, err := fs.Stat(spec.FS, name)
	return err == nil
}

// onDisk returns a path by which an editor can open a file. For a file that
// octable holds, it is the path of a copy.
func onDisk(name string) (string, error) {
	if !isOurs(name) {
		return name, nil
	}
	b, err := fs.ReadFile(spec.FS, name)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "octable", fmt.Sprintf("%x", sha256.Sum256(b))[:16])
	path := filepath.Join(dir, filepath.Base(name))
	if old, err := os.ReadFile(path); err == nil && string(old) == string(b) {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, b, 0o444)
}

// siblings are the schema files beside one, itself among them, and those that are open.
func (s *snapshot) siblings(name string) []string {
	const mostFiles = 500
	seen := map[string]bool{name: true}
	out := []string{name}
	add := func(n string) {
		if !seen[n] && len(out) < mostFiles {
			seen[n] = true
			out = append(out, n)
		}
	}
	if filepath.IsAbs(name) {
		entries, _ := os.ReadDir(filepath.Dir(name))
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".oct") && e.Type().IsRegular() {
				add(filepath.Join(filepath.Dir(name), e.Name()))
			}
		}
	}
	for n := range s.docs {
		add(n)
	}
	return out
}

// files returns the schema files in folders and below them, and those that are open, in
// order. Folders whose names begin with a dot, and node_modules, are left out.
func (s *snapshot) files(folders []string) []string {
	const mostFiles, mostEntries = 500, 50000
	seen := map[string]bool{}
	for n := range s.docs {
		seen[n] = true
	}
	entries := 0
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error { // unreadable folders are skipped
			entries++
			switch {
			case len(seen) >= mostFiles || entries > mostEntries:
				return fs.SkipAll
			case err != nil:
				return nil
			case e.IsDir() && path != folder && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"):
				return fs.SkipDir
			case e.Type().IsRegular() && strings.HasSuffix(path, ".oct"):
				seen[path] = true
			}
			return nil
		})
	}
	return slices.Sorted(maps.Keys(seen))
}

// lineage are the files of a schema and of those that it extends, the oldest first.
func (s *snapshot) lineage(name string) ([]*dsl.File, error) {
	source, err := s.source(name)
	if err != nil {
		return nil, err
	}
	f, _ := s.parse(name, source) // as far as it can be read
	files := []*dsl.File{f}
	load := s.loader(name)
	seen := map[string]bool{f.Name: true}
	for {
		decl := schemaOf(files[0])
		if decl == nil || decl.Extends == nil {
			return files, nil
		}
		base, err := load(decl.Extends.Text)
		var diags dsl.Diagnostics
		if base == nil || err != nil && !errors.As(err, &diags) || seen[base.Name] || len(files) > 64 {
			return files, nil
		}
		seen[base.Name] = true
		files = append([]*dsl.File{base}, files...)
	}
}

// imported returns the files of what some files import, with those that they extend and
// import, each once.
func (s *snapshot) imported(name string, files []*dsl.File) []*dsl.File {
	const most = 64
	var out []*dsl.File
	load, list := s.loader(name), slices.Clone(files)
	for i := 0; i < len(list) && len(list) < most; i++ {
		var ids []string
		for _, d := range list[i].Decls {
			switch {
			case d.Import != nil:
				ids = append(ids, d.Import.Schema.Text)
			case d.Schema != nil && d.Schema.Extends != nil && i >= len(files):
				ids = append(ids, d.Schema.Extends.Text)
			}
		}
		for _, id := range ids {
			f, err := load(id)
			var diags dsl.Diagnostics
			if f != nil && (err == nil || errors.As(err, &diags)) && !slices.ContainsFunc(list, func(o *dsl.File) bool { return o.Name == f.Name }) {
				list, out = append(list, f), append(out, f)
			}
		}
	}
	return out
}

// schemaOf returns the declaration of the schema of a file, or nil.
func schemaOf(f *dsl.File) *dsl.Schema {
	for _, d := range f.Decls {
		if d.Schema != nil {
			return d.Schema
		}
	}
	return nil
}
