package codec_test

import (
	"fmt"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
)

// TestOpen reads and writes by a program that was saved, and refuses files that are cut or changed.
func TestOpen(t *testing.T) {
	made, err := compiler.New(`schema "points" {
	root Points
}

type Points {
	| 0 | 1 | u8 | n = count(list) |
	repeat n as list {
		| N | 2 | u16 | x |
		| N+2 | 2 | u16 | y |
	}
}
`)
	if err != nil {
		t.Fatal(err)
	}
	program := raw.Program(made).Save()
	c, err := codec.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	packet := []byte("\x02\x01\x00\x02\x00\x03\x00\x04\x00")
	v, _, err := c.Decode(packet)
	if err != nil {
		t.Fatal(err)
	}
	if want, _, err := made.Decode(packet); err != nil || fmt.Sprint(v) != fmt.Sprint(want) {
		t.Errorf("read %v, want %v, %v", v, want, err)
	}
	if b, err := c.Append(nil, v); err != nil || string(b) != string(packet) {
		t.Errorf("wrote % x, %v", b, err)
	}
	if _, err := raw.Codec(&bytecode.Program{}); err == nil {
		t.Error("a program without instructions is a codec")
	}
	for n := range program {
		if _, err := codec.Open(program[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are a program", n, len(program))
		}
	}
	for i := range program {
		program[i] ^= 0x10
		if _, err := codec.Open(program); err == nil {
			t.Errorf("a change of byte %d is not noticed", i)
		}
		program[i] ^= 0x10
	}
}
