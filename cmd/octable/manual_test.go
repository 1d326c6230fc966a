package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema/schematest"
)

// manualCommands are command lines with a schema FILE, some of which write into the folder OUT.
var manualCommands = []string{
	"check FILE", "specs -v FILE", "docs FILE", "program FILE", "compile FILE -o OUT/program.octb", "diff FILE FILE",
	"picture -spec FILE", "picture -spec FILE -format text", "picture -spec FILE -format list",
	"fuzz -spec FILE -inputs 50", "gen go FILE -o OUT/go", "gen ts FILE -o OUT/ts", "gen python FILE -o OUT/python",
	"export kaitai FILE", "export imhex FILE", "export wireshark FILE", "vectors -spec FILE -o OUT/vectors",
	"decode -spec FILE 00010203", "decode -spec FILE -format json 0001020304050607", "inspect -spec FILE 0001020304050607",
	"disasm -spec FILE -input hex 00010203", "step -spec FILE 00010203", "picture -spec FILE -format text 0001020304050607",
	"which -spec FILE 00010203", "encode -spec FILE []", "encode -spec FILE 1",
}

// TestManualSchemas runs commands with each schema of the manual. Many of these have one row of a kind, which other schemas
// have beside others. No command line ends in an internal error.
func TestManualSchemas(t *testing.T) {
	blocks := schematest.Blocks(t, "../../dsl/LANGUAGE.md")
	n := 0
	for i, name := range slices.Sorted(maps.Keys(blocks)) {
		if i%long.Number(72, 4) != 0 {
			continue
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "schema.oct")
		if err := os.WriteFile(file, []byte(blocks[name]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := compile.Program(file, ""); err != nil {
			continue
		}
		n++
		for _, line := range manualCommands {
			var out, errs bytes.Buffer
			args := strings.Fields(strings.NewReplacer("FILE", file, "OUT", dir).Replace(line))
			if code := run(args, strings.NewReader(""), &out, &errs); code == exitBug || code == exitUsage {
				t.Errorf("%s: octable %s: exit %d, %.300s\n%s", name, line, code, errs.String(), blocks[name])
			}
		}
	}
	if n < 2 {
		t.Errorf("only %d schemas", n)
	}
}
