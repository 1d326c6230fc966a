package model_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/dsl/golden"
	"github.com/octable/octable/dsl/schema"
)

// load compiles a schema and makes its model.
func load(t *testing.T, path, choice string) *model.Model {
	t.Helper()
	s, err := compile.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return modelOf(t, s, choice)
}

func modelOf(t *testing.T, s *schema.Schema, choice string) *model.Model {
	t.Helper()
	s, err := s.With(choice)
	if err != nil {
		t.Fatal(err)
	}
	return modeltest.New(t, s)
}

// text is load for a schema that is given as text.
func text(t *testing.T, source string) *model.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.oct")
	if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	return load(t, path, "")
}

// statements calls f for every statement of a model.
func statements(m *model.Model, f func(r *model.Routine, t *model.Type, s *model.Stmt)) {
	m.Each(func(r *model.Routine, t *model.Type, body []*model.Stmt) {
		model.Walk(body, func(s *model.Stmt) { f(r, t, s) })
	})
}

// TestListing compares all that the models of an invented format say.
func TestListing(t *testing.T) {
	for _, choice := range []string{"small", "large"} {
		got := listing(load(t, "testdata/parcel.oct", choice))
		golden.Check(t, "parcel-"+choice+".golden", []byte(got))
	}
}

// TestEveryStatement sees to it that the listing has every operation that there is.
func TestEveryStatement(t *testing.T) {
	seen := map[model.Op]bool{}
	statements(load(t, "testdata/parcel.oct", "small"), func(_ *model.Routine, _ *model.Type, s *model.Stmt) { seen[s.Op] = true })
	for op := model.OpHeader; op <= model.OpPad; op++ {
		if !seen[op] {
			t.Errorf("%s is not seen", op)
		}
	}
}

// TestBounds compares the bounds of expressions with what follows from their operands.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		expr   string
		lo, hi int64
	}{
		{"a + b", 0, 255 + 65535},
		{"a - b", -65535, 255},
		{"a * b", 0, 255 * 65535},
		{"a / 3", 0, 255},
		{"b % 7", 0, 6},
		{"b % a", 0, 65535},
		{"a & 15", 0, 15},
		{"a << 4", 0, 255 << 4},
		{"b >> 4", 0, 4095},
		{"min(a, b)", 0, 255},
		{"max(a, b)", 0, 65535},
		{"min(c, a)", -128, 127},
		{"c - a", -128 - 255, 127},
		{"-c", -127, 128},
	} {
		m := text(t, fmt.Sprintf(record, c.expr))
		var got *model.Expr
		statements(m, func(_ *model.Routine, _ *model.Type, s *model.Stmt) {
			if s.Op == model.OpCheck {
				got = s.Expr.Args[1] // of the last check
			}
		})
		switch {
		case got == nil:
			t.Errorf("%s: no statement computes it", c.expr)
		case got.Min != c.lo || got.Max != c.hi:
			t.Errorf("%s is from %d to %d, want %d to %d", c.expr, got.Min, got.Max, c.lo, c.hi)
		case !got.Exact():
			t.Errorf("%s can be computed in double precision", c.expr)
		}
	}
}

// record has a computed number in its last check.
const record = `schema "small" {
    order little
    root  Record
}

type Record {
    | 0 | 1 | u8  | a | "a" check a >= 0
    | 1 | 2 | u16 | b | "b" check b >= 0
    | 3 | 1 | i8  | c | "c" check c >= -128
    | 4 | 8 | i64 | d | "d" check d >= (%s)
}
`

// TestEndless refuses records that are made of themselves and nothing else: their types
// would have no end.
func TestEndless(t *testing.T) {
	const head = "schema \"small\" {\n    order little\n    root  A\n    depth 8\n}\n\n"
	list := func(name, of string) string {
		return fmt.Sprintf("type %s {\n    | 0 | 1 | u8 | n = count(list) | \"number\"\n    repeat n as list {\n        | P | N | %s | elem | \"an element\"\n    }\n}\n\n", name, of)
	}
	for _, c := range []struct{ source, record string }{
		{list("A", "A"), "A"},
		{list("A", "B") + list("B", "A"), "A"},
		{"type A {\n    | 0 | 1 | u8 | x | \"x\"\n    | 1 | N | B | b | \"b\"\n}\n\n" + list("B", "B"), "B"},
		{"type A {\n    | 0 | 1 | u8 | x | \"x\"\n    | 1 | N | B | b | \"b\"\n}\n\n" + list("B", "A"), ""},
	} {
		path := filepath.Join(t.TempDir(), "small.oct")
		if err := os.WriteFile(path, []byte(head+c.source), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := compile.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := compile.Schema(s)
		if err != nil {
			t.Fatal(err)
		}
		_, err = model.New(s, p)
		var unsupported *model.Unsupported
		if (err != nil) != (c.record != "") || err != nil && (!errors.As(err, &unsupported) || !strings.HasPrefix(unsupported.Parts[0], "record "+c.record+", which holds "+c.record+" ")) {
			t.Errorf("record %q is refused with %v:\n%s", c.record, err, c.source)
		}
	}
}
