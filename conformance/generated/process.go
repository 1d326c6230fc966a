// Processes that answer lines.

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

// Process is a running program that answers each line of JSON with another one. It may be asked by several goroutines at once.
//
// Implementations of users run in package process, with limits. These programs are parts of this module.
type Process struct {
	command []string
	mu      sync.Mutex // one asks at a time
	cmd     *exec.Cmd  // nil after it ended
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer
}

// StartProcess starts a program. It is started again for the request after one on which it ended.
func StartProcess(command ...string) (*Process, error) {
	p := &Process{command: command}
	return p, p.start()
}

func (p *Process) start() error {
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

// patience is how long an answer may take, on machines that have much else to do. A process
// that takes longer is ended.
const patience = time.Minute

// Ask sends a request and waits for the answer, which it stores in what answer points to.
func (p *Process) Ask(request, answer any) error {
	b, err := json.Marshal(request)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		if err := p.start(); err != nil {
			return err
		}
	}
	late := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	defer late.Stop()
	if _, err = p.in.Write(append(b, '\n')); err != nil {
		return p.fail(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return p.fail(err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return fmt.Errorf("the answer is no JSON: %w: %.200s", err, line)
	}
	return nil
}

func (p *Process) fail(err error) error {
	_ = p.cmd.Wait()
	p.cmd = nil
	return fmt.Errorf("the process ended: %w\n%s", err, p.stderr.Bytes())
}

// Close ends the program.
func (p *Process) Close() error {
	if p.cmd == nil {
		return nil
	}
	_ = p.in.Close()
	return p.cmd.Wait()
}
