// Inputs of commands that read packets: what contains them, and how they hold values.

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec/godot/container"
)

// opener reads the inputs of a command.
type opener struct {
	*env
	target
	in input
	secret
	stream
}

func (s *opener) flags(cmd *cobra.Command) {
	s.target.flags(cmd)
	s.target.options(cmd, true)
	s.in.flags(cmd)
	s.secret.flags(cmd)
	s.stream.flags(cmd)
}

// with returns an opener whose schema is another one.
func (s *opener) with(t *target) *opener {
	own := *s
	own.target = *t
	return &own
}

// bare takes the containers off an input, unless -input raw says to leave them. It reports false after a message if that fails.
func (s *opener) bare(p packet) (packet, []container.Layer, bool, error) {
	if s.in.form == "raw" {
		return p, nil, true, nil
	}
	return s.secret.open(s.env, p)
}

// opened is bare that says which containers there were.
func (s *opener) opened(p packet) (packet, bool, error) {
	p, layers, ok, err := s.bare(p)
	s.tell(p, layers)
	return p, ok, err
}

// tell says which containers an input had.
func (e *env) tell(p packet, layers []container.Layer) {
	_ = e.stdout.Flush() // messages about output come after it
	for _, l := range layers {
		fmt.Fprintf(e.stderr, "octable: %sread as %s\n", p.where(), l)
	}
}

// note says how an input was read if that was found out, and is not a packet alone.
func (a *attempt) note(e *env, p packet) {
	_ = e.stdout.Flush() // messages about output come after it
	switch {
	case a.name == "":
	case a.own != nil:
		fmt.Fprintf(e.stderr, "octable: %sread as %s\n", p.where(), a.name)
	case a.framed != "":
		fmt.Fprintf(e.stderr, "octable: %sread as a stream, which has a length before each value (-framed=%s)\n", p.where(), a.framed)
	}
}

// single is a command that takes one packet of an input.
type single struct {
	in input
	secret
	stream
	value int
}

func (s *single) flags(cmd *cobra.Command) {
	s.in.flags(cmd)
	s.secret.flags(cmd)
	choose(cmd, &s.framed, "framed", "a length of 4 bytes, in the `ORDER` little or big, is before each value, as in files and streams", "", "little", "big").NoOptDefVal = "little"
	cmd.Flags().IntVar(&s.value, "value", -1, "take value `N` of a stream or text, from 0; required if it has several")
}

// packet returns the bytes of the packet in an input, and the schema of its format. They are the input without its
// containers, one value of a stream, or the encoded value of a text. Damaged inputs are returned as they are.
func (s *single) packet(e *env, t *target, p packet) ([]byte, *target, error) {
	o := &opener{env: e, target: *t, in: s.in, secret: s.secret, stream: s.stream}
	p, ok, err := o.opened(p)
	if err == nil && !ok {
		err = refused()
	}
	if err != nil {
		return nil, nil, err
	}
	a, ok := o.chosen(p)
	if !ok {
		a = attempt{own: a.own}
	}
	a.note(e, p)
	if a.own != nil && a.own.codec != nil {
		t = a.own
	}
	var all [][]byte
	switch {
	case a.text:
		for line, text := range values(string(p.bytes), o.comments()) {
			v, err := t.codec.ParseText(text)
			if err == nil {
				var b []byte
				b, err = t.codec.Encode(v)
				all = append(all, b)
			}
			if err != nil {
				return nil, nil, &failure{exitRefused, fmt.Errorf("%s%w", p.where(), textErrorAt(err, line))}
			}
		}
	case a.framed != "":
		for f, err := range frames(p.bytes, a.framed == "big") {
			if err != nil {
				return nil, nil, &failure{exitRefused, fmt.Errorf("%s%w", p.where(), err)}
			}
			all = append(all, f.bytes)
		}
	default:
		return p.bytes, t, nil
	}
	switch {
	case s.value < 0 && len(all) == 1:
		return all[0], t, nil
	case s.value < 0 || s.value >= len(all):
		return nil, nil, fail(exitUsage, "%s%s; choose one with -value, from 0 on", p.where(), count(len(all), "value is in it", "values are in it"))
	}
	return all[s.value], t, nil
}
