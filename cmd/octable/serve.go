package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/protocol"
)

type serveCommand struct {
	*env
	target
}

func (e *env) serveCommand() *cobra.Command {
	c := &serveCommand{env: e}
	cmd := &cobra.Command{
		Use:   "serve [FLAG…]",
		Short: "Answer the requests of conform with octable's own codec",
		Long: `Serve reads requests of the protocol of "octable conform", one JSON object a
line, and answers each with octable's own codec: so that it can be checked as
any other implementation is. Without -spec it serves every schema octable has.`,
		Example: `octable conform -spec godot-4.4 -- octable serve`,
		Args:    cobra.NoArgs,
		RunE:    func(_ *cobra.Command, _ []string) error { return c.run() },
	}
	c.target.flags(cmd)
	f := cmd.Flags().Lookup("spec")
	f.DefValue = ""
	c.name = ""
	return cmd
}

func (c *serveCommand) run() error {
	impl := protocol.Octable()
	if c.name != "" {
		if err := c.load(); err != nil {
			return err
		}
		about := impl.About()
		about.Specs = []string{c.spec()}
		impl = protocol.ForCodec(about, func(spec string) (*codec.Codec, error) {
			if spec != about.Specs[0] {
				return nil, fmt.Errorf("it was started for %s", about.Specs[0])
			}
			return c.codec, nil
		})
	}
	if err := protocol.Connect(c.stdin, c.stdout, impl); err != nil {
		return &failure{exitRefused, err}
	}
	return nil
}

// spec is the name of the schema and its choice, as suites have it.
func (t *target) spec() string {
	t.explain()
	choice := t.program.Choice
	if choice == "" || t.schema != nil && compile.Choices(t.schema)[0] == choice {
		return t.program.Schema
	}
	return t.program.Schema + "+" + choice
}
