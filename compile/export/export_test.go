package export_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/compile/export"
	"github.com/octable/octable/compile/export/wireshark"
	"github.com/octable/octable/compile/gen/model/modeltest"
)

// TestCapitals gives a protocol and its fields the same name in Wireshark, which has no capitals in names of protocols.
func TestCapitals(t *testing.T) {
	m := modeltest.Of(t, "../../fuzz/languages/testdata/png.oct")
	m.Schema = "Big-Name"
	file, _, err := wireshark.Dissector(m)
	if err != nil || !strings.Contains(string(file), `local ID, TITLE = "big_name", `) {
		t.Errorf("%v: %.1000s", err, file)
	}
}

// exported calls check for what each format writes of a schema.
func exported(t *testing.T, path string, check func(format, file string, cannot []string)) {
	m := modeltest.Of(t, path)
	for _, f := range export.Formats {
		file, cannot, err := f.Write(m)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		check(f.Name, string(file), cannot)
	}
}

// TestChecksums exports a schema with a checksum. A format whose readers cannot compare it
// says so; the others compare it.
func TestChecksums(t *testing.T) {
	exported(t, "../../fuzz/languages/testdata/png.oct", func(format, file string, cannot []string) {
		noted := slices.ContainsFunc(cannot, func(s string) bool { return strings.Contains(s, "Chunk.crc is the checksum") })
		compared := strings.Contains(file, "sums.crc32(covered(")
		if noted == compared || compared != (format == "wireshark") {
			t.Errorf("%s: noted %v, compared %v", format, noted, compared)
		}
	})
}

// TestConditionsOfArrays exports conditions on sums and last numbers, which are left out and listed.
func TestConditionsOfArrays(t *testing.T) {
	exported(t, "../../fuzz/languages/testdata/sum-checks.oct", func(format, _ string, cannot []string) {
		for _, row := range []string{"mark", "xs", "y"} {
			if !slices.Contains(cannot, "Conditions at Message."+row+" on the sum or the last number of an array: they are not checked.") {
				t.Errorf("%s does not list the condition of %s: %q", format, row, cannot)
			}
		}
	})
}
