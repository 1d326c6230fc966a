package generated

import (
	"errors"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/dsl/long"
)

// TestTypes checks Python modules with pyright in its strict mode, if the machine has it. OCTABLE_PYRIGHT is
// its path, or it is in the PATH. With OCTABLE_LONG=1 it checks all schemas, else one of three. The compiler
// of TypeScript checks types for [TestGenerated].
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the type checks of every generated module; go test without it runs them")
	}
	err := CheckPython(t.TempDir(), long.Part(3, append(codec.Schemas(), unread(t)...)))
	if missing := Missing(""); errors.As(err, &missing) {
		t.Skip(missing)
	}
	if err != nil {
		t.Errorf("%.6000s", err)
	}
}
