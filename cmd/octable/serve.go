package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/protocol"
)

type serveCommand struct {
	*env
	target
	as string
}

func (e *env) serveCommand() *cobra.Command {
	c := &serveCommand{env: e}
	cmd := &cobra.Command{
		Use:   "serve [FLAG…]",
		Short: "Answer the requests of conform with octable's own codec",
		Long: `Serve reads requests of the protocol of "octable conform", one JSON object per
line, and answers each with octable's own codec, so octable can be tested like
any other implementation. Without -spec it serves every schema of octable. With
-as it claims to have another schema, which shows how an implementation of one
version handles the packets of another.`,
		Example: `octable conform -spec godot-4.4 -- octable serve
octable conform -- octable serve -spec godot-4.0 -as godot-4.4`,
		Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error { return c.run() },
	}
	c.target.flags(cmd)
	f := cmd.Flags().Lookup("spec")
	f.DefValue = ""
	c.name = ""
	cmd.Flags().StringVar(&c.as, "as", "", "serve the schema under the name `ID`")
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
		if c.as != "" {
			about.Version = "with " + c.spec()
			about.Specs[0] = c.as
		}
		impl = protocol.ForCodec(about, func(spec string) (*codec.Codec, error) {
			if spec != about.Specs[0] {
				return nil, fmt.Errorf("it was started for %s", about.Specs[0])
			}
			return c.codec, nil
		})
	}
	if c.name == "" && c.as != "" {
		return fail(exitUsage, "-as gives a schema another name; say which one with -spec")
	}
	if err := protocol.Connect(c.stdin, c.stdout, impl); err != nil {
		return &failure{exitRefused, err}
	}
	return nil
}

// spec is the name of the schema and its choice, as suites have it: the first choice
// goes without saying.
func (t *target) spec() string {
	id, choice := t.program.Schema, t.program.Choice
	if choice == "" || slices.Contains(codec.Schemas(), id) && choice == "single" {
		return id
	}
	if t.explain(); t.schema != nil && t.schema.Choices()[0] == choice {
		return id
	}
	return id + "+" + choice
}
