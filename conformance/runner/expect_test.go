package runner

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
)

// few is a suite of six cases: three of int, one of them a may, and three of others.
func few(t *testing.T) *vectors.Suite {
	t.Helper()
	s := &vectors.Suite{Format: vectors.Format, Schema: "godot-4.4"}
	for _, value := range []string{"1", "2", "3"} {
		s.Cases = append(s.Cases, vectors.Case{ID: "int/" + string(value[0]-'1'+'a'), Type: "int", Uses: []string{"int"}, Result: vectors.Valid, Level: vectors.Must,
			Row: "int.value", Bytes: "020000000" + value + "000000", Value: json.RawMessage(value)})
	}
	s.Cases = append(s.Cases, []vectors.Case{
		{ID: "Nil/a", Type: "Nil", Uses: []string{"Nil"}, Result: vectors.Valid, Level: vectors.Must, Bytes: "00000000", Value: json.RawMessage("null")},
		{ID: "bool/two", Type: "bool", Uses: []string{"bool"}, Result: vectors.Acceptable, Level: vectors.Should, Bytes: "0100000002000000", Canonical: "0100000001000000", Value: json.RawMessage("true")},
		{ID: "int/may", Type: "int", Uses: []string{"int"}, Result: vectors.Valid, Level: vectors.May, Bytes: "0200000009000000", Value: json.RawMessage("9")},
	}...)
	return s
}

// bad is an implementation in this process that does what its functions do.
type bad struct {
	protocol.Implementation
	decode func(b []byte) (json.RawMessage, int, error)
	encode func(v json.RawMessage) ([]byte, error)
}

func (b bad) Decode(spec string, p []byte, objects bool) (json.RawMessage, int, error) {
	if b.decode != nil {
		return b.decode(p)
	}
	return b.Implementation.Decode(spec, p, objects)
}

func (b bad) Encode(spec string, v json.RawMessage, objects bool) ([]byte, error) {
	if b.encode != nil {
		return b.encode(v)
	}
	return b.Implementation.Encode(spec, v, objects)
}

// noInts fails every decode of an int but 2, and encodes all.
func noInts() protocol.Implementation {
	good := protocol.ForCodec(protocol.About{Name: "octable", Specs: codec.Schemas(), Ops: []protocol.Op{protocol.Decode, protocol.Encode}}, codec.Load)
	return bad{Implementation: good, decode: func(b []byte) (json.RawMessage, int, error) {
		if b[0] == 2 && b[4] != 2 {
			return json.RawMessage("1.5"), 8, nil
		}
		return good.Decode("godot-4.4", b, false)
	}}
}

func TestExpectations(t *testing.T) {
	s := few(t)
	for name, c := range map[string]struct {
		list   string
		fail   int
		ok     int // as expected
		stale  int
		unused string // a pattern; "" without one
		failed bool
	}{
		"no list":    {"", 2, 0, 0, "", true},
		"all":        {"decode int/?  # not done yet\ndecode int/may # same", 0, 3, 1, "", true},
		"just these": {"# ints\n\ndecode int/a  # not done yet\ndecode int/c\t# not # done\ndecode int/may # same", 0, 3, 0, "", false},
		"both ways":  {"int/a  # not done yet\ndecode int/c # x", 0, 2, 1, "", true},
		"schemas":    {"[godot-3*]\nint/*  # x\n[godot-4.?]\ndecode int/a # x\n[godot-4.4]\ndecode int/c # y", 0, 2, 0, "", false},
		"nothing":    {"decode int/[ac] # x\ndecode int/a # x\ndecode int/c # x", 0, 2, 0, `list:1: int/\[ac\] fits no case of godot-4.4`, true},
		"twice":      {"decode int/a # x\ndecode int/c # x\ndecode *t/a # x", 0, 2, 0, `list:3: \*t/a fits only cases that are not run, or that an earlier line expects`, true},
		"recode":     {"recode int/a # x\ndecode int/? # x", 0, 2, 1, `list:1: int/a fits only cases that are not run`, true},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := ParseExpectations("list", []byte(c.list))
			if err != nil {
				t.Fatal(err)
			}
			run, err := Conform(context.Background(), s, Local(noInts(), 0), Options{Expect: e})
			if err != nil {
				t.Fatal(err)
			}
			unused := strings.Join(run.Unused, "\n")
			if run.Count(Fail) != c.fail || run.Count(ExpectedFail) != c.ok || run.Count(StalePass) != c.stale || (unused == "") != (c.unused == "") ||
				!regexp.MustCompile(c.unused).MatchString(unused) || run.Failed() != c.failed {
				t.Errorf("%d fail, %d expected, %d pass unexpectedly, unused %q, failed %t", run.Count(Fail), run.Count(ExpectedFail), run.Count(StalePass), unused, run.Failed())
			}
		})
	}
	for list, want := range map[string]string{
		"int/a":                "list:1: a reason is missing",
		"# x\nint/a #":         "list:2: a reason is missing",
		"int/a# x":             "list:1: a reason is missing",
		"read int/a # x":       `list:1: "read" is no operation`,
		"decode int a # x":     "list:1: a line is a pattern",
		"[godot":               "list:1: a heading is",
		"[] # x":               "list:1: a heading is",
		"[godot-4.4]\r\nx\r\n": "list:2: a reason is missing",
	} {
		if _, err := ParseExpectations("list", []byte(list)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", list, err)
		}
	}
}

// A list that is written again fits the run that it was written for, and a second
// writing changes nothing.
func TestUpdate(t *testing.T) {
	s := few(t)
	for name, c := range map[string]struct {
		filter     Filter
		list, want string
	}{
		"new":      {Filter{}, "", "[godot-4.4]\ndecode int/a  # wrong value: it is the float 1.5, and should be the int 1\ndecode int/c  # wrong value: it is the float 1.5, and should be the int 3\n"},
		"narrowed": {Filter{}, "# why\ndecode int/?  # not done yet\n\n[godot-3*]\nx # other\n", "# why\ndecode int/a  # not done yet\ndecode int/c  # not done yet\n\n[godot-3*]\nx # other\n"},
		"kept":     {Filter{}, "decode int/[ac] # x\ndecode int/a   #  spaces stay\ndecode int/c # y", "decode int/a   #  spaces stay\ndecode int/c # y\n"},
		"added below": {Filter{}, "[godot-4.4]\n# ints\ndecode int/a # x\n\n[godot-4.0]\ny # z\n",
			"[godot-4.4]\n# ints\ndecode int/a # x\ndecode int/c  # wrong value: it is the float 1.5, and should be the int 3\n\n[godot-4.0]\ny # z\n"},
		"mended":   {Filter{}, "Nil/a # was broken\nbool/* # too\ndecode int/a # x\ndecode int/c # x\n", "decode int/a # x\ndecode int/c # x\n"},
		"the rest": {Filter{IDs: []string{"int/a"}}, "decode int/c # not run\nNil/* # not run, too\nint/nowhere # x\n", "decode int/c # not run\nNil/* # not run, too\n\n[godot-4.4]\ndecode int/a  # wrong value: it is the float 1.5, and should be the int 1\n"},
		"may":      {Filter{IDs: []string{"int/may"}}, "decode int/m* # x\n", "decode int/m* # x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			list := c.list
			for range 2 {
				e, err := ParseExpectations("list", []byte(list))
				if err != nil {
					t.Fatal(err)
				}
				run, err := Conform(context.Background(), s, Local(noInts(), 0), Options{Expect: e, Filter: c.filter})
				if err != nil {
					t.Fatal(err)
				}
				list = string(e.Update(run, c.filter.All()))
				if list != c.want {
					t.Fatalf("%q, not %q", list, c.want)
				}
			}
			e, _ := ParseExpectations("list", []byte(list))
			run, err := Conform(context.Background(), s, Local(noInts(), 0), Options{Expect: e, Filter: c.filter})
			if err != nil || run.Failed() {
				t.Errorf("%q does not fit: %q", list, run.Unused)
			}
		})
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"*", "a/b", true}, {"a*", "a", true}, {"a*c", "abbc", true}, {"a*c", "abbd", false},
		{"?", "", false}, {"?", "a", true}, {"a?c", "abc", true}, {"*a*b*", "xxaxxbxx", true}, {"*ab", "aab", true}, {"*ab", "aba", false},
		{"[a]", "a", false}, {"[a]", "[a]", true}, {"a**", "a", true}, {"String.*/x", "String.length/in/x", true},
	} {
		if got := Glob(c.pattern, c.text); got != c.want {
			t.Errorf("%q, %q: %t", c.pattern, c.text, got)
		}
	}
	if Glob(strings.Repeat("*a", 200)+"b", strings.Repeat("a", 5000)) {
		t.Error("it fits")
	}
}

func TestFilter(t *testing.T) {
	s := few(t)
	s.Cases[0].Flags = []string{"f"}
	for name, c := range map[string]struct {
		f    Filter
		want int
	}{
		"all": {Filter{}, 6}, "id": {Filter{IDs: []string{"int/*"}}, 4}, "ids": {Filter{IDs: []string{"int/?", "Nil/*"}}, 4},
		"not": {Filter{Not: []string{"int/*"}}, 2}, "type": {Filter{Types: []string{"bool", "Nil"}}, 2}, "flag": {Filter{Flags: []string{"f", "g"}}, 1},
		"level": {Filter{Levels: []vectors.Level{vectors.Must}}, 4}, "result": {Filter{Results: []vectors.Result{vectors.Acceptable}}, 1},
		"two": {Filter{IDs: []string{"int/*"}, Levels: []vectors.Level{vectors.May}}, 1},
	} {
		n := 0
		for i := range s.Cases {
			if c.f.Match(&s.Cases[i]) {
				n++
			}
		}
		if n != c.want || c.f.All() != (name == "all") {
			t.Errorf("%s: %d", name, n)
		}
	}
}
