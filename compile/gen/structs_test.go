// Tests of the messages about Go structs for which no code is generated.

package gen_test

import (
	"strings"
	"testing"

	"github.com/octable/octable/compile/gen/golang"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/model/modeltest"
)

func TestStructErrors(t *testing.T) {
	field := func(f string) string { return "package a\ntype T struct { " + f + " }\n" }
	for _, c := range []struct{ id, source, pkg, want string }{
		{"godot-4.4", "", "", "expected 'package'"},
		{"godot-4.4", "package a\ntype T struct {", "", "the structs cannot be read: s.go:2:16"},
		{"godot-4.4", "package a\n", "", `s.go has no structs with fields that have the tag octable:"…"`},
		{"godot-4.4", field("N int"), "", "has no structs with fields"},
		{"godot-4.4", field("N int `octable:\"n\"`"), "b", "s.go is of package a"},
		{"godot-4.4", field("N chan int `octable:\"n\"`"), "", "the type chan cannot be generated"},
		{"godot-4.4", field("N Other `octable:\"n\"`"), "", "Other is not declared in the file"},
		{"godot-4.4", field("N [3]int `octable:\"n\"`"), "", "an array needs type=T"},
		{"godot-4.4", field("N, M int `octable:\"n\"`"), "", `two fields of T have the key "n"`},
		{"godot-4.4", field("N int `octable:\"n,bogus\"`"), "", `the option "bogus"`},
		{"godot-4.4", field("n int `octable:\"n\"`"), "", "T.n has a tag and is not exported"},
		{"godot-4.4", field("Other `octable:\"n\"`"), "", "an embedded struct cannot be generated"},
		{"godot-4.4", "package a\ntype Value struct { N int `octable:\"n\"` }\n", "", "s.go:2:6: Value is declared by the generated file octable_value.go too"},
		{"godot-4.4", field("N int `octable:\"n\"`") + "func Decode() {}\n", "", "Decode is declared by the generated file octable_decode.go too"},
		{"tar", field("N int `octable:\"n\"`"), "", "schema tar has no type for structs"},
	} {
		o := model.Options{Package: c.pkg, Tag: "octable", Structs: &model.File{Name: "s.go", Text: []byte(c.source)}}
		if _, err := golang.Generate(modeltest.Of(t, c.id), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n have %v\n want %s", c.source, err, c.want)
		}
	}
}
