// Structs of users: what their types are in the format.

package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// sort is what a Go type is converted as.
type sort int

const (
	sortBool   sort = iota
	sortInt         // integers
	sortFloat       // floats
	sortText        // strings
	sortLanes       // structs and arrays of numbers, as a tuple of the format
	sortPacked      // slices of numbers or tuples, as a packed array
	sortTexts       // []string, as a list of texts
	sortList        // slices
	sortMap         // map[string]T
	sortStruct      // structs of the file
	sortPointer
	sortValue // Value
	sortArm   // structs of this package that represent an arm
)

// userType is a Go type in the source file.
type userType struct {
	sort   sort
	text   string // the type in the source
	base   string // of numbers: what they are made of, as Go calls it
	bits   int    // sortInt, sortFloat
	signed bool
	arm    *model.Arm // what is written; of sortStruct and sortMap, the map
	elem   *userType
	str    *userStruct
	lanes  []string       // sortLanes: the numbers, as in x.X or x[0], without the x
	lane   *userType      // and their type
	scalar builtin.Scalar // sortLanes, sortPacked
	round  bool
}

// userStruct is a struct of the source file that gets functions.
type userStruct struct {
	name   string
	fields []*userField
}

type userField struct {
	name, key string
	typ       *userType
	omit      bool
	required  bool
}

// natural are the arms for values of the language.
type natural struct {
	unit, boolean, integer, real, text, list, mapping *model.Arm
}

// structReader reads the source file.
type structReader struct {
	g     *generator
	file  *token.FileSet
	types map[string]ast.Expr // declared in the file
	all   []*ast.Ident        // all that it declares, except methods
	names []string            // in order
	done  map[string]*userStruct
	order []*userStruct
	nat   natural
	tag   string
}

// parseStructs reads the source file, whose names are not to be taken.
func (g *generator) parseStructs() error {
	if g.o.Structs == nil {
		return nil
	}
	src := g.o.Structs
	r := &structReader{g: g, file: token.NewFileSet(), types: map[string]ast.Expr{}, done: map[string]*userStruct{}, tag: g.o.Tag}
	if r.tag == "" {
		r.tag = "octable"
	}
	f, err := parser.ParseFile(r.file, src.Name, src.Text, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("the structs cannot be read: %w", err)
	}
	if g.o.Package == "" {
		g.o.Package = f.Name.Name
	}
	if f.Name.Name != g.o.Package {
		return fmt.Errorf("%s is of package %s; the code for its structs has to be in the same package, so leave -package out, or give it that name", src.Name, f.Name.Name)
	}
	r.all = declared(f)
	var names []string
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.TypeSpec)
			if spec.TypeParams != nil || spec.Assign != 0 {
				continue
			}
			r.types[spec.Name.Name] = spec.Type
			names = append(names, spec.Name.Name)
		}
	}
	g.userTypes, g.source = r.types, r
	r.names = names
	return nil
}

// declared returns the names that a file declares for its package.
func declared(f *ast.File) []*ast.Ident {
	var out []*ast.Ident
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				out = append(out, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out = append(out, s.Name)
				case *ast.ValueSpec:
					out = append(out, s.Names...)
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(n *ast.Ident) bool { return n.Name == "_" })
}

// collide refuses a source file that declares what generated files declare too.
func (r *structReader) collide(files []model.File) error {
	taken := map[string]string{}
	for _, f := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, n := range declared(tree) {
			taken[n.Name] = f.Name
		}
	}
	for _, n := range r.all {
		if file, ok := taken[n.Name]; ok {
			return r.errorf(n, "%s is declared by the generated file %s too; give it another name", n.Name, file)
		}
	}
	return nil
}

// structs finds out what the structs of the source file are in the format.
func (g *generator) structs() error {
	r := g.source
	if r == nil {
		return nil
	}
	if g.m.Root.Union == nil {
		return fmt.Errorf("schema %s has no type for structs: its outermost value is no union with a map in it", g.m.Schema)
	}
	r.naturals()
	switch {
	case g.fast == nil || r.nat.mapping == nil || r.nat.text == nil:
		return fmt.Errorf("schema %s has no plain map with texts for keys, which structs are written as", g.m.Schema)
	}
	for _, n := range r.names {
		if s, ok := r.types[n].(*ast.StructType); ok && r.tagged(s) {
			if _, err := r.structure(n, s); err != nil {
				return err
			}
		}
	}
	if len(r.order) == 0 {
		return fmt.Errorf("%s has no structs with fields that have the tag %s:\"…\"", g.o.Structs.Name, r.tag)
	}
	g.users, g.nat = r.order, r.nat
	return nil
}

// naturals finds the arms for values of the language.
func (r *structReader) naturals() {
	n := &r.nat
	for _, p := range r.g.ordered() {
		t := p.arm.Type
		switch {
		case p.kind == plainUnit && t.Natural:
			n.unit = p.arm
		case p.kind == plainTruth && t.Natural && p.writes:
			n.boolean = p.arm
		case t.Natural && p.writes && (p.kind == plainInts || p.kind == plainScalar && !p.scalar.IsFloat()):
			n.integer = p.arm
		case t.Natural && p.writes && (p.kind == plainFloats || p.kind == plainScalar && p.scalar.IsFloat()):
			n.real = p.arm
		case p.kind == plainText && t.Natural && p.writes:
			n.text = p.arm
		case p.kind == plainList && n.list == nil && p.writes:
			n.list = p.arm
		case p.kind == plainMap && n.mapping == nil && p.writes:
			n.mapping = p.arm
		}
	}
}

// tagged reports whether a struct has a field with the tag.
func (r *structReader) tagged(s *ast.StructType) bool {
	return slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
		_, ok := r.tagOf(f)
		return ok
	})
}

func (r *structReader) tagOf(f *ast.Field) (string, bool) {
	if f.Tag == nil {
		return "", false
	}
	text, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return "", false
	}
	return reflect.StructTag(text).Lookup(r.tag)
}

func (r *structReader) errorf(n ast.Node, format string, args ...any) error {
	return fmt.Errorf("%s: %s", r.file.Position(n.Pos()), fmt.Sprintf(format, args...))
}

// structure collects the fields of a struct.
func (r *structReader) structure(name string, s *ast.StructType) (*userStruct, error) {
	if out := r.done[name]; out != nil {
		return out, nil
	}
	out := &userStruct{name: name}
	r.done[name] = out
	keys := map[string]bool{}
	for _, f := range s.Fields.List {
		tag, _ := r.tagOf(f)
		if tag == "-" {
			continue
		}
		if len(f.Names) == 0 {
			return nil, r.errorf(f, "an embedded struct cannot be generated; give the field a name, or leave it out with the tag `%s:\"-\"`", r.tag)
		}
		for _, n := range f.Names {
			if !n.IsExported() {
				if tag != "" {
					return nil, r.errorf(n, "%s.%s has a tag and is not exported, so that package codec would leave it out; let its name begin with a capital, or take the tag away", name, n.Name)
				}
				continue
			}
			field := &userField{name: n.Name, key: n.Name}
			want, round := "", false
			for i, option := range strings.Split(tag, ",") {
				switch opt, arg, _ := strings.Cut(option, "="); {
				case i == 0:
					if option != "" {
						field.key = option
					}
				case option == "omitempty":
					field.omit = true
				case option == "required":
					field.required = true
				case option == "round":
					round = true
				case opt == "type":
					want = arg
				default:
					return nil, r.errorf(f, "the tag of %s.%s has the option %q, which cannot be generated; there are omitempty, required, round and type=…", name, n.Name, option)
				}
			}
			if keys[field.key] {
				return nil, r.errorf(f, "two fields of %s have the key %q; give one another name in its tag", name, field.key)
			}
			keys[field.key] = true
			var err error
			if field.typ, err = r.typ(f.Type, want); err != nil {
				return nil, fmt.Errorf("%w (%s.%s)", err, name, n.Name)
			}
			field.typ.setRound(round)
			out.fields = append(out.fields, field)
		}
	}
	if len(out.fields) > 64 {
		return nil, r.errorf(s, "%s has %d fields, and at most 64 can be generated", name, len(out.fields))
	}
	r.order = append(r.order, out)
	return out, nil
}

// setRound lets the numbers of a type be rounded.
func (t *userType) setRound(round bool) {
	for ; t != nil; t = t.elem {
		t.round = t.round || round
	}
}

// armNamed returns the arm of the root with a name.
func (r *structReader) armNamed(name string) *model.Arm {
	for _, a := range r.g.m.Root.Union.Arms {
		if a.Type.Name == name {
			return a
		}
	}
	return nil
}

// typ finds out what a type is in the format. want is the type that a tag asks for.
func (r *structReader) typ(e ast.Expr, want string) (*userType, error) {
	t := &userType{text: exprText(e)}
	var err error
	bad := func(what string) (*userType, error) {
		return nil, r.errorf(e, "the type %s %s", t.text, what)
	}
	var wanted *model.Arm
	if want != "" {
		if wanted = r.armNamed(want); wanted == nil {
			return bad(fmt.Sprintf("is to be %s, which schema %s does not have", want, r.g.m.Schema))
		}
	}
	fits := func(a *model.Arm) bool { return a != nil && (wanted == nil || wanted == a) }
	switch x := e.(type) {
	case *ast.ParenExpr:
		return r.typ(x.X, want)
	case *ast.StarExpr:
		if r.nat.unit == nil {
			return bad("is a pointer, and the schema has nothing that says there is no value")
		}
		t.sort, t.arm = sortPointer, r.nat.unit
		if t.elem, err = r.typ(x.X, want); err != nil {
			return nil, err
		}
		if t.elem.sort == sortPointer {
			return bad("is a pointer to a pointer, which cannot be generated")
		}
		return t, nil
	case *ast.MapType:
		if exprText(x.Key) != "string" || !fits(r.nat.mapping) {
			return bad("cannot be generated; maps have keys of type string")
		}
		t.sort, t.arm = sortMap, r.nat.mapping
		t.elem, err = r.typ(x.Value, "")
		return t, err
	case *ast.ArrayType:
		if x.Len != nil {
			if wanted == nil || !r.lanes(t, wanted, e) {
				return bad("cannot be generated; an array needs type=T in its tag, with a T of as many numbers")
			}
			return t, nil
		}
		return r.slice(t, x, wanted, bad)
	case *ast.Ident:
		return r.named(t, x, wanted, fits, bad)
	}
	return bad("cannot be generated; there are bool, numbers, string, structs, slices, arrays, pointers, map[string]T and the types of this package")
}

// named finds out what a type with a name is.
func (r *structReader) named(t *userType, x *ast.Ident, wanted *model.Arm, fits func(*model.Arm) bool, bad func(string) (*userType, error)) (*userType, error) {
	g := r.g
	under, declared := r.types[x.Name]
	if declared {
		if s, ok := under.(*ast.StructType); ok {
			lanes := wanted
			if lanes == nil {
				lanes = r.armNamed(x.Name)
			}
			if lanes != nil && r.lanes(t, lanes, under) {
				t.text = x.Name
				return t, nil
			}
			if !fits(r.nat.mapping) {
				return bad(fmt.Sprintf("cannot be %s", wanted.Type.Name))
			}
			t.sort, t.arm = sortStruct, r.nat.mapping
			var err error
			t.str, err = r.structure(x.Name, s)
			return t, err
		}
		want := ""
		if wanted != nil {
			want = wanted.Type.Name
		}
		inner, err := r.typ(under, want)
		if err != nil {
			return nil, err
		}
		out := *inner
		out.text = x.Name
		return &out, nil
	}
	basic := func(s sort, a *model.Arm) (*userType, error) {
		if !fits(a) {
			if a == nil {
				return bad(fmt.Sprintf("has nothing that it could be in schema %s", g.m.Schema))
			}
			return bad(fmt.Sprintf("cannot be %s", wanted.Type.Name))
		}
		t.sort, t.arm = s, a
		return t, nil
	}
	switch n := x.Name; n {
	case "bool":
		return basic(sortBool, r.nat.boolean)
	case "string":
		if wanted != nil && r.g.fast[wanted] != nil && r.g.fast[wanted].kind == plainText && r.g.fast[wanted].writes {
			return basic(sortText, wanted)
		}
		return basic(sortText, r.nat.text)
	case "int", "int8", "int16", "int32", "int64", "rune":
		t.signed = true
		t.bits = map[string]int{"int": 0, "int8": 8, "int16": 16, "int32": 32, "int64": 64, "rune": 32}[n]
		t.base = strings.Replace(n, "rune", "int32", 1)
		return basic(sortInt, r.nat.integer)
	case "uint", "uint8", "uint16", "uint32", "uint64", "byte":
		t.bits = map[string]int{"uint": 0, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "byte": 8}[n]
		t.base = strings.Replace(n, "byte", "uint8", 1)
		return basic(sortInt, r.nat.integer)
	case "float32", "float64":
		t.bits, t.base = map[string]int{"float32": 32, "float64": 64}[n], n
		return basic(sortFloat, r.nat.real)
	case "Value":
		t.sort = sortValue
		return t, nil
	}
	for _, a := range g.m.Root.Union.Arms {
		if g.goType[a.Type] != x.Name || !fits(a) {
			continue
		}
		if f := a.Type.Alone(); f != nil && f.Shape.Kind == model.Lanes && g.fast[a] != nil && g.fast[a].kind == plainLanes && g.fast[a].writes {
			t.sort, t.arm, t.scalar = sortLanes, a, g.fast[a].scalar
			u := model.Unique{"Value": true}
			for _, n := range f.Shape.Names {
				t.lanes = append(t.lanes, "."+u.Name(exported(n)))
			}
			t.lane = scalarType(f.Shape.Scalar())
			return t, nil
		}
		t.sort, t.arm = sortArm, a
		return t, nil
	}
	return bad("is not declared in the file, and no type of this package")
}

// scalarType is the Go type of a scalar.
func scalarType(s builtin.Scalar) *userType {
	t := &userType{sort: sortInt, text: scalarGo(s), base: scalarGo(s), bits: 8 * s.Width(), signed: s.Signed()}
	if s.IsFloat() {
		t.sort = sortFloat
	}
	return t
}

// lanes finds out whether a struct or array is as many numbers as an arm.
func (r *structReader) lanes(t *userType, a *model.Arm, e ast.Expr) bool {
	f := r.g.fast[a]
	if f == nil || f.kind != plainLanes || !f.writes {
		return false
	}
	var names []string
	var lane *userType
	var walk func(e ast.Expr, path string) bool
	walk = func(e ast.Expr, path string) bool {
		switch x := e.(type) {
		case *ast.StructType:
			for _, f := range x.Fields.List {
				if len(f.Names) == 0 {
					return false
				}
				for _, n := range f.Names {
					if !n.IsExported() || !walk(f.Type, path+"."+n.Name) {
						return false
					}
				}
			}
			return true
		case *ast.ArrayType:
			lit, ok := x.Len.(*ast.BasicLit)
			if !ok {
				return false
			}
			n, err := strconv.Atoi(lit.Value)
			if err != nil || n > 64 {
				return false
			}
			for i := range n {
				if !walk(x.Elt, fmt.Sprintf("%s[%d]", path, i)) {
					return false
				}
			}
			return true
		case *ast.Ident:
			if under, ok := r.types[x.Name]; ok {
				return walk(under, path)
			}
			n, err := r.typ(x, "")
			if err != nil || n.sort != sortInt && n.sort != sortFloat || lane != nil && lane.base != n.base {
				return false
			}
			lane = n
			names = append(names, path)
			return len(names) <= f.width
		}
		return false
	}
	if !walk(e, "") || len(names) != f.width || lane == nil {
		return false
	}
	t.sort, t.arm, t.lanes, t.lane, t.scalar = sortLanes, a, names, lane, f.scalar
	return true
}

// slice finds out what a slice is.
func (r *structReader) slice(t *userType, x *ast.ArrayType, wanted *model.Arm, bad func(string) (*userType, error)) (*userType, error) {
	var err error
	if t.elem, err = r.typ(x.Elt, ""); err != nil {
		return nil, err
	}
	e := t.elem
	for _, a := range r.g.m.Root.Union.Arms {
		p, f := r.g.fast[a], a.Type.Alone()
		if wanted != nil && wanted != a || f == nil {
			continue
		}
		switch {
		case p != nil && p.kind == plainPacked && p.writes && p.width == 1 && scalarGo(p.scalar) == e.base && p.scalar != builtin.Code4:
			t.sort, t.arm, t.scalar = sortPacked, a, p.scalar
			return t, nil
		case p != nil && p.kind == plainPacked && p.writes && e.sort == sortLanes && p.width == len(e.lanes) && p.scalar == e.scalar && scalarGo(p.scalar) == e.lane.base &&
			(wanted != nil || strings.Contains(a.Type.Name, e.arm.Type.Name)):
			t.sort, t.arm, t.scalar = sortPacked, a, p.scalar
			return t, nil
		case f.Shape.Kind == model.List && f.Shape.Elem.Kind == model.Text && e.sort == sortText:
			t.sort, t.arm = sortTexts, a
			return t, nil
		}
	}
	if wanted != nil && wanted != r.nat.list || r.nat.list == nil {
		return bad(fmt.Sprintf("cannot be %s", pickName(wanted, "a list")))
	}
	t.sort, t.arm = sortList, r.nat.list
	return t, nil
}

func pickName(a *model.Arm, other string) string {
	if a == nil {
		return other
	}
	return a.Type.Name
}

// exprText prints a type in the notation of Go.
func exprText(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return "*" + exprText(x.X)
	case *ast.ArrayType:
		if x.Len == nil {
			return "[]" + exprText(x.Elt)
		}
		return "[" + exprText(x.Len) + "]" + exprText(x.Elt)
	case *ast.BasicLit:
		return x.Value
	case *ast.MapType:
		return "map[" + exprText(x.Key) + "]" + exprText(x.Value)
	case *ast.SelectorExpr:
		return exprText(x.X) + "." + x.Sel.Name
	case *ast.ParenExpr:
		return exprText(x.X)
	case *ast.InterfaceType:
		return "interface"
	case *ast.StructType:
		return "struct"
	case *ast.FuncType:
		return "func"
	case *ast.ChanType:
		return "chan"
	}
	return "type"
}
