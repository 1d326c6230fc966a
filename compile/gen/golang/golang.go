// The package of a schema: what it is made of.

package golang

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

//go:embed runtime/*.go.txt
var runtime embed.FS

// PackageName returns the name of a Go package that is made from the id of a schema.
func PackageName(id string) string {
	name := strings.ReplaceAll(model.Snake(id), "_", "")
	if token.IsKeyword(name) {
		name += "format"
	}
	return name
}

// Generate returns the files of a Go package that reads and writes the values of a
// schema.
func Generate(m *model.Model, o model.Options) ([]model.File, error) {
	if o.Package == "" && o.Structs == nil {
		o.Package = PackageName(m.Schema)
	}
	if o.Package != "" && (!token.IsIdentifier(o.Package) || o.Package == "_") {
		return nil, fmt.Errorf("%q is no name for a Go package; a name begins with a letter, has letters, digits and _ after it, and is no keyword", o.Package)
	}
	g := newGenerator(m, o)
	if len(m.Rules) > 1<<16 {
		return nil, fmt.Errorf("the schema has %d rows, and at most %d can be generated", len(m.Rules), 1<<16)
	}
	if g.typed {
		return g.typedFiles()
	}
	g.on["values"], g.on["valueMaps"] = true, g.on["maps"]
	if err := g.parseStructs(); err != nil {
		return nil, err
	}
	g.name()
	if err := g.structs(); err != nil {
		return nil, err
	}
	o = g.o
	g.on["structs"] = g.users != nil
	var files []model.File
	for _, part := range []struct {
		name    string
		when    bool
		content func() string
	}{
		{"doc", true, g.doc},
		{"types", true, g.types},
		{"read", true, g.readers},
		{"write", true, g.writers},
		{"structs", g.users != nil, g.structsFile},
		{"users", g.users != nil, g.usersFile},
		{"fastread", g.fast != nil, g.fastReader},
		{"fastwrite", g.fast != nil, g.fastWriter},
		{"value", true, nil},
		{"number", true, nil},
		{"decode", true, nil},
		{"encode", true, nil},
		{"error", true, nil},
		{"text", g.on["text"], nil},
		{"keys", g.on["maps"], nil},
		{"sums", g.on["sums"], nil},
		{"parts", g.on["parts"], nil},
	} {
		if !part.when {
			continue
		}
		var text string
		if part.content != nil {
			text = part.content()
		} else {
			b, err := runtime.ReadFile("runtime/" + part.name + ".go.txt")
			if err != nil {
				return nil, err
			}
			text = g.section(string(b))
		}
		out, err := g.finish(copied(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
		name := part.name + ".go"
		if g.users != nil { // beside files of the user
			name = "octable_" + name
		}
		files = append(files, model.File{Name: name, Text: out})
	}
	if g.source != nil {
		if err := g.source.collide(files); err != nil {
			return nil, err
		}
	}
	return files, nil
}

type generator struct {
	m  *model.Model
	o  model.Options
	on map[string]bool // what the schema has, for the sections of the runtime

	typeConst map[*model.Type]string // of the types that have a tag
	goType    map[*model.Type]string // struct types
	elemOf    map[*model.Type]string // of packed arrays of tuples: the struct of an element
	routine   map[*model.Routine]string
	arm       map[*model.Arm]string
	gate      []string
	userTypes map[string]ast.Expr // declared beside the structs of users
	source    *structReader
	users     []*userStruct
	nat       natural
	fast      map[*model.Arm]*plain // the plain forms of the root's union

	// Of typed packages.
	typed   bool
	union   map[*model.Routine]string // interfaces
	armName map[*model.Routine]string // types of the names of arms
	cells   []place                   // of the record that is printed
	known   map[string]bool           // optional fields that are not nil here
	values  map[int]string            // what registers that are set once hold
	filled  map[int][]bitField        // the fields of the bits of a register that is set once
	sets    map[int]int               // how many statements set each register
	sums    map[int]offset            // what registers hold in a case of a number
	of      string                    // that number
	bounds  map[string]builtin.Ranges // numbers of which it is known what they are in a case
	regs    map[int]string            // what the registers hold that a case sets
	hidden  []string                  // statements of records that are written inside of other ones
	once    map[*model.Routine]bool   // routines whose values are written by the function of another one
	keyed   []*model.Type             // records in keys of maps
	slabs   map[string]string         // by use and type
	helpers map[string]bool           // functions that expressions need
}

func newGenerator(m *model.Model, o model.Options) *generator {
	return &generator{
		m: m, o: o, on: m.Features(), helpers: map[string]bool{}, typed: o.Structs == nil && !m.IsVariant(),
		typeConst: map[*model.Type]string{}, goType: map[*model.Type]string{}, elemOf: map[*model.Type]string{},
		routine: map[*model.Routine]string{}, arm: map[*model.Arm]string{},
	}
}

// header is the first line of every file.
func (g *generator) header() string {
	choice := ""
	if g.m.Choice != "" {
		choice = ", " + g.m.Choice
	}
	return fmt.Sprintf("// Code generated by octable gen go from schema %s%s. DO NOT EDIT.\n// Program %s\n\n", g.m.Schema, choice, g.m.Hash)
}

// finish completes a file. It adds the header, the name of the package and the
// imports that it needs, and formats it as gofmt does.
func (g *generator) finish(text string) ([]byte, error) {
	begin := strings.Index(text, "\npackage ") + 1
	if strings.HasPrefix(text, "package ") {
		begin = 0
	}
	comment, body := text[:begin], text[begin:]
	body = body[strings.IndexByte(body, '\n')+1:]
	if i := strings.Index(body, "\nimport ("); i >= 0 {
		body = body[:i] + body[i+strings.Index(body[i:], "\n)\n")+3:]
	}
	code := notCode.ReplaceAllString(body, " ")
	var imports strings.Builder
	for _, path := range []string{"bytes", "cmp", "encoding/binary", "errors", "fmt", "hash/adler32", "hash/crc32", "hash/maphash", "iter", "math", "math/bits", "reflect", "slices", "strconv", "strings", "sync", "unicode/utf16", "unicode/utf8", "unsafe"} {
		if name := path[strings.LastIndexByte(path, '/')+1:]; uses(code, name) {
			fmt.Fprintf(&imports, "\t%q\n", path)
		}
	}
	var b bytes.Buffer
	b.WriteString(g.header())
	b.WriteString(comment)
	fmt.Fprintf(&b, "package %s\n", g.o.Package)
	if imports.Len() > 0 {
		fmt.Fprintf(&b, "\nimport (\n%s)\n", imports.String())
	}
	b.WriteString(body)
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, b.Bytes())
	}
	return out, nil
}

// notCode matches texts, characters and comments.
var notCode = regexp.MustCompile("\"(?:\\\\.|[^\"\\\\\n])*\"|`[^`]*`|'(?:\\\\.|[^'\\\\\n])+'|//[^\n]*")

// uses reports whether code, without its comments and quoted texts, uses a package.
func uses(code, name string) bool {
	for rest := code; ; {
		i := strings.Index(rest, name+".")
		if i < 0 {
			return false
		}
		if i == 0 || !(isWord(rest[i-1]) || rest[i-1] == '.') {
			return true
		}
		rest = rest[i+1:]
	}
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// section leaves out what the schema does not need, and fills in names.
func (g *generator) section(text string) string {
	text = model.Sections(copied(text), "//gen:", g.on)
	names := []string{"ROOTMIN", fmt.Sprint(g.m.Root.Min), "ROOT", g.routine[g.m.Root]}
	if root := g.m.Root; g.typed {
		typ, param, ref := g.paramType(root, nil), "*"+g.paramType(root, nil), "x"
		if root.Union != nil {
			param, ref = typ, "&x"
		}
		names = append([]string{"ROOTTYPE", typ, "ROOTPARAM", param, "ROOTREF", ref}, names...)
	}
	return strings.NewReplacer(names...).Replace(text)
}

// name chooses the names of what is declared.
func (g *generator) name() {
	taken := model.Unique{}
	for _, n := range []string{"Append", "Decode", "Decoder", "DefaultDepth", "Encode", "Encoder", "Error", "Kind", "Options", "Pair", "Program", "SameKey", "Schema", "Type", "Value",
		"ErrTruncated", "ErrType", "ErrText", "ErrValue", "ErrClosed", "ErrDepth", "ErrLimit", "ErrNotCanonical", "ErrTrailing", "ErrChecksum", "ErrMismatch", "ErrRange"} {
		taken[n] = true
	}
	for _, n := range []string{"Struct", "TypeError", "Unmarshal", "Marshal", "ErrUnknownKey", "ErrMissingKey", "ErrDuplicateKey"} {
		taken[n] = true
	}
	for n := range g.userTypes {
		taken[n] = true
	}
	consts := model.Unique{}
	for _, k := range []string{"None", "Unit", "Bool", "Int", "Uint", "Float", "Text", "Lanes", "Packed", "List", "Map", "Record"} {
		taken["Kind"+k] = true
	}
	g.nameRoutines()
	g.m.Each(func(r *model.Routine, t *model.Type, _ []*model.Stmt) {
		if _, again := g.goType[t]; again {
			return
		}
		name, owner := model.TypeName(t, r)
		if t.Tag > 0 {
			g.typeConst[t] = "Type" + consts.Name(name, owner)
		}
		if g.isStruct(t) {
			g.goType[t] = taken.Name(name, owner)
		}
	})
	g.gate = Gates(g.m)
	g.elements()
	g.fast = g.plains()
	g.on["fast"] = g.fast != nil
}

// nameRoutines chooses the names of the functions of routines and arms.
func (g *generator) nameRoutines() {
	routines := model.Unique{}
	for _, r := range g.m.Routines {
		g.routine[r] = routines.Name(model.Pascal(r.Name))
	}
	for _, r := range g.m.Routines {
		if r.Union != nil {
			for _, a := range r.Union.Arms {
				g.arm[a] = routines.Name(g.routine[r] + model.Pascal(a.Type.Name))
			}
		}
	}
}

// Gates returns the names of the options for gates.
func Gates(m *model.Model) []string {
	return m.OptionNames(model.Pascal, "Strict", "KeepWidths", "Alias", "MaxDepth", "IgnoreUnknown", "AllowTrailing", "Round", "MaxMemory")
}

// isStruct reports whether a struct is generated for a type. Such a type has
// fields, unless its only one represents it and is no tuple with names.
func (g *generator) isStruct(t *model.Type) bool {
	if f := t.Alone(); f != nil {
		return f.Shape.Kind == model.Lanes && f.Shape.Names != nil
	}
	return len(t.Fields) > 0
}

// elements finds, for packed arrays of tuples, the type of a tuple that they are
// named after. The name "PointArray" has Point in it.
func (g *generator) elements() {
	for _, t := range g.m.Types {
		f := t.Alone()
		if f == nil || f.Shape.Kind != model.Packed || f.Shape.Width < 2 {
			continue
		}
		best := ""
		for _, e := range g.m.Types {
			l := e.Alone()
			if l == nil || e.Tag == 0 || l.Shape.Kind != model.Lanes || l.Shape.Names == nil || l.Shape.Width != f.Shape.Width || l.Shape.Scalar() != f.Shape.Scalar() {
				continue
			}
			if strings.Contains(t.Name, e.Name) && len(e.Name) > len(best) {
				best = e.Name
				g.elemOf[t] = g.goType[e]
			}
		}
	}
}

// quote makes a comment of a text, whose lines are broken at 80 columns.
func comment(indent, text string) string {
	var out strings.Builder
	for para := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line := indent + "//"
		for _, w := range strings.Fields(para) {
			if len([]rune(line))+1+len([]rune(w)) > 80 && line != indent+"//" {
				out.WriteString(line + "\n")
				line = indent + "//"
			}
			line += " " + w
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[int]V) []int {
	var out []int
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
