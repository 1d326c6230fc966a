// One process, from its start to its end.

package process

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/interp"
)

// Config says how an implementation is started and what it may take. The zero value
// of a limit is its default.
type Config struct {
	Command []string // program and arguments
	Dir     string   // to start it in; "" is that of this process
	Env     []string // added to the environment of this process
	TCP     bool     // talk over a connection instead of standard input and output

	Timeout      time.Duration // of each answer; default 5 s
	StartTimeout time.Duration // until it has answered hello; default 30 s
	EndTimeout   time.Duration // from the end of its input to its own end; default 3 s
	Memory       int64         // bytes of resident memory; default 1 GiB, none if negative
	AddressSpace int64         // bytes of address space of each process; default none
	MaxAnswer    int           // bytes of one line; default 64 MiB
	Window       int           // requests on their way at once; default 64
	// GiveUp is after how many faults without an answer between them a Session ends;
	// default 100.
	GiveUp int

	// Log gets each line that is passed over, and each of standard error, if it is
	// not nil. It is called by several goroutines, one at a time.
	Log func(line string)
}

func (c Config) withDefaults() Config {
	fill := func(d *time.Duration, value time.Duration) {
		if *d <= 0 {
			*d = value
		}
	}
	fill(&c.Timeout, 5*time.Second)
	fill(&c.StartTimeout, 30*time.Second)
	fill(&c.EndTimeout, 3*time.Second)
	if c.Memory == 0 {
		c.Memory = 1 << 30
	}
	if c.MaxAnswer <= 0 {
		c.MaxAnswer = 64 << 20
	}
	if c.Window <= 0 {
		c.Window = 64
	}
	if c.GiveUp <= 0 {
		c.GiveUp = 100
	}
	if log := c.Log; log != nil {
		var mu sync.Mutex
		c.Log = func(line string) {
			mu.Lock()
			defer mu.Unlock()
			log(line)
		}
	} else {
		c.Log = func(string) {}
	}
	return c
}

// Child is a running process that has said hello. It is for one goroutine at a time.
type Child struct {
	About protocol.About

	cfg      Config
	cmd      *exec.Cmd
	input    io.WriteCloser // the child's
	output   io.ReadCloser  // the child's: lines of the protocol
	requests chan []byte
	lines    chan line
	exited   chan struct{} // closed when the process has ended
	state    error         // of Wait, once exited
	stop     chan struct{} // closed when nothing more is wanted of it
	stopping sync.Once
	peak     atomic.Int64 // most memory that was measured, when it was too much
	stderr   tail
	next     int           // id of the next request
	waiting  []int         // ids of the requests on their way
	sizes    []int         // lengths of the requests that wait
	hurry    time.Duration // a shorter limit for short requests; 0 for no such limit
	fault    *Fault
	files    []io.Closer
}

// line is one line of the child, or why there are no more.
type line struct {
	text []byte
	err  error
}

var errLong = errors.New("long line")

// Start starts a process and waits for its answer to hello. The error is a *Fault
// of kind NoStart, or that of the context.
func Start(ctx context.Context, cfg Config) (*Child, error) {
	cfg = cfg.withDefaults()
	if len(cfg.Command) == 0 {
		return nil, &Fault{Kind: NoStart, Text: "there is no command to start"}
	}
	c := &Child{cfg: cfg, requests: make(chan []byte, 1024), lines: make(chan line, 16), exited: make(chan struct{}), stop: make(chan struct{})}
	c.stderr.log = func(text string) { cfg.Log("stderr: " + text) }
	deadline := time.Now().Add(cfg.StartTimeout)
	if err := c.start(ctx, deadline); err != nil {
		c.Kill()
		return nil, err
	}
	if fault := c.hello(ctx, deadline); fault != nil {
		c.Kill()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fault.Kind, fault.Text = NoStart, fmt.Sprintf("%s: %s", c.name(), fault.Text)
		return nil, fault
	}
	return c, nil
}

func (c *Child) name() string { return c.cfg.Command[0] }

func (c *Child) start(ctx context.Context, deadline time.Time) error {
	if info, err := os.Stat(c.cfg.Dir); c.cfg.Dir != "" && (err != nil || !info.IsDir()) {
		return &Fault{Kind: NoStart, Text: fmt.Sprintf("%s cannot be started in %s: there is no such folder", c.name(), c.cfg.Dir)}
	}
	command := limited(c.cfg.Command, c.cfg.AddressSpace)
	c.cmd = exec.Command(command[0], command[1:]...)
	c.cmd.Dir = c.cfg.Dir
	c.cmd.Env = append(os.Environ(), c.cfg.Env...)
	group(c.cmd)
	fail := func(err error) error {
		return &Fault{Kind: NoStart, Text: fmt.Sprintf("%s cannot be started: %v", c.name(), err)}
	}
	var listener net.Listener
	if c.cfg.TCP {
		var err error
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return fail(err)
		}
		defer listener.Close()
		c.cmd.Env = append(c.cmd.Env, protocol.ConnectVar+"="+listener.Addr().String())
	}
	// ends are those of pipes of files, not of the package. So Wait returns when the
	// process ends, and not when the last one that has inherited them does.
	var ends []io.Closer
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err == nil {
			c.files = append(c.files, r, w)
		}
		return r, w, err
	}
	outR, outW, err := pipe()
	if err != nil {
		return fail(err)
	}
	errR, errW, err := pipe()
	if err != nil {
		return fail(err)
	}
	c.cmd.Stdout, c.cmd.Stderr = outW, errW
	ends = append(ends, outW, errW)
	if !c.cfg.TCP {
		inR, inW, err := pipe()
		if err != nil {
			return fail(err)
		}
		c.cmd.Stdin = inR
		ends = append(ends, inR)
		c.input, c.output = inW, outR
	}
	if err := c.cmd.Start(); err != nil {
		return fail(err)
	}
	for _, e := range ends {
		_ = e.Close()
	}
	go func() {
		c.state = c.cmd.Wait()
		close(c.exited)
		killTree(c.cmd.Process.Pid) // what it has left behind
	}()
	go c.stderr.read(errR)
	if c.cfg.Memory > 0 {
		go c.watch()
	}
	if c.cfg.TCP {
		shown := tail{log: func(text string) { c.cfg.Log("stdout: " + text) }}
		go shown.read(outR)
		if err := c.accept(ctx, listener, deadline); err != nil {
			return err
		}
	}
	go c.write()
	go c.read()
	return nil
}

// accept waits for the connection of the child.
func (c *Child) accept(ctx context.Context, listener net.Listener, deadline time.Time) error {
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-c.exited:
		case <-ctx.Done():
		case <-done:
		}
		_ = listener.Close()
	}()
	_ = listener.(*net.TCPListener).SetDeadline(deadline)
	conn, err := listener.Accept()
	if err == nil {
		c.input, c.output = conn, conn
		c.files = append(c.files, conn)
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	select {
	case <-c.exited:
		f := c.ended("it ended before it connected to the address in " + protocol.ConnectVar)
		f.Kind, f.Text = NoStart, c.name()+": "+f.Text
		return f
	default:
	}
	return &Fault{Kind: NoStart, Text: fmt.Sprintf("%s did not connect to the address in %s within %v", c.name(), protocol.ConnectVar, c.cfg.StartTimeout), Stderr: c.stderr.text()}
}

// maxPassed is the most lines before the answer to hello.
const maxPassed = 10000

// hello asks what the implementation is. Lines before the answer are passed over.
func (c *Child) hello(ctx context.Context, deadline time.Time) *Fault {
	c.send([]byte(`{"id":0,"op":"hello"}` + "\n"))
	c.next = 1
	passed := 0
	for {
		text, fault := c.line(ctx, time.Until(deadline), c.cfg.StartTimeout, "hello")
		if fault != nil {
			if passed > 0 && fault.Kind == Hang {
				fault.Text += fmt.Sprintf("; %d lines that are no answer were passed over", passed)
			}
			return fault
		}
		a, err := protocol.ParseAnswer(text)
		if err != nil {
			if passed++; passed > maxPassed {
				return c.garbled(fmt.Sprintf("over %d lines that are no answer are in place of the answer to hello, the last one: %v", maxPassed, err), text)
			}
			c.cfg.Log("passed over: " + clip(text))
			continue
		}
		garbled := func(text string) *Fault { return c.garbled(text, nil) }
		switch err := a.Check(protocol.Hello); {
		case err != nil:
			return garbled(err.Error())
		case a.Error != "":
			return garbled("hello is refused: " + a.Error)
		case a.Hello == nil:
			return garbled("hello is not supported: " + a.Unsupported)
		case a.ID != 0:
			return garbled(fmt.Sprintf(`the answer to hello has the "id" %d; the request has 0`, a.ID))
		}
		if err := a.Hello.Check(); err != nil {
			return garbled(err.Error())
		}
		c.About = *a.Hello
		return nil
	}
}

// hurried is the length of the longest request that a session that hurries gives less time.
const hurried = 1 << 12

// Send sends a request, whose ID it sets, without waiting. At most 1000 may be on
// their way.
func (c *Child) Send(r protocol.Request) error {
	r.ID = c.next
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("a request that is no JSON: %w", err)
	}
	c.next++
	c.waiting, c.sizes = append(c.waiting, r.ID), append(c.sizes, len(text))
	c.send(append(text, '\n'))
	return nil
}

func (c *Child) send(b []byte) {
	select {
	case c.requests <- b:
	case <-c.stop:
	}
}

// Waiting returns the number of requests without an answer.
func (c *Child) Waiting() int { return len(c.waiting) }

// Receive waits for the answer to the first request that has none. After a fault the
// child is gone, and each further call returns the same. An answer is one to its
// request, but need not make sense ([protocol.Answer.Check]). When the context ends,
// the child is gone, too, and its fault is of no kind.
func (c *Child) Receive(ctx context.Context) Reply {
	began := time.Now()
	a, fault := c.receive(ctx)
	if fault != nil {
		c.fault = fault
		c.Kill()
		fault.Stderr = c.stderr.text()
		fault.blame()
	}
	return Reply{Answer: a, Fault: fault, Took: time.Since(began)}
}

func (c *Child) receive(ctx context.Context) (protocol.Answer, *Fault) {
	if c.fault != nil {
		return protocol.Answer{}, c.fault
	}
	if len(c.waiting) == 0 {
		return protocol.Answer{}, &Fault{Text: "no request waits for an answer"}
	}
	wait := c.cfg.Timeout
	if c.hurry > 0 && c.sizes[0] <= hurried {
		wait = min(wait, c.hurry)
	}
	text, fault := c.line(ctx, wait, wait, "the request")
	if fault != nil {
		return protocol.Answer{}, fault
	}
	a, err := protocol.ParseAnswer(text)
	if err != nil {
		return a, c.garbled(err.Error(), text)
	}
	id := c.waiting[0]
	switch {
	case a.ID == id:
	case a.ID > id && a.ID <= c.waiting[len(c.waiting)-1]:
		return a, c.garbled(fmt.Sprintf("request %d is answered before request %d; answers come in the order of the requests", a.ID, id), text)
	case a.ID < id && a.ID >= 0:
		return a, c.garbled(fmt.Sprintf("request %d is answered a second time, or its id was given to the answer to request %d", a.ID, id), text)
	default:
		return a, c.garbled(fmt.Sprintf(`the "id" of the answer is %d; that of the request is %d`, a.ID, id), text)
	}
	c.waiting, c.sizes = c.waiting[1:], c.sizes[1:]
	return a, nil
}

func (c *Child) garbled(text string, line []byte) *Fault {
	return &Fault{Kind: Garbled, Text: text, Line: clip(line), Stderr: c.stderr.text()}
}

// clip shortens a line for reports.
func clip(line []byte) string {
	const most = 2000
	line = bytes.TrimRight(line, "\r\n")
	return strings.ToValidUTF8(interp.Clip(string(line[:min(len(line), 4*most+1)]), most), "\uFFFD")
}

// line waits for one line.
func (c *Child) line(ctx context.Context, wait, limit time.Duration, of string) ([]byte, *Fault) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	exited := c.exited
	var drained <-chan time.Time
	for {
		select {
		case l := <-c.lines:
			if l.err == nil {
				return l.text, nil
			}
			return nil, c.over(l)
		case <-exited:
			// Its last output is still to be read. The output may not end
			// where others have inherited it.
			exited, drained = nil, time.After(time.Second)
		case <-drained:
			return nil, c.over(line{})
		case <-timer.C:
			text := fmt.Sprintf("no answer to %s within %v", of, limit)
			if of == "hello" {
				text += "; is each answer flushed, and each request read as soon as its line ends?"
			}
			return nil, &Fault{Kind: Hang, Text: text, Stderr: c.stderr.text()}
		case <-ctx.Done():
			return nil, &Fault{Text: "stopped: " + ctx.Err().Error()}
		}
	}
}

// over explains why there are no more lines.
func (c *Child) over(l line) *Fault {
	if errors.Is(l.err, errLong) {
		return c.garbled(fmt.Sprintf("an answer of over %s", Size(int64(c.cfg.MaxAnswer))), l.text)
	}
	// The end of its output comes a moment before the end of the process.
	select {
	case <-c.exited:
	case <-time.After(time.Second):
		return &Fault{Kind: Crash, Text: "it closed its output and went on without answering", Stderr: c.stderr.text()}
	}
	if len(l.text) > 0 {
		f := c.ended("it ended in the middle of an answer")
		f.Line = clip(l.text)
		return f
	}
	return c.ended("it ended without an answer")
}

// ended is the fault of a process that is no more.
func (c *Child) ended(what string) *Fault {
	f := &Fault{Kind: Crash, Stderr: c.stderr.end()}
	if peak := c.peak.Load(); peak > 0 {
		f.Kind, f.Text = OutOfMemory, fmt.Sprintf("it was ended when it had %s of memory; %s are allowed", Size(peak), Size(c.cfg.Memory))
		return f
	}
	f.Text = what + " (" + exitText(c.state) + ")"
	return f.blame()
}

// exitText says how a process ended.
func exitText(err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "exit status 0"
	case errors.As(err, &exit):
		if text := signalText(exit); text != "" {
			return text
		}
		return fmt.Sprintf("exit status %d", exit.ExitCode())
	}
	return err.Error()
}

// write writes requests until there are no more.
func (c *Child) write() {
	for {
		select {
		case b := <-c.requests:
			if b == nil {
				if half, ok := c.input.(interface{ CloseWrite() error }); ok {
					_ = half.CloseWrite()
				} else {
					_ = c.input.Close()
				}
				return
			}
			if _, err := c.input.Write(b); err != nil {
				return // that it reads no more is found out by the answers
			}
		case <-c.stop:
			return
		}
	}
}

// read reads lines until there are no more.
func (c *Child) read() {
	r := bufio.NewReaderSize(c.output, 64<<10)
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		if len(text) > c.cfg.MaxAnswer {
			c.give(line{text[:min(len(text), 4<<10)], errLong})
			return
		}
		switch {
		case err == nil:
			if !c.give(line{text: text}) {
				return
			}
			text = nil
		case !errors.Is(err, bufio.ErrBufferFull):
			c.give(line{text, io.EOF})
			return
		}
	}
}

func (c *Child) give(l line) bool {
	select {
	case c.lines <- l:
		return true
	case <-c.stop:
		return false
	}
}

// watch ends the process when it takes too much memory.
func (c *Child) watch() {
	if !MeasuresMemory {
		return
	}
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	for {
		select {
		case <-c.exited:
			return
		case <-c.stop:
			return
		case <-tick.C:
			if n := memory(c.cmd.Process.Pid); n > c.cfg.Memory {
				c.peak.Store(n)
				killTree(c.cmd.Process.Pid)
				return
			}
		}
	}
}

// Kill ends the process and all that it has started.
func (c *Child) Kill() {
	c.stopping.Do(func() { close(c.stop) })
	if c.cmd != nil && c.cmd.Process != nil {
		select {
		case <-c.exited:
		default:
			killTree(c.cmd.Process.Pid)
			<-c.exited
		}
	}
	for _, f := range c.files {
		_ = f.Close()
	}
}

// Stop ends the input of the child and waits for its end. It returns nil if the
// process ends with exit status 0 in time and without another line, and else a Fault
// that says how it ended.
func (c *Child) Stop() *Fault {
	if c.fault != nil {
		return nil
	}
	defer c.Kill()
	c.send(nil)
	var more []byte
	deadline := time.Now().Add(c.cfg.EndTimeout)
	over := time.After(c.cfg.EndTimeout)
	exited := c.exited
	for open := true; open; {
		select {
		case l := <-c.lines:
			if len(l.text) > 0 && len(c.waiting) == 0 {
				more = l.text
			}
			open = l.err == nil
		case <-exited:
			exited, over = nil, time.After(time.Second) // until its output has been read
		case <-over:
			open = false
		}
	}
	select {
	case <-c.exited:
	case <-time.After(max(time.Until(deadline), time.Millisecond)):
		return &Fault{Kind: Hang, Text: fmt.Sprintf("it did not end within %v of the end of its input", c.cfg.EndTimeout), Stderr: c.stderr.text()}
	}
	switch {
	case c.state != nil:
		return c.ended("it did not end well at the end of its input")
	case more != nil:
		return c.garbled("it wrote a line that no request had asked for", more)
	}
	return nil
}

// Size prints a number of bytes for people, such as "1.5 GiB".
func Size(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	f, i := float64(n), 0
	for f >= 1024 && i < len(units)-1 {
		f /= 1024
		i++
	}
	if n == 1 {
		return "1 byte"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") + " " + units[i]
}
