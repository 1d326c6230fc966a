package peer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/octable/octable/interp"
)

// TextMessage is the error of a WebSocket message that is text and not a packet.
type TextMessage struct{ Text string }

// Error returns the beginning of the text, and the functions that send packets.
func (e *TextMessage) Error() string {
	return fmt.Sprintf("a text message, %q; packets are binary messages, which put_packet and put_var send", interp.Clip(e.Text, interp.MaxClip))
}

// OriginError is the error of a web page of another host.
type OriginError struct{ Origin string }

// Error returns the origin of the page.
func (e *OriginError) Error() string {
	return fmt.Sprintf("a page of %q is not allowed to connect", e.Origin)
}

// socket is a WebSocket connection.
type socket struct {
	conn *websocket.Conn
	stop context.Context
	end  context.CancelFunc
}

func (h *Hub) socket(c *websocket.Conn) *socket {
	c.SetReadLimit(int64(h.opt.MaxFrame))
	s := &socket{conn: c}
	s.stop, s.end = context.WithCancel(context.Background())
	return s
}

func (s *socket) read() ([]byte, error) {
	kind, b, err := s.conn.Read(s.stop)
	switch {
	case err == nil && kind == websocket.MessageText:
		return nil, &TextMessage{string(b)}
	case errors.Is(err, websocket.ErrMessageTooBig):
		return nil, ErrTooBig
	case websocket.CloseStatus(err) == websocket.StatusNormalClosure, websocket.CloseStatus(err) == websocket.StatusGoingAway, errors.Is(err, io.EOF), s.stop.Err() != nil:
		return nil, io.EOF
	}
	return b, err
}

func (s *socket) write(packet []byte) error {
	ctx, cancel := context.WithTimeout(s.stop, patience)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageBinary, packet)
}

// farewell is how long a peer may take to answer that the connection is closed.
const farewell = 300 * time.Millisecond

func (s *socket) close() {
	late := time.AfterFunc(farewell, func() { _ = s.conn.CloseNow() })
	defer late.Stop()
	_ = s.conn.Close(websocket.StatusGoingAway, "")
	s.end()
}

func (h *Hub) dialWebSocket(ctx context.Context, a Address) (conn, error) {
	c, _, err := websocket.Dial(ctx, (&url.URL{Scheme: a.Scheme, Host: a.Host}).String()+a.Path, nil)
	if err != nil {
		return nil, err
	}
	return h.socket(c), nil
}

func (h *Hub) listenWebSocket(a Address) error {
	l, err := net.Listen("tcp", a.Host)
	if err != nil {
		return err
	}
	h.addr = "ws://" + l.Addr().String() + strings.TrimSuffix(a.Path, "/")
	server := &http.Server{
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.accept(a.Path, w, r) }),
		ReadHeaderTimeout: patience,
		IdleTimeout:       patience,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	h.closeLater(server)
	h.work.Go(func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			h.emit(Event{Kind: Failed, Err: err})
		}
	})
	return nil
}

// accept makes a request a peer.
func (h *Hub) accept(want string, w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, err error) {
		http.Error(w, err.Error(), status)
		h.emit(Event{Kind: Refused, Peer: r.RemoteAddr, Err: err})
	}
	origin := r.Header.Get("Origin")
	switch {
	case want != "/" && r.URL.Path != want:
		refuse(http.StatusNotFound, fmt.Errorf("it asks for the path %.80q, and the address has %q", r.URL.Path, want))
		return
	case origin != "" && !h.allows(origin, r.Host):
		refuse(http.StatusForbidden, &OriginError{origin})
		return
	}
	o := &websocket.AcceptOptions{InsecureSkipVerify: true} // checked above
	if wanted, _, _ := strings.Cut(r.Header.Get("Sec-WebSocket-Protocol"), ","); wanted != "" {
		o.Subprotocols = []string{strings.TrimSpace(wanted)} // packets are the same in all
	}
	c, err := websocket.Accept(w, r, o)
	if err != nil {
		h.emit(Event{Kind: Refused, Peer: r.RemoteAddr, Err: err})
		return
	}
	h.join(r.RemoteAddr, h.socket(c))
}

// allows reports whether pages of an origin may connect: those of the same host, and those that a pattern matches.
func (h *Hub) allows(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	if strings.EqualFold(u.Host, host) {
		return true
	}
	for _, pattern := range h.opt.Origins {
		if ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(u.Host)); err == nil && ok {
			return true
		}
	}
	return false
}
