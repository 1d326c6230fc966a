// Peers: programs that load generated modules.

package generated

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// Request is a line to a peer.
type Request struct {
	Spec    string   `json:"spec"`            // schema and choice, as the file of the module is named
	Op      string   `json:"op"`              // "decode", "encode" or "recode"
	Bytes   string   `json:"bytes"`           // hexadecimal digits
	Value   any      `json:"value"`           // as shown
	Gates   []string `json:"gates,omitempty"` // options of gates that are open
	Strict  bool     `json:"strict,omitempty"`
	Depth   int      `json:"depth,omitempty"`
	Memory  int      `json:"memory,omitempty"`
	NoValue bool     `json:"novalue,omitempty"` // an encoding is of no value at all
}

// Answer is a line from a peer.
type Answer struct {
	Value any    `json:"value"`
	Used  int    `json:"used"`
	Bytes string `json:"bytes"`
	Error *Error `json:"error"` // refused
	Crash string `json:"crash"` // anything but a refusal
}

// Error is what an error says.
type Error struct {
	Kind     string `json:"kind"`
	Offset   int    `json:"offset"`
	Path     string `json:"path"`
	Rule     string `json:"rule"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
	Message  string `json:"message"`
}

// Peer is a running program. It may be asked by several goroutines at once.
type Peer struct {
	command []string
	mu      sync.Mutex // one asks at a time
	cmd     *exec.Cmd  // nil after it ended
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer
}

// Start starts a program. It is started again for the request after one on which it ended.
func Start(command ...string) (*Peer, error) {
	p := &Peer{command: command}
	return p, p.start()
}

func (p *Peer) start() error {
	p.cmd = exec.Command(p.command[0], p.command[1:]...)
	p.stderr.Reset()
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	p.cmd.Stderr = &p.stderr
	return p.cmd.Start()
}

// patience is how long an answer may take, on machines that have much else to do. A peer
// that takes longer is ended.
const patience = time.Minute

// Ask sends a request and waits for the answer.
func (p *Peer) Ask(r Request) (Answer, error) {
	var a Answer
	b, err := json.Marshal(r)
	if err != nil {
		return a, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		if err := p.start(); err != nil {
			return a, err
		}
	}
	late := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	defer late.Stop()
	if _, err = p.in.Write(append(b, '\n')); err != nil {
		return a, p.fail(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return a, p.fail(err)
	}
	if err := json.Unmarshal(line, &a); err != nil {
		return a, fmt.Errorf("the answer is no JSON: %w: %.200s", err, line)
	}
	if a.Crash != "" {
		return a, fmt.Errorf("to %.300s: %s", b, a.Crash)
	}
	return a, nil
}

func (p *Peer) fail(err error) error {
	_ = p.cmd.Wait()
	p.cmd = nil
	return fmt.Errorf("the peer ended: %w\n%s", err, p.stderr.Bytes())
}

// Close ends the program.
func (p *Peer) Close() error {
	if p.cmd == nil {
		return nil
	}
	_ = p.in.Close()
	return p.cmd.Wait()
}
