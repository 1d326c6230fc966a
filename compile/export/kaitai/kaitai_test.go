package kaitai_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/export/kaitai"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares descriptions with the golden files, and checks that each lists its notes.
func TestGolden(t *testing.T) {
	modeltest.All(t, "../../..", func(name string, m *model.Model, _ *bytecode.Program) {
		ksy, cannot, err := kaitai.Schema(m)
		var unsupported *model.Unsupported
		if errors.As(err, &unsupported) && strings.HasSuffix(name, "+") && name != "wave+" {
			t.Logf("%s: %v", name, err) // fuzz/languages compares the others with the tool
			return
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		for _, c := range cannot {
			if !strings.Contains(string(ksy), c) {
				t.Errorf("%s does not say that it cannot say: %s", name, c)
			}
		}
		if name != "godot-4.4+single" && name != "wave+" {
			return
		}
		file := filepath.Join("testdata", strings.TrimRight(strings.TrimSuffix(name, "single"), "+")+".ksy")
		if *update {
			if err := os.WriteFile(file, ksy, 0o666); err != nil {
				t.Fatal(err)
			}
			t.Errorf("%s is written anew", file)
		}
		want, err := os.ReadFile(file)
		if err != nil || string(want) != string(ksy) {
			t.Errorf("%s is not what is exported now (%v); go test ./compile/export/kaitai -update writes it", file, err)
		}
	})
}
