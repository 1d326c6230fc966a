package audit

import "testing"

func TestNamedType(t *testing.T) {
	for text, want := range map[string]struct {
		name, order, class string
		bytes              int
	}{
		"uint16_t":            {"u16", "", "Integer", 2},
		"`uint16_le`":         {"u16", "le", "Integer", 2},
		"u32be":               {"u32", "be", "Integer", 4},
		"`uint64` big-endian": {"u64", "be", "Integer", 8},
		"unsigned int":        {"u32", "", "Integer", 4},
		"Uint32 LE":           {"u32", "le", "Integer", 4},
		"int16 (big-endian)":  {"i16", "be", "Integer", 2},
		"[u8; 32]":            {"u8", "", "Bytes", 32},
		"[2]uint16":           {"u16", "", "Integer", 4},
		"char[]":              {"u8", "", "Bytes", 1},
		"[]byte":              {"u8", "", "Bytes", 1},
		"s16":                 {"i16", "", "Integer", 2},
		"I2":                  {"i16", "", "Integer", 2},
		"X4":                  {"u32", "", "Integer", 4},
		"R8":                  {"f64", "", "Float", 8},
		"double":              {"f64", "", "Float", 8},
		"float[3]":            {"f32", "", "Float", 12},
		"byte":                {"u8", "", "Byte", 1},
		"u8 [32]":             {"u8", "", "Bytes", 32},
		"char[80]":            {"u8", "", "Bytes", 80},
		"char[4]":             {"u8", "", "Byte", 4}, // four letters can be a code
		"bool":                {"bool8", "", "", 1},
	} {
		n := NamedType(text)
		if n == nil {
			t.Errorf("%s names no type", text)
		} else if n.Type.Name != want.name || n.Order != want.order || n.class() != want.class || n.Bytes() != want.bytes {
			t.Errorf("%s is %s%s of %d bytes, class %q; want %v", text, n.Type.Name, n.Order, n.Bytes(), n.class(), want)
		}
	}
	for _, text := range []string{"", "void*", "string", "char[0]", "u8[99999999]", "varint", "Point", "Integer", "[Point]", "float or int"} {
		if n := NamedType(text); n != nil {
			t.Errorf("%q names %s", text, n.Type.Name)
		}
	}
}

// TestLengths reads lengths with units and by the names of numbers. A name of two letters is that of a length.
func TestLengths(t *testing.T) {
	for text, want := range map[string]string{
		"8 B": "8", "4 bytes": "4", "N bytes": "N", "32 bits": "4", "uint32_t": "4", "DWORD": "4", "char": "1", "long": "4",
		"S1": "S1", "U4": "U4", "N": "N", "2*N": "2*N", "bool": "bool",
	} {
		if got := lengthText(text, "Size"); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
