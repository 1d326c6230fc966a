// Generated Python.

package generated

import (
	_ "embed" // of the peer
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/python"
	"github.com/octable/octable/interp"
)

//go:embed peer.py
var pythonPeer []byte

//go:embed shown.py
var pythonShown []byte

// inPython returns how values look in a module.
func inPython(m *model.Model) Dialect {
	names := python.ClassNames(m)
	return Dialect{
		Members: python.Members,
		Gates:   python.Gates,
		Record:  func(t *model.Type) string { return names[t] },
		Small:   Whole,
		Packed:  packedInPython,
		NaN:     quiet,
	}
}

// quiet returns the bits of a NaN that is not signalling. Conversions between precisions
// make a NaN quiet, and leave the rest unchanged.
func quiet(bits uint64) uint64 { return bits | 1<<51 }

// packedInPython shows an array: bytes as such, numbers as a list, tuples as lists in
// one.
func packedInPython(v interp.Value) any {
	if v.Scalar() == bytecode.U8 && v.Width() == 1 {
		return Array("u8", v.Bytes())
	}
	number := func(i int) any {
		if v.Scalar().IsFloat() {
			if f := v.LaneFloat(i); f != f {
				return Real(math.Float64frombits(quiet(math.Float64bits(f))))
			}
			return Real(v.LaneFloat(i))
		}
		if v.Scalar() == bytecode.U64 {
			return map[string]any{"i": strconv.FormatUint(v.LaneBits(i), 10)}
		}
		return Whole(v.LaneInt(i))
	}
	out := []any{}
	for i := range v.Len() {
		if v.Width() == 1 {
			out = append(out, number(i))
			continue
		}
		tuple := []any{}
		for k := range v.Width() {
			tuple = append(tuple, number(i*v.Width()+k))
		}
		out = append(out, tuple)
	}
	return out
}

// havePython reports whether there is a Python that is new enough.
func havePython() error {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.version_info >= (3, 11))").Output()
	if err != nil || strings.TrimSpace(string(out)) != "True" {
		return Missing("Python 3.11 or later is not installed; on a machine with it, .ci/run compares generated Python")
	}
	return nil
}

// pyrightConfig are the settings under which modules must pass.
const pyrightConfig = `{"typeCheckingMode": "strict", "pythonVersion": "3.11"}`

// CheckPython has pyright check the modules of schemas, which it writes into a folder.
// The error is a [Missing] if this machine lacks pyright, and a [*BuildError] if it
// rejects a module.
func CheckPython(dir string, specs []string) error {
	pyright, err := tool("OCTABLE_PYRIGHT", "pyright")
	if err != nil {
		return err
	}
	if err := havePython(); err != nil {
		return err
	}
	if err := Write("python", dir, specs); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "pyrightconfig.json"), []byte(pyrightConfig), 0o666); err != nil {
		return err
	}
	if out, err := command(pyright, "-p", dir).CombinedOutput(); err != nil {
		return &BuildError{Tool: "pyright", Err: err, Output: string(out)}
	}
	return nil
}

func openPython(dir string, specs []string) (Code, error) {
	if err := havePython(); err != nil {
		return nil, err
	}
	modules := filepath.Join(dir, "modules")
	if err := Write("python", modules, specs); err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "peer.py")
	for name, text := range map[string][]byte{program: pythonPeer, filepath.Join(dir, "shown.py"): pythonShown} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return nil, err
		}
	}
	peer, err := Start("python3", "-X", "utf8", program, modules)
	if err != nil {
		return nil, err
	}
	return newModules("Python", specs, peer, inPython), nil
}
