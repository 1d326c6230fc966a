// Changing single values of files.

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
)

const editLong = `Edit changes values of a file in place. Only the bytes of those values change,
and the lengths and counts around them; all other bytes stay, also if a writer
would write them differently. Compressed and encrypted files are opened and
closed again.

An EDIT is one of

  PATH = VALUE      the value at PATH, which exists, becomes VALUE
  add PATH = VALUE  a Dictionary gets a new key, an Array an element before
                    that of PATH, or behind the last one: add list[] = 5
  delete PATH       the key or the element is removed

A PATH consists of keys and indexes, such as player.items[0]["a key"]; [-1] is the
last element, and . the whole value. VALUE is in the notation that
"octable decode" prints: 5 is an int, 5.0 a float.

In files of other schemas a PATH has the names of fields, such as header.title
or points[3].height. Lengths, counts and checksums are computed again.`

type editCommand struct {
	opener
	dry   bool
	out   string
	value int
}

func (e *env) editCommand() *cobra.Command {
	c := &editCommand{opener: opener{env: e}}
	cmd := &cobra.Command{
		Use:   "edit [FLAG…] FILE EDIT…",
		Short: "Change values of a save",
		Long:  editLong,
		Example: `octable edit save.dat 'player.gold = 500'
octable edit -n save.dat 'delete items[0]' 'add items[] = "key"'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	c.target.flags(cmd)
	c.target.options(cmd, true)
	c.secret.flags(cmd)
	c.stream.flags(cmd)
	cmd.Flags().BoolVar(&c.dry, "n", false, "print the changes, and write nothing")
	cmd.Flags().StringVar(&c.out, "o", "", "write `FILE`, and leave the one that is read")
	cmd.Flags().IntVar(&c.value, "value", -1, "change value `N` of a stream, from 0; required if it has several")
	return cmd
}

func (c *editCommand) run(args []string) error {
	if len(args) < 2 {
		return fail(exitUsage, "edit needs a file and a change, such as: octable edit save.dat 'player.gold = 500'")
	}
	if err := c.load(); err != nil {
		return err
	}
	b, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	name, err := filepath.EvalSymlinks(args[0])
	if err != nil {
		return err
	}
	c.in.form = "auto"
	p, err := c.in.packet(args[0], b)
	if err != nil {
		return err
	}
	p, layers, ok, err := c.secret.open(c.env, p)
	if err != nil {
		return err
	}
	if !ok {
		return refused()
	}
	a, ok := c.chosen(p)
	switch {
	case !ok:
		return refused()
	case a.text:
		return fail(exitRefused, "%s: this is text, which an editor of text changes; edit changes packets and streams", args[0])
	case a.own != nil:
		c.target = *a.own
	}
	from, to, err := c.span(p, a)
	if err != nil {
		return err
	}
	data := p.bytes[from:to]
	change := c.change
	if !c.variants() {
		change = c.rebuild
	}
	for _, text := range args[1:] {
		if data, err = change(data, text); err != nil {
			return fail(exitRefused, "%s: %s: %v", args[0], clip(text, 60), err)
		}
	}
	if c.dry {
		return nil
	}
	whole := append([]byte(nil), p.bytes[:from]...)
	if a.framed != "" {
		whole = c.order(a.framed).AppendUint32(whole[:from-4], uint32(len(data)))
	}
	whole = append(append(whole, data...), p.bytes[to:]...)
	if whole, err = c.secret.close(whole, layers); err != nil {
		return err
	}
	if p.digits {
		whole = []byte(hexText(whole) + "\n")
	}
	if c.out != "" {
		return os.WriteFile(c.out, whole, 0o666)
	}
	return replaceFile(name, whole)
}

// replaceFile writes a file beside another one and puts it in its place.
func replaceFile(name string, b []byte) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(b)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(f.Name(), info.Mode())
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	return err
}

// span returns the place of the value that is changed.
func (c *editCommand) span(p packet, a attempt) (from, to int, err error) {
	if a.framed == "" {
		_, used, err := c.codec.Decode(p.bytes)
		if err != nil {
			err = &failure{exitRefused, fmt.Errorf("%s%w", p.where(), err)}
		}
		return 0, used, err
	}
	n := 0
	for f, err := range frames(p.bytes, a.framed == "big") {
		if err != nil {
			return 0, 0, &failure{exitRefused, fmt.Errorf("%s%w", p.where(), err)}
		}
		if n == c.value || c.value < 0 && n == 0 {
			from, to = f.at+4, f.end()
		}
		n++
	}
	switch {
	case c.value < 0 && n > 1:
		return 0, 0, fail(exitUsage, "%s has %d values; choose one with -value, from 0 to %d", p.name, n, n-1)
	case to == 0:
		return 0, 0, fail(exitUsage, "%s has no value %d; it has %d, from 0 on", p.name, c.value, n)
	}
	return from, to, nil
}

// An edit is one change of a value.
type edit struct {
	verb  string // set, add or delete
	path  string
	keys  codec.Path
	text  string // of the value
	steps []step
	value codec.Value
}

// step is one part of a path.
type step struct {
	text string      // as it was written
	key  codec.Value // the name of a key, or the value in brackets
	name bool
	end  bool // []
}

// parseEdit reads an EDIT of the command line, without its value.
func parseEdit(c *codec.Codec, text string) (*edit, error) {
	e := &edit{verb: "set"}
	rest := strings.TrimSpace(text)
	for _, verb := range []string{"set", "add", "delete"} {
		after, ok := strings.CutPrefix(rest, verb+" ")
		if ok && !strings.HasPrefix(strings.TrimSpace(after), "=") {
			e.verb, rest = verb, strings.TrimSpace(after)
		}
	}
	begin := rest
	if rest == "" || rest[0] == '=' {
		return nil, errors.New("there is no path; write PATH = VALUE, add PATH = VALUE or delete PATH")
	}
	p, rest, err := raw.ParsePath(c, rest)
	if err != nil {
		return nil, errors.New(message(err))
	}
	e.keys = p
	e.path = begin[:len(begin)-len(rest)]
	rest = strings.TrimSpace(rest)
	if e.verb == "delete" {
		if rest != "" {
			return nil, fmt.Errorf("nothing follows the path of delete, but here %s", clip(rest, 40))
		}
		return e, nil
	}
	value, ok := strings.CutPrefix(rest, "=")
	if !ok {
		return nil, fmt.Errorf("= and a value have to follow the path %s", e.path)
	}
	e.text = strings.TrimSpace(value)
	return e, nil
}

// variant reads the steps and the value of an edit of a Variant.
func (e *edit) variant(c *codec.Codec) (err error) {
	for _, x := range e.keys {
		s, err := stepOf(x)
		if err != nil {
			return err
		}
		e.steps = append(e.steps, s)
	}
	if e.verb != "delete" {
		e.value, err = c.ParseText(e.text)
	}
	return err
}

// stepOf returns a step of a path.
func stepOf(x any) (step, error) {
	s := step{text: strings.TrimPrefix(codec.Path{x}.String(), "."), end: x == nil}
	if _, s.name = x.(string); s.end {
		return s, nil
	}
	var err error
	s.key, err = godot.ValueOf(x)
	return s, err
}
