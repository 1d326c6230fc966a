package main

import (
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
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

// flags declares the flags that choose the schema.
func (t *target) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.name, "spec", "godot-4.4", specHelp)
	_ = cmd.RegisterFlagCompletionFunc("spec", completeSpec)
	choose(cmd, &t.precision, "precision", "the `PRECISION` of the build: single or double, where the schema knows both", "", "single", "double")
}

// options declares the flags for reading and writing.
func (t *target) options(cmd *cobra.Command, reading bool) {
	cmd.Flags().BoolVar(&t.opt.Objects, "objects", false, "allow objects in full, which an engine would make on reading")
	cmd.Flags().BoolVar(&t.opt.KeepWidths, "keep-widths", false, "write numbers in the width they were read in, or that a text notes with ;@wide, rather than the one an engine writes")
	cmd.Flags().IntVar(&t.opt.MaxDepth, "max-depth", 0, "refuse values nested more than `N` levels deep (default what engines allow)")
	if reading {
		cmd.Flags().BoolVar(&t.opt.Strict, "strict", false, "refuse bytes that a writer would not produce, and bytes after the value")
		cmd.Flags().IntVar(&t.opt.MaxMemory, "max-memory", 0, "refuse packets that need more than `N` bytes of memory for values")
	}
}

func completeSpec(_ *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return ids(), cobra.ShellCompDirectiveDefault
}

// ids are the schemas that describe bytes.
func ids() []string {
	var out []string
	for _, id := range spec.IDs() {
		if id != "errata" {
			out = append(out, id)
		}
	}
	return out
}

// isProgram reports whether a name is that of a compiled program.
func isProgram(name string) bool { return strings.HasSuffix(name, ".octb") }

// load finds, compiles and prepares the schema.
func (t *target) load() error {
	if err := t.compile(); err != nil {
		return err
	}
	c, err := codec.New(t.program)
	if err != nil {
		return &failure{exitSchema, err}
	}
	if t.codec, err = c.With(t.opt); err != nil {
		return fail(exitUsage, "%s", strings.TrimPrefix(err.Error(), "codec: option "))
	}
	return nil
}

func (t *target) compile() error {
	if isProgram(t.name) {
		return t.read()
	}
	s, err := compile.Load(t.name)
	if err != nil {
		return err
	}
	t.schema = s
	if err := t.choose(compile.Choices(s)); err != nil {
		return err
	}
	t.program, err = compile.Schema(s, t.precision)
	return err
}

func (t *target) choose(choices []string) error {
	if t.precision == "" {
		return nil
	}
	for _, c := range choices {
		if c == t.precision {
			return nil
		}
	}
	if len(choices) == 1 && choices[0] == "" {
		return fail(exitUsage, "%s has no precision to choose; leave out -precision", t.name)
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
		return fail(exitUsage, "%s was compiled for the precision %q; compile it again with -precision %s", t.name, t.program.Choice, t.precision)
	}
	if _, _, ours := spec.Source(t.program.Schema); ours {
		// It explains rows; the program decides what is read.
		if s, err := compile.Load(t.program.Schema); err == nil {
			t.schema = s
		}
	}
	return nil
}

// sourceLine returns a line of one of a schema's files, by the base name of the file.
func sourceLine(s *schema.Schema, base string, line int) string {
	for name, f := range s.Files {
		if path.Base(name) != base {
			continue
		}
		n := 0
		for text := range strings.Lines(f.Source) {
			if n++; n == line {
				return strings.TrimSpace(text)
			}
		}
	}
	return ""
}
