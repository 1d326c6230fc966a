package interp_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

var update = flag.Bool("update", false, "write the goldens in testdata")

// TestFused compares the forms of values that the fast loops take, for each schema, with testdata/fused.golden. A value that they
// do not take is read and written right, but slowly. Each form is in the file once, below the first schema that has it.
func TestFused(t *testing.T) {
	var out strings.Builder
	seen := map[string]bool{}
	for _, id := range schemaIDs(t) {
		m := shipped(t, id)
		fmt.Fprintf(&out, "%s\n", id)
		line := func(format string, args ...any) {
			if s := fmt.Sprintf(format, args...); !seen[s] {
				seen[s] = true
				fmt.Fprintf(&out, "  %s\n", s)
			}
		}
		for i, typ := range m.Program().Types {
			tag := shippedTag(i, &typ)
			for _, f := range m.ReadForms(tag) {
				line("read %s: %s", typ.Name, formText(f))
			}
			if f, wide, ok := m.WriteForm(tag); ok {
				line("write %s: %s, wide %#x", typ.Name, formText(f), wide)
			}
		}
	}
	golden(t, "testdata/fused.golden", out.String())
}

func formText(f interp.Form) string {
	out := fmt.Sprintf("%s, header %#x", f.Kind, f.Head)
	if f.Size != 0 {
		out += fmt.Sprintf(", %d of %s in %d bytes", f.Lanes, f.Scalar, f.Size)
	} else if f.Scalar != bytecode.NoScalar {
		out += fmt.Sprint(", ", f.Scalar)
	}
	if f.Count != interp.CountPlain {
		out += fmt.Sprint(", count ", f.Count)
	}
	for _, x := range []struct {
		is   bool
		text string
	}{{f.Padded, "padded"}, {f.OrEnd, "or at the end"}, {f.Texts, "texts"}, {f.Counted, "counted"}, {f.Encoding != 0, fmt.Sprint("encoding ", f.Encoding)}} {
		if x.is {
			out += ", " + x.text
		}
	}
	return out
}
