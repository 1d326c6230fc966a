package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
)

type encodeCommand struct {
	*env
	target
	stream
	json, raw, lines bool
	file, out        string
}

func (e *env) encodeCommand() *cobra.Command {
	c := &encodeCommand{env: e}
	cmd := &cobra.Command{
		Use:   "encode [FLAG…] [TEXT]",
		Short: "Write a value as a packet",
		Long:  encodeLong,
		Example: `octable encode '{"pos": Vector2(1, 2)}'
octable encode -json '[1, 2, {"$type": "Vector2", "value": [1, 2]}]'
octable decode save.dat | octable encode -spec godot-3 -out save3.dat`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	c.target.flags(cmd)
	c.target.options(cmd, false)
	cmd.Flags().BoolVar(&c.json, "json", false, "read JSON, as decode -json prints it")
	cmd.Flags().BoolVar(&c.lines, "lines", false, "answer every line of input with a line of JSON")
	cmd.Flags().StringVar(&c.file, "file", "", "read the value from `FILE`")
	cmd.Flags().StringVar(&c.out, "out", "", "write the bytes to `FILE` instead of printing digits")
	cmd.Flags().BoolVar(&c.raw, "raw", false, "print the bytes themselves, not digits")
	c.stream.flags(cmd)
	return cmd
}

func (c *encodeCommand) run(args []string) error {
	if c.lines && (len(args) > 0 || c.file != "" || c.out != "" || c.raw || c.framed != "") {
		return fail(exitUsage, "-lines reads values from the input and prints digits; it goes without arguments, -file, -out, -raw and -framed")
	}
	if c.raw && c.out != "" {
		return fail(exitUsage, "-out writes the bytes themselves; leave out -raw")
	}
	if err := c.load(); err != nil {
		return err
	}
	if c.lines {
		return c.answer()
	}
	name, text, err := c.text(args)
	if err != nil {
		return err
	}
	var packets [][]byte
	if c.framed != "" {
		packets, err = c.frames(name, string(text))
	} else {
		var b []byte
		b, err = c.packet(text)
		packets = append(packets, b)
	}
	if err != nil {
		if !errors.Is(err, errSaid) {
			err = &failure{exitRefused, fmt.Errorf("%s%w", name, err)}
		}
		return err
	}
	return c.write(packets)
}

// packet encodes one value.
func (c *encodeCommand) packet(text []byte) ([]byte, error) {
	var v codec.Value
	var err error
	if c.json {
		v, err = c.codec.ParseJSON(text)
	} else {
		v, err = c.codec.ParseText(string(text))
	}
	if err != nil {
		return nil, err
	}
	return c.codec.Encode(v)
}

// frames encodes the values of a text, each with its length. It prints errors as they come.
func (c *encodeCommand) frames(name, text string) ([][]byte, error) {
	mark := ""
	if !c.json {
		mark = c.comments()
	}
	w := c.watch(c.env, packet{name: strings.TrimSuffix(name, ": "), bytes: []byte(text)})
	w.unit = "line"
	w.size = 1 + strings.Count(text, "\n")
	var all [][]byte
	for line, part := range values(text, mark) {
		b, err := c.packet([]byte(part))
		if err == nil {
			all = append(all, append(c.order().AppendUint32(nil, uint32(len(b))), b...))
			continue
		}
		fmt.Fprintf(c.stderr, "octable: %s%v\n", name, textErrorAt(err, line))
		if w.failed(line) {
			break
		}
	}
	if w.errors > 0 {
		return nil, refused()
	}
	return all, nil
}

// write writes packets to the output.
func (c *encodeCommand) write(packets [][]byte) error {
	if c.out != "" {
		return os.WriteFile(c.out, bytes.Join(packets, nil), 0o666)
	}
	for _, b := range packets {
		if c.raw {
			_, _ = c.stdout.Write(b)
		} else {
			fmt.Fprintln(c.stdout, hexText(b))
		}
	}
	return c.stdout.Flush()
}

// text returns the text of the value, and its name for messages.
func (c *encodeCommand) text(args []string) (name string, text []byte, err error) {
	switch {
	case c.file != "" && c.file != "-":
		if len(args) > 0 {
			return "", nil, fail(exitUsage, "give a value or -file, not both")
		}
		text, err = os.ReadFile(c.file)
		return c.file + ": ", text, err
	case len(args) > 0 && (len(args) != 1 || args[0] != "-"):
		return "", []byte(strings.Join(args, " ")), nil
	}
	text, err = io.ReadAll(c.stdin)
	if err != nil {
		err = fail(exitIO, "cannot read the input: %v", err)
	}
	return "", text, err
}
