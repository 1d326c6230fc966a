package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
)

func (e *env) grammarCommand() *cobra.Command {
	textmate, page := false, false
	cmd := &cobra.Command{
		Use:   "grammar [FLAG…]",
		Short: "Print the grammar of the schema language",
		Long: `Grammar prints the grammar of the schema language as EBNF. It is
generated from the parser, as is the TextMate grammar for editors.`,
		Example: "octable grammar -textmate >oct.tmLanguage.json",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if textmate {
				_, err := e.stdout.Write(dsl.TextMate())
				return err
			}
			text := dsl.Grammar()
			if page {
				text = dsl.PageGrammar()
			}
			_, err := fmt.Fprint(e.stdout, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&textmate, "textmate", false, "print a TextMate grammar, by which editors highlight .oct and .page files")
	cmd.Flags().BoolVar(&page, "page", false, "print the grammar of pages, which are beside schemas")
	return cmd
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fail(exitUsage, "%s takes no arguments", cmd.CommandPath())
	}
	return nil
}

// schemaArgument takes the schema from the argument or from -spec.
func (t *target) schemaArgument(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) > 1:
		return fail(exitUsage, "%s takes one schema; %q is one too many", cmd.CommandPath(), args[1])
	case len(args) == 1 && cmd.Flags().Changed("spec"):
		return fail(exitUsage, "give the schema as an argument or with -spec, not both")
	case len(args) == 1:
		t.name = args[0]
	case !cmd.Flags().Changed("spec"):
		return fail(exitUsage, "%s needs a schema: an id, or a .oct or .octb file", cmd.CommandPath())
	}
	return nil
}

type programCommand struct {
	*env
	target
	source, ops bool
}

func (e *env) programCommand() *cobra.Command {
	c := &programCommand{env: e}
	cmd := &cobra.Command{
		Use:   "program [FLAG…] ID|FILE",
		Short: "Print the program that a schema is compiled to",
		Long: `Program prints the instructions of a compiled schema. The same instructions read
and write; with -ops it prints what each of them does in both directions.`,
		Example: `octable program -source wave
octable program -ops`,
		ValidArgsFunction: completeSpec,
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.ops {
				if err := noArguments(cmd, args); err != nil {
					return err
				}
				return bytecode.Reference(c.stdout)
			}
			if err := c.schemaArgument(cmd, args); err != nil {
				return err
			}
			if err := c.compile(); err != nil {
				return err
			}
			c.explain()
			return c.program.List(c.stdout, c.sourceLines())
		},
	}
	c.target.flags(cmd)
	cmd.Flags().Lookup("spec").DefValue = "" // it has to be given, here or as an argument
	cmd.Flags().BoolVar(&c.source, "source", false, "show the rows of the schema, too")
	cmd.Flags().BoolVar(&c.ops, "ops", false, "print the set of instructions")
	return cmd
}

// sourceLines returns a function that finds lines of the schema's files.
func (c *programCommand) sourceLines() func(string, int) string {
	if !c.source || c.schema == nil {
		return nil
	}
	return c.schema.Line
}

type compileCommand struct {
	*env
	target
	out string
}

func (e *env) compileCommand() *cobra.Command {
	c := &compileCommand{env: e}
	cmd := &cobra.Command{
		Use:   "compile [FLAG…] ID|FILE -o FILE",
		Short: "Write the program that a schema is compiled to",
		Long: `Compile writes a schema as a program, which -spec accepts instead of the
schema, and which needs no other files.`,
		Example:           "octable compile my-format.oct -o my-format.octb",
		ValidArgsFunction: completeSpec,
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.schemaArgument(cmd, args); err != nil {
				return err
			}
			if c.out == "" {
				return fail(exitUsage, "%s needs -o FILE, such as program%s", cmd.CommandPath(), bytecode.Extension)
			}
			if err := c.compile(); err != nil {
				return err
			}
			b := c.program.Save()
			if c.out == "-" {
				if c.terminal() {
					return fail(exitUsage, "a program is no text for a terminal; give -o a file")
				}
				_, err := c.stdout.Write(b)
				return err
			}
			return os.WriteFile(c.out, b, 0o666)
		},
	}
	c.target.flags(cmd)
	cmd.Flags().Lookup("spec").DefValue = "" // it has to be given, here or as an argument
	cmd.Flags().StringVar(&c.out, "o", "", "write `FILE`; - is the output")
	return cmd
}
