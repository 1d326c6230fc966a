package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/octable/octable/cmd/octable/internal/identify"
)

const whichLong = `Which lists the schemas that can read the given bytes, with the value by each,
and names the likeliest with the reason. It tries all schemas in every
precision, and those of Godot also with values after their lengths, as in files
and streams. A schema that also reads random bytes is listed, but never called
the likeliest.

It reads what "octable decode" reads: containers are opened, and text is read
by the names of each version. The exit status is 1 if no schema accepts the
bytes.`

type whichCommand struct {
	opener // whose schema is not used
	specs  []string
	json   bool
}

func (e *env) whichCommand() *cobra.Command {
	c := &whichCommand{opener: opener{env: e}}
	cmd := &cobra.Command{
		Use:   "which [FLAG…] [FILE|DIGITS…]",
		Short: "Find the format and the version of some bytes",
		Long:  whichLong,
		Example: `octable which save.dat
octable which 06000000 0000803f 00000040 00004040 00008040`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	c.in.flags(cmd)
	c.secret.flags(cmd)
	cmd.Flags().StringArrayVar(&c.specs, "spec", nil, "try a custom schema, too: the path of a .oct or .octb `FILE`; may be repeated")
	_ = cmd.RegisterFlagCompletionFunc("spec", completeSpec)
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	return cmd
}

func (c *whichCommand) run(args []string) error {
	candidates := identify.Candidates()
	for _, name := range c.specs {
		t := target{name: name}
		if err := t.load(); err != nil {
			return err
		}
		candidates = append(candidates, identify.Own(name, t.codec))
	}
	all, first := true, true
	err := c.in.each(c.env, args, func(p packet, single bool) error {
		p, ok, err := c.opened(p)
		if err != nil || !ok {
			all = false
			return err
		}
		r := identify.ReadText(p.bytes, texts(p), candidates)
		all = all && len(r.Groups) > 0
		if c.json {
			return c.writeJSON(struct {
				Name string `json:"name,omitempty"`
				*identify.Report
			}{p.name, r})
		}
		if !single {
			if !first {
				fmt.Fprintln(c.stdout)
			}
			first = false
			fmt.Fprintf(c.stdout, "%s:\n", p.name)
		}
		return r.WriteText(c.stdout, c.width())
	})
	if err == nil && !all {
		err = refused()
	}
	return err
}

// texts returns the values of an input that is text in Godot's notation, nil for other inputs.
func texts(p packet) []string {
	if p.digits || !isText(p.bytes) {
		return nil
	}
	var all []string
	for _, text := range values(string(p.bytes), ";") {
		all = append(all, text)
	}
	return all
}
