package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/interp"
)

type inspectCommand struct {
	opener
	opt inspect.Options
}

func (e *env) inspectCommand() *cobra.Command {
	c := &inspectCommand{opener: opener{env: e}}
	cmd := &cobra.Command{
		Use:   "inspect [FLAG…] [FILE|DIGITS…]",
		Short: "Show bytes beside their meaning",
		Long:  inspectLong,
		Example: `octable inspect 1c000000 01000000 04000000 02000000 61620000
octable inspect -spec wave sound.wav
octable inspect -framed -all save.dat | less -R`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	c.opener.flags(cmd)
	_ = cmd.Flags().MarkHidden("keep-widths")
	cmd.Flags().BoolVar(&c.opt.All, "all", false, "leave out nothing of long lists, arrays and texts")
	cmd.Flags().BoolVar(&c.opt.Paths, "paths", false, "show paths from the outermost value, not from the containing one")
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
	c.opt.Read, c.opt.Strict = c.reading(), c.target.opt.Strict
	wrong, first := false, true
	err = c.in.each(c.env, args, func(p packet, single bool) error {
		if !single {
			if !first {
				fmt.Fprintln(c.stdout)
			}
			first = false
			fmt.Fprintf(c.stdout, "%s:\n", p.name)
		}
		ok, err := c.packet(p)
		wrong = wrong || !ok
		return err
	})
	if err == nil && wrong {
		err = refused()
	}
	return err
}

// packet shows one input, and reports whether all of it could be read. If no interpretation can read all of it,
// the one that came farthest is shown.
func (c *inspectCommand) packet(p packet) (bool, error) {
	p, ok, err := c.opened(p)
	if err != nil || !ok {
		return false, err
	}
	a, ok := c.chosen(p)
	if ok {
		a.note(c.env, p)
	}
	of := &c.target
	if a.own != nil && a.own.codec != nil {
		of = a.own
	}
	v, err := of.viewer()
	if err != nil {
		return false, err
	}
	if a.text {
		return c.text(v, p) && ok, nil
	}
	return c.show(v, p, a.framed) && ok, nil
}

// viewer returns a Viewer for the schema.
func (t *target) viewer() (*inspect.Viewer, error) {
	t.explain()
	v, err := inspect.NewViewer(t.program, t.schema)
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

// text shows the packets that the values of a text are encoded as.
func (c *inspectCommand) text(v *inspect.Viewer, p packet) bool {
	var b []byte
	var ends []int
	for line, part := range values(string(p.bytes), c.comments()) {
		val, err := c.codec.ParseText(part)
		if err == nil {
			b, err = c.codec.Append(b, val)
		}
		if err != nil {
			c.say(p, textErrorAt(err, line), 0)
			return false
		}
		ends = append(ends, len(b))
	}
	fmt.Fprintf(c.stderr, "octable: %sread as text; these are its bytes as a writer writes them\n", p.where())
	s := inspect.NewSheet(v, c.stdout, b, c.opt)
	from := 0
	for _, end := range ends {
		if !s.Packet(from, end) {
			return false
		}
		from = end
	}
	return true
}

// show shows one input, and reports whether all of it could be read.
func (c *inspectCommand) show(v *inspect.Viewer, p packet, framed string) bool {
	s := inspect.NewSheet(v, c.stdout, p.bytes, c.opt)
	if framed == "" {
		return s.Packet(0, len(p.bytes))
	}
	w := c.watch(c.env, p)
	end := 0
	for f, err := range frames(p.bytes, framed == "big") {
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
