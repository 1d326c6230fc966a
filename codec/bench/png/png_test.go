package png

import "testing"

// TestSame checks that all code reads and writes the same.
func TestSame(t *testing.T) {
	Values.Check(t, 500)
	Typed.Check(t, 500)
}
