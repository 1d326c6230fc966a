package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
)

// form is how decode prints a value.
type form struct {
	word             string
	text, json, tree bool
	indent           bool
}

func (f *form) flags(cmd *cobra.Command) {
	choose(cmd, &f.word, "o", "print as `FORM`: text, json or tree", "", "text", "json", "tree")
	cmd.Flags().BoolVar(&f.text, "text", false, "print the notation of the schema, which encode reads; this is the default")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON, which encode -json reads")
	cmd.Flags().BoolVar(&f.tree, "tree", false, "print a tree with the names of fields")
	cmd.Flags().BoolVar(&f.indent, "indent", false, "print text and JSON in several lines")
}

func (f *form) choose() error {
	n := 0
	for word, set := range map[string]bool{"text": f.text, "json": f.json, "tree": f.tree} {
		if set {
			n++
			if f.word != "" && f.word != word {
				n++
			}
			f.word = word
		}
	}
	if n > 1 {
		return fail(exitUsage, "give one of -text, -json and -tree")
	}
	if f.word == "" {
		f.word = "text"
	}
	return nil
}

type decodeCommand struct {
	*env
	target
	in     input
	form   form
	framed string
	lines  bool
}

func (e *env) decodeCommand() *cobra.Command {
	d := &decodeCommand{env: e}
	cmd := &cobra.Command{
		Use:   "decode [FLAG…] [FILE|DIGITS…]",
		Short: "Print the values that packets hold",
		Long:  decodeLong,
		Example: `octable decode 02000000 2a000000
octable decode -spec godot-3 -json packet.bin
octable decode -framed -tree save.dat
octable decode -lines -spec godot-4.4 <packets.hex`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return d.run(args) },
	}
	d.target.flags(cmd)
	d.target.options(cmd, true)
	d.in.flags(cmd)
	d.form.flags(cmd)
	framedFlag(cmd, &d.framed)
	cmd.Flags().BoolVar(&d.lines, "lines", false, "answer every line of input with a line of JSON")
	return cmd
}

func framedFlag(cmd *cobra.Command, framed *string) {
	choose(cmd, framed, "framed", "a length of 4 bytes, in the `ORDER` little or big, is before each value, as in files and streams", "", "little", "big").NoOptDefVal = "little"
}

func (d *decodeCommand) run(args []string) error {
	if err := d.form.choose(); err != nil {
		return err
	}
	if d.lines && (len(args) > 0 || d.framed != "") {
		return fail(exitUsage, "-lines reads packets from the input; it goes without arguments and -framed")
	}
	if err := d.load(); err != nil {
		return err
	}
	if d.lines {
		return d.answer()
	}
	packets, err := d.in.read(d.env, args)
	if err != nil {
		return err
	}
	bad := false
	for _, p := range packets {
		if len(packets) > 1 {
			fmt.Fprintf(d.stdout, "%s:\n", p.name)
		}
		ok, err := d.packet(p)
		if err != nil {
			return err
		}
		bad = bad || !ok
	}
	if bad {
		return refused()
	}
	return nil
}

// packet prints what one input holds, and reports whether all of it could be read.
func (d *decodeCommand) packet(p packet) (bool, error) {
	if d.framed == "" {
		return d.value(p, p.bytes, 0, "")
	}
	list, frameErr := frames(p.bytes, d.framed == "big")
	all := true
	for _, f := range list {
		ok, err := d.value(p, f.bytes, f.at+4, fmt.Sprintf("%d: ", f.at))
		if err != nil {
			return false, err
		}
		all = all && ok
	}
	if frameErr != nil {
		d.say(p, frameErr, 0)
		all = false
	}
	return all, nil
}

// say prints why bytes that begin at some offset of the input cannot be read.
func (d *decodeCommand) say(p packet, err error, at int) {
	var e *codec.Error
	if at > 0 && errors.As(err, &e) {
		moved := *e
		moved.Offset += at
		err = &moved
	}
	_ = d.stdout.Flush() // what is said about output comes after it
	fmt.Fprintf(d.stderr, "octable: %s%v\n", p.where(), err)
}

func (d *decodeCommand) value(p packet, b []byte, at int, label string) (bool, error) {
	v, used, err := d.codec.Decode(b)
	if err != nil {
		d.say(p, err, at)
		return false, nil
	}
	if err := d.print(v, b[:used], label); err != nil {
		return false, err
	}
	if left := len(b) - used; left > 0 {
		_ = d.stdout.Flush() // what is said about output comes after it
		fmt.Fprintf(d.stderr, "octable: warning: %s%s after the value, from byte %d on\n", p.where(), count(left, "byte is left over", "bytes are left over"), at+used)
	}
	return true, nil
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (d *decodeCommand) print(v codec.Value, b []byte, label string) error {
	if d.form.word == "tree" {
		return d.printTree(b, label)
	}
	var out []byte
	var err error
	switch d.form.word {
	case "json":
		out, err = d.codec.AppendJSON(nil, v)
		if err == nil && d.form.indent {
			var pretty bytes.Buffer
			if json.Indent(&pretty, out, "", "  ") == nil {
				out = pretty.Bytes()
			}
		}
	default:
		indent := ""
		if d.form.indent {
			indent = "\t"
		}
		out, err = d.codec.AppendText(nil, v, indent)
	}
	if err != nil {
		return &failure{exitRefused, err}
	}
	_, err = fmt.Fprintf(d.stdout, "%s%s\n", label, bytes.TrimRight(out, "\n"))
	return err
}
