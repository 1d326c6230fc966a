package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// client is an editor: it talks with a server over a pipe.
type client struct {
	t      *testing.T
	conn   *jsonrpc2.Conn
	dir    string
	mu     sync.Mutex
	wrong  map[string]publishDiagnosticsParams // what was published last, by URI
	told   chan struct{}
	served chan error
	texts  map[string]string // of the open documents
}

// start begins a conversation in a folder with the given files.
func start(t *testing.T, files map[string]string) *client {
	t.Helper()
	c := &client{t: t, dir: t.TempDir(), wrong: map[string]publishDiagnosticsParams{}, told: make(chan struct{}, 1), served: make(chan error, 1), texts: map[string]string{}}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	here, there := net.Pipe()
	go func() { c.served <- Serve(context.Background(), there) }()
	c.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(here, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(
		func(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
			if req.Method == "textDocument/publishDiagnostics" {
				var p publishDiagnosticsParams
				if err := json.Unmarshal(*req.Params, &p); err != nil {
					t.Error(err)
				}
				c.mu.Lock()
				c.wrong[p.URI] = p
				c.mu.Unlock()
				select {
				case c.told <- struct{}{}:
				default:
				}
			}
			return nil, nil
		}))
	t.Cleanup(func() { _ = c.conn.Close() })
	var result initializeResult
	if err := c.call("initialize", map[string]any{"capabilities": map[string]any{}, "processId": nil, "rootUri": nil}, &result); err != nil {
		t.Fatal(err)
	}
	if result.ServerInfo.Name != "octable" || result.Capabilities.PositionEncoding != "utf-16" {
		t.Errorf("%+v", result)
	}
	c.notify("initialized", map[string]any{})
	return c
}

func (c *client) call(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return c.conn.Call(ctx, method, params, result)
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) uri(name string) string {
	return (&snapshot{docs: map[string]*document{}}).uriOf(filepath.Join(c.dir, name))
}

func (c *client) open(name, text string) {
	c.texts[name] = text
	c.notify("textDocument/didOpen", didOpenParams{textDocument{URI: c.uri(name), Version: 1, Text: text}})
}

// diagnostics waits for the diagnostics of a version of a document.
func (c *client) diagnostics(name string, version int) []diagnostic {
	c.t.Helper()
	limit := time.After(30 * time.Second)
	for {
		c.mu.Lock()
		p, ok := c.wrong[c.uri(name)]
		c.mu.Unlock()
		if ok && p.Version == version {
			return p.Diagnostics
		}
		select {
		case <-c.told:
		case <-limit:
			c.t.Fatalf("nothing is told of %s", name)
		}
	}
}

// at returns the position of the n-th place of a text, from 1. The character ¦ in the text marks the
// position, and is not part of the text.
func (c *client) at(name, mark string, n int) positionParams {
	c.t.Helper()
	before, after, ok := strings.Cut(mark, "¦")
	if !ok {
		before, after = "", mark
	}
	source := c.texts[name]
	at := 0
	for ; n > 0; n-- {
		i := strings.Index(source[at:], before+after)
		if i < 0 {
			c.t.Fatalf("%q is not in %s so often", before+after, name)
		}
		at += i + 1
	}
	return positionParams{textDocument{URI: c.uri(name)}, newText(source, false).position(at - 1 + len(before))}
}

// where is a place as file, line and the text at that place.
func (c *client) where(l location) string {
	name := filepath.Base(fileName(l.URI))
	text, err := os.ReadFile(fileName(l.URI))
	if err != nil {
		c.t.Fatal(err)
	}
	t := newText(string(text), false)
	return fmt.Sprintf("%s:%d %s", name, l.Range.Start.Line+1, t.s[t.offset(l.Range.Start):t.offset(l.Range.End)])
}
