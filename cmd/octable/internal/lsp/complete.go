// What may be written at a place.

package lsp

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

// complete returns what may be written at an offset, of which the part from the
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
	files, err := s.lineage(name)
	if err != nil {
		return nil, from
	}
	c.x = s.index(name, files)
	c.enclosing(t, at.Line)
	if quotes := strings.Count(strings.ReplaceAll(before, `\"`, ""), `"`); quotes%2 == 1 {
		if m := extends.FindStringSubmatch(line); m != nil {
			return c.schemas(), offset - len(m[1]) - t.mark()
		}
		return nil, from // in a text
	}
	if i := strings.Index(before, "//"); i >= 0 {
		return nil, from
	}
	c.at(before)
	return c.items, from
}

var (
	trailing = regexp.MustCompile(`[A-Za-z0-9_]*$`)
	extends  = regexp.MustCompile(`extends\s+"([^"]*)$`)
)

type completer struct {
	*snapshot
	x     *index
	name  string
	word  string
	items []completionItem

	decl []string // the words that begin the declaration around the place; none outside of one
	body string   // its text up to its end
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

var itemKinds = map[schema.Sort]int{schema.TypeName: itemClass, schema.UnionName: itemEnum, schema.ArmName: itemClass, schema.ConstName: itemConstant, schema.ErratumName: itemConstant,
	schema.AxisName: itemUnit, schema.EncodingName: itemUnit, schema.GateName: itemConstant, schema.ChoiceName: itemConstant}

// symbols adds the declarations of some sorts, in order of their names.
func (c *completer) symbols(sorts ...schema.Sort) {
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
		c.add(d.Name, itemKinds[d.Sort], string(d.Sort), c.x.says(d)+documentation(doc))
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
	for _, id := range spec.IDs() {
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

// types adds what may stand in the third cell of a row.
func (c *completer) types() {
	for _, t := range builtin.Types() {
		c.add(t.Name, itemUnit, numberSize(t), describe(t.Name))
	}
	c.symbols(schema.AxisName, schema.EncodingName, schema.TypeName, schema.UnionName)
}

// numberSize returns the bytes that a type of numbers takes, or "" for other types.
func numberSize(t builtin.Type) string {
	if t.Truth || t.Text {
		return ""
	}
	return plural(int64(t.Scalar.Width()), "byte")
}

// values adds what may stand in an expression: fields of the declaration, constants
// and functions.
func (c *completer) values() {
	c.fields()
	c.symbols(schema.ConstName)
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
	listName   = regexp.MustCompile(`(?m)^\s*repeat\b.*?\bas\s+([A-Za-z_][A-Za-z0-9_]*)`)
	letName    = regexp.MustCompile(`(?m)^\s*let\s+([A-Za-z_][A-Za-z0-9_]*)`)
	unionWords = map[string]int{"arm": 1, "replace": 2, "extend": 2}
)

// fields adds the fields of the declaration around the place, and what is known in it
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
	for _, re := range []*regexp.Regexp{bitName, listName, letName} {
		for _, m := range re.FindAllStringSubmatch(c.body, -1) {
			add(m[1], "")
		}
	}
	if len(c.decl) == 0 {
		return
	}
	var around []*schema.Declaration
	if i, ok := unionWords[c.decl[0]]; ok && i < len(c.decl) {
		if u := c.x.find(c.decl[i], schema.UnionName); u != nil {
			around = append(around, u)
		}
		if c.decl[0] == "extend" {
			for _, a := range c.x.arms(c.decl[i]) {
				if slices.Contains(c.decl[i+1:], a.Name) {
					around = append(around, a)
				}
			}
		}
	} else if len(c.decl) > 1 {
		if d := c.x.find(c.decl[1], schema.TypeName, schema.UnionName); d != nil {
			around = append(around, d)
		}
	}
	for _, d := range around {
		fields := slices.Clone(d.Fields)
		sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
		for _, f := range fields {
			add(f.Name, f.Owner)
		}
	}
}

// at adds what may stand behind the words before it on its line.
func (c *completer) at(before string) {
	words := strings.Fields(before)
	last, prev := "", ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	if len(words) > 1 {
		prev = words[len(words)-2]
	}
	if before == "" {
		c.words("declaration", "schema", "type", "union", "arm", "const", "encoding", "erratum")
		c.words("change of the extended schema", "replace", "extend", "remove", "renumber", "rename")
		return
	}
	if strings.TrimLeft(before, " \t") == before { // a declaration's own line
		c.declaration(words, last, prev)
		return
	}
	switch {
	case strings.HasSuffix(before, "!"), last == "erratum":
		c.symbols(schema.ErratumName)
	case c.in("schema"):
		c.property(last)
	case c.in("encoding"):
		c.rule(last)
	case c.in("erratum"):
		c.words("text", "says", "engine", "here")
	case c.in("renumber"), c.in("rename"):
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

func (c *completer) declaration(words []string, last, prev string) {
	switch {
	case last == "replace":
		c.words("declaration", "type", "union", "arm", "encoding", "erratum")
	case last == "extend":
		c.words("", "arm")
	case last == "remove":
		c.words("", "arm", "type", "union", "erratum")
	case last == "arm" && words[0] == "remove":
		c.symbols(schema.ArmName)
	case last == "arm", last == "renumber", last == "rename":
		c.symbols(schema.UnionName)
	case words[0] == "remove" && len(words) > 1:
		c.symbols(schema.Sort(words[1]))
	case prev == "arm" && words[0] == "extend":
		c.arms(last)
	case words[0] == "extend" && len(words) > 3:
		c.arms(words[2])
	case words[0] == "replace" && len(words) == 2:
		c.symbols(schema.Sort(words[1]))
	case words[0] == "replace" && len(words) == 4 && words[1] == "arm":
		c.arms(words[2])
	case words[0] == "schema":
		c.words("", "extends")
	case words[0] == "union":
		c.words("", "by")
	case words[0] == "const":
		c.symbols(schema.ConstName)
	case words[0] == "arm" && len(words) == 2:
		c.words("every number that no arm has", "else")
	}
}

// property adds what may stand in the declaration of a schema.
func (c *completer) property(last string) {
	switch last {
	case "":
		c.words("property", "title", "source", "order", "root", "depth", "gate", "axis", "equal", "differ", "exact", "apart", "says", "erratum")
	case "order":
		c.words("order of bytes", "little", "big")
	case "root":
		c.symbols(schema.UnionName, schema.TypeName)
	case "depth":
		c.symbols(schema.ConstName)
	case "equal", "differ", "exact", "apart":
		c.symbols(schema.ArmName)
	default:
		if strings.HasSuffix(last, ",") {
			c.symbols(schema.ArmName)
			return
		}
		for _, t := range builtin.Types() {
			if size := numberSize(t); size != "" {
				c.add(t.Name, itemUnit, size, "")
			}
		}
		c.words("under this choice", "offset", "length", "element")
	}
}

func (c *completer) rule(last string) {
	switch last {
	case "utf8":
		c.words("what is well formed", "strict", "loose", "unchecked")
	case "bom":
		c.words("a byte order mark", "drop", "keep")
	case "nul":
		c.words("a zero byte", "keep", "stop", "counted")
	default:
		c.words("rule", "utf8", "bom", "nul", "erratum")
	}
}

// row adds what may stand in a row, of which some cells are there.
func (c *completer) row(before, last string) {
	cells := strings.Count(strings.NewReplacer("||", "").Replace(before), "|")
	switch {
	case cells == 3 && strings.HasSuffix(strings.TrimSpace(before), "|"):
		c.types()
	case cells == 3 && strings.HasSuffix(last, "."):
		c.words("the number of an arm", "id")
	case cells == 3, cells == 4 && strings.Contains(before[strings.LastIndexByte(before, '|'):], "="):
		c.values()
		if strings.HasSuffix(before, "[") {
			c.add(builtin.Rest.Name, itemKeyword, builtin.Rest.Doc, "")
		}
	case cells >= 5:
		c.attribute(last)
	}
}

// attribute adds the rules of rows and bits.
func (c *completer) attribute(last string) {
	switch last {
	case "write", "check", "if", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "+", "-", "*", "/", "%", "=":
		c.values()
	case "at":
		c.symbols(schema.ChoiceName)
	case "same":
		c.fields()
	case "pad":
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

// item adds what may stand on a line of a body.
func (c *completer) item(words []string, last string) {
	first := ""
	if len(words) > 0 {
		first = words[0]
	}
	switch {
	case first == "":
		c.words("item", "repeat", "within", "if", "let", "refuse", "requires", "writes", "caption", "says", "example", "erratum")
		c.add("|", itemKeyword, "row", "`| offset | length | type | name | \"description\"`")
	case first == "requires":
		c.symbols(schema.GateName)
	case first == "example" && last == "with", first == "example" && strings.HasSuffix(last, ","):
		c.symbols(schema.GateName, schema.ChoiceName)
	case first == "example" && last == "refused":
		for _, k := range interp.ErrorKinds {
			if k.Decodes {
				c.words("kind of error", k.Word)
			}
		}
	case first == "example" && strings.HasSuffix(last, `"`):
		c.words("", "with", "is", "refused", "again")
	case first == "example":
		c.symbols(schema.ArmName)
	case last == "selects":
		c.symbols(schema.AxisName)
	case first == "writes" && last == "writes":
		c.words("", "absent")
		c.symbols(schema.ArmName)
	case first == "repeat" && last == "repeat":
		c.words("", "to end")
		c.values()
	case first == "repeat" && last == "as":
	case first == "repeat" && strings.HasSuffix(last, "}"), first == "}":
		c.attribute(last)
	case first == "repeat":
		c.words("", "as", "map")
		c.values()
	case first[0] >= '0' && first[0] <= '9', len(words) > 1 && words[1] == "{": // bits
		if last == "=" || strings.HasSuffix(last, "(") {
			c.values()
			return
		}
		c.words("", "selects")
		c.attribute(last)
	default:
		c.values()
	}
}
