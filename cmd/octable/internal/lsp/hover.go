// What a name means, in words.

package lsp

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// hover says in Markdown what stands at an offset of a file, and where that is.
func (s *snapshot) hover(name string, offset int) (text string, from, to int, ok bool) {
	files, err := s.lineage(name)
	if err != nil {
		return "", 0, 0, false
	}
	x := s.index(name, files)
	if o := x.at(offset); o != nil {
		h := &describer{x: x, snapshot: s, name: name}
		return h.declaration(o.To), o.Pos.Offset, o.Pos.Offset + len(o.Text), true
	}
	// A word of the language, or a number type, which no file declares.
	var word *dsl.Name
	dsl.Walk(x.file(), func(node any) bool {
		if n, ok := node.(*dsl.Name); ok && n.Pos.Offset <= offset && offset <= n.Pos.Offset+len(n.Text) {
			word = n
		}
		return true
	})
	if word != nil {
		if text := describe(word.Text); text != "" {
			return text, word.Pos.Offset, word.Pos.Offset + len(word.Text), true
		}
	}
	return "", 0, 0, false
}

// describe returns the description of a type, a function or a word of the language in
// Markdown, or "" for other names.
func describe(name string) string {
	if t := builtin.TypeNamed(name); t != nil {
		return fmt.Sprintf("**%s**: %s", name, t.Doc)
	}
	if op, ok := builtin.FunctionNamed(name); ok {
		f := &builtin.Operations[op]
		return fmt.Sprintf("**%s**: `%s`: %s", name, f.Usage, f.Doc)
	}
	if name == builtin.Rest.Name {
		return fmt.Sprintf("**%s**: %s", name, builtin.Rest.Doc)
	}
	return ""
}

func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// describer describes symbols for a file.
type describer struct {
	*snapshot
	x    *index
	name string

	schema  *schema.Schema // nil where it has errors
	program *bytecode.Program
	tried   bool
}

// compiled compiles the schema for its first choice, once.
func (h *describer) compiled() bool {
	if !h.tried {
		h.tried = true
		if resolved, err := schema.Resolve(h.x.file(), h.loader(h.name)); err == nil && resolved.Root != nil {
			if p, err := compile.Schema(resolved); err == nil {
				h.schema, h.program = resolved, p
			}
		}
	}
	return h.program != nil
}

func (h *describer) declaration(s *schema.Declaration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**", s.Name)
	if s.Owner != "" && s.Sort != schema.ArmName && s.Sort != schema.ChoiceName {
		b.Reset()
		fmt.Fprintf(&b, "**%s.%s**", s.Owner, s.Name)
	}
	fmt.Fprintf(&b, ", %s", s.Sort)
	var lines []string
	node, doc := h.x.syntax(s)
	switch n := node.(type) {
	case *dsl.Row:
		lines = h.row(n)
	case *dsl.BitField:
		lines = h.bits(n.Lo, n.Hi, n.Value, n.Doc, n.Attrs)
	case *dsl.Repeat:
		what := "list to the end of what is around it"
		if n.Count != nil {
			what = "list of `" + n.Count.Text(false) + "` elements"
			if n.Map {
				what = "map of `" + n.Count.Text(false) + "` pairs"
			}
		}
		lines = append(lines, what)
		lines = append(lines, quoted(n.Doc)...)
	case *dsl.Let:
		lines = append(lines, "`= "+n.Value.Text(false)+"`")
	case *dsl.Type:
		lines = h.record(s)
	case *dsl.Union:
		lines = append(lines, plural(int64(len(h.x.arms(s.Name))), "arm")+" by `"+n.By.Text+"`")
		lines = append(lines, h.record(s)...)
	case *dsl.Arm:
		fmt.Fprintf(&b, " of %s", s.Owner)
		lines = h.arm(s, n)
	case *dsl.Const:
		lines = append(lines, "`= "+n.Value.Text(false)+"`")
		if h.compiled() {
			for _, c := range h.schema.Consts {
				if c.Name == s.Name {
					lines[len(lines)-1] += fmt.Sprintf(" = %d", c.Value)
				}
			}
		}
	case *dsl.Encoding:
		for _, r := range n.Rules {
			for _, rule := range [][2]string{{"utf8", r.UTF8}, {"bom", r.BOM}, {"nul", r.NUL}} {
				if rule[1] != "" {
					lines = append(lines, "`"+rule[0]+" "+rule[1]+"`")
				}
			}
		}
		lines = []string{strings.Join(lines, ", ")}
	case *dsl.Gate:
		lines = append(lines, "a permission that a caller gives")
		lines = append(lines, quoted(n.Doc)...)
	case *dsl.Axis:
		for _, c := range n.Choices {
			lines = append(lines, fmt.Sprintf("`%s`: %s", c.Name.Text, c.Scalar.Text))
		}
	case *dsl.Choice:
		fmt.Fprintf(&b, " of axis %s: %s", s.Owner, n.Scalar.Text)
	case *dsl.Erratum:
		for _, part := range []struct {
			name string
			text *dsl.Str
		}{{"in", n.In}, {"the document says", n.Says}, {"engines", n.Engine}, {"here", n.Here}} {
			if part.text != nil {
				lines = append(lines, "*"+part.name+"*: "+markdown(part.text.Text))
			}
		}
	default:
		if s.Sort == schema.LetterName {
			lines = append(lines, "stands for a length or a place that depends on the content")
		}
	}
	lines = append(lines, documentation(doc))
	for _, l := range lines {
		if l != "" {
			fmt.Fprintf(&b, "  \n%s", l)
		}
	}
	fmt.Fprintf(&b, "\n\n*%s*", h.places(s))
	return b.String()
}

// places says where a symbol is declared.
func (h *describer) places(s *schema.Declaration) string {
	var parts []string
	for i, p := range s.At {
		if s.Sort == schema.FieldName && i > 0 {
			continue // other forms of the same row
		}
		what := "declared at"
		if i > 0 {
			what = "replaced at"
		}
		parts = append(parts, fmt.Sprintf("%s %s:%d", what, filepath.Base(p.Filename), p.Line))
	}
	return strings.Join(parts, ", ")
}

func (h *describer) row(r *dsl.Row) []string {
	size := r.Length.Text(true)
	if n, err := strconv.ParseInt(size, 10, 64); err == nil {
		size = plural(n, "byte")
	} else {
		size = "`" + size + "` bytes"
	}
	lines := []string{fmt.Sprintf("offset `%s`, %s, type `%s`", r.Offset.Text(true), size, r.Type)}
	lines = append(lines, h.choices(r)...)
	if r.Value != nil {
		lines = append(lines, "a writer computes it: `"+r.Value.Text(false)+"`")
	}
	lines = append(lines, quoted(r.Doc)...)
	return append(lines, h.attrs(r.Attrs)...)
}

// choices returns the offset and the length of a row for other choices of the axis, if
// they do not depend on content.
func (h *describer) choices(r *dsl.Row) (lines []string) {
	if !h.compiled() || h.schema.Axis == nil {
		return nil
	}
	var row *schema.Row
	for _, b := range h.schema.Bodies() {
		schema.Walk(b.Nodes, func(n schema.Node) bool {
			if n, ok := n.(*schema.Row); ok && n.Pos == r.Pos {
				row = n
			}
			return true
		})
	}
	if row == nil || !row.Type.Axis {
		return nil
	}
	for _, c := range h.schema.Axis.Choices {
		offset, ok := number(row.Offset, 0)
		length, ok2 := number(row.Length, 0)
		if c.Offset == nil && c.Length == nil || !ok || !ok2 {
			continue
		}
		if moved := row.Moved[c.Name]; moved != nil {
			offset, ok = number(moved, 0)
		} else if c.Offset != nil {
			offset, ok = number(c.Offset, offset)
		}
		if c.Length != nil {
			length, ok2 = number(c.Length, length)
		}
		if ok && ok2 {
			lines = append(lines, fmt.Sprintf("%s: offset `%d`, %s", c.Name, offset, plural(length, "byte")))
		}
	}
	return lines
}

// number computes an offset or a length in which letters represent a number.
func number(e *schema.Expr, letter int64) (int64, bool) {
	unknown := false
	n, ok := e.Linear(func(name string) schema.Linear {
		unknown = unknown || name != "offset" && name != "length"
		return schema.Constant(letter)
	})
	return n.Num, ok && !unknown && n.IsNumber()
}

func (h *describer) bits(lo, hi *dsl.Num, value *dsl.Expr, doc *dsl.Str, attrs []*dsl.Attr) []string {
	text := "bit " + lo.Text
	if hi != nil {
		text = "bits " + lo.Text + " to " + hi.Text
	}
	lines := []string{text}
	if value != nil {
		lines = append(lines, "a writer computes it: `"+value.Text(false)+"`")
	}
	lines = append(lines, quoted(doc)...)
	return append(lines, h.attrs(attrs)...)
}

// attrs says what the rules of a row are, and what its errata say.
func (h *describer) attrs(attrs []*dsl.Attr) (lines []string) {
	for _, a := range attrs {
		switch {
		case a.Pad != nil:
			lines = append(lines, "padded to a multiple of "+a.Pad.To.Text+" bytes")
		case a.Any:
			lines = append(lines, builtin.AttributeNamed("any").Doc)
		case a.Write != nil:
			lines = append(lines, "a writer writes `"+a.Write.Text(false)+"`")
		case a.Check != nil:
			lines = append(lines, "must be `"+a.Check.Cond.Text(false)+"`")
		case a.When != nil:
			lines = append(lines, "there only if `"+a.When.Cond.Text(false)+"`")
		case a.Same != nil:
			lines = append(lines, "the same bytes as "+a.Same.Text)
		case a.Err != nil:
			if d := h.x.find(a.Err.Name.Text, schema.ErratumName); d != nil {
				lines = append(lines, fmt.Sprintf("*%s*: %s", d.Name, h.x.says(d)))
			}
		}
	}
	return lines
}

// record says how large a record or a union is.
func (h *describer) record(s *schema.Declaration) []string {
	if h.compiled() {
		for i := range h.program.Routines {
			if h.program.Routines[i].Name == s.Name {
				return []string{h.program.Bounds(uint32(i)).String()}
			}
		}
	}
	return nil
}

func (h *describer) arm(s *schema.Declaration, a *dsl.Arm) []string {
	var lines []string
	id := "else"
	switch {
	case a.ID.Num != nil:
		id = a.ID.Num.Text
	case a.ID.Code != "":
		id = "`" + a.ID.Code + "`"
	}
	label := a.Label.String()
	size := ""
	if h.compiled() {
		if u := h.schema.Union(s.Owner); u != nil && u.Arm(s.Name) != nil {
			arm := u.Arm(s.Name)
			id, label = arm.IDText(), arm.Label // renumbered and renamed since
			for i := range h.program.Routines {
				table, ok := h.program.UnionTable(uint32(i))
				if !ok || h.program.Routines[i].Name != s.Owner {
					continue
				}
				for k, t := range table.Arms {
					if t.Else == arm.Else && (t.Else || t.ID == arm.ID) {
						size = ", " + h.program.ArmBounds(uint32(i), k).String()
					}
				}
			}
		}
	}
	lines = append(lines, "number "+id+size)
	if label != "" {
		lines = append(lines, "“"+markdown(label)+"” in the document")
	}
	return lines
}

// quoted is a description, if there is one.
func quoted(s *dsl.Str) []string {
	if s == nil || s.Text == "" {
		return nil
	}
	return []string{markdown(s.Text)}
}

// markdown escapes what would be markup.
func markdown(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		if r < ' ' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}
