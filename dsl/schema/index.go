// Index: the names in the files of a schema, each with its declaration.

package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
)

// Sort is the sort of thing that a name is declared for.
type Sort string

// The sorts of declarations.
const (
	TypeName     Sort = "type"
	UnionName    Sort = "union"
	ArmName      Sort = "arm"
	EncodingName Sort = "encoding"
	GateName     Sort = "gate"
	OptionName   Sort = "option"
	ChoiceName   Sort = "choice"
	ArgumentName Sort = "argument"
	FieldName    Sort = "field"
	LetterName   Sort = "letter"
	ExampleName  Sort = "example"
	ImportName   Sort = "import"
)

// Declaration is a thing with a name.
type Declaration struct {
	Sort   Sort
	Name   string
	Owner  string         // the union of an arm, or the option of a choice. Of a field or an example, it is the path of the record
	At     []dsl.Pos      // names that declare it: the first, then replacements, or further forms of a field
	Body   dsl.Pos        // the name in the newest declaration with a body; for a field the first
	Fields []*Declaration // of a type, a union or an arm: fields and arguments outside of lists

	within dsl.Pos // the record of a field or a letter
}

// Key returns a text that is equal for the same declaration in different indexes.
func (d *Declaration) Key() string {
	at, in := d.At[0], ""
	if d.within.Line > 0 {
		at, in = d.within, " in"
	}
	return fmt.Sprintf("%s %s%s %s:%d", d.Sort, d.Name, in, at.Filename, at.Offset)
}

// Name is a name in a file.
type Name struct {
	Pos      dsl.Pos
	Text     string
	To       *Declaration
	Declares bool // it is part of the declaration
}

// Index holds the names of a file and the declarations that its schema has.
type Index struct {
	Names    []Name                    // in the order of the file; names without a declaration are left out
	Declared []*Declaration            // after all changes; fields, letters and examples are left out
	Imported map[string][]*Declaration // what each import declares, by its prefix

	decls   map[*dsl.Name]*Declaration // by each name that declares it
	letters map[local]*dsl.Name        // that declare the letters
	stray   []*typeDecl                // bodies that belong to no schema, by mistake
}

// NewIndex returns the index of a file. A file with mistakes has the names that resolve
// in spite of them.
func NewIndex(f *dsl.File, load Loader) *Index {
	x := &Index{decls: map[*dsl.Name]*Declaration{}, letters: map[local]*dsl.Name{}}
	r := &resolver{load: load, files: map[string]*dsl.File{}, index: x}
	src := r.file(f, nil)
	b := r.bind(src, 0)
	x.imports(src)
	for _, d := range x.stray {
		rec := &Record{Name: d.Name, Path: d.Name, Pos: d.Pos, items: d.Items}
		b.params[d.Name] = len(d.Args)
		b.record(rec, d)
	}
	x.keys(src)
	x.inForce(src)
	x.Names = slices.DeleteFunc(x.Names, func(n Name) bool { return n.Pos.Filename != f.Name })
	slices.SortStableFunc(x.Names, func(a, b Name) int {
		return cmp.Or(cmp.Compare(a.Pos.Offset, b.Pos.Offset), declaringFirst(a, b))
	})
	x.Names = slices.CompactFunc(x.Names, func(a, b Name) bool { return a.Pos.Offset == b.Pos.Offset })
	return x
}

// declaringFirst orders names at one place: a name that declares something first.
func declaringFirst(a, b Name) int {
	switch {
	case a.Declares == b.Declares:
		return 0
	case a.Declares:
		return -1
	}
	return 1
}

// declare adds a declaration by a name, or replaces the one that an old name declares.
func (x *Index) declare(n *dsl.Name, sort Sort, owner string, old *dsl.Name) *Declaration {
	if x == nil {
		return nil
	}
	d := x.decls[old]
	if d == nil {
		d = &Declaration{Sort: sort, Name: n.Text, Owner: owner}
	}
	d.Body, d.Fields = n.Pos, nil
	x.form(n, d)
	return d
}

// option adds an option and its choices, in place of those of an old one with the same names.
func (x *Index) option(option, old *dsl.Option) {
	if x == nil {
		return
	}
	was := map[string]*dsl.Name{}
	var name *dsl.Name
	if old != nil {
		if old.Name.Text == option.Name.Text {
			name = old.Name
		}
		for _, c := range old.Choices {
			was[c.Name.Text] = c.Name
		}
	}
	x.declare(option.Name, OptionName, "", name)
	for _, c := range option.Choices {
		x.declare(c.Name, ChoiceName, option.Name.Text, was[c.Name.Text])
	}
}

// form adds a further name to a declaration.
func (x *Index) form(n *dsl.Name, d *Declaration) {
	if x == nil {
		return // unreachable: declarations with several names are indexed once
	}
	x.decls[n] = d
	d.At = append(d.At, n.Pos)
	x.Names = append(x.Names, Name{n.Pos, n.Text, d, true})
}

// rename declares an arm under a new name.
func (x *Index) rename(n, old *dsl.Name) {
	if x == nil {
		return
	}
	was := x.decls[old]
	d := &Declaration{Sort: was.Sort, Name: n.Text, Owner: was.Owner, Body: was.Body}
	x.form(n, d)
}

// dropped notes the name of a field that the schema drops from a record at a place.
func (x *Index) dropped(n, declared *dsl.Name, owner string, within dsl.Pos) {
	if x == nil || x.decls[declared] != nil {
		return
	}
	x.declare(declared, FieldName, owner, nil).within = within
	x.use(n, declared)
}

// use notes a name and the name that declares it.
func (x *Index) use(n, declared *dsl.Name) {
	if x == nil {
		return
	}
	if d := x.decls[declared]; d != nil {
		x.Names = append(x.Names, Name{n.Pos, n.Text, d, false})
	}
}

// field notes a use of a field; of a name such as info.bits that of the row.
func (x *Index) field(n *dsl.Name, f *Field) {
	if f == nil {
		return
	}
	if row, _, dotted := strings.Cut(n.Text, "."); dotted {
		n = &dsl.Name{Pos: n.Pos, Text: row}
	}
	x.use(n, f.state.at)
}

// letter notes a letter of a cell: its declaration, if it is new in the record.
func (x *Index) letter(s *scope, n *dsl.Name) {
	if x == nil {
		return
	}
	place := local{s.rec.place(), n.Text}
	if first := x.letters[place]; first != nil {
		x.use(n, first)
		return
	}
	x.letters[place] = n
	x.declare(n, LetterName, s.rec.owner(), nil).within = s.rec.place()
}

// local is a letter of a record.
type local struct {
	record dsl.Pos
	name   string
}

// place returns the place of a record. The key and the value of a map share it.
func (r *Record) place() dsl.Pos {
	if r.List == nil {
		return r.Pos
	}
	return r.List.Pos
}

// owner returns the path of a record as schemas name it.
func (r *Record) owner() string {
	if r.List == nil {
		return r.Path
	}
	return r.List.Field.Record.owner() + "." + r.List.Field.Name
}

// bodyOf keeps the items of a declaration that belongs to no schema, by mistake.
func (x *Index) bodyOf(d *dsl.Decl) {
	if x == nil {
		return
	}
	if d.Extend != nil {
		x.stray = append(x.stray, &typeDecl{content: content{Name: d.Extend.Paths[0].String(), Items: d.Extend.Items, Pos: d.Extend.Pos}})
		return
	}
	var t *typeDecl
	sort, owner := TypeName, ""
	switch {
	case d.Type != nil:
		t = newType(d.Type, nil)
	case d.Union != nil:
		t, sort = &typeDecl{content: content{Name: d.Union.Name.Text, At: d.Union.Name, Items: d.Union.Items, Pos: d.Union.Pos}, Args: d.Union.Args}, UnionName
	case d.Arm != nil:
		t = &typeDecl{content: content{Name: d.Arm.Name.Text, At: d.Arm.Name, Items: d.Arm.Items, Pos: d.Arm.Pos}}
		sort, owner = ArmName, d.Arm.Union.Text
	default:
		return
	}
	x.declare(t.At, sort, owner, nil)
	x.stray = append(x.stray, t)
}

// imports lists the declarations of the imports.
func (x *Index) imports(s *source) {
	x.Imported = map[string][]*Declaration{}
	for _, m := range s.Imports {
		if m.Src == nil {
			continue
		}
		of := &Index{decls: x.decls}
		of.inForce(m.Src)
		x.Imported[m.Name.Text] = of.Declared
	}
}

// inForce lists the declarations that a schema has.
func (x *Index) inForce(s *source) {
	add := func(n *dsl.Name) {
		if d := x.decls[n]; d != nil {
			x.Declared = append(x.Declared, d)
		}
	}
	for _, m := range s.Imports {
		add(m.Name)
	}
	for _, g := range s.Gates {
		add(g.Name)
	}
	if s.Option != nil {
		add(s.Option.Name)
		for _, c := range s.Option.Choices {
			add(c.Name)
		}
	}
	for _, e := range s.Encodings {
		add(e.Name)
	}
	for _, t := range s.Types {
		add(t.At)
	}
	for _, u := range s.Unions {
		add(u.At)
		for _, a := range u.Arms {
			if !slices.Contains(u.Gone, a) {
				add(a.At)
			}
		}
	}
}

// keys notes the arms in the rules of a schema for equal keys.
func (x *Index) keys(s *source) {
	for _, p := range s.Decl.Props {
		if p.Keys == nil {
			continue
		}
		for _, k := range p.Keys.Rules {
			for _, n := range k.Arms {
				if a := s.anyArm(n.Text); a != nil {
					x.use(n, a.At)
				}
			}
		}
	}
}

// anyArm returns the arm with a name in the first union that has one, or nil.
func (s *source) anyArm(name string) *armDecl {
	for _, u := range s.Unions {
		if a := u.Arm(name); a != nil {
			return a
		}
	}
	return nil
}
