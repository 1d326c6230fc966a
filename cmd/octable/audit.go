package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/audit"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/spec"
)

type auditCommand struct {
	*env
	spec       string
	json, rows bool
}

func (e *env) auditCommand() *cobra.Command {
	c := &auditCommand{env: e}
	cmd := &cobra.Command{
		Use:   "audit -spec ID [FLAG…] FILE…",
		Short: "Account for every row of a document against a schema",
		Long: `Audit compares every row of the tables of a document in reStructuredText,
Markdown or HTML with a schema. A row agrees, or an erratum of the schema's page
has the words of the document; for any other row the exit status is 1.

If the root of the schema is a union, the document must have a table of type
ids and a section for each type, such as Godot's; then titles, captions and the
numbers in its sentences are also compared. Otherwise the tables of fields are
compared, in the order of the types of the schema.`,
		Example: `octable audit -spec my-format.oct my-format.md
octable audit -spec godot-4-doc binary_serialization_api.rst
octable audit -spec godot-3-doc -json page.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	cmd.Flags().StringVar(&c.spec, "spec", "", "the schema: the path of a .oct file, or the `ID` of one that follows a document")
	_ = cmd.RegisterFlagCompletionFunc("spec", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return documented(), cobra.ShellCompDirectiveDefault
	})
	cmd.Flags().BoolVar(&c.rows, "rows", false, "print every row, not failures alone")
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	return cmd
}

// documented are the schemas that follow documents.
func documented() []string {
	var out []string
	for _, id := range spec.IDs() {
		if c, err := codec.Load(id); err == nil && raw.Program(c).Role == builtin.DocumentRole {
			out = append(out, id)
		}
	}
	return out
}

func (c *auditCommand) run(cmd *cobra.Command, files []string) error {
	if c.spec == "" {
		return fail(exitUsage, "%s needs -spec with the schema that follows the document: %s", cmd.CommandPath(), strings.Join(documented(), ", "))
	}
	s, err := loadSchema(c.spec)
	if err != nil {
		return err
	}
	p, err := loadPage(s, c.spec)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	all := true
	for _, name := range files {
		ok, err := c.file(p, name)
		if err != nil {
			return err
		}
		all = all && ok
	}
	if !all {
		return refused()
	}
	return nil
}

func (c *auditCommand) file(p *page.Page, name string) (bool, error) {
	want, err := audit.FromPage(p)
	if err != nil {
		return false, &failure{exitUsage, err}
	}
	var text []byte
	if name == "-" {
		name = "input"
		text, err = io.ReadAll(c.stdin)
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return false, err
	}
	doc, err := audit.Parse(name, text)
	if err != nil {
		return false, &failure{exitRefused, err}
	}
	report := audit.Compare(doc, want)
	if c.json {
		return report.OK(), c.writeJSON(report)
	}
	if c.rows {
		section := ""
		for _, e := range report.Entries {
			if e.Section != section {
				section = e.Section
				fmt.Fprintln(c.stdout, section)
			}
			fmt.Fprintln(c.stdout, "  "+rowLine(&e))
		}
	}
	return report.OK(), report.WriteText(c.stdout)
}

// rowLine prints how one row of a document came out.
func rowLine(e *audit.Entry) string {
	line := "-"
	if e.Line > 0 {
		line = fmt.Sprint(e.Line)
	}
	text := fmt.Sprintf("%6s  %-8s %-11s", line, e.Status, e.Kind)
	for _, s := range []string{e.Name, e.Pos, strings.Join(e.Errata, " ")} {
		if s != "" {
			text += " " + s
		}
	}
	return strings.TrimRight(text, " ")
}
