//go:build unix

package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/octable/octable/conformance/internal/broken"
	"github.com/octable/octable/conformance/protocol"
)

func TestMain(m *testing.M) {
	broken.Main()
	os.Exit(m.Run())
}

func config(mode string) Config {
	timeout := 20 * time.Second // a loaded machine is no fault
	if mode == "hang" {
		timeout = time.Second
	}
	return Config{Command: []string{os.Args[0]}, Env: broken.Env(mode), Timeout: timeout, StartTimeout: 10 * time.Second,
		EndTimeout: time.Second, Memory: 72 << 20, MaxAnswer: 4 << 20}
}

// requests are some to decode, of which number at is the one at which things go wrong.
func requests(n, at int) []protocol.Request {
	var out []protocol.Request
	for i := range n {
		r := protocol.Request{Op: protocol.Decode, Spec: "godot-4.4", Bytes: fmt.Sprintf("02000000%02x000000", i+100)}
		if i == at {
			r.Bytes = broken.Trigger
		}
		out = append(out, r)
	}
	return out
}

// TestSession: each request has the reply that it has alone. The one that is to blame has
// its fault, and the others their answers.
func TestSession(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out some hundred processes; go test without it runs them")
	}
	const n, at = 40, 23
	type result struct {
		mode  string
		check chan func(*testing.T)
	}
	var results []result
	room := make(chan bool, 8)
	for _, c := range []struct {
		mode  string
		kind  Kind   // of the fault at the trigger; "" without one
		text  string // of it, a pattern
		note  string // of the session, a pattern; "" without one
		close string // of the fault at the end; "" without one
		late  string // of the fault that there may be at the end, if it was noticed after the last answer
	}{
		{mode: "good"},
		{mode: "crash", kind: Crash, text: `^it ended without an answer \(exit status 3\)$`},
		{mode: "keeps answers", kind: Crash, text: `exit status 3`},
		{mode: "exit 0", kind: Crash, text: `exit status 0`},
		{mode: "panic", kind: Crash, text: `exit status 2`},
		{mode: "signal", kind: Crash, text: `signal 9, killed`},
		{mode: "hang", kind: Hang, text: `^no answer to the request within 1s$`},
		{mode: "memory", kind: OutOfMemory, text: `^it was ended when it had [0-9.]+ [MG]iB of memory; 72 MiB are allowed$`},
		{mode: "memory of a child", kind: OutOfMemory, text: `72 MiB are allowed`},
		{mode: "heap of the runtime", kind: OutOfMemory, text: `exit status 134`},
		{mode: "wrong id", kind: Garbled, text: `^the "id" of the answer is \d+; that of the request is \d+$`},
		{mode: "id of before", kind: Garbled, text: `a second time, or its id`},
		{mode: "garbage", kind: Garbled, text: `this line is no JSON object: \x00`},
		{mode: "stack trace", kind: Garbled, text: `no JSON object: Traceback .*standard error`},
		{mode: "half a line", kind: Crash, text: `in the middle of an answer`},
		{mode: "line without end", kind: Garbled, text: `^an answer of over 4 MiB$`},
		{mode: "closed output", kind: Crash, text: `closed its output`},
		{mode: "disorder", note: `request \d+ is answered before request \d+.*"window": 1`},
		{mode: "every tenth", note: `failed \d+ times at requests that it answers when it is asked alone.*exit status 9`},
		{mode: "leak", note: `failed \d+ times .*72 MiB are allowed`, late: `72 MiB are allowed`},
		{mode: "banner"},
		{mode: "slow"},
		{mode: "window 1"},
		{mode: "flood of stderr"},
		{mode: "exit status at the end", close: `exit status 7`},
		{mode: "does not end", close: `did not end within 1s`},
		{mode: "one line more", close: `no request had asked for`},
	} {
		// Most of them wait, so more of them go side by side than t.Parallel lets.
		done := make(chan func(t *testing.T), 1)
		results = append(results, result{c.mode, done})
		go func() {
			room <- true
			defer func() { <-room }()
			s, err := Open(context.Background(), config(c.mode))
			if err != nil {
				done <- func(t *testing.T) { t.Error(err) }
				return
			}
			replies, err := s.Do(context.Background(), requests(n, at))
			notes := strings.Join(s.Notes(), "\n")
			fault := s.Close()
			done <- func(t *testing.T) {
				if err != nil || len(replies) != n {
					t.Errorf("%d replies, %v", len(replies), err)
				}
				for i, r := range replies {
					switch {
					case i == at && c.kind != "":
						if r.Fault == nil || r.Fault.Kind != c.kind || !regexp.MustCompile(c.text).MatchString(r.Fault.Text) {
							t.Errorf("the trigger: %+v, want %s %s", r.Fault, c.kind, c.text)
						}
					case r.Fault != nil:
						t.Errorf("request %d: %+v", i, r.Fault)
					case i != at && string(r.Answer.Value) != strconv.Itoa(i+100), i == at && string(r.Answer.Value) != "77":
						t.Errorf("request %d: %+v", i, r.Answer)
					}
				}
				if (notes == "") != (c.note == "") || !regexp.MustCompile(c.note).MatchString(notes) {
					t.Errorf("notes %q, want %q", notes, c.note)
				}
				if fault != nil && c.late != "" && regexp.MustCompile(c.late).MatchString(fault.Text) {
					fault = nil
				}
				if (fault == nil) != (c.close == "") || fault != nil && !regexp.MustCompile(c.close).MatchString(fault.Text) {
					t.Errorf("at the end %+v, want %q", fault, c.close)
				}
			}
		}()
	}
	for _, r := range results {
		t.Run(r.mode, func(t *testing.T) { (<-r.check)(t) })
	}
}

func TestStart(t *testing.T) {
	for _, c := range []struct {
		mode, text string
		command    string
	}{
		{mode: "dies at once", text: `it ended without an answer \(exit status 1\)`},
		{mode: "protocol 2", text: `"protocol" of hello is 2; this is version 1`},
		{mode: "no specs", text: `hello has no "specs"`},
		{mode: "no hello", text: `no answer to hello within 300ms; is each answer flushed`},
		{mode: "all at the end", text: `no answer to hello within 300ms; is each answer flushed`},
		{mode: "hello is null", text: `none of "ok"`},
		{command: "yes", text: `over 10000 lines that are no answer are in place of the answer to hello, the last one: this line is no JSON object: y`},
		{command: "/nowhere/at/all", text: `/nowhere/at/all cannot be started: .*no such file`},
	} {
		t.Run(c.mode+c.command, func(t *testing.T) {
			cfg := config(c.mode)
			if strings.HasPrefix(c.text, "no answer") {
				cfg.StartTimeout = 300 * time.Millisecond
			}
			if c.command != "" {
				cfg.Command[0] = c.command
			}
			_, err := Start(context.Background(), cfg)
			var f *Fault
			if !errors.As(err, &f) || f.Kind != NoStart || !regexp.MustCompile(c.text).MatchString(f.Text) {
				t.Errorf("%+v, want %s", err, c.text)
			}
			if c.mode == "dies at once" && !strings.Contains(f.Stderr, "left-pad") {
				t.Errorf("standard error is %q", f.Stderr)
			}
		})
	}
}

func TestTCP(t *testing.T) {
	for mode, kind := range map[string]Kind{"good": "", "crash": Crash, "garbage": Garbled} {
		t.Run(mode, func(t *testing.T) {
			cfg := config(mode)
			cfg.TCP = true
			logged := ""
			cfg.Log = func(line string) { logged += line + "\n" }
			s, err := Open(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			replies, err := s.Do(context.Background(), requests(5, 2))
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range replies {
				if i == 2 && kind != "" {
					if r.Fault == nil || r.Fault.Kind != kind {
						t.Errorf("the trigger: %+v", r.Fault)
					}
				} else if r.Fault != nil || !r.Answer.OK {
					t.Errorf("request %d: %+v", i, r)
				}
			}
			if fault := s.Close(); fault != nil {
				t.Error(fault)
			}
			if mode == "good" && !strings.Contains(logged, "stdout: standard output is not the protocol here") {
				t.Errorf("logged %q", logged)
			}
		})
	}
	cfg := config("no connection")
	cfg.TCP, cfg.StartTimeout = true, 300*time.Millisecond
	if _, err := Start(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "did not connect to the address in OCTABLE_CONNECT within 300ms") {
		t.Error(err)
	}
	cfg = config("good")
	cfg.TCP, cfg.Command = true, []string{"true"}
	if _, err := Start(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "ended before it connected") {
		t.Error(err)
	}
}

// A process that a child has started in a separate session ends with it.
func TestNothingIsLeftBehind(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pid")
	cfg := config("leaves a process behind")
	cfg.Timeout = 300 * time.Millisecond
	cfg.Env = append(cfg.Env, "OCTABLE_BROKEN_PID="+name)
	s, err := Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Do(context.Background(), requests(1, 0)); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(string(b))
	for range 100 {
		if syscall.Kill(pid, 0) != nil || zombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d goes on", pid)
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// zombie reports whether a process has ended and only waits for its parent.
func zombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(b), ") ")
	return strings.HasPrefix(after, "Z")
}

func TestGiveUp(t *testing.T) {
	cfg := config("crash")
	cfg.GiveUp = 3
	s, err := Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all := requests(10, 0)
	for i := range all {
		all[i].Bytes = broken.Trigger
	}
	replies, err := s.Do(context.Background(), all)
	if len(replies) != 3 || err == nil || !strings.Contains(err.Error(), "gave up after 3 requests in a row without an answer") {
		t.Errorf("%d replies, %v", len(replies), err)
	}
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cfg := config("hang")
	cfg.Timeout = time.Minute
	s, err := Open(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	time.AfterFunc(100*time.Millisecond, cancel)
	if replies, err := s.Do(ctx, requests(5, 2)); !errors.Is(err, context.Canceled) || len(replies) != 2 {
		t.Errorf("%d replies, %v", len(replies), err)
	}
}

func TestAddressSpace(t *testing.T) {
	cfg := config("good")
	cfg.AddressSpace = 8 << 20 // a Go program needs much more
	if _, err := Start(context.Background(), cfg); err == nil {
		t.Error("it starts")
	}
	cfg.AddressSpace = 64 << 30
	c, err := Start(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if f := c.Stop(); f != nil {
		t.Error(f)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1: "1 byte", 1023: "1023 bytes", 1536: "1.5 KiB", 64 << 20: "64 MiB", 1 << 62: "4194304 TiB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %s, not %s", n, got, want)
		}
	}
}
