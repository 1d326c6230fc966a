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
	"strings"

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

// exampleRow returns the row of an example with some bytes. A comment that is no name is left out.
func (t *target) exampleRow(name string, b []byte) (string, error) {
	row := "example "
	if dsl.IsName(name) {
		row += name + " "
	}
	row += fmt.Sprintf("%q", hex.EncodeToString(b))
	print, err := notation.New(t.program) // its machine tags all records, so that they are printed with names
	if err != nil {
		return "", err
	}
	got, err := opened(print, b)
	var e *interp.Error
	if errors.As(err, &e) {
		return row + " refused " + e.Word(), nil
	}
	if len(got.gates) > 0 {
		row += " with " + strings.Join(got.gates, ", ")
	}
	row += " is " + print.String(got.value)
	if got.out != nil && !bytes.Equal(got.out, b[:got.used]) {
		row += fmt.Sprintf(" again %q", hex.EncodeToString(got.out))
	}
	return row, nil
}

// reading is the result of reading bytes with some gates open, and of writing the value again.
type reading struct {
	value interp.Value
	used  int
	gates []string
	out   []byte // nil if a writer refuses the value
}

// opened reads bytes with the fewest gates open that let a writer write the value again. Without such gates
// it opens the fewest that let a reader accept the bytes.
func opened(print *notation.Notation, b []byte) (found reading, err error) {
	m := print.Machine()
	names := m.Program().Gates
	accepted := false
	for n := range len(names) + 1 {
		for open := range 1 << len(names) {
			if bits.OnesCount(uint(open)) != n {
				continue
			}
			with := interp.Options{Open: uint8(open)}
			v, used, problem := m.Decode(b, with)
			if open == 0 && problem != nil && !errors.Is(problem, interp.ErrClosed) {
				return found, problem
			}
			if problem != nil {
				err = cmp.Or(err, problem)
				continue
			}
			x := reading{value: v, used: used}
			for i, name := range names {
				if open>>i&1 == 1 {
					x.gates = append(x.gates, name)
				}
			}
			x.out, _ = m.Encode(v, with)
			again, _, problem := m.Decode(x.out, with)
			if problem == nil && print.String(again) == print.String(v) {
				return x, nil
			}
			if !accepted {
				found, accepted = x, true
			}
		}
	}
	if accepted {
		return found, nil
	}
	return found, err
}
