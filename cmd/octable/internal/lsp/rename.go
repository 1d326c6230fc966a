// Declarations, uses, and new names.

package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"sort"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// definition returns the place where the name at an offset of a file is declared. It is the
// declaration that is valid in that file. If the offset is at that declaration, it is the one
// that the declaration replaces.
func (s *snapshot) definition(name string, offset int) (site, bool) {
	if e, _ := s.erratumAt(name, offset); e != nil {
		return siteOf(e.Name.Pos, e.Name.Text), true
	}
	if d, _, _ := s.pathAt(name, offset); d != nil {
		return siteOf(d.At[len(d.At)-1], d.Name), true
	}
	files, err := s.lineage(name)
	if err != nil {
		return site{}, false
	}
	o := s.index(name, files).at(offset)
	if o == nil {
		return s.extended(name, offset)
	}
	sites := o.To.At
	at := sites[len(sites)-1]
	switch {
	case o.To.Sort == schema.FieldName:
		at = sites[0] // the others are forms of the same row
	case at == o.Pos && len(sites) > 1:
		at = sites[len(sites)-2]
	}
	return siteOf(at, o.To.Name), true
}

// extended returns the place that declares the schema whose id is at an offset, after extends
// or import.
func (s *snapshot) extended(name string, offset int) (site, bool) {
	source, err := s.source(name)
	if err != nil {
		return site{}, false
	}
	f, _ := s.parse(name, source)
	var id *dsl.Str
	for _, d := range f.Decls {
		var other *dsl.Str
		switch {
		case d.Import != nil:
			other = d.Import.Schema
		case d.Schema != nil:
			other = d.Schema.Extends
		}
		if other != nil && offset >= other.Pos.Offset && offset <= other.Pos.Offset+len(other.Text)+2 {
			id = other
		}
	}
	if id == nil {
		return site{}, false
	}
	base, _ := s.loader(name)(id.Text)
	if base == nil {
		return site{}, false
	}
	if d := schemaOf(base); d != nil {
		return site{base.Name, d.Name.Pos.Offset, len(d.Name.Text) + 2}, true
	}
	return site{}, false
}

// references returns all places that name the symbol at an offset. They are in the file, in
// those that it extends, and in those beside it that extend or import one of them.
func (s *snapshot) references(name string, offset int) (*schema.Name, []schema.Name) {
	files, err := s.lineage(name)
	if err != nil {
		return nil, nil
	}
	o := s.index(name, files).at(offset)
	if o == nil {
		return nil, nil
	}
	var out []schema.Name
	key, seen := o.To.Key(), map[string]bool{}
	add := func(name string, files []*dsl.File) {
		for i, f := range files {
			if seen[f.Name] {
				continue
			}
			seen[f.Name] = true
			for _, other := range s.index(name, files[:i+1]).Names {
				if other.To.Key() == key {
					out = append(out, other)
				}
			}
		}
	}
	add(name, files)
	origin := o.To.At[0].Filename
	for _, sibling := range s.siblings(name) {
		line, err := s.lineage(sibling)
		if err != nil {
			continue
		}
		for _, f := range slices.Concat(line, s.imported(sibling, line)) {
			if f.Name == origin {
				add(sibling, line)
				break
			}
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i].Pos, out[j].Pos
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		return a.Offset < b.Offset
	})
	return o, out
}

// rename returns where a new name is to be written. The error says why there is no
// way to do it: because files would be wrong then that are right now, or because the
// name is that of a schema of octable.
func (s *snapshot) rename(name string, offset int, to string) ([]schema.Name, error) {
	if !dsl.IsName(to) {
		return nil, fmt.Errorf("%q is no name: a name is made of letters, digits and _, and begins with none of the digits", to)
	}
	o, places := s.references(name, offset)
	if o == nil {
		return nil, fmt.Errorf("there is nothing here that a schema names")
	}
	edits := map[string][]schema.Name{}
	for _, p := range places {
		file := p.Pos.Filename
		if isOurs(file) {
			return nil, fmt.Errorf("%s is a name of the schema %s, which is part of octable; a schema that extends it can give an arm another name with change", o.Text, file)
		}
		edits[file] = append(edits[file], p)
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
			at := list[i].Pos.Offset + t.mark()
			source = source[:at] + to + source[at+len(list[i].Text):]
		}
		after.docs[file] = &document{uri: s.uriOf(file), name: file, text: newText(source, s.utf8)}
	}
	for file := range edits {
		if len(s.diagnose(file)) > 0 {
			continue // it is wrong already: nothing can be told from it
		}
		if diags := after.diagnose(file); len(diags) > 0 {
			d := diags[0]
			return nil, fmt.Errorf("with the name %s for %s, %s would be wrong in line %d: %s", to, o.Text, filepath.Base(d.Pos.Filename), d.Pos.Line, d.Message)
		}
	}
	return places, nil
}
