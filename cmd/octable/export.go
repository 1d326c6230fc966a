package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/compile/export"
	"github.com/octable/octable/compile/gen"
)

type exportCommand struct {
	*env
	target
	out string
}

func (e *env) exportCommand() *cobra.Command {
	c := &exportCommand{env: e}
	var formats []string
	long := "Export writes a schema as a description for another tool. Rules that its language\ncannot express are listed at the top of the file, and as notes.\n\n"
	for _, f := range export.Formats {
		formats = append(formats, f.Name)
		long += fmt.Sprintf("  %-10s %s\n", f.Name, f.Title)
	}
	cmd := &cobra.Command{
		Use:   "export [FLAG…] FORMAT ID|FILE",
		Short: "Write a schema for Kaitai Struct, ImHex or Wireshark",
		Long:  strings.TrimRight(long, "\n"),
		Example: `octable export kaitai godot-4.4 -o godot-4.4.ksy
octable export wireshark my-format.oct -o my-format.lua`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return beginning(formats, word), cobra.ShellCompDirectiveNoFileComp
			}
			return completeSpec(cmd, args, word)
		},
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fail(exitUsage, "%s needs a format: %s", cmd.CommandPath(), strings.Join(formats, ", "))
			}
			for _, f := range export.Formats {
				if f.Name == args[0] {
					if err := c.schemaArgument(cmd, args[1:]); err != nil {
						return err
					}
					return c.run(f)
				}
			}
			if _, err := gen.Named(args[0]); err == nil {
				return fail(exitUsage, "%s is a language of code; write: octable gen %[1]s", args[0])
			}
			return fail(exitUsage, "there is no format %q; there are %s", args[0], strings.Join(formats, ", "))
		},
	}
	c.target.flags(cmd)
	cmd.Flags().Lookup("spec").DefValue = "" // it has to be given, here or as an argument
	cmd.Flags().StringVar(&c.out, "o", "", "write `FILE`, instead of the output")
	return cmd
}

func (c *exportCommand) run(f export.Format) error {
	if err := c.compile(); err != nil {
		return err
	}
	m, err := c.model()
	if err != nil {
		return err
	}
	file, cannot, err := f.Write(m)
	if err != nil {
		return fail(exitRefused, "%s: %w; nothing is written", m.Schema, err)
	}
	if c.out == "" || c.out == "-" {
		_, err := c.stdout.Write(file)
		return err
	}
	if err := os.WriteFile(c.out, file, 0o666); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s cannot say:\n", c.out)
	for _, s := range cannot {
		fmt.Fprintf(c.stdout, "  - %s\n", s)
	}
	return nil
}
