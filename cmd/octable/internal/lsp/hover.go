// Hover: descriptions of names, words, operators and numbers.

package lsp

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// hover describes in Markdown the name, word, operator or number at an offset of a file, and returns its range.
func (s *snapshot) hover(name string, offset int) (text string, from, to int, ok bool) {
	if text, at := s.hoverPage(name, offset); at != nil {
		return text, at.Pos.Offset, at.Pos.Offset + len(at.Text), true
	}
	files, err := s.lineage(name)
	if err != nil {
		return "", 0, 0, false
	}
	return s.hovers(name, files).at(offset)
}

// hovers describes the names, words, operators, numbers and texts of one version of a file.
type hovers struct {
	*describer
	tokens []dsl.Token
	texts  map[int]string // of names that no declaration has, and of texts, by their offsets
}

func (s *snapshot) hovers(name string, files []*dsl.File) *hovers {
	h := &hovers{&describer{x: s.index(name, files), snapshot: s, name: name}, dsl.Tokens(name, s.text(name).s), map[int]string{}}
	dsl.Walk(h.x.file(), func(node any) bool {
		h.note(node)
		return true
	})
	return h
}

// at describes the token at an offset in Markdown, and returns its range.
func (h *hovers) at(offset int) (text string, from, to int, ok bool) {
	for i := len(h.tokens) - 1; i >= 0; i-- { // a token that begins at the offset is taken before one that ends there
		t := h.tokens[i]
		from, to = t.Pos.Offset, t.Pos.Offset+len(t.Text)
		if offset < from || offset > to || offset == to && t.Kind != dsl.WordKind {
			continue
		}
		if o := h.x.at(offset); o != nil && from <= o.Pos.Offset && o.Pos.Offset < to { // in a string, too
			return h.declaration(o.To), o.Pos.Offset, o.Pos.Offset + len(o.Text), true
		}
		if text := cmp.Or(h.texts[from], describeToken(t)); text != "" {
			return text, from, to, true
		}
	}
	return "", 0, 0, false
}

// note describes the names without a declaration and the texts that a node has. What was
// noted before stays, so that nodes go before those inside of them.
func (h *hovers) note(node any) {
	name := func(n *dsl.Name, text string) {
		if n != nil {
			h.texts[n.Pos.Offset] = cmp.Or(h.texts[n.Pos.Offset], text)
		}
	}
	text := func(s *dsl.Str, format string, args ...any) {
		if s != nil {
			h.texts[s.Pos.Offset] = cmp.Or(h.texts[s.Pos.Offset], fmt.Sprintf(format, args...))
		}
	}
	described := func(s *dsl.Str, of *dsl.Name) { text(s, "the description of `%s`", of) }
	switch n := node.(type) {
	case *dsl.Name:
		name(n, describe(n.Text))
	case *dsl.Schema:
		text(n.Name, "the id of the schema")
		text(n.Extends, "the schema whose declarations this one has")
	case *dsl.Prop:
		text(n.Title, "%s", builtin.WordNamed("title"))
		text(n.Source, "%s", builtin.WordNamed("source"))
	case *dsl.Import:
		text(n.Schema, "the schema whose types are imported")
	case *dsl.Gate:
		described(n.Doc, n.Name)
	case *dsl.Encoding:
		for _, r := range n.Rules() {
			name(r.Name, ruleText(r))
			name(r.Word, ruleText(r))
		}
	case *dsl.Example:
		name(n.Refuse, titled(n.Refuse.String(), builtin.RefusalNamed(n.Refuse.String())))
		for _, open := range n.Open {
			if open.Text == "strict" {
				name(open, "**strict**: the reader refuses what a writer would not have written")
			}
		}
		text(n.Bytes, "the bytes of a packet; `<ARM>` is the word of an arm")
		text(n.Again, "%s", builtin.WordNamed("again"))
	case *dsl.Literal:
		switch n.Name.String() {
		case "true", "false":
			name(n.Name, "a truth, which is 1 or 0 in bytes")
		case "nan", "inf":
			name(n.Name, "a real number")
		default:
			name(n.Name, "an arm of a union that is imported")
		}
		text(n.Text, "a text of %s", plural(int64(len(n.Text.String())), "byte"))
	case *dsl.Word:
		name(n.Name, "the word of the union, whose bits follow")
	case *dsl.Path:
		for i, part := range n.Names[1:] {
			name(part, fmt.Sprintf("a part of `%s`", &dsl.Path{Names: n.Names[:i+1]}))
		}
	case *dsl.Row:
		described(n.Doc, n.Name)
		text(n.Text, "the row always has this: a text, or bytes in hexadecimal")
	case *dsl.Repeat:
		described(n.Doc, n.Name)
	case *dsl.BitField:
		described(n.Doc, n.Name)
	case *dsl.Form:
		text(n.Doc, "the description of the form `%s`", n)
	case *dsl.Arm:
		text(n.Label, "the name of the arm in the document")
	case *dsl.NewArm:
		text(n.Label, "the name of the arm in the document")
	case *dsl.Item:
		text(n.Refuse, "the reason with which readers and writers refuse it")
	case *dsl.Check:
		text(n.Message, "the reason if `%s` does not hold", n.Cond.Text(false))
	case *dsl.Extent:
		text(n.Until, "the bytes behind the content or the digits, which are no part of it")
	case *dsl.Attr:
		text(n.Fill, "the bytes up to the end of the row")
	case *dsl.Pad:
		text(n.With, "the bytes of the padding")
	case *dsl.Writes:
		text(n.Text, "the text that the arm is written with")
	case *dsl.Expr:
		text(n.Str, "a text of %s, with which a row is compared", plural(int64(len(n.Str.String())), "byte"))
		if n.Name != nil && n.Name.Text == "i" && !n.IsCall {
			name(n.Name, "**i**: the number of elements before this one")
		}
		for i, c := range []byte(n.Name.String()) { // the name may be a path
			if c == '.' {
				at := n.Name.Pos.Offset + i + 1
				h.texts[at] = cmp.Or(h.texts[at], fmt.Sprintf("a part of `%s`", n.Name.Text[:i]))
			}
		}
	}
}

// ruleText describes a rule for text with its word.
func ruleText(r dsl.TextRule) string {
	rule := builtin.TextRuleNamed(r.Name.Text)
	if rule == nil {
		if set, ok := builtin.CharsetNamed(r.Name.Text, false); ok {
			return titled(r.Name.Text, "text is in "+set.Title())
		}
		return ""
	}
	if w := rule.Word(r.Word.String()); w != nil {
		return titled(rule.Name+" "+w.Name, w.Doc)
	}
	return titled(rule.Name, rule.Doc)
}

// titled returns the description of a thing in Markdown, or "" without a description.
func titled(name, doc string) string {
	if doc == "" {
		return ""
	}
	return fmt.Sprintf("**%s**: %s", name, doc)
}

// describeToken returns the description of a word of the grammar, an operator or a number in
// Markdown. It returns "" for other tokens.
func describeToken(t dsl.Token) string {
	switch t.Kind {
	case dsl.WordKind:
		return titled(t.Text, builtin.WordNamed(t.Text))
	case dsl.NumberKind:
		if n, ok := schema.NumberOf(t.Text); ok {
			return titled(t.Text, fmt.Sprintf("`%d`, `%#x`", n, n))
		}
		return titled(t.Text, "a real number")
	case dsl.OperatorKind:
		for _, o := range builtin.Operations {
			if o.Name == t.Text && o.Params == 2 && t.Text != "|" {
				return titled("`"+t.Text+"`", o.Doc)
			}
		}
		return titled("`"+t.Text+"`", builtin.WordNamed(t.Text))
	}
	return ""
}

// describe returns the description of a type, a function or a word of the language in
// Markdown. It returns "" for other names.
func describe(name string) string {
	if t := builtin.TypeNamed(name); t != nil {
		return fmt.Sprintf("**%s**: %s", name, t.Doc)
	}
	if call, value, ok := builtin.Usage(name); ok {
		return fmt.Sprintf("**%s**: `%s`: %s", name, call, value)
	}
	if r, ok := builtin.KeyRuleNamed(name); ok {
		return fmt.Sprintf("**%s**: %s", name, r.Doc())
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

	schema  *schema.Schema // nil if it has errors
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
		if c := n.Extent.Cond; c != nil {
			what = "list up to the first element for which `" + c.Text(false) + "` holds"
			if c.Calls(builtin.Operations[builtin.Remain].Name) {
				what = "list that ends before an element when `" + c.Text(false) + "` holds"
			}
		}
		if c := n.Extent.Count; c != nil {
			what = "list of `" + c.Text(false) + "` elements"
			if n.Map {
				what = "map of `" + c.Text(false) + "` pairs"
			}
		}
		lines = append(lines, what)
		lines = append(lines, quoted(n.Doc)...)
	case *dsl.Example:
		lines = append(lines, "`"+n.Bytes.Text+"`")
	case *dsl.Import:
		lines = append(lines, fmt.Sprintf("types of schema `%s`", n.Schema.Text))
		for _, set := range n.Settings {
			if set.Choice == nil {
				lines = append(lines, fmt.Sprintf("the gate `%s` is open", set.Name.Text))
			} else {
				lines = append(lines, fmt.Sprintf("%s is `%s`", set.Name.Text, set.Choice.Text))
			}
		}
	case *dsl.Type:
		lines = append(lines, h.bounds(s.Name))
	case *dsl.Union:
		lines = append(lines, plural(int64(h.x.count(s)), "arm")+" by `"+n.By.Text+"`")
		lines = append(lines, h.bounds(s.Name))
	case *dsl.Arm:
		fmt.Fprintf(&b, " of %s", s.Owner)
		lines = h.arm(s, n)
	case *dsl.Encoding:
		for _, r := range n.Rules() {
			lines = append(lines, "`"+strings.TrimSpace(r.Name.Text+" "+r.Word.String())+"`")
		}
		lines = []string{strings.Join(lines, ", ")}
	case *dsl.Gate:
		lines = append(lines, "a permission that a caller gives")
		lines = append(lines, quoted(n.Doc)...)
	case *dsl.Option:
		for _, c := range n.Choices {
			lines = append(lines, fmt.Sprintf("`%s`: %s", c.Name.Text, c.Scalar.Text))
		}
	case *dsl.Choice:
		fmt.Fprintf(&b, " of option %s: %s", s.Owner, n.Scalar.Text)
	default:
		if s.Sort == schema.LetterName {
			lines = append(lines, "represents a length or a place that depends on the content")
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
	for _, other := range r.Others {
		size += " or " + other.Text(true)
	}
	if n, err := strconv.ParseInt(size, 10, 64); err == nil {
		size = plural(n, "byte")
	} else {
		size = "`" + size + "` bytes"
	}
	lines := []string{fmt.Sprintf("offset `%s`, %s, type `%s`", r.Place(), size, r.Type)}
	if r.By != nil {
		lines[0] = fmt.Sprintf("offset `%s`, %s, by `%s`", r.Place(), size, r.By.Selector.Text(false))
		for _, form := range r.By.Forms {
			var ids []string
			for _, id := range form.IDs {
				ids = append(ids, id.String())
			}
			lines = append(lines, fmt.Sprintf("%s: `%s`", strings.Join(ids, ", "), form))
			lines = append(lines, quoted(form.Doc)...)
		}
	}
	var row *schema.Row
	if h.compiled() {
		row = h.rows()[r]
	}
	if row != nil && row.Tail != nil {
		lines = append(lines, fmt.Sprintf("it goes up to %d bytes before the end", row.Tail.Bytes))
	} else if row != nil && row.Bound != nil {
		lines = append(lines, "it must fill `"+r.Length.Text(false)+"` bytes")
	}
	lines = append(lines, h.choices(row)...)
	if row != nil && row.Constant != nil {
		lines = append(lines, "it is always the same: `"+r.Computed().Text(false)+"`")
	} else if r.Value != nil {
		lines = append(lines, "a writer computes it: `"+r.Value.Text(false)+"`")
	}
	lines = append(lines, quoted(r.Doc)...)
	return append(lines, h.attrs(r.Attrs)...)
}

// choices returns the offset and the length of a row of the option for the other choices. It
// does so if the length does not depend on content.
func (h *describer) choices(row *schema.Row) (lines []string) {
	if row == nil || row.Type.Option == nil || row.Type.Option != h.schema.Option {
		return nil
	}
	for _, c := range h.schema.Option.Choices[1:] {
		other, err := h.schema.With(c.Name)
		if err != nil {
			continue
		}
		if r := rowsOf(other)[row.Pos]; r != nil && r.Begin != "" && r.Type.Fixed {
			lines = append(lines, fmt.Sprintf("%s: offset `%s`, %s", c.Name, r.Begin, plural(r.Type.Bytes, "byte")))
		}
	}
	return lines
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
		case a.Fill != nil:
			lines = append(lines, builtin.AttributeNamed("fill").Doc)
		case a.Side != "":
			lines = append(lines, builtin.AttributeNamed(a.Side).Doc)
		case a.Any && slices.ContainsFunc(attrs, func(a *dsl.Attr) bool { return a.Fill != nil }):
		case a.Any:
			lines = append(lines, builtin.AttributeNamed("any").Doc)
		case a.Check != nil:
			lines = append(lines, "must be `"+a.Check.Cond.Text(false)+"`")
		case a.When != nil:
			lines = append(lines, "there only if `"+a.When.Cond.Text(false)+"`")
		case a.Err != nil:
			if e := h.errata(h.name)[a.Err.Text]; e != nil {
				lines = append(lines, fmt.Sprintf("*%s*: %s", e.Name.Text, markdown(e.Says.String())))
			}
		}
	}
	return lines
}

// bounds returns the size of a type or a union, such as "4 bytes or more", or "".
func (h *describer) bounds(name string) string {
	if h.compiled() {
		for i := range h.program.Routines {
			if h.program.Routines[i].Name == name {
				return h.program.Bounds(uint32(i)).String()
			}
		}
	}
	return ""
}

func (h *describer) arm(s *schema.Declaration, a *dsl.Arm) []string {
	var lines []string
	ids := make([]string, len(a.IDs))
	for i, id := range a.IDs {
		if ids[i] = id.String(); id.Code != "" {
			ids[i] = "`" + ids[i] + "`"
		}
	}
	id := strings.Join(ids, ", ")
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
	numbers := "number "
	if len(a.IDs) > 1 || a.IDs[0].High != nil {
		numbers = "numbers "
	}
	lines = append(lines, numbers+id+size)
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
