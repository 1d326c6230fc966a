package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/octable/octable/conformance/dump"
	"github.com/octable/octable/interp"
)

type inspectCommand struct {
	*env
	target
	in input
	stream
	opt dump.Options
}

func (e *env) inspectCommand() *cobra.Command {
	c := &inspectCommand{env: e}
	cmd := &cobra.Command{
		Use:   "inspect [FLAG…] [FILE|DIGITS…]",
		Short: "Show bytes beside what they mean",
		Long:  inspectLong,
		Example: `octable inspect 1c000000 01000000 04000000 02000000 61620000
octable inspect -spec wave sound.wav
octable inspect -framed -all save.dat | less -R`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	c.target.flags(cmd)
	c.target.options(cmd, true)
	_ = cmd.Flags().MarkHidden("keep-widths")
	c.in.flags(cmd)
	c.stream.flags(cmd)
	cmd.Flags().BoolVar(&c.opt.All, "all", false, "leave out nothing of long lists, arrays and texts")
	cmd.Flags().BoolVar(&c.opt.Paths, "paths", false, "show where each value is from the outermost one, not from the one around it")
	cmd.Flags().IntVar(&c.opt.Row, "bytes", 0, "show `N` bytes a row, 4 to 64 (default 8, or 16 from 140 columns on)")
	cmd.Flags().IntVar(&c.opt.Width, "width", 0, "use `N` columns (default those of the terminal, or of $COLUMNS, or 100)")
	return cmd
}

func (c *inspectCommand) run(args []string) error {
	if c.opt.Width == 0 {
		c.opt.Width = c.width()
	}
	if c.opt.Row == 0 {
		c.opt.Row = 8
		if c.opt.Width >= 140 {
			c.opt.Row = 16
		}
	}
	if c.opt.Row < 4 || c.opt.Row > 64 {
		return fail(exitUsage, "%d is no value for -bytes; it is from 4 to 64", c.opt.Row)
	}
	var err error
	if c.opt.Paint, err = c.painter(); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	v, err := c.viewer()
	if err != nil {
		return err
	}
	c.opt.Read, c.opt.Strict = c.reading(), c.target.opt.Strict
	packets, err := c.in.read(c.env, args)
	if err != nil {
		return err
	}
	wrong := false
	for i, p := range packets {
		if len(packets) > 1 {
			if i > 0 {
				fmt.Fprintln(c.stdout)
			}
			fmt.Fprintf(c.stdout, "%s:\n", p.name)
		}
		wrong = !c.show(v, p) || wrong
	}
	if wrong {
		return refused()
	}
	return nil
}

// viewer returns a Viewer for the schema.
func (t *target) viewer() (*dump.Viewer, error) {
	t.explain()
	v, err := dump.NewViewer(t.program, t.schema)
	if err != nil {
		return nil, &failure{exitSchema, err}
	}
	return v, nil
}

// reading are the options of reading as the interpreter has them.
func (t *target) reading() interp.Options {
	o := interp.Options{MaxDepth: t.opt.MaxDepth, MaxMemory: t.opt.MaxMemory}
	if t.opt.Objects {
		o.Open = 0xff
	}
	return o
}

// show shows one input, and reports whether all of it could be read.
func (c *inspectCommand) show(v *dump.Viewer, p packet) bool {
	s := dump.NewSheet(v, c.stdout, p.bytes, c.opt)
	if c.framed == "" {
		return s.Packet(0, len(p.bytes))
	}
	w := c.watch(c.env, p)
	end := 0
	for f, err := range frames(p.bytes, c.framed == "big") {
		if e := (*interp.Error)(nil); errors.As(err, &e) {
			s.Stop(end, e)
			return false
		}
		s.Length(f.at, len(f.bytes))
		end = f.end()
		if !s.Packet(f.at+4, end) && w.failed(end) {
			break
		}
	}
	return w.errors == 0
}
