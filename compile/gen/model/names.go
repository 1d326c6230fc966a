// Names: words of a schema in the spellings of other languages.

package model

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words cuts a name into words. It cuts at underscores and the like, and before a
// capital letter that follows a small one or a digit.
func words(name string) []string {
	var out []string
	word := ""
	var last rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			if word != "" {
				out = append(out, word)
			}
			word = ""
		case unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last)) && word != "":
			out = append(out, word)
			word = string(r)
		default:
			word += string(r)
		}
		last = r
	}
	if word != "" {
		out = append(out, word)
	}
	return out
}

// Pascal returns a name as one word in which each part begins with a capital
// letter: "key_type" is "KeyType". A name that begins with a digit gets an N.
func Pascal(name string) string {
	var b strings.Builder
	for _, w := range words(name) {
		r, n := utf8.DecodeRuneInString(w)
		b.WriteRune(unicode.ToUpper(r))
		b.WriteString(w[n:])
	}
	out := b.String()
	if !beginsWithLetter(out) {
		out = "N" + out
	}
	return out
}

func beginsWithLetter(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsLetter(r)
}

// Camel is Pascal with a small letter at the beginning. Several capital letters
// there become small together: "URL" is "url", "URLList" is "urlList".
func Camel(name string) string {
	p := []rune(Pascal(name))
	for i := range p {
		if i > 0 && (!unicode.IsUpper(p[i]) || i+1 < len(p) && unicode.IsLower(p[i+1])) {
			break
		}
		p[i] = unicode.ToLower(p[i])
	}
	return string(p)
}

// Snake returns a name in small letters, with underscores between its parts.
func Snake(name string) string {
	ws := words(name)
	for i := range ws {
		ws[i] = strings.ToLower(ws[i])
	}
	out := strings.Join(ws, "_")
	if !beginsWithLetter(out) {
		out = "n" + out
	}
	return out
}

// Singular returns a name of several things as that of one, as far as the English
// of schemas goes.
func Singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && len(name) > 2:
		return name[:len(name)-1]
	}
	return name + "Item"
}

// Unique gives out names, each only once.
type Unique map[string]bool

// Name returns the first of the names that is not taken, and takes it. If all
// are taken, it is the last one with a number behind it.
func (u Unique) Name(names ...string) string {
	for _, n := range names {
		if !u[n] {
			u[n] = true
			return n
		}
	}
	base := names[len(names)-1]
	for i := 2; ; i++ {
		n := base + strconv.Itoa(i)
		if !u[n] {
			u[n] = true
			return n
		}
	}
}

// MemberNames returns the names of the members of a type, in a spelling. Members are fields, or the numbers of a tuple
// with names. taken are the names of other members.
func (t *Type) MemberNames(spell func(string) string, taken ...string) []string {
	u := Unique{}
	for _, n := range taken {
		u[n] = true
	}
	var out []string
	if f := t.Alone(); f != nil && f.Shape.Kind == Lanes && f.Shape.Names != nil {
		for _, n := range f.Shape.Names {
			out = append(out, u.Name(spell(n)))
		}
		return out
	}
	for _, f := range t.Fields {
		name := f.Name
		if name == "" {
			name = "value"
		}
		out = append(out, u.Name(spell(name)))
	}
	return out
}

// OptionNames returns the names of the options for gates, in a spelling. taken are the
// names of other options.
func (m *Model) OptionNames(spell func(string) string, taken ...string) []string {
	u := Unique{}
	for _, n := range taken {
		u[n] = true
	}
	var out []string
	for _, g := range m.Gates {
		out = append(out, u.Name(spell(g), spell("allow_"+g)))
	}
	return out
}

// TypeName returns the name for a type. It is the type's own name, or follows from the routine for types that have
// none. owner is what tells it from another of the same name.
func TypeName(t *Type, r *Routine) (name, owner string) {
	if t.Name != "" {
		if t.Union == "" {
			return Pascal(t.Name), Pascal(t.Name) + "Record"
		}
		return Pascal(t.Name), Pascal(t.Union) + Pascal(t.Name)
	}
	owner = Pascal(r.Name)
	return Singular(owner), owner + "Element"
}
