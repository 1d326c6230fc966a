package export_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/export"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/dsl/golden"
)

// goldens are the checked-in exports, by the format and the name of the schema.
var goldens = map[string]string{
	"kaitai godot-4.4+single":    "kaitai/testdata/godot-4.4.ksy",
	"kaitai wave+":               "kaitai/testdata/wave.ksy",
	"imhex godot-4.4+single":     "imhex/testdata/godot-4.4.hexpat",
	"wireshark godot-4.4+single": "wireshark/testdata/godot-4.4.lua",
}

// TestGolden exports every schema, compares some exports with the golden files, and checks that each lists its notes.
func TestGolden(t *testing.T) {
	compared := map[string]bool{}
	modeltest.All(t, "../..", func(name string, m *model.Model, _ *bytecode.Program) {
		for _, f := range export.Formats {
			text, cannot, err := f.Write(m)
			var unsupported *model.Unsupported
			if errors.As(err, &unsupported) && strings.HasSuffix(name, "+") && name != "wave+" {
				t.Logf("%s of %s: %v", f.Name, name, err) // fuzz/languages compares the others with the tool
				continue
			}
			if err != nil {
				t.Errorf("%s of %s: %v", f.Name, name, err)
				continue
			}
			for _, c := range cannot {
				if !bytes.Contains(text, []byte(c)) {
					t.Errorf("%s of %s does not say that it cannot say: %s", f.Name, name, c)
				}
			}
			if f.Name == "imhex" {
				checkPattern(t, name, string(text))
			}
			if file := goldens[f.Name+" "+name]; file != "" {
				compared[file] = true
				golden.File(t, filepath.FromSlash(file), text)
			}
		}
	})
	if len(compared) != len(goldens) {
		t.Errorf("%d of %d golden files are compared", len(compared), len(goldens))
	}
}
