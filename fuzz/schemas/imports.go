// Imports: a drawn schema that another one imports.

package schemas

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// imported is a schema that the drawn one imports for its root, without anything around it.
type imported struct {
	choice string   // of the option
	open   []string // gates
}

// library is the id of the schema that is imported.
const library = "imported"

// imports prints a schema that imports the last of some files, after these files.
func (d *drawer) imports(files []File) []File {
	if !d.has(fImports) {
		return files
	}
	files = slices.Clone(files)
	last := &files[len(files)-1]
	last.ID, last.Text = library, strings.Replace(last.Text, `schema "drawn"`, `schema "`+library+`"`, 1)
	d.whole = File{}
	plain := &imported{}
	index := 0
	var settings []string
	for _, g := range d.gates {
		if d.chance(50) {
			settings, plain.open = append(settings, g), append(plain.open, g)
		}
	}
	if d.option != nil && d.chance(60) {
		index = d.n(len(d.option.choices))
		plain.choice = d.option.choices[index].name
		settings = append(settings, d.option.name+" "+plain.choice)
	}
	text := fmt.Sprintf("import %q as lib", library)
	if len(settings) > 0 {
		text += " { " + strings.Join(settings, ", ") + " }"
	}
	length, least, greedy := "N", int64(0), true
	for _, r := range d.records {
		if r.name == d.root {
			least, greedy = r.least, r.greedy
			if r.fixed {
				length = fmt.Sprint(r.size[index])
			}
		}
	}
	root := "lib." + d.root
	rows := []string{"| 0 | " + length + " | " + root + " | value |"}
	k := d.n(6)
	if strings.HasPrefix(d.root, "Base") && k != 3 { // of which a field holds the length
		k = 1
	}
	switch {
	case k == 1:
		rows = []string{"| 0 | 2 | u16 | before |", "| 2 | 4 | u32 | size = size(value) |", "| 6 | size | " + root + " | value |", "| 6+size | 3 | u24 | after |"}
	case k == 2 && least > 0 && !greedy:
		rows = []string{"| 0 | 1 | u8 | count = count(values) |", "| 1 | L | " + root + "[count] | values |"}
	case k == 3:
		text += fmt.Sprintf("\n\nimport %q as other", library)
		rows = []string{"| 0 | 2 | u16 | size = size(first) |", "| 2 | size | " + root + " | first |", "| 2+size | 4 | u32 | more = size(second) |", "| 6+size | more | other." + d.root + " | second |"}
	case k == 4 && slices.ContainsFunc(d.unions, func(u *union) bool { return u.name == d.root && !u.several }):
		rows = []string{"| 0 | 4 | " + root + ".id | kind |", "| 4 | N | " + root + " | value |"}
	}
	// closed() is a constant in an import, and a reader compares constants. It does not compare
	// other numbers that it needs.
	if len(rows) == 1 && !slices.ContainsFunc(files, func(f File) bool { return strings.Contains(f.Text, "closed(") }) {
		d.plain = plain
	}
	var props string
	for _, p := range d.props {
		if strings.HasPrefix(p, "depth ") {
			props += "    " + p + "\n"
		}
	}
	order := pick(d.source, "", "    order big\n", "    order little\n")
	if slices.ContainsFunc(files, combinesWords) { // in the order of the schema that it is in
		order = "    order little\n"
		if slices.Contains(d.props, "order big") {
			order = "    order big\n"
		}
	}
	props += order
	return append(files, File{"drawn", fmt.Sprintf("schema \"drawn\" {\n%s    root Outer\n}\n\n%s\n\ntype Outer {\n    %s\n}\n", props, text, strings.Join(rows, "\n    "))})
}

// combinesWords reports whether a schema may have a checksum of words in its order of bytes.
func combinesWords(f File) bool {
	return slices.ContainsFunc([]string{"sum16", "sum32", "xor16", "xor32"}, func(name string) bool { return strings.Contains(f.Text, name) })
}

// sameImported checks a schema that is nothing but an import. It must read and write packets as
// the schema that it imports does. A schema of another sort passes.
func (d *Drawn) sameImported(c interp.Choices) error {
	if d.plain == nil {
		return nil
	}
	base := Resolve(d.Files[:len(d.Files)-1])
	if base.Err != nil {
		return d.unreached(base.Err)
	}
	s, err := base.Schema.With(d.plain.choice)
	if err != nil {
		return err
	}
	p, err := compile.Schema(s)
	if err != nil {
		return err
	}
	alone, err := raw.Codec(p)
	if err != nil {
		return err
	}
	var options interp.Options
	for i, g := range p.Gates {
		if slices.Contains(d.plain.open, g) {
			options.Open |= 1 << i
		}
	}
	subjects, err := d.Subjects()
	if err != nil {
		return err
	}
	deep := nesting(d.Schema) != nesting(s) // a root that nests counts alone
	for _, s := range subjects {
		for _, k := range s.Packets(c, 16) {
			if err := samePacket(raw.Machine(s.Codec), raw.Machine(alone), k.Bytes, options, deep); err != nil {
				return fmt.Errorf("packet %x: %w", k.Bytes, err)
			}
		}
	}
	return nil
}

// nesting returns how many types and unions count towards the depth.
func nesting(s *schema.Schema) (n int) {
	for _, rec := range s.Records {
		if rec.Nests {
			n++
		}
	}
	for _, u := range s.Unions {
		if u.Nests {
			n++
		}
	}
	return n
}

// unreached returns an error unless all mistakes of the imported schema are in declarations that no row reaches.
// The resolver does not report mistakes there.
func (d *Drawn) unreached(err error) error {
	var all dsl.Diagnostics
	if !errors.As(err, &all) {
		return err
	}
	bodies := d.Schema.Bodies()
	for _, one := range all {
		at := d.declaration(one.Pos)
		if slices.ContainsFunc(bodies, func(b schema.Body) bool { return d.declaration(b.Pos) == at }) {
			return fmt.Errorf("the schema that is imported does not resolve: %w", one)
		}
	}
	return nil
}

// declaration returns the place of the declaration around another place.
func (d *Drawn) declaration(pos dsl.Pos) (at dsl.Pos) {
	for _, tree := range d.parsed {
		for _, decl := range tree.Decls {
			if tree.Name == pos.Filename && decl.Pos.Line <= pos.Line {
				at = decl.Pos
			}
		}
	}
	return at
}

// samePacket compares a machine for a schema with one for a schema that imports it. If deep is set, one of them may
// refuse values as nested too deeply that the other takes.
func samePacket(outer, alone *interp.Machine, b []byte, options interp.Options, deep bool) error {
	v, n, err := outer.Decode(b, interp.Options{})
	w, m, err2 := alone.Decode(b, options)
	if deep && (errors.Is(err, interp.ErrDepth) || errors.Is(err2, interp.ErrDepth)) {
		return nil
	}
	if (err == nil) != (err2 == nil) {
		return fmt.Errorf("imported: %v; alone: %v", err, err2)
	}
	var e, e2 *interp.Error
	if errors.As(err, &e) && errors.As(err2, &e2) {
		if !errors.Is(err2, interp.ErrClosed) && (e.Offset != e2.Offset || !errors.Is(e2, e.Kind)) {
			return fmt.Errorf("imported: %w; alone: %w", err, err2)
		}
		return nil
	}
	if n != m {
		return fmt.Errorf("imported it takes %d bytes, alone %d", n, m)
	}
	out, err := outer.Append(nil, v, interp.Options{})
	out2, err2 := alone.Append(nil, w, options)
	if (err == nil) != (err2 == nil) || string(out) != string(out2) {
		return fmt.Errorf("imported it is written as %x, %w; alone as %x, %w", out, err, out2, err2)
	}
	return nil
}
