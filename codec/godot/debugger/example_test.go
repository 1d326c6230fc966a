package debugger_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/godot/debugger"
)

// A debugger that prints where a game pauses, and continues it. The bytes are those that a game of Godot 4.6 sent; a
// program takes them from a connection: conn, err := listener.Accept(), with net.Listen("tcp", "127.0.0.1:6007").
func Example() {
	recorded, err := os.ReadFile("testdata/godot4.bin")
	if err != nil {
		fmt.Println(err)
		return
	}
	conn := bytes.NewBuffer(recorded)
	var commands bytes.Buffer

	c := codec.MustLoad("godot-4")
	d := godot.NewDecoder(c, conn)
	e := godot.NewEncoder(c, &commands)
	s := debugger.New(e.WriteFrame)
	for {
		packet, err := d.ReadFrame()
		if err != nil {
			break // the game has ended
		}
		event, err := s.Receive(packet)
		if err != nil {
			fmt.Println(err)
			return
		}
		if event == nil {
			continue // the rest of the message is in the next packets
		}
		switch event.Name {
		case "debug_enter":
			fmt.Println("paused:", event.Text)
			err = s.Send("get_stack_dump")
		case "stack_dump":
			for _, f := range event.Frames {
				fmt.Printf("%s:%d in %s\n", f.File, f.Line, f.Function)
			}
			err = s.Send("continue")
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(commands.Len(), "bytes of commands")
	// Output:
	// paused: Breakpoint Statement
	// res://main.gd:11 in buy
	// res://main.gd:7 in _ready
	// 96 bytes of commands
}
