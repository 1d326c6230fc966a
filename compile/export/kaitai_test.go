package export_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/octable/octable/compile/export/kaitai"
)

// TestNegativeBits checks that bits of numbers that may be negative are exported if the numbers are of 32 bits. The
// test for a power of 2 has such numbers.
func TestNegativeBits(t *testing.T) {
	ksy, _, err := kaitai.Schema(modelOf(t, "type T {\n    | 0 | 1 | u8 | n | check n & (n - 1) == 0 check (n - 1) & 3 == 3\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"((n & (n - 1)) == 0)", "(((n - 1) & 3) == 3)"} {
		if !bytes.Contains(ksy, []byte(want)) {
			t.Errorf("%s is not in\n%s", want, ksy)
		}
	}
	_, _, err = kaitai.Schema(modelOf(t, "type T {\n    | 0 | 4 | u32 | n | check n & (n - 1) == 0\n}\n"))
	if err == nil || !strings.Contains(err.Error(), "& on numbers of more than 32 bits with a sign") {
		t.Error(err)
	}
}
