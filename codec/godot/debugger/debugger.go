// Package debugger speaks the protocol of Godot's remote debugger. It shows the output, errors, stack, variables and
// scene tree of a running game, and pauses and continues it. Godot 3 and Godot 4 have different protocols; the first
// packet decides which one is spoken.
//
// The engine connects to the debugger and sends packets, each with its length in 4 bytes before it:
//
//	godot --path GAME --remote-debug tcp://127.0.0.1:6007   # Godot 4
//	godot --path GAME --remote-debug 127.0.0.1:6007         # Godot 3
//
// A [Session] is one connection. It does not use the network itself: give each packet to [Session.Receive].
package debugger

import (
	"errors"
	"fmt"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// ErrProtocol is the kind of error of a packet that does not follow the protocol.
var ErrProtocol = errors.New("debugger: not the protocol of Godot's remote debugger")

// Event is a message of the engine.
type Event struct {
	// Name is output, error, debug_enter, debug_exit, stack_dump, stack_frame_vars, scene_tree or another one, such as
	// performance, which has only Values. The game is paused from debug_enter to debug_exit.
	Name      string
	Text      string        // lines of output, the message of an error, or the reason of debug_enter
	Error     bool          // output was printed as an error; an error is no warning
	Frames    []Frame       // the place of an error and the stack of its script; stack_dump: the stack, the innermost frame first
	Variables []Variable    // of stack_frame_vars
	Nodes     []Node        // of scene_tree, each before its children
	Values    []codec.Value // of the message
}

// Frame is a place in a source file. An error outside of scripts has a file of the engine.
type Frame struct {
	File     string `octable:"file"`
	Line     int    `octable:"line"`
	Function string `octable:"function"`
}

// Variable is a variable of a frame.
type Variable struct {
	Scope string // local, member or global
	Name  string
	Value codec.Value // an object is its id
}

// Node is a node of the scene tree.
type Node struct {
	Depth int // 0 for the root
	Name  string
	Class string
	ID    int64
}

// maxParts is the most packets that a message may have, and maxBytes the most bytes.
const (
	maxParts = 1 << 16
	maxBytes = 64 << 20
)

// Session is the debugger's end of a connection to an engine. It is for one goroutine at a time.
type Session struct {
	send    func(packet []byte) error
	c       *codec.Codec // of the engine's version; nil before the first packet
	old     bool         // Godot 3: a message is a name, a count and values, each in a packet
	threads bool         // Godot 4.2 and later: a message has a thread
	thread  int64        // that is paused, or the main thread
	message Event        // of which parts are missing
	missing int          // packets, or in Godot 4 variables; -1 is the count
	size    int          // bytes of the packets so far
}

// New returns a session that sends packets by a function, which adds their length.
func New(send func(packet []byte) error) *Session { return &Session{send: send} }

// Receive takes a packet of the engine. It returns nil while a message continues in the next packet.
func (s *Session) Receive(packet []byte) (*Event, error) {
	c := s.c
	if c == nil {
		c = codec.MustLoad("godot-4")
	}
	v, _, err := c.Decode(packet)
	if s.c == nil && err == nil { // the first packet of Godot 4 is an Array, that of Godot 3 a String
		if s.old = v.Type() == godot.String; s.old {
			c, err = codec.MustLoad("godot-3").With(codec.Options{IgnoreUnknown: true})
		}
		s.c, s.threads, s.thread = c, true, 1
	}
	e := v.Elems()
	switch s.size += len(packet); {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrProtocol, err)
	case s.size > maxBytes:
		return nil, fmt.Errorf("%w: message %.80q has more than %d bytes", ErrProtocol, s.message.Name, maxBytes)
	case s.old:
		return s.part(v)
	case len(e) < 2 || len(e) > 3 || e[len(e)-1].Type() != godot.ArrayType:
		return nil, fmt.Errorf("%w: a message is an Array of a name, a thread and an Array, not %.80v; start the engine with --remote-debug", ErrProtocol, v)
	}
	name, _ := e[0].AsString()
	if s.threads = len(e) == 3; name == "debug_enter" && s.threads {
		s.thread, _ = e[1].AsInt()
	}
	return s.event(Event{Name: strings.TrimPrefix(name, "scene:"), Values: e[len(e)-1].Elems()})
}

// part takes a packet of a message of Godot 3.
func (s *Session) part(v codec.Value) (*Event, error) {
	m := &s.message
	name, isName := v.AsString()
	n, isCount := v.AsInt()
	switch {
	case m.Name == "" && isName:
		m.Name, s.missing = name, -1
		return nil, nil
	case m.Name == "" || s.missing < 0 && (!isCount || n < 0 || n > maxParts):
		return nil, fmt.Errorf("%w: %.80v is not the name of a message, or not 0 to %d values after the name %.80q", ErrProtocol, v, maxParts, m.Name)
	case s.missing < 0:
		s.missing = int(n)
	default:
		m.Values = append(m.Values, v)
		s.missing--
	}
	if s.missing > 0 {
		return nil, nil
	}
	return s.event(Event{Name: strings.TrimPrefix(m.Name, "message:"), Values: m.Values})
}

// event interprets the values of a message.
func (s *Session) event(e Event) (*Event, error) {
	f, more := &fields{values: e.Values}, false
	switch e.Name {
	case "output":
		f.output(&e, s.old)
	case "error":
		f.error(&e, s.old)
	case "debug_enter":
		field(f, codec.Value.AsBool) // whether it can continue
		e.Text = f.text()
	case "stack_dump":
		if s.old {
			f.bad = s.c.To(godot.NewArray(e.Values...), &e.Frames) != nil
			break
		}
		for f.int(); len(f.values) > 0 && !f.bad; {
			e.Frames = append(e.Frames, Frame{f.text(), f.int(), f.text()})
		}
	case "stack_frame_vars":
		for scope := 0; s.old && scope < 3; scope++ {
			for n := f.int(); n > 0 && !f.bad; n-- {
				e.Variables = append(e.Variables, Variable{f.scope(scope), f.text(), f.next()})
			}
		}
		if !s.old {
			s.missing, s.message = f.int(), e
			f.bad = f.bad || s.missing > maxParts
			more = s.missing > 0
		}
	case "stack_frame_var": // of Godot 4; its type is before the value from 4.3 on
		v := Variable{Name: f.text(), Scope: f.scope(f.int())}
		for f.bad = f.bad || len(f.values) == 0; len(f.values) > 0 && !f.bad; {
			v.Value = f.next()
		}
		s.message.Variables = append(s.message.Variables, v)
		s.missing--
		e, more = s.message, s.missing > 0
		e.Name = "stack_frame_vars"
	case "scene_tree":
		f.tree(&e, s.old)
	}
	switch {
	case f.bad:
		return nil, fmt.Errorf("%w: message %.80q has the values %.80v", ErrProtocol, e.Name, godot.NewArray(e.Values...))
	case more:
		return nil, nil
	}
	if s.old || s.missing <= 0 {
		s.message, s.missing, s.size = Event{}, 0, 0
	}
	return &e, nil
}

// Send sends a message that the engine knows. Such are break, continue, step, next, get_stack_dump, request_scene_tree,
// get_stack_frame_vars with the number of a frame from 0, and breakpoint with a file, a line and whether it is set. The
// arguments are converted as [godot.ValueOf] does.
func (s *Session) Send(name string, args ...any) error {
	if s.c == nil {
		return errors.New("debugger: the version of the engine is unknown before its first packet; wait for an event")
	}
	args = append([]any{}, args...) // an Array, even without arguments
	message := []any{name, s.thread, args}
	switch {
	case s.old:
		message = append([]any{name}, args...)
	case !s.threads:
		message = []any{name, args}
	}
	if name == "request_scene_tree" && !s.old {
		message[0] = "scene:request_scene_tree"
	}
	packet, err := s.c.Marshal(message)
	if err != nil {
		return err
	}
	return s.send(packet)
}

// fields reads the values of a message in their order.
type fields struct {
	values []codec.Value
	bad    bool // a value was missing or of another type
}

func (f *fields) next() (v codec.Value) {
	if f.bad = f.bad || len(f.values) == 0; !f.bad {
		v, f.values = f.values[0], f.values[1:]
	}
	return v
}

func field[T any](f *fields, as func(codec.Value) (T, bool)) T {
	x, ok := as(f.next())
	f.bad = f.bad || !ok
	return x
}

func (f *fields) text() string { return field(f, codec.Value.AsString) }
func (f *fields) int() int     { return int(field(f, codec.Value.AsInt)) }

// output joins lines, of which Godot 3 has each in an Array with its kind.
func (f *fields) output(e *Event, old bool) {
	var text strings.Builder
	texts, kinds := f.values, codec.Value{}
	if !old {
		texts, kinds = f.next().Elems(), f.next()
	}
	for i, v := range texts {
		kind := kinds.Index(i)
		if parts := v.Elems(); len(parts) == 2 {
			v, kind = parts[0], parts[1]
		}
		line, ok := v.AsString()
		text.WriteString(line + "\n")
		n, _ := kind.AsInt()
		e.Error, f.bad = e.Error || n == 1, f.bad || !ok
	}
	e.Text = text.String()
}

// error reads the place and the text of an error, and the stack behind it.
func (f *fields) error(e *Event, old bool) {
	stack := f
	if old {
		f = &fields{values: f.next().Elems()}
	}
	for range 4 { // hours, minutes, seconds and milliseconds since the start
		f.int()
	}
	place := Frame{File: f.text(), Function: f.text(), Line: f.int()}
	if old {
		place.File, place.Function = place.Function, place.File
	}
	e.Frames, e.Text = append(e.Frames, place), f.text()
	if detail := f.text(); detail != "" {
		e.Text = detail
	}
	e.Error = !field(f, codec.Value.AsBool)
	for stack.int(); len(stack.values) >= 3 && !stack.bad; {
		e.Frames = append(e.Frames, Frame{File: stack.text(), Function: stack.text(), Line: stack.int()})
	}
	stack.bad = stack.bad || f.bad
}

func (f *fields) scope(i int) string {
	f.bad = f.bad || i < 0 || i > 2
	return []string{"local", "member", "global", ""}[min(uint(i), 3)]
}

// tree reads nodes, each with the number of its children.
func (f *fields) tree(e *Event, old bool) {
	var left []int // children that are still to come, of the nodes around
	for len(f.values) > 0 && !f.bad {
		left = append(left, f.int())
		e.Nodes = append(e.Nodes, Node{len(left) - 1, f.text(), f.text(), field(f, codec.Value.AsInt)})
		if !old { // the file of a scene, and whether the node is visible
			f.values = f.values[min(2, len(f.values)):]
		}
		for len(left) > 0 && left[len(left)-1] <= 0 {
			if left = left[:len(left)-1]; len(left) > 0 {
				left[len(left)-1]--
			}
		}
	}
}
