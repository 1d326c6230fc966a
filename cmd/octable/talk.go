package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/octable/octable/cmd/octable/internal/peer"
	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// network declares the flags of commands that exchange packets.
type network struct {
	listen, connect string
	once            bool
	wait            time.Duration
	maxPeers        int
	maxFrame        int
	framed          string
	origins         []string
}

func (n *network) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&n.connect, "connect", "", "connect to the `ADDRESS` [SCHEME://]HOST:PORT; the scheme is tcp, udp, ws or wss, the default tcp")
	cmd.Flags().BoolVar(&n.once, "once", false, "end when the first peer leaves, instead of waiting for others")
	cmd.Flags().DurationVar(&n.wait, "wait", 0, "end when the input has ended and no packet has come for `TIME` (default never)")
	cmd.Flags().IntVar(&n.maxPeers, "max-peers", 16, "accept up to `N` peers at a time")
	cmd.Flags().IntVar(&n.maxFrame, "max-frame", godot.DefaultMaxFrame, "refuse packets of more than `N` bytes")
	cmd.Flags().StringArrayVar(&n.origins, "origin", nil, "let web pages of the `HOST` connect over WebSocket; it may have * in it")
}

// open listens or connects.
func (n *network) open(ctx context.Context, e *env) (*peer.Hub, error) {
	if (n.listen == "") == (n.connect == "") {
		return nil, fail(exitUsage, "give one of -listen and -connect, as in -listen :6007")
	}
	for _, x := range []struct {
		flag  string
		value int
	}{{"max-peers", n.maxPeers}, {"max-frame", n.maxFrame}} {
		if x.value < 1 {
			return nil, fail(exitUsage, "-%s is %d; it must be at least 1", x.flag, x.value)
		}
	}
	a, err := peer.Parse(n.listen + n.connect)
	if err != nil {
		return nil, fail(exitUsage, "%v", err)
	}
	if n.framed == "big" && a.Scheme != "tcp" {
		return nil, fail(exitUsage, "-framed is for tcp; a packet of %s is a message without a length", a.Scheme)
	}
	o := peer.Options{Big: n.framed == "big", MaxFrame: n.maxFrame, MaxPeers: n.maxPeers, Origins: n.origins}
	var h *peer.Hub
	if n.connect != "" {
		h, err = peer.Connect(ctx, a, o)
	} else if h, err = peer.Listen(a, o); err == nil {
		fmt.Fprintf(e.stderr, "octable: waiting for a peer at %s\n", h.Addr())
	}
	switch {
	case ctx.Err() != nil:
		return nil, errSaid
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fail(exitIO, "%s is in use by another program; end it, or choose another port", a)
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil, fail(exitIO, "nobody listens at %s; start the other side first, or use -listen here", a)
	case err != nil:
		return nil, fail(exitIO, "%s: %v", a, err)
	}
	return h, nil
}

// explain returns why a peer was lost, with the flag that changes it.
func (n *network) explain(err error) string {
	var frame *godot.FrameError
	var origin *peer.OriginError
	switch {
	case errors.As(err, &frame):
		return fmt.Sprintf("a length of %d at byte %d of its stream; check the order with -framed, raise -max-frame %d, or use ws:// if the peer speaks WebSocket", frame.Size, frame.Offset, frame.Max)
	case errors.Is(err, peer.ErrTooBig):
		return fmt.Sprintf("a message of more than %d bytes; raise -max-frame", n.maxFrame)
	case errors.Is(err, peer.ErrFull):
		return fmt.Sprintf("there %s, and more are not allowed; raise -max-peers", peersText(n.maxPeers))
	case errors.As(err, &origin):
		return fmt.Sprintf("%v; allow it with -origin HOST", err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it left in the middle of a packet"
	}
	return message(err)
}

func peersText(n int) string {
	if n == 1 {
		return "is 1 peer"
	}
	return fmt.Sprintf("are %d peers", n)
}

// conversation is a run of a command that exchanges packets.
type conversation struct {
	*env
	*network
	hub  *peer.Hub
	bad  bool   // something could not be read or sent
	seen string // the peer of the last packet

	packet func(peer string, b []byte) error // prints a packet; an error drops the peer
	line   func(text string) (quit bool)     // takes a line of input
	finish func()                            // takes the end of input
	ready  func() bool                       // whether a line can be taken; nil if it can while there are peers
	left   func(peer string)
}

// run exchanges packets and lines until a signal comes or the peers have left.
func (c *conversation) run(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	hub, err := c.open(ctx, c.env)
	if err != nil {
		return err
	}
	defer hub.Close()
	c.hub = hub
	lines := c.input(ctx)
	silence := time.NewTimer(time.Hour)
	defer silence.Stop()
	for {
		var quiet <-chan time.Time
		if c.wait > 0 && lines == nil {
			silence.Reset(c.wait)
			quiet = silence.C
		}
		taken := lines
		if hub.Peers() == 0 || c.ready != nil && !c.ready() {
			taken = nil
		}
		select {
		case <-ctx.Done():
			for range len(hub.Events()) { // what has come is printed
				if _, err := c.event(<-hub.Events()); err != nil {
					return err
				}
			}
			return c.end()
		case <-quiet:
			return c.end()
		case line, ok := <-taken:
			switch {
			case !ok:
				lines = nil
				c.finish()
			case line.err != nil:
				c.bad = true
				c.note("a line of input: %v; at most %d bytes are sent", line.err, maxLine)
			case c.line(line.text):
				return c.end()
			}
		case e := <-hub.Events():
			if end, err := c.event(e); err != nil || end {
				return cmp.Or(err, c.end())
			}
		}
		if err := c.stdout.Flush(); err != nil {
			return err
		}
	}
}

// event prints what happened at a peer, and reports whether that ends the command.
func (c *conversation) event(e peer.Event) (end bool, err error) {
	switch e.Kind {
	case peer.Packet:
		if c.seen != e.Peer && c.hub.Peers() > 1 {
			c.note("packets of %s:", e.Peer)
		}
		c.seen = e.Peer
		if err := c.packet(e.Peer, e.Packet); err != nil {
			c.complain(e.Peer, err)
			c.hub.Drop(e.Peer)
		}
	case peer.Joined:
		c.note("%s is connected", e.Peer)
	case peer.Refused:
		c.complain(e.Peer, e.Err)
	case peer.Left:
		if e.Err != nil {
			c.complain(e.Peer, e.Err)
		}
		c.note("%s has left", e.Peer)
		c.left(e.Peer)
		return c.once || c.connect != "", nil
	case peer.Failed:
		return true, fail(exitIO, "%v", e.Err)
	}
	return false, nil
}

// end returns how the command ends.
func (c *conversation) end() error {
	if err := c.stdout.Flush(); err != nil {
		return err
	}
	if c.bad {
		return refused()
	}
	return nil
}

// note prints what happened, after the output so far.
func (c *conversation) note(format string, args ...any) {
	_ = c.stdout.Flush()
	fmt.Fprintf(c.stderr, "octable: "+format+"\n", args...)
}

// complain prints an error about a peer.
func (c *conversation) complain(peer string, err error) {
	c.bad = true
	c.note("%s: %s", peer, c.explain(err))
}

// maxLine is the most bytes of a line of input that are sent.
const maxLine = 64 << 20

// inputLine is a line of input, or why there are no more.
type inputLine struct {
	text string
	err  error
}

// input returns the lines of input.
func (c *conversation) input(ctx context.Context) <-chan inputLine {
	lines := make(chan inputLine)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(c.stdin)
		s.Buffer(nil, maxLine)
		for next := true; next; {
			next = s.Scan()
			line := inputLine{s.Text(), s.Err()}
			if !next && line.err == nil {
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

type talkCommand struct {
	*env
	network
	target
	form      string
	maxErrors int

	conversation
	errors    map[string]int // of peers
	text      []byte         // lines of a value that is open
	split     splitter
	at, first int // the number of the last line, and of the first one of the value
}

func (e *env) talkCommand() *cobra.Command {
	c := &talkCommand{env: e, errors: map[string]int{}}
	cmd := &cobra.Command{
		Use:   "talk [FLAG…]",
		Short: "Exchange values with a running program over TCP, UDP or WebSocket",
		Long:  talkLong,
		Example: `octable talk -listen :6007
octable talk -connect ws://127.0.0.1:9080/game -format json
echo '[1, 2]' | octable talk -connect udp://127.0.0.1:4433 -wait 1s`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run() },
	}
	c.target.flags(cmd)
	c.target.options(cmd, true)
	cmd.Flags().StringVar(&c.listen, "listen", "", "wait for peers at the `ADDRESS` [SCHEME://][HOST]:PORT; the host is 127.0.0.1 if it is left out")
	c.network.flags(cmd)
	choose(cmd, &c.framed, "framed", "the `ORDER` of the length before each packet of TCP: little, or big for streams with big_endian", "little", "little", "big")
	choose(cmd, &c.form, "format", "print and read values as `FORM`: text or json", "text", "text", "json")
	cmd.Flags().IntVar(&c.maxErrors, "max-errors", 20, "drop a peer after `N` packets that cannot be read; 0 is no limit")
	return cmd
}

func (c *talkCommand) run() error {
	c.target.opt.MaxFrame = max(c.maxFrame, 0)
	if err := c.load(); err != nil {
		return err
	}
	c.split.mark = c.mark()
	c.conversation = conversation{env: c.env, network: &c.network, packet: c.print, line: c.send, finish: c.finish, left: func(p string) { delete(c.errors, p) }}
	return c.conversation.run(context.Background())
}

// mark returns the characters that begin a comment in lines of input.
func (c *talkCommand) mark() string {
	if c.form == "json" {
		return ""
	}
	return c.comments()
}

// print prints the value of a packet. An error is the last one that the peer may make.
func (c *talkCommand) print(from string, b []byte) error {
	v, used, err := c.codec.Decode(b)
	var out []byte
	if err == nil {
		if c.form == "json" {
			out, err = c.codec.AppendJSON(nil, v)
		} else {
			out, err = c.codec.AppendText(nil, v, "")
		}
	}
	if err != nil {
		c.errors[from]++
		if c.maxErrors > 0 && c.errors[from] >= c.maxErrors {
			return fmt.Errorf("%w; it is dropped after %s, which -max-errors changes", err, count(c.errors[from], "error", "errors"))
		}
		c.complain(from, err)
		return nil
	}
	_, _ = c.stdout.Write(append(out, '\n'))
	if left := len(b) - used; left > 0 {
		c.note("warning: %s: %s after the value, from byte %d on", from, count(left, "byte is left over", "bytes are left over"), used)
	}
	return nil
}

// send sends the value in lines of input to all peers.
func (c *talkCommand) send(line string) bool {
	c.at++
	if len(c.text) == 0 {
		c.first = c.at
	}
	c.text = append(c.text, line...)
	c.text = append(c.text, '\n')
	if c.split.line(line + "\n") {
		return false
	}
	c.finish()
	return false
}

// finish sends the value in the lines so far.
func (c *talkCommand) finish() {
	text, begun := string(bytes.TrimSpace(c.text)), c.split.begun
	c.text, c.split = c.text[:0], splitter{mark: c.split.mark}
	if !begun {
		return
	}
	var v codec.Value
	var err error
	if c.form == "json" {
		v, err = c.codec.ParseJSON([]byte(text))
	} else {
		v, err = c.codec.ParseText(text)
	}
	var packet []byte
	if err == nil {
		packet, err = c.codec.Encode(v)
	}
	if err == nil && len(packet) > c.maxFrame {
		err = fmt.Errorf("the packet has %d bytes, and -max-frame allows %d", len(packet), c.maxFrame)
	}
	if err == nil {
		_, err = c.hub.Send("", packet)
	}
	if err != nil {
		c.bad = true
		c.note("%s", message(textErrorAt(err, c.first)))
	}
}
