// The module of a schema: what it is made of.

package typescript

import (
	"embed"
	"fmt"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
)

//go:embed runtime/*.ts.txt
var runtime embed.FS

// Generate returns a TypeScript module that reads and writes the values of a schema.
func Generate(m *model.Model, _ model.Options) ([]model.File, error) {
	g := &generator{m: m, on: map[string]bool{}, helpers: map[string]bool{}}
	g.features()
	g.name()
	g.head()
	g.f("%s", g.section("head"))
	g.types()
	g.f("%s", g.section("read"))
	g.readers()
	g.f("%s", g.section("write"))
	g.writers()
	if g.on["maps"] {
		g.keys()
	}
	return []model.File{{Name: m.Schema + ".ts", Text: []byte(tidy(g.String()))}}, nil
}

type generator struct {
	strings.Builder
	m       *model.Model
	on      map[string]bool // what the schema has, for the sections of the runtime
	helpers map[string]bool // functions that expressions need

	typeName map[*model.Type]string // interfaces
	routine  map[*model.Routine]string
	arm      map[*model.Arm]string
	big      map[int]bool // registers of the record being printed that are bigint
	record   *record
	region   int
	regions  []int
}

func (g *generator) f(format string, args ...any) { fmt.Fprintf(g, format, args...) }

// section returns a part of the runtime without what the schema does not need.
func (g *generator) section(name string) string {
	b, err := runtime.ReadFile("runtime/" + name + ".ts.txt")
	if err != nil {
		panic(err)
	}
	var out strings.Builder
	keep := []bool{true}
	for line := range strings.Lines(string(b)) {
		mark, ok := strings.CutPrefix(strings.TrimSpace(line), "//gen:")
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
	return strings.NewReplacer("ROOTTYPE", g.typeOf(g.m.Root.Shape), "ROOT", g.routine[g.m.Root], "TEXT", g.text()).Replace(out.String()) + "\n"
}

// text is the type of texts. Where a schema takes bytes for text that are none to
// Unicode, those are given as bytes.
func (g *generator) text() string {
	if g.on["bytesText"] {
		return "string | Uint8Array"
	}
	return "string"
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

// reserved are names that the module has for itself, and those of the language that
// it would be confusing to take.
var reserved = strings.Fields(`Reader Writer Failure FormatError ErrorKind Encoding Options Decoded
	Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error Float32Array Float64Array Function
	Infinity Int8Array Int16Array Int32Array JSON Map Math NaN Number Object Promise Proxy RangeError Record RegExp Set
	String Symbol TextDecoder TextEncoder Uint8Array Uint16Array Uint32Array WeakMap WeakSet`)

func (g *generator) name() {
	g.typeName = map[*model.Type]string{}
	g.routine, g.arm = map[*model.Routine]string{}, map[*model.Arm]string{}
	taken := model.Unique{}
	for _, n := range reserved {
		taken[n] = true
	}
	functions := model.Unique{}
	for _, r := range g.m.Routines {
		g.routine[r] = functions.Name(model.Pascal(r.Name))
		if r.Union != nil {
			taken[g.routine[r]] = true
			taken[g.routine[r]+"Type"] = true
		}
	}
	for _, r := range g.m.Routines {
		if r.Union != nil {
			for _, a := range r.Union.Arms {
				g.arm[a] = functions.Name(g.routine[r] + model.Pascal(a.Type.Name))
			}
		}
	}
	g.each(func(r *model.Routine, t *model.Type, _ []*model.Stmt) {
		if g.typeName[t] == "" && g.isInterface(t) {
			g.typeName[t] = taken.Name(model.TypeName(t, r))
		}
	})
}

// isInterface reports whether a type is an object: every arm that is no value of the
// language, and every record but those that their only field stands for.
func (g *generator) isInterface(t *model.Type) bool {
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
	g.f("// Code generated by octable gen ts from schema %s%s. DO NOT EDIT.\n// Program %s\n\n", m.Schema, choice, m.Hash)
	title := m.Title
	if title == "" {
		title = "The format of schema " + m.Schema
	}
	g.f("%s", comment("", title+".\n\nA value is of type "+g.typeOf(m.Root.Shape)+"; see {@link decode} and {@link encode}. Whatever the input is, decoding takes memory of at most a small constant times its length, and a {@link FormatError} says what is wrong, where, and by which row of the schema.\n\nIn which of several widths a number was written is not kept, nor are the payloads of NaN.\n\n@module"))
	g.f("\n/** The id of the schema. */\nexport const schema = %q;\n\n/** The hash of the compiled schema: modules with the same hash read and write the same. */\nexport const program = %q;\n\n", m.Schema, m.Hash)
	g.f("/** How deeply values may be nested where options do not say. */\nexport const defaultDepth = %d;\n\n", m.Depth)
	g.f("/** The choices of one call. */\nexport interface Options {\n")
	for _, n := range m.Gates {
		g.f("  /** Allow %s, in both directions. */\n  %s?: boolean;\n", n, property(model.Camel(n)))
	}
	g.f("  /** Refuse, when decoding, bytes that a writer would not produce, and bytes after the value. */\n  strict?: boolean;\n")
	g.f("  /** How deeply values may be nested, in both directions; more than some thousand needs a larger stack. */\n  maxDepth?: number;\n")
	g.f("  /** How many bytes of memory the values of one call may take, counted as %d for each part of a list, map or record. */\n  maxMemory?: number;\n}\n\n", 24)
	g.f("function depthOf(o: Options): number {\n  return o.maxDepth !== undefined && o.maxDepth > 0 ? Math.min(o.maxDepth, 16384) : defaultDepth;\n}\n\n")
	if len(m.Gates) == 0 {
		g.f("function gatesOf(_: Options): number {\n  return 0;\n}\n\n")
	} else {
		var bits []string
		for i, n := range m.Gates {
			bits = append(bits, fmt.Sprintf("(o.%s === true ? %d : 0)", model.Camel(n), 1<<i))
		}
		g.f("function gatesOf(o: Options): number {\n  return %s;\n}\n\n", strings.Join(bits, " | "))
	}
	g.f("/** Whether numbers have their lowest byte first. */\nconst little = %t;\n\n", !m.Big)
	g.f("/** The rows of the schema: name and place. */\nconst rules: readonly (readonly [string, string])[] = [\n")
	for _, r := range m.Rules {
		g.f("  [%q, %q],\n", r.Name, r.Source)
	}
	g.f("];\n\n")
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
	for para := range strings.SplitSeq(text, "\n") {
		line := indent + " *"
		for _, w := range strings.Fields(para) {
			if len([]rune(line))+1+len([]rune(w)) > 90 && line != indent+" *" {
				out.WriteString(line + "\n")
				line = indent + " *"
			}
			line += " " + w
		}
		out.WriteString(line + "\n")
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
