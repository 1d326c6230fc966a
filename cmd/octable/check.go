package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/examples"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

func (e *env) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check [ID|FILE…]",
		Short: "Check schemas and run the examples in them",
		Long: `Check reads schemas, resolves what they extend, compiles them for every choice
they leave, and runs every example: its bytes have to be the value it says, and
that value these bytes. Without arguments it checks the schemas octable has.`,
		Example: `octable check my-format.oct
octable check godot-4.4 wave`,
		ValidArgsFunction: completeSpec,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(_ *cobra.Command, args []string) error { return e.check(args) },
	}
}

func (e *env) check(names []string) error {
	if len(names) == 0 {
		names = spec.IDs()
	}
	wrong := false
	for _, name := range names {
		s, err := loadSchema(name)
		var diags dsl.Diagnostics
		switch {
		case errors.As(err, &diags):
			wrong = true
			fmt.Fprintln(e.stdout, err)
			id := strings.TrimSuffix(filepath.Base(name), ".oct")
			fmt.Fprintf(e.stdout, "%s: %s\n", id, count(len(diags), "error", "errors"))
			continue
		case err != nil:
			return err
		}
		if s.Root == nil {
			fmt.Fprintf(e.stdout, "%s: ok; a library without root, %s\n", s.ID, count(len(s.Errata), "erratum", "errata"))
			continue
		}
		for _, choice := range s.Choices() {
			ok, err := e.checkChoice(s, choice)
			if err != nil {
				return err
			}
			wrong = wrong || !ok
		}
	}
	if wrong {
		return &failure{exitSchema, errSaid}
	}
	return nil
}

func (e *env) checkChoice(s *schema.Schema, choice string) (bool, error) {
	name := s.ID
	if choice != "" {
		name += ", " + choice
	}
	s, err := s.With(choice)
	if err != nil {
		return false, err
	}
	p, err := compile.Schema(s)
	if err != nil {
		return false, &failure{exitSchema, err}
	}
	results, err := examples.RunProgram(s, p)
	if err != nil {
		return false, &failure{exitSchema, err}
	}
	own, taken, past, bad := 0, 0, 0, 0
	for i := range results {
		switch r := &results[i]; {
		case !r.OK():
			bad++
			fmt.Fprintln(e.stdout, r.Diagnostic(s).Error())
		case r.Superseded != "":
			past++
		case r.From != "":
			taken++
		default:
			own++
		}
	}
	parts := []string{count(own, "example", "examples")}
	if taken > 0 {
		parts = append(parts, fmt.Sprintf("%d taken over", taken))
	}
	if past > 0 {
		parts = append(parts, fmt.Sprintf("%d of others passed over", past))
	}
	verdict := "ok"
	if bad > 0 {
		verdict = count(bad, "example does not hold", "examples do not hold")
	}
	fmt.Fprintf(e.stdout, "%s: %s; a packet takes %v; %s\n", name, verdict, p.Bounds(p.Root), strings.Join(parts, ", "))
	return bad == 0, nil
}
