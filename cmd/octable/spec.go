package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// target says which schema a command works with, and how.
type target struct {
	name      string
	precision string
	opt       codec.Options

	schema  *schema.Schema // nil for a program from a file, unless it is one of ours
	program *bytecode.Program
	codec   *codec.Codec
}

// examples returns the packets in the schema. A program from a file has none.
func (t *target) examples() [][]byte {
	if t.schema == nil {
		return nil
	}
	return t.schema.Packets()
}

// flags declares the flags that choose the schema.
func (t *target) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.name, "spec", "godot-4.4", specHelp)
	_ = cmd.RegisterFlagCompletionFunc("spec", completeSpec)
	choose(cmd, &t.precision, "precision", "the `PRECISION` of the build: single or double, if the schema has both", "", "single", "double")
}

// options declares the flags for reading and writing.
func (t *target) options(cmd *cobra.Command, reading bool) {
	cmd.Flags().BoolVar(&t.opt.Objects, "objects", false, "allow full objects, which an engine creates on reading")
	cmd.Flags().BoolVar(&t.opt.KeepWidths, "keep-widths", false, "write numbers in the width they were read in, or that a text notes with ;@wide, rather than the one an engine writes")
	cmd.Flags().IntVar(&t.opt.MaxDepth, "max-depth", 0, "refuse values nested more than `N` levels deep (default what engines allow)")
	if reading {
		cmd.Flags().BoolVar(&t.opt.Strict, "strict", false, "refuse bytes that a writer would not produce, and bytes after the value")
		cmd.Flags().IntVar(&t.opt.MaxMemory, "max-memory", 0, "refuse packets that need more than `N` bytes of memory for values")
	}
}

func completeSpec(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return beginning(append(ids(), spec.Aliases()...), word), cobra.ShellCompDirectiveDefault
}

// beginning returns the words that begin with what has been typed.
func beginning(words []string, typed string) []string {
	var out []string
	for _, w := range words {
		if strings.HasPrefix(w, typed) {
			out = append(out, w)
		}
	}
	return out
}

// ids are the schemas that octable has.
func ids() []string { return spec.All() }

// known returns an error for an id that no schema has. The error names a file of this name or the nearest id.
func known(id string) error {
	if compile.IsPath(id) || isProgram(id) {
		return nil
	}
	if _, _, ok := spec.Source(id); ok {
		return nil
	}
	for _, end := range []string{".oct", ".octb"} {
		if _, err := os.Stat(id + end); err == nil {
			return fail(exitUsage, "there is no schema %q; did you mean the file %s?", id, id+end)
		}
	}
	newest := ids()
	slices.Reverse(newest)
	names := append(spec.Aliases(), newest...)
	// Of names that are equally near, the longest is the one with fewest letters left out.
	slices.SortStableFunc(names, func(a, b string) int { return len(b) - len(a) })
	near := builtin.Nearest(tidy(id), names)
	if near == "" {
		return fail(exitUsage, "there is no schema %q; \"octable specs\" lists them, with other names such as godot-4", id)
	}
	return fail(exitUsage, "there is no schema %q; did you mean %s?", id, near)
}

// tidy writes a name as ids are written: "Godot 4" and godot4 as godot-4.
func tidy(name string) string {
	var b []byte
	for i, c := range []byte(strings.ToLower(strings.TrimSpace(name))) {
		switch {
		case c == ' ' || c == '_':
			c = '-'
		case i > 0 && c >= '0' && c <= '9' && len(b) > 0 && b[len(b)-1] >= 'a' && b[len(b)-1] <= 'z':
			b = append(b, '-')
		}
		b = append(b, c)
	}
	return string(b)
}

// isProgram reports whether a name is that of a compiled program.
func isProgram(name string) bool { return strings.HasSuffix(name, ".octb") }

// load prepares the codec of the schema: the one that octable has in store, or one
// that is compiled now.
func (t *target) load() error {
	c, err := t.stored()
	if err != nil {
		return err
	}
	if c == nil {
		if err := t.compile(); err != nil {
			return err
		}
		if c, err = raw.Codec(t.program); err != nil {
			return &failure{exitSchema, err}
		}
	}
	if t.codec, err = c.With(t.opt); err != nil {
		flags := strings.NewReplacer("codec: option ", "", "MaxDepth", "-max-depth", "MaxMemory", "-max-memory")
		return fail(exitUsage, "%s", flags.Replace(err.Error()))
	}
	t.program = raw.Program(c)
	return nil
}

// stored returns the codec of a schema that octable has, or nil.
func (t *target) stored() (*codec.Codec, error) {
	id, choice := t.split()
	if compile.IsPath(id) || isProgram(id) || !slices.Contains(ids(), id) {
		return nil, nil
	}
	var choices []string
	for _, name := range codec.Schemas() {
		if name == id {
			choices = append(choices, "single")
		} else if rest, ok := strings.CutPrefix(name, id+"+"); ok && rest != "single" {
			choices = append(choices, rest)
		}
	}
	if len(choices) == 1 && choice != "" {
		return nil, nil // whether it has the choice at all is for the compiler to say
	}
	if err := t.choose(choices, choice); err != nil {
		return nil, err
	}
	if choice != "" && choice != "single" {
		id += "+" + choice
	}
	c, err := codec.Load(id)
	if err != nil {
		return nil, nil
	}
	return c, nil
}

// split returns the id of the schema and the choice that follows it or is
// given by -precision.
func (t *target) split() (id, choice string) {
	id = t.name
	if !compile.IsPath(id) {
		if before, after, ok := strings.Cut(id, "+"); ok && t.precision == "" {
			return spec.Alias(before), after
		}
		id = spec.Alias(id)
	}
	return id, t.precision
}

func (t *target) compile() error {
	if isProgram(t.name) {
		return t.read()
	}
	id, choice := t.split()
	if err := known(id); err != nil {
		return err
	}
	s, err := compile.Load(id)
	if err != nil {
		return err
	}
	t.schema = s
	if err := t.choose(s.Choices(), choice); err != nil {
		return err
	}
	if s, err = s.With(choice); err != nil {
		return err
	}
	t.program, err = compile.Schema(s)
	return err
}

func (t *target) choose(choices []string, choice string) error {
	if choice == "" || slices.Contains(choices, choice) {
		return nil
	}
	if len(choices) == 1 && choices[0] == "" {
		return fail(exitUsage, "%s has no precision to choose; leave %s out", t.name, choice)
	}
	return fail(exitUsage, "%s knows only the precision %s", t.name, strings.Join(choices, " and "))
}

// read reads a compiled program.
func (t *target) read() error {
	b, err := os.ReadFile(t.name)
	if err != nil {
		return err
	}
	if t.program, err = bytecode.Load(b); err != nil {
		return fail(exitSchema, "%s is no program that can be used: %v", t.name, err)
	}
	if t.precision != "" && t.precision != t.program.Choice {
		if t.program.Choice == "" {
			return fail(exitUsage, "%s has no precision to choose; leave %s out", t.name, t.precision)
		}
		return fail(exitUsage, "%s was compiled for the precision %s; compile its schema again for another one", t.name, t.program.Choice)
	}
	return nil
}

// explain finds the schema of a program, which explains rows and bits; the program
// decides what is read. It may have no file.
func (t *target) explain() {
	if t.schema == nil {
		if _, _, ours := spec.Source(t.program.Schema); ours {
			t.schema, _ = compile.Load(t.program.Schema)
		}
	}
}

// loadSchema finds a schema by its id or file, or by a program compiled from a
// schema of octable.
func loadSchema(name string) (*schema.Schema, error) {
	if err := known(name); err != nil {
		return nil, err
	}
	if !isProgram(name) {
		return compile.Load(name)
	}
	t := target{name: name}
	if err := t.read(); err != nil {
		return nil, err
	}
	return t.schemaOf()
}

// loadPage finds the page of a schema that was given by a name. It looks beside the file of the
// schema, and among those that octable has.
func loadPage(s *schema.Schema, name string) (*page.Page, error) {
	if compile.IsPath(name) && !isProgram(name) {
		return page.Load(s, page.Beside(s))
	}
	return page.Load(s, page.Embedded)
}

// schemaOf returns the schema of a program.
func (t *target) schemaOf() (*schema.Schema, error) {
	if t.explain(); t.schema == nil {
		return nil, fail(exitUsage, "%s was compiled from the schema %q, which octable does not have; give the .oct file", t.name, t.program.Schema)
	}
	return t.schema, nil
}

// resolved returns the schema that the program was compiled from, under its choice.
func (t *target) resolved() (*schema.Schema, error) {
	s, err := t.schemaOf()
	if err != nil {
		return nil, err
	}
	if s, err = s.With(t.program.Choice); err == nil && isProgram(t.name) {
		var p *bytecode.Program
		if p, err = compile.Schema(s); err == nil && p.Hash() != t.program.Hash() {
			return nil, fail(exitSchema, "%s was compiled from another version of the schema %q than octable has; compile the schema again, or give the .oct file", t.name, s.ID)
		}
	}
	if err != nil {
		return nil, &failure{exitSchema, err}
	}
	return s, nil
}

// model returns the model of the schema that the program was compiled from.
func (t *target) model() (*model.Model, error) {
	s, err := t.resolved()
	if err != nil {
		return nil, err
	}
	m, err := model.New(s, t.program)
	var unsupported *model.Unsupported
	if errors.As(err, &unsupported) {
		return nil, &failure{exitRefused, err}
	} else if err != nil {
		return nil, &failure{exitSchema, err}
	}
	return m, nil
}

// variants reports whether the packets of the schema are Variants of Godot.
func (t *target) variants() bool {
	table, ok := t.program.UnionTable(t.program.Root)
	return ok && slices.ContainsFunc(table.Arms, func(a bytecode.TableArm) bool {
		return t.codec.TypeName(godot.DictionaryType) == t.program.Types[a.Type].Name
	})
}

// comments returns the characters that begin a comment in the notation of the schema.
func (t *target) comments() string {
	if t.variants() {
		return ";"
	}
	return "//"
}
