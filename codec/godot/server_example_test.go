package godot_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

type Move struct {
	Player string        `octable:"player"`
	To     godot.Vector2 `octable:"to"`
}

// A server for clients that use StreamPeerTCP with put_var and get_var.
func Example_server() {
	c := codec.MustLoad("godot-4")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = listener.Close() }()
	go func() { // a client
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		e := godot.NewEncoder(c, conn)
		for i := range 2 {
			time.Sleep(20 * time.Millisecond)
			if e.Encode(&Move{"Ayla", godot.Vector2{X: float32(i)}}) != nil {
				return
			}
		}
	}()
	conn, err := listener.Accept()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = conn.Close() }()
	d := godot.NewDecoder(c, conn) // one for each connection
	for moves := 0; moves < 2; {
		if err := conn.SetReadDeadline(time.Now().Add(5 * time.Millisecond)); err != nil {
			fmt.Println(err)
			return
		}
		var m Move
		err := d.Decode(&m)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			continue // nothing is lost; the server may do other work here
		case err != nil:
			fmt.Println(err)
			return
		}
		moves++
		fmt.Println(m.Player, m.To)
	}
	// Output:
	// Ayla {0 0}
	// Ayla {1 0}
}
