package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/codec/godot/container"
	"github.com/octable/octable/conformance/engines"
)

// scenario is a folder in which an engine and octable exchange files.
type scenario struct {
	*testing.T
	dir    string
	engine engines.Engine
	run    string // the wrapper of the engine
}

// ask runs the script of the engine, which writes or reads files in the folder, and returns what it prints.
func (s *scenario) ask(do string) string {
	s.Helper()
	script, flag := "godot4.gd", "--script"
	if s.engine.Spec == "godot-3" {
		script, flag = "godot3.gd", "-s"
	}
	file, err := filepath.Abs(filepath.Join("testdata/engine", script))
	if err != nil {
		s.Fatal(err)
	}
	cmd := exec.Command(s.run, "--path", s.dir, flag, file)
	cmd.Env = append(os.Environ(), "OCTABLE_DIR="+s.dir, "OCTABLE_DO="+do)
	said, err := cmd.CombinedOutput()
	s.Logf("%s:\n%s", do, said)
	if err != nil {
		s.Fatal(err)
	}
	return string(said)
}

// octable runs the command, which must succeed, and returns its output. Files are those of the folder.
func (s *scenario) octable(input string, args ...string) string {
	s.Helper()
	out, errs, code := s.status(input, args...)
	if code != 0 {
		s.Fatalf("octable %s: %d %s", strings.Join(args, " "), code, errs)
	}
	return out
}

// status runs the command. Arguments such as @name are files of the folder.
func (s *scenario) status(input string, args ...string) (out, errs string, code int) {
	args = append([]string{args[0], "-spec", s.engine.Spec}, args[1:]...)
	for i, a := range args {
		if name, ok := strings.CutPrefix(a, "@"); ok {
			args[i] = filepath.Join(s.dir, name)
		}
	}
	if i := slices.Index(args[2:], "-spec"); i >= 0 || args[0] == "which" {
		args = slices.Delete(args, 1, 3) // another schema
	}
	var stdout, stderr bytes.Buffer
	code = run(args, strings.NewReader(input), &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

// same fails unless two texts are the same.
func (s *scenario) same(what, got, want string) {
	s.Helper()
	if got != want {
		s.Errorf("%s: %.300q, not %.300q", what, got, want)
	}
}

// bytes returns the bytes of a file of the folder.
func (s *scenario) bytes(name string) string {
	s.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.Fatal(err)
	}
	return string(b)
}

// write writes a file of the folder.
func (s *scenario) write(name, text string) {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
}

// The values of the scripts.
const (
	savedValue  = `{"gold": 100, "list": [1, 2.5, "x"], "name": "Ada", "pos": Vector2(1, 2)}` + "\n"
	editedValue = `{"gold": 500, "list": [1, 2.5, "x", Vector2(1, 2)], "pos": Vector2(1, 2)}` + "\n"
)

var savedEdits = []string{"gold = 500", "add list[] = Vector2(1, 2)", "delete name"}

// TestEngineSaves has engines write files that octable reads, changes and writes, and has engines open the results.
func TestEngineSaves(t *testing.T) {
	if os.Getenv("OCTABLE_ENGINE_TESTS") == "" {
		t.Skip("set OCTABLE_ENGINE_TESTS=1 to let engines open and write files; recorded ones are tested in codec/godot/container")
	}
	t.Setenv("OCTABLE_TEST_PASS", "pässword")
	t.Setenv("OCTABLE_TEST_KEY", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
	for _, engine := range engines.Installed {
		t.Run(engine.Name, func(t *testing.T) {
			wrapper, err := engine.Path()
			if err != nil {
				t.Skip(err)
			}
			s := &scenario{T: t, dir: t.TempDir(), engine: engine, run: wrapper}
			s.write("project.godot", "")
			s.ask("write")
			if err := os.Remove(filepath.Join(s.dir, "project.godot")); err != nil {
				t.Fatal(err)
			}
			want := slices.Concat(s.streams(), s.lines(), s.saves(), s.files())
			s.large()
			said := strings.Split(s.ask("read"), "\n")
			for _, name := range want {
				if !slices.ContainsFunc(said, func(line string) bool { return strings.EqualFold(strings.TrimSpace(line), name+" true") }) {
					t.Errorf("the engine did not print %q", name+" true")
				}
			}
		})
	}
}

// streams reads and writes a stream, a packet, digits and text. It returns the names of the files that the engine has to read.
func (s *scenario) streams() []string {
	for _, form := range []string{"text", "json"} {
		all := s.octable("", "decode", "-"+form, "@stream") // that it is a stream is found out
		s.octable(all, "encode", "-framed", "-format", form, "-o", "@stream."+form)
		s.same("stream of "+form, s.bytes("stream."+form), s.bytes("stream"))
	}
	for _, name := range []string{"packet", "hex", "text"} {
		s.same(name, s.octable("", "decode", "@"+name), savedValue)
	}
	s.octable(savedValue, "encode", "-o", "@packet.again")
	s.same("packet", s.bytes("packet.again"), s.bytes("packet"))
	s.write("hex.again", s.octable(savedValue, "encode"))
	s.write("text.again", s.octable("", "decode", "@packet"))
	s.octable("", append([]string{"edit", "-value", "0", "-o", "@stream.edited", "@stream"}, savedEdits...)...)
	return []string{"stream.text", "stream.json", "packet.again", "hex.again", "text.again", "stream.edited"}
}

// lines answers lines of digits, and lines of values.
func (s *scenario) lines() []string {
	answers := s.octable(s.bytes("lines"), "decode", "-lines", "-j", "2")
	var values, again strings.Builder
	digits := strings.Split(s.bytes("lines"), "\n")
	for i, line := range strings.Split(strings.TrimSpace(answers), "\n") {
		var a struct {
			OK        bool
			Text, Hex string
			Canonical bool
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil || !a.OK || !a.Canonical || a.Hex != digits[i] {
			s.Fatalf("line %d: %v %s", i, err, line)
		}
		quoted, err := json.Marshal(a.Text)
		if err != nil {
			s.Fatal(err)
		}
		values.Write(append(quoted, '\n'))
	}
	for line := range strings.Lines(s.octable(values.String(), "encode", "-lines")) {
		var a struct{ Hex string }
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			s.Fatal(err)
		}
		again.WriteString(a.Hex + "\n")
	}
	s.same("lines", again.String(), s.bytes("lines"))
	s.write("lines.again", again.String())
	return []string{"lines.again"}
}

// saves reads, edits and writes compressed and encrypted files.
func (s *scenario) saves() []string {
	var want []string
	secrets := map[string]string{"pass": "-pass=env:OCTABLE_TEST_PASS", "key": "-key=env:OCTABLE_TEST_KEY"}
	edit := func(name string, flags ...string) {
		s.octable("", slices.Concat([]string{"edit"}, flags, []string{"-o", "@" + name + ".edited", "@" + name}, savedEdits)...)
		s.same(name+".edited", s.octable("", slices.Concat([]string{"decode"}, flags, []string{"@" + name + ".edited"})...), editedValue)
		want = append(want, name+".edited")
	}
	var all []string
	for i, mode := range container.Modes[:container.Brotli] {
		name := "compressed" + strconv.Itoa(i)
		s.same(name, s.octable("", "decode", "@"+name), savedValue)
		edit(name)
		s.octable(savedValue+savedValue, "encode", "-framed", "-compress", mode, "-o", "@made"+strconv.Itoa(i))
		want = append(want, "made"+strconv.Itoa(i))
		all = append(all, "@"+name)
		for _, command := range []string{"inspect", "which"} {
			if out, errs, code := s.status("", command, "@"+name); code != 0 || !strings.Contains(errs, "GCPF") || !strings.Contains(out, "Ada") {
				s.Errorf("%s %s: %d %s", command, name, code, errs)
			}
		}
	}
	var list strings.Builder
	for _, name := range all {
		list.WriteString(filepath.Join(s.dir, name[1:]) + ":\n" + savedValue)
	}
	s.same("all at once", s.octable("", append([]string{"decode", "-j", "2"}, all...)...), list.String())
	for name, flag := range secrets {
		s.same(name, s.octable("", "decode", flag, "@"+name), savedValue)
		edit(name, flag)
		s.octable(savedValue, "encode", "-framed", flag, "-o", "@made."+name)
		want = append(want, "made."+name)
		if _, errs, code := s.status("", "decode", "@"+name); code != 1 || !strings.Contains(errs, "-pass or -key") {
			s.Errorf("%s without a key: %d %s", name, code, errs)
		}
	}
	return want
}

// files reads and writes files of projects: settings, a pack, and resources.
func (s *scenario) files() []string {
	settings := "ecfg"
	if s.engine.Spec == "godot-3" {
		settings = "ecfg-3"
	}
	again := func(spec, from, to, old, new string, flags ...string) {
		text := s.octable("", "decode", "@"+from)
		if old != "" && !strings.Contains(text, old) {
			s.Fatalf("%s has no %s: %s", from, old, text)
		}
		s.octable(strings.ReplaceAll(text, old, new), slices.Concat([]string{"encode", "-spec", spec, "-o", "@" + to}, flags)...)
	}
	again(settings, "settings.binary", "project.binary", `"before"`, `"after"`)
	again("pck", "pack", "pack.again", "note.txt", "note.txt")
	s.same("pack", s.bytes("pack.again"), s.bytes("pack"))
	again("rsrc", "plain.res", "plain.again.res", `"ada"`, `"bob"`)
	again("rscc", "small.res", "small.again.res", `"ada"`, `"bob"`, "-compress", "zstd")
	return []string{"project.binary", "pack.again", "plain.again.res", "small.again.res"}
}

// large reads a stream of many values, one that is damaged, and 50 MB of zeros.
func (s *scenario) large() {
	if n := strings.Count(s.octable("", "decode", "-format", "tree", "@many"), "\n"); n != 5*20000 {
		s.Errorf("%d lines of trees", n)
	}
	out, errs, code := s.status("", "decode", "@damaged")
	if code != 1 || out != "" || !strings.Contains(errs, "no interpretation consumes all") || !strings.Contains(errs, "-framed=little: 2 values") {
		s.Errorf("damaged: %d %s %s", code, out, errs)
	}
	if out, errs, code := s.status("", "decode", "-framed", "@damaged"); code != 1 || out != savedValue+savedValue {
		s.Errorf("damaged: %d %s %s", code, out, errs)
	}
	_, errs, code = s.status("", "decode", "-framed", "@zeros")
	if n := strings.Count(errs, "\n"); code != 1 || n != 21 || !strings.Contains(errs, "stopped after 20 errors") {
		s.Errorf("zeros: %d, %d lines: %.500s", code, n, errs)
	}
}
