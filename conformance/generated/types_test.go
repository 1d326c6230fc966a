package generated

import (
	"errors"
	"testing"

	"github.com/octable/octable/codec"
)

// TestTypes checks Python modules with pyright in its strict mode, where it can be had:
// OCTABLE_PYRIGHT is its path, or it stands in the PATH. The compiler of TypeScript
// checks types for [TestGenerated].
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the type checks of every generated module; go test without it runs them")
	}
	err := CheckPython(t.TempDir(), append(codec.Schemas(), unread(t)...))
	if missing := Missing(""); errors.As(err, &missing) {
		t.Skip(missing)
	}
	if err != nil {
		t.Errorf("%.6000s", err)
	}
}
