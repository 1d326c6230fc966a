//go:build man

// The command man. It is left out of the usual build, which it would make 0.9 MB larger: releases come with
// the pages that it writes.

package main

import (
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func init() { further = append(further, (*env).manCommand) }

func (e *env) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write the manual pages of all commands",
		Hidden: true, // it has no page, since the usual build does not have it
		Long: `Man writes a manual page for octable and each of its commands into a folder,
which it creates if it does not exist. A page has the text of "octable help".

If the environment variable SOURCE_DATE_EPOCH is set, pages have its date.
Otherwise they have the date of the commit that octable was built from, or
today's if that is unknown.`,
		Example: `octable man /usr/local/share/man/man1`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fail(exitUsage, "man takes one folder, not %d; see: octable help man", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error { return writeMan(args[0]) },
	}
}

// writeMan writes the pages of all commands into a folder.
func writeMan(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	root := (&env{}).root()
	root.DisableAutoGenTag = true // a page is the same wherever it is made
	source := "octable"
	header := &doc.GenManHeader{Section: "1", Manual: "octable"}
	if info, ok := debug.ReadBuildInfo(); ok {
		source += " " + strings.Trim(info.Main.Version, "()")
		for _, s := range info.Settings {
			if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil && os.Getenv("SOURCE_DATE_EPOCH") == "" {
				header.Date = &at
			}
		}
	}
	header.Source = source
	root.Long += "\n\n" + rootEnd
	markdown(root)
	return doc.GenManTree(root, header, folder)
}

// markdown changes the texts of a command and its subcommands to Markdown, which package doc expects. A run of
// indented lines becomes a block of code.
func markdown(cmd *cobra.Command) {
	var b strings.Builder
	indented := false
	for line := range strings.Lines(cmd.Long) {
		now := strings.HasPrefix(line, " ")
		switch {
		case now && !indented:
			b.WriteByte('\n')
			fallthrough
		case now:
			line = "    " + line
		}
		indented = now
		b.WriteString(line)
	}
	cmd.Long = b.String()
	cmd.DisableFlagsInUseLine = true // they are in the line already
	for _, c := range cmd.Commands() {
		markdown(c)
	}
}
