package bytecode_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/spec"
)

// post compiles the schema of the first listing.
func post(t testing.TB) (*bytecode.Program, func(file string, line int) string) {
	return small(t, "post")
}

// small compiles a schema of testdata.
func small(t testing.TB, id string) (*bytecode.Program, func(file string, line int) string) {
	name := id + ".oct"
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := compile.Text(name, text, "")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	return p, func(file string, line int) string {
		if file != name || line < 1 || line > len(lines) {
			return ""
		}
		return lines[line-1]
	}
}

func TestList(t *testing.T) {
	for _, id := range []string{"post", "forms"} {
		p, source := small(t, id)
		var b bytes.Buffer
		if err := p.List(&b, source); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, id+".list", b.Bytes())
	}
}

// languageCases are the schemas by which generated code is compared with the interpreter.
const languageCases = "../../fuzz/languages/testdata/*.oct"

// compileCases calls f with the program of each language case.
func compileCases(t *testing.T, f func(name string, p *bytecode.Program)) {
	t.Helper()
	files, err := filepath.Glob(languageCases)
	if err != nil || len(files) == 0 {
		t.Fatalf("no schemas match %s: %v", languageCases, err)
	}
	for _, name := range files {
		s, err := compile.LoadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Root == nil {
			continue // a library for other schemas
		}
		p, err := compile.Schema(s)
		if err != nil {
			t.Fatal(err)
		}
		f(strings.TrimSuffix(filepath.Base(name), ".oct"), p)
	}
}

// TestListCases compares the instructions of each construct of the language with testdata/cases.list.
func TestListCases(t *testing.T) {
	var b bytes.Buffer
	compileCases(t, func(_ string, p *bytecode.Program) {
		if err := p.List(&b, nil); err != nil {
			t.Fatal(err)
		}
	})
	golden.Check(t, "cases.list", b.Bytes())
}

func TestReference(t *testing.T) {
	var b bytes.Buffer
	if err := bytecode.Reference(&b); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "reference.md", b.Bytes())
}

// Every instruction of every program has a line, and nothing in it is unknown.
func TestListAll(t *testing.T) {
	for name := range programFiles(t) {
		p := load(t, name)
		var b bytes.Buffer
		if err := p.List(&b, nil); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"invalid", "does not exist", "%!"} {
			if strings.Contains(b.String(), bad) {
				t.Errorf("%s: the listing has %q", name, bad)
			}
		}
		if n := strings.Count(b.String(), ".oct:"); n != len(p.Code) {
			t.Errorf("%s: %d lines for %d instructions", name, n, len(p.Code))
		}
		for _, r := range p.Rules {
			if _, err := spec.FS.ReadFile(r.File); err != nil {
				if _, err := spec.FS.ReadFile("formats/" + r.File); err != nil {
					t.Errorf("%s: rule %s is of file %s, which is not there", name, r.Name, r.File)
				}
			}
		}
	}
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range bytecode.Ops() {
		name := op.String()
		if name == "" || strings.TrimSpace(name) != name || seen[name] || op.Doc() == "" {
			t.Errorf("operation %d has name %q and text %q", op, name, op.Doc())
		}
		seen[name] = true
		for _, kind := range op.Operands() {
			if kind != bytecode.NoOperand && (kind.String() == "" || kind.String() == "invalid") {
				t.Errorf("operation %s has an operand without a name", op)
			}
		}
	}
	for o := bytecode.ExprOp(0); o.String() != "invalid"; o++ {
		if o.String() == "" || o.Doc() == "" {
			t.Errorf("operation %d of expressions has name %q and text %q", o, o, o.Doc())
		}
	}
}

func TestExprText(t *testing.T) {
	num, op := bytecode.Num, bytecode.Apply
	reg := func(x int64) *bytecode.Expr { return bytecode.Reg(int(x)) }
	leaf := func(op bytecode.ExprOp, x int64, y uint32) *bytecode.Expr {
		return &bytecode.Expr{Op: op, Arg: x, Arg2: y}
	}
	const (
		add, sub, mul = bytecode.ExprAdd, bytecode.ExprSub, bytecode.ExprMul
		and, eq, not  = bytecode.ExprAnd, bytecode.ExprEq, bytecode.ExprNot
	)
	for _, c := range []struct {
		want string
		expr *bytecode.Expr
	}{
		{"42", num(42)},
		{"-1", num(-1)},
		{"0x80000000", num(1 << 31)},
		{"'RIFF'", num(0x46464952)},
		{"r0 * (r1 + 2)", op(mul, reg(0), op(add, reg(1), num(2)))},
		{"r0 * r1 + 2", op(add, op(mul, reg(0), reg(1)), num(2))},
		{"r0 - (r1 - r2)", op(sub, reg(0), op(sub, reg(1), reg(2)))},
		{"r0 - r1 - r2", op(sub, op(sub, reg(0), reg(1)), reg(2))},
		{"r0 & 255 == 3", op(eq, op(and, reg(0), num(255)), num(3))},
		{"r0 & (r1 == 3)", op(and, reg(0), op(eq, reg(1), num(3)))},
		{"!(r0 == 1) && !r1", op(bytecode.ExprBoth, op(not, op(eq, reg(0), num(1))), op(not, reg(1)))},
		{"-(r0 + 1)", op(bytecode.ExprNeg, op(add, reg(0), num(1)))},
		{"(r0 ? 1 : 2) + 3", op(add, op(bytecode.ExprSelect, reg(0), num(1), num(2)), num(3))},
		{"min(r0, max(1, r1))", op(bytecode.ExprMin, reg(0), op(bytecode.ExprMax, num(1), reg(1)))},
		{"fit(len(c0, utf8), 31)", &bytecode.Expr{Op: bytecode.ExprFit, Arg: 31, Args: []*bytecode.Expr{leaf(bytecode.ExprLen, 0, 0)}}},
		{"arm(c1, Item)", leaf(bytecode.ExprArm, 1, 0)},
		{"exact || wide(c0)", op(bytecode.ExprEither, leaf(bytecode.ExprExact, 0, 0), leaf(bytecode.ExprWide, 0, 0))},
		{"closed(gate 3, which does not exist)", leaf(bytecode.ExprClosed, 3, 0)},
		{"invalid", op(add)},
		{"invalid", nil},
	} {
		p, _ := post(t)
		p.Exprs = []*bytecode.Expr{c.expr}
		if got := p.ExprText(0); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestListWriterFails(t *testing.T) {
	p, _ := post(t)
	if err := p.List(full{}, nil); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }
