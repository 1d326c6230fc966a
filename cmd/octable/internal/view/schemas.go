// Schemas: those that octable has, and texts that are edited in the page.

package view

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/octable/octable/cmd/octable/internal/lsp"
	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/segment"
	"github.com/octable/octable/spec"
)

// format is a schema ready to read and write.
type format struct {
	name     string // as calls name it
	schema   *schema.Schema
	program  *bytecode.Program
	codec    *codec.Codec
	objects  *codec.Codec // the codec with full objects allowed
	notation *notation.Notation
	viewer   *inspect.Viewer
	rules    map[*bytecode.Rule]int
	lanes    map[Place][]*schema.Row // rows that are read at once as a tuple, by the first of them
	variants bool                    // its packets are Variants of Godot
	resumer  *segment.Resumer
}

func (f *format) machine() *interp.Machine { return f.notation.Machine() }

// with returns the codec for options of reading.
func (f *format) with(o Options) *codec.Codec {
	if o.Objects {
		return f.objects
	}
	return f.codec
}

// colors is how many colours leaves have.
const colors = 12

// color returns the colour of a leaf, that of its row.
func (f *format) color(n *node) int {
	return f.rules[n.Rule] % colors
}

// handlePrefix begins the handles of texts.
const handlePrefix = "text:"

// maxTexts is how many texts of schemas are kept.
const maxTexts = 64

// load returns a schema by its id, with the choice of its option, or by the handle of a text.
func (s *Service) load(name string) (*format, error) {
	s.mu.Lock()
	f, text := s.formats[name], s.texts[name]
	s.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := newFormat(name, text)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.formats) >= 2*maxTexts {
		clear(s.formats)
	}
	s.formats[name] = f
	return f, nil
}

// ownText is a schema that is edited, with those that it may extend.
type ownText struct {
	text   string
	beside map[string]string // by id
}

// newFormat prepares a schema: that of a text, or else one of octable.
func newFormat(name string, own *ownText) (*format, error) {
	f := &format{name: name}
	id, choice, _ := strings.Cut(name, "+")
	var err error
	switch {
	case own != nil:
		if f.schema, err = compile.Resolve(localName, []byte(own.text), own.beside); err != nil {
			return nil, schemaError(err)
		}
	case strings.HasPrefix(name, handlePrefix):
		return nil, &Error{Code: "gone", Message: "the text of the schema is no longer known; compile it again"}
	default:
		id = spec.Alias(id)
		if _, _, ok := spec.Source(id); !ok {
			return nil, &Error{Code: "schema", Message: fmt.Sprintf("there is no schema %q%s", id, meant(id))}
		}
		if f.schema, err = compile.Load(id); err != nil {
			return nil, schemaError(err)
		}
		f.codec, _ = codec.Load(name) // programs in store need no compiling
	}
	if f.schema, err = f.schema.With(choice); err != nil {
		return nil, schemaError(err)
	}
	if f.schema.Root == nil {
		return nil, &Error{Code: "schema", Message: fmt.Sprintf("the schema %s has no root, so it describes no packets; other schemas extend it", f.schema.ID)}
	}
	if f.codec == nil {
		p, err := compile.Schema(f.schema)
		if err != nil {
			return nil, schemaError(err)
		}
		if f.codec, err = raw.Codec(p); err != nil {
			return nil, schemaError(err)
		}
	}
	if f.objects, err = f.codec.With(codec.Options{Objects: true}); err != nil {
		return nil, err
	}
	f.program = raw.Program(f.codec)
	f.notation = notation.Of(raw.Machine(f.codec))
	f.resumer = segment.NewResumer(f.machine())
	f.viewer = inspect.ViewerOf(f.notation, f.schema)
	f.lanes = lanesOf(f.schema)
	f.rules = map[*bytecode.Rule]int{}
	for i := range f.program.Rules {
		f.rules[&f.program.Rules[i]] = i
	}
	table, ok := f.program.UnionTable(f.program.Root)
	f.variants = ok && slices.ContainsFunc(table.Arms, func(a bytecode.TableArm) bool {
		return f.codec.TypeName(godot.DictionaryType) == f.program.Types[a.Type].Name
	})
	return f, nil
}

// localName is the file name of a text.
const localName = "schema.oct"

func meant(id string) string {
	if near := builtin.Nearest(id, append(spec.Aliases(), spec.All()...)); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}

func schemaError(err error) error {
	var diags dsl.Diagnostics
	if errors.As(err, &diags) && len(diags) > 0 {
		err = errors.New(strings.SplitN(diags[0].Error(), "\n", 2)[0])
	}
	return &Error{Code: "schema", Message: err.Error()}
}

// schemas lists the schemas that describe packets. It reads their heads only, since resolving all takes long.
func (s *Service) schemas(context.Context, SchemasParams) (*Schemas, error) {
	out := &Schemas{Schemas: []SchemaInfo{}}
	programs := codec.Schemas()
	for _, id := range spec.All() {
		head := headOf(id)
		c, err := codec.Load(id)
		if err != nil && !rooted(id) {
			continue // a library
		}
		info := SchemaInfo{Sort: "format", ID: id, Title: head.title, About: head.about, Family: familyOf(id), Extends: head.extends, Choices: []string{}, Document: head.role == builtin.DocumentRole.String()}
		for _, name := range programs {
			if choice, ok := strings.CutPrefix(name, id+"+"); ok {
				if len(info.Choices) == 0 {
					info.Choices = append(info.Choices, raw.Program(c).Choice)
				}
				info.Choices = append(info.Choices, choice)
			}
		}
		if spec.Series(id) >= 0 { // the oldest is first
			info.Sort = "engine"
			if info.Document {
				info.Sort = "document"
			}
			out.Schemas = slices.Insert(out.Schemas, 0, info)
		} else {
			out.Schemas = append(out.Schemas, info)
		}
	}
	return out, nil
}

// head is the declaration of a schema.
type head struct {
	title, role, extends, about string
	root                        bool
}

// maxHead is more than the bytes up to the end of a declaration.
const maxHead = 8 << 10

// headOf reads the declaration of a schema that octable has.
func headOf(id string) (h head) {
	name, text, _ := spec.Source(id)
	h.about = aboutOf(string(text))
	word := ""
	for _, t := range dsl.Tokens(name, string(text[:min(len(text), maxHead)])) {
		switch {
		case t.Kind == dsl.StringKind && word == "extends":
			h.extends = strings.Trim(t.Text, `"`)
		case t.Kind == dsl.StringKind && word == "title":
			h.title = strings.Trim(t.Text, `"`)
		case word == "role":
			h.role = t.Text
		case t.Text == "root":
			h.root = true
		case t.Text == "}" && h.title != "":
			return h
		}
		word = t.Text
	}
	return h
}

// aboutOf returns the comment before a declaration.
func aboutOf(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		about, ok := strings.CutPrefix(line, "///")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimSpace(about))
	}
	return strings.Join(lines, " ")
}

// rooted reports whether a schema, or one that it extends, has a root.
func rooted(id string) bool {
	for range maxTexts {
		h := headOf(id)
		if h.root || h.extends == "" {
			return h.root
		}
		id = h.extends
	}
	return false
}

// familyOf returns the oldest schema that a schema extends, or itself.
func familyOf(id string) string {
	for range maxTexts {
		extends := headOf(id).extends
		if extends == "" {
			break
		}
		id = extends
	}
	return id
}

// examples returns the examples that are packets of a schema.
func (s *Service) examples(_ context.Context, q ExamplesParams) (*Examples, error) {
	f, err := s.load(q.Schema)
	if err != nil {
		return nil, err
	}
	out := &Examples{Examples: []Example{}}
	for _, b := range f.schema.Bodies() {
		if b.Type != f.schema.Root.Name {
			continue
		}
		for _, e := range b.Examples {
			if e.Choice != nil && e.Choice != f.schema.Choice {
				continue
			}
			name := cmp.Or(e.Name, b.Name)
			if e.Name != "" && b.Name != b.Type {
				name = b.Name + ": " + name
			}
			out.Examples = append(out.Examples, Example{Name: name, Data: e.Bytes, Refused: e.Refuse})
		}
	}
	return out, nil
}

// schemaText returns the files of a schema with what the page highlights.
func (s *Service) schemaText(_ context.Context, q SchemaParams) (*SchemaText, error) {
	f, err := s.load(q.Schema)
	if err != nil {
		return nil, err
	}
	rows := map[string]map[int]bool{}
	for i := range f.program.Rules {
		r := &f.program.Rules[i]
		if rows[r.File] == nil {
			rows[r.File] = map[int]bool{}
		}
		rows[r.File][int(r.Line)] = true
	}
	for _, lanes := range f.lanes {
		for _, r := range lanes {
			if at := placeAt(r.Pos); rows[at.File] != nil {
				rows[at.File][at.Line] = true
			}
		}
	}
	out := &SchemaText{Schema: q.Schema, Files: []SchemaFile{}}
	for _, file := range f.schema.Files() {
		one := SchemaFile{Name: path.Base(file.Name), ID: strings.TrimSuffix(path.Base(file.Name), ".oct"), Text: file.Source, Rows: []int{}, Marks: s.marks(file.Name, file.Source)}
		for line := range rows[one.Name] {
			if line > 0 {
				one.Rows = append(one.Rows, line)
			}
		}
		slices.Sort(one.Rows)
		out.Files = append(out.Files, one)
	}
	return out, nil
}

// marks returns the highlighted words of a file.
func (s *Service) marks(name, text string) []Marked {
	out := []Marked{}
	for _, m := range s.editor.Marks(name, text) {
		out = append(out, Marked{m.Line, m.Character, m.Len, m.Sort})
	}
	return out
}

// maxText is the most bytes of the text of a schema.
const maxText = 1 << 20

func checkText(text string) error {
	if len(text) > maxText {
		return &Error{Code: "size", Message: fmt.Sprintf("the schema has %d bytes; at most %d are compiled", len(text), maxText)}
	}
	return nil
}

// besides returns schemas by their ids.
func besides(list []TextFile) map[string]string {
	out := map[string]string{}
	for _, f := range list {
		out[f.ID] = f.Text
	}
	return out
}

// checkSize returns an error if texts are too long.
func checkSize(text string, beside []TextFile) error {
	for _, f := range beside {
		text += f.Text
	}
	return checkText(text)
}

// compile compiles a text.
func (s *Service) compile(_ context.Context, q CompileParams) (*Compiled, error) {
	if err := checkSize(q.Text, q.Beside); err != nil {
		return nil, err
	}
	own := &ownText{q.Text, besides(q.Beside)}
	out := &Compiled{Diagnostics: []Diagnostic{}, Marks: s.marks(localName, q.Text)}
	for _, p := range s.editor.Check(q.Text, own.beside) {
		out.Diagnostics = append(out.Diagnostics, Diagnostic{Line: p.Start.Line, From: p.Start.Character, EndLine: p.End.Line, To: p.End.Character,
			Code: p.Code, Message: p.Message, FixTitle: p.FixTitle, FixedText: p.Fixed})
	}
	sum := sha256.New()
	for _, part := range append([]TextFile{{Text: q.Text}}, q.Beside...) {
		fmt.Fprintf(sum, "%s %d %s", part.ID, len(part.Text), part.Text)
	}
	handle := fmt.Sprintf("%s%x", handlePrefix, sum.Sum(nil))[:len(handlePrefix)+16]
	f, err := newFormat(handle, own)
	if err != nil {
		if len(out.Diagnostics) == 0 {
			out.Diagnostics = append(out.Diagnostics, Diagnostic{To: 1, Message: err.Error()})
		}
		return out, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.texts) >= maxTexts {
		for old := range s.texts {
			delete(s.texts, old)
			delete(s.formats, old)
			break
		}
	}
	s.texts[handle], s.formats[handle] = own, f
	out.Schema = handle
	return out, nil
}

// hover explains a name of a text.
func (s *Service) hover(_ context.Context, q CursorParams) (*Hover, error) {
	if err := checkText(q.Text); err != nil {
		return nil, err
	}
	text, area, _ := s.editor.Hover(q.Text, besides(q.Beside), placeIn(q))
	return &Hover{Text: text, Line: area.Start.Line, From: area.Start.Character, To: area.End.Character}, nil
}

// complete returns the words that fit at a place of a text.
func (s *Service) complete(_ context.Context, q CursorParams) (*Completions, error) {
	if err := checkText(q.Text); err != nil {
		return nil, err
	}
	out := &Completions{Items: []Completion{}}
	for _, w := range s.editor.Complete(q.Text, besides(q.Beside), placeIn(q)) {
		out.Items = append(out.Items, Completion{Label: w.Label, Detail: w.Detail, Doc: w.Doc, From: w.Start.Character, To: w.End.Character})
	}
	return out, nil
}

// format formats a text.
func (s *Service) format(_ context.Context, q FormatParams) (*Formatted, error) {
	if err := checkText(q.Text); err != nil {
		return nil, err
	}
	text, err := s.editor.Format(q.Text)
	if err != nil {
		return nil, &Error{Code: "schema", Message: err.Error()}
	}
	return &Formatted{text}, nil
}

func placeIn(q CursorParams) lsp.Place { return lsp.Place{Line: q.Line, Character: q.Character} }
