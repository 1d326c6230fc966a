// Applying changes: from files to a schema.

package schema

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
)

// Loader finds the file of a schema that another one extends.
type Loader func(id string) (*dsl.File, error)

// maxLineage bounds how many schemas may extend one another.
const maxLineage = 64

// Resolve returns the schema that a file declares. Where there are errors, they
// are a [dsl.Diagnostics]; the schema is then returned as far as it was understood,
// or nil when the file declares none.
func Resolve(f *dsl.File, load Loader) (*Schema, error) {
	r := &resolver{load: load, files: map[string]*dsl.File{}}
	s := r.file(f, nil)
	return s, r.diags.Err()
}

type resolver struct {
	load  Loader
	files map[string]*dsl.File
	diags dsl.Diagnostics
}

func (r *resolver) errorf(pos dsl.Pos, width int, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	return r.diags.Errorf(r.files[pos.Filename], pos, width, code, format, args...)
}

func (r *resolver) name(n *dsl.Name, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	return r.errorf(n.Pos, len(n.Text), code, format, args...)
}

// file resolves one file; chain holds the ids of the schemas that extend it.
func (r *resolver) file(f *dsl.File, chain []string) *Schema {
	r.files[f.Name] = f
	var decl *dsl.Schema
	for _, d := range f.Decls {
		if d.Schema == nil {
			continue
		}
		if decl != nil {
			r.errorf(d.Schema.Pos, 6, dsl.CodeSchema, "a file declares one schema, and %q is declared above", decl.Name.Text).
				WithHint("move it to a file of its own")
			continue
		}
		decl = d.Schema
	}
	if decl == nil {
		r.diags.Errorf(f, dsl.Pos{Filename: f.Name, Line: 1, Column: 1}, 0, dsl.CodeSchema, "the file declares no schema").
			WithHint(`begin it with: schema "name" { root … }`)
		return nil
	}
	s := &Schema{ID: decl.Name.Text, Order: "little", Files: r.files, File: f, Decl: decl}
	if decl.Extends != nil {
		if base := r.base(decl, chain); base != nil {
			*s = *base
			s.ID, s.Base, s.File, s.Decl = decl.Name.Text, base, f, decl
			s.Says, s.Refs = nil, nil
			s.Encodings = append([]*dsl.Encoding(nil), base.Encodings...)
			s.Consts = append([]*dsl.Const(nil), base.Consts...)
			s.Types = append([]*Type(nil), base.Types...)
			s.Errata = append([]*dsl.Erratum(nil), base.Errata...)
			s.Unions = nil
			for _, u := range base.Unions {
				c := *u
				c.Arms = append([]*Arm(nil), u.Arms...)
				s.Unions = append(s.Unions, &c)
			}
		}
	}
	r.props(s, decl)
	for _, d := range f.Decls {
		r.decl(s, d)
	}
	r.constants(s, f)
	r.depth(s, decl)
	for _, u := range s.Unions {
		r.arms(s, u, f)
	}
	r.refs(s, f)
	return s
}

func (r *resolver) base(decl *dsl.Schema, chain []string) *Schema {
	id := decl.Extends.Text
	at := func(format string, args ...any) *dsl.Diagnostic {
		return r.errorf(decl.Extends.Pos, len(id)+2, dsl.CodeExtends, format, args...)
	}
	chain = append(chain, decl.Name.Text)
	for _, c := range chain {
		if c == id {
			at("schema %q extends itself", id).WithHint("%s", circle(chain, id))
			return nil
		}
	}
	if len(chain) > maxLineage {
		at("more than %d schemas extend one another", maxLineage).WithHint("let the schema extend an older one")
		return nil
	}
	if r.load == nil {
		at("schema %q cannot be found", id).WithHint("there is nowhere to look for schemas that others extend")
		return nil
	}
	f, err := r.load(id)
	if err != nil {
		var diags dsl.Diagnostics
		if errors.As(err, &diags) {
			r.diags = append(r.diags, diags...)
			at("schema %q has mistakes of its own", id).WithHint("they are listed with its file; nothing is taken over from it")
		} else {
			at("schema %q cannot be read: %v", id, err).WithHint("a schema extends one that is part of octable, or a file beside it")
		}
	}
	if f == nil {
		return nil
	}
	return r.file(f, chain)
}

// circle says in words how a schema comes to extend itself.
func circle(chain []string, id string) string {
	for i, c := range chain {
		if c == id {
			chain = chain[i:]
			break
		}
	}
	if len(chain) == 1 {
		return "a schema extends an older one, or none"
	}
	return strings.Join(append(chain, id), " extends ") + "; one of them must not"
}

func (r *resolver) props(s *Schema, decl *dsl.Schema) {
	seen := map[string]bool{}
	once := func(p *dsl.Prop, name string) {
		if seen[name] {
			r.errorf(p.Pos, len(name), dsl.CodeTwice, "%s is given twice", name).WithHint("keep one")
		}
		seen[name] = true
	}
	gates, axes := []*dsl.Gate(nil), []*dsl.Axis(nil)
	for _, p := range decl.Props {
		if p.Equal != nil || p.Differ != nil || p.Exact != nil || p.Apart != nil {
			// what is said of keys is said anew as a whole
			s.Equal, s.Differ, s.Exact, s.Apart = nil, nil, nil, nil
		}
	}
	for _, p := range decl.Props {
		switch {
		case p.Title != nil:
			once(p, "title")
			s.Title = p.Title.Text
		case p.Source != nil:
			once(p, "source")
			s.Source = p.Source.Text
		case p.Order != "":
			once(p, "order")
			s.Order = p.Order
		case p.Root != nil:
			once(p, "root")
			s.Root = p.Root.Text
		case p.Depth != nil:
			once(p, "depth")
		case p.Gate != nil:
			for _, g := range gates {
				if g.Name.Text == p.Gate.Name.Text {
					r.name(p.Gate.Name, dsl.CodeTwice, "gate %s is declared twice", g.Name.Text).WithHint("keep one")
				}
			}
			gates = append(gates, p.Gate)
		case p.Axis != nil:
			for _, a := range axes {
				if a.Name.Text == p.Axis.Name.Text {
					r.name(p.Axis.Name, dsl.CodeTwice, "axis %s is declared twice", a.Name.Text).WithHint("keep one")
				}
			}
			axes = append(axes, p.Axis)
		case p.Equal != nil:
			s.Equal = names(p.Equal)
		case p.Differ != nil:
			s.Differ = names(p.Differ)
		case p.Exact != nil:
			s.Exact = names(p.Exact)
		case p.Apart != nil:
			s.Apart = names(p.Apart)
		case p.Says != nil:
			s.Says = append(s.Says, p.Says)
		case p.Erratum != nil:
			s.Refs = append(s.Refs, p.Erratum)
		}
	}
	if len(gates) > 0 {
		s.Gates = gates
	}
	if len(axes) > 0 {
		s.Axes = axes
	}
	if len(s.Axes) > 1 {
		r.errorf(decl.Pos, 6, dsl.CodeSchema, "a schema has at most one axis, this one has %d", len(s.Axes)).WithHint("make one schema for each choice of the others")
		s.Axes = s.Axes[:1]
	}
	if len(s.Gates) > 8 {
		r.errorf(decl.Pos, 6, dsl.CodeSchema, "a schema has at most 8 gates, this one has %d", len(s.Gates)).WithHint("let one gate stand for what is always allowed together")
		s.Gates = s.Gates[:8]
	}
}

// maxNesting is the deepest that an interpreter allows values to be nested.
const maxNesting = 1 << 14

// depth takes over the depth, which may name constants of the file.
func (r *resolver) depth(s *Schema, decl *dsl.Schema) {
	for _, p := range decl.Props {
		if p.Depth == nil {
			continue
		}
		if n, ok := ConstExpr(s, p.Depth); ok && n > 0 && n <= maxNesting {
			s.Depth = int(n)
		} else {
			r.errorf(p.Depth.Pos, 1, dsl.CodeRange, "a depth is a constant from 1 to %d", maxNesting).WithHint("it is how deeply values may be nested; 1024 does for most formats")
		}
	}
}

// constants computes the constants and reports those of the file that have no value.
func (r *resolver) constants(s *Schema, f *dsl.File) {
	c := &constants{s: s, values: map[string]constant{}}
	for _, d := range s.Consts {
		c.named(d.Name.Text)
	}
	s.values = c.values
	for _, d := range s.Consts {
		if d.Pos.Filename == f.Name && !s.values[d.Name.Text].ok {
			r.constant(s, Fold(d.Value), d)
		}
	}
}

// constant reports why an expression is none that has a value.
func (r *resolver) constant(s *Schema, n *Node, d *dsl.Const) {
	switch n.Op {
	case OpNum:
		if !n.OK {
			r.errorf(n.Pos, 1, dsl.CodeRange, "the number does not fit 64 bits").WithHint("numbers are whole ones below 2^64")
		}
	case OpName:
		v, known := s.values[n.Name.Text]
		switch {
		case !known:
			var all []string
			for _, c := range s.Consts {
				all = append(all, c.Name.Text)
			}
			r.unknown(n.Name, "constant", all)
		case v.cyclic:
			r.name(n.Name, dsl.CodeRange, "constant %s is defined by itself", d.Name.Text).WithHint("follow the names: %s leads back to %s", n.Name.Text, d.Name.Text)
		}
	case OpCall, OpOutside:
		r.errorf(n.Pos, 1, dsl.CodeArgs, "a constant is made of numbers and constants only").WithHint("what depends on a value is written where the value is: in a row, a let or a check")
	default:
		for _, a := range n.Args {
			r.constant(s, a, d)
		}
	}
}

func names(ns []*dsl.Name) []string {
	out := make([]string, len(ns))
	for i, n := range ns {
		out[i] = n.Text
	}
	return out
}

// free reports a name that is declared already.
func (r *resolver) free(s *Schema, n *dsl.Name) bool {
	what := ""
	switch {
	case s.Type(n.Text) != nil:
		what = "type"
	case s.Union(n.Text) != nil:
		what = "union"
	case s.Encoding(n.Text) != nil:
		what = "encoding"
	case s.constant(n.Text) != nil:
		what = "constant"
	case s.Axis(n.Text) != nil:
		what = "axis"
	}
	if what == "" {
		return true
	}
	r.name(n, dsl.CodeTwice, "there is a %s %s already", what, n.Text).
		WithHint("choose another name, or write replace before the declaration to change the one of the extended schema")
	return false
}

func (s *Schema) constant(name string) *dsl.Const {
	for _, c := range s.Consts {
		if c.Name.Text == name {
			return c
		}
	}
	return nil
}

func (r *resolver) decl(s *Schema, d *dsl.Decl) {
	switch {
	case d.Const != nil:
		if r.free(s, d.Const.Name) {
			s.Consts = append(s.Consts, d.Const)
		}
	case d.Encoding != nil:
		if r.free(s, d.Encoding.Name) {
			s.Encodings = append(s.Encodings, d.Encoding)
		}
	case d.Erratum != nil:
		if s.Erratum(d.Erratum.Name.Text) != nil {
			r.name(d.Erratum.Name, dsl.CodeTwice, "erratum %s is declared twice", d.Erratum.Name.Text).WithHint("write replace before it to change the one of the extended schema")
			return
		}
		s.Errata = append(s.Errata, d.Erratum)
	case d.Type != nil:
		if r.free(s, d.Type.Name) {
			s.Types = append(s.Types, newType(d.Type, d.Doc))
		}
	case d.Union != nil:
		if r.free(s, d.Union.Name) {
			s.Unions = append(s.Unions, newUnion(d.Union, d.Doc))
		}
	case d.Arm != nil:
		u := r.union(s, d.Arm.Union)
		if u == nil {
			return
		}
		if old := u.Arm(d.Arm.Name.Text); old != nil {
			r.name(d.Arm.Name, dsl.CodeTwice, "union %s has an arm %s already, at %s", u.Name, old.Name, place(old.Pos)).
				WithHint("choose another name, or write replace before the declaration")
			return
		}
		if a := r.newArm(d.Arm, d.Doc); a != nil {
			u.Arms = append(u.Arms, a)
		}
	case d.Change != nil:
		r.change(s, d.Change, d.Doc)
	}
}

func place(p dsl.Pos) string { return fmt.Sprintf("%s:%d", p.Filename, p.Line) }

func newType(t *dsl.Type, doc []string) *Type {
	return &Type{Name: t.Name.Text, Args: t.Args, Items: t.Items, Doc: doc, Pos: t.Pos}
}

func newUnion(u *dsl.Union, doc []string) *Union {
	return &Union{Name: u.Name.Text, Args: u.Args, By: u.By, Items: u.Items, Doc: doc, Pos: u.Pos}
}

func (r *resolver) newArm(a *dsl.Arm, doc []string) *Arm {
	out := &Arm{Union: a.Union.Text, Name: a.Name.Text, Label: a.Label.String(), Items: a.Items, Doc: doc, Pos: a.Pos}
	switch {
	case a.ID.Else:
		out.Else = true
	case a.ID.Num != nil:
		id, ok := Uint(a.ID.Num)
		if !ok {
			r.errorf(a.ID.Pos, len(a.ID.Num.Text), dsl.CodeRange, "%s is not the number of an arm", a.ID.Num.Text).WithHint("a number is a whole one below 2^64")
			return nil
		}
		out.ID = id
	default:
		out.Code, out.ID = a.ID.Code, CodeID(a.ID.Code)
	}
	return out
}

func (r *resolver) union(s *Schema, n *dsl.Name) *Union {
	if u := s.Union(n.Text); u != nil {
		return u
	}
	var all []string
	for _, u := range s.Unions {
		all = append(all, u.Name)
	}
	r.unknown(n, "union", all)
	return nil
}

// maxNear bounds the diagnostics that suggest a name.
const maxNear = 200

func (r *resolver) unknown(n *dsl.Name, what string, all []string) {
	d := r.name(n, dsl.CodeUnknown, "there is no %s %s", what, n.Text)
	if len(r.diags) > maxNear {
		return // to look for a name takes long, and nobody reads so many
	}
	if near := dsl.Nearest(n.Text, all); near != "" {
		d.WithHint("did you mean %s?", near)
	} else if len(all) == 0 {
		d.WithHint("there is none; declare it, or take this out")
	} else if len(all) > 8 {
		d.WithHint("declare it, or take this out")
	} else if len(all) > 0 && len(all) <= 8 {
		d.WithHint("there is %s", strings.Join(all, ", "))
	}
}

func (r *resolver) arm(u *Union, n *dsl.Name) *Arm {
	if a := u.Arm(n.Text); a != nil {
		return a
	}
	var all []string
	for _, a := range u.Arms {
		all = append(all, a.Name)
	}
	r.unknown(n, "arm of union "+u.Name+" named", all)
	return nil
}

func (r *resolver) change(s *Schema, c *dsl.Change, doc []string) {
	if s.Base == nil {
		r.errorf(c.Pos, 6, dsl.CodeExtends, "this schema extends none, so there is nothing to change").
			WithHint(`write schema "%s" extends "…", or declare instead of changing`, s.ID)
		return
	}
	switch {
	case c.Replace != nil:
		r.replace(s, c.Replace, doc)
	case c.Extend != nil:
		u := r.union(s, c.Extend.Union)
		if u == nil {
			return
		}
		for _, n := range c.Extend.Arms {
			if a := r.arm(u, n); a != nil {
				b := *a
				b.Items = append(append([]*dsl.Item(nil), c.Extend.Items...), a.Items...)
				u.put(&b)
			}
		}
	case c.Remove != nil:
		for _, n := range c.Remove.Names {
			r.remove(s, c.Remove.Kind, n)
		}
	case c.Renumber != nil:
		u := r.union(s, c.Renumber.Union)
		if u == nil {
			return
		}
		for _, line := range c.Renumber.Lines {
			id, ok := Uint(line.ID)
			if !ok {
				r.errorf(line.ID.Pos, len(line.ID.Text), dsl.CodeRange, "%s is not the number of an arm", line.ID.Text).WithHint("a number is a whole one below 2^64")
				continue
			}
			if a := r.arm(u, line.Name); a != nil {
				b := *a
				b.ID = id
				u.put(&b)
			}
		}
	case c.Rename != nil:
		u := r.union(s, c.Rename.Union)
		if u == nil {
			return
		}
		for _, line := range c.Rename.Lines {
			a := r.arm(u, line.Old)
			if a == nil {
				continue
			}
			b := *a
			b.Name = line.New.Text
			if line.Label != nil {
				b.Label = line.Label.Text
			}
			for i := range u.Arms {
				if u.Arms[i] == a {
					u.Arms[i] = &b
				}
			}
		}
	}
}

// put takes the place of the arm with the same name.
func (u *Union) put(a *Arm) {
	for i := range u.Arms {
		if u.Arms[i].Name == a.Name {
			u.Arms[i] = a
		}
	}
}

func (r *resolver) replace(s *Schema, c *dsl.Replace, doc []string) {
	switch {
	case c.Encoding != nil:
		for i, e := range s.Encodings {
			if e.Name.Text == c.Encoding.Name.Text {
				s.Encodings[i] = c.Encoding
				return
			}
		}
		var all []string
		for _, e := range s.Encodings {
			all = append(all, e.Name.Text)
		}
		r.unknown(c.Encoding.Name, "encoding", all)
	case c.Type != nil:
		for i, t := range s.Types {
			if t.Name == c.Type.Name.Text {
				s.Types[i] = newType(c.Type, orDoc(doc, t.Doc))
				return
			}
		}
		var all []string
		for _, t := range s.Types {
			all = append(all, t.Name)
		}
		r.unknown(c.Type.Name, "type", all)
	case c.Union != nil:
		if old := r.union(s, c.Union.Name); old != nil {
			u := newUnion(c.Union, orDoc(doc, old.Doc))
			u.Arms = old.Arms
			*old = *u
		}
	case c.Erratum != nil:
		for i, e := range s.Errata {
			if e.Name.Text == c.Erratum.Name.Text {
				s.Errata[i] = c.Erratum
				return
			}
		}
		r.unknown(c.Erratum.Name, "erratum", s.names("erratum"))
	case c.Arm != nil:
		u := r.union(s, c.Arm.Union)
		if u == nil {
			return
		}
		old := r.arm(u, c.Arm.Name)
		if old == nil {
			return
		}
		if a := r.newArm(c.Arm, orDoc(doc, old.Doc)); a != nil {
			if a.Label == "" {
				a.Label = old.Label
			}
			u.put(a)
		}
	}
}

func orDoc(doc, old []string) []string {
	if len(doc) > 0 {
		return doc
	}
	return old
}

func (r *resolver) remove(s *Schema, kind string, n *dsl.Name) {
	switch kind {
	case "arm":
		for _, u := range s.Unions {
			for i, a := range u.Arms {
				if a.Name == n.Text {
					u.Arms = append(u.Arms[:i:i], u.Arms[i+1:]...)
					return
				}
			}
		}
	case "type":
		for i, t := range s.Types {
			if t.Name == n.Text {
				s.Types = append(s.Types[:i:i], s.Types[i+1:]...)
				return
			}
		}
	case "union":
		for i, u := range s.Unions {
			if u.Name == n.Text {
				s.Unions = append(s.Unions[:i:i], s.Unions[i+1:]...)
				return
			}
		}
	case "erratum":
		for i, e := range s.Errata {
			if e.Name.Text == n.Text {
				s.Errata = append(s.Errata[:i:i], s.Errata[i+1:]...)
				return
			}
		}
	}
	r.unknown(n, kind, s.names(kind))
}

// names returns what the schema has of a kind that can be removed.
func (s *Schema) names(kind string) []string {
	var all []string
	for _, u := range s.Unions {
		switch kind {
		case "union":
			all = append(all, u.Name)
		case "arm":
			for _, a := range u.Arms {
				all = append(all, a.Name)
			}
		}
	}
	for _, t := range s.Types {
		if kind == "type" {
			all = append(all, t.Name)
		}
	}
	for _, e := range s.Errata {
		if kind == "erratum" {
			all = append(all, e.Name.Text)
		}
	}
	return all
}

// arms checks a union's arms against each other. It reports for the file that
// made them so, not for files that merely extend it.
func (r *resolver) arms(s *Schema, u *Union, f *dsl.File) {
	byName := map[string]*Arm{}
	for _, a := range u.Arms {
		if old := byName[a.Name]; old != nil {
			pos, width := a.Pos, len("arm")
			if n := renamed(f, u.Name, a.Name); n != nil {
				pos, width = n.Pos, len(n.Text)
			}
			r.errorf(pos, width, dsl.CodeTwice, "union %s has two arms %s, with the numbers %s and %s", u.Name, a.Name, old.IDText(), a.IDText()).WithHint("give one of them another name")
		}
		byName[a.Name] = a
	}
	byID := map[uint64]*Arm{}
	var lo, hi uint64
	var other *Arm
	first, codes := true, false
	for _, a := range u.Arms {
		if a.Else {
			if other != nil {
				r.errorf(a.Pos, 3, dsl.CodeArm, "union %s has two else arms, %s and %s", u.Name, other.Name, a.Name).WithHint("keep one: it stands for every number that no arm has")
			}
			other = a
			continue
		}
		if old := byID[a.ID]; old != nil {
			pos, width := a.Pos, len("arm")
			if pos.Filename != f.Name {
				pos, width = s.Decl.Pos, len("schema")
			}
			if n := renumbered(f, u.Name, a.Name); n != nil {
				pos, width = n.Pos, len(n.Text)
			}
			r.errorf(pos, width, dsl.CodeArm, "arms %s and %s of union %s both have number %s", old.Name, a.Name, u.Name, a.IDText()).
				WithHint("renumber one of them")
			continue
		}
		byID[a.ID] = a
		if first || a.ID < lo {
			lo = a.ID
		}
		if first || a.ID > hi {
			hi = a.ID
		}
		first = false
		codes = codes || a.Code != "" // they need not follow one another
	}
	if other != nil || first || codes {
		return
	}
	if missing := hi - lo + 1 - uint64(len(byID)); missing > 0 {
		var ids []string
		for id := lo; id < hi && len(ids) < 8; id++ {
			if byID[id] == nil {
				ids = append(ids, fmt.Sprint(id))
			}
		}
		if missing > uint64(len(ids)) {
			ids = append(ids, "…")
		}
		pos, width := u.Pos, len("union")
		if pos.Filename != f.Name {
			pos, width = s.Decl.Pos, len("schema")
		}
		r.errorf(pos, width, dsl.CodeArm, "union %s has no arm for %s between %d and %d", u.Name, strings.Join(ids, ", "), lo, hi).
			WithHint("add the arms, or an else arm for every number without one")
	}
}

// renamed returns the new name that a file gives to an arm, or nil.
func renamed(f *dsl.File, union, name string) *dsl.Name {
	for _, d := range f.Decls {
		if c := d.Change; c != nil && c.Rename != nil && c.Rename.Union.Text == union {
			for _, line := range c.Rename.Lines {
				if line.New.Text == name {
					return line.New
				}
			}
		}
	}
	return nil
}

// renumbered returns the number that a file gives to an arm of another schema, or nil.
func renumbered(f *dsl.File, union, name string) *dsl.Num {
	for _, d := range f.Decls {
		if c := d.Change; c != nil && c.Renumber != nil && c.Renumber.Union.Text == union {
			for _, line := range c.Renumber.Lines {
				if line.Name.Text == name {
					return line.ID
				}
			}
		}
	}
	return nil
}

// IDText is the arm's number as a schema writes it.
func (a *Arm) IDText() string {
	switch {
	case a.Else:
		return "else"
	case a.Code != "":
		return a.Code
	}
	return fmt.Sprint(a.ID)
}

// refs checks that every erratum that the file mentions is declared.
func (r *resolver) refs(s *Schema, f *dsl.File) {
	check := func(e *dsl.ErrRef) {
		if e != nil && s.Erratum(e.Name.Text) == nil {
			var all []string
			for _, e := range s.Errata {
				all = append(all, e.Name.Text)
			}
			r.unknown(e.Name, "erratum", all)
		}
	}
	for _, p := range s.Decl.Props {
		check(p.Erratum)
	}
	for _, d := range f.Decls {
		for _, e := range ErrRefs(d) {
			check(e)
		}
	}
	r.examples(s, f)
}

// examples checks the names in the with of the examples of a file: gates that are
// open, and choices that the example is about.
func (r *resolver) examples(s *Schema, f *dsl.File) {
	var all []string
	for _, g := range s.Gates {
		all = append(all, g.Name.Text)
	}
	for _, a := range s.Axes {
		for _, c := range a.Choices {
			all = append(all, c.Name.Text)
		}
	}
	dsl.Walk(f, func(node any) bool {
		switch n := node.(type) {
		case *dsl.Example:
			for _, open := range n.Open {
				if !slices.Contains(all, open.Text) {
					r.unknown(open, "gate or choice", all)
				}
			}
			return false
		case *dsl.Expr, *dsl.Row, *dsl.Bits:
			return false
		}
		return true
	})
}

// ErrRefs returns every mention of an erratum in a declaration, in order.
func ErrRefs(d *dsl.Decl) []*dsl.ErrRef {
	var out []*dsl.ErrRef
	attrs := func(as []*dsl.Attr) {
		for _, a := range as {
			if a.Err != nil {
				out = append(out, a.Err)
			}
		}
	}
	var items func([]*dsl.Item)
	items = func(is []*dsl.Item) {
		for _, i := range is {
			switch {
			case i.Erratum != nil:
				out = append(out, i.Erratum)
			case i.Row != nil:
				attrs(i.Row.Attrs)
				for _, b := range i.Row.Bits {
					attrs(b.Attrs)
				}
			case i.Bits != nil:
				attrs(i.Bits.Attrs)
			case i.Repeat != nil:
				items(i.Repeat.Items)
				attrs(i.Repeat.Attrs)
			case i.Within != nil:
				items(i.Within.Items)
				attrs(i.Within.Attrs)
			case i.If != nil:
				items(i.If.Then)
				items(i.If.Else)
			}
		}
	}
	enc := func(e *dsl.Encoding) {
		for _, rule := range e.Rules {
			if rule.Erratum != nil {
				out = append(out, rule.Erratum)
			}
		}
	}
	switch {
	case d.Encoding != nil:
		enc(d.Encoding)
	case d.Type != nil:
		items(d.Type.Items)
	case d.Union != nil:
		items(d.Union.Items)
	case d.Arm != nil:
		items(d.Arm.Items)
	case d.Change != nil && d.Change.Extend != nil:
		items(d.Change.Extend.Items)
	case d.Change != nil && d.Change.Replace != nil:
		c := d.Change.Replace
		switch {
		case c.Encoding != nil:
			enc(c.Encoding)
		case c.Type != nil:
			items(c.Type.Items)
		case c.Union != nil:
			items(c.Union.Items)
		case c.Arm != nil:
			items(c.Arm.Items)
		}
	}
	return out
}

// ConstExpr evaluates an expression of numbers and constants.
func ConstExpr(s *Schema, e *dsl.Expr) (int64, bool) {
	return s.evaluator().eval(Fold(e)).result()
}

// A constant is what a constant expression comes to.
type constant struct {
	num    int64
	ok     bool
	cyclic bool // it is defined by itself
}

func (c constant) result() (int64, bool) { return c.num, c.ok }

// constants evaluates constants, each of them once.
type constants struct {
	s      *Schema
	values map[string]constant
}

func (s *Schema) evaluator() *constants {
	if s.values != nil {
		return &constants{s, s.values}
	}
	return &constants{s, map[string]constant{}}
}

func (c *constants) named(name string) constant {
	if v, ok := c.values[name]; ok {
		return v
	}
	d := c.s.constant(name)
	if d == nil {
		return constant{}
	}
	c.values[name] = constant{cyclic: true} // until it is known
	v := c.eval(Fold(d.Value))
	c.values[name] = v
	return v
}

func (c *constants) eval(n *Node) constant {
	switch n.Op {
	case OpNum:
		return constant{num: n.Num, ok: n.OK}
	case OpName:
		return c.named(n.Name.Text)
	case OpCall, OpOutside:
		return constant{}
	}
	var x [2]int64
	for i, a := range n.Args {
		v := c.eval(a)
		if !v.ok {
			return v
		}
		x[i] = v.num
	}
	return constant{num: Apply(n.Op, x[0], x[1]), ok: true}
}

// Constant returns the value of a named constant.
func (s *Schema) Constant(name string) (int64, bool) {
	return s.evaluator().named(name).result()
}

// Bits returns how many bits a number needs.
func Bits(u uint64) int { return bits.Len64(u) }
