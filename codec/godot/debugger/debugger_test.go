package debugger_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/godot/debugger"
)

// recorded returns the packets that an engine sent while a game ran to a breakpoint and on. Engines themselves are the
// peer in TestEngineDebug of cmd/octable.
func recorded(t testing.TB, engine string) (packets [][]byte) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + engine + ".bin")
	if err != nil {
		t.Fatal(err)
	}
	d := godot.NewDecoder(codec.MustLoad("godot-4"), bytes.NewReader(b))
	for {
		packet, err := d.ReadFrame()
		if err == io.EOF {
			return packets
		}
		if err != nil {
			t.Fatal(err)
		}
		packets = append(packets, bytes.Clone(packet))
	}
}

// TestRecorded interprets what Godot 4.6.3, 3.6.2 and 3.2.3 sent.
func TestRecorded(t *testing.T) {
	for engine, classes := range map[string][2]string{"godot4": {"Window", "res://main.gd"}, "godot3": {"Viewport", "Node"}, "godot32": {"Viewport", "Node"}} {
		t.Run(engine, func(t *testing.T) {
			events := map[string]*debugger.Event{}
			output, warning := "", false
			s := debugger.New(nil)
			for _, p := range recorded(t, engine) {
				e, err := s.Receive(p)
				if err != nil {
					t.Fatal(err)
				}
				if e == nil {
					continue
				}
				events[e.Name] = e
				switch e.Name {
				case "output":
					output += e.Text
				case "error":
					warning = warning || !e.Error && e.Text == "take care" && e.Frames[1] == debugger.Frame{File: "res://main.gd", Line: 6, Function: "_ready"}
				}
			}
			if !strings.Contains(output, "hello from the game\n") || !strings.Contains(output, "the rest is 2\n") {
				t.Errorf("output %q", output)
			}
			if !warning {
				t.Error("no warning with its place")
			}
			if e := events["debug_enter"]; e == nil || e.Text != "Breakpoint Statement" || events["debug_exit"] == nil {
				t.Errorf("the game was paused by %+v", e)
			}
			if got := fmt.Sprint(events["stack_dump"].Frames); got != "[{res://main.gd 11 buy} {res://main.gd 7 _ready}]" {
				t.Error(got)
			}
			vars := events["stack_frame_vars"].Variables
			if len(vars) != 4 || vars[1].Scope != "local" || vars[1].Name != "here" || !vars[1].Value.Equal(godot.Vector2{X: 1, Y: 2}.Value()) || vars[2].Name != "self" || vars[3].Scope != "member" {
				t.Errorf("variables %+v", vars)
			}
			nodes := events["scene_tree"].Nodes
			for i, want := range []debugger.Node{{0, "root", classes[0], 0}, {1, "Main", classes[1], 0}, {2, "Child", "Node", 0}} {
				if i >= len(nodes) || nodes[i].ID == 0 {
					t.Fatalf("nodes %+v", nodes)
				}
				if want.ID = nodes[i].ID; nodes[i] != want {
					t.Errorf("node %+v, want %+v", nodes[i], want)
				}
			}
		})
	}
}

// TestSend compares messages with those that each engine takes.
func TestSend(t *testing.T) {
	var sent []byte
	send := func(p []byte) error { sent = p; return nil }
	if err := debugger.New(send).Send("break"); err == nil || sent != nil {
		t.Error("a message was sent to an engine of unknown version")
	}
	for _, c := range []struct{ engine, schema, plain, vars, tree string }{
		{"godot4", "godot-4", `["continue", 1, []]`, `["get_stack_frame_vars", 1, [0]]`, `["scene:request_scene_tree", 1, []]`},
		{"godot3", "godot-3", `["continue"]`, `["get_stack_frame_vars", 0]`, `["request_scene_tree"]`},
	} {
		s := debugger.New(send)
		if _, err := s.Receive(recorded(t, c.engine)[0]); err != nil {
			t.Fatal(err)
		}
		for want, err := range map[string]func() error{
			c.plain: func() error { return s.Send("continue") },
			c.vars:  func() error { return s.Send("get_stack_frame_vars", 0) },
			c.tree:  func() error { return s.Send("request_scene_tree") },
		} {
			if err := err(); err != nil {
				t.Fatal(err)
			}
			v, _, err := codec.MustLoad(c.schema).Decode(sent)
			if got := v.String(); err != nil || got != want {
				t.Errorf("%s: sent %s (%v), want %s", c.engine, got, err, want)
			}
		}
	}
}

// TestSendWithoutThread sends a message to Godot 4.0, whose messages have no thread, and one that has no packet.
func TestSendWithoutThread(t *testing.T) {
	c := codec.MustLoad("godot-4")
	packet, err := c.Marshal([]any{"set_pid", []any{1}})
	if err != nil {
		t.Fatal(err)
	}
	var sent []byte
	s := debugger.New(func(p []byte) error { sent = p; return nil })
	if _, err := s.Receive(packet); err != nil {
		t.Fatal(err)
	}
	if err := s.Send("continue"); err != nil {
		t.Fatal(err)
	}
	if v, _, err := c.Decode(sent); err != nil || v.String() != `["continue", []]` {
		t.Errorf("sent %v, %v", v, err)
	}
	if err := s.Send("breakpoint", make(chan int)); err == nil {
		t.Error("a channel is sent")
	}
}

// TestLargeMessage refuses a message whose packets have more than 64 MiB.
func TestLargeMessage(t *testing.T) {
	c := codec.MustLoad("godot-3")
	s := debugger.New(nil)
	var err error
	for _, x := range []any{"output", 5, make([]byte, 1<<25), make([]byte, 1<<25)} {
		packet, encode := c.Marshal(x)
		if encode != nil || err != nil {
			t.Fatal(encode, err)
		}
		_, err = s.Receive(packet)
	}
	if !errors.Is(err, debugger.ErrProtocol) || !strings.Contains(err.Error(), `message "output" has more than 67108864 bytes`) {
		t.Error(err)
	}
}

// TestHostile gives a session packets that no engine sends. It must return errors, and end.
func TestHostile(t *testing.T) {
	c4, c3 := codec.MustLoad("godot-4"), codec.MustLoad("godot-3")
	for _, texts := range [][]string{
		{`5`}, {`[]`}, {`["output", 1]`}, {`["output", 1, []]`}, {`["error", 1, [1, 2]]`}, {`["error", 1, [0, 0, 0, 0, "f", "g", 1, "e", "", true, 3, 1, 2, 3]]`},
		{`["stack_dump", 1, [3, "f", "g", 1]]`}, {`["stack_frame_vars", 1, [1000000000]]`}, {`["stack_frame_vars", 1, [2]]`, `["stack_frame_var", 1, ["a", 9, 0, 1]]`},
		{`["stack_frame_var", 1, []]`}, {`["stack_frame_var", 1, ["a", 0]]`}, {`["scene:scene_tree", 1, [1, "a"]]`}, {`["debug_enter", 1, [1, 2]]`},
		{`"output"`, `-1`}, {`"output"`, `70000`}, {`"output"`, `"a"`}, {`"output"`, `1`, `5`}, {`"error"`, `0`}, {`"error"`, `2`, `[1]`, `0`}, {`"stack_dump"`, `1`, `5`},
		{`"stack_frame_vars"`, `1`, `1000000`}, {`"message:scene_tree"`, `1`, `0`}, {`"debug_enter"`, `0`},
	} {
		s := debugger.New(nil)
		c := c4
		if texts[0][0] == '"' {
			c = c3
		}
		var err error
		for _, text := range texts {
			v, parse := c.ParseText(text)
			b, encode := c.Encode(v)
			if parse != nil || encode != nil {
				t.Fatal(parse, encode)
			}
			if _, err = s.Receive(b); err != nil {
				break
			}
		}
		if !errors.Is(err, debugger.ErrProtocol) || len(err.Error()) > 300 {
			t.Errorf("%v: error %v", texts, err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, engine := range []string{"godot4", "godot3"} {
		packets := recorded(t, engine)
		for range 300 {
			s := debugger.New(nil)
			for _, p := range packets {
				p = bytes.Clone(p)
				if r.IntN(8) == 0 {
					p[r.IntN(len(p))] ^= byte(1 << r.IntN(8))
				}
				if _, err := s.Receive(p); err != nil && !errors.Is(err, debugger.ErrProtocol) {
					t.Fatal(err)
				}
			}
		}
	}
}
