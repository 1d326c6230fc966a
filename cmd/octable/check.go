package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/draft"
	"github.com/octable/octable/conformance/examples"
	"github.com/octable/octable/conformance/inspect"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/spec"
)

const checkLong = `Check reads schemas with their pages and the schemas that they extend, compiles
them for every choice of their options, and runs every example, also inherited
ones: its bytes must decode to its value, and the value must encode to these
bytes. Without arguments it checks the schemas of octable.

It then tries laws on -tries drawn values and packets: a value that is written
is read back equal; a value that is read can be written, and is read and
written again without a change, except where the schema lets a reader accept
more than a writer writes ("any", "writes"). The inputs depend only on the
program. An input that breaks a law is shrunk and shown beside its rows.

Comments of "octable draft" that are left are listed; they do not change the exit status.

The exit status is 3 if there are errors or an example does not hold, and else 1
if a law does not hold.`

// maxTries is the largest value of the flag -tries.
const maxTries = 10_000_000

type checkCommand struct {
	*env
	tries int
	paint inspect.Painter
	name  string // of the schema or file, as it was given
}

func (e *env) checkCommand() *cobra.Command {
	c := &checkCommand{env: e}
	cmd := &cobra.Command{
		Use:   "check [FLAG…] [ID|FILE…]",
		Short: "Check schemas and their examples, and try laws on drawn inputs",
		Long:  checkLong,
		Example: `octable check my-format.oct
octable check -tries 100000 my-format.oct
octable check godot-4.4 wave`,
		ValidArgsFunction: completeSpec,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	cmd.Flags().IntVar(&c.tries, "tries", fuzz.DefaultTries, "try the laws on `N` values and packets of each choice; 0 turns this off")
	return cmd
}

func (c *checkCommand) run(names []string) (err error) {
	if c.tries < 0 || c.tries > maxTries {
		return fail(exitUsage, "%d is no value for -tries; it is from 0 to %d", c.tries, maxTries)
	}
	if c.paint, err = c.painter(); err != nil {
		return err
	}
	if len(names) == 0 {
		names = spec.All()
	}
	worst := exitOK
	for _, name := range names {
		c.name = name
		s, err := loadSchema(name)
		var about *page.Page
		if err == nil {
			about, err = loadPage(s, name)
		}
		if err == nil {
			err = about.Undeclared().Err()
		}
		var diags dsl.Diagnostics
		switch {
		case errors.As(err, &diags):
			worst = exitSchema
			fmt.Fprintln(c.stdout, err)
			id := strings.TrimSuffix(filepath.Base(name), ".oct")
			fmt.Fprintf(c.stdout, "%s: %s\n", id, count(len(diags), "error", "errors"))
			continue
		case err != nil:
			return err
		}
		if err := c.drafted(name); err != nil {
			return err
		}
		if s.Root == nil {
			fmt.Fprintf(c.stdout, "%s: ok; a library without root\n", s.ID)
			continue
		}
		for _, choice := range s.Choices() {
			code, err := c.choice(s, choice)
			if err != nil {
				return err
			}
			worst = max(worst, code)
		}
	}
	if worst != exitOK {
		return &failure{worst, errSaid}
	}
	return nil
}

// drafted prints the comments of octable draft that are left in the file of a schema.
func (c *checkCommand) drafted(name string) error {
	if !compile.IsPath(name) || isProgram(name) {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if says, ok := strings.CutPrefix(strings.TrimSpace(line), draft.Mark); ok {
			fmt.Fprintf(c.stdout, "%s:%d: to decide: %s\n", name, n, says)
		}
	}
	return nil
}

// choice checks a schema under one choice, and returns the exit status for it.
func (c *checkCommand) choice(s *schema.Schema, choice string) (int, error) {
	name := s.ID
	if choice != "" {
		name += ", " + choice
	}
	s, err := s.With(choice)
	if err != nil {
		return 0, err
	}
	p, err := compile.Schema(s)
	if err != nil {
		return 0, &failure{exitSchema, err}
	}
	results, err := examples.RunProgram(s, p)
	if err != nil {
		return 0, &failure{exitSchema, err}
	}
	own, inherited, bad := 0, 0, 0
	for i := range results {
		switch r := &results[i]; {
		case !r.OK():
			bad++
			fmt.Fprintln(c.stdout, r.Diagnostic(s).Error())
		case r.From != "":
			inherited++
		default:
			own++
		}
	}
	parts := []string{count(own, "example", "examples")}
	if inherited > 0 {
		parts = append(parts, fmt.Sprintf("%d inherited", inherited))
	}
	verdict, code := "ok", exitOK
	var broken *fuzz.Counterexample
	switch {
	case bad > 0:
		verdict, code = count(bad, "example does not hold", "examples do not hold"), exitSchema
	case c.tries > 0:
		var tried int
		switch broken, tried, err = fuzz.Check(s, p, c.tries); {
		case errors.Is(err, interp.ErrNoValue):
			parts = append(parts, fmt.Sprintf("no laws were tried: %v", err))
			err = nil
		case err != nil:
			return 0, &failure{exitSchema, err}
		case broken != nil:
			verdict, code = "a law does not hold", exitRefused
		case tried < c.tries:
			parts = append(parts, fmt.Sprintf("only %s tried, as drawn values are large or seldom meet conditions", count(tried, "input was", "inputs were")))
		}
	}
	fmt.Fprintf(c.stdout, "%s: %s; a packet takes %v; %s\n", name, verdict, p.Bounds(p.Root), strings.Join(parts, ", "))
	if broken != nil {
		err = c.show(s, p, broken)
	}
	return code, err
}

// show prints a counterexample: its bytes beside their rows, and the law.
func (c *checkCommand) show(s *schema.Schema, p *bytecode.Program, x *fuzz.Counterexample) error {
	v, err := inspect.NewViewer(p, s)
	if err != nil {
		return &failure{exitSchema, err}
	}
	f := &finding{env: c.env, paint: c.paint}
	b, err := hex.DecodeString(x.Packet)
	if err != nil {
		return err
	}
	f.bytes(v, b, x.Offset, x.Objects)
	f.say("law", x.Law+": "+x.Says)
	f.say("value", x.Value)
	f.say("expected", x.Expected)
	f.say("got", x.Got)
	f.say("hint", x.Hint)
	f.say("found", fmt.Sprintf("by input %d of %d; octable check -tries %d %s shows it again", x.Try, c.tries, x.Try, c.name))
	return nil
}
