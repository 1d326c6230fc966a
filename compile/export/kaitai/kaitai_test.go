package kaitai_test

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/export/kaitai"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// programs calls f for every schema and each choice of its axis.
func programs(t *testing.T, f func(name string, p *bytecode.Program, ksy []byte, cannot []string)) {
	modeltest.All(t, "../../..", func(name string, m *model.Model, p *bytecode.Program) {
		ksy, cannot := kaitai.Schema(m)
		f(name, p, ksy, cannot)
	})
}

// TestGolden keeps descriptions to look at.
func TestGolden(t *testing.T) {
	programs(t, func(name string, _ *bytecode.Program, ksy []byte, _ []string) {
		if name != "godot-4.4+single" && name != "wave+" {
			return
		}
		file := filepath.Join("testdata", strings.TrimRight(strings.TrimSuffix(name, "single"), "+")+".ksy")
		if *update {
			if err := os.WriteFile(file, ksy, 0o666); err != nil {
				t.Fatal(err)
			}
			t.Errorf("%s is written anew", file)
		}
		want, err := os.ReadFile(file)
		if err != nil || string(want) != string(ksy) {
			t.Errorf("%s is not what is exported now (%v); go test ./compile/export/kaitai -update writes it", file, err)
		}
	})
}

// node runs testdata/node/read.cjs.
type node struct {
	in  *json.Encoder
	out *bufio.Scanner
}

type answer struct {
	OK     bool
	Error  string
	Leaves [][3]any
}

func startNode(t *testing.T) *node {
	home := os.Getenv("OCTABLE_KAITAI")
	if home == "" {
		t.Skip("OCTABLE_KAITAI names no folder with the packages of testdata/node/package.json")
	}
	cmd := exec.Command("node", "--stack-size=8000", "testdata/node/read.cjs")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	return &node{json.NewEncoder(in), lines}
}

func (n *node) ask(t *testing.T, request map[string]string) (a answer) {
	t.Helper()
	if err := n.in.Encode(request); err != nil {
		t.Fatal(err)
	}
	if !n.out.Scan() {
		t.Fatal("no answer: ", n.out.Err())
	}
	if err := json.Unmarshal(n.out.Bytes(), &a); err != nil {
		t.Fatalf("%v: %.200s", err, n.out.Bytes())
	}
	return a
}

// TestRead compiles the descriptions with Kaitai's compiler, and has what it made
// read packets: what stands where, and the numbers there, are what the interpreter
// says; bytes that it refuses are refused, as far as a description can say that.
func TestRead(t *testing.T) {
	n := startNode(t)
	values, refused := 0, 0
	programs(t, func(name string, p *bytecode.Program, ksy []byte, cannot []string) {
		if a := n.ask(t, map[string]string{"name": name, "ksy": string(ksy)}); !a.OK {
			t.Errorf("%s: the compiler says %s", name, a.Error)
			return
		}
		m, err := interp.New(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.NewGenerator(interp.GenerateOptions{Open: 0xff, MaxBytes: 400, MaxDepth: 20})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 150 {
			choices := make(interp.Choices, r.IntN(120))
			for i := range choices {
				choices[i] = byte(r.Uint32())
			}
			v, _ := g.Generate(choices)
			b, err := m.Encode(v, interp.Options{Open: 0xff})
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(3) == 0 && len(b) > 0 { // damaged somehow
				switch at := r.IntN(len(b)); r.IntN(3) {
				case 0:
					b = b[:at]
				case 1:
					b[at] ^= 1 << r.IntN(8)
				case 2:
					b[at] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
				}
			}
			var want []leaf
			_, _, err = m.DecodeObserved(b, interp.Options{Open: 0xff}, interp.ObserverFunc(func(e *interp.Event) {
				if e.Kind == interp.Row && e.Len > 0 {
					want = expand(want, e)
				}
			}))
			a := n.ask(t, map[string]string{"name": name, "hex": hex.EncodeToString(b)})
			if err != nil {
				if structural := errors.Is(err, interp.ErrTruncated) || errors.Is(err, interp.ErrType) || errors.Is(err, interp.ErrValue); structural {
					refused++
					if a.Error == "" {
						t.Errorf("%s: %x is read, but is refused here: %v", name, b, err)
					}
				}
				continue
			}
			values++
			if a.Error != "" {
				t.Errorf("%s: %x is refused: %s", name, b, a.Error)
				continue
			}
			compare(t, name, b, want, a.Leaves)
		}
		for _, c := range cannot {
			if !strings.Contains(string(ksy), c) {
				t.Errorf("%s does not say that it cannot say: %s", name, c)
			}
		}
	})
	t.Logf("%d packets read alike, %d refused by both", values, refused)
}

// leaf is a number or text and where it stands.
type leaf struct {
	at, n int
	text  string
	real  float64
	any   bool // text that Kaitai shows in another way, or bytes
}

// expand adds what a row holds.
func expand(to []leaf, e *interp.Event) []leaf {
	v := e.Value
	switch v.Kind() {
	case interp.Lanes, interp.Packed:
		width := v.Scalar().Width()
		if v.Kind() == interp.Packed && v.Scalar() == builtin.U8 {
			return append(to, leaf{at: e.Offset, n: e.Len, text: hex.EncodeToString(v.Bytes())})
		}
		for i := range e.Len / width {
			to = append(to, leaf{at: e.Offset + i*width, n: width, real: v.LaneFloat(i)})
		}
		return to
	case interp.Text:
		b := v.Bytes()
		return append(to, leaf{at: e.Offset, n: e.Len, text: string(b), any: !utf8.Valid(b) || strings.HasPrefix(string(b), "\ufeff") || e.Len >= 3 && len(b)+3 <= e.Len})
	case interp.Float:
		return append(to, leaf{at: e.Offset, n: e.Len, real: v.Float()})
	case interp.Int:
		return append(to, leaf{at: e.Offset, n: e.Len, real: float64(v.Int())})
	case interp.Uint:
		return append(to, leaf{at: e.Offset, n: e.Len, real: float64(v.Uint())})
	case interp.Bool:
		return append(to, leaf{at: e.Offset, n: e.Len, any: true})
	}
	return append(to, leaf{at: e.Offset, n: e.Len, real: float64(e.Number)})
}

func compare(t *testing.T, name string, b []byte, want []leaf, got [][3]any) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) {
			t.Errorf("%s: %x has %d parts, and %d here", name, b, len(got), len(want))
			return
		}
		w, g := want[i], got[i]
		shown := fmt.Sprint(g[2])
		same := w.any || w.text != "" && shown == w.text
		if x, err := strconv.ParseFloat(strings.Replace(shown, "Infinity", "Inf", 1), 64); !same && err == nil && w.text == "" {
			same = x == w.real || math.IsNaN(x) && math.IsNaN(w.real) || w.n == 8 && w.real < 0 // which their JavaScript reads wrong
		} else if w.text == "" && shown == "" {
			same = true
		}
		if int(g[0].(float64)) != w.at || int(g[1].(float64)) != w.n || !same {
			t.Errorf("%s: %x: part %d is %v, and %+v here", name, b, i, g, w)
			return
		}
	}
}
