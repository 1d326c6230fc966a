package spec

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// FS holds the files of this folder unchanged. Schemas of Godot and Pandemonium are at its
// root, other formats in formats.
//
//go:embed *.oct *.page formats/*.oct
var FS embed.FS

// series are the documents and the history of Godot, and those of Pandemonium, the oldest first.
var series = [][]string{
	{"godot-3.2-doc", "godot-3-doc", "godot-4-doc", "godot-2", "godot-3.0", "godot-3", "godot-4.0", "godot-4.3", "godot-4.4"},
	{"pandemonium-doc", "pandemonium-3.5", "pandemonium-3.8", "pandemonium-5"},
}

// ids are the schemas in the order of lists: the series, then the others.
var ids = append(slices.Concat(series...), "framing", "framing-big", "ntp", "wave")

// Series returns the number of the series of versions that a schema belongs to, or -1. Series 0 is the likeliest.
func Series(id string) int {
	return slices.IndexFunc(series, func(s []string) bool { return slices.Contains(s, id) })
}

// aliases are other names of schemas: a series means its newest member.
var aliases = map[string]string{
	"godot":       "godot-4.4",
	"godot-4":     "godot-4.4",
	"pandemonium": "pandemonium-5",
}

// Aliases returns the other names of schemas, in order.
func Aliases() []string { return slices.Sorted(maps.Keys(aliases)) }

// IDs returns the ids of the schemas that package codec has compiled, a schema after those
// that it extends.
func IDs() []string { return append([]string(nil), ids...) }

// All returns the ids of all schemas: those of IDs, then the other formats by name.
func All() []string {
	all := IDs()
	files, err := fs.Glob(FS, "formats/*.oct")
	if err != nil {
		panic(err) // the pattern is malformed
	}
	for _, file := range files {
		if id := strings.TrimSuffix(path.Base(file), ".oct"); !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

// Alias returns the id that a name means: "godot" and "godot-4" are the
// newest schema of Godot 4. Any other name is returned unchanged.
func Alias(id string) string {
	if other, ok := aliases[id]; ok {
		return other
	}
	return id
}

// Source returns the file that holds a schema, by its name in [FS], and its text.
// The id may be an alias.
func Source(id string) (name string, text []byte, ok bool) {
	return file(Alias(id) + ".oct")
}

// Page returns the page beside a schema, by its name in [FS], and its text. A page has the
// statements of documents about the same bytes. The page "errata" has no schema; other pages
// extend it.
func Page(id string) (name string, text []byte, ok bool) {
	return file(Alias(id) + ".page")
}

// file returns a file in the folder of formats or in formats.
func file(name string) (string, []byte, bool) {
	if strings.ContainsAny(name, `/\`) {
		return "", nil, false
	}
	for _, name := range []string{name, path.Join("formats", name)} {
		if text, err := FS.ReadFile(name); err == nil {
			return name, text, true
		}
	}
	return "", nil, false
}
