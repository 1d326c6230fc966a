package export_test

import (
	"bytes"
	"testing"

	"github.com/octable/octable/compile/export/imhex"
	"github.com/octable/octable/compile/export/kaitai"
	"github.com/octable/octable/compile/export/wireshark"
	"github.com/octable/octable/compile/gen/model"
)

// TestTupleNames has the names of the rows of an element also if the list is an array of tuples.
func TestTupleNames(t *testing.T) {
	m := modelOf(t, `
type T {
    | 0 | 1 | u8 | n = count(list) |
    repeat n as list {
        | 1+i*8 | 4 | u32 | VirtualAddress | "where"
        | 5+i*8 | 4 | u32 | Size           | "how many"
    }
}
`)
	for name, export := range map[string]func(*model.Model) ([]byte, []string, error){
		`ProtoField.uint32(ID .. ".t.list.virtual_address", "VirtualAddress", `: wireshark.Dissector,
		"    u32 virtual_address;\n    u32 size;\n":                             imhex.Pattern,
		"- id: virtual_address\n        type: u4\n      - id: size\n":           kaitai.Schema,
	} {
		text, _, err := export(m)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte(name)) {
			t.Errorf("%q is not in\n%s", name, text)
		}
	}
}
