// Declarations, uses, and new names.

package lsp

import (
	"fmt"
	"path/filepath"
	"regexp"
	"sort"
)

// definition is where the name at an offset of a file is declared: the declaration
// that holds in that file, or, from there, the one that it replaces.
func (s *snapshot) definition(name string, offset int) (site, bool) {
	files, err := s.lineage(name)
	if err != nil {
		return site{}, false
	}
	x := newIndex(files)
	o := x.at(offset)
	if o == nil {
		return s.extended(name, offset)
	}
	sites := o.sites
	if o.kind == kindField {
		return sites[0], true // the others are forms of the same row
	}
	at := sites[len(sites)-1]
	if at == o.site && len(sites) > 1 {
		at = sites[len(sites)-2]
	}
	return at, true
}

// extended is where the schema is declared whose id stands at an offset.
func (s *snapshot) extended(name string, offset int) (site, bool) {
	source, err := s.source(name)
	if err != nil {
		return site{}, false
	}
	f, _ := s.parse(name, source)
	decl := schemaOf(f)
	if decl == nil || decl.Extends == nil {
		return site{}, false
	}
	if at := decl.Extends.Pos.Offset; offset < at || offset > at+len(decl.Extends.Text)+2 {
		return site{}, false
	}
	base, _ := s.loader(name)(decl.Extends.Text)
	if base == nil {
		return site{}, false
	}
	if d := schemaOf(base); d != nil {
		return site{base.Name, d.Name.Pos.Offset, len(d.Name.Text) + 2}, true
	}
	return site{}, false
}

// references are all places where the symbol at an offset is named, in the file, in
// those that it extends, and in those beside it that extend one of them.
func (s *snapshot) references(name string, offset int) (*occurrence, []occurrence) {
	files, err := s.lineage(name)
	if err != nil {
		return nil, nil
	}
	o := newIndex(files).at(offset)
	if o == nil {
		return nil, nil
	}
	var out []occurrence
	seen := map[site]bool{}
	add := func(x *index) {
		for _, other := range x.occ {
			if other.key == o.key && !seen[other.site] {
				seen[other.site] = true
				out = append(out, other)
			}
		}
	}
	add(readLineage(files, true))
	origin := o.sites[0].file
	for _, sibling := range s.siblings(name) {
		line, err := s.lineage(sibling)
		if err != nil {
			continue
		}
		for _, f := range line {
			if f.Name == origin {
				add(readLineage(line, true))
				break
			}
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].file != out[j].file {
			return out[i].file < out[j].file
		}
		return out[i].at < out[j].at
	})
	return o, out
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// rename returns where a new name is to be written. The error says why there is no
// way to do it: because files would be wrong then that are right now, or because the
// name is that of a schema of octable.
func (s *snapshot) rename(name string, offset int, to string) ([]occurrence, error) {
	if !identifier.MatchString(to) {
		return nil, fmt.Errorf("%q is no name: a name is made of letters, digits and _, and begins with none of the digits", to)
	}
	o, places := s.references(name, offset)
	if o == nil {
		return nil, fmt.Errorf("there is nothing here that has a name of its own")
	}
	edits := map[string][]occurrence{}
	for _, p := range places {
		if isOurs(p.file) {
			return nil, fmt.Errorf("%s is a name of the schema %s, which is part of octable; a schema that extends it can give an arm another name with rename", o.name, p.file)
		}
		edits[p.file] = append(edits[p.file], p)
	}
	after := &snapshot{docs: map[string]*document{}, utf8: s.utf8, parser: &parser{files: map[string]parsed{}}}
	for n, d := range s.docs {
		after.docs[n] = d
	}
	for file, list := range edits {
		source, err := s.source(file)
		if err != nil {
			return nil, err
		}
		t := newText(source, s.utf8)
		for i := len(list) - 1; i >= 0; i-- {
			at := list[i].at + t.mark()
			source = source[:at] + to + source[at+list[i].len:]
		}
		after.docs[file] = &document{uri: s.uriOf(file), name: file, text: newText(source, s.utf8)}
	}
	for file := range edits {
		if len(s.diagnose(file)) > 0 {
			continue // it is wrong already: nothing can be told from it
		}
		if diags := after.diagnose(file); len(diags) > 0 {
			d := diags[0]
			return nil, fmt.Errorf("with the name %s for %s, %s would be wrong in line %d: %s", to, o.name, filepath.Base(d.Pos.Filename), d.Pos.Line, d.Message)
		}
	}
	return places, nil
}
