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
