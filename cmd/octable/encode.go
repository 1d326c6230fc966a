package main

import (
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
	json, raw, lines  bool
	file, out, framed string
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
	framedFlag(cmd, &c.framed)
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
	var v codec.Value
	if c.json {
		v, err = c.codec.ParseJSON(text)
	} else {
		v, err = c.codec.ParseText(string(text))
	}
	if err != nil {
		return &failure{exitRefused, fmt.Errorf("%s%w", name, err)}
	}
	b, err := c.codec.Encode(v)
	if err != nil {
		return &failure{exitRefused, fmt.Errorf("%s%w", name, err)}
	}
	if c.framed != "" {
		n := uint32(len(b))
		head := []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}
		if c.framed == "big" {
			head = []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
		}
		b = append(head, b...)
	}
	switch {
	case c.out != "":
		return os.WriteFile(c.out, b, 0o666)
	case c.raw:
		_, err = c.stdout.Write(b)
	default:
		_, err = fmt.Fprintln(c.stdout, hexText(b))
	}
	return err
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
