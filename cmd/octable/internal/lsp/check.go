// Diagnostics of a file.

package lsp

import (
	"errors"
	"fmt"
	"path/filepath"
	"unicode/utf8"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/examples"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// check does with a file what "octable check" does, and returns what is wrong in it.
// What is wrong in files that it extends is told at the schema's own declaration.
func (s *snapshot) check(name string) []diagnostic {
	t := s.text(name)
	var out []diagnostic
	seen := map[string]bool{}
	for _, d := range s.diagnose(name) {
		message := d.Message
		pos, width, fix := d.Pos, d.Width, d.Fix
		if pos.Filename != name {
			message = fmt.Sprintf("%s:%d: %s", filepath.Base(pos.Filename), pos.Line, message)
			pos, width = s.declared(name)
		}
		if fix != nil && (d.Pos.Filename != name || fix.At.Line > 0 && fix.At.Filename != name) {
			fix = nil // in another file
		}
		if d.Hint != "" {
			message += "\n" + d.Hint
		}
		from := pos.Offset + t.mark()
		r := t.span(from, from+wide(t, from, width))
		key := fmt.Sprint(r, d.Code, message)
		if !seen[key] {
			seen[key] = true
			out = append(out, diagnostic{Range: r, Severity: 1, Code: string(d.Code), Source: "octable", Message: message, fix: fix})
		}
	}
	return out
}

// wide is how many bytes a diagnostic is about: characters of its line, at least one.
func wide(t *text, from, characters int) int {
	n := 0
	for characters = max(characters, 1); characters > 0 && from+n < len(t.s); characters-- {
		r, size := utf8.DecodeRuneInString(t.s[from+n:])
		if r == '\n' || r == '\r' {
			break
		}
		n += size
	}
	return n
}

// declared is where a file declares its schema.
func (s *snapshot) declared(name string) (pos dsl.Pos, width int) {
	source, err := s.source(name)
	if err != nil {
		return dsl.Pos{}, 0
	}
	f, _ := s.parse(name, source)
	if decl := schemaOf(f); decl != nil {
		return decl.Pos, len("schema")
	}
	return dsl.Pos{}, 0
}

// diagnose returns the errors of the first step that finds some. The steps are
// reading and names, then for every choice of the option layout, code and examples.
func (s *snapshot) diagnose(name string) (all dsl.Diagnostics) {
	add := func(err error) bool {
		var diags dsl.Diagnostics
		switch {
		case err == nil:
			return false
		case errors.As(err, &diags):
			all = append(all, diags...)
		default:
			all.Errorf(nil, dsl.Pos{Filename: name, Line: 1, Column: 1}, 0, dsl.CodeSchema, "%v", err)
		}
		return true
	}
	defer func() {
		if r := recover(); r != nil {
			add(fmt.Errorf("internal error; please report it: %v", r))
		}
	}()
	source, err := s.source(name)
	if add(err) {
		return all
	}
	f, err := s.parse(name, source)
	if add(err) {
		return all
	}
	if dsl.IsPage(name) {
		add(s.checkPage(name, f))
		return all
	}
	resolved, err := schema.Resolve(f, s.loader(name))
	if add(err) || add(s.undeclared(name, resolved)) || resolved.Root == nil {
		return all
	}
	for _, choice := range resolved.Choices() {
		resolved, err := resolved.With(choice)
		if add(err) {
			continue
		}
		p, err := compile.Schema(resolved)
		if add(err) {
			continue
		}
		results, err := examples.RunProgram(resolved, p)
		if add(err) {
			continue
		}
		for i := range results {
			if !results[i].OK() {
				all = append(all, results[i].Diagnostic(resolved))
			}
		}
	}
	return all
}
