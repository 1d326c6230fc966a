package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/dump"
	"github.com/octable/octable/interp/notation"
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
	in input
	stream
	form  form
	lines bool

	left int        // values of a stream with bytes after them
	tree *dump.Tree // made when it is needed
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
	d.stream.flags(cmd)
	cmd.Flags().BoolVar(&d.lines, "lines", false, "answer every line of input with a line of JSON")
	return cmd
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

// packet prints the values of one input, and reports whether all of it could be read.
func (d *decodeCommand) packet(p packet) (bool, error) {
	a, ok := d.chosen(p)
	switch {
	case !ok:
		return false, nil
	case a.text:
		return d.notation(p)
	case a.framed == "":
		return d.value(p, p.bytes, 0, "")
	}
	w := d.watch(d.env, p)
	d.left = 0
	for f, err := range frames(p.bytes, a.framed == "big") {
		if err != nil {
			d.say(p, err, 0)
			return false, nil
		}
		label := ""
		if d.form.word == "tree" {
			label = fmt.Sprintf("%d:", f.at)
		}
		ok, err := d.value(p, f.bytes, f.at+4, label)
		if err != nil {
			return false, err
		}
		if !ok && w.failed(f.end()) {
			break
		}
	}
	if d.muted() {
		_ = d.stdout.Flush() // messages about output come after it
		fmt.Fprintf(d.stderr, "octable: warning: %sbytes are left over after %d values\n", p.where(), d.left)
	}
	return w.errors == 0, nil
}

// muted reports whether there were as many warnings about bytes after values as errors are allowed.
func (d *decodeCommand) muted() bool { return d.maxErrors > 0 && d.left > d.maxErrors }

// notation prints the values of a text.
func (d *decodeCommand) notation(p packet) (bool, error) {
	for line, part := range values(string(p.bytes), d.comments()) {
		v, err := d.codec.ParseText(part)
		if err != nil {
			d.say(p, textErrorAt(err, line), 0)
			return false, nil
		}
		if err := d.print(v, ""); err != nil {
			return false, err
		}
	}
	return true, nil
}

// say prints why bytes that begin at some offset of the input cannot be read.
func (d *decodeCommand) say(p packet, err error, at int) {
	_ = d.stdout.Flush() // messages about output come after it
	fmt.Fprintf(d.stderr, "octable: %s%v\n", p.where(), movedError(err, at))
}

func (d *decodeCommand) value(p packet, b []byte, at int, label string) (bool, error) {
	v, used, err := d.codec.Decode(b)
	if err != nil {
		d.say(p, err, at)
		return false, nil
	}
	if err := d.print(v, label); err != nil {
		return false, err
	}
	if left := len(b) - used; left > 0 {
		if d.left++; d.muted() {
			return true, nil
		}
		_ = d.stdout.Flush() // messages about output come after it
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

func (d *decodeCommand) print(v codec.Value, label string) error {
	if d.form.word == "tree" {
		if label != "" {
			_, _ = d.stdout.WriteString(label + "\n")
		}
		if d.tree == nil {
			d.tree = dump.NewTree(notation.Of(raw.Machine(d.codec)), d.stdout)
		}
		d.tree.Print(raw.Value(v))
		return nil
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
	_, _ = d.stdout.Write(bytes.TrimRight(out, "\n"))
	return d.stdout.WriteByte('\n')
}
