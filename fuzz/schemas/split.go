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

// split moves declarations of a schema, in other forms or as they are, to one that it then
// extends, and returns that one. Together they are the schema as it was.
func (d *drawer) split(top *part, id string) part {
	base := part{id: id, extends: top.extends, changes: top.changes}
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
	var decls []*decl
	var kept []int // of the extended schema that stay as they are
	var changes []string
	lines := map[string][]string{} // of the changes of arms, by union
	mine := map[string]bool{}      // unions of the extending schema
	swapped := map[*decl]bool{}
	for i, dc := range top.decls {
		keep := func() {
			kept = append(kept, len(base.decls))
			base.decls = append(base.decls, dc)
		}
		other := func(change func(*decl)) *decl {
			old := *dc
			old.doc = nil
			change(&old)
			base.decls = append(base.decls, &old)
			return &old
		}
		doc := dc.doc
		move := func() { decls = append(decls, dc) }
		how := d.n(10)
		if dc.kind == "arm" && d.likely(onMarks, 0) {
			how = 8
		}
		switch dc.kind {
		case "encoding", "type":
			switch {
			case dc.kind == "type" && d.chance(30):
				old, change := d.merged(dc.name, dc.body)
				other(func(dc *decl) { dc.doc, dc.body = doc, old })
				changes = append(changes, change)
			case how < 4:
				keep()
			case how < 8:
				other(func(old *decl) {
					old.body = map[string][]string{"encoding": {"utf8 unchecked", "nul stop"}, "type": {"| 0 | 1 | u8 | old |"}}[dc.kind]
				})
				changes = append(changes, dc.text("replace"))
			default:
				move()
			}
		case "union":
			switch {
			case how < 6:
				keep()
			case how < 8:
				other(func(old *decl) { old.marks += " !E0" })
				changes = append(changes, dc.text("replace"))
			default:
				mine[dc.name] = true
				move()
			}
		case "arm":
			number := dc.id != "else" && dc.id[0] != '\'' && !severalIDs(dc)
			switch {
			case mine[dc.union]:
				move()
			case severalIDs(dc) && how < 4: // another body would not name its bits
				keep()
			case swapped[dc]: // in the extended schema already, with another number
			case !severalIDs(dc) && d.chance(20):
				old, change := d.merged(dc.union+"."+dc.name, dc.body)
				other(func(dc *decl) { dc.doc, dc.body = doc, old })
				changes = append(changes, change)
			case how < 2:
				keep()
			case how < 4:
				other(func(old *decl) { old.lead, old.body = nil, nil })
				changes = append(changes, dc.text("replace"))
			case how < 6:
				old := other(func(old *decl) {
					old.name = "Old" + old.name
					if d.chance(75) {
						old.label = ""
					}
				})
				line := old.name + " " + dc.name
				if dc.label != "" && old.label != dc.label {
					line += " " + dc.label
				}
				lines[dc.union] = append(lines[dc.union], line)
			case how < 8 && number:
				var next *decl
				for _, b := range top.decls[i+1:] {
					if b.kind == "arm" && b.union == dc.union && b.id != "else" && !severalIDs(b) {
						next = b
						break
					}
				}
				if next == nil {
					keep()
					continue
				}
				swapped[next] = true
				other(func(old *decl) { old.id = next.id })
				twin := *next
				twin.id = dc.id
				line := next.name + " " + next.id
				if d.chance(50) {
					twin.name = "Old" + next.name
					line = twin.name + " " + line
				}
				base.decls = append(base.decls, &twin)
				lines[dc.union] = append(lines[dc.union], dc.name+" "+dc.id, line)
			case how >= 8:
				lead := dc.lead
				other(func(old *decl) { old.lead = nil })
				marks := d.marks() + d.marks()
				switch {
				case len(lead) > 0 || d.chance(30):
					changes = append(changes, fmt.Sprintf("extend %s.%s%s {\n    %s\n}\n", dc.union, dc.name, marks, strings.Join(lead, "\n    ")))
				case marks != "":
					changes = append(changes, fmt.Sprintf("extend %s.%s%s", dc.union, dc.name, marks))
				}
			default:
				keep()
			}
		}
	}
	if d.has(fExamples) {
		changes = append(changes, d.brokenExample(base.decls, kept)...)
	}
	gone := fmt.Sprint("Gone", d.new())
	switch d.n(5) {
	case 1:
		base.decls = append(base.decls, &decl{kind: "type", name: gone, body: []string{"| 0 | 1 | u8 | x |"}})
		changes = append(changes, "drop "+gone)
	case 2:
		base.decls = append(base.decls, &decl{kind: "union", name: gone, after: " by x", body: []string{"| 0 | 1 | u8 | x |"}})
		base.decls = append(base.decls, &decl{kind: "arm", union: gone, name: gone, id: "0"})
		changes = append(changes, "drop "+gone)
	case 3:
		for _, name := range []string{gone, gone + "b"} {
			base.decls = append(base.decls, &decl{kind: "type", name: name, body: []string{"| 0 | 1 | u8 | x |"}})
		}
		changes = append(changes, "drop "+gone+" "+gone+"b")
	case 4:
		several := func(u *decl) bool {
			return slices.ContainsFunc(base.decls, func(b *decl) bool { return b.union == u.name && severalIDs(b) })
		}
		if u := pickUnion(d, base.decls); u != nil && !several(u) && !d.has(fExamples) { // an example may be of the number
			arm := &decl{kind: "arm", union: u.name, name: gone, id: d.freeID(base.decls, u.name)}
			at := 1 + slices.Index(base.decls, u)
			base.decls = slices.Insert(base.decls, at+d.n(len(base.decls)-at+1), arm)
			changes = append(changes, "drop "+u.name+"."+gone)
			refused := *arm
			refused.body = []string{fmt.Sprintf("refuse %q", top.id+" has no "+gone)}
			d.gone = append(d.gone, &refused)
		}
	}
	top.props, top.decls = props, decls
	for _, u := range slices.Sorted(maps.Keys(lines)) {
		top.changes = append(top.changes, fmt.Sprintf("change %s { %s }", u, strings.Join(lines[u], " ")))
	}
	top.changes = append(top.changes, changes...)
	return base
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
