// Shrinking: a failing schema and a failing packet as small as they can be.

package schemas

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
)

// maxAttempts bounds the schemas that are resolved to make one smaller.
const maxAttempts = 4000

// Shrink returns the smallest schema that it finds for which bad still holds. It removes and
// simplifies declarations, items, attributes and parts of expressions on the syntax tree.
// First it gives each row a separate letter as offset, so that rows can be removed.
// It ends after at most some thousand attempts.
func Shrink(d *Drawn, bad func(*Drawn) bool) *Drawn {
	left := maxAttempts
	attempt := func(files []File) bool {
		if len(files) == 0 || slices.Equal(files, d.Files) || left == 0 {
			return false
		}
		left--
		if next := Resolve(files); bad(next) {
			d = next
			return true
		}
		return false
	}
	with := func(i int, change func(*dsl.File) bool) []File {
		f, err := parse(d.Files[i])
		if err != nil || !change(f) {
			return nil
		}
		files := slices.Clone(d.Files)
		files[i].Text = string(dsl.Format(&dsl.File{Decls: f.Decls}))
		return files
	}
	for _, files := range rooted(d.Files) {
		if attempt(files) {
			break
		}
	}
	for i := range d.Files {
		attempt(with(i, func(f *dsl.File) bool { return true }))
		attempt(with(i, lettered))
	}
	for again := true; again && left > 0; {
		again = false
		for i := 0; i < len(d.Files); i++ {
			for k := 0; ; {
				files := with(i, func(f *dsl.File) bool {
					edits := reductions(f)
					if k >= len(edits) {
						return false
					}
					edits[k]()
					return true
				})
				if files == nil {
					break
				}
				if attempt(files) {
					again = true
				} else {
					k++
				}
			}
			if attempt(undropped(d.Files, i)) || attempt(unreplaced(d.Files, i)) {
				again = true
			}
			if i < len(d.Files)-1 && attempt(slices.Delete(slices.Clone(d.Files), i, i+1)) {
				again = true
				i--
			}
		}
	}
	return d
}

// rooted returns the files before the last one. Each type and union of the new last one, in turn, is the root. The
// old last file may only import or extend the file before it.
func rooted(files []File) (out [][]File) {
	last := len(files) - 2
	if last < 0 {
		return nil
	}
	f, err := parse(files[last])
	if err != nil {
		return nil
	}
	for _, head := range f.Decls {
		if head.Schema == nil {
			continue
		}
		props := slices.DeleteFunc(head.Schema.Props, func(p *dsl.Prop) bool { return p.Root != nil })
		for _, d := range f.Decls {
			var name *dsl.Name
			switch {
			case d.Type != nil && d.Type.Args == nil:
				name = d.Type.Name
			case d.Union != nil && d.Union.Args == nil:
				name = d.Union.Name
			default:
				continue
			}
			head.Schema.Props = append(slices.Clone(props), &dsl.Prop{Root: name})
			only := slices.Clone(files[:last+1])
			only[last].Text = string(dsl.Format(&dsl.File{Decls: f.Decls}))
			out = append(out, only)
		}
	}
	return out
}

// unreplaced returns files in which the unions that one replaces are as it replaces them. It returns nil if
// the file replaces none.
func unreplaced(files []File, at int) []File {
	f, err := parse(files[at])
	if err != nil {
		return nil
	}
	by := map[string]*dsl.Decl{}
	f.Decls = slices.DeleteFunc(f.Decls, func(d *dsl.Decl) bool {
		if d.Replace && d.Union != nil {
			d.Replace, by[d.Union.Name.Text] = false, d
			return true
		}
		return false
	})
	if len(by) == 0 {
		return nil
	}
	files = slices.Clone(files)
	files[at].Text = string(dsl.Format(&dsl.File{Decls: f.Decls}))
	for i := range files[:at] {
		f, err := parse(files[i])
		if err != nil {
			return nil
		}
		for k, d := range f.Decls {
			if d.Union != nil && by[d.Union.Name.Text] != nil {
				f.Decls[k] = by[d.Union.Name.Text]
			}
		}
		files[i].Text = string(dsl.Format(&dsl.File{Decls: f.Decls}))
	}
	return files
}

// undropped returns files without what one of them drops, and without its drops: neither can be removed
// alone. It returns nil if the file drops nothing.
func undropped(files []File, at int) []File {
	f, err := parse(files[at])
	if err != nil {
		return nil
	}
	gone := map[string]bool{}
	for _, decl := range f.Decls {
		for _, path := range decl.Drop {
			gone[path.Names[len(path.Names)-1].Text] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	files = slices.Clone(files)
	for i := range files[:at+1] {
		f, err := parse(files[i])
		if err != nil {
			return nil
		}
		f.Decls = slices.DeleteFunc(f.Decls, func(d *dsl.Decl) bool {
			return i == at && d.Drop != nil || d.Type != nil && gone[d.Type.Name.Text] || d.Union != nil && gone[d.Union.Name.Text] ||
				d.Arm != nil && (gone[d.Arm.Name.Text] || gone[d.Arm.Union.Text])
		})
		files[i].Text = string(dsl.Format(&dsl.File{Decls: f.Decls}))
	}
	return files
}

// lettered gives each row a letter as its offset.
func lettered(f *dsl.File) bool {
	n := 0
	visit(reflect.ValueOf(f.Decls), func(v reflect.Value) {
		if row, ok := v.Interface().(*dsl.Row); ok && row.At == nil {
			n++
			row.Offset = name(fmt.Sprint("O", n))
		}
	})
	return true
}

// name returns the expression of a name.
func name(text string) *dsl.Expr { return &dsl.Expr{Name: &dsl.Name{Text: text}} }

func numeral(text string) *dsl.Expr { return &dsl.Expr{Num: &dsl.Num{Text: text}} }

// visit calls f for every pointer in a syntax tree.
func visit(v reflect.Value, f func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			f(v)
			visit(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if grammatical(v.Type().Field(i)) {
				visit(v.Field(i), f)
			}
		}
	}
}

// reductions returns the simplifications of a file, the largest first. Each changes the
// tree when it is called.
func reductions(f *dsl.File) []func() {
	var out []func()
	for _, d := range f.Decls {
		if d.Union != nil { // with its arms
			out = append(out, func() {
				f.Decls = slices.DeleteFunc(f.Decls, func(other *dsl.Decl) bool {
					return other == d || other.Arm != nil && other.Arm.Union.Text == d.Union.Name.Text
				})
			})
		}
	}
	out = append(out, hoists(f)...)
	without := func(list reflect.Value) {
		n := list.Len()
		cut := func(from, to int) {
			out = append(out, func() {
				rest := reflect.MakeSlice(list.Type(), 0, n)
				rest = reflect.AppendSlice(rest, list.Slice(0, from))
				list.Set(reflect.AppendSlice(rest, list.Slice(to, n)))
			})
		}
		for size := n; size > 0; size /= 2 {
			for at := 0; at+size <= n; at += size {
				cut(at, at+size)
			}
		}
	}
	visitFields(reflect.ValueOf(f).Elem(), func(tag string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Slice:
			if _, args := v.Interface().([]*dsl.Expr); args && tag == "" {
				return // operands and arguments, which are simplified as expressions
			}
			without(v)
			for i := range v.Len() {
				item, ok := v.Index(i).Interface().(*dsl.Item)
				if !ok {
					continue
				}
				in := func(inner []*dsl.Item) {
					list := slices.Concat(v.Interface().([]*dsl.Item)[:i], inner, v.Interface().([]*dsl.Item)[i+1:])
					v.Set(reflect.ValueOf(list))
				}
				for _, inner := range [][]*dsl.Item{innerItems(item, 0), innerItems(item, 1)} {
					if len(inner) > 0 {
						out = append(out, func() { in(inner) })
					}
				}
				if d := typeOf(f, item); d != nil {
					out = append(out, func() {
						in(d.Type.Items)
						remove(f, d)
					})
				}
			}
		case reflect.Pointer:
			if v.IsNil() {
				return
			}
			if strings.Contains(tag, ")?") || strings.HasSuffix(tag, "?") {
				out = append(out, func() { v.SetZero() })
			}
			if e, ok := v.Interface().(*dsl.Expr); ok {
				for _, simple := range simpler(e) {
					out = append(out, func() { v.Set(reflect.ValueOf(simple)) })
				}
			}
		case reflect.Bool, reflect.String:
			if !v.IsZero() && strings.Contains(tag, ")?") && !strings.Contains(tag, "'(") {
				out = append(out, func() { v.SetZero() })
			}
		}
	})
	return out
}

// hoists returns the edits that replace the rows of the root by those of a type or an arm.
func hoists(f *dsl.File) (out []func()) {
	root := ""
	for _, d := range f.Decls {
		if d.Schema == nil {
			continue
		}
		for _, p := range d.Schema.Props {
			if p.Root != nil {
				root = p.Root.Text
			}
		}
	}
	for at, own := range f.Decls {
		isType, isUnion := own.Type != nil && own.Type.Name.Text == root, own.Union != nil && own.Union.Name.Text == root
		if !isType && !isUnion {
			continue
		}
		for _, d := range f.Decls {
			var items []*dsl.Item
			switch {
			case d == own:
			case d.Type != nil:
				items = d.Type.Items
			case d.Arm != nil:
				items = slices.DeleteFunc(slices.Clone(d.Arm.Items), func(i *dsl.Item) bool { return i.Word != nil })
			}
			if len(items) == 0 {
				continue
			}
			out = append(out, func() {
				f.Decls[at] = &dsl.Decl{Type: &dsl.Type{Name: &dsl.Name{Text: root}, Items: items}}
				f.Decls = slices.DeleteFunc(f.Decls, func(other *dsl.Decl) bool {
					return other == d || isUnion && other.Arm != nil && other.Arm.Union.Text == root
				})
			})
		}
	}
	return out
}

// typeOf returns the declaration of the type that a row has one value of, or nil. The type must be in the file and take
// no arguments.
func typeOf(f *dsl.File, item *dsl.Item) *dsl.Decl {
	if item.Row == nil || item.Row.Type == nil {
		return nil
	}
	t := item.Row.Type
	if t.Import != nil || t.ID || t.Extent != nil || t.Args != nil {
		return nil
	}
	for _, d := range f.Decls {
		if d.Type != nil && d.Type.Name.Text == t.Name.Text {
			return d
		}
	}
	return nil
}

// remove takes a declaration out of a file.
func remove(f *dsl.File, d *dsl.Decl) {
	f.Decls = slices.DeleteFunc(f.Decls, func(other *dsl.Decl) bool { return other == d })
}

// visitFields calls f for every field of a production in a syntax tree, with its tag.
func visitFields(v reflect.Value, f func(tag string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visitFields(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visitFields(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !grammatical(field) {
				continue
			}
			f(field.Tag.Get("parser"), v.Field(i))
			visitFields(v.Field(i), f)
		}
	}
}

// innerItems returns the items in a block, of which an if has two.
func innerItems(i *dsl.Item, branch int) []*dsl.Item {
	switch {
	case i.If != nil && branch == 1:
		return i.If.Else
	case i.If != nil:
		return i.If.Then
	}
	return nil
}

// simpler returns expressions that are simpler than one: small numbers, and its operands.
func simpler(e *dsl.Expr) []*dsl.Expr {
	size := func(e *dsl.Expr) int {
		n := 0
		visit(reflect.ValueOf(e), func(reflect.Value) { n++ })
		return n
	}
	var out []*dsl.Expr
	own := size(e)
	for _, text := range []string{"0", "1"} {
		if simple := numeral(text); own > size(simple) || e.Num != nil && e.Num.Text > text {
			out = append(out, simple)
		}
	}
	visit(reflect.ValueOf(e), func(v reflect.Value) {
		inner, ok := v.Interface().(*dsl.Expr)
		if !ok {
			return
		}
		if inner.Sub != nil {
			inner = inner.Sub
		}
		if size(inner) < own {
			out = append(out, inner)
		}
	})
	return out
}
