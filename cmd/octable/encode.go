package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot/container"
)

type encodeCommand struct {
	*env
	target
	stream
	secret
	workers
	compress         string
	format           string
	json, raw, lines bool
	file, out        string
}

func (e *env) encodeCommand() *cobra.Command {
	c := &encodeCommand{env: e}
	cmd := &cobra.Command{
		Use:   "encode [FLAG…] [TEXT|FILE]",
		Short: "Write a value as a packet",
		Long:  encodeLong,
		Example: `octable encode '{"pos": Vector2(1, 2)}'
octable encode -json '[1, 2, {"$type": "Vector2", "value": [1, 2]}]'
octable decode save.dat | octable encode -spec godot-3 -o save3.dat`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	c.target.flags(cmd)
	c.target.options(cmd, false)
	choose(cmd, &c.format, "format", "read values in the `FORM` text or json", "text", "text", "json")
	cmd.Flags().BoolVar(&c.json, "json", false, "read JSON, as decode -json prints it")
	cmd.Flags().BoolVar(&c.lines, "lines", false, "answer every line of input with a line of JSON")
	cmd.Flags().StringVar(&c.file, "file", "", "read the value from `FILE`")
	cmd.Flags().StringVar(&c.out, "o", "", "write the bytes to `FILE` instead of printing digits")
	cmd.Flags().BoolVar(&c.raw, "raw", false, "print the bytes themselves, not digits")
	c.stream.flags(cmd)
	choose(cmd, &c.compress, "compress", "compress the output in `MODE`, as open_compressed does: fastlz, deflate, zstd or gzip", "", container.Modes[:container.Brotli]...)
	c.secret.flags(cmd)
	c.workers.flags(cmd)
	return cmd
}

func (c *encodeCommand) run(args []string) error {
	if c.lines && (len(args) > 0 || c.file != "" || c.out != "" || c.raw || c.framed != "") {
		return fail(exitUsage, "-lines reads values from the input and prints digits; it goes without arguments, -file, -o, -raw and -framed")
	}
	if c.lines && (c.compress != "" || c.pass != "" || c.key != "") {
		return fail(exitUsage, "-lines prints packets in digits; it goes without -compress, -pass and -key")
	}
	c.json = c.json || c.format == "json"
	if c.raw && c.out != "" {
		return fail(exitUsage, "-o writes the bytes themselves; leave out -raw")
	}
	if err := c.workers.check(); err != nil {
		return err
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
	type part struct {
		line int
		text string
	}
	type answer struct {
		line  int
		frame []byte
		err   error
	}
	w := c.watch(c.env, packet{name: strings.TrimSuffix(name, ": "), bytes: []byte(text)})
	w.unit = "line"
	w.size = 1 + strings.Count(text, "\n")
	bar := c.progress(int64(w.size), "lines")
	defer bar.end()
	done := 0
	var all [][]byte
	ordered(c.n(), batches(func(yield func(part) bool) {
		for line, text := range values(text, mark) {
			if !yield(part{line, text}) {
				return
			}
		}
	}, func(p part) int { return len(p.text) }), func() func([]part) []answer {
		return func(parts []part) []answer {
			out := make([]answer, len(parts))
			for i, p := range parts {
				b, err := c.packet([]byte(p.text))
				out[i] = answer{line: p.line, err: err}
				if err == nil {
					out[i].frame = append(c.order(c.framed).AppendUint32(make([]byte, 0, 4+len(b)), uint32(len(b))), b...)
				}
			}
			return out
		}
	}, func(answers []answer) bool {
		for _, a := range answers {
			if a.err == nil {
				all = append(all, a.frame)
				continue
			}
			fmt.Fprintf(c.stderr, "octable: %s%s\n", name, message(textErrorAt(a.err, a.line)))
			if w.failed(a.line) {
				return false
			}
		}
		line := answers[len(answers)-1].line
		bar.add(line - done)
		done = line
		return true
	})
	if w.errors > 0 {
		return nil, refused()
	}
	return all, nil
}

// write writes packets to the output.
func (c *encodeCommand) write(packets [][]byte) error {
	var layers []container.Layer
	if c.pass != "" || c.key != "" {
		layers = append(layers, container.Layer{Format: container.Encrypted, Layout: c.layout()})
	}
	if c.compress != "" {
		layers = append(layers, container.Layer{Format: c.compression(), Mode: container.Mode(slices.Index(container.Modes, c.compress))})
	}
	if len(layers) > 0 {
		b, err := c.secret.close(bytes.Join(packets, nil), layers)
		if err != nil {
			return err
		}
		packets = [][]byte{b}
	}
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
	case len(args) == 1 && isFile(args[0]):
		text, err = os.ReadFile(args[0])
		return args[0] + ": ", text, err
	case len(args) > 0 && (len(args) != 1 || args[0] != "-"):
		return "", []byte(strings.Join(args, " ")), nil
	}
	c.await("a value in notation or, with -json, in JSON")
	text, err = io.ReadAll(c.stdin)
	if err != nil {
		err = fail(exitIO, "cannot read the input: %v", err)
	}
	return "", text, err
}
