package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/compile/gen/model"
)

func TestNames(t *testing.T) {
	for _, c := range []struct{ name, pascal, camel, snake string }{
		{"value", "Value", "value", "value"},
		{"key_type", "KeyType", "keyType", "key_type"},
		{"KeyType", "KeyType", "keyType", "key_type"},
		{"URL", "URL", "url", "url"},
		{"URLList", "URLList", "urlList", "urllist"},
		{"Point2D", "Point2D", "point2D", "point2_d"},
		{"framing-big", "FramingBig", "framingBig", "framing_big"},
		{"version 4.0", "Version40", "version40", "version_4_0"},
		{"__x__", "X", "x", "x"},
		// what no identifier may begin with, or is empty
		{"", "N", "n", "n"},
		{"---", "N", "n", "n"},
		{"4bit", "N4bit", "n4bit", "n4bit"},
		{"٣x", "N٣x", "n٣x", "n٣x"},
		// words of other languages stay what they are: back ends know which are taken
		{"func", "Func", "func", "func"},
		{"class", "Class", "class", "class"},
		{"größe", "Größe", "größe", "größe"},
		{"日本", "日本", "日本", "日本"},
		{"\xff\xfe", "N", "n", "n"},
	} {
		if p, k, s := model.Pascal(c.name), model.Camel(c.name), model.Snake(c.name); p != c.pascal || k != c.camel || s != c.snake {
			t.Errorf("%q is %q, %q and %q, want %q, %q and %q", c.name, p, k, s, c.pascal, c.camel, c.snake)
		}
	}
	for name, want := range map[string]string{
		"entries": "entry", "points": "point", "class": "classItem", "ies": "ie", "s": "sItem", "": "Item", "data": "dataItem",
	} {
		if got := model.Singular(name); got != want {
			t.Errorf("one of %q is %q, want %q", name, got, want)
		}
	}
}

// No two names are the same, however many ask for one.
func TestUnique(t *testing.T) {
	u := model.Unique{"func": true}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"func", "func_"}, "func_"},
		{[]string{"func", "func_"}, "func_2"},
		{[]string{"Point"}, "Point"},
		{[]string{"Point", "ShapePoint"}, "ShapePoint"},
		{[]string{"Point2"}, "Point2"},
		{[]string{"Point"}, "Point3"}, // 2 is taken
		{[]string{""}, ""},
		{[]string{""}, "2"},
	} {
		if got := u.Name(c.names...); got != c.want {
			t.Errorf("of %q %q is given out, want %q", c.names, got, c.want)
		}
	}
	for range 1000 {
		if n := u.Name("many"); len(n) > len("many1000") {
			t.Fatalf("the name %q grows", n)
		}
	}
	if len(u) < 1000 {
		t.Errorf("%d names for 1000 that asked", len(u))
	}
}

// Arms of two unions may have the name of each other, and that of a record.
func TestTypeNames(t *testing.T) {
	m := text(t, `schema "small" {
    order little
    root  Shape
}

type point {
    | 0 | 1 | u8 | x | "across"
    | 1 | 1 | u8 | y | "up"
}

union Shape by kind {
    | 0 | 1 | u8 | kind | "kind"
}

arm Shape 0 point {
    | 1 | 2 | point | at | "where it is"
}

arm Shape 1 func {
    | 1 | N | Curve | curve | "what it is"
}

union Curve by kind {
    | 0 | 1 | u8 | kind | "kind"
}

arm Curve 0 func {}

arm Curve 1 point {}
`)
	var got []string
	m.Each(func(r *model.Routine, typ *model.Type, _ []*model.Stmt) {
		name, owner := model.TypeName(typ, r)
		got = append(got, name+" or "+owner)
	})
	want := "Point or ShapePoint, Func or ShapeFunc, Point or PointRecord, Func or CurveFunc, Point or CurvePoint"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("types are called %s, want %s", s, want)
	}
	seen := map[string]bool{}
	for _, names := range got {
		_, owner, _ := strings.Cut(names, " or ")
		if seen[owner] {
			t.Errorf("two types are called %s", owner)
		}
		seen[owner] = true
	}
}

// TestDeep checks when calls are counted. A record in a record in a record does not count towards the depth,
// so calls have to be counted if there are many; a union that nests begins anew.
func TestDeep(t *testing.T) {
	for levels, want := range map[int]bool{1: false, 3: false, 4: true, 60: true} {
		var source strings.Builder
		source.WriteString("schema \"small\" {\n    order little\n    root  Tree\n}\n\nunion Tree by kind {\n    | 0 | 1 | u8 | kind | \"kind\"\n}\n\narm Tree 0 leaf {}\n\narm Tree 1 node {\n    | 1 | N | R0 | inner | \"what is inside\"\n}\n")
		for i := range levels {
			inner := fmt.Sprintf("R%d", i+1)
			if i == levels-1 {
				inner = "Tree"
			}
			fmt.Fprintf(&source, "\ntype R%d {\n    | 0 | 1 | u8 | x | \"a number\"\n    | 1 | N | %s | inner | \"what is inside\"\n}\n", i, inner)
		}
		m := text(t, source.String())
		if m.CountCalls != want {
			t.Errorf("with %d records in each other, calls counted is %t", levels, m.CountCalls)
		}
		if m.Root.Shape.Kind != model.Union || !m.Root.Nests || m.Root.Min != 1 {
			t.Errorf("with %d records in each other, the root is %+v", levels, m.Root)
		}
	}
}
