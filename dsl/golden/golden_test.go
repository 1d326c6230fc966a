package golden

import "testing"

// TestDifference reports the first line that differs.
func TestDifference(t *testing.T) {
	for _, c := range []struct{ got, want, difference string }{
		{"a\nb", "a\nb", ""},
		{"a\nb\nc", "a\nx\nc", "2: b\ninstead of\nx"},
		{"a", "a\nb", "2: \ninstead of\nb"},
		{"a\nb", "a", "2: b\ninstead of\n"},
	} {
		if d := difference(c.got, c.want); d != c.difference {
			t.Errorf("%q and %q: %q, want %q", c.got, c.want, d, c.difference)
		}
	}
}

// TestMissing reports the first line that the other text does not have.
func TestMissing(t *testing.T) {
	for _, c := range []struct{ got, want, line string }{
		{"a\nc\n", "a\nb\nc\n", ""},
		{"a\nd\n", "a\nb\nc\n", "d"},
		{"a\nb x\n", "a\nb\n", "b x"},
	} {
		if line := missing(c.got, c.want); line != c.line {
			t.Errorf("%q and %q: %q, want %q", c.got, c.want, line, c.line)
		}
	}
}
