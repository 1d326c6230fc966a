package codec_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/spec"
)

func TestLoad(t *testing.T) {
	for _, id := range codec.Schemas() {
		c, err := codec.Load(id)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		base, _, _ := strings.Cut(id, "+")
		if c.Schema() != base {
			t.Errorf("%s is schema %s", id, c.Schema())
		}
		if again, _ := codec.Load(id); again != c {
			t.Errorf("%s is loaded twice", id)
		}
	}
	for _, same := range [][2]string{
		{"godot", "godot-4.4"}, {"godot-4", "godot-4.4"}, {"pandemonium", "pandemonium-5"},
		{"godot-4.4+single", "godot-4.4"}, {"godot-4+double", "godot-4.4+double"}, {"godot-2+single", "godot-2"},
	} {
		if a, b := codec.MustLoad(same[0]), codec.MustLoad(same[1]); a != b {
			t.Errorf("%s is not the codec of %s", same[0], same[1])
		}
	}
	if got := raw.Program(codec.MustLoad("godot-4.4+double")).Choice; got != "double" {
		t.Errorf("the choice is %q", got)
	}
}

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct{ id, want string }{
		{"godot-4.5", `codec: there is no schema "godot-4.5"; did you mean "godot-4.4"? There are: framing, framing-big, godot-2, `},
		{"Godot-3", `codec: there is no schema "Godot-3"; did you mean "godot-3"? `},
		{"pandemonum", `did you mean "pandemonium-5"?`},
		{"zzz", `codec: there is no schema "zzz"; there are: framing, `},
		{"", `codec: there is no schema ""; there are: `},
		{"errata", `codec: there is no schema "errata"; `},
		{"../load.go", `codec: there is no schema "../load.go"; `},
		{"godot-4.4+duoble", `codec: schema godot-4.4 does not leave the choice "duoble"; ask for one of: godot-4.4+single, godot-4.4+double`},
		{"godot-4.4+", `codec: schema godot-4.4 does not leave the choice ""; ask for one of: `},
		{"godot-3+double", `codec: schema godot-3 does not leave the choice "double"; ask for one of: godot-3+single`},
		{"ntp+double", `codec: schema ntp leaves no choice, so there is no "ntp+double"; ask for "ntp"`},
	} {
		_, err := codec.Load(c.id)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v\nwant %s", c.id, err, c.want)
		}
	}
}

// The programs in the folder are those that the compiler makes today.
func TestProgramsAreFresh(t *testing.T) {
	want := map[string]bool{}
	for _, id := range spec.IDs() {
		s, err := compile.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		if s.Root == nil {
			continue
		}
		for i, choice := range s.Choices() {
			name := id
			if i > 0 {
				name += "+" + choice
			}
			want[name] = true
			p, err := compile.Program(id, choice)
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(filepath.Join("programs", name+bytecode.Extension))
			if err != nil || !bytes.Equal(b, p.Save()) {
				t.Errorf("the program of %s is not what its schema says; run go generate ./codec (%v)", name, err)
			}
		}
	}
	for _, name := range codec.Schemas() {
		if !want[name] {
			t.Errorf("no schema gives the program %s; run go generate ./codec", name)
		}
	}
}

// A program that only uses embedded schemas has neither parser nor compiler in it.
func TestNoParser(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out runs of the go command; go test without it runs them")
	}
	out, err := exec.Command("go", "list", "-deps", ".", "./godot").Output()
	if err != nil {
		t.Skip("go list fails; .ci/run, which needs the go command, runs this test: ", err)
	}
	for _, dep := range strings.Fields(string(out)) {
		if strings.Contains(dep, "participle") || strings.HasSuffix(dep, "octable/dsl") || strings.HasSuffix(dep, "octable/compile") {
			t.Errorf("codec imports %s", dep)
		}
	}
}

// BenchmarkLoad loads a schema as the first Load of a process does: nothing is kept.
func BenchmarkLoad(b *testing.B) {
	for _, id := range codec.Schemas() {
		b.Run(id, func(b *testing.B) {
			file, err := os.ReadFile(filepath.Join("programs", id+bytecode.Extension))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				p, err := bytecode.Load(file)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := raw.Codec(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
