//go:build !js

// The process that answers calls. The server ends it if a call takes too long, as the page ends its worker.
// Package conformance/process drives implementations, whose answers come one after another in the protocol of
// the suite; here calls of several pages end independently of each other.

package view

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// question and answer are the messages between the server and its process, one after another as JSON.
type question struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Time   time.Duration   `json:"time"` // the most time of the call
}

type answer struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// Work answers calls of a server until its input ends.
func Work(in io.Reader, out io.Writer) error {
	service := New()
	var mu sync.Mutex
	buffered := bufio.NewWriter(out)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	decoder := json.NewDecoder(bufio.NewReader(in))
	for {
		var q question
		if err := decoder.Decode(&q); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), q.Time)
			defer cancel()
			result, err := service.Call(ctx, q.Method, q.Params)
			a := answer{ID: q.ID, Result: result}
			if err != nil && !errors.As(err, &a.Error) {
				a.Error = &Error{Code: "internal", Message: err.Error()}
			}
			mu.Lock()
			defer mu.Unlock()
			_ = encoder.Encode(a) // the server has ended if this fails, and then so does the input
			_ = buffered.Flush()
		}()
	}
}

// calls sends calls to a process, which it starts for the first one and again after it has ended.
type calls struct {
	command []string
	time    time.Duration // the most time of a call

	mu   sync.Mutex
	now  *child
	last int
}

// child is a process that answers calls.
type child struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	sending sync.Mutex // of writes to in

	mu      sync.Mutex
	waiting map[int]chan answer
	ended   bool
}

// grace is how long a process has to end a call by itself that has taken too long. Then its packets stay.
const grace = 2 * time.Second

// call makes a call. Other calls to a process that is ended fail with the code gone.
func (c *calls) call(method string, params json.RawMessage) (json.RawMessage, error) {
	p, id, err := c.process()
	if err != nil {
		return nil, &Error{Code: "internal", Message: "the process that reads packets cannot be started: " + err.Error()}
	}
	done, ok := p.expect(id)
	if ok {
		go p.send(question{id, method, params, c.time})
	}
	timer := time.NewTimer(c.time + grace)
	defer timer.Stop()
	select {
	case a := <-done:
		if a.Error != nil {
			return nil, a.Error
		}
		return a.Result, nil
	case <-timer.C:
		p.forget(id)
		c.end(p)
		return nil, &Error{Code: "time", Message: fmt.Sprintf("%s took more than %v and was stopped", method, c.time)}
	}
}

// process returns the running process, or a new one, and the number of a call.
func (c *calls) process() (*child, int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	if c.now != nil {
		return c.now, c.last, nil
	}
	p := &child{cmd: exec.Command(c.command[0], c.command[1:]...), waiting: map[int]chan answer{}}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, 0, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, 0, err
	}
	c.now = p
	go func() {
		p.receive(out)
		c.end(p)
		_ = p.cmd.Wait()
	}()
	return p, c.last, nil
}

// end ends a process; nil is the current one. The next call starts another.
func (c *calls) end(p *child) {
	c.mu.Lock()
	if p == nil {
		p = c.now
	}
	if c.now == p {
		c.now = nil
	}
	c.mu.Unlock()
	if p == nil {
		return
	}
	_ = p.cmd.Process.Kill()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	for id, done := range p.waiting {
		done <- gone
		delete(p.waiting, id)
	}
}

// gone answers the calls to a process that has ended.
var gone = answer{Error: &Error{Code: "gone", Message: "the process that reads packets has ended; open the file again"}}

// forget drops the answer to a call.
func (p *child) forget(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, id)
}

// expect returns the channel of the answer to a call, and whether the process runs.
func (p *child) expect(id int) (chan answer, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	done := make(chan answer, 1)
	if p.ended {
		done <- gone
		return done, false
	}
	p.waiting[id] = done
	return done, true
}

// send writes a call. If that fails the process has ended, and receive says so.
func (p *child) send(q question) {
	p.sending.Lock()
	defer p.sending.Unlock()
	_ = json.NewEncoder(p.in).Encode(q)
}

// receive passes answers on until the process ends.
func (p *child) receive(out io.Reader) {
	decoder := json.NewDecoder(bufio.NewReader(out))
	for {
		var a answer
		if decoder.Decode(&a) != nil {
			return
		}
		p.mu.Lock()
		if done := p.waiting[a.ID]; done != nil {
			done <- a
			delete(p.waiting, a.ID)
		}
		p.mu.Unlock()
	}
}
