// The spellings of Python.

package python

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/script"
	"github.com/octable/octable/dsl/builtin"
)

//go:embed language.tmpl runtime
var files embed.FS

// Generate returns a Python package that reads and writes the values of a schema.
func Generate(m *model.Model, _ model.Options) ([]model.File, error) {
	return script.Generate(language, m)
}

// ClassNames returns the names of the classes that a module has for types.
func ClassNames(m *model.Model) map[*model.Type]string { return script.New(language, m).Class }

// Members returns the names of the fields of a class.
func Members(t *model.Type) []string { return t.MemberNames(language.Member, language.Taken) }

// Gates returns the names of the options for gates.
func Gates(m *model.Model) []string { return m.OptionNames(language.Member, language.Option...) }

var language = &script.Language{
	Target: "a Python module",
	Files:  files,
	Suffix: ".py.txt",
	Mark:   "#gen:",
	Reserved: `FormatError ErrorKind Options DEFAULT SCHEMA PROGRAM DEFAULT_DEPTH Absent
		Callable Enum Iterable Sequence Literal NoReturn TypeAlias TypeVar ClassVar Struct None True False`,

	Routine: model.Snake,
	Join:    func(words ...string) string { return strings.Join(words, "_") },
	Private: "_",
	Unkept:  "whether a NaN of single precision is a signalling one",
	Others:  "each of the others is a class",
	Member:  member,
	Taken:   "TYPE",
	Option:  []string{"strict", "max_depth", "max_memory", "depth", "gates"},
	Access:  func(name string) string { return "." + name },
	Inner:   func(x, name string) string { return fmt.Sprintf("getattr(%s, %q, None)", x, name) },
	Doc:     docstring,

	Indent: "    ",
	Pass:   "pass",
	Let:    "%s = %s",
	Var:    "%s = %s",
	Typed:  "%[1]s = %[2]s",
	Guard:  "if %s:\n    %s",
	Fail:   "raise FormatError(%s)",
	If:     "if %s:",
	Else:   "else:",
	Try:    "try:",
	Catch:  "except FormatError as e:\n    e.within(\"\", %s)\n    raise\n",
	Repeat: "for _ in range(4):",
	Bools:  [2]string{"False", "True"},

	Not: "not %s", And: " and ", Or: " or ",
	Choose: "%[2]s if %[1]s else %[3]s",
	Equal:  " == ", Unequal: " != ", Same: "(%s == %s)",
	Is: "%s is %s", IsNot: "%s is not %s",
	Missing: "None", Other: "Absent.ABSENT",
	Closed:   "%s.open & %d == 0",
	Number:   "int(%s)",
	Length:   "len(%s)",
	Quotient: "%s // %d",
	String:   "str(%s)",
	Lambda:   "lambda k: %s",
	Closure:  "lambda %s: %s",
	Template: `f"%s{n}"`,
	Each:     "[%[2]s for e in %[1]s]",
	EachPair: "[p for k, e in %s for p in (%s, %s)]",
	NaN:      "%[1]s != %[1]s",
	Encoding: "_E%d",
	NotList:  "not isinstance(%s, (list, tuple))",
	NotBool:  "not isinstance(%s, bool)",
	NotText:  [2]string{"not isinstance(%s, str)", "not isinstance(%s, (str, bytes))"},

	Bool: "bool", Text: "str", Bytes: "bytes", Nothing: "None", Whole: "int", Int: "int", Void: "None",
	Reader: "_Reader", Writer: "_Writer", Input: "data", Output: "out", Part: "(%s, %s, %d)", Octets: octets,
	List:   func(elem string) string { return "list[" + elem + "]" },
	Tuple:  "tuple[%s]",
	Scalar: scalar,
	Packed: packed,

	New:  func(g *script.Module) script.Printer { return &printer{Module: g} },
	Tidy: tidy,
	Funcs: func(_ script.Printer, uses func(string) bool) template.FuncMap {
		return template.FuncMap{
			"imports": imports,
			"from":    func(module string, codes ...string) string { return from(module, codes, uses) },
		}
	},

	FileNames: [2]string{"__init__.py", "_runtime.py"},
	Public:    public,
	IsPublic:  func(_, name string) bool { return name != "" && name[0] != '_' },
	Grammar: &script.Grammar{
		Declaration: regexp.MustCompile(`(?m)^(?:(?:def|class) (\w+)|(\w+)(?:: .+)? = )`),
		Method:      regexp.MustCompile(`^    def (\w+)\(`),
		Before:      regexp.MustCompile(`^(?:    )?[@#]`),
		NotCode:     regexp.MustCompile(`(?s)""".*?"""|(?m:#[^"\n]*$)`),
		Quotes:      `"""`,
		Special:     regexp.MustCompile(`^__`),
	},
}

// public are the names that the package exports of the runtime.
const public = "FormatError ErrorKind Options DEFAULT DEFAULT_DEPTH SCHEMA"

// from prints the import of the names of a module that a file uses. A name may be followed by what
// it is followed by in code.
func from(module string, codes []string, uses func(string) bool) string {
	var names []string
	for _, code := range codes {
		if uses(code) {
			names = append(names, strings.TrimRight(code, "(["))
		}
	}
	if names == nil {
		return ""
	}
	return "from " + module + " import " + strings.Join(names, ", ")
}

// imports prints the import of declarations of the runtime, and the public names.
func imports(all []script.Import, own []string) string {
	names := strings.Fields(public)
	own = slices.Concat(names, own)
	for _, x := range all {
		if !slices.Contains(names, x.Name) {
			names = append(names, x.Name)
		}
		if x.Name == "Absent" {
			own = append(own, x.Name)
		}
	}
	out := "from ._runtime import (\n"
	for _, n := range names {
		out += "    " + n + ",\n"
	}
	out += ")\n\n__all__ = [\n"
	for _, n := range own {
		out += "    " + script.Quote(n) + ",\n"
	}
	return out + "]\n"
}

// scalar returns the type of a number.
func scalar(s builtin.Scalar) string {
	switch {
	case s == builtin.Code4:
		return "str"
	case s.IsFloat():
		return "float"
	}
	return "int"
}

// packed returns the type of an array of numbers.
func packed(s *model.Shape) string {
	elem := "int"
	if s.Scalar().IsFloat() {
		elem = "float"
	}
	switch {
	case s.Width == 1 && s.Scalar() == builtin.U8:
		return "bytes"
	case s.Width == 1:
		return "list[" + elem + "]"
	}
	return "list[tuple[" + strings.TrimSuffix(strings.Repeat(elem+", ", s.Width), ", ") + "]]"
}

// member returns the name of a field.
func member(name string) string {
	s := model.Snake(name)
	switch s {
	case "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "false", "finally",
		"for", "from", "global", "if", "import", "in", "is", "lambda", "none", "nonlocal", "not", "or", "pass", "raise", "return", "true",
		"try", "while", "with", "yield", "self":
		return s + "_"
	}
	return s
}

// tidy ends the module with one line break. It puts two empty lines before the
// declarations that begin in the first column.
func tidy(s string) string {
	var out []string
	for _, line := range strings.Split(strings.TrimSpace(s), "\n") {
		line = strings.TrimRight(line, " ")
		if line == "" && len(out) > 1 && out[len(out)-1] == "" && out[len(out)-2] == "" {
			continue
		}
		top := strings.HasPrefix(line, "def ") || strings.HasPrefix(line, "class ") || strings.HasPrefix(line, "@")
		if top && len(out) > 0 && !strings.HasPrefix(out[len(out)-1], "@") && !strings.HasPrefix(out[len(out)-1], "#") {
			for len(out) < 2 || out[len(out)-1] != "" || out[len(out)-2] != "" {
				out = append(out, "")
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n") + "\n"
}

// docstring prints a text between quotes, in lines of at most 100 columns.
func docstring(indent, text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), `\`, `\\`)
	text = strings.ReplaceAll(text, `"""`, `'''`)
	if text == "" {
		return ""
	}
	if strings.HasSuffix(text, `"`) {
		text += " "
	}
	lines := script.Wrap(text, 96-len(indent))
	if len(lines) == 1 {
		return indent + `"""` + lines[0] + "\"\"\"\n"
	}
	for i := range lines {
		if i > 0 && lines[i] != "" {
			lines[i] = indent + lines[i]
		}
	}
	return indent + `"""` + strings.Join(lines, "\n") + "\n" + indent + "\"\"\"\n"
}

// octets returns a literal of bytes.
func octets(b string) string {
	var text strings.Builder
	for _, c := range []byte(b) {
		fmt.Fprintf(&text, `\x%02x`, c)
	}
	return `b"` + text.String() + `"`
}

// format returns the format of package struct for n numbers of a statement.
func (p *printer) format(s *model.Stmt, n int) string { return p.form(s.Scalar, s.Swapped, n) }

// form returns the format of package struct for n numbers.
func (p *printer) form(s builtin.Scalar, swapped bool, n int) string {
	order := "<"
	if p.Big != swapped && s != builtin.Code4 {
		order = ">"
	}
	letter := [...]string{"", "B", "b", "H", "h", "I", "i", "Q", "q", "f", "d", "I"}[s]
	if n == 1 {
		return script.Quote(order + letter)
	}
	return script.Quote(fmt.Sprintf("%s%d%s", order, n, letter))
}
