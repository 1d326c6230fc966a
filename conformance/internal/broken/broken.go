//go:build unix

// Package broken has implementations with one fault of a child process each, for tests of the
// code that runs them. A test binary becomes one of them when it is started with a variable in
// its environment: see [Main] and [Env].
package broken

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
)

// Trigger is the packet at which most of them do what they do wrong: the int 77.
const Trigger = "020000004d000000"

const variable = "OCTABLE_BROKEN"

// Env returns the environment that makes a test binary the implementation that a mode
// names.
func Env(mode string) []string { return []string{variable + "=" + mode} }

// Main serves a broken implementation and ends the process, where the environment
// asks for it. It is called at the beginning of TestMain.
func Main() {
	mode := os.Getenv(variable)
	if mode == "" {
		return
	}
	if mode == takesMemory {
		takeMemory()
	}
	in, out := io.Reader(os.Stdin), io.Writer(os.Stdout)
	if address := os.Getenv(protocol.ConnectVar); address != "" {
		if mode == "no connection" {
			time.Sleep(time.Hour)
		}
		fmt.Println("standard output is not the protocol here")
		conn, err := net.Dial("tcp", address)
		if err != nil {
			panic(err)
		}
		in, out = conn, conn
	}
	b := &broken{mode: mode, impl: protocol.Octable(), out: out}
	b.serve(in)
	switch mode {
	case "exit status at the end":
		os.Exit(7)
	case "does not end":
		time.Sleep(time.Hour)
	case "one line more":
		b.write(`{"id":0,"error":"late"}` + "\n")
	case "all at the end":
		b.write(b.kept)
	}
	os.Exit(0)
}

type broken struct {
	mode string
	impl protocol.Implementation
	out  io.Writer
	kept string // answers that are not written yet
	n    int    // requests
	leak [][]byte
}

func (b *broken) write(s string) { _, _ = io.WriteString(b.out, s) }

func (b *broken) serve(in io.Reader) {
	if b.mode == "dies at once" {
		fmt.Fprintln(os.Stderr, "cannot find module left-pad")
		os.Exit(1)
	}
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			var request protocol.Request
			if err := json.Unmarshal(line, &request); err != nil {
				panic(err)
			}
			b.n++
			b.answer(&request, r.Buffered() > 0)
		}
		if err != nil {
			return
		}
	}
}

// answer does what the mode does wrong, or answers well. There may be more requests
// that wait already.
func (b *broken) answer(r *protocol.Request, more bool) {
	a := protocol.Reply(b.impl, r)
	if r.Op == protocol.Hello {
		if b.hello(a.Hello) {
			return
		}
	} else {
		b.change(r, &a)
	}
	b.always()
	switch b.mode {
	case "disorder":
		if more && b.kept == "" {
			b.kept = text(&a)
			return
		}
		b.write(text(&a))
		b.flush()
	case "all at the end":
		b.kept += text(&a)
	case "keeps answers":
		// In a buffer that is written when there is nothing else to do, and lost in a
		// crash.
		if b.kept += text(&a); !more {
			b.flush()
		}
	case "id as text":
		if r.Op != protocol.Hello {
			b.write(strings.Replace(text(&a), fmt.Sprintf(`"id":%d`, r.ID), fmt.Sprintf(`"id":"%d"`, r.ID), 1))
			return
		}
		b.write(text(&a))
	default:
		b.write(text(&a))
	}
}

// hello changes what the implementation says about itself. It reports whether there is no answer left to write.
func (b *broken) hello(h *protocol.About) (answered bool) {
	switch b.mode {
	case "banner":
		b.write("Engine v4.4 - https://example.org\n\n[]\n{\"not\": \"an answer\"}\n")
	case "protocol 2":
		h.Protocol = 2
	case "no specs":
		h.Specs = nil
	case "other spec":
		h.Specs = []string{"godot-3"}
	case "no hello":
		return true
	case "hello is null":
		b.write(`{"id":0,"hello":null}` + "\n")
		return true
	case "lacks", "lacks, null":
		h.Lacks = []string{"Vector2"}
	case "without":
		h.Without = []string{vectors.TypedContainers}
	case "has two":
		h.Has = []string{"Nil", "int"}
	case "has nonsense":
		h.Has = []string{"Vektor"}
	case "lacks nonsense":
		h.Lacks = []string{"Vektor"}
	case "recode only":
		h.Ops = []protocol.Op{protocol.Recode}
	case "bits":
		h.Reals = "bits"
	case "window 1":
		h.Window = 1
	case "null on error, declared":
		h.NullOnError = true
	}
	return false
}

// change changes the answer to a request, or does not return.
func (b *broken) change(r *protocol.Request, a *protocol.Answer) {
	if r.Bytes == Trigger {
		b.trigger(r, a)
	}
	switch b.mode {
	case "lacks, null":
		if r.Op == protocol.Decode && strings.Contains(string(a.Value), "Vector2\"") {
			a.Value, a.Used = []byte("null"), 0
		}
	case "hangs at errors":
		if a.Error != "" {
			time.Sleep(time.Hour)
		}
	case "refuses all":
		*a = protocol.Answer{ID: r.ID, Error: "not today"}
	case "dies of errors":
		if a.Error != "" {
			panic(a.Error)
		}
	case "dies of operations":
		if r.Op == "nonsense" {
			panic("no such operation")
		}
	case "bits":
		if strings.Contains(string(r.Value), `"float"`) && !strings.Contains(string(r.Value), "bits:") {
			*a = protocol.Answer{ID: r.ID, Error: "no bits"}
		}
	case "noise":
		b.write("debug: decoding\n")
	case "null on error", "null on error, declared":
		if r.Op == protocol.Decode && a.Error != "" {
			*a = protocol.Answer{ID: r.ID, OK: true, Value: []byte("null")}
		}
	case "accepts all":
		if a.Error != "" {
			*a = protocol.Answer{ID: r.ID, OK: true, Value: []byte("1")}
		}
	case "lossy floats":
		b.lossy(r, a)
	}
}

// always does what does not depend on the request.
func (b *broken) always() {
	switch b.mode {
	case "leak":
		b.leak = append(b.leak, resident(6<<20))
	case "every tenth":
		if b.n == 10 {
			os.Exit(9)
		}
	case "slow":
		time.Sleep(2 * time.Millisecond)
	case "flood of stderr":
		_, _ = os.Stderr.WriteString(strings.Repeat("warning: something\n", 20000))
	}
}

func (b *broken) flush() {
	kept := b.kept
	b.kept = ""
	b.write(kept)
}

func text(a *protocol.Answer) string {
	line, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	return string(line) + "\n"
}

// trigger is what is done wrong at one packet.
func (b *broken) trigger(r *protocol.Request, a *protocol.Answer) {
	switch b.mode {
	case "crash", "keeps answers":
		fmt.Fprintln(os.Stderr, "Segmentation fault (not really)")
		os.Exit(3)
	case "exit 0":
		os.Exit(0)
	case "panic":
		panic("index out of range, says the implementation")
	case "signal":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Hour)
	case "hang":
		time.Sleep(time.Hour)
	case "memory":
		takeMemory()
	case "memory of a child":
		self, _ := os.Executable()
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), Env(takesMemory)...)
		_ = cmd.Run()
	case "heap of the runtime":
		fmt.Fprintln(os.Stderr, "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory")
		os.Exit(134)
	case "null":
		a.Value = []byte("null")
	case "wrong id":
		a.ID += 1000
	case "id of before":
		a.ID--
	case "garbage":
		b.write("\x00\xff not JSON {\n")
	case "stack trace":
		b.write("Traceback (most recent call last):\n")
	case "half a line":
		b.write(`{"id":5,"ok":tr`)
		os.Exit(1)
	case "line without end":
		junk := strings.Repeat("x", 1<<20)
		for {
			if _, err := io.WriteString(b.out, junk); err != nil {
				os.Exit(1)
			}
		}
	case "closed output":
		_ = os.Stdout.Close()
		time.Sleep(time.Hour)
	case "neither":
		*a = protocol.Answer{ID: r.ID}
	case "both":
		a.Error = "and yet"
	case "no value":
		a.Value = nil
	case "bad value":
		a.Value = []byte(`{"$type":"Vector2","value":[1]}`)
	case "unsupported":
		*a = protocol.Answer{ID: r.ID, Unsupported: "77"}
	case "wrong used":
		a.Used = 4
	case "leaves a process behind":
		cmd := exec.Command("sleep", "300")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		cmd.Stdout = os.Stdout
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		if name := os.Getenv("OCTABLE_BROKEN_PID"); name != "" {
			_ = os.WriteFile(name, fmt.Append(nil, cmd.Process.Pid), 0o666)
		}
		time.Sleep(time.Hour)
	}
}

// lossy rounds floats in both directions.
func (b *broken) lossy(r *protocol.Request, a *protocol.Answer) {
	value := a.Value
	if r.Op == protocol.Encode {
		value = r.Value
	}
	v, err := godot.ParseJSON(value)
	if err != nil {
		return
	}
	f, ok := v.AsFloat()
	if !ok {
		return
	}
	v = godot.NewFloat(float64(float32(f)))
	if r.Op == protocol.Decode {
		a.Value, _ = godot.AppendJSON(nil, v)
		return
	}
	r.Value, _ = godot.AppendJSON(nil, v)
	*a = protocol.Reply(b.impl, r)
}

// resident returns n bytes that the system has given the process: each page is written to.
func resident(n int) []byte {
	m := make([]byte, n)
	for i := 0; i < n; i += 4096 {
		m[i] = 1
	}
	return m
}

const takesMemory = "takes memory"

// takeMemory takes 80 MiB, more than the 72 MiB that the tests allow, and never ends.
func takeMemory() {
	all := resident(80 << 20)
	time.Sleep(time.Hour)
	runtime.KeepAlive(all)
}
