// The text form of packets.

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/interp/asm"
	"github.com/octable/octable/interp/notation"
)

const disasmLong = `Disasm prints packets as texts from which "octable asm" assembles the same
bytes, also if they are damaged or truncated:

  packet godot-4.4          the schema
  String {                  a record, or an arm of a union
    header = 4              a number that a writer computes, and this is it
    length 5 != 2           another number than the 2 that a writer computes
    text "ab"               a field, in the notation of examples
    text.padding = <00 00>  padding
  }
  <ff 00>                   bytes that no row explains

Lines with = may be left out; "octable asm" computes them. With -brief they are
left out here. If the first line has "exact", a writer encodes the lines as other
bytes: nothing is computed, and all lines are needed. A value whose bytes differ
from the writer's is followed by them: name "a" <61 00 ff>. @16 before a line
says that its bytes begin at byte 16.

It reads files, digits or its input, as "octable decode" does. The text is that of one
packet: containers are opened, and -value chooses one of the values of a
stream. With -input raw files are read as they are.

With -examples it prints the examples of the schema, and with -vectors the packets
of suites that "octable vectors -o" has written. A comment before each has its name.`

const asmLong = `Asm assembles a packet from a text that "octable disasm" prints, and prints its
bytes in hexadecimal digits. Lines are taken literally, also if they are wrong;
numbers and padding that a writer computes are computed if they are missing. A
line with = and a number that a writer would not compute is kept, with a
warning. So a packet with a wrong length is the text of a correct packet with
another length.

The first line of the text names the schema: packet godot-4.4. -spec overrides
it. A text may have several packets, each with such a line; asm prints a line of
digits for each. With -example it prints the row of an example for the root type
of the schema instead, with the value of the bytes, or the error of a reader. The
name of the example is the comment on the line before the packet.`

type disasmCommand struct {
	*env
	target
	single
	opt      asm.Options
	out      string
	examples bool
	vectors  bool
}

func (e *env) disasmCommand() *cobra.Command {
	c := &disasmCommand{env: e}
	cmd := &cobra.Command{
		Use:   "disasm [FLAG…] [FILE|DIGITS…]",
		Short: "Print packets as texts that asm reads, exact for any bytes",
		Long:  disasmLong,
		Example: `octable disasm 1c000000 01000000 04000000 02000000 61620000
octable disasm -spec png -brief picture.png`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	c.target.flags(cmd)
	c.single.flags(cmd)
	cmd.Flags().BoolVar(&c.opt.Brief, "brief", false, "leave out computed numbers and padding")
	cmd.Flags().BoolVar(&c.opt.Bytes, "bytes", false, "add the offset and the bytes of each line as a comment")
	cmd.Flags().StringVar(&c.out, "o", "", "write the text to `FILE`")
	cmd.Flags().BoolVar(&c.examples, "examples", false, "print the examples of the schema, and take no packets")
	cmd.Flags().BoolVar(&c.vectors, "vectors", false, "print the packets of the cases in files of suites")
	return cmd
}

func (c *disasmCommand) run(args []string) error {
	if err := c.load(); err != nil {
		return err
	}
	show := func() error {
		first := true
		switch {
		case c.examples && c.vectors, c.examples && len(args) > 0:
			return fail(exitUsage, "-examples prints those of the schema; leave out -vectors and arguments")
		case c.examples:
			return c.printExamples()
		case c.vectors:
			return c.printVectors(args)
		}
		return c.in.each(c.env, args, func(p packet, single bool) error {
			if !first {
				fmt.Fprintln(c.stdout)
			}
			first = false
			if !single {
				fmt.Fprintf(c.stdout, "// %s\n", p.name)
			}
			b, of, err := c.packet(c.env, &c.target, p)
			if err != nil {
				return err
			}
			a, err := of.assembler()
			if err != nil {
				return err
			}
			text, _ := a.Disassemble(b, c.opt)
			_, err = c.stdout.Write(text)
			return err
		})
	}
	if c.out != "" {
		return c.into(c.out, show)
	}
	return show()
}

// assembler returns the assembler of the schema.
func (t *target) assembler() (*asm.Assembler, error) {
	if err := t.load(); err != nil {
		return nil, err
	}
	n, err := notation.New(t.program)
	if err != nil {
		return nil, &failure{exitSchema, err}
	}
	return asm.New(n), nil
}

type asmCommand struct {
	*env
	target
	raw, example bool
	out          string
}

func (e *env) asmCommand() *cobra.Command {
	c := &asmCommand{env: e}
	cmd := &cobra.Command{
		Use:   "asm [FLAG…] [FILE]",
		Short: "Assemble a packet from a text of disasm, also a malformed one",
		Long:  asmLong,
		Example: `octable disasm save.dat >save.txt && octable asm save.txt -o save.dat
octable asm wrong-length.txt | octable inspect`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(args, cmd.Flags().Changed("spec")) },
	}
	c.target.flags(cmd)
	cmd.Flags().Lookup("spec").DefValue = "" // it is that of the text
	cmd.Flags().BoolVar(&c.raw, "raw", false, "print the bytes themselves, not digits")
	cmd.Flags().BoolVar(&c.example, "example", false, "print the row of an example for the schema")
	cmd.Flags().StringVar(&c.out, "o", "", "write the bytes to `FILE` instead of printing digits")
	return cmd
}

func (c *asmCommand) run(args []string, given bool) error {
	if c.raw && c.out != "" {
		return fail(exitUsage, "-o writes the bytes themselves; leave out -raw")
	}
	name, text, err := c.text(args)
	if err != nil {
		return err
	}
	parts := asm.Split(text)
	if len(parts) > 1 && (c.raw || c.out != "") {
		return fail(exitUsage, "%s%d packets are in the text; -raw and -o take one", name, len(parts))
	}
	for _, part := range parts {
		if err := c.part(name, part, given, len(parts) > 1); err != nil {
			return err
		}
	}
	return nil
}

// part assembles one packet and prints it, on one line if there are several.
func (c *asmCommand) part(name string, part asm.Part, given, several bool) error {
	t := c.target
	var err error
	if !given {
		if t.name, err = asm.Schema(part.Text); err != nil {
			return &failure{exitRefused, fmt.Errorf("%s%w", name, moved(err, part.Line))}
		}
	}
	a, err := t.assembler()
	if err != nil && !given {
		return &failure{exitCode(err), fmt.Errorf("%w (the first line of the text names the schema; -spec gives another one)", err)}
	} else if err != nil {
		return err
	}
	b, err := a.Assemble(part.Text)
	if err != nil {
		return &failure{exitRefused, fmt.Errorf("%s%w", name, moved(err, part.Line))}
	}
	for _, line := range a.Stale(part.Text) {
		fmt.Fprintf(c.stderr, "octable: %s%v\n", name, moved(line, part.Line))
	}
	switch {
	case c.out != "":
		return os.WriteFile(c.out, b, 0o666)
	case c.raw:
		_, err = c.stdout.Write(b)
	case c.example:
		row, err := t.exampleRow(part.Name, b)
		if err != nil {
			return &failure{exitRefused, fmt.Errorf("%s%d: %w", name, part.Line+1, err)}
		}
		_, err = fmt.Fprintln(c.stdout, row)
		return err
	case several:
		_, err = fmt.Fprintln(c.stdout, strings.Join(strings.Fields(hexText(b)), " "))
	default:
		_, err = fmt.Fprintln(c.stdout, hexText(b))
	}
	return err
}

// moved returns an error about a part of a text with the line of the whole text.
func moved(err error, line int) error {
	var e *asm.Error
	if !errors.As(err, &e) {
		return err
	}
	return &asm.Error{Line: e.Line + line, Column: e.Column, Message: e.Message}
}

// text returns the text, and its name for messages.
func (c *asmCommand) text(args []string) (name string, text []byte, err error) {
	switch {
	case len(args) > 1:
		return "", nil, fail(exitUsage, "%s takes one text; %q is one too many", "octable asm", args[1])
	case len(args) == 1 && args[0] != "-":
		text, err = os.ReadFile(args[0])
		return args[0] + ":", text, err
	}
	c.await("the text of a packet")
	if text, err = io.ReadAll(c.stdin); err != nil {
		return "", nil, fail(exitIO, "cannot read the input: %v", err)
	}
	return "", text, nil
}
