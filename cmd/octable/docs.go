package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/docs"
)

const docsLong = `Docs prints the documentation page of a schema: the header, the table of types, a
section with tables of offset, length, type and description for each type,
packets beside their meaning, the rules for text and other rules, the errata of
documents, and the changes since the schema that this one extends.

A schema with "role document" gives that document again, mistakes included. With -plain the page has nothing beside the format itself;
if the schema has that role, "octable audit" accepts the page row by row.`

type docsCommand struct {
	*env
	form, out, base string
	plain           bool
}

func (e *env) docsCommand() *cobra.Command {
	c := &docsCommand{env: e}
	cmd := &cobra.Command{
		Use:   "docs [FLAG…] ID|FILE",
		Short: "Print the documentation page of a schema",
		Long:  docsLong,
		Example: `octable docs -o godot-4.4.html godot-4.4
octable docs -plain godot-4-doc | octable audit -spec godot-4-doc -`,
		ValidArgsFunction: completeSpec,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	choose(cmd, &c.form, "format", "print as `FORM`: rst, markdown or html; without it, the name after -o decides", "rst", "rst", "markdown", "html")
	cmd.Flags().StringVar(&c.out, "o", "-", "write `FILE`; - is the output")
	cmd.Flags().BoolVar(&c.plain, "plain", false, "leave out packets, errata and changes")
	cmd.Flags().StringVar(&c.base, "since", "", "say what changed since the schema `ID`, or none (default the one that it extends)")
	_ = cmd.RegisterFlagCompletionFunc("since", completeSpec)
	return cmd
}

func (c *docsCommand) run(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fail(exitUsage, "%s takes one schema: an id, or the path of a .oct file", cmd.CommandPath())
	}
	s, err := loadSchema(args[0])
	if err != nil {
		return err
	}
	opt := docs.Options{Plain: c.plain}
	if opt.Page, err = loadPage(s, args[0]); err != nil {
		return err
	}
	switch {
	case c.base == "none":
	case c.base != "":
		if opt.Base, err = compile.Load(c.base); err != nil {
			return err
		}
	case s.Base() != nil && s.Base().Root != nil:
		opt.Base = s.Base()
	}
	if id := docs.Framing(s); id != "" {
		if opt.Framing, err = compile.Load(id); err != nil {
			return err
		}
	}
	page, err := docs.Build(s, opt)
	if err != nil {
		return err
	}
	formByName(cmd, &c.form, c.out, map[string]string{".htm": "html", ".html": "html", ".md": "markdown"})
	out := strings.Builder{}
	switch c.form {
	case "html":
		err = page.WriteHTML(&out)
	case "markdown":
		err = page.WriteMarkdown(&out)
	default:
		err = page.WriteRST(&out)
	}
	if err != nil {
		return err
	}
	if c.out != "-" {
		return os.WriteFile(c.out, []byte(out.String()), 0o666)
	}
	_, err = c.stdout.WriteString(out.String())
	return err
}
