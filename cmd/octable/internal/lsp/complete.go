// Completion: the words that may be written at a place.

package lsp

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

// complete returns what may be written at an offset. The part of it from the
// second result on is there already. The text around the place is seldom right
// while it is being written, so this goes by the words before it on its line.
func (s *snapshot) complete(name string, offset int) ([]completionItem, int) {
	t := s.text(name)
	offset = min(max(offset, 0)+t.mark(), len(t.s))
	at := t.position(offset)
	begin := t.lines[at.Line]
	line := t.s[begin:offset]
	word := trailing.FindString(line)
	before := line[:len(line)-len(word)]
	from := offset - len(word) - t.mark()

	c := &completer{snapshot: s, name: name, word: word}
	file := name
	if dsl.IsPage(name) {
		file = schemaFile(name)
	}
	files, err := s.lineage(file)
	if err == nil {
		c.x = s.index(file, files)
	} else if file == name {
		return nil, from
	}
	c.enclosing(t, at.Line)
	if quotes := strings.Count(strings.ReplaceAll(before, `\"`, ""), `"`); quotes%2 == 1 {
		if m := extends.FindStringSubmatch(line); m != nil {
			return c.schemas(), offset - len(m[1]) - t.mark()
		}
		if m := armWord.FindStringSubmatch(before); m != nil {
			c.armWord(m[1])
			return c.items, from
		}
		return nil, from // in a text
	}
	if i := strings.Index(before, "//"); i >= 0 {
		return nil, from
	}
	if file != name {
		c.completePage(before)
	} else {
		c.at(before)
	}
	return c.items, from
}

var (
	trailing  = regexp.MustCompile(`[A-Za-z0-9_]*$`)
	extends   = regexp.MustCompile(`(?:extends|^import)\s+"([^"]*)$`)
	qualified = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_]*)\.$`)
	armWord   = regexp.MustCompile(`^\s*example\b.*<([^>"]*)$`)
)

// armWord adds names in the word of an arm in an example, after some text of it. The
// names are those of arms, then of bits of the arm.
func (c *completer) armWord(text string) {
	words := strings.Fields(text)
	if len(words) == 0 {
		c.symbols(schema.ArmName)
		return
	}
	union, arm, both := strings.Cut(words[0], ".")
	if !both {
		union, arm = "", union
	} else if arm == "" {
		c.arms(union)
		return
	}
	var bits []*schema.Declaration
	for _, d := range c.x.Declared {
		if d.Sort != schema.ArmName || d.Name != arm || union != "" && d.Owner != union {
			continue
		}
		for _, f := range d.Fields {
			if node, _ := c.x.syntax(f); bitField(node) {
				bits = append(bits, f)
			}
		}
	}
	c.declarations(bits)
}

func bitField(node any) bool {
	_, ok := node.(*dsl.BitField)
	return ok
}

type completer struct {
	*snapshot
	x     *index
	name  string
	word  string
	items []completionItem

	decl  []string // the words that begin the declaration around the place; none outside of one
	body  string   // its text up to its end
	block string   // the word that begins the innermost block inside of it, or ""
}

var declStart = regexp.MustCompile(`^[a-z]+`)

// enclosing finds the declaration around a line.
func (c *completer) enclosing(t *text, line int) {
	first := -1
	for n := line; n >= 0; n-- {
		l := t.line(n)
		if declStart.MatchString(l) {
			first = n
			break
		}
		if strings.HasPrefix(l, "}") && n < line {
			return
		}
	}
	if first < 0 || first == line {
		if first >= 0 {
			c.decl = nil
		}
		return
	}
	var b strings.Builder
	for n := first; n < len(t.lines); n++ {
		l := t.line(n)
		if n > first && (declStart.MatchString(l) || strings.HasPrefix(l, "///")) {
			break
		}
		b.WriteString(l + "\n")
	}
	c.body = b.String()
	c.decl = strings.Fields(strings.NewReplacer("{", " ", "(", " ").Replace(t.line(first)))
	var open []string
	for n := first; n < line; n++ {
		words := strings.Fields(t.line(n))
		if len(words) == 0 {
			continue
		}
		switch last := words[len(words)-1]; {
		case last == "{":
			open = append(open, words[0])
		case words[0] == "}" && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 1 {
		c.block = open[len(open)-1]
	}
}

func (c *completer) add(label string, kind int, detail, doc string) {
	item := completionItem{Label: label, Kind: kind, Detail: detail}
	if doc != "" {
		item.Documentation = &markupContent{"markdown", doc}
	}
	c.items = append(c.items, item)
}

func (c *completer) words(doc string, words ...string) {
	for _, w := range words {
		c.add(w, itemKeyword, doc, "")
	}
}

var itemKinds = map[schema.Sort]int{schema.TypeName: itemClass, schema.UnionName: itemEnum, schema.ArmName: itemClass,
	schema.OptionName: itemUnit, schema.ImportName: itemModule, schema.EncodingName: itemUnit, schema.GateName: itemConstant, schema.ChoiceName: itemConstant}

// symbols adds the declarations of some sorts, in order of their names.
func (c *completer) symbols(sorts ...schema.Sort) {
	if c.x == nil {
		return
	}
	var all []*schema.Declaration
	for _, d := range c.x.Declared {
		if slices.Contains(sorts, d.Sort) {
			all = append(all, d)
		}
	}
	c.declarations(all)
}

func (c *completer) arms(union string) { c.declarations(c.x.arms(union)) }

func (c *completer) declarations(all []*schema.Declaration) {
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	for _, d := range all {
		_, doc := c.x.syntax(d)
		c.add(d.Name, itemKinds[d.Sort], string(d.Sort), documentation(doc))
	}
}

func (c *completer) schemas() (out []completionItem) {
	known := map[string]bool{}
	add := func(id, detail string) {
		if !known[id] {
			known[id] = true
			out = append(out, completionItem{Label: id, Kind: itemFile, Detail: detail})
		}
	}
	for _, id := range spec.All() {
		add(id, "schema of octable")
	}
	for _, n := range c.siblings(c.name) {
		source, err := c.source(n)
		if err != nil || n == c.name {
			continue
		}
		if f, _ := c.parse(n, source); f != nil {
			if d := schemaOf(f); d != nil {
				add(d.Name.Text, "schema beside this one")
			}
		}
	}
	return out
}

// types adds what the third cell of a row may hold.
func (c *completer) types() {
	for _, t := range slices.Concat(builtin.Types(), builtin.OrderedTypes()) {
		c.add(t.Name, itemUnit, numberSize(t), describe(t.Name))
	}
	c.symbols(schema.OptionName, schema.EncodingName, schema.TypeName, schema.UnionName, schema.ImportName)
}

// imported adds the declarations of an import of some sorts.
func (c *completer) imported(prefix string, sorts ...schema.Sort) {
	if c.x != nil {
		c.declarations(slices.DeleteFunc(slices.Clone(c.x.Imported[prefix]), func(d *schema.Declaration) bool { return !slices.Contains(sorts, d.Sort) }))
	}
}

// settings adds the gates and the option of a schema that is imported, or the choices of the
// option. The declaration of the import is not complete.
func (c *completer) settings(id, last string) {
	f, _ := c.loader(c.name)(id)
	if f == nil {
		return
	}
	sorts := []schema.Sort{schema.ChoiceName}
	if last == "{" || strings.HasSuffix(last, ",") {
		sorts = []schema.Sort{schema.GateName, schema.OptionName}
	}
	var all []*schema.Declaration
	for _, d := range schema.NewIndex(f, c.loader(c.name)).Declared {
		if slices.Contains(sorts, d.Sort) {
			all = append(all, d)
		}
	}
	c.declarations(all)
}

// numberSize returns the bytes that a type of numbers takes, or "" for other types.
func numberSize(t builtin.Type) string {
	if t.Truth || t.Text {
		return ""
	}
	if t.Coding.Signed() && t.Coding.InDigits() {
		return "up to the bytes in brackets"
	}
	if t.Coding.InDigits() {
		return "the number of bytes in brackets, or up to bytes in quotation marks"
	}
	if t.Coding != builtin.Fixed {
		return fmt.Sprintf("1 to %d bytes", builtin.MaxCoded)
	}
	return plural(int64(t.Scalar.Width()), "byte")
}

// values adds the fields of the declaration and the functions, which expressions can name.
func (c *completer) values() {
	c.fields()
	known := map[string]bool{}
	for _, i := range c.items {
		known[i.Label] = true
	}
	for _, f := range builtin.Functions() {
		if !known[f] {
			c.add(f, itemFunction, "function", describe(f))
		}
	}
}

// Lines that declare fields.
var (
	rowName    = regexp.MustCompile(`(?m)^\s*\|[^|"\n]*\|[^|"\n]*\|\s*([^|"\n]*?)\s*\|\s*([A-Za-z_][A-Za-z0-9_]*)`)
	bitName    = regexp.MustCompile(`(?m)^\s*(?:bits?\s+)?[0-9]+(?:\.\.[0-9]+)?\s+([A-Za-z_][A-Za-z0-9_]*)`)
	listName   = regexp.MustCompile(`(?m)^\s*(?:repeat|map)\b.*?\bas\s+([A-Za-z_][A-Za-z0-9_]*)`)
	unionWords = map[string]int{"arm": 1, "replace": 2}
)

// fields adds the fields of the declaration around the place. They include those that it has
// from the union or from the arms that it extends.
func (c *completer) fields() {
	seen := map[string]bool{}
	add := func(name, detail string) {
		if !seen[name] && name != c.word {
			seen[name] = true
			c.add(name, itemField, detail, "")
		}
	}
	for _, m := range rowName.FindAllStringSubmatch(c.body, -1) {
		add(m[2], m[1])
	}
	for _, re := range []*regexp.Regexp{bitName, listName} {
		for _, m := range re.FindAllStringSubmatch(c.body, -1) {
			add(m[1], "")
		}
	}
	for _, d := range c.around() {
		fields := slices.Clone(d.Fields)
		sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
		for _, f := range fields {
			add(f.Name, f.Owner)
		}
	}
}

// around returns the types, unions and arms whose fields the declaration around the place
// has or extends.
func (c *completer) around() []*schema.Declaration {
	if len(c.decl) == 0 {
		return nil
	}
	var around []*schema.Declaration
	if i, ok := unionWords[c.decl[0]]; ok && i < len(c.decl) {
		if u := c.x.find(c.decl[i], schema.UnionName); u != nil {
			around = append(around, u)
		}
	} else if c.decl[0] == "extend" {
		for _, path := range c.decl[1:] {
			union, arm, _ := strings.Cut(path, ".")
			if u := c.x.find(union, schema.UnionName); u != nil && !slices.Contains(around, u) {
				around = append(around, u)
			}
			if d := c.x.declared(path); d != nil && arm != "" || d != nil && d.Sort == schema.TypeName {
				around = append(around, d)
			}
		}
	} else if len(c.decl) > 1 {
		if d := c.x.find(c.decl[1], schema.TypeName, schema.UnionName); d != nil {
			around = append(around, d)
		}
	}
	return around
}

// members adds the fields of the type of the row that the text before the place names. It
// reports whether there is such a row.
func (c *completer) members(before string) bool {
	m := qualified.FindStringSubmatch(before)
	if m == nil || c.x == nil {
		return false
	}
	typ := ""
	for _, d := range c.around() {
		for _, f := range d.Fields {
			if row, _ := c.x.syntax(f); f.Name == m[1] {
				if row, ok := row.(*dsl.Row); ok && row.Type != nil {
					typ = row.Type.Path()
				}
			}
		}
	}
	for _, row := range rowName.FindAllStringSubmatch(c.body, -1) {
		if row[2] == m[1] {
			typ, _, _ = strings.Cut(row[1], "(")
		}
	}
	of := c.x.find(typ, schema.TypeName)
	if prefix, name, ok := strings.Cut(typ, "."); ok {
		if i := slices.IndexFunc(c.x.Imported[prefix], func(d *schema.Declaration) bool { return d.Name == name && d.Sort == schema.TypeName }); i >= 0 {
			of = c.x.Imported[prefix][i]
		}
	}
	if of == nil {
		return false
	}
	c.declarations(slices.DeleteFunc(slices.Clone(of.Fields), func(f *schema.Declaration) bool { return f.Sort != schema.FieldName }))
	return true
}

// at adds what may follow the words before it on its line.
func (c *completer) at(before string) {
	words := strings.Fields(before)
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	if before == "" {
		c.words("declaration", "schema", "import", "type", "union", "arm", "encoding")
		c.words("change of the extended schema", "replace", "extend", "drop", "change")
		return
	}
	if strings.HasSuffix(before, "!") {
		c.errata()
	}
	if strings.TrimLeft(before, " \t") == before { // a declaration's own line
		c.declaration(words, before, last)
		return
	}
	switch {
	case c.members(before):
	case c.in("schema"):
		c.property(last)
	case c.in("encoding"):
		c.rule(last)
	case c.in("change"):
		if len(words) == 0 {
			c.arms(c.decl[1])
		}
	case len(c.decl) > 0 && strings.HasPrefix(strings.TrimSpace(before), "|"):
		c.row(before, last)
	case len(c.decl) > 0:
		c.item(words, last)
	}
}

func (c *completer) in(word string) bool {
	return len(c.decl) > 0 && (c.decl[0] == word || len(c.decl) > 1 && c.decl[0] == "replace" && c.decl[1] == word)
}

func (c *completer) declaration(words []string, before, last string) {
	switch {
	case len(words) == 0: // a space that is not indentation
	case last == "replace":
		c.words("declaration", "type", "union", "arm", "encoding")
	case (words[0] == "extend" || words[0] == "drop") && strings.HasSuffix(before, "."):
		path := strings.TrimSuffix(last, ".")
		c.arms(path)
		if d := c.x.declared(path); d != nil {
			c.declarations(slices.DeleteFunc(slices.Clone(d.Fields), func(f *schema.Declaration) bool { return f.Sort != schema.FieldName }))
		}
	case words[0] == "drop", words[0] == "extend":
		c.symbols(schema.UnionName, schema.TypeName)
	case last == "arm", last == "change":
		c.symbols(schema.UnionName)
	case words[0] == "replace" && len(words) == 2:
		c.symbols(schema.Sort(words[1]))
	case words[0] == "replace" && len(words) == 4 && words[1] == "arm":
		c.arms(words[2])
	case words[0] == "schema":
		c.words("", "extends")
	case words[0] == "import" && len(words) > 4 && words[4] == "{":
		c.settings(strings.Trim(words[1], `"`), last)
	case words[0] == "import" && len(words) == 2:
		c.words("the prefix of its types", "as")
	case words[0] == "union":
		c.words("", "by")
	case words[0] == "arm" && len(words) == 2:
		c.words("every number that no arm has", "else")
	}
}

// property adds the properties that a schema may have.
func (c *completer) property(last string) {
	switch {
	case c.block == "keys":
		c.keyRule(last)
		return
	case c.block == "option" && last != "":
		c.choice()
		return
	case c.block == "option":
		return
	}
	switch last {
	case "":
		c.words("property", "title", "source", "role", "order", "root", "depth", "gate", "option", "keys")
	case "role":
		c.words("role", builtin.DocumentRole.String(), builtin.FramingRole.String())
	case "order":
		c.words("order of bytes", "little", "big")
	case "root":
		c.symbols(schema.UnionName, schema.TypeName)
	}
}

// choice adds the scalars that a choice of an option can have.
func (c *completer) choice() {
	for _, t := range builtin.Types() {
		if size := numberSize(t); size != "" && t.Coding == builtin.Fixed {
			c.add(t.Name, itemUnit, size, "")
		}
	}
}

// keyRule adds the rules for keys, or the arms that a rule can name.
func (c *completer) keyRule(last string) {
	if last != "" {
		c.symbols(schema.ArmName)
		return
	}
	for r := range builtin.NumKeyRules {
		c.add(r.String(), itemKeyword, "rule for keys", r.Doc())
	}
}

func (c *completer) rule(last string) {
	if rule := builtin.TextRuleNamed(last); rule != nil {
		for _, w := range rule.Words {
			c.add(w.Name, itemKeyword, "rule for text", w.Doc)
		}
		return
	}
	for _, r := range builtin.TextRules {
		c.add(r.Name, itemKeyword, "rule for text", r.Doc)
	}
	c.words("character set", builtin.CharsetNames()...)
}

// row adds what may follow in a row that has some of its cells.
func (c *completer) row(before, last string) {
	cells := strings.Count(strings.NewReplacer("||", "").Replace(before), "|")
	cell := before[strings.LastIndexByte(before, '|')+1:]
	forms := cells == 3 && strings.HasPrefix(strings.TrimLeft(cell, " "), "by ")
	switch {
	case cells == 1, cells == 2:
		c.values()
	case cells == 3 && strings.HasSuffix(strings.TrimSpace(before), "|"):
		c.types()
		c.words("the number that selects one of several types", "by")
	case forms && strings.Contains(cell, "{"):
		c.types()
	case forms:
		c.values()
	case cells == 3 && qualified.MatchString(before) && c.x != nil && c.x.find(qualified.FindStringSubmatch(before)[1], schema.ImportName) != nil:
		c.imported(qualified.FindStringSubmatch(before)[1], schema.TypeName, schema.UnionName)
	case cells == 3 && strings.HasSuffix(last, "."):
		c.words("the number of an arm", "id")
	case cells == 3, cells == 4 && strings.Contains(before[strings.LastIndexByte(before, '|'):], "="):
		c.values()
		if strings.HasSuffix(before, "[") {
			c.words("all the bytes that are left", "until end")
			c.fewLeft()
			c.add(`until "00"`, itemKeyword, "text, bytes or digits that end before a zero byte", "the bytes of the terminator, in hexadecimal")
		}
	case cells >= 5:
		c.attribute(last)
	}
}

// fewLeft adds the end of a list that leaves bytes for the rows behind it.
func (c *completer) fewLeft() {
	c.add("until left() <= N", itemKeyword, "a list that leaves up to N bytes", "the number of bytes for the rows behind the list")
}

// attribute adds the rules of rows and bits.
func (c *completer) attribute(last string) {
	switch last {
	case "check", "if", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "+", "-", "*", "/", "%", "=":
		c.values()
	case "pad", "fill", "with":
	default:
		if strings.HasSuffix(last, "(") || strings.HasSuffix(last, "!") {
			c.values()
			return
		}
		c.words("rule", builtin.AttributeWords()...)
		for _, a := range builtin.Attributes {
			c.words("rule", slices.DeleteFunc(slices.Clone(a.Words), func(w string) bool { return builtin.AttributeNamed(w) != nil })...)
		}
	}
}

// item adds what a line of a body may begin with.
func (c *completer) item(words []string, last string) {
	first := ""
	if len(words) > 0 {
		first = words[0]
	}
	switch {
	case first == "":
		c.words("item", "repeat", "map", "if", "order", "refuse", "requires", "writes", "example")
		c.add("|", itemKeyword, "row", "`| offset | length | type | name | \"description\"`")
	case first == "order" && last == "order":
		c.words("order of bytes", "little", "big", "by")
	case first == "order" && last == "by":
		c.values()
	case first == "order" && last != "little" && last != "big":
		c.words("order of bytes", "little", "big")
	case first == "requires":
		c.symbols(schema.GateName)
	case first == "example" && last == "with", first == "example" && strings.HasSuffix(last, ","):
		c.words("a reader that refuses what a writer does not make", "strict")
		c.symbols(schema.GateName, schema.ChoiceName)
	case first == "example" && last == "refused":
		for _, k := range interp.ErrorKinds {
			if k.Decodes {
				c.words("kind of error", k.Word)
			}
		}
	case first == "example" && strings.HasSuffix(last, `"`):
		c.words("", "with", "is", "refused")
	case first == "example":
		c.symbols(schema.ArmName)
	case last == "selects":
		c.symbols(schema.OptionName, schema.UnionName)
	case first == "writes" && last == "writes":
		c.words("", "absent")
		c.symbols(schema.ArmName)
	case first == "repeat" && last == "repeat", first == "map" && last == "map":
		c.words("", "until end")
		if first == "repeat" {
			c.fewLeft()
		}
		c.values()
	case (first == "repeat" || first == "map") && last == "as":
	case (first == "repeat" || first == "map") && strings.HasSuffix(last, "}"), first == "}":
		c.attribute(last)
	case first == "repeat", first == "map":
		c.words("", "as")
		c.values()
	case first[0] >= '0' && first[0] <= '9', len(words) > 1 && words[1] == "{": // bits
		if last == "=" || strings.HasSuffix(last, "(") {
			c.values()
			return
		}
		c.words("", "signed", "selects")
		c.attribute(last)
	default:
		c.values()
	}
}
