// The types of the package: constants, structs, and the ways from and to Values.

package golang

import (
	"fmt"
	"github.com/octable/octable/dsl/schema"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// doc prints the comment of the package.
func (g *generator) doc() string {
	p := &emitter{g: g}
	m := g.m
	title := m.Title
	if title == "" {
		title = "the format of schema " + m.Schema
	}
	p.f("%s", comment("", fmt.Sprintf("Package %s reads and writes %s.", g.o.Package, inSentence(title))))
	about := "[Decode] makes a [Value] of bytes, and [Append] bytes of a [Value]; the types of the format have functions that make one (New…, and the method Value of structs) and that look into one (As…)."
	if g.typed {
		about = "[Decode] returns " + article(g.paramType(m.Root, nil)) + " and [Append] writes one. A [Decoder] uses its memory again."
	}
	p.f("//\n%s", comment("", "It was generated from the schema "+m.Schema+sourceOf(m)+". "+about+" [Options] holds what a reader allows, and its limits."))
	p.f("//\n%s", comment("", "For any input, decoding takes memory of at most a small constant times its length, does not nest deeper than the limit, and never panics. An [Error] holds the kind of the problem, the offset of the byte, the path in the value and the row of the schema."))
	p.f("package octable\n\n")
	p.f("// Schema is the id of the schema that the package was generated from.\nconst Schema = %q\n\n", m.Schema)
	p.f("// Program is the hash of the compiled schema: packages with the same hash read and\n// write the same.\nconst Program = %q\n\n", m.Hash)
	p.f("// DefaultDepth is how deeply values may be nested where [Options] do not say.\nconst DefaultDepth = %d\n\n", m.Depth)
	g.options(p)
	p.f("// rules are the rows of the schema.\nvar rules = [...]string{\n")
	for _, r := range m.Rules {
		p.f("%q,\n", r.Name)
	}
	p.f("}\n\n")
	if g.on["text"] {
		p.f("var encodings = [...]encoding{\n")
		for _, e := range m.Encodings {
			p.f("{%s, %t, %s}, // %s\n", charsetConsts[e.Charset], e.DropBOM, nulConsts[e.NUL], e.Name)
		}
		p.f("}\n")
		g.uppers(p)
	}
	return p.String()
}

// inSentence returns a title as a part of a sentence: with a small letter if it begins with an
// article.
func inSentence(title string) string {
	if word, rest, ok := strings.Cut(title, " "); ok && (word == "A" || word == "An" || word == "The") {
		return strings.ToLower(word) + " " + rest
	}
	return title
}

// The names of the constants for encodings.
var (
	charsetConsts = [...]string{"strictUTF8", "looseUTF8", "anyBytes", "ascii", "latin1", "macRoman", "littleUTF16", "bigUTF16", "windows1252", "cp437"}
	nulConsts     = [...]string{"keepNUL", "stopNUL", "countNUL"}
)

// uppers prints the tables of the character sets that the schema uses.
func (g *generator) uppers(p *emitter) {
	if !g.on["charsets"] {
		return
	}
	p.f("\n// uppers are the characters of the bytes from 0x80 on, 0 for a byte without one.\nvar uppers = map[charset][]uint16{\n")
	for c := range builtin.NumCharsets {
		upper := c.Upper()
		if len(upper) == 0 || !slices.ContainsFunc(g.m.Encodings, func(e *schema.Encoding) bool { return e.Charset == c }) {
			continue
		}
		p.f("%s: {\n", charsetConsts[c])
		for i, x := range upper {
			p.f("%#04x,", x)
			if i%16 == 15 {
				p.f("\n")
			}
		}
		p.f("},\n")
	}
	p.f("}\n")
}

func sourceOf(m *model.Model) string {
	if m.Source == "" {
		return ""
	}
	return " (" + m.Source + ")"
}

func (g *generator) options(p *emitter) {
	p.f("// Options are the choices of one call. The zero value is the safe default.\ntype Options struct {\n")
	for i, n := range g.gate {
		p.f("%s", comment("\t", n+" allows "+g.m.Gates[i]+", in both directions."))
		p.f("\t%s bool\n", n)
	}
	p.f("\t// Strict refuses, when decoding, bytes that a writer would not produce, and\n\t// bytes after the value.\n\tStrict bool\n")
	if g.on["widths"] {
		p.f("\t// KeepWidths writes numbers in the width that they were read in, where the\n\t// default is the width that the format prefers.\n\tKeepWidths bool\n")
	}
	p.f("\t// Alias lets decoded values point into the bytes given, which must then not be\n\t// changed; the default is one private copy.\n\tAlias bool\n")
	p.f("\t// MaxDepth limits how deeply values may be nested, in both directions; 0 is\n\t// [DefaultDepth], and at most 16384 counts.\n\tMaxDepth int\n")
	if g.users != nil {
		p.f("\t// IgnoreUnknown leaves out keys of a map that the struct it is read into has no\n\t// field for; without it they are an error. Unmarshal only.\n\tIgnoreUnknown bool\n")
		p.f("\t// AllowTrailing lets Unmarshal leave bytes after the value alone.\n\tAllowTrailing bool\n")
		p.f("\t// Round lets numbers lose precision between structs and values.\n\tRound bool\n")
	}
	p.f("\t// MaxMemory limits the bytes of memory for the values of one call; 0 is no limit\n\t// beyond the constant times the input that always holds. Decoding only.\n\tMaxMemory int\n}\n\n")
	p.f("// maxDepth is the greatest depth that an option can ask for.\nconst maxDepth = 1 << 14\n\n")
	p.f("func (o *Options) depth() int {\nif o.MaxDepth > 0 {\nreturn min(o.MaxDepth, maxDepth)\n}\nreturn DefaultDepth\n}\n\n")
	p.f("// open returns the gates that are open, as bits.\nfunc (o *Options) open() (open uint8) {\n")
	for i, n := range g.gate {
		p.f("if o.%s {\nopen |= 1 << %d\n}\n", n, i)
	}
	p.f("return open\n}\n\n")
	keep := "false"
	if g.on["widths"] {
		keep = "o.KeepWidths"
	}
	p.f("func (o *Options) keepWidths() bool { return %s }\n\n", keep)
}

// types prints what users of the package see of the schema's types.
func (g *generator) types() string {
	p := &emitter{g: g}
	p.f("// The types of the schema.\n\npackage octable\n\n")
	p.f("// Type is a type of the schema. The zero Type is that of parts that have none.\ntype Type uint16\n\n// The types.\nconst (\n")
	for _, t := range g.m.Types {
		if g.typeConst[t] != "" {
			p.f("%s Type = %d%s\n", g.typeConst[t], t.Tag, lineComment(label(t)))
		}
	}
	p.f(")\n\n// types are what is known of the types.\nvar types = [...]typeInfo{\n")
	var elements []*model.Type
	for _, t := range g.m.Types {
		switch {
		case t.Tag == 0 && len(t.Fields) > 0 && t.Alone() == nil:
			elements = append(elements, t)
		case g.typeConst[t] != "":
			p.f("%s: %s,\n", g.typeConst[t], g.infoText(t))
		}
	}
	p.f("}\n\n")
	for _, t := range elements {
		p.f("var element%d = typeInfo%s\n\n", t.Index, g.infoText(t))
	}
	done := map[*model.Type]bool{}
	g.m.Each(func(r *model.Routine, t *model.Type, _ []*model.Stmt) {
		if !done[t] {
			done[t] = true
			p.typ(t, r)
		}
	})
	g.numberHelpers(p)
	return p.String()
}

// exported is the name of a field in Go.
func exported(name string) string {
	out := model.Pascal(name)
	for _, s := range []string{"Id", "Url", "Uri", "Uid", "Ip"} {
		if out == s {
			return strings.ToUpper(s)
		}
		if head, ok := strings.CutSuffix(out, s); ok && strings.HasSuffix(name, "_"+strings.ToLower(s)) {
			return head + strings.ToUpper(s)
		}
	}
	return out
}

func lineComment(s string) string {
	if s == "" {
		return ""
	}
	return " // " + s
}

func label(t *model.Type) string {
	if t.Union != "" && !t.Else {
		return fmt.Sprintf("%s %s, %s", t.Union, model.Numbers(t.IDs), t.Name)
	}
	return ""
}

// keyRules are the names of rules for keys in the generated package.
var keyRules = [builtin.NumKeyRules]string{
	builtin.KeyEqual: "keyByText", builtin.KeyDiffer: "keyDiffer", builtin.KeyExact: "keyExact", builtin.KeyApart: "keyApart", builtin.KeyEmpty: "keyEmpty",
}

func (g *generator) infoText(t *model.Type) string {
	var fields, keys []string
	for _, f := range t.Fields {
		kind := f.Kind.String()
		fields = append(fields, fmt.Sprintf("{%q, Kind%s%s, %t}", f.Name, strings.ToUpper(kind[:1]), kind[1:], f.Alone))
	}
	for rule, on := range t.Keys.Rule {
		if on {
			keys = append(keys, keyRules[rule])
		}
	}
	if t.Keys.Core {
		keys = append(keys, "keyCore")
	}
	if len(keys) == 0 {
		keys = []string{"0"}
	}
	list := "nil"
	if len(fields) > 0 {
		list = "[]fieldInfo{" + strings.Join(fields, ", ") + "}"
	}
	return fmt.Sprintf("{%q, %s, %s}", t.Name, list, strings.Join(keys, " | "))
}

// docOf prints the comment of a declaration: what it is, and what the schema says
// of the type.
func docOf(name, intro string, t *model.Type) string {
	return comment("", strings.TrimSpace(name+" "+intro+". "+strings.Join(t.Doc, " ")))
}

// called is how a type is called in comments.
func called(t *model.Type) string {
	switch {
	case t.Union == "" || t.Else:
		return t.Name
	case t.Label != "" && !strings.EqualFold(t.Label, t.Name):
		return fmt.Sprintf("%s (%s %s, %q)", t.Name, t.Union, model.Numbers(t.IDs), t.Label)
	}
	return fmt.Sprintf("%s (%s %s)", t.Name, t.Union, model.Numbers(t.IDs))
}

// typ prints a type, and the ways from and to values.
func (p *emitter) typ(t *model.Type, r *model.Routine) {
	g := p.g
	name, tag := g.goType[t], g.tag(t)
	base := strings.TrimPrefix(tag, "Type")
	f := t.Alone()
	switch {
	case len(t.Fields) == 0:
		if t.Tag > 0 {
			p.f("%s", docOf("New"+base, "returns "+called(t), t))
			p.f("func New%s() Value { return makeUnit(%s) }\n\n", base, tag)
		}
	case name != "" && f != nil:
		p.lanesType(t, f, name, tag)
	case name != "":
		p.structType(t, r, name, tag)
	case t.Tag > 0 && t.Union != "":
		p.simple(t, f, base, tag)
	}
}

// simple prints the ways from and to values of a type that is one thing.
func (p *emitter) simple(t *model.Type, f *model.Field, base, tag string) {
	g := p.g
	typ := g.goShape(f.Shape, t)
	param, arg := "x "+typ, "x"
	if f.Shape.Kind == model.List && f.Shape.Elem.Kind == model.Union || f.Shape.Kind == model.Map && typ == "[]Pair" {
		param = "x ..." + strings.TrimPrefix(typ, "[]")
	}
	elem := g.elemOf[t]
	value := g.toValue(f.Shape, arg, tag)
	if elem != "" {
		value = g.numbers(f.Shape, tag, "bytes"+elem+"(x)")
		g.helpers["bytes"+elem] = true
	}
	p.f("%s", docOf("New"+base, "returns "+called(t)+with(t, f), t))
	p.f("func New%s(%s) Value { return %s }\n\n", base, param, value)
	p.f("%s", comment("", fmt.Sprintf("As%s returns what is in %s; ok is false for other types%s.", base, called(t), inexact(f.Shape))))
	p.f("func (v Value) As%s() (x %s, ok bool) {\nif v.tag != %s {\nreturn x, false\n}\nok = true\n", base, typ, tag)
	if elem != "" {
		p.f("x = make(%s, v.count(true))\nok = get%s(v, x)\n", typ, elem+"s")
	} else {
		p.fromValue(f.Shape, "v", "x")
	}
	p.f("return x, ok\n}\n\n")
}

// with is what the row of the only field says, where the type says nothing.
func with(t *model.Type, f *model.Field) string {
	if f.Doc == "" || len(t.Doc) > 0 || len(f.Shape.Scalars) > 1 || f.Shape.Kind == model.Packed {
		return ""
	}
	return ": " + strings.TrimSuffix(f.Doc, ".")
}

// inexact says when looking into a value fails though it is of the type.
func inexact(s *model.Shape) string {
	if (s.Kind == model.Lanes || s.Kind == model.Packed) && s.Scalar() == builtin.F32 && len(s.Scalars) > 1 {
		return ", and for numbers that would have to be rounded, which [Value.Floats] gives"
	}
	return ""
}

// lanesType prints the struct of a tuple of numbers.
func (p *emitter) lanesType(t *model.Type, f *model.Field, name, tag string) {
	g := p.g
	s := f.Shape
	p.f("%s", docOf(name, "is what is in "+called(t), t))
	var fields []string
	u := model.Unique{"Value": true}
	for _, n := range s.Names {
		fields = append(fields, u.Name(exported(n)))
	}
	typ := scalarGo(s.Scalar())
	p.tupleType(name, fields, typ, t)
	bulk := g.bulk(s.Scalar())
	var xs, outs []string
	for i, n := range fields {
		xs = append(xs, "x."+n)
		outs = append(outs, fmt.Sprintf("n[%d]", i))
	}
	p.f("// Value returns x as a [Value].\nfunc (x %s) Value() Value {\n", name)
	p.f("n := [...]%s{%s}\nreturn %s\n}\n\n", typ, strings.Join(xs, ", "), g.numbers(s, tag, g.putNumbers(s, "n[:]")))
	p.f("%s", comment("", fmt.Sprintf("As%s returns what is in %s; ok is false for other types%s.", strings.TrimPrefix(tag, "Type"), called(t), inexact(s))))
	p.f("func (v Value) As%s() (x %s, ok bool) { return as%s(v) }\n\n", strings.TrimPrefix(tag, "Type"), name, name)
	p.f("func as%s(v Value) (x %s, ok bool) {\nvar n [%d]%s\nif v.tag != %s || !get%s(v, KindLanes, %d, n[:]) {\nreturn x, false\n}\n", name, name, s.Width, typ, tag, bulk, s.Width)
	p.f("return %s{%s}, true\n}\n\n", name, strings.Join(outs, ", "))
	if g.usedAsElement(name) {
		p.f("func bytes%s(x []%s) []byte {\nb := make([]byte, 0, len(x)*%d)\nfor i := range x {\nn := [...]%s{%s}\nb = append(b, %s...)\n}\nreturn b\n}\n\n",
			name, name, s.Width*s.Scalar().Held().Width(), typ, strings.ReplaceAll(strings.Join(xs, ", "), "x.", "x[i]."), g.putNumbers(s, "n[:]"))
		p.f("func get%ss(v Value, x []%s) bool {\nn := make([]%s, %d*len(x))\nif !get%s(v, KindPacked, %d, n) {\nreturn false\n}\nfor i := range x {\n", name, name, typ, s.Width, bulk, s.Width)
		var at []string
		for i := range fields {
			at = append(at, fmt.Sprintf("n[%d*i+%d]", s.Width, i))
		}
		p.f("x[i] = %s{%s}\n}\nreturn true\n}\n\n", name, strings.Join(at, ", "))
	}
}

func (g *generator) usedAsElement(name string) bool {
	for _, e := range g.elemOf {
		if e == name {
			return true
		}
	}
	return false
}

// structType prints the struct of a record.
func (p *emitter) structType(t *model.Type, r *model.Routine, name, tag string) {
	g := p.g
	intro := "is what is in " + called(t)
	if t.Name == "" {
		intro = "is an element of " + r.Name
	}
	p.f("%s", docOf(name, intro, t))
	p.f("type %s struct {\n", name)
	var names, types []string
	u := model.Unique{"Value": g.isMethod(t)}
	for _, f := range t.Fields {
		n := u.Name(exported(f.Name))
		names = append(names, n)
		typ := g.goShape(f.Shape, nil)
		doc := f.Doc
		if f.Optional {
			if nilable(f.Shape) {
				doc += "; nil if absent"
			} else if absent(f.Shape) {
				doc += "; no value if absent"
			} else {
				typ = "*" + typ
				doc += "; nil if absent"
			}
		}
		types = append(types, typ)
		p.f("%s %s%s\n", n, typ, lineComment(strings.TrimPrefix(doc, "; ")))
	}
	p.f("}\n\n")
	method := "Value"
	if !g.isMethod(t) {
		method = "AsValue"
	}
	p.f("// %s returns x as a [Value].\nfunc (x %s) %s() Value {\nvar cells [%d]Value\n", method, name, method, len(t.Fields))
	for i, f := range t.Fields {
		x := "x." + names[i]
		switch {
		case !f.Optional || absent(f.Shape):
			p.f("cells[%d] = %s\n", i, g.toValue(f.Shape, x, g.tagOf(f.Shape)))
		case nilable(f.Shape):
			p.f("if %s != nil {\ncells[%d] = %s\n}\n", x, i, g.toValue(f.Shape, x, g.tagOf(f.Shape)))
		default:
			inner := "*" + x
			if f.Shape.Kind == model.Record || f.Shape.Kind == model.Lanes {
				inner = x
			}
			p.f("if %s != nil {\ncells[%d] = %s\n}\n", x, i, g.toValue(f.Shape, inner, g.tagOf(f.Shape)))
		}
	}
	p.f("v, _ := record(%s, %s, cells[:])\nreturn v\n}\n\n", tag, g.info(t))
	if t.Tag > 0 {
		p.f("%s", comment("", fmt.Sprintf("As%s returns what is in %s; ok is false for other types.", strings.TrimPrefix(tag, "Type"), called(t))))
		p.f("func (v Value) As%s() (x %s, ok bool) { return as%s(v) }\n\n", strings.TrimPrefix(tag, "Type"), name, name)
	}
	p.f("func as%s(v Value) (x %s, ok bool) {\nvar cells [%d]Value\nif v.tag != %s || !distribute(%s, v, cells[:]) {\nreturn x, false\n}\nok = true\n", name, name, len(t.Fields), tag, g.info(t))
	for i, f := range t.Fields {
		c, x := fmt.Sprintf("cells[%d]", i), "x."+names[i]
		if !f.Optional || absent(f.Shape) {
			p.fromValue(f.Shape, c, x)
			continue
		}
		p.f("if %s.kind != KindNone {\n", c)
		if nilable(f.Shape) {
			p.fromValue(f.Shape, c, x)
			if f.Shape.Kind == model.List && f.Shape.Elem.Kind == model.Union {
				p.f("if %s == nil {\n%s = []Value{}\n}\n", x, x)
			}
		} else {
			p.f("var in %s\n", strings.TrimPrefix(types[i], "*"))
			p.fromValue(f.Shape, c, "in")
			p.f("%s = &in\n", x)
		}
		p.f("}\n")
	}
	p.f("return x, ok\n}\n\n")
	p.around(t, name, tag)
}

// isMethod reports whether the struct of a type can have a method Value: no field
// is called that.
func (g *generator) isMethod(t *model.Type) bool {
	for _, f := range t.Fields {
		if exported(f.Name) == "Value" {
			return false
		}
	}
	return true
}

// absent reports whether the Go type of a shape is Value, which may be no value.
func absent(s *model.Shape) bool { return s.Kind == model.Union }

func nilable(s *model.Shape) bool {
	return s.Kind == model.List || s.Kind == model.Map || s.Kind == model.Packed
}

// around prints a short way to values of a type. Such a type has one field that
// is always there, as a list or a map, and optional ones beside it.
func (p *emitter) around(t *model.Type, name, tag string) {
	g := p.g
	var core *model.Field
	for _, f := range t.Fields {
		if f.Alone && !f.Optional && core == nil {
			core = f
		} else if !f.Optional {
			return
		}
	}
	if core == nil || t.Tag == 0 {
		return
	}
	typ := g.goShape(core.Shape, nil)
	param := "x " + typ
	if strings.HasPrefix(typ, "[]") {
		param = "x ..." + strings.TrimPrefix(typ, "[]")
	}
	base := strings.TrimPrefix(tag, "Type")
	p.f("%s", comment("", fmt.Sprintf("New%s returns %s with nothing but its %s.", base, called(t), core.Name)))
	p.f("func New%s(%s) Value { return %s }\n\n", base, param, g.toValue(core.Shape, "x", tag))
}
