// Splitting: a drawn schema as a file that extends others, with the changes that make it.

package schemas

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/fuzz/bound"
)

// files prints the schema, split if it extends another one.
func (d *drawer) files() []File {
	top := part{id: "drawn", marks: d.marks(), props: append(slices.Clone(d.props), "root "+d.root), decls: d.decls}
	whole := top
	var out []File
	for k := range 2 {
		if !d.has(fExtends) || k > 0 && !d.chance(40) {
			break
		}
		base := d.split(&top, fmt.Sprint("drawn", k))
		out = append([]File{top.file()}, out...)
		top = base
	}
	out = append([]File{top.file()}, out...)
	whole.decls = slices.Concat(whole.decls, d.refused(whole.decls))
	d.whole = whole.file()
	// An extended schema has a root only if it, and those between, resolve by themselves.
	for k := range len(out) - 1 {
		rooted := slices.Clone(out)
		rooted[k].Text = strings.Replace(rooted[k].Text, " {\n", " {\n    root "+d.root+"\n", 1)
		valid := d.chance(60)
		for last := k + 1; valid && last < len(out); last++ {
			valid = Resolve(rooted[:last]).Err == nil
		}
		if valid {
			out = rooted
			break // those after it have the same root
		}
	}
	return out
}

// refused returns the arms that refuse the numbers of dropped ones, for a schema with some
// declarations.
func (d *drawer) refused(decls []*decl) []*decl {
	return slices.DeleteFunc(d.gone, func(gone *decl) bool {
		return !slices.ContainsFunc(decls, func(dc *decl) bool { return dc.kind == "union" && dc.name == gone.union }) ||
			slices.ContainsFunc(decls, func(dc *decl) bool {
				return dc.kind == "arm" && dc.union == gone.union && (dc.id == "else" || dc.id == gone.id)
			})
	})
}

// part is one file of a drawn schema.
type part struct {
	id, extends string
	marks       string // errata of the schema
	props       []string
	changes     []string // what it does to the schema that it extends
	decls       []*decl
}

func (p *part) file() File { return File{p.id, p.print()} }

// splitting is one run of split: the extended schema so far, and what the extending one keeps.
type splitting struct {
	*drawer
	top, base *part
	decls     []*decl             // of the extending schema
	kept      []int               // of the extended schema that stay as they are
	changes   []string            // by the extending schema
	lines     map[string][]string // of the changes of arms, by union
	mine      map[string]bool     // unions of the extending schema
	swapped   map[*decl]bool      // in the extended schema already, with another number
}

// split moves declarations of a schema to one that it then extends, and returns that one. A
// declaration is moved in another form or unchanged. Together both are the schema as it was.
func (d *drawer) split(top *part, id string) part {
	base := part{id: id, extends: top.extends, changes: top.changes}
	s := &splitting{drawer: d, top: top, base: &base, lines: map[string][]string{}, mine: map[string]bool{}, swapped: map[*decl]bool{}}
	top.extends, top.changes = id, nil
	var props []string
	for _, p := range top.props {
		word, _, _ := strings.Cut(p, " ")
		switch word {
		case "order", "option", "gate", "title", "depth":
			if word == "gate" || word == "option" || d.chance(50) {
				base.props = append(base.props, p)
				continue
			}
		}
		props = append(props, p)
	}
	for i, dc := range top.decls {
		how := d.n(10)
		if dc.kind == "arm" && d.likely(onMarks, 0) {
			how = 8
		}
		switch dc.kind {
		case "encoding", "type":
			s.body(dc, how)
		case "union":
			s.union(dc, how)
		case "arm":
			s.arm(dc, i, how)
		}
	}
	if d.has(fExamples) {
		s.changes = append(s.changes, d.brokenExample(base.decls, s.kept)...)
	}
	s.drop()
	top.props, top.decls = props, s.decls
	for _, u := range slices.Sorted(maps.Keys(s.lines)) {
		top.changes = append(top.changes, fmt.Sprintf("change %s { %s }", u, strings.Join(s.lines[u], " ")))
	}
	top.changes = append(top.changes, s.changes...)
	return base
}

// keep moves a declaration to the extended schema.
func (s *splitting) keep(dc *decl) {
	s.kept = append(s.kept, len(s.base.decls))
	s.base.decls = append(s.base.decls, dc)
}

// other puts another form of a declaration into the extended schema.
func (s *splitting) other(dc *decl, change func(*decl)) *decl {
	old := *dc
	old.doc = nil
	change(&old)
	s.base.decls = append(s.base.decls, &old)
	return &old
}

// move leaves a declaration in the extending schema.
func (s *splitting) move(dc *decl) { s.decls = append(s.decls, dc) }

// extend puts a declaration without some of its rows into the extended schema, which the other adds.
func (s *splitting) extend(dc *decl, name string) {
	old, change := s.merged(name, dc.body)
	s.other(dc, func(o *decl) { o.doc, o.body = dc.doc, old })
	s.changes = append(s.changes, change)
}

// body splits an encoding or a type.
func (s *splitting) body(dc *decl, how int) {
	switch {
	case dc.kind == "type" && s.chance(30):
		s.extend(dc, dc.name)
	case how < 4:
		s.keep(dc)
	case how < 8:
		s.other(dc, func(old *decl) {
			old.body = map[string][]string{"encoding": {"utf8 unchecked", "nul stop"}, "type": {"| 0 | 1 | u8 | old |"}}[dc.kind]
		})
		s.changes = append(s.changes, dc.text("replace"))
	default:
		s.move(dc)
	}
}

// union splits the head of a union.
func (s *splitting) union(dc *decl, how int) {
	switch {
	case how < 6:
		s.keep(dc)
	case how < 8:
		s.other(dc, func(old *decl) { old.marks += " !E0" })
		s.changes = append(s.changes, dc.text("replace"))
	default:
		s.mine[dc.name] = true
		s.move(dc)
	}
}

// arm splits an arm, the declaration i of the schema.
func (s *splitting) arm(dc *decl, i, how int) {
	number := dc.id != "else" && dc.id[0] != '\'' && !severalIDs(dc)
	switch {
	case s.mine[dc.union]:
		s.move(dc)
	case severalIDs(dc) && how < 4: // another body would not name its bits
		s.keep(dc)
	case s.swapped[dc]:
	case !severalIDs(dc) && s.chance(20):
		s.extend(dc, dc.union+"."+dc.name)
	case how < 2:
		s.keep(dc)
	case how < 4:
		s.other(dc, func(old *decl) { old.lead, old.body = nil, nil })
		s.changes = append(s.changes, dc.text("replace"))
	case how < 6:
		old := s.other(dc, func(old *decl) {
			old.name = "Old" + old.name
			if s.chance(75) {
				old.label = ""
			}
		})
		line := old.name + " " + dc.name
		if dc.label != "" && old.label != dc.label {
			line += " " + dc.label
		}
		s.lines[dc.union] = append(s.lines[dc.union], line)
	case how < 8 && number:
		s.swap(dc, s.top.decls[i+1:])
	case how >= 8:
		lead := dc.lead
		s.other(dc, func(old *decl) { old.lead = nil })
		marks := s.marks() + s.marks()
		switch {
		case len(lead) > 0 || s.chance(30):
			s.changes = append(s.changes, fmt.Sprintf("extend %s.%s%s {\n    %s\n}\n", dc.union, dc.name, marks, strings.Join(lead, "\n    ")))
		case marks != "":
			s.changes = append(s.changes, fmt.Sprintf("extend %s.%s%s", dc.union, dc.name, marks))
		}
	default:
		s.keep(dc)
	}
}

// swap gives an arm and the next one of its union the numbers of each other in the extended schema.
func (s *splitting) swap(dc *decl, behind []*decl) {
	at := slices.IndexFunc(behind, func(b *decl) bool {
		return b.kind == "arm" && b.union == dc.union && b.id != "else" && !severalIDs(b)
	})
	if at < 0 {
		s.keep(dc)
		return
	}
	next := behind[at]
	s.swapped[next] = true
	s.other(dc, func(old *decl) { old.id = next.id })
	twin := *next
	twin.id = dc.id
	line := next.name + " " + next.id
	if s.chance(50) {
		twin.name = "Old" + next.name
		line = twin.name + " " + line
	}
	s.base.decls = append(s.base.decls, &twin)
	s.lines[dc.union] = append(s.lines[dc.union], dc.name+" "+dc.id, line)
}

// drop adds a declaration to the extended schema that the other drops.
func (s *splitting) drop() {
	gone, base := fmt.Sprint("Gone", s.new()), s.base
	switch s.n(5) {
	case 1:
		base.decls = append(base.decls, &decl{kind: "type", name: gone, body: []string{"| 0 | 1 | u8 | x |"}})
		s.changes = append(s.changes, "drop "+gone)
	case 2:
		base.decls = append(base.decls, &decl{kind: "union", name: gone, after: " by x", body: []string{"| 0 | 1 | u8 | x |"}})
		base.decls = append(base.decls, &decl{kind: "arm", union: gone, name: gone, id: "0"})
		s.changes = append(s.changes, "drop "+gone)
	case 3:
		for _, name := range []string{gone, gone + "b"} {
			base.decls = append(base.decls, &decl{kind: "type", name: name, body: []string{"| 0 | 1 | u8 | x |"}})
		}
		s.changes = append(s.changes, "drop "+gone+" "+gone+"b")
	case 4:
		several := func(u *decl) bool {
			return slices.ContainsFunc(base.decls, func(b *decl) bool { return b.union == u.name && severalIDs(b) })
		}
		if u := pickUnion(s.drawer, base.decls); u != nil && !several(u) && !s.has(fExamples) { // an example may be of the number
			arm := &decl{kind: "arm", union: u.name, name: gone, id: s.freeID(base.decls, u.name)}
			at := 1 + slices.Index(base.decls, u)
			base.decls = slices.Insert(base.decls, at+s.drawer.n(len(base.decls)-at+1), arm)
			s.changes = append(s.changes, "drop "+u.name+"."+gone)
			refused := *arm
			refused.body = []string{fmt.Sprintf("refuse %q", s.top.id+" has no "+gone)}
			s.gone = append(s.gone, &refused)
		}
	}
}

// brokenExample adds an example that may not hold to a type or an arm of an extended
// schema. It returns the change that drops it.
func (d *drawer) brokenExample(decls []*decl, kept []int) []string {
	args := map[string]bool{} // unions with arguments
	for _, dc := range decls {
		args[dc.name] = dc.kind == "union" && strings.HasPrefix(dc.after, "(")
	}
	kept = slices.DeleteFunc(slices.Clone(kept), func(i int) bool {
		dc := decls[i]
		return !(dc.kind == "type" && dc.after == "" || dc.kind == "arm" && !args[dc.union])
	})
	if len(kept) == 0 || d.chance(50) {
		return nil
	}
	i := pick(d.source, kept...)
	dc := *decls[i]
	name := fmt.Sprint("broken", d.new())
	dc.body = append(slices.Clone(dc.body), fmt.Sprintf(`example %s "%02x" refused %s`, name, d.byte(), pick(d.source, "text", "depth", "truncated")))
	decls[i] = &dc
	path := dc.name
	if dc.kind == "arm" {
		path = dc.union + "." + path
	}
	return []string{"drop " + path + "." + name}
}

// pickUnion returns one of the unions that are declared, or nil.
func pickUnion(d *drawer, decls []*decl) *decl {
	var all []*decl
	for _, dc := range decls {
		if dc.kind == "union" {
			all = append(all, dc)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return pick(d.source, all...)
}

// freeID returns the number after the highest number of an arm.
func (d *drawer) freeID(decls []*decl, union string) string {
	id := int64(0)
	for _, dc := range decls {
		if dc.kind != "arm" || dc.union != union || dc.id == "else" {
			continue
		}
		if dc.id[0] == '\'' {
			return fmt.Sprintf("'G%d'", d.new())
		}
		id = max(id, bound.Number(&dsl.Num{Text: dc.id})+1)
	}
	return fmt.Sprint(id)
}

func (p *part) print() string {
	var out strings.Builder
	fmt.Fprintf(&out, "schema %q", p.id)
	if p.extends != "" {
		fmt.Fprintf(&out, " extends %q", p.extends)
	}
	out.WriteString(p.marks + " {\n")
	for _, prop := range p.props {
		out.WriteString("    " + prop + "\n")
	}
	out.WriteString("}\n\n")
	for _, c := range p.changes {
		out.WriteString(c + "\n\n")
	}
	for _, dc := range p.decls {
		out.WriteString(dc.text("") + "\n")
	}
	return out.String()
}
