package planlist

import (
	"reflect"
	"testing"
)

type named struct{ name string }

type unnamed struct{ n int }

type row struct {
	Offset int
	Size   uint32
	Ratio  float64
	Flag   bool
	Hidden int
	Text   string
}

type plan struct {
	Kind    any
	Type    reflect.Type
	Name    *named
	Stopped *unnamed
	Number  *int
	Call    func()
	Words   []uint8
	Table   map[string]int
	Rows    []row
	Parts   []plan
	Large   any
	Next    *plan
	Other   *plan
}

// TestOf prints one value of each kind.
func TestOf(t *testing.T) {
	five := 5
	self := &plan{Kind: 1}
	self.Next = self
	long := plan{Rows: []row{{Text: "a text that is so long that the list of rows does not fit on the line of its struct"}, {}, {Size: 1 << 20}, {Size: 1 << 20}, {Flag: true, Text: "another text"}}}
	for _, c := range []struct {
		name string
		in   any
		want string
		then string // the second listing
	}{
		{"nothing", nil, " nil\n", ""},
		{"nil", (*plan)(nil), " nil\n", ""},
		{"numbers", row{-1, 1 << 17, 0.5, true, 9, "a"}, " {Offset=-1 Size=0x20000 Ratio=0.5 Flag=true Text=\"a\"}\n", ""},
		{"stopped", plan{Name: &named{"first"}, Stopped: &unnamed{1}}, " {Name=\"first\" Stopped=unnamed}\n", ""},
		{"leaves", &plan{Kind: "x", Number: &five, Call: func() {}, Words: []uint8{1, 1, 1, 2}}, " {Kind=\"x\" Number=5 Call=func Words=[1*3 2]}\n", ""},
		{"type", &plan{Type: reflect.TypeFor[row]()}, " {Type=row}\n", ""},
		{"type without a name", &plan{Type: reflect.TypeFor[[]int]()}, " {Type=slice}\n", ""},
		{"type out of reach", plan{Type: reflect.TypeFor[row]()}, " {Type=type}\n", ""},
		{"map", plan{Table: map[string]int{"a": 1, "b": 2}}, ":\n\tTable 2 keys\n", ""},
		{"itself", self, " {Kind=1 Next=#0}\n", ""},
		{"rows", plan{Rows: []row{{Offset: 1}, {Offset: 1}, {Offset: 2}}}, " {Rows=[{Offset=1}*2 {Offset=2}]}\n", ""},
		{"parts", plan{Parts: []plan{{Table: map[string]int{"a": 1}}}}, " @26da3b07:\n\tParts\n\t\t0:\n\t\t\tTable 1 keys\n", " @26da3b07\n"},
		{"long rows", plan{Kind: 7, Rows: long.Rows}, " @2a93704f: Kind=7\n\tRows @cc111629\n\t\t0 {Text=\"a text that is so long that the list of rows does not fit on the line of its struct\"}\n\t\t2-3 {Size=0x100000}\n\t\t4 {Flag=true Text=\"another text\"}\n", ": Kind=7\n\tRows @cc111629\n"},
		{"interface", plan{Large: &long}, " @83ebbcb4:\n\tLarge @d1d982e7:\n\t\tRows @cc111629\n\t\t\t0 {Text=\"a text that is so long that the list of rows does not fit on the line of its struct\"}\n\t\t\t2-3 {Size=0x100000}\n\t\t\t4 {Flag=true Text=\"another text\"}\n", ":\n\tLarge:\n\t\tRows @cc111629\n"},
	} {
		l := List{Stop: []reflect.Type{reflect.TypeFor[named](), reflect.TypeFor[unnamed]()}, Skip: []string{"row.Hidden"}}
		if got := l.Of(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := l.Of(c.in); got != c.then {
			t.Errorf("%s: the second listing is %q, want %q", c.name, got, c.then)
		}
	}
}

// TestLabeled keeps the labels that are in a text twice.
func TestLabeled(t *testing.T) {
	if got, want := Labeled("a @00000001:\nb @00000002:\nc @00000001\n"), "a @00000001:\nb:\nc @00000001\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
