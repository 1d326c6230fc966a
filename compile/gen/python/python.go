// The module of a schema: what it is made of.

package python

import (
	"embed"
	"fmt"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
)

//go:embed runtime/*.py.txt
var runtime embed.FS

// Generate returns a Python module that reads and writes the values of a schema.
func Generate(m *model.Model, _ model.Options) ([]model.File, error) {
	g := &generator{m: m, on: map[string]bool{}, helpers: map[string]bool{}}
	g.features()
	g.name()
	g.head()
	g.f("%s\n\n", g.section("head"))
	g.types()
	g.f("%s\n\n", g.section("read"))
	g.readers()
	g.f("%s\n\n", g.section("write"))
	g.writers()
	if g.on["maps"] {
		g.keys()
	}
	name := strings.ReplaceAll(model.Snake(m.Schema), "-", "_") + ".py"
	return []model.File{{Name: name, Text: []byte(tidy(g.String()))}}, nil
}

type generator struct {
	strings.Builder
	m       *model.Model
	on      map[string]bool // what the schema has, for the sections of the runtime
	helpers map[string]bool // functions that expressions need

	typeName map[*model.Type]string // classes
	union    map[*model.Routine]string
	routine  map[*model.Routine]string
	arm      map[*model.Arm]string
	record   *record
	region   int
	regions  []int
}

func (g *generator) f(format string, args ...any) { fmt.Fprintf(g, format, args...) }

// section returns a part of the runtime without what the schema does not need.
func (g *generator) section(name string) string {
	b, err := runtime.ReadFile("runtime/" + name + ".py.txt")
	if err != nil {
		panic(err)
	}
	var out strings.Builder
	keep := []bool{true}
	for line := range strings.Lines(string(b)) {
		mark, ok := strings.CutPrefix(strings.TrimSpace(line), "#gen:")
		switch {
		case !ok:
			if keep[len(keep)-1] {
				out.WriteString(line)
			}
		case mark == "end":
			keep = keep[:len(keep)-1]
		default:
			keep = append(keep, keep[len(keep)-1] && g.on[strings.TrimPrefix(mark, "if ")])
		}
	}
	return strings.NewReplacer("ROOTTYPE", g.typeOf(g.m.Root.Shape), "ROOT", g.routine[g.m.Root], "TEXT", g.text()).Replace(out.String())
}

// text is the type of texts. Where a schema takes bytes for text that are none to
// Unicode, those are given as bytes.
func (g *generator) text() string {
	if g.on["bytesText"] {
		return "str | bytes"
	}
	return "str"
}

func (g *generator) features() {
	g.on["calls"] = g.m.CountCalls
	g.each(func(_ *model.Routine, _ *model.Type, body []*model.Stmt) {
		model.Walk(body, func(s *model.Stmt) {
			switch s.Op {
			case bytecode.Text:
				e := g.m.Encodings[s.Encoding].UTF8
				g.on["text"] = true
				g.on["loose"] = g.on["loose"] || e == bytecode.UTF8Loose
				g.on["bytesText"] = g.on["bytesText"] || e != bytecode.UTF8Strict
			case bytecode.Map:
				g.on["maps"] = true
			case bytecode.Pad:
				g.on["pad"] = true
			case bytecode.Rest:
				g.on["rest"] = true
			case bytecode.Enter:
				g.on["regions"] = true
			}
		})
	})
}

// each calls f for every record: its routine, its type, and how it is read and written.
func (g *generator) each(f func(r *model.Routine, t *model.Type, body []*model.Stmt)) {
	for _, r := range g.m.Routines {
		if r.Union == nil {
			f(r, r.Type, r.Body)
			continue
		}
		for _, a := range r.Union.Arms {
			f(r, a.Type, a.Body)
		}
	}
}

// reserved are names that the module has for itself, or imports.
var reserved = strings.Fields(`FormatError ErrorKind Options DEFAULT SCHEMA PROGRAM DEFAULT_DEPTH Absent
	Callable Iterable Sequence Literal NoReturn TypeAlias TypeVar ClassVar Struct None True False`)

func (g *generator) name() {
	g.typeName, g.union = map[*model.Type]string{}, map[*model.Routine]string{}
	g.routine, g.arm = map[*model.Routine]string{}, map[*model.Arm]string{}
	taken := model.Unique{}
	for _, n := range reserved {
		taken[n] = true
	}
	functions := model.Unique{}
	for _, r := range g.m.Routines {
		g.routine[r] = functions.Name(model.Snake(r.Name))
		if r.Union != nil {
			g.union[r] = taken.Name(model.Pascal(r.Name))
			taken[g.union[r]+"Type"] = true
		}
	}
	for _, r := range g.m.Routines {
		if r.Union != nil {
			for _, a := range r.Union.Arms {
				g.arm[a] = functions.Name(g.routine[r] + "_" + model.Snake(a.Type.Name))
			}
		}
	}
	g.typeName = typeNames(g.m, taken)
}

// typeNames chooses the names of the classes.
func typeNames(m *model.Model, taken model.Unique) map[*model.Type]string {
	out := map[*model.Type]string{}
	add := func(r *model.Routine, t *model.Type) {
		if out[t] == "" && isClass(t) {
			out[t] = taken.Name(model.TypeName(t, r))
		}
	}
	for _, r := range m.Routines {
		if r.Union == nil {
			add(r, r.Type)
			continue
		}
		for _, a := range r.Union.Arms {
			add(r, a.Type)
		}
	}
	return out
}

// ClassNames returns the names of the classes that a module has for types.
func ClassNames(m *model.Model) map[*model.Type]string {
	g := &generator{m: m}
	g.name()
	return g.typeName
}

// isClass reports whether a type is a class: every arm that is no value of the
// language, and every record but those that their only field stands for.
func isClass(t *model.Type) bool {
	if t.Union != "" {
		return !t.Natural
	}
	f := t.Alone()
	return f == nil || t.Lanes != nil
}

// head prints the beginning of the module.
func (g *generator) head() {
	m := g.m
	choice := ""
	if m.Choice != "" {
		choice = ", " + m.Choice
	}
	g.f("# Code generated by octable gen python from schema %s%s. DO NOT EDIT.\n# Program %s\n\n", m.Schema, choice, m.Hash)
	title := m.Title
	if title == "" {
		title = "The format of schema " + m.Schema
	}
	g.f("%s", docstring("", title+".\n\nA value is of type "+g.typeOf(m.Root.Shape)+"; see decode and encode. Whatever the input is, decoding takes memory of at most a small constant times its length, and a FormatError says what is wrong, where, and by which row of the schema.\n\nIn which of several widths a number was written is not kept, nor are the payloads of NaN."))
	g.f("\nfrom __future__ import annotations\n\n")
	if g.on["maps"] {
		g.f("import json\n")
	}
	g.f("import sys\n")
	callables := "Callable, Sequence"
	if g.on["maps"] {
		callables = "Callable, Iterable, Sequence"
	}
	cast := ""
	if g.on["maps"] {
		cast = ", cast"
	}
	more := ""
	if g.on["maps"] {
		more = ", fields, is_dataclass"
	}
	g.f("from collections.abc import %s\nfrom dataclasses import dataclass%s\nfrom math import inf\nfrom struct import Struct, pack, unpack\nfrom typing import %sLiteral, NoReturn, TypeAlias, TypeVar%s\n\n", callables, more, g.classVar(), cast)
	g.f("SCHEMA = %q  # the id of the schema\nPROGRAM = %q  # the hash of the compiled schema: modules with the same hash read and write the same\n", m.Schema, m.Hash)
	g.f("DEFAULT_DEPTH = %d  # how deeply values may be nested where options do not say\n\n_T = TypeVar(\"_T\")\n_U = TypeVar(\"_U\")\n\n", m.Depth)
	g.f("\n@dataclass(frozen=True, slots=True)\nclass Options:\n    \"\"\"The choices of one call.\"\"\"\n\n")
	for _, n := range m.Gates {
		g.f("    %s: bool = False\n    \"\"\"Allow %s, in both directions.\"\"\"\n", member(n), n)
	}
	g.f("    strict: bool = False\n    \"\"\"Refuse, when decoding, bytes that a writer would not produce, and bytes after the value.\"\"\"\n")
	g.f("    max_depth: int = 0\n    \"\"\"How deeply values may be nested, in both directions; 0 is DEFAULT_DEPTH.\"\"\"\n")
	g.f("    max_memory: int = 0\n    \"\"\"How many bytes the values of one call may take, counted as 24 for each part; 0 is no limit.\"\"\"\n\n")
	g.f("    def depth(self) -> int:\n        return min(self.max_depth, 16384) if self.max_depth > 0 else DEFAULT_DEPTH\n\n")
	var bits []string
	for i, n := range m.Gates {
		bits = append(bits, fmt.Sprintf("(%d if self.%s else 0)", 1<<i, member(n)))
	}
	if bits == nil {
		bits = []string{"0"}
	}
	g.f("    def gates(self) -> int:\n        return %s\n\n\nDEFAULT = Options()\n\n", strings.Join(bits, " | "))
	order := "<"
	if m.Big {
		order = ">"
	}
	for _, s := range [][2]string{{"I8", "b"}, {"U16", "H"}, {"I16", "h"}, {"U32", "I"}, {"I32", "i"}, {"U64", "Q"}, {"I64", "q"}, {"F32", "f"}, {"F64", "d"}} {
		g.f("_%s = Struct(\"%s%s\")\n", s[0], order, s[1])
	}
	g.f("_CODE = Struct(\"<I\")\n\n# The rows of the schema: name and place.\n_RULES: tuple[tuple[str, str], ...] = (\n")
	for _, r := range m.Rules {
		g.f("    (%q, %q),\n", r.Name, r.Source)
	}
	g.f(")\n\n")
}

// classVar is the import of what says which arm a class is, where there is one.
func (g *generator) classVar() string {
	for t := range g.typeName {
		if t.Union != "" {
			return "ClassVar, "
		}
	}
	return ""
}

// tidy ends the module with one line break, and puts two empty lines before what
// stands at the beginning of a line.
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
	var lines []string
	for para := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, w := range strings.Fields(para) {
			if line != "" && len([]rune(indent+line))+1+len([]rune(w)) > 96 {
				lines = append(lines, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += w
		}
		lines = append(lines, line)
	}
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

// member is the name of a field.
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

// Member is the name of a field in a module.
func Member(name string) string { return member(name) }
