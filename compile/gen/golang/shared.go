// The declarations of the runtime that package interp has too. They are copied from
// its source, with the names that generated packages use.

package golang

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// copyMark begins a line of the runtime that is replaced by the declarations it names.
// These are Name, or Type.Name for a method.
const copyMark = "//gen:copy "

// copied replaces the lines that begin with copyMark. A name that package interp does
// not have is an internal error.
func copied(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		names, ok := strings.CutPrefix(line, copyMark)
		if !ok {
			out.WriteString(line)
			continue
		}
		for i, name := range strings.Fields(names) {
			decl, ok := shared()[name]
			if !ok {
				panic("golang: package interp has no declaration " + name)
			}
			if i > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(decl)
		}
	}
	return out.String()
}

// shared returns the declarations of package interp by name.
var shared = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	files, err := fs.Glob(interp.Source, "*.go")
	if err != nil {
		panic(err)
	}
	for _, name := range files {
		src, err := interp.Source.ReadFile(name)
		if err != nil {
			panic(err)
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		s := &source{text: string(src), file: set.File(file.FileStart)}
		for _, d := range file.Decls {
			s.declaration(d, out)
		}
	}
	return out
})

// source is a file that is copied from.
type source struct {
	text  string
	file  *token.File
	edits []edit
}

// edit replaces a part of a file.
type edit struct {
	from, to int
	text     string
}

// declaration adds a declaration under each of its names.
func (s *source) declaration(d ast.Decl, out map[string]string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = receiver(d.Recv.List[0].Type) + "." + name
		}
		out[name] = s.renamed(d, d.Doc)
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return
		}
		text := s.renamed(d, d.Doc)
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				out[spec.Name.Name] = text
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					out[n.Name] = text
				}
			}
		}
	}
}

func receiver(t ast.Expr) string {
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if p, ok := t.(*ast.IndexExpr); ok { // of a generic type
		t = p.X
	}
	return t.(*ast.Ident).Name
}

// Names that are different in generated packages: of declarations in a package, of
// receivers by type, and of methods.
var (
	identifiers = func() map[string]string {
		out := map[string]string{"reading": "reader", "writing": "writer"}
		for k := builtin.None; k <= builtin.Record; k++ {
			name := k.String()
			name = strings.ToUpper(name[:1]) + name[1:]
			out[name] = "Kind" + name
			out["Make"+name] = "make" + name
		}
		out["AppendCoded"], out["AppendDigits"], out["Clip"], out["MaxClip"], out["ArrayOf"] = "appendCoded", "appendDigits", "clip", "maxClip", "arrayOf"
		out["RealOf"], out["BitsOf"], out["SingleOfHalf"], out["HalfOfSingle"] = "realOf", "bitsOf", "singleOfHalf", "halfOfSingle"
		return out
	}()
	selves    = map[string]string{"reading": "r", "writing": "w"}
	selectors = map[string]string{"Cells": "cells", "Scalar": "scalar", "Width": "width", "IsFloat": "isFloat", "Signed": "signed",
		"Verbatim": "verbatim", "IsUTF16": "isUTF16", "Upper": "upper", "Standard": "standard"}
)

// fromBytecode holds the names in generated packages of what packages bytecode and builtin
// declare.
var fromBytecode = func() map[string]string {
	out := map[string]string{"Scalar": "scalar", "Type": "typeInfo", "Encoding": "encoding", "Code4": scalarConst(builtin.Code4)}
	for _, s := range builtin.Scalars() {
		if s != builtin.Code4 {
			out[strings.ToUpper(s.String())] = scalarConst(s)
		}
	}
	out["Coding"], out["MaxCoded"], out["MaxDigits"], out["MaxGaps"] = "coding", "maxCoded", "maxDigits", "maxGaps"
	for _, c := range builtin.Codings() {
		out[strings.ToUpper(c.String())] = codingConst(c)
	}
	out["Zigzag"], out["CompactSize"] = codingConst(builtin.Zigzag), codingConst(builtin.CompactSize)
	for i, name := range []string{"UTF8Strict", "UTF8Loose", "UTF8Unchecked", "ASCII", "Latin1", "MacRoman", "UTF16Little", "UTF16Big", "Windows1252", "CP437"} {
		out[name] = charsetConsts[i]
	}
	for i, name := range []string{"NULKeep", "NULStop", "NULCounted"} {
		out[name] = nulConsts[i]
	}
	return out
}()

// renamed returns the text of a declaration with the names of generated packages.
func (s *source) renamed(d ast.Decl, doc *ast.CommentGroup) string {
	s.edits = s.edits[:0]
	method := map[*ast.Ident]bool{}
	self := "" // replaces g, the receiver of readings and writings
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if method[n.Name] = n.Recv != nil; n.Recv != nil {
				self = selves[receiver(n.Recv.List[0].Type)]
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && (x.Name == "bytecode" || x.Name == "builtin") {
				if to, ok := fromBytecode[n.Sel.Name]; ok {
					s.replace(n, to)
				}
				return false
			}
			method[n.Sel] = true
		case *ast.Field:
			if t, ok := n.Type.(*ast.Ident); ok && t.Name == "uint16" && len(n.Names) == 1 && n.Names[0].Name == "tag" {
				s.replace(t, "Type")
				return false
			}
		case *ast.Ident:
			names := identifiers
			if method[n] {
				names = selectors
			}
			if to, ok := names[n.Name]; ok {
				s.replace(n, to)
			} else if n.Name == "g" && self != "" {
				s.replace(n, self)
			}
		}
		return true
	})
	from, to := s.offset(d.Pos()), s.offset(d.End())
	if doc != nil {
		from = s.offset(doc.Pos())
		if f, ok := d.(*ast.FuncDecl); ok { // its comment begins with its name
			names := identifiers
			if method[f.Name] {
				names = selectors
			}
			if to, ok := names[f.Name.Name]; ok && strings.HasPrefix(s.text[from:], "// "+f.Name.Name+" ") {
				s.edits = append(s.edits, edit{from + 3, from + 3 + len(f.Name.Name), to})
			}
		}
	}
	to += strings.IndexByte(s.text[to:], '\n') + 1 // a comment behind it
	slices.SortFunc(s.edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out strings.Builder
	for _, e := range s.edits {
		out.WriteString(s.text[from:e.from])
		out.WriteString(e.text)
		from = e.to
	}
	out.WriteString(s.text[from:to])
	return strings.Join(slices.Collect(func(yield func(string) bool) {
		for line := range strings.Lines(out.String()) {
			if !strings.Contains(line, "//gen:skip") && !yield(line) {
				return
			}
		}
	}), "")
}

func (s *source) replace(n ast.Node, text string) {
	s.edits = append(s.edits, edit{s.offset(n.Pos()), s.offset(n.End()), text})
}

func (s *source) offset(p token.Pos) int { return s.file.Offset(p) }
