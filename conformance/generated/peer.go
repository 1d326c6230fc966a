// Peers: programs that load generated modules.

package generated

import (
	"encoding/json"
	"fmt"
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

// Error is a refusal.
type Error struct {
	Kind     string `json:"kind"`
	Offset   int    `json:"offset"`
	Path     string `json:"path"`
	Rule     string `json:"rule"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
	Message  string `json:"message"`
}

// Peer is a program that loads generated modules.
type Peer struct{ *Process }

// Start starts a peer.
func Start(command ...string) (*Peer, error) {
	p, err := StartProcess(command...)
	return &Peer{p}, err
}

// Ask sends a request and waits for the answer.
func (p *Peer) Ask(r Request) (Answer, error) {
	var a Answer
	if err := p.Process.Ask(r, &a); err != nil {
		return a, err
	}
	if a.Crash != "" {
		b, _ := json.Marshal(r)
		return a, fmt.Errorf("to %.300s: %s", b, a.Crash)
	}
	return a, nil
}
