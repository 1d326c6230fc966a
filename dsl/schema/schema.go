// Resolving: from the declarations of a schema to its tree.

package schema

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/octable/octable/dsl"
)

// Resolve returns the schema that a file declares, for the first choice of its option.
// The error holds the mistakes under every choice; it is a [dsl.Diagnostics]. If there
// are mistakes no schema is returned. What a schema without a root declares is checked
// only in the schemas that extend it.
func Resolve(f *dsl.File, load Loader) (*Schema, error) {
	r := &resolver{load: load, files: map[string]*dsl.File{}}
	src := r.file(f, nil)
	if len(r.diags) > 0 {
		return nil, r.diags.Err()
	}
	fam := r.family(src)
	if len(r.diags) == 0 {
		r.bases(src, fam)
	} else {
		r.bad(src)
	}
	if err := r.diags.Err(); err != nil {
		return nil, err
	}
	return fam.choices[0], nil
}

// family is a schema for every choice of its option.
type family struct {
	choices []*Schema
	diags   dsl.Diagnostics
	base    func() *family // of the schema that it extends, or nil
}

// bases reports mistakes of the oldest schema with a mistake that a schema extends.
func (r *resolver) bases(src *source, fam *family) {
	var broken *family
	for f := fam.base(); f != nil; f = f.base() {
		if len(f.diags) > 0 {
			broken = f
		}
	}
	if broken != nil {
		r.diags = append(r.diags, broken.diags[0])
		r.broken(src.Decl.Extends, broken.choices[0].ID, "correct them there; the first is listed with its file")
	}
}

// family resolves a schema for every choice of its option.
func (r *resolver) family(src *source) *family {
	fam := &family{base: func() *family { return nil }}
	if src.Base != nil {
		fam.base = sync.OnceValue(func() *family {
			return (&resolver{files: r.files}).family(src.Base)
		})
	}
	choices := 1
	if src.Option != nil {
		r.checkOption(src.Option)
		choices = len(src.Option.Choices)
	}
	all, broken := r.diags, len(r.diags) > 0
	for choice := range choices {
		r.diags = nil
		s := r.bind(src, choice).s
		s.family = fam
		fam.choices = append(fam.choices, s)
		if !broken {
			r.prove(s)
			all = append(all, others(all, r.diags)...)
		}
	}
	if !broken && src.chooses() {
		all = append(all, others(all, r.importedLayout(src))...)
	}
	r.diags = nil
	if r.rootOf(src) != "" {
		r.diags = distinct(all)
	}
	fam.diags = r.diags
	return fam
}

// others returns mistakes under one choice of the option at other places than those under
// the choices before it.
func others(before, all dsl.Diagnostics) dsl.Diagnostics {
	return slices.DeleteFunc(all, func(d *dsl.Diagnostic) bool {
		return slices.ContainsFunc(before, func(b *dsl.Diagnostic) bool { return b.Pos == d.Pos && b.Code == d.Code })
	})
}

// distinct returns the mistakes without repetitions. A record has the same mistake under
// several choices of the option, and the arguments of an element are bound both in its record
// and in the one around the list.
func distinct(all dsl.Diagnostics) dsl.Diagnostics {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(d *dsl.Diagnostic) bool {
		text := fmt.Sprint(d.Pos, d.Code, d.Message)
		old := seen[text]
		seen[text] = true
		return old
	})
}

// Choices returns the names of the choices of the option, or [""] without an option.
func (s *Schema) Choices() []string {
	if s.Option == nil {
		return []string{""}
	}
	out := make([]string, len(s.Option.Choices))
	for i, c := range s.Option.Choices {
		out[i] = c.Name
	}
	return out
}

// With returns the schema resolved for a choice of its option; "" is the first one.
func (s *Schema) With(choice string) (*Schema, error) {
	if choice == "" {
		return s.family.choices[0], nil
	}
	if s.Option == nil {
		return nil, fmt.Errorf("schema %q has no choice %q: it has no option", s.ID, choice)
	}
	for _, other := range s.family.choices {
		if other.Choice.Name == choice {
			return other, nil
		}
	}
	return nil, fmt.Errorf("schema %q has no choice %q of %s; it has %v", s.ID, choice, s.Option.Name, s.Choices())
}

// Base returns the schema that this one extends, or nil. It is resolved for the choice
// of the same name, else for the first.
func (s *Schema) Base() *Schema {
	base := s.family.base()
	if base == nil {
		return nil
	}
	for _, other := range base.choices {
		if s.Choice != nil && other.Choice != nil && other.Choice.Name == s.Choice.Name {
			return other
		}
	}
	return base.choices[0]
}

// Rooted returns the schema with another type or union as its root, for the same choice.
// The error says why values of the type cannot be read alone; it is a [dsl.Diagnostics].
func (s *Schema) Rooted(name string) (*Schema, error) {
	if s.Root != nil && s.Root.Name == name {
		return s, nil
	}
	r := &resolver{files: s.src.Files, root: name}
	fam := r.family(s.src)
	if err := r.diags.Err(); err != nil {
		return nil, err
	}
	if s.Choice == nil {
		return fam.choices[0], nil
	}
	return fam.choices[s.Choice.Index], nil
}

// Lineage returns the schema and those that it extends, the oldest first.
func (s *Schema) Lineage() []*Schema {
	if s == nil {
		return nil
	}
	return append(s.Base().Lineage(), s)
}

// Record returns the named record, or nil.
func (s *Schema) Record(name string) *Record {
	for _, r := range s.Records {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Union returns the named union, or nil.
func (s *Schema) Union(name string) *Union {
	for _, u := range s.Unions {
		if u.Name == name {
			return u
		}
	}
	return nil
}

// Encoding returns the named encoding, or nil.
func (s *Schema) Encoding(name string) *Encoding {
	for _, e := range s.Encodings {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Gate returns the named gate, or nil.
func (s *Schema) Gate(name string) *Gate {
	for _, g := range s.Gates {
		if g.Name == name {
			return g
		}
	}
	return nil
}

// Arm returns the named arm, or nil.
func (u *Union) Arm(name string) *Arm {
	for _, a := range u.Arms {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// ByID returns the arm with a number, the else arm if no arm has it, or nil.
func (u *Union) ByID(id uint64) *Arm {
	var other *Arm
	for _, a := range u.Arms {
		if a.Else {
			other = a
		} else if a.IDs.Contains(id) {
			return a
		}
	}
	return other
}

// IDText returns the arm's numbers as a schema writes them.
func (a *Arm) IDText() string {
	switch {
	case a.Else:
		return "else"
	case a.Code != "":
		return a.Code
	}
	return a.IDs.Text(a.hex)
}

// Errorf returns a mistake at a place of the schema, with its line.
func (s *Schema) Errorf(pos dsl.Pos, width int, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	return (&dsl.Diagnostics{}).Errorf(s.src.Files[pos.Filename], pos, width, code, format, args...)
}

// Files returns the files of the schema and of those that it extends and imports. Its own file is first, and
// the others are in the order of their names. Nobody changes them.
func (s *Schema) Files() []*dsl.File {
	own := s.src.Decl.Pos.Filename
	out := slices.Collect(maps.Values(s.src.Files))
	slices.SortFunc(out, func(a, b *dsl.File) int {
		if (a.Name == own) != (b.Name == own) {
			if a.Name == own {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// Line returns the text of a line of a file, without blanks around it. The file is one
// of the schema or of those that it extends. The file is named without its folder; the
// text is "" if there is no such line.
func (s *Schema) Line(file string, line int) string {
	for name, f := range s.src.Files {
		if path.Base(name) == file {
			return strings.TrimSpace(f.Line(line))
		}
	}
	return ""
}
