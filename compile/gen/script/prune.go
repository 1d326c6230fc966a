// Declarations that a module does not need, which are left out.

package script

import (
	"regexp"
	"strings"
)

// Grammar finds the declarations in the text of a language.
type Grammar struct {
	Declaration *regexp.Regexp // the first line of a declaration; the first submatch that is not empty is the name
	Type        *regexp.Regexp // of one without a value, or nil
	Method      *regexp.Regexp // the first line of a method, with the name
	MethodEnd   string         // the last line of a method, or "" if the next one ends it
	Before      *regexp.Regexp // a line that belongs to the declaration behind it
	NotCode     *regexp.Regexp // comments, and texts without code
	Quotes      string         // begin and end a text of several lines, or ""
	Special     *regexp.Regexp // names of methods that are always needed
	Export      string         // begins a declaration that another file imports
	Properties  bool           // a name before a colon is that of a property or a parameter
}

// declaration is a declaration of a file, or a method, or text that is neither.
type declaration struct {
	name, text string
	typ        bool
	class      *declaration // of a method
	last       bool         // the text after a method belongs to the class again
	names      map[string]bool
	members    map[string]bool
}

var (
	// anyName matches a name that is neither a member nor, before a colon, the name of a property.
	anyName = regexp.MustCompile(`(?:^|[^.\w$]|\.\.\.)([\w$]+)(\??:|)`)
	member  = regexp.MustCompile(`\.(\w+)`)
)

// split returns the declarations of a text in order. Their texts together are the text.
func (l *Grammar) split(text string) []*declaration {
	all := []*declaration{{}}
	var class *declaration
	before, quoted, ended := "", false, false
	add := func(d *declaration, line string) {
		d.text = before + line
		before = ""
		all = append(all, d)
	}
	for line := range strings.Lines(text) {
		last := all[len(all)-1]
		top := !quoted
		if l.Quotes != "" && strings.Count(line, l.Quotes)%2 == 1 {
			quoted = !quoted
		}
		switch m := named(l.Declaration, line); {
		case top && m != "":
			d := &declaration{name: m, typ: l.Type != nil && l.Type.MatchString(line)}
			class, ended = nil, false
			if strings.Contains(line, "class ") {
				class = d
			}
			add(d, line)
		case top && class != nil && named(l.Method, line) != "":
			add(&declaration{name: named(l.Method, line), class: class}, line)
			ended = false
		case top && l.Before.MatchString(line):
			before += line
		case ended && strings.TrimSpace(line) != "":
			add(&declaration{class: class, last: true}, line)
			ended = false
		default:
			last.text += before + line
			before = ""
			ended = ended || l.MethodEnd != "" && last.class != nil && !last.last && strings.TrimRight(line, "\n") == l.MethodEnd
		}
	}
	all[len(all)-1].text += before
	for _, d := range all {
		code := l.NotCode.ReplaceAllString(d.text, " ")
		d.names, d.members = map[string]bool{}, map[string]bool{}
		for _, m := range anyName.FindAllStringSubmatch(code, -1) {
			if m[2] == "" || !l.Properties {
				d.names[m[1]] = true
			}
		}
		for _, m := range member.FindAllStringSubmatch(code, -1) {
			d.members[m[1]] = true
		}
	}
	return all
}

// named returns the name that a line declares, or "".
func named(pattern *regexp.Regexp, line string) string {
	for i, name := range pattern.FindStringSubmatch(line) {
		if i > 0 && name != "" {
			return name
		}
	}
	return ""
}

// needed returns the declarations that others of them need, which are needed in any case.
// Classes that are needed in any case keep all methods.
func (l *Grammar) needed(all []*declaration, root func(*declaration) bool) map[*declaration]bool {
	kept, names, members := map[*declaration]bool{}, map[string]bool{}, map[string]bool{}
	for more := true; more; {
		more = false
		for _, d := range all {
			wanted := d.name == "" && d.class == nil || root(d) || names[d.name]
			if d.class != nil {
				wanted = kept[d.class] && (d.last || root(d.class) || members[d.name] || l.Special.MatchString(d.name))
			}
			if kept[d] || !wanted {
				continue
			}
			kept[d], more = true, true
			for n := range d.names {
				names[n] = true
			}
			for n := range d.members {
				members[n] = true
			}
		}
	}
	return kept
}

// Import is a declaration of the runtime that the module imports.
type Import struct {
	Name string
	Type bool // it is a type without a value
}

// divide leaves out of a module and its runtime the declarations that are not needed. What is
// public in the module, and the names in public, need the others. It returns both texts with what
// the module imports, and the public names that it declares.
func (l *Language) divide(module, runtime string) (texts [2]string, imports []Import, declares []string) {
	own, shared := l.Grammar.split(module), l.Grammar.split(runtime)
	public := map[string]bool{}
	for _, n := range strings.Fields(l.Public) {
		public[n] = true
	}
	isOwn := map[*declaration]bool{}
	for _, d := range own {
		isOwn[d] = true
	}
	root := func(d *declaration) bool {
		return public[d.name] || isOwn[d] && d.class == nil && l.IsPublic(d.text, d.name)
	}
	kept := l.Grammar.needed(append(own, shared...), root)
	used, declared := map[string]bool{}, map[string]bool{}
	var out strings.Builder
	for _, d := range own {
		if !kept[d] {
			continue
		}
		out.WriteString(d.text)
		for n := range d.names {
			used[n] = used[n] || d.name != l.Makers // their parameters may have the names of functions
		}
		if d.class == nil {
			declared[d.name] = true
			if d.name != "" && root(d) {
				declares = append(declares, d.name)
			}
		}
	}
	texts[0] = out.String()
	out.Reset()
	for _, d := range shared {
		if !kept[d] {
			continue
		}
		text := d.text
		if d.class == nil && used[d.name] && !declared[d.name] {
			imports = append(imports, Import{d.name, d.typ})
			if !public[d.name] {
				first := l.Grammar.Declaration.FindStringIndex(text)
				if first == nil {
					first = []int{0}
				}
				text = text[:first[0]] + l.Grammar.Export + text[first[0]:]
			}
		}
		out.WriteString(text)
	}
	texts[1] = out.String()
	return texts, imports, declares
}
