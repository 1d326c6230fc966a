// Examples of schemas and cases of suites in the text form of packets.

package main

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// printExamples prints the examples of packets of the schema.
func (c *disasmCommand) printExamples() error {
	s, err := c.resolved()
	if err != nil {
		return err
	}
	a, err := c.assembler()
	if err != nil {
		return err
	}
	first := true
	for _, body := range s.Bodies() {
		if s.Root == nil || body.Type != s.Root.Name {
			continue
		}
		for _, e := range body.Examples {
			if e.Choice != nil && e.Choice != s.Choice {
				continue
			}
			if !first {
				fmt.Fprintln(c.stdout)
			}
			first = false
			text, _ := a.Disassemble(e.Bytes, c.opt)
			if _, err := fmt.Fprintf(c.stdout, "// %s\n%s", cmp.Or(e.Name, body.Name), text); err != nil {
				return err
			}
		}
	}
	return nil
}

// printVectors prints the packets of suites.
func (c *disasmCommand) printVectors(files []string) error {
	if len(files) == 0 {
		return fail(exitUsage, "-vectors needs files of suites, which octable vectors -o writes")
	}
	first := true
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		suite, err := vectors.Parse(b)
		if err != nil {
			return &failure{exitRefused, fmt.Errorf("%s: %w", file, err)}
		}
		t := target{name: suite.Spec()}
		a, err := t.assembler()
		if err != nil {
			return err
		}
		suite.All(func(one *vectors.Case) bool {
			var b []byte
			if b, err = hex.DecodeString(one.Bytes); err != nil {
				err = &failure{exitRefused, fmt.Errorf("%s: %s: %w", file, one.ID, err)}
				return false
			}
			if len(b) == 0 {
				return true // a value without bytes
			}
			if !first {
				fmt.Fprintln(c.stdout)
			}
			first = false
			text, _ := a.Disassemble(b, c.opt)
			_, err = fmt.Fprintf(c.stdout, "// %s\n%s", one.ID, text)
			return err == nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// errUnnamed says why an example has no row.
var errUnnamed = errors.New("the value has records without names in this notation; write the row of the example by hand")

// exampleRow returns the row of an example with some bytes. A comment that is no name is left out.
func (t *target) exampleRow(name string, b []byte) (string, error) {
	row := "example "
	if dsl.IsName(name) {
		row += name + " "
	}
	row += fmt.Sprintf("%q", hex.EncodeToString(b))
	m := raw.Machine(t.codec)
	v, used, err := m.Decode(b, interp.Options{})
	if errors.Is(err, interp.ErrClosed) {
		if open, n, gates := t.opened(b); gates != nil {
			row += " with " + strings.Join(gates, ", ")
			v, used, err = open, n, nil
		}
	}
	var e *interp.Error
	if errors.As(err, &e) {
		return row + " refused " + e.Word(), nil
	}
	if unnamed(v) {
		return "", errUnnamed
	}
	row += " is " + notation.Of(m).String(v)
	if out, err := m.Encode(v, interp.Options{Open: 0xff}); err == nil && !bytes.Equal(out, b[:used]) {
		row += fmt.Sprintf(" again %q", hex.EncodeToString(out))
	}
	return row, nil
}

// opened reads bytes with the fewest gates open that let a reader accept them, and returns the names of those; nil if none do.
func (t *target) opened(b []byte) (v interp.Value, used int, gates []string) {
	most := len(t.program.Gates)
	for n := 1; n <= most; n++ {
		for open := range 1 << most {
			if bits.OnesCount(uint(open)) != n {
				continue
			}
			v, used, err := raw.Machine(t.codec).Decode(b, interp.Options{Open: uint8(open)})
			if err != nil {
				continue
			}
			for i, name := range t.program.Gates {
				if open>>i&1 == 1 {
					gates = append(gates, name)
				}
			}
			return v, used, gates
		}
	}
	return v, used, nil
}

// unnamed reports whether a value has records inside of it that are printed without the names of their fields.
func unnamed(v interp.Value) bool {
	switch v.Kind() {
	case interp.List, interp.Map, interp.Record:
		return slices.ContainsFunc(v.Cells(), func(c interp.Value) bool { return c.Kind() == interp.Record && c.Tag() == 0 || unnamed(c) })
	}
	return false
}
