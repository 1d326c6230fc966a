// Values of tests, and what is the same.

package mutants_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/interp"
)

var negativeZero = math.Copysign(0, -1)

// basis is a Basis whose numbers at some places are not 0.
func basis(at ...int) string {
	b := make([]byte, 4+9*4)
	b[0] = 17
	for _, i := range at {
		binary.LittleEndian.PutUint32(b[4+4*i:], math.Float32bits(float32(i+1)))
	}
	return string(b)
}

func value(t *testing.T, m *interp.Machine, packet string) interp.Value {
	t.Helper()
	v, _, err := m.Decode([]byte(packet), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func lanes(s bytecode.Scalar, b string) mutants.Outcome {
	return mutants.Outcome{Value: interp.MakeLanes(5, s, []byte(b))}
}

// TestSame: outcomes that each level distinguishes.
func TestSame(t *testing.T) {
	short, later := mutants.Outcome{Err: &interp.Error{Kind: interp.ErrTruncated, Offset: 4}}, mutants.Outcome{Err: &interp.Error{Kind: interp.ErrTruncated, Offset: 8}}
	text := mutants.Outcome{Err: &interp.Error{Kind: interp.ErrText, Offset: 4}}
	five, six := mutants.Outcome{Value: interp.MakeInt(2, 5), Used: 8}, mutants.Outcome{Value: interp.MakeInt(2, 6), Used: 8}
	wide := mutants.Outcome{Value: interp.MakeInt(2, 5).WithWide(true), Used: 8}
	longer := mutants.Outcome{Value: interp.MakeInt(2, 5), Used: 12}
	plus, minus := mutants.Outcome{Value: interp.MakeFloat(3, 0)}, mutants.Outcome{Value: interp.MakeFloat(3, negativeZero)}
	for _, test := range []struct {
		name string
		a, b mutants.Outcome
		same [3]bool // at each level, reading
	}{
		{"the same error", short, short, [3]bool{true, true, true}},
		{"an error elsewhere", short, later, [3]bool{true, true, false}},
		{"another error", short, text, [3]bool{true, false, false}},
		{"an error and none", short, five, [3]bool{}},
		{"another value", five, six, [3]bool{}},
		{"another width", five, wide, [3]bool{true, true, true}},
		{"the same number without a sign", five, mutants.Outcome{Value: interp.MakeUint(2, 5), Used: 8}, [3]bool{true, true, true}},
		{"the same bits without a sign", mutants.Outcome{Value: interp.MakeInt(2, -1)}, mutants.Outcome{Value: interp.MakeUint(2, math.MaxUint64)}, [3]bool{}},
		{"a float of the same number", five, mutants.Outcome{Value: interp.MakeFloat(2, 5), Used: 8}, [3]bool{}},
		{"the same reals, wider", lanes(bytecode.F32, "\x00\x00\x80\x3f"), lanes(bytecode.F64, "\x00\x00\x00\x00\x00\x00\xf0\x3f"), [3]bool{true, true, true}},
		{"other reals", lanes(bytecode.F32, "\x00\x00\x80\x3f"), lanes(bytecode.F64, "\x00\x00\x00\x00\x00\x00\xf1\x3f"), [3]bool{}},
		{"another type", five, mutants.Outcome{Value: interp.MakeInt(3, 5), Used: 8}, [3]bool{}},
		{"more bytes", five, longer, [3]bool{}},
		{"another sign of zero", plus, minus, [3]bool{}},
	} {
		for l, want := range test.same {
			for _, pair := range [][2]mutants.Outcome{{test.a, test.b}, {test.b, test.a}} {
				if got := mutants.Same(interp.Reading, pair[0], pair[1], mutants.Level(l)); got != want {
					t.Errorf("%s, at level %d: the same is %v", test.name, l, got)
				}
			}
		}
	}
	if !mutants.Same(interp.Writing, short, later, mutants.Offsets) || mutants.Same(interp.Writing, mutants.Outcome{Bytes: []byte{1}}, mutants.Outcome{Bytes: []byte{2}}, mutants.Results) {
		t.Error("writing: places of errors are compared, or bytes are not")
	}
}
