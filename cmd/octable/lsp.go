package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/octable/octable/cmd/octable/internal/lsp"
)

func (e *env) lspCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Run a language server for schema files",
		Long: `Lsp is a language server for .oct files: it speaks the Language Server Protocol
over its input and output, and is started by an editor. It provides
diagnostics, hover texts with offset, size and description, definitions,
references, completion, renaming in all files, and formatting.

For highlighting see: octable help grammar`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := e.stdout.Flush(); err != nil {
				return err
			}
			err := lsp.Serve(cmd.Context(), stdio{e})
			if errors.Is(err, lsp.ErrNotShutDown) {
				return refused() // as the protocol wants it
			}
			return err
		},
	}
	cmd.Flags().Bool("stdio", true, "use input and output; there is nothing else, but editors say so")
	_ = cmd.Flags().MarkHidden("stdio")
	return cmd
}

// stdio is the input and output of the command as one stream.
type stdio struct{ *env }

func (s stdio) Read(b []byte) (int, error) { return s.stdin.Read(b) }

func (s stdio) Write(b []byte) (int, error) {
	n, err := s.stdout.Write(b)
	if err == nil {
		err = s.stdout.Flush()
	}
	return n, err
}

func (s stdio) Close() error {
	if c, ok := s.stdin.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
