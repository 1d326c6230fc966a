package wireshark_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/export/wireshark"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestGolden compares a dissector with the golden file, and checks that each lists its notes.
func TestGolden(t *testing.T) {
	modeltest.All(t, "../../..", func(name string, m *model.Model, _ *bytecode.Program) {
		lua, cannot, err := wireshark.Dissector(m)
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
			if !bytes.Contains(lua, []byte(c)) {
				t.Errorf("%s does not say what it does not do: %s", name, c)
			}
		}
		if name != "godot-4.4+single" {
			return
		}
		const file = "testdata/godot-4.4.lua"
		if *update {
			if err := os.WriteFile(file, lua, 0o666); err != nil {
				t.Fatal(err)
			}
			t.Errorf("%s is written anew", file)
		}
		want, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(want, lua) {
			t.Errorf("%s is not what is exported now (%v); go test ./compile/export/wireshark -update writes it", file, err)
		}
	})
}
