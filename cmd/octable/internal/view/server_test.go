package view

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// worker returns the command that runs this test as the process of a server.
func worker(t *testing.T) []string {
	t.Setenv("OCTABLE_VIEW_WORK", "1")
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{own}
}

func TestMain(m *testing.M) {
	if os.Getenv("OCTABLE_VIEW_WORK") != "" {
		if err := Work(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serve starts a server for the test.
func serve(t *testing.T, start StartParams) *Server {
	t.Helper()
	s, err := Listen(Config{Address: "127.0.0.1:0", Start: start, CallTime: CallTime, Command: worker(t)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

// Requests without the token, for another host, or from another page are refused.
func TestServerRefuses(t *testing.T) {
	s := serve(t, StartParams{})
	own := s.listener.Addr().String()
	for _, c := range []struct {
		name, method, path string
		change             func(*http.Request)
		status             int
	}{
		{"page", "GET", "/" + s.token + "/", nil, 200},
		{"script", "GET", "/" + s.token + "/main.js", nil, 200},
		{"call", "POST", "/" + s.token + "/api/schemas", nil, 200},
		{"own origin", "POST", "/" + s.token + "/api/schemas", func(r *http.Request) { r.Header.Set("Origin", "http://"+own) }, 200},
		{"no token", "POST", "/api/schemas", nil, 404},
		{"wrong token", "POST", "/" + strings.Repeat("A", len(s.token)) + "/api/schemas", nil, 404},
		{"rebound host", "POST", "/" + s.token + "/api/schemas", func(r *http.Request) { r.Host = "example.com" }, 421},
		{"other origin", "POST", "/" + s.token + "/api/schemas", func(r *http.Request) { r.Header.Set("Origin", "http://example.com") }, 403},
		{"opaque origin", "POST", "/" + s.token + "/api/schemas", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		{"cross-site", "POST", "/" + s.token + "/api/schemas", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		{"form", "POST", "/" + s.token + "/api/schemas", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 405},
		{"get of a call", "GET", "/" + s.token + "/api/schemas", nil, 405},
		{"outside", "GET", "/" + s.token + "/../server.go", nil, 404},
		{"unknown method", "POST", "/" + s.token + "/api/nothing", nil, 422},
	} {
		r, err := http.NewRequest(c.method, "http://"+own+c.path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if c.change != nil {
			c.change(r)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != c.status {
			t.Errorf("%s: status %d, want %d: %.100s", c.name, answer.StatusCode, c.status, body)
		}
		if answer.Header.Get("Content-Security-Policy") != policy || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: without the policy", c.name)
		}
	}
}

// Only loopback addresses are served.
func TestListen(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:80", "127.0.0.1"} {
		if s, err := Listen(Config{Address: address}); err == nil {
			_ = s.listener.Close()
			t.Errorf("%s is served", address)
		}
	}
}

// The page has the policy in its head, for web servers that send none, and names its back end.
func TestPage(t *testing.T) {
	b, err := os.ReadFile("web/dist/index.html")
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	if want := strings.TrimSuffix(policy, "; frame-ancestors 'none'"); !strings.Contains(page, `content="`+want+`"`) {
		t.Errorf("the head of the page has not the policy %s", want)
	}
	if strings.Count(page, wasmBackEnd) != 1 {
		t.Errorf("the page does not have %s once", wasmBackEnd)
	}
}
