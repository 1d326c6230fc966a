package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/engines"
)

// talker is a command that exchanges packets, in this process.
type talker struct {
	addr      string
	out, errs output
	done      chan int // its exit status
}

// output is what a command printed, which may be read while it runs.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// saw waits until the command has printed a text n times among its errors.
func (c *talker) saw(t *testing.T, text string, n int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); strings.Count(c.errs.String(), text) < n; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%q was not printed %d times:\n%s", text, n, &c.errs)
		}
	}
}

// startTalker runs a command, and waits until it listens if it does.
func startTalker(t *testing.T, stdin io.Reader, args ...string) *talker {
	t.Helper()
	c := &talker{done: make(chan int, 1)}
	r, w := io.Pipe()
	listening := make(chan string, 1)
	read := make(chan struct{})
	go func() {
		defer close(read)
		for s := bufio.NewScanner(r); s.Scan(); {
			fmt.Fprintln(&c.errs, s.Text())
			if _, addr, ok := strings.Cut(s.Text(), "waiting for a peer at "); ok {
				listening <- addr
			}
		}
	}()
	go func() {
		code := run(args, stdin, &c.out, w)
		_ = w.Close()
		<-read
		c.done <- code
	}()
	if strings.Contains(strings.Join(args, " "), "-connect") {
		return c
	}
	select {
	case c.addr = <-listening:
	case code := <-c.done:
		t.Fatalf("octable %s: %d %s", strings.Join(args, " "), code, &c.errs)
	case <-time.After(20 * time.Second):
		t.Fatalf("octable %s does not listen", strings.Join(args, " "))
	}
	return c
}

// wait returns the exit status.
func (c *talker) wait(t *testing.T) int {
	t.Helper()
	select {
	case code := <-c.done:
		return code
	case <-time.After(30 * time.Second):
		t.Fatal("the command does not end")
		return 0
	}
}

// freePort returns a port of the loopback interface that nobody uses, for TCP and UDP.
func freePort(t *testing.T) string {
	t.Helper()
	for {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr := l.Addr().String()
		u, err := net.ListenPacket("udp", addr)
		_ = l.Close()
		if err == nil {
			_ = u.Close()
			return addr[strings.LastIndexByte(addr, ':')+1:]
		}
	}
}

// startEngine runs an engine, and returns its lines of output and a function that waits for its end.
func startEngine(t *testing.T, e engines.Engine, env []string, args ...string) (lines <-chan string, wait func() string) {
	t.Helper()
	wrapper, err := e.Path()
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, wrapper, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), env...)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := make(chan string, 1000)
	var all strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(out)
		for s := bufio.NewScanner(pipe); s.Scan(); {
			all.WriteString(s.Text() + "\n")
			select {
			case out <- s.Text():
			default:
			}
		}
	}()
	return out, func() string {
		t.Helper()
		<-read
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", e.Name, err, all.String())
		}
		return all.String()
	}
}

// needEngines leaves out a test unless engines are asked for.
func needEngines(t *testing.T) {
	t.Helper()
	if os.Getenv("OCTABLE_ENGINE_TESTS") == "" {
		t.Skip("set OCTABLE_ENGINE_TESTS=1 to let engines be the peers; TestTalk and codec/godot/debugger test the same without one")
	}
}

// script returns the path of a script for an engine.
func engineScript(t *testing.T, e engines.Engine, name string) (flag, path string) {
	t.Helper()
	flag, name = "--script", name+"4.gd"
	if e.Spec == "godot-3" {
		flag, name = "-s", strings.TrimSuffix(name, "4.gd")+"3.gd"
	}
	path, err := filepath.Abs(filepath.Join("testdata", "engine", name))
	if err != nil {
		t.Fatal(err)
	}
	return flag, path
}

// TestEngineTalk exchanges values with engines over TCP, UDP and WebSocket, as the server and as the client.
func TestEngineTalk(t *testing.T) {
	needEngines(t)
	for _, e := range engines.Installed {
		t.Run(e.Name, func(t *testing.T) {
			if _, err := e.Path(); err != nil {
				t.Skip(err)
			}
			const line = "{\"to\": \"the engine\", \"n\": [1, 2.5]}\n"
			var env []string
			clients := map[string]*talker{}
			for kind, address := range map[string]string{"TCP": "127.0.0.1:0", "UDP": "udp://127.0.0.1:0", "WS": "ws://127.0.0.1:0/game"} {
				args := []string{"talk", "-spec", e.Spec, "-listen", address, "-once"}
				if kind == "UDP" {
					args = append(args, "-wait", "500ms") // nobody leaves
				}
				c := startTalker(t, strings.NewReader(line), args...)
				clients[kind] = c
				env = append(env, "OCTABLE_"+kind+"="+regexp.MustCompile(`:(\d+)`).FindStringSubmatch(c.addr)[1])
			}
			servers := map[string]string{"TCP_SERVER": "127.0.0.1:%s", "UDP_SERVER": "udp://127.0.0.1:%s", "WS_SERVER": "ws://127.0.0.1:%s"}
			for kind, address := range servers {
				port := freePort(t)
				servers[kind] = fmt.Sprintf(address, port)
				env = append(env, "OCTABLE_"+kind+"="+port)
			}
			flag, script := engineScript(t, e, "peers")
			lines, wait := startEngine(t, e, env, flag, script)
			for text := range lines {
				kind, ok := strings.CutPrefix(text, "listening ")
				if !ok {
					continue
				}
				args := []string{"talk", "-spec", e.Spec, "-connect", servers[kind]}
				if kind == "UDP_SERVER" {
					args = append(args, "-wait", "500ms")
				}
				clients[kind] = startTalker(t, strings.NewReader(line), args...)
			}
			said := wait()
			t.Logf("%s", said)
			for _, kind := range []string{"TCP", "UDP", "WS", "TCP_SERVER", "UDP_SERVER", "WS_SERVER"} {
				c := clients[kind]
				if c == nil {
					t.Errorf("%s: the engine did not listen", kind)
					continue
				}
				code := c.wait(t)
				want := "{\"name\": \"Ada\", \"at\": Vector2(1, 2)}\n"
				if kind == "TCP" {
					want += "[true, null]\n"
				}
				if code != exitOK || c.out.String() != want {
					t.Errorf("%s: exit %d, printed %s, want %s; errors %s", kind, code, &c.out, want, &c.errs)
				}
				got := kind + ` got {"n":[1,2.5],"to":"the engine"}`
				if !strings.Contains(strings.NewReplacer("{ ", "{", " }", "}", "[ ", "[", " ]", "]", ": ", ":", ", ", ",").Replace(said), got) {
					t.Errorf("the engine did not print %q", got)
				}
			}
		})
	}
}

// TestEngineServer serves a client of each engine with package godot. Deadlines of 25 ms pass between its values.
func TestEngineServer(t *testing.T) {
	needEngines(t)
	for _, e := range engines.Installed {
		t.Run(e.Name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			flag, script := engineScript(t, e, "client")
			_, wait := startEngine(t, e, []string{"OCTABLE_PORT=" + strconv.Itoa(l.Addr().(*net.TCPAddr).Port)}, flag, script)
			conn, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			c := codec.MustLoad(e.Spec)
			d, answers := godot.NewDecoder(c, conn), godot.NewEncoder(c, conn)
			moves, passed := 0, 0
			for {
				var move struct {
					Player string        `octable:"player"`
					To     godot.Vector2 `octable:"to"`
					Tags   []string      `octable:"tags"`
				}
				if err := conn.SetReadDeadline(time.Now().Add(25 * time.Millisecond)); err != nil {
					t.Fatal(err)
				}
				err := d.Decode(&move)
				if errors.Is(err, os.ErrDeadlineExceeded) {
					passed++
					continue
				}
				if err == io.EOF {
					break
				}
				if want := (godot.Vector2{X: float32(moves), Y: 0.5}); err != nil || move.Player != "Ada" || move.To != want || len(move.Tags) != 2 {
					t.Fatalf("%+v, %v", move, err)
				}
				moves++
				if err := answers.Encode(map[string]int{"move": moves}); err != nil {
					t.Fatal(err)
				}
			}
			said := wait()
			t.Logf("%d deadlines passed; the engine printed\n%s", passed, said)
			if moves != 3 || passed < 3 || !strings.Contains(strings.ReplaceAll(said, " ", ""), `answer{"move":3}`) {
				t.Errorf("%d moves, %d deadlines passed", moves, passed)
			}
		})
	}
}

// TestEngineDebug debugs a game of each engine: its output, a warning, a breakpoint, the stack, variables and scene tree.
func TestEngineDebug(t *testing.T) {
	needEngines(t)
	for _, e := range engines.Installed {
		for _, scheme := range []string{"tcp", "ws"} {
			if scheme == "ws" && e.Spec == "godot-3" {
				continue // Godot 3 debugs over TCP only
			}
			t.Run(e.Name+"/"+scheme, func(t *testing.T) {
				if _, err := e.Path(); err != nil {
					t.Skip(err)
				}
				c := startTalker(t, strings.NewReader("wait\nstack\nvars\ntree\ncontinue\nwait\n"), "debug", "-once", "-listen", scheme+"://127.0.0.1:0")
				address := c.addr
				game := "game4"
				if e.Spec == "godot-3" {
					address, game = strings.TrimPrefix(address, "tcp://"), "game3"
				}
				folder := t.TempDir()
				if err := os.CopyFS(folder, os.DirFS(filepath.Join("testdata", "engine", game))); err != nil {
					t.Fatal(err)
				}
				_, wait := startEngine(t, e, nil, "--path", folder, "--remote-debug", address)
				t.Logf("the engine printed\n%s", wait())
				if code := c.wait(t); code != exitOK {
					t.Errorf("exit %d %s", code, &c.errs)
				}
				t.Logf("octable debug printed\n%s", &c.out)
				want := []string{
					"hello from the game", "warning: take care", "  at res://main.gd:6 in _ready", "paused: Breakpoint Statement",
					"0 res://main.gd:11 in buy", "1 res://main.gd:7 in _ready", "local price = 3", "local here = Vector2(1, 2)", "member gold = 5",
					"    Child Node", "continued", "the rest is 2",
				}
				if e.Name == "godot4" {
					page, err := os.ReadFile("../../README.md")
					if err != nil {
						t.Fatal(err)
					}
					_, block, _ := strings.Cut(string(page), "./octable debug -once\n")
					block, _, _ = strings.Cut(block, "\n```")
					if shown := strings.Split(block+"\n…", "\n"); !elided(shown, c.out.String()) {
						t.Errorf("the README shows %q", shown)
					}
				}
				for _, line := range want {
					if !strings.Contains("\n"+c.out.String(), "\n"+line+"\n") {
						t.Errorf("there is no line %q", line)
					}
				}
			})
		}
	}
}
