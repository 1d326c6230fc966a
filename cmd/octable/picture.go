package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/picture"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp/segment"
)

const pictureLong = `Picture draws the byte layout of a type, or of a packet, in the manner of the
diagrams in RFCs: lines of four bytes, with the bits of words below them. Parts
whose size varies have torn edges. An SVG file follows the light or dark setting of
its reader, and describes each cell for screen readers.

The argument is the name of a type, a union or an arm (Union.Arm) of the schema;
without one the outermost type is drawn. Anything else is a packet, as a file or in
hexadecimal digits; compressed and encrypted files, streams and text are opened. With -format list each cell is a line of text.`

type pictureCommand struct {
	*env
	target
	single
	form, out string
}

func (e *env) pictureCommand() *cobra.Command {
	c := &pictureCommand{env: e}
	cmd := &cobra.Command{
		Use:   "picture [FLAG…] [TYPE|FILE|DIGITS…]",
		Short: "Draw the byte layout of a type or a packet",
		Long:  pictureLong,
		Example: `octable picture -o dictionary.svg Variant.Dictionary
octable picture -spec ntp -format text
octable picture -format text 04000000 02000000 61620000`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	c.target.flags(cmd)
	cmd.Flags().BoolVar(&c.opt.Objects, "objects", false, "allow full objects in a packet")
	c.single.flags(cmd)
	choose(cmd, &c.form, "format", "print as `FORM`: svg, text (in characters) or list (a line for each cell)", "svg", "svg", "text", "list")
	cmd.Flags().StringVar(&c.out, "o", "-", "write `FILE`; - is the output")
	return cmd
}

func (c *pictureCommand) run(args []string) error {
	if err := c.load(); err != nil {
		return err
	}
	p, damage, err := c.draw(args)
	if err != nil {
		return err
	}
	text := ""
	switch c.form {
	case "svg":
		text = p.SVG(picture.Options{})
	case "list":
		text = strings.Join(p.Describe(), "\n") + "\n"
	default:
		text = p.Text()
	}
	if c.out != "-" {
		err = os.WriteFile(c.out, []byte(text), 0o666)
	} else {
		_, err = c.stdout.WriteString(text)
	}
	if err != nil {
		return err
	}
	return damage
}

// draw makes the picture of what the arguments name, and the error of a packet that is damaged.
func (c *pictureCommand) draw(args []string) (p *picture.Picture, damage, err error) {
	if len(args) <= 1 {
		s, err := c.resolved()
		if err != nil {
			return nil, nil, err
		}
		if len(args) == 0 {
			if s.Root == nil {
				return nil, nil, fail(exitUsage, "%s has no outermost type; name one of its types: %s", s.ID, clip(strings.Join(picture.Names(s), ", "), 60))
			}
			args = []string{s.Root.Name}
		}
		p, err := picture.Type(s, args[0])
		if err == nil {
			return p, nil, nil
		}
		if unknown := (*picture.UnknownError)(nil); errors.As(err, &unknown) && !isFile(args[0]) && args[0] != "-" && !looksLikeHex(args[0]) {
			names := picture.Names(s)
			short := slices.Clone(names)
			for _, name := range names {
				if _, arm, ok := strings.Cut(name, "."); ok {
					short = append(short, arm)
				}
			}
			if near := builtin.Nearest(args[0], short); near != "" {
				return nil, nil, fail(exitUsage, "%v, and there is no file of that name; did you mean %s?", err, near)
			}
			return nil, nil, fail(exitUsage, "%v, and there is no file of that name; it has %s", err, clip(strings.Join(names, ", "), 60))
		}
	}
	var read *segment.Packet
	err = c.in.each(c.env, args, func(p packet, single bool) error {
		if !single {
			return fail(exitUsage, "a picture is of one type or packet; these are several packets")
		}
		b, of, err := c.packet(c.env, &c.target, p)
		if err != nil {
			return err
		}
		c.target = *of
		read = segment.Read(raw.Machine(c.codec), b, c.reading())
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	c.explain() // a program may have no schema; then bits have no names
	if read.Err != nil {
		damage = fail(exitRefused, "%v", read.Err)
	}
	return picture.Packet(read, c.schema), damage, nil
}
