// Printing: the description as YAML.

package kaitai

import (
	"fmt"
	"strconv"
	"strings"
)

// print returns the file.
func (w *writer) print() []byte {
	var b strings.Builder
	f := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	f("# %s\n# Made from schema %s by octable export kaitai; changes here are lost.\n", w.m.Title, w.m.Schema)
	if w.m.Source != "" {
		f("# Its facts: %s\n", w.m.Source)
	}
	f("# Program %s\n#\n# What this description cannot say:\n", w.m.Hash)
	for _, c := range w.cannot {
		f("#   - %s\n", c)
	}
	endian := "le"
	if w.m.Big {
		endian = "be"
	}
	version := "0.10"
	if w.units {
		version = "0.11"
	}
	f("meta:\n  id: %s\n  title: %s\n  endian: %s\n  ks-version: %q\n", w.id, strconv.Quote(w.m.Title), endian, version)
	f("seq:\n  - id: value\n    type: %s\n", w.names[w.m.Root])
	f("types:\n")
	for _, t := range w.types {
		t.print(f)
	}
	return []byte(b.String())
}

// scalarText returns a type as YAML has it: in quotes if an argument has a colon.
func scalarText(typ string) string {
	if strings.Contains(typ, ": ") {
		return strconv.Quote(typ)
	}
	return typ
}

func (t *ktype) print(f func(string, ...any)) {
	if len(t.doc)+len(t.params)+len(t.seq)+len(t.instances)+len(t.parts) == 0 { // a key without a value is not a map
		f("  %s: {}\n", t.name)
		return
	}
	f("  %s:\n", t.name)
	if len(t.doc) > 0 {
		f("    doc: %s\n", strconv.Quote(strings.Join(t.doc, " ")))
	}
	if len(t.params) > 0 {
		f("    params:\n")
		for _, p := range t.params {
			f("      - id: %s\n        type: %s\n", p[0], p[1])
		}
	}
	if len(t.seq) > 0 {
		f("    seq:\n")
	}
	for _, a := range t.seq {
		f("      - id: %s\n", a.id)
		for _, kv := range a.keys {
			if kv[0] == "switch-on" {
				f("        type:\n          switch-on: %s\n          cases:\n", kv[1])
			}
		}
		for _, kv := range a.keys {
			switch key, value := kv[0], kv[1]; {
			case key == "switch-on":
			case strings.HasPrefix(key, "case/"):
				key = key[len("case/"):]
				if key == "_" {
					key = `"_"`
				}
				f("            %s: %s\n", key, scalarText(value))
			case key == "valid/expr":
				f("        valid:\n          expr: %s\n", strconv.Quote(value))
			case key == "type":
				f("        %s: %s\n", key, scalarText(value))
			case key == "valid" || key == "size-eos" || key == "encoding" || key == "repeat" || key == "terminator" || key == "pad-right":
				f("        %s: %s\n", key, value)
			default:
				f("        %s: %s\n", key, strconv.Quote(value))
			}
		}
	}
	if len(t.instances)+len(t.parts) > 0 {
		f("    instances:\n")
		for _, a := range t.parts {
			f("      %s:\n", a.id)
			for _, kv := range a.keys {
				f("        %s: %s\n", kv[0], strconv.Quote(kv[1]))
			}
		}
		for _, i := range t.instances {
			f("      %s:\n        value: %s\n", i[0], strconv.Quote(i[1]))
		}
	}
}
