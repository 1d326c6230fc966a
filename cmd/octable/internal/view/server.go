//go:build !js

// The back end over HTTP, on the loopback interface.

package view

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"time"
)

// The bundled page. `go generate` makes it of web/src.
//
//go:generate go -C bundle run .
//go:embed web/dist
var dist embed.FS

// policy is the content security policy of the page. The style sheet and the scripts are files; elements are
// positioned through the object model, which it allows.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// CallTime is the most time of a call if nothing else is configured.
const CallTime = 20 * time.Second

// Config configures a [Server].
type Config struct {
	Address  string        // a loopback address, such as 127.0.0.1:0 for any free port
	Start    StartParams   // the files that the page opens
	CallTime time.Duration // the most time of a call
	Command  []string      // a program that runs [Work], with its arguments
}

// Server serves the page and answers its calls.
type Server struct {
	listener net.Listener
	token    string
	calls    *calls
	files    fs.FS
	start    *StartParams
}

// Listen returns a server.
func Listen(c Config) (*Server, error) {
	address := c.Address
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%s is no address; write HOST:PORT, such as 127.0.0.1:0", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("%s is not a loopback address; the page would be open to other machines", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	files, err := fs.Sub(dist, "web/dist")
	if err != nil {
		return nil, err
	}
	var token [16]byte
	_, _ = rand.Read(token[:]) // it does not fail
	return &Server{l, base64.RawURLEncoding.EncodeToString(token[:]), &calls{command: c.Command, time: c.CallTime}, files, &c.Start}, nil
}

// Address returns the address of the page, with the token.
func (s *Server) Address() string {
	return "http://" + s.listener.Addr().String() + "/" + s.token + "/"
}

// Serve answers requests until the context ends.
func (s *Server) Serve(ctx context.Context) error {
	h := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() { _ = h.Close() })
	defer stop()
	defer s.calls.end(nil)
	if err := h.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP answers a request. Requests without the token, for another host or from another page are refused.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	name, ok := strings.CutPrefix(r.URL.Path, "/"+s.token+"/")
	own := s.listener.Addr().String()
	switch origin := r.Header.Get("Origin"); {
	case r.Host != own:
		http.Error(w, "the host is not that of the page", http.StatusMisdirectedRequest)
	case !ok:
		http.NotFound(w, r)
	case origin != "" && origin != "http://"+own, r.Header.Get("Sec-Fetch-Site") == "cross-site":
		http.Error(w, "another page may not ask this one", http.StatusForbidden)
	case strings.HasPrefix(name, "api/"):
		s.api(w, r, strings.TrimPrefix(name, "api/"))
	default:
		s.file(w, r, name)
	}
}

// file serves a file of the page.
func (s *Server) file(w http.ResponseWriter, r *http.Request, name string) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "files are read only", http.StatusMethodNotAllowed)
		return
	}
	if name == "" {
		name = "index.html"
	}
	b, err := fs.ReadFile(s.files, path.Clean(name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	if name == "index.html" {
		seconds := fmt.Sprintf(callTimeMeta, int((s.calls.time+grace)/time.Second)+callMargin)
		b = []byte(strings.NewReplacer(wasmBackEnd, httpBackEnd, fmt.Sprintf(callTimeMeta, int(CallTime/time.Second)), seconds).Replace(string(b)))
	}
	w.Header().Set("Content-Type", typeOf(name))
	_, _ = w.Write(b)
}

// The back end of the page is in its head. The files are those of the static page.
const (
	wasmBackEnd = `<meta name="back-end" content="wasm">`
	httpBackEnd = `<meta name="back-end" content="http">`
)

// The most seconds of a call are in the head, too. In this page they are some more than those after which the
// server ends a call.
const (
	callTimeMeta = `<meta name="call-time" content="%d">`
	callMargin   = 3
)

// typeOf returns the type of a file, which does not depend on the machine.
func typeOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".wasm":
		return "application/wasm"
	}
	return "application/octet-stream"
}

// maxRequest is the most bytes of a request: those of a packet in base64.
const maxRequest = MaxPacket/3*4 + 1<<20

// api answers a call.
func (s *Server) api(w http.ResponseWriter, r *http.Request, method string) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.Method != http.MethodPost || kind != "application/json" {
		http.Error(w, "calls are POST requests with JSON", http.StatusMethodNotAllowed)
		return
	}
	params, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		http.Error(w, "the request is too large", http.StatusRequestEntityTooLarge)
		return
	}
	var result json.RawMessage
	if method == "start" {
		result, err = json.Marshal(s.start)
	} else {
		result, err = s.calls.call(method, params)
	}
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{Code: "internal", Message: err.Error()}
		}
		w.WriteHeader(http.StatusUnprocessableEntity)
		result, _ = json.Marshal(e)
	}
	_, _ = w.Write(result)
}
