package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/diff"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

const diffLong = `Diff finds what changes on the wire from one schema to another: types that are
added, removed or renumbered, other rows, other rules for text, other limits.

Each change is tried: values of both schemas are written and damaged, and given
to the reader of the other schema. The result is shown with the shortest packet
found, and the reading of each side:

  old reader misreads silently   it reads a packet of the new writer as another
                                 value, or with another length
  new reader misreads silently   the same with packets of the old writer
  old reader refuses             packets of the new writer
  new reader refuses old bytes   packets of the old writer
  bytes that no writer produces  are read differently
  compatible                     each side reads the packets of the other
  not seen by itself             no packet shows it: it has no effect, or the
                                 effect of other changes hides it

A and B are ids of schemas, files, or files in a revision of a git repository,
such as HEAD~3:spec/godot-4.4.oct; schemas that such a file extends are looked
for beside it in the same revision, and then among the schemas of octable. A
suffix such as +double chooses the precision; the default is all precisions.

The exit status is 1 if there are differences.`

type diffCommand struct {
	*env
	markdown, json, check bool
}

func (e *env) diffCommand() *cobra.Command {
	c := &diffCommand{env: e}
	cmd := &cobra.Command{
		Use:   "diff [FLAG…] A B",
		Short: "Show what changes on the wire between two schemas",
		Long:  diffLong,
		Example: `octable diff godot-4.3 godot-4.4
octable diff godot-4.4 godot-4.4+double
octable diff -markdown HEAD:spec/godot-4.4.oct spec/godot-4.4.oct`,
		ValidArgsFunction: completeSpec,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	cmd.Flags().BoolVar(&c.markdown, "markdown", false, "print a changelog in Markdown")
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&c.check, "check", false, "exit with 1 only if some packet is refused or misread by the other side")
	return cmd
}

func (c *diffCommand) run(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return fail(exitUsage, "%s compares two schemas; it needs two arguments, not %d", cmd.CommandPath(), len(args))
	}
	if c.markdown && c.json {
		return fail(exitUsage, "give one of -markdown and -json")
	}
	old, err := c.side(args[0])
	if err != nil {
		return err
	}
	new, err := c.side(args[1])
	if err != nil {
		return err
	}
	report, err := compareSides(old, new)
	if err != nil {
		return err
	}
	switch {
	case c.json:
		err = c.writeJSON(report)
	case c.markdown:
		err = report.WriteMarkdown(c.stdout)
	default:
		err = report.WriteText(c.stdout)
	}
	if err == nil && (report.Breaks() || !c.check && len(report.Changes) > 0) {
		return refused()
	}
	return err
}

// compared is one side of a comparison, as it was asked for.
type compared struct {
	name    string
	schema  *schema.Schema
	choice  string
	program *bytecode.Program // of a .octb file
}

func (c *compared) side() (*diff.Side, error) {
	if c.program != nil {
		return diff.FromProgram(c.name, c.program, c.schema)
	}
	return diff.NewSide(c.name, c.schema, c.choice)
}

func compareSides(old, new *compared) (*diff.Report, error) {
	if old.program == nil && new.program == nil && old.choice == "" && new.choice == "" {
		return diff.Schemas(old.name, old.schema, new.name, new.schema)
	}
	a, err := old.side()
	if err != nil {
		return nil, err
	}
	b, err := new.side()
	if err != nil {
		return nil, err
	}
	return diff.Compare(a, b), nil
}

// side finds a schema by an id, a file, or a file in a revision. A plus sign and
// the choice of its option may follow.
func (c *diffCommand) side(arg string) (*compared, error) {
	name, choice := arg, ""
	if i := strings.LastIndexByte(arg, '+'); i > 0 && !isFile(arg) {
		name, choice = arg[:i], arg[i+1:]
	}
	out := &compared{name: arg, choice: choice}
	if isProgram(name) {
		t := target{name: name, precision: choice}
		if err := t.read(); err != nil {
			return nil, err
		}
		t.explain()
		out.program, out.schema = t.program, t.schema
		return out, nil
	}
	var err error
	if rev, file, ok := strings.Cut(name, ":"); ok && !isFile(name) {
		out.schema, err = revision(rev, file)
	} else if err = known(name); err == nil {
		out.schema, err = compile.Load(name)
	}
	if err != nil {
		return nil, err
	}
	if choice != "" && !slices.Contains(out.schema.Choices(), choice) {
		t := target{name: name}
		return nil, t.choose(out.schema.Choices(), choice)
	}
	return out, nil
}

// revision loads a schema from a revision of the git repository that the current
// folder is in.
func revision(rev, file string) (*schema.Schema, error) {
	if rev == "" || strings.HasPrefix(rev, "-") {
		return nil, fail(exitUsage, "%q is no revision; write REVISION:FILE, such as HEAD:spec/godot-4.4.oct", rev)
	}
	text, err := gitFile(rev, file)
	if err != nil {
		return nil, err
	}
	f, err := dsl.Parse(rev+":"+file, text)
	if err != nil {
		return nil, err
	}
	return schema.Resolve(f, func(id string) (*dsl.File, error) {
		beside := path.Join(path.Dir(file), path.Base(id)+".oct")
		if text, err := gitFile(rev, beside); err == nil {
			return dsl.Parse(rev+":"+beside, text)
		}
		name, text, ok := spec.Source(id)
		if !ok {
			return nil, fmt.Errorf("there is no schema %q beside %s in %s, nor among those of octable", id, file, rev)
		}
		return dsl.Parse(name, text)
	})
}

// gitFile returns the text of a file in a revision.
func gitFile(rev, file string) ([]byte, error) {
	cmd := exec.Command("git", "cat-file", "blob", rev+":"+file)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var status *exec.ExitError
	switch {
	case errors.As(err, &status):
		why, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		return nil, fail(exitIO, "git has no %s in %s: %s", clip(file, 60), clip(rev, 60), strings.TrimPrefix(why, "fatal: "))
	case err != nil:
		return nil, fail(exitIO, "git is needed for %s:%s, and cannot be run: %v", clip(rev, 60), clip(file, 60), err)
	}
	return out.Bytes(), nil
}
