package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/interp/notation"
)

// form is how decode prints a value.
type form struct {
	word             string
	text, json, tree bool
	indent           bool
}

func (f *form) flags(cmd *cobra.Command) {
	choose(cmd, &f.word, "format", "print as `FORM`: text, json or tree; or bytes, which are those in a container", "", "text", "json", "tree", "bytes")
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
	opener
	workers
	form  form
	lines bool
	out   string

	left int // values of a stream with bytes after them
}

func (e *env) decodeCommand() *cobra.Command {
	d := &decodeCommand{opener: opener{env: e}}
	cmd := &cobra.Command{
		Use:   "decode [FLAG…] [FILE|DIGITS…]",
		Short: "Print the values that packets hold",
		Long:  decodeLong,
		Example: `octable decode 02000000 2a000000
octable decode -spec godot-3 -json packet.bin
octable decode -framed -tree save.dat
octable decode -o all.txt saves/*.dat
octable decode -lines -spec godot-4.4 <packets.hex`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return d.run(args) },
	}
	d.opener.flags(cmd)
	d.form.flags(cmd)
	d.workers.flags(cmd)
	cmd.Flags().StringVar(&d.out, "o", "", "write `FILE` instead of the output")
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
	if err := d.workers.check(); err != nil {
		return err
	}
	if err := d.load(); err != nil {
		return err
	}
	if d.out != "" {
		return d.env.into(d.out, func() error { return d.decode(args) })
	}
	return d.decode(args)
}

// decode prints the values of all inputs.
func (d *decodeCommand) decode(args []string) error {
	if d.lines {
		return d.answer()
	}
	inputs, err := d.in.list(args)
	if err != nil {
		return err
	}
	if len(inputs) == 1 {
		p, err := d.in.read(d.env, inputs[0])
		if err != nil {
			return err
		}
		return d.finish(d.packet(p))
	}
	return d.files(inputs)
}

// finish returns the error that a command ends with after some inputs.
func (d *decodeCommand) finish(ok bool, err error) error {
	if err == nil && !ok {
		return refused()
	}
	return err
}

// smallFile is the most bytes of a file that is decoded beside others. Larger ones are decoded alone, in parts at once.
const smallFile = 8 << 20

// files prints the values of several inputs, of which some are decoded at once.
func (d *decodeCommand) files(inputs []given) error {
	type answer struct {
		input given
		said  *transcript // nil for an input that is decoded alone
		ok    bool
		err   error
	}
	bar := d.meter(int64(len(inputs)), "files")
	defer bar.end()
	all := true
	var failed error
	ordered(d.n(), slices.Values(inputs), func() func(given) answer {
		return func(in given) answer {
			a := answer{input: in}
			if in.size < 0 || in.size > smallFile {
				return a
			}
			own := *d
			own.jobs = 1
			own.env, a.said = d.recorded()
			a.ok, a.err = own.named(in)
			return a
		}
	}, func(a answer) bool {
		if a.said == nil {
			a.ok, a.err = d.named(a.input)
		} else if err := d.replay(a.said); a.err == nil {
			a.err = err
		}
		bar.add(1)
		all, failed = all && a.ok, a.err
		return failed == nil
	})
	return d.finish(all, failed)
}

// named prints the name of one of several inputs, and its values.
func (d *decodeCommand) named(in given) (bool, error) {
	p, err := d.in.read(d.env, in)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(d.stdout, "%s:\n", p.name)
	return d.packet(p)
}

// packet prints the values of one input, and reports whether all of it could be read.
func (d *decodeCommand) packet(p packet) (bool, error) {
	p, ok, err := d.opened(p)
	if err != nil || !ok {
		return false, err
	}
	if d.form.word == "bytes" {
		_, err := d.stdout.Write(p.bytes)
		return true, err
	}
	a, ok := d.chosen(p)
	if !ok {
		return false, nil
	}
	a.note(d.env, p)
	switch {
	case a.own != nil:
		own := *d
		own.opener = *d.with(a.own)
		return own.value(p)
	case a.text:
		return d.notation(p)
	case a.framed == "":
		return d.value(p)
	}
	return d.frames(p, a.framed)
}

// remark is a message about a value, or the end of everything.
type remark struct {
	at    int // bytes of output before it
	end   int // offset after the value
	err   error
	fatal error
	from  int // offset of the bytes that are left over
	left  int
}

// answered is what a job prints.
type answered struct {
	out     []byte
	bytes   int // of input
	remarks []remark
}

// frames prints the values of a stream.
func (d *decodeCommand) frames(p packet, order string) (bool, error) {
	w := d.watch(d.env, p)
	d.left = 0
	bar := d.meter(int64(len(p.bytes)), "bytes")
	defer bar.end()
	var failed error
	spares := make(chan []byte, 4*d.n())
	var cut error
	ordered(d.n(), batches(func(yield func(frame) bool) {
		for f, err := range frames(p.bytes, order == "big") {
			if err != nil {
				cut = err
			} else if !yield(f) {
				return
			}
		}
	}, func(f frame) int { return len(f.bytes) }), func() func([]frame) answered {
		v := d.printer(nil)
		return func(r []frame) answered {
			select {
			case v.out.b = <-spares:
			default:
				v.out.b = nil
			}
			return v.run(r)
		}
	}, func(a answered) bool {
		bar.add(a.bytes)
		from := 0
		for _, r := range a.remarks {
			_, _ = d.stdout.Write(a.out[from:r.at])
			from = r.at
			switch {
			case r.fatal != nil:
				failed = r.fatal
				return false
			case r.err != nil:
				d.say(p, r.err, 0)
				if w.failed(r.end) {
					return false
				}
			default:
				d.over(p, r.from, r.left)
			}
		}
		_, failed = d.stdout.Write(a.out[from:])
		if cap(a.out) <= 16*chunkSize {
			select {
			case spares <- a.out[:0]:
			default:
			}
		}
		return failed == nil
	})
	bar.end()
	if cut != nil && failed == nil && !w.stopped {
		d.say(p, cut, 0)
		w.errors++
	}
	if d.muted() {
		_ = d.stdout.Flush() // messages about output come after it
		fmt.Fprintf(d.stderr, "octable: warning: %sbytes are left over after %d values\n", p.where(), d.left)
	}
	return w.errors == 0, failed
}

// run decodes and prints values of a stream.
func (v *printer) run(all []frame) answered {
	var a answered
	for _, f := range all {
		a.bytes += 4 + len(f.bytes)
		val, used, err := v.read(f.bytes)
		if err != nil {
			a.remarks = append(a.remarks, remark{at: len(v.out.b), end: f.end(), err: movedError(err, f.at+4)})
			continue
		}
		if v.form.word == "tree" {
			v.out.b = fmt.Appendf(v.out.b, "%d:\n", f.at)
		}
		if err := v.print(val); err != nil {
			a.remarks = append(a.remarks, remark{at: len(v.out.b), fatal: err})
			break
		}
		if left := len(f.bytes) - used; left > 0 {
			a.remarks = append(a.remarks, remark{at: len(v.out.b), left: left, from: f.at + 4 + used})
		}
	}
	a.out = v.out.b
	return a
}

// muted reports whether there were as many warnings about bytes after values as errors are allowed.
func (d *decodeCommand) muted() bool { return d.maxErrors > 0 && d.left > d.maxErrors }

// over warns about bytes after a value.
func (d *decodeCommand) over(p packet, from, left int) {
	if d.left++; d.muted() {
		return
	}
	_ = d.stdout.Flush() // messages about output come after it
	fmt.Fprintf(d.stderr, "octable: warning: %s%s after the value, from byte %d on\n", p.where(), count(left, "byte is left over", "bytes are left over"), from)
}

// notation prints the values of a text.
func (d *decodeCommand) notation(p packet) (bool, error) {
	print := d.printer(d.stdout)
	for line, part := range values(string(p.bytes), d.comments()) {
		v, err := d.codec.ParseText(part)
		if err != nil {
			d.say(p, textErrorAt(err, line), 0)
			return false, nil
		}
		if err := print.print(v); err != nil {
			return false, err
		}
	}
	return true, nil
}

// value prints the value of a packet.
func (d *decodeCommand) value(p packet) (bool, error) {
	print := d.printer(d.stdout)
	v, used, err := print.read(p.bytes)
	if err != nil {
		d.say(p, err, 0)
		return false, nil
	}
	if err := print.print(v); err != nil {
		return false, err
	}
	if left := len(p.bytes) - used; left > 0 {
		d.over(p, used, left)
	}
	return true, nil
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// printer decodes and prints values, one at a time.
type printer struct {
	codec *codec.Codec
	read  func([]byte) (v codec.Value, used int, err error)
	form  *form
	tree  *inspect.Tree // made when it is needed
	w     *bufio.Writer // nil to keep the output
	out   kept
}

// kept is output that is kept.
type kept struct{ b []byte }

func (k *kept) Write(b []byte) (int, error) {
	k.b = append(k.b, b...)
	return len(b), nil
}

func (k *kept) WriteString(s string) (int, error) {
	k.b = append(k.b, s...)
	return len(s), nil
}

func (k *kept) WriteByte(c byte) error {
	k.b = append(k.b, c)
	return nil
}

// printer returns a printer that writes to w, or that keeps its output if w is nil.
func (d *decodeCommand) printer(w *bufio.Writer) *printer {
	return &printer{codec: d.codec, read: raw.Reader(d.codec), form: &d.form, w: w}
}

// print prints a value.
func (p *printer) print(v codec.Value) error {
	if p.form.word == "tree" {
		if p.tree == nil {
			var w inspect.Writer = &p.out
			if p.w != nil {
				w = p.w
			}
			p.tree = inspect.NewTree(notation.Of(raw.Machine(p.codec)), w)
		}
		p.tree.Print(raw.Value(v))
		return nil
	}
	var err error
	from := len(p.out.b)
	switch p.form.word {
	case "json":
		p.out.b, err = p.codec.AppendJSON(p.out.b, v)
		if err == nil && p.form.indent {
			var pretty bytes.Buffer
			if json.Indent(&pretty, p.out.b[from:], "", "  ") == nil {
				p.out.b = append(p.out.b[:from], pretty.Bytes()...)
			}
		}
	default:
		indent := ""
		if p.form.indent {
			indent = "\t"
		}
		p.out.b, err = p.codec.AppendText(p.out.b, v, indent)
	}
	if err != nil {
		p.out.b = p.out.b[:from]
		return &failure{exitRefused, err}
	}
	for len(p.out.b) > from && p.out.b[len(p.out.b)-1] == '\n' {
		p.out.b = p.out.b[:len(p.out.b)-1]
	}
	p.out.b = append(p.out.b, '\n')
	if p.w != nil {
		_, err = p.w.Write(p.out.b)
		p.out.b = spare(p.out.b)
	}
	return err
}
