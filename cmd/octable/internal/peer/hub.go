// Package peer exchanges packets with other programs: over TCP as PacketPeerStream does, over UDP, and over WebSocket.
package peer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// patience is how long a peer may take to accept a packet, or to connect.
const patience = 10 * time.Second

// Options are the choices of a hub.
type Options struct {
	Big      bool     // lengths have the highest byte first; TCP only
	MaxFrame int      // bytes of a packet
	MaxPeers int      // at the same time
	Origins  []string // patterns of hosts whose pages may connect; WebSocket only
	Schema   *codec.Codec
}

// Kind is a kind of event.
type Kind uint8

const (
	Joined  Kind = iota // a peer is connected
	Packet              // a packet came from a peer
	Left                // a peer has left; Err is nil if it did between packets
	Refused             // a peer was not accepted because of Err
	Failed              // the hub receives nothing any more because of Err
)

// Event is an event at a peer.
type Event struct {
	Kind   Kind
	Peer   string // its address
	Packet []byte
	Err    error
}

// ErrFull says that there are as many peers as are allowed. ErrTooBig says that a message has more bytes than
// are allowed.
var (
	ErrFull   = errors.New("too many peers")
	ErrTooBig = errors.New("a message is too big")
)

// conn is a connection to a peer.
type conn interface {
	read() ([]byte, error) // valid until the next call
	write(packet []byte) error
	close()
}

// Hub is connected to any number of peers. Its events come from one channel. Methods are for one goroutine at a time.
type Hub struct {
	opt    Options
	events chan Event
	done   chan struct{} // closed with the hub
	end    sync.Once
	work   sync.WaitGroup
	addr   string

	mu      sync.Mutex
	peers   []*member
	closers []io.Closer
}

// member is a peer of a hub.
type member struct {
	name string
	conn conn
}

func newHub(o Options) *Hub {
	if o.Schema == nil {
		o.Schema = codec.MustLoad("godot-4")
	}
	if c, err := o.Schema.With(codec.Options{MaxFrame: o.MaxFrame}); err == nil {
		o.Schema = c
	}
	return &Hub{opt: o, events: make(chan Event, 64), done: make(chan struct{})}
}

// Listen returns a hub that waits for peers at an address.
func Listen(a Address, o Options) (*Hub, error) {
	h := newHub(o)
	var err error
	switch a.Scheme {
	case "tcp":
		err = h.listenTCP(a)
	case "udp":
		err = h.listenUDP(a)
	case "ws":
		err = h.listenWebSocket(a)
	default:
		err = fmt.Errorf("%s cannot be listened on; listen on ws:// behind a proxy that has the certificate", a)
	}
	if err != nil {
		return nil, err
	}
	return h, nil
}

// Connect returns a hub with one peer.
func Connect(ctx context.Context, a Address, o Options) (*Hub, error) {
	h := newHub(o)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var c conn
	var err error
	switch a.Scheme {
	case "tcp":
		var n net.Conn
		if n, err = new(net.Dialer).DialContext(ctx, "tcp", a.Host); err == nil {
			c = h.stream(n)
		}
	case "udp":
		var n net.Conn
		if n, err = new(net.Dialer).DialContext(ctx, "udp", a.Host); err == nil {
			c = &datagrams{conn: n}
		}
	default:
		c, err = h.dialWebSocket(ctx, a)
	}
	if err != nil {
		return nil, err
	}
	h.addr = a.String()
	h.join(a.Host, c)
	return h, nil
}

// Addr returns the address of the hub, with the port that the system chose.
func (h *Hub) Addr() string { return h.addr }

// Events returns the channel of events. It is never closed.
func (h *Hub) Events() <-chan Event { return h.events }

// emit sends an event, and reports false if the hub is closed.
func (h *Hub) emit(e Event) bool {
	select {
	case h.events <- e:
		return true
	case <-h.done:
		return false
	}
}

// add makes a connection a peer, unless there are too many.
func (h *Hub) add(name string, c conn) (*member, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.done:
		return nil, false
	default:
	}
	if len(h.peers) >= h.opt.MaxPeers {
		return nil, false
	}
	m := &member{name, c}
	h.peers = append(h.peers, m)
	return m, true
}

func (h *Hub) remove(m *member) {
	h.mu.Lock()
	h.peers = slices.DeleteFunc(h.peers, func(x *member) bool { return x == m })
	h.mu.Unlock()
}

// join reads the packets of a connection until it ends.
func (h *Hub) join(name string, c conn) {
	m, ok := h.add(name, c)
	if !ok {
		h.emit(Event{Kind: Refused, Peer: name, Err: ErrFull})
		c.close()
		return
	}
	h.work.Go(func() {
		defer c.close()
		if !h.emit(Event{Kind: Joined, Peer: name}) {
			return
		}
		for {
			b, err := c.read()
			if err != nil {
				if h.remove(m); err == io.EOF || errors.Is(err, net.ErrClosed) {
					err = nil
				}
				h.emit(Event{Kind: Left, Peer: name, Err: err})
				return
			}
			if !h.emit(Event{Kind: Packet, Peer: name, Packet: slices.Clone(b)}) {
				return
			}
		}
	})
}

// Peers returns the number of peers.
func (h *Hub) Peers() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.peers)
}

// Send sends a packet to the peer of a name, or to all peers if the name is "". It returns the number of peers that
// took it. A peer that does not take it is dropped; the error says why.
func (h *Hub) Send(peer string, packet []byte) (sent int, err error) {
	h.mu.Lock()
	peers := slices.Clone(h.peers)
	h.mu.Unlock()
	for _, m := range peers {
		if peer != "" && peer != m.name {
			continue
		}
		if failed := m.conn.write(packet); failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", m.name, failed))
			m.conn.close()
			continue
		}
		sent++
	}
	return sent, err
}

// Drop closes the connection to a peer.
func (h *Hub) Drop(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.peers {
		if m.name == name {
			m.conn.close()
		}
	}
}

// Close ends all connections and waits for their goroutines.
func (h *Hub) Close() {
	h.end.Do(func() {
		close(h.done)
		h.mu.Lock()
		for _, c := range h.closers {
			_ = c.Close()
		}
		for _, m := range h.peers {
			h.work.Go(m.conn.close)
		}
		h.mu.Unlock()
		h.work.Wait()
	})
}

// closeLater closes something with the hub.
func (h *Hub) closeLater(c io.Closer) {
	h.mu.Lock()
	h.closers = append(h.closers, c)
	h.mu.Unlock()
}

// stream is a TCP connection.
type stream struct {
	conn net.Conn
	d    *godot.Decoder
	e    *godot.Encoder
	mu   sync.Mutex
}

func (h *Hub) stream(n net.Conn) *stream {
	s := &stream{conn: n, d: godot.NewDecoder(h.opt.Schema, n), e: godot.NewEncoder(h.opt.Schema, n)}
	s.d.SetBigEndian(h.opt.Big)
	s.e.SetBigEndian(h.opt.Big)
	return s
}

func (s *stream) read() ([]byte, error) { return s.d.ReadFrame() }

func (s *stream) write(packet []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.conn.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	return s.e.WriteFrame(packet)
}

func (s *stream) close() { _ = s.conn.Close() }

func (h *Hub) listenTCP(a Address) error {
	l, err := net.Listen("tcp", a.Host)
	if err != nil {
		return err
	}
	h.addr = "tcp://" + l.Addr().String()
	h.closeLater(l)
	h.work.Go(func() {
		for {
			n, err := l.Accept()
			if err != nil {
				h.emit(Event{Kind: Failed, Err: err})
				return
			}
			h.join(n.RemoteAddr().String(), h.stream(n))
		}
	})
	return nil
}
