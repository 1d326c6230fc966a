// Changes of single values in packets of any schema.

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/segment"
)

// changes are the kinds of change by their names.
var changes = map[string]notation.Verb{"set": notation.Set, "add": notation.Add, "delete": notation.Delete}

// rebuild makes a change in a packet of a schema of records. All other values keep their bytes.
func (c *editCommand) rebuild(b []byte, text string) ([]byte, error) {
	e, err := parseEdit(c.codec, text)
	if err != nil {
		return nil, err
	}
	change := &notation.Change{Verb: changes[e.verb], Path: e.keys}
	for _, x := range e.keys {
		change.Steps = append(change.Steps, strings.TrimPrefix(codec.Path{x}.String(), "."))
	}
	if e.verb != "delete" {
		source, n, err := notation.ParsePart(e.text)
		if err != nil {
			return nil, fmt.Errorf("the value: %w", err)
		}
		if rest := strings.TrimSpace(e.text[n:]); rest != "" {
			return nil, fmt.Errorf("the value ends before %s", clip(rest, 40))
		}
		change.Value = source
	}
	machine := raw.Machine(c.codec)
	opt := c.reading()
	opt.KeepWidths = true
	v, used, err := machine.Decode(b, opt)
	if err != nil {
		return nil, err
	}
	n := notation.Of(machine)
	want, err := n.Apply(v, change)
	if err != nil {
		return nil, err
	}
	out, kept, err := segment.Rewrite(context.Background(), machine, b[:used], v, want, opt)
	if err != nil {
		return nil, fmt.Errorf("%s does not fit there: %w", e.path, err)
	}
	if !kept {
		err := machine.NewReader(opt).Canonical(b, v, used)
		return nil, errors.Join(errors.New("a writer does not write these bytes, and others would change, too; print the value with decode, change it and write it with encode"), err)
	}
	got, end, err := machine.Decode(out, opt)
	if err != nil || end != len(out) || !codec.Equal(raw.Wrap(got), raw.Wrap(want)) {
		return nil, errors.Join(fmt.Errorf("%s cannot be changed alone; print the value with decode, change it and write it with encode", e.path), err)
	}
	if c.dry {
		fmt.Fprintf(c.stdout, "@ %s\n", e.path)
		for i, part := range []interp.Value{change.Old, change.New} {
			if !part.IsNone() {
				fmt.Fprintf(c.stdout, "%c %s\n", "-+"[i], n.String(part))
			}
		}
	}
	return append(out, b[used:]...), nil
}
