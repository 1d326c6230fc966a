// Descriptions of Kaitai Struct: Kaitai's compiler and the readers that it generates run
// in one process of Node.

package exported

import (
	"bufio"
	"bytes"
	_ "embed" // of the program
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/conformance/generated"
	"github.com/octable/octable/interp"
)

//go:embed read.cjs
var kaitaiProgram []byte

var kaitaiTool = &Tool{Name: "kaitai", open: haveKaitai, read: readKaitai, rejects: structural, same: sameInKaitai, declines: unable, gates: 0xff}

// kaitaiHome names the folder with the packages of compile/export/kaitai/testdata/node.
const kaitaiHome = "OCTABLE_KAITAI"

func haveKaitai() error {
	if os.Getenv(kaitaiHome) == "" {
		return generated.Missing(kaitaiHome + " names no folder with the packages of compile/export/kaitai/testdata/node")
	}
	return needs("node")
}

// patience is the longest time for the packets of one subject.
const patience = 20 * time.Second

// readKaitai asks the program about one subject after another. A subject on which it
// ends or takes too long is wrong, and the next one begins with a new process.
func readKaitai(dir string, subjects []*Subject) error {
	program := filepath.Join(dir, "read.cjs")
	if err := os.WriteFile(program, kaitaiProgram, 0o666); err != nil {
		return err
	}
	var n *node
	defer func() {
		if n != nil {
			n.close()
		}
	}()
	for _, s := range subjects {
		if n == nil {
			var err error
			if n, err = startNode(program); err != nil {
				return err
			}
		}
		late := time.AfterFunc(patience, n.kill)
		if s.Err = n.read(s); !late.Stop() || n.ended {
			s.Err = fmt.Errorf("%w: %s", s.Err, n.stderr.String())
			n.close()
			n = nil
		}
	}
	return nil
}

// node is a running program.
type node struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	ended  bool
}

func startNode(program string) (*node, error) {
	n := &node{cmd: exec.Command("node", "--stack-size=8000", program)}
	n.cmd.Stderr = &n.stderr
	var err error
	if n.in, err = n.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	n.out = bufio.NewReaderSize(out, 1<<20)
	return n, n.cmd.Start()
}

func (n *node) kill() { _ = n.cmd.Process.Kill() }

func (n *node) close() {
	_ = n.in.Close()
	_ = n.cmd.Wait()
}

// answer is a line of the program.
type answer struct {
	OK     bool
	Error  string
	Leaves [][3]any
}

func (n *node) ask(request map[string]string) (a answer, err error) {
	b, err := json.Marshal(request)
	if err == nil {
		_, err = n.in.Write(append(b, '\n'))
	}
	if err == nil {
		b, err = n.out.ReadBytes('\n')
	}
	if err != nil {
		n.ended = true
		return a, fmt.Errorf("node ended: %w", err)
	}
	return a, json.Unmarshal(b, &a)
}

// read compiles the description of a subject and reads its packets.
func (n *node) read(s *Subject) error {
	a, err := n.ask(map[string]string{"name": s.Name, "ksy": string(s.file)})
	if err != nil {
		return err
	}
	if !a.OK {
		return fmt.Errorf("the compiler of Kaitai rejects the description: %s", a.Error)
	}
	for _, b := range s.packets {
		a, err := n.ask(map[string]string{"name": s.Name, "hex": hex.EncodeToString(b)})
		if err != nil {
			return fmt.Errorf("packet %x: %w", b, err)
		}
		r := Reading{Error: a.Error}
		for _, l := range a.Leaves {
			at, _ := l[0].(float64)
			size, _ := l[1].(float64)
			r.Leaves = append(r.Leaves, Leaf{At: int(at), Len: int(size), Text: fmt.Sprint(l[2])})
		}
		s.readings = append(s.readings, r)
	}
	return nil
}

// unable reports whether Kaitai cannot read a packet as the schema says, or does not check the
// byte at which the interpreter rejects it.
func unable(s *Subject, parts []*part, got *Reading, err error) bool {
	var e *interp.Error
	if errors.As(err, &e) && e.Kind == interp.ErrValue && s.has(e.Rule, bytecode.Filled, bytecode.Compare, bytecode.Seek, bytecode.Gaps, bytecode.Close) {
		return true // notes say so
	}
	if e != nil && e.Kind == interp.ErrTruncated && s.has(e.Rule, bytecode.Seek) && slices.ContainsFunc(parts, func(p *part) bool { return p.at == e.Offset }) {
		return true // a view was read, but its record ends before it
	}
	if e != nil && e.Kind == interp.ErrTruncated && slices.ContainsFunc(s.Program.Code, func(in bytecode.Instr) bool {
		return in.Op == bytecode.Pad && in.B&bytecode.PadOrEnd != 0 && s.Program.Rules[in.Rule] == e.Rule
	}) {
		return true // notes say so
	}
	return rounds(s, parts, got, err)
}

// has reports whether a row has an instruction with one of some operations. A description does not
// check bytes that fill a row, and how rows at places are arranged.
func (s *Subject) has(rule bytecode.Rule, ops ...bytecode.Op) bool {
	return slices.ContainsFunc(s.Program.Code, func(in bytecode.Instr) bool {
		return slices.Contains(ops, in.Op) && s.Program.Rules[in.Rule] == rule
	})
}

// rounds reports whether a packet has numbers that JavaScript rounds, and the description
// notes that some of its numbers may be rounded; or whether it ends too early and has a
// number that may be a length of 2 GiB, which Kaitai's runtime for JavaScript takes for a
// negative one.
func rounds(s *Subject, parts []*part, _ *Reading, err error) bool {
	noted := slices.ContainsFunc(s.notes, func(n string) bool { return strings.Contains(n, "beyond 2^53") })
	return slices.ContainsFunc(parts, func(p *part) bool {
		if p.kind != whole {
			return false
		}
		big := p.bits > model.MaxExact && !(p.signed && int64(p.bits) < 0 && int64(p.bits) >= -model.MaxExact)
		return p.width > 6 && big && noted || errors.Is(err, interp.ErrTruncated) && p.bits >= 1<<30
	})
}

// sameInKaitai compares a part with JavaScript's text of it.
func sameInKaitai(packet []byte, w *part, g *Leaf) bool {
	switch w.kind {
	case truth:
		return true
	case raw:
		return g.Text == hex.EncodeToString([]byte(w.text))
	case text: // malformed text and marks of byte order are left to the language
		replaced := string([]rune(string(packet[w.at : w.at+w.n]))) // overlong forms, which an engine reads
		return g.Text == w.text || g.Text == replaced || !utf8.ValidString(w.text) || strings.HasPrefix(w.text, "\ufeff") || len(w.text)+3 <= w.n
	}
	x, err := strconv.ParseFloat(strings.Replace(g.Text, "Infinity", "Inf", 1), 64)
	if err != nil {
		return false
	}
	if w.kind == float {
		return x == w.real || math.IsNaN(x) && math.IsNaN(w.real)
	}
	if w.width > 6 {
		// JavaScript rounds each sum of the parts of such a number.
		about := func(want float64) bool {
			return x == want || math.Abs(x) > model.MaxExact && math.Abs(x-want) <= math.Abs(want)*1e-15
		}
		return about(float64(w.bits)) || about(float64(int64(w.bits))) || int64(w.bits) < 0
	}
	return x == math.Trunc(x) && sameBits(uint64(int64(x)), w.bits, w.width)
}
