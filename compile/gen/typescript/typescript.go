// The spellings of TypeScript.

package typescript

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/script"
	"github.com/octable/octable/dsl/builtin"
)

//go:embed language.tmpl runtime
var files embed.FS

// Generate returns TypeScript modules that read and write the values of a schema.
func Generate(m *model.Model, _ model.Options) ([]model.File, error) {
	return script.Generate(language, m)
}

// Members returns the names of the members of an interface.
func Members(t *model.Type) []string { return t.MemberNames(language.Member, language.Taken) }

// Gates returns the names of the options for gates.
func Gates(m *model.Model) []string { return m.OptionNames(language.Member, language.Option...) }

var language = &script.Language{
	Target: "a TypeScript module",
	Files:  files,
	Suffix: ".ts.txt",
	Mark:   "//gen:",
	Reserved: `Reader Writer Failure FormatError ErrorKind Encoding Options Decoded
		Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error Float32Array Float64Array Function
		Infinity Int8Array Int16Array Int32Array JSON Map Math NaN Number Object Omit Promise Proxy RangeError RegExp Set
		String Symbol TextDecoder TextEncoder Uint8Array Uint16Array Uint32Array WeakMap WeakSet`,

	Routine: model.Pascal,
	Join:    join,
	Unkept:  "which NaN a number is, outside of typed arrays",
	Others:  "the others are objects that say their type in $type",
	Member:  model.Camel,
	Taken:   "$type",
	Option:  []string{"strict", "maxDepth", "maxMemory"},
	Access:  access,
	Inner:   func(x, name string) string { return x + "?." + strings.TrimPrefix(access(name), ".") },
	Doc:     comment,

	Indent: "  ",
	End:    ";",
	Let:    "const %s = %s",
	Var:    "let %s = %s",
	Typed:  "let %[1]s: %[3]s = %[2]s",
	Guard:  "if (%s) %s",
	Fail:   "fail(%s)",
	If:     "if (%s) {",
	Else:   "} else {",
	Close:  "}\n",
	Try:    "try {",
	Catch:  "} catch (e) {\n  within(e, \"\", %s);\n}\n",
	Repeat: "for (let i = 0; i < 4; i++) {",
	Bools:  [2]string{"false", "true"},

	Not: "!%s", And: " && ", Or: " || ",
	Choose: "%s ? %s : %s",
	Equal:  " === ", Unequal: " !== ", Same: "((%s as string | undefined) === %s)",
	Is: "%s === %s", IsNot: "%s !== %s",
	Missing: "undefined", Other: "undefined",
	Closed:   "(%s.open & %d) === 0",
	Number:   "(%s ? 1 : 0)",
	Length:   "%s.length",
	Quotient: "Math.floor(%s / %d)",
	String:   "String(%s)",
	Lambda:   "(k) => %s",
	Closure:  "(%s) => %s",
	Template: "`%s${n}`",
	Each:     "%s.map((e) => %s)",
	EachPair: "%s.flatMap(([k, e]) => [%s, %s])",
	NaN:      "Number.isNaN(%s)",
	Encoding: "encodings.e%d",
	NotList:  "!Array.isArray(%s)",
	NotBool:  "typeof %s !== \"boolean\"",
	NotText:  [2]string{"typeof %s !== \"string\"", "typeof %[1]s !== \"string\" && !(%[1]s instanceof Uint8Array)"},

	Bool: "boolean", Text: "string", Bytes: "Uint8Array", Nothing: "null", Whole: "bigint", Int: "number", Void: "void",
	Reader: "Reader", Writer: "Writer", Input: "bytes", Output: "bytes", Part: "[%s, %s, %d]", Octets: octets,
	Loose:  true,
	List:   list,
	Tuple:  "[%s]",
	Scalar: scalar,
	Packed: packed,

	New: func(g *script.Module) script.Printer { return &printer{Module: g} },
	Funcs: func(p script.Printer, _ func(string) bool) template.FuncMap {
		return template.FuncMap{"makers": p.(*printer).makers, "property": property, "imports": imports}
	},
	Tidy: tidy,

	FileNames: [2]string{"index.ts", "runtime.ts"},
	Public:    "FormatError ErrorKind Options defaultDepth schema",
	Makers:    "make",
	IsPublic:  func(text, _ string) bool { return exported.MatchString(text) },
	Grammar: &script.Grammar{
		Declaration: regexp.MustCompile(`(?m)^(?:export |declare )*(?:function|const|class|interface|type) (\w+)`),
		Type:        regexp.MustCompile(`^(?:export )?(?:interface|type) `),
		Method:      regexp.MustCompile(`^  (?:get )?(\w+)(?:<[^(]*>)?\(`),
		MethodEnd:   "  }",
		Before:      regexp.MustCompile(`^(?:  )?(?:/\*\*| \*|//)`),
		NotCode:     regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"`),
		Special:     regexp.MustCompile(`^constructor$`),
		Export:      "export ",
		Properties:  true,
	},
}

var exported = regexp.MustCompile(`(?m)^export `)

// imports prints the import of declarations of the runtime.
func imports(all []script.Import) string {
	var names []string
	for _, x := range all {
		if x.Type {
			x.Name = "type " + x.Name
		}
		names = append(names, x.Name)
	}
	if line := "import { " + strings.Join(names, ", ") + " } from \"./runtime.js\";\n"; len(line) <= 120 {
		return line
	}
	return "import {\n  " + strings.Join(names, ",\n  ") + ",\n} from \"./runtime.js\";\n"
}

// join returns words as one, in which each but the first begins with a capital letter.
func join(words ...string) string {
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// octets returns an array of bytes.
func octets(b string) string {
	var all []string
	for _, c := range []byte(b) {
		all = append(all, fmt.Sprint(c))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// list returns the type of lists.
func list(elem string) string {
	if strings.Contains(elem, " | ") {
		elem = "(" + elem + ")"
	}
	return elem + "[]"
}

// scalar returns the type of a number.
func scalar(s builtin.Scalar) string {
	switch {
	case s == builtin.Code4:
		return "string"
	case wide(s):
		return "bigint"
	}
	return "number"
}

// packed returns the type of an array of numbers.
func packed(s *model.Shape) string {
	var all []string
	for _, n := range s.Scalars {
		all = append(all, arrayOf(n))
	}
	return strings.Join(all, " | ")
}

// arrayOf returns the array that holds numbers of a scalar.
func arrayOf(s builtin.Scalar) string {
	return viewed(s) + "Array"
}

// tidy ends the module with one line break and leaves no more than one empty line.
func tidy(s string) string {
	for strings.Contains(s, "\n\n\n") {
		s = strings.ReplaceAll(s, "\n\n\n", "\n\n")
	}
	return strings.TrimSpace(s) + "\n"
}

// comment prints a comment, whose lines are broken at 90 columns.
func comment(indent, text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	text = strings.ReplaceAll(text, "*/", "* /")
	if !strings.Contains(text, "\n") && len([]rune(text)) < 84 {
		return indent + "/** " + text + " */\n"
	}
	var out strings.Builder
	out.WriteString(indent + "/**\n")
	for _, line := range script.Wrap(text, 87-len(indent)) {
		out.WriteString(strings.TrimRight(indent+" * "+line, " ") + "\n")
	}
	out.WriteString(indent + " */\n")
	return out.String()
}

// property prints the name of a property.
func property(name string) string {
	for i, r := range name {
		if !(r == '_' || r == '$' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || i > 0 && '0' <= r && r <= '9') {
			return fmt.Sprintf("%q", name)
		}
	}
	return name
}

// access prints the property of the object before it.
func access(name string) string {
	if p := property(name); p != name {
		return "[" + p + "]"
	}
	return "." + name
}

// parameter returns the name of a parameter for a property.
func parameter(name string) string {
	switch name {
	case "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum", "export", "extends",
		"false", "finally", "for", "function", "if", "import", "in", "instanceof", "new", "null", "return", "super", "switch", "this", "throw",
		"true", "try", "typeof", "var", "void", "while", "with", "yield", "let", "static", "implements", "interface", "package", "private",
		"protected", "public", "await", "arguments", "eval":
		return name + "_"
	}
	return name
}
