package imhex_test

import (
	"bytes"
	"testing"

	"github.com/octable/octable/compile/export/imhex"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// TestLargeConstant compares unsigned numbers of 64 bits with unsigned constants: an expression of
// the schema has them modulo 2^64.
func TestLargeConstant(t *testing.T) {
	f, err := dsl.Parse("c.oct", []byte("schema \"c\" { root T }\n\ntype T {\n    | 0 | 8 | u64 | magic = 0x89504e470d0a1a0a | \"magic\"\n    | 8 | 8 | i64 | x = -1 | \"signed\"\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	pattern, _, err := imhex.Pattern(modeltest.New(t, s))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"magic == 9894494448401390090", "x == -1"} {
		if !bytes.Contains(pattern, []byte(want)) {
			t.Errorf("%s is not in\n%s", want, pattern)
		}
	}
}
