//go:build unix

package view

import (
	"encoding/json"
	"errors"
	"syscall"
	"testing"
	"time"
)

// A process that does not answer is ended after the time limit. The call fails with the code time, other calls with the
// code gone; the next call starts another process.
func TestHangingCall(t *testing.T) {
	c := &calls{command: worker(t), time: time.Second}
	t.Cleanup(func() { c.end(nil) })
	open := func() (*Packet, error) {
		params, err := json.Marshal(OpenParams{Data: []byte{1, 2, 3, 4}, Schema: "godot-4.4"})
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.call("open", params)
		if err != nil {
			return nil, err
		}
		p := &Packet{}
		return p, json.Unmarshal(out, p)
	}
	before, err := open()
	if err != nil {
		t.Fatal(err)
	}
	hanging := c.now
	if err := hanging.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	codes := make(chan string, 2)
	for range 2 {
		go func() {
			_, err := open()
			var e *Error
			if errors.As(err, &e) {
				codes <- e.Code
				return
			}
			codes <- "no error"
		}()
		time.Sleep(100 * time.Millisecond)
	}
	if first, second := <-codes, <-codes; first+second != "timegone" && first+second != "gonetime" {
		t.Errorf("calls ended with %s and %s, want time and gone", first, second)
	}
	for end := time.Now().Add(10 * time.Second); hanging.cmd.Process.Signal(syscall.Signal(0)) == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the process still runs")
		}
	}
	after, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if after.Packet == before.Packet {
		t.Error("packets of two processes have the same number")
	}
}
