package builtin

import (
	"slices"
	"strings"
	"testing"
)

// TestOperations checks that every operation can be found by the name that schemas use.
// It also checks that names are unique among functions and among operators.
func TestOperations(t *testing.T) {
	for op := range NumOps {
		o := Operations[op]
		if o.Doc == "" {
			t.Errorf("operation %d has no description", op)
		}
		if got, ok := FunctionNamed(o.Name); o.Call && (!ok || got != op || o.Usage == "") {
			t.Errorf("function %q is operation %d, want %d", o.Name, got, op)
		}
		if got, ok := OperatorNamed(o.Name); o.Bind > 0 && (!ok || got != op) {
			t.Errorf("operator %q is operation %d, want %d", o.Name, got, op)
		}
	}
	want := append(Checksums(), "arm", "closed", "count", "form", "last", "left", "len", "max", "min", "more", "place", "present", "size", "sum")
	slices.Sort(want)
	if got := Functions(); !slices.Equal(got, want) {
		t.Errorf("functions %v, want %v", got, want)
	}
	for _, name := range want {
		if call, value, ok := Usage(name); !ok || !strings.HasPrefix(call, name+"(") || value == "" {
			t.Errorf("%s is called as %q: %q", name, call, value)
		}
	}
	if _, ok := FunctionNamed("outside"); ok {
		t.Error("outside is not a function of the language")
	}
}

func TestTypes(t *testing.T) {
	for name, want := range map[string]Scalar{"u8": U8, "code4": Code4, "bool16": U16, "utf8": NoScalar, "latin1": NoScalar, "utf16be": NoScalar} {
		typ := TypeNamed(name)
		if typ == nil || typ.Scalar != want || typ.Truth != (name == "bool16") || typ.Text != (want == NoScalar) {
			t.Errorf("%s is %+v", name, typ)
		}
	}
	if TypeNamed("none") != nil || len(Types()) != int(numScalars)-1+3+1+len(Codings())+len(EndedCodings())+len(CharsetNames()) {
		t.Errorf("%d types", len(Types()))
	}
	for name, want := range map[string]string{
		"uint8_t": "u8", "WORD": "u16", "uint24": "u24", "DWORD": "u32", "QWORD": "u64", "sbyte": "i8", "short": "i16", "int24": "i24", "int": "i32",
		"longlong": "i64", "half": "f16", "float": "f32", "Double": "f64", "bool": "bool8", "FourCC": "code4", "varint": "leb128", "varint62": "quic", "compact_size": "compactsize", "VINT": "ebml", "char": "utf8",
		"u1": "u8", "U2": "u16", "u4": "u32", "s8": "i8", "s16": "i16", "I4": "i32", "s64": "i64", "f4": "f32", "R8": "f64",
		"ANSI": "windows1252", "cp1252": "windows1252", "IBM437": "cp437", "iso_8859_1": "latin1", "utf_8": "utf8", "unicode": "utf16",
		"octet": "u8", "opaque": "u8", "fixed32": "u32", "fixed64": "u64", "sfixed32": "i32", "sfixed64": "i64",
	} {
		if typ := Synonym(name); typ == nil || typ.Name != want {
			t.Errorf("%s is %+v, want %s", name, typ, want)
		}
	}
	for _, name := range []string{"long", "u8", ""} {
		if typ := Synonym(name); typ != nil {
			t.Errorf("%s is %+v", name, typ)
		}
	}
}

func TestAttributes(t *testing.T) {
	if a := AttributeNamed("any"); a == nil || a.At != OfRow|OfTruth|OfConstant|OfBits {
		t.Errorf("any: %+v", a)
	}
	if got, want := AttributeWords(), []string{"pad", "any", "fill", "left", "right", "view", "check", "if"}; !slices.Equal(got, want) {
		t.Errorf("attributes begin with %v, want %v", got, want)
	}
}
