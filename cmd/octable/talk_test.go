package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestTalk lets two commands talk to each other, in each form and over each kind of connection.
func TestTalk(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{"tcp", "udp", "ws"} {
		for _, flags := range [][]string{{"-format", "text"}, {"-format", "json", "-spec", "godot-3"}, {"-framed=big"}} {
			if len(flags) == 1 && scheme != "tcp" {
				continue
			}
			t.Run(scheme+strings.Join(flags, ""), func(t *testing.T) {
				t.Parallel()
				server := startTalker(t, strings.NewReader("\"first\"\n\n[1,\n2]\n"), append([]string{"talk", "-listen", scheme + "://:0", "-once", "-wait", "3s"}, flags...)...)
				client := startTalker(t, strings.NewReader("{\"a\": 5}\n"), append([]string{"talk", "-connect", server.addr, "-wait", "2s"}, flags...)...)
				if code := client.wait(t); code != exitOK || strings.ReplaceAll(client.out.String(), " ", "") != "\"first\"\n[1,2]\n" {
					t.Errorf("client: exit %d %s %s", code, &client.out, &client.errs)
				}
				code := server.wait(t)
				if got := strings.ReplaceAll(server.out.String(), " ", ""); code != exitOK || got != "{\"a\":5}\n" {
					t.Errorf("server: exit %d %s %s", code, got, &server.errs)
				}
			})
		}
	}
}

// interrupt ends the commands of this process that exchange packets, as a signal does.
func interrupt(t *testing.T) {
	t.Helper()
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Signal(syscall.SIGTERM)
	}
	if err != nil {
		t.Skip("this system cannot send signals:", err)
	}
}

// TestTalkHostile sends bytes that no peer should send. The peer is dropped or the packet refused with the flag or function that
// helps, and the next peer is served.
func TestTalkHostile(t *testing.T) {
	server := startTalker(t, strings.NewReader(""), "talk", "-listen", ":0", "-max-errors", "2", "-max-frame", "1000")
	address := strings.TrimPrefix(server.addr, "tcp://")
	bad := []byte{4, 0, 0, 0, 0xff, 0, 0, 0}
	good := []byte{8, 0, 0, 0, 2, 0, 0, 0, 42, 0, 0, 0}
	for _, b := range [][]byte{[]byte("GET / HTTP/1.1\r\n\r\n"), {0xff, 0xff, 0xff, 0xff}, {8, 0, 0, 0, 2}, append(bytes.Clone(bad), bad...), append(bytes.Clone(bad), good...),
		{12, 0, 0, 0, 2, 0, 0, 0, 42, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0}} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write(b); err != nil {
			t.Fatal(err)
		}
		_ = conn.(*net.TCPConn).CloseWrite() // it may be closed already
		if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, conn) // until the command closes its end
		_ = conn.Close()
	}
	interrupt(t)
	if code := server.wait(t); code != exitRefused {
		t.Errorf("exit %d, want %d", code, exitRefused)
	}
	if got := server.out.String(); got != "42\n42\n" && got != "42\n42\nnull\n" {
		t.Errorf("printed %q", got)
	}
	for _, want := range []string{"a length of 542393671 at byte 0 of its stream; check the order with -framed, raise -max-frame 1000, or use ws://", "a length of 4294967295",
		"it left in the middle of a packet", "it is dropped after 2 errors, which -max-errors changes", "4 bytes are left over after the value, from byte 8 on"} {
		if !strings.Contains(server.errs.String(), want) {
			t.Errorf("no message %q in\n%s", want, &server.errs)
		}
	}
}

// TestTalkWebSocket refuses pages of other hosts, other paths and text messages.
func TestTalkWebSocket(t *testing.T) {
	server := startTalker(t, strings.NewReader(""), "talk", "-listen", "ws://:0/game", "-origin", "*.example.com", "-max-frame", "100", "-max-peers", "1")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	dial := func(url, origin string) (*websocket.Conn, error) {
		o := &websocket.DialOptions{Subprotocols: []string{"binary"}, HTTPHeader: http.Header{}}
		if origin != "" {
			o.HTTPHeader.Set("Origin", origin)
		}
		c, _, err := websocket.Dial(ctx, url, o)
		return c, err
	}
	if _, err := dial(server.addr, "http://evil.test"); err == nil {
		t.Error("a page of another host was let in")
	}
	if _, err := dial(strings.TrimSuffix(server.addr, "game")+"other", ""); err == nil {
		t.Error("another path was let in")
	}
	sent := 0
	send := func(kind websocket.MessageType, text string) {
		t.Helper()
		c, err := dial(server.addr, "http://play.example.com")
		if err != nil {
			t.Fatal(err)
		}
		sent++
		server.saw(t, "is connected", sent) // so that it is the one peer
		if c.Subprotocol() != "binary" {
			t.Errorf("subprotocol %q", c.Subprotocol())
		}
		if err := c.Write(ctx, kind, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if kind == websocket.MessageBinary && len(text) < 100 {
			other, err := dial(server.addr, "")
			if err == nil {
				_, _, err = other.Read(ctx)
			}
			if err == nil {
				t.Error("there are two peers")
			}
			_ = c.Close(websocket.StatusNormalClosure, "")
			return
		}
		_, _, _ = c.Read(ctx) // until it is dropped
		_ = c.CloseNow()
	}
	for i, m := range []string{"{}", strings.Repeat("x", 200), "\x02\x00\x00\x00\x2a\x00\x00\x00"} {
		kind := websocket.MessageBinary
		if m == "{}" {
			kind = websocket.MessageText
		}
		send(kind, m)
		server.saw(t, "has left", i+1)
	}
	interrupt(t)
	if code := server.wait(t); code != exitRefused || server.out.String() != "42\n" {
		t.Errorf("exit %d, printed %s", code, &server.out)
	}
	for _, want := range []string{`a page of "http://evil.test" is not allowed to connect; allow it with -origin HOST`, "it asks for the path", "put_packet and put_var send",
		"a message of more than 100 bytes; raise -max-frame", "there is 1 peer, and more are not allowed; raise -max-peers"} {
		if !strings.Contains(server.errs.String(), want) {
			t.Errorf("no message %q in\n%s", want, &server.errs)
		}
	}
}

// TestTalkUsage gives faulty command lines and lines of input, and looks for the fault in each message.
func TestTalkUsage(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	free := freePort(t)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"talk"}, exitUsage, "give one of -listen and -connect, as in -listen :6007"},
		{[]string{"talk", "-listen", ":1", "-connect", ":2"}, exitUsage, "give one of"},
		{[]string{"talk", "-listen", "localhost"}, exitUsage, `"localhost" is no address; it is HOST:PORT`},
		{[]string{"talk", "-listen", ":70000"}, exitUsage, "with a port of 0 to 65535"},
		{[]string{"talk", "-listen", "http://:80"}, exitUsage, `"http" is no kind of address; it is one of tcp, udp, ws and wss`},
		{[]string{"talk", "-listen", "wss://:0"}, exitIO, "listen on ws:// behind a proxy"},
		{[]string{"talk", "-listen", "udp://:0", "-framed=big"}, exitUsage, "-framed is for tcp"},
		{[]string{"talk", "-listen", ":0", "-max-peers", "0"}, exitUsage, "-max-peers is 0; it must be at least 1"},
		{[]string{"talk", "-listen", ":0", "-max-frame", "-1"}, exitUsage, "-max-frame is -1"},
		{[]string{"talk", "-listen", l.Addr().String()}, exitIO, "is in use by another program"},
		{[]string{"talk", "-connect", ":" + free}, exitIO, "nobody listens at tcp://127.0.0.1:" + free},
		{[]string{"talk", "-connect", "ws://:" + free}, exitIO, "nobody listens at ws://127.0.0.1:" + free},
		{[]string{"talk", "-spec", "godot4", "-listen", ":0"}, exitUsage, "did you mean godot-4?"},
	} {
		var out, errs bytes.Buffer
		if code := run(c.args, strings.NewReader(""), &out, &errs); code != c.code || !strings.Contains(errs.String(), c.want) {
			t.Errorf("octable %s: exit %d %s; want %d %q", strings.Join(c.args, " "), code, &errs, c.code, c.want)
		}
	}
	server := startTalker(t, strings.NewReader(""), "talk", "-listen", ":0", "-once")
	client := startTalker(t, strings.NewReader("; a comment\n[1\n}\n5 x\n{\"a\": [1,\n2]}\n[\n"), "talk", "-connect", server.addr, "-wait", "2s")
	if code := client.wait(t); code != exitRefused {
		t.Errorf("exit %d", code)
	}
	for _, want := range []string{"octable: 3:1: ", "octable: 4:3: ", "octable: 7:2: "} {
		if !strings.Contains(client.errs.String(), want) {
			t.Errorf("no %q in\n%s", want, &client.errs)
		}
	}
	if code := server.wait(t); code != exitOK || server.out.String() != "{\"a\": [1, 2]}\n" {
		t.Errorf("exit %d %s", code, fmt.Sprint(&server.out))
	}
}
