// Agreement of what is made of a schema for people: documentation, differences and vectors.

package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/diff"
	"github.com/octable/octable/conformance/docs"
	"github.com/octable/octable/conformance/vectors/generate"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// formats matches the names of formats that a drawn schema is not about.
var formats = regexp.MustCompile(`(?i)godot|pandemonium|riff/wave|\bntp\b`)

// AgreeSlowly checks the laws that take longer than those of [Agree]. Documentation in every markup is complete, the
// difference from the base schema is found, and neither names another format. Unless only is nil, it checks the laws whose
// names match it. The error is a [*Disagreement].
func AgreeSlowly(d *Drawn, only *regexp.Regexp) error {
	return try(only, func(at *Disagreement) error {
		if err := at.law("docs", func() error { return documented(d) }); err != nil {
			return err
		}
		return at.law("diff", func() error { return compared(d) })
	})
}

// documented builds the page of a schema and prints it.
func documented(d *Drawn) error {
	for _, opt := range []docs.Options{{}, {Plain: true}, {Base: d.base()}} {
		page, err := docs.Build(d.Schema, opt)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		for name, write := range map[string]func() error{
			"markdown": func() error { return page.WriteMarkdown(&out) },
			"html":     func() error { return page.WriteHTML(&out) },
			"rst":      func() error { return page.WriteRST(&out) },
		} {
			out.Reset()
			if err := write(); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if word := formats.Find(out.Bytes()); word != nil {
				return fmt.Errorf("the page in %s names %s, which is another format", name, word)
			}
		}
	}
	return nil
}

// compared finds the differences to the schema that a schema extends.
func compared(d *Drawn) error {
	base := d.base()
	if base == nil {
		base = d.Schema
	}
	r, err := diff.Schemas(base.ID, base, d.Schema.ID, d.Schema)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := r.WriteText(&out); err != nil {
		return err
	}
	if word := formats.Find(out.Bytes()); word != nil {
		return fmt.Errorf("the report names %s, which is another format", word)
	}
	if base == d.Schema && len(r.Changes) > 0 {
		return fmt.Errorf("a schema differs from itself:\n%s", out.Bytes())
	}
	return nil
}

// searched is the number of inputs of a search for what vectors do not reach.
const searched = 5_000

// AgreeVectors checks that conformance vectors can be made of a schema. They must reach every point of its program that a
// search by coverage reaches. It takes seconds for each choice.
func AgreeVectors(d *Drawn) error {
	return try(nil, func(at *Disagreement) error {
		at.Law = "vectors"
		for _, choice := range d.Schema.Choices() {
			at.Choice = choice
			if err := d.vectors(choice); err != nil {
				return err
			}
		}
		return nil
	})
}

// vectors makes the conformance vectors of a schema under a choice.
func (d *Drawn) vectors(choice string) error {
	p, err := program(d.Schema, choice)
	if err != nil {
		return err
	}
	c, err := raw.Codec(p)
	if err != nil {
		return err
	}
	suite, err := generate.Suite(choice, c, nil, d.Schema.Packets())
	if errors.Is(err, interp.ErrNoValue) {
		return nil // the schema refuses all values
	} else if err != nil {
		return err
	}
	missing, err := generate.Unreached(suite, c, 2, searched)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("no vector reaches %s", strings.Join(missing, "; "))
	}
	return err
}

// base returns the schema that the schema extends, if that has a root, or nil.
func (d *Drawn) base() *schema.Schema {
	if base := d.Schema.Base(); base != nil && base.Root != nil {
		return base
	}
	return nil
}
