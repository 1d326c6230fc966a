package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// printed adds the flags -o and -format to a command that prints. The forms beside text are flags of the command.
func (e *env) printed(cmd *cobra.Command, forms ...string) *cobra.Command {
	var file, form string
	cmd.Flags().StringVar(&file, "o", "", "write `FILE` instead of the output")
	if len(forms) > 0 {
		all := append([]string{"text"}, forms...)
		choose(cmd, &form, "format", "print as `FORM`: "+strings.Join(all, ", "), "text", all...)
	}
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if form != "" && form != "text" {
			if err := cmd.Flags().Set(form, "true"); err != nil {
				return err
			}
		}
		if file == "" {
			return run(cmd, args)
		}
		return e.into(file, func() error { return run(cmd, args) })
	}
	return cmd
}
