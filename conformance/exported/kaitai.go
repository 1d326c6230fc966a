// Descriptions of Kaitai Struct: Kaitai's compiler and the readers that it generates run
// in one process of Node.

package exported

import (
	_ "embed" // of the program
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// readKaitai asks the program about one subject after another. A subject on which it
// ends or takes too long is wrong, and the next one begins with a new process.
func readKaitai(dir string, subjects []*Subject) error {
	program := filepath.Join(dir, "read.cjs")
	if err := os.WriteFile(program, kaitaiProgram, 0o666); err != nil {
		return err
	}
	node, err := generated.StartProcess("node", "--stack-size=8000", program)
	if err != nil {
		return err
	}
	defer node.Close()
	for _, s := range subjects {
		s.Err = s.readKaitai(node)
	}
	return nil
}

// answer is a line of the program.
type answer struct {
	OK     bool
	Error  string
	Leaves [][3]any
}

// readKaitai compiles the description of a subject and reads its packets.
func (s *Subject) readKaitai(node *generated.Process) error {
	var a answer
	if err := node.Ask(map[string]string{"name": s.Name, "ksy": string(s.file)}, &a); err != nil {
		return err
	}
	if !a.OK {
		return fmt.Errorf("the compiler of Kaitai rejects the description: %s", a.Error)
	}
	for _, b := range s.packets {
		var a answer
		if err := node.Ask(map[string]string{"name": s.Name, "hex": hex.EncodeToString(b)}, &a); err != nil {
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

// unable reports whether Kaitai cannot read a packet as the schema says. It is also true if
// Kaitai does not check the byte at which the interpreter rejects it.
func unable(s *Subject, parts []*part, got *Reading, err error) bool {
	var e *interp.Error
	if errors.As(err, &e) && e.Kind == interp.ErrValue && (s.has(e.Rule, bytecode.Filled, bytecode.Compare, bytecode.Seek, bytecode.Gaps, bytecode.Close) || s.sums(e.Rule)) {
		return true // notes say so
	}
	if e != nil && e.Kind == interp.ErrTruncated && s.has(e.Rule, bytecode.Seek) && slices.ContainsFunc(parts, func(p *part) bool { return p.at == e.Offset }) {
		return true // a view was read, but its record ends before it
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

// sums reports whether a row has a condition on the sum or the last number of an array. No export checks it.
func (s *Subject) sums(rule bytecode.Rule) (found bool) {
	for _, in := range s.Program.Code {
		if in.Op == bytecode.Check && s.Program.Rules[in.Rule] == rule {
			s.Program.Exprs[in.A].Walk(func(e *bytecode.Expr) { found = found || e.Op == bytecode.ExprTotal || e.Op == bytecode.ExprLast })
		}
	}
	return found
}

// rounds reports whether Kaitai's runtime for JavaScript misreads numbers of a packet. It rounds
// numbers, if the description notes that some of them may be rounded. If the packet ends too
// early, it takes a length of 2 GiB for a negative one.
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
