package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/conformance/audit"
	"github.com/octable/octable/conformance/draft"
	"github.com/octable/octable/dsl/page"
)

const draftLong = `Draft reads the tables of a document, with the columns offset, length, type and
description, and writes a schema with a row for each of their rows. The
document is reStructuredText, Markdown or HTML. The columns may have other
usual headings, such as size and meaning. The type may be missing; the offset,
if the rows are in turn; and the length beside a type that has one, such as
uint16_t or byte[4]. Offset and length may both be missing in a table of names
and types. Offsets may be hexadecimal, and one column may have the first and the
last byte: 4-7.

The schema has no errors, and "octable audit" of the document against it passes.
Names are derived from the descriptions. Facts that the document does not state
are guessed: the sign of a number, the row that holds a length, the byte order.
Each guess is a comment that begins with "draft:" and names the line of the
document; "octable check" lists those that are left. Beside the schema is its
page, FILE.page, if the document has cells, rows or sentences that the schema
expresses differently.`

type draftCommand struct {
	*env
	id, out string
	force   bool
}

func (e *env) draftCommand() *cobra.Command {
	c := &draftCommand{env: e}
	cmd := &cobra.Command{
		Use:   "draft [FLAG…] PAGE",
		Short: "Write a schema from the tables of a document",
		Long:  draftLong,
		Example: `octable draft my-format.md
octable draft -o sqlite.oct fileformat2.html`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	cmd.Flags().StringVar(&c.id, "id", "", "the `ID` of the schema (default the name of the file that is written)")
	cmd.Flags().StringVar(&c.out, "o", "", "write `FILE`.oct; - is the output, without the page (default the name of PAGE with the ending .oct, in this folder)")
	cmd.Flags().BoolVar(&c.force, "force", false, "write over files that exist")
	return cmd
}

var notInID = regexp.MustCompile(`[^a-z0-9.-]+`)

func (c *draftCommand) run(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fail(exitUsage, "%s takes one document: a file, or - for the input", cmd.CommandPath())
	}
	name := args[0]
	base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	text, err := c.read(&name)
	if err != nil {
		return err
	}
	if c.out == "" {
		c.out = base + ".oct"
		if name == "input" {
			c.out = "-"
		}
	}
	if c.out != "-" && !strings.HasSuffix(c.out, ".oct") {
		return fail(exitUsage, "-o %s does not end in .oct", c.out)
	}
	if c.id == "" {
		if name == "input" {
			base = "draft"
		}
		if c.out != "-" {
			base = strings.TrimSuffix(filepath.Base(c.out), ".oct")
		}
		c.id = strings.Trim(notInID.ReplaceAllString(strings.ToLower(base), "-"), "-.")
	}
	if c.id == "" {
		return fail(exitUsage, "the name %s has no letters for the id of the schema; set -id", name)
	}
	doc, err := audit.Parse(filepath.Base(name), text)
	if err != nil {
		return &failure{exitRefused, err}
	}
	d, err := draft.New(doc, c.id)
	if err != nil {
		return &failure{exitRefused, err}
	}
	return c.write(d)
}

func (c *draftCommand) read(name *string) ([]byte, error) {
	if *name == "-" {
		*name = "input"
		return io.ReadAll(c.stdin)
	}
	return os.ReadFile(*name)
}

func (c *draftCommand) write(d *draft.Draft) error {
	if c.out == "-" {
		_, err := c.stdout.Write(d.Schema)
		return err
	}
	files := []string{c.out}
	if d.Page != nil {
		files = append(files, page.Path(c.out))
	}
	old := page.Path(c.out)
	for _, file := range []string{c.out, old} {
		if _, err := os.Stat(file); err == nil && !c.force {
			return fail(exitUsage, "%s exists; give another name with -o, or -force to write over it", file)
		}
	}
	for i, file := range files {
		if err := os.WriteFile(file, [][]byte{d.Schema, d.Page}[i], 0o666); err != nil {
			return err
		}
	}
	if d.Page == nil { // an old page is of another schema
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	fmt.Fprintf(c.stdout, "%s: %s of %s, %s for you\n", strings.Join(files, " and "),
		count(d.Rows, "row", "rows"), count(d.Types, "table", "tables"), count(d.Marks, "comment", "comments"))
	if d.Report.OK() {
		return nil
	}
	if err := d.Report.WriteText(c.stdout); err != nil {
		return err
	}
	return refused()
}
