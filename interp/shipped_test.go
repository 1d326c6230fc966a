package interp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// programs is the folder of the shipped programs. Package codec embeds them, but a test that imports it compiles it anew.
const programs = "../codec/programs"

// schemaIDs returns the ids of the shipped programs.
func schemaIDs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(programs + "/*" + bytecode.Extension)
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s: %v", programs, err)
	}
	for i, name := range files {
		files[i] = strings.TrimSuffix(filepath.Base(name), bytecode.Extension)
	}
	slices.Sort(files)
	return files
}

var shippedMachines sync.Map // *interp.Machine, by id

// shipped returns the machine of a shipped program, which tests share.
func shipped(t *testing.T, id string) *interp.Machine {
	t.Helper()
	if m, ok := shippedMachines.Load(id); ok {
		return m.(*interp.Machine)
	}
	b, err := os.ReadFile(filepath.Join(programs, id+bytecode.Extension))
	if err != nil {
		t.Fatal(err)
	}
	p, err := bytecode.Load(b)
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(p, shippedTag)
	if err != nil {
		t.Fatal(err)
	}
	shippedMachines.Store(id, m)
	return m
}

// shippedTag numbers the types of a shipped program. Texts and types without a name have no number, as in Variants of package codec.
func shippedTag(i int, t *bytecode.Type) uint16 {
	if t.Name == "" || t.Union == "" && (t.Fields == nil || len(t.Fields) == 1 && t.Fields[0].Alone && t.Fields[0].Kind == interp.Text) {
		return 0
	}
	return uint16(i) + 1
}
