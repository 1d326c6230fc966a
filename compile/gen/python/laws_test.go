package python_test

import (
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/gentest"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/python"
	"github.com/octable/octable/interp"
)

// modelOf returns the model of an embedded schema.
func modelOf(t testing.TB, id string) *model.Model {
	p := codec.MustLoad(id).Program()
	s, err := compile.Load(p.Schema)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(p, s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// dialectOf returns how values look in a generated module.
func dialectOf(m *model.Model) gentest.Dialect {
	names := python.ClassNames(m)
	return gentest.Dialect{
		Member: python.Member,
		Record: func(t *model.Type) string { return names[t] },
		Small:  func(i int64, _ bool) any { return gentest.Whole(i) },
		Packed: packed,
		Text:   gentest.Text,
	}
}

// packed shows an array: bytes as such, numbers as a list, tuples as lists in one.
func packed(v interp.Value) any {
	if v.Scalar() == bytecode.U8 && v.Width() == 1 {
		return map[string]any{"p": []any{"u8", hex.EncodeToString(v.Bytes())}}
	}
	number := func(i int) any {
		if v.Scalar().IsFloat() {
			return gentest.Real(v.LaneFloat(i))
		}
		return gentest.Whole(v.LaneInt(i))
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

// generated writes modules into a folder. It skips the test where there is no Python
// that is new enough.
func generated(t *testing.T, ids []string) string {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.version_info >= (3, 11))").Output()
	if err != nil || strings.TrimSpace(string(out)) != "True" {
		t.Skip("Python 3.11 or later is not installed")
	}
	dir := t.TempDir()
	for _, id := range ids {
		files, err := python.Generate(modelOf(t, id), model.Options{})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		if err := os.WriteFile(filepath.Join(dir, id+".py"), files[0].Text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("it loads every generated module")
	}
	ids := codec.Schemas()
	peer, err := gentest.Start("python3", "-X", "utf8", "testdata/peer.py", generated(t, ids))
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	for _, id := range ids {
		t.Run(id, func(t *testing.T) {
			m := modelOf(t, id)
			l := gentest.Laws{Peer: peer, Spec: id, Model: m, Program: codec.MustLoad(id).Program(), Dialect: dialectOf(m), Values: gentest.Values(4), Seed: 1}
			if err := l.Check(); err != nil {
				t.Errorf("%.4000s", err)
			}
		})
	}
}

// TestTypes checks the modules with pyright in its strict mode, where it can be had:
// OCTABLE_PYRIGHT is its path, or it stands in the PATH.
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("it checks every generated module")
	}
	pyright := os.Getenv("OCTABLE_PYRIGHT")
	if pyright == "" {
		var err error
		if pyright, err = exec.LookPath("pyright"); err != nil {
			t.Skip("pyright is not installed; OCTABLE_PYRIGHT can name it")
		}
	}
	dir := generated(t, codec.Schemas())
	config := `{"typeCheckingMode": "strict", "pythonVersion": "3.11", "reportUnnecessaryIsInstance": false, "reportUnnecessaryComparison": false, "reportUnusedClass": false, "reportUnusedFunction": false, "reportPrivateUsage": false}`
	if err := os.WriteFile(filepath.Join(dir, "pyrightconfig.json"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(pyright, "-p", dir)
	if strings.HasSuffix(pyright, ".js") {
		cmd = exec.Command("node", pyright, "-p", dir)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("pyright: %v\n%.6000s", err, out)
	}
}
