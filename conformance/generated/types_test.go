package generated

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/octable/octable/codec"
)

// TestTypes checks Python modules with pyright in its strict mode, where it can be had:
// OCTABLE_PYRIGHT is its path, or it stands in the PATH. The compiler of TypeScript
// checks types for [TestGenerated].
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("it checks every generated module")
	}
	pyright, err := tool("OCTABLE_PYRIGHT", "pyright")
	if missing := Missing(""); errors.As(err, &missing) {
		t.Skip(missing)
	}
	if err := havePython(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := Write("python", dir, ".py", append(codec.Schemas(), unread(t)...)); err != nil {
		t.Fatal(err)
	}
	config := `{"typeCheckingMode": "strict", "pythonVersion": "3.11", "reportUnnecessaryIsInstance": false, "reportUnnecessaryComparison": false, "reportUnusedClass": false, "reportUnusedFunction": false, "reportPrivateUsage": false}`
	if err := os.WriteFile(filepath.Join(dir, "pyrightconfig.json"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := script(pyright, "-p", dir).CombinedOutput(); err != nil {
		t.Errorf("pyright: %v\n%.6000s", err, out)
	}
}
