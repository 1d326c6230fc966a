package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot/debugger"
)

type debugCommand struct {
	*env
	network
	conversation
	engine  string // the peer that is debugged
	session *debugger.Session
	paused  bool
	waiting bool // for a pause, before the next command
}

func (e *env) debugCommand() *cobra.Command {
	c := &debugCommand{env: e}
	cmd := &cobra.Command{
		Use:   "debug [FLAG…]",
		Short: "Debug a running game of Godot 3 or 4",
		Long:  debugLong,
		Example: `octable debug
octable debug -listen ws://127.0.0.1:6007
printf 'wait\nstack\nvars\ncontinue\n' | octable debug -once`,
		Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error { return c.run() },
	}
	cmd.Flags().StringVar(&c.listen, "listen", ":6007", "wait for the game at the `ADDRESS` [SCHEME://][HOST]:PORT; the host is 127.0.0.1 if it is left out")
	c.network.flags(cmd)
	return cmd
}

func (c *debugCommand) run() error {
	if c.connect != "" {
		c.listen = ""
	}
	c.conversation = conversation{env: c.env, network: &c.network, packet: c.receive, line: c.command, finish: func() {}, left: c.leave,
		ready: func() bool { return c.session != nil && !c.waiting }}
	return c.conversation.run(context.Background())
}

func (c *debugCommand) leave(from string) {
	if from == c.engine {
		c.engine, c.session, c.paused = "", nil, false
	}
}

// receive prints the event of a packet.
func (c *debugCommand) receive(from string, b []byte) error {
	if c.session == nil {
		c.engine = from
		c.session = debugger.New(func(packet []byte) error {
			_, err := c.hub.Send(from, packet)
			return err
		})
	}
	if from != c.engine {
		return fmt.Errorf("the game of %s is debugged; end it first", c.engine)
	}
	e, err := c.session.Receive(b)
	if err != nil || e == nil {
		return err
	}
	switch e.Name {
	case "debug_enter":
		c.paused, c.waiting = true, false
	case "debug_exit":
		c.paused = false
	}
	_, err = c.stdout.WriteString(shown(e))
	return err
}

// shown returns an event as lines; others than those of a debugger are not shown.
func shown(e *debugger.Event) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		b.WriteString(strings.Map(func(r rune) rune { // control characters could do anything to a terminal
			if r == '\t' || unicode.IsPrint(r) {
				return r
			}
			return unicode.ReplacementChar
		}, text) + "\n")
	}
	switch e.Name {
	case "output":
		for text := range strings.Lines(e.Text) {
			line("%s", strings.TrimSuffix(text, "\n"))
		}
	case "error":
		kind := "warning"
		if e.Error {
			kind = "error"
		}
		line("%s: %s", kind, e.Text)
		for _, f := range e.Frames {
			line("  at %s", place(f))
		}
	case "debug_enter":
		line("paused: %s", e.Text)
	case "debug_exit":
		line("continued")
	case "stack_dump":
		for i, f := range e.Frames {
			line("%d %s", i, place(f))
		}
	case "stack_frame_vars":
		for _, v := range e.Variables {
			line("%s %s = %v", v.Scope, v.Name, v.Value)
		}
	case "scene_tree":
		for _, n := range e.Nodes {
			line("%s%s %s", strings.Repeat("  ", min(n.Depth, 40)), n.Name, n.Class)
		}
	}
	return b.String()
}

// place returns a frame as text.
func place(f debugger.Frame) string {
	if f.Function == "" {
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	return fmt.Sprintf("%s:%d in %s", f.File, f.Line, f.Function)
}

// command runs a line of input, and reports whether it ends the debugger.
func (c *debugCommand) command(text string) bool {
	words := strings.Fields(text)
	if len(words) == 0 {
		return false
	}
	if words[0] == "quit" {
		return true
	}
	if err := c.send(words, text); err != nil {
		c.bad = true
		c.note("%s", message(err))
	}
	return false
}

// errNotPaused refuses commands to a game that runs.
var errNotPaused = errors.New("the game runs; pause it with break, or wait for a breakpoint with wait")

func (c *debugCommand) send(words []string, text string) error {
	name, args := words[0], words[1:]
	s := c.session
	plain := map[string]string{"break": "break", "continue": "continue", "step": "step", "next": "next", "stack": "get_stack_dump", "tree": "request_scene_tree"}
	if message, ok := plain[name]; ok {
		if len(args) > 0 {
			return fmt.Errorf("%s goes without %q", name, args[0])
		}
		if name != "break" && name != "tree" && !c.paused {
			return errNotPaused
		}
		if name == "continue" || name == "step" || name == "next" {
			c.paused = false // also if the engine has not said so yet
		}
		return s.Send(message)
	}
	switch name {
	case "wait":
		c.waiting = !c.paused
		return nil
	case "vars":
		if !c.paused {
			return errNotPaused
		}
		frame := 0
		if len(args) > 0 {
			n, err := strconv.ParseUint(args[0], 10, 16)
			if err != nil {
				return fmt.Errorf("%q is no number of a frame; stack lists them, from 0", args[0])
			}
			frame = int(n)
		}
		return s.Send("get_stack_frame_vars", frame)
	case "breakpoint", "clear":
		file, line, _ := cutLast(strings.Join(args, " "), ":")
		n, err := strconv.ParseUint(line, 10, 31)
		if err != nil {
			return fmt.Errorf("%s needs a place, such as res://main.gd:12", name)
		}
		return s.Send("breakpoint", file, int(n), name == "breakpoint")
	case "send":
		if len(args) == 0 {
			return errors.New("send needs the name of a message")
		}
		_, rest, _ := strings.Cut(text, args[0])
		v, err := codec.MustLoad("godot-4").ParseText("[" + rest + "]")
		if err != nil {
			return err
		}
		var values []any
		for _, x := range v.Elems() {
			values = append(values, x)
		}
		return s.Send(args[0], values...)
	}
	return fmt.Errorf("there is no command %.40q%s; see: octable help debug", name, meant(name, []string{"break", "continue", "step", "next", "stack", "vars", "tree", "breakpoint", "clear", "send", "wait", "quit"}, ""))
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
