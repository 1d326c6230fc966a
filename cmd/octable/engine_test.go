package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/conformance/engines"
)

// savesScript opens what octable wrote and writes files, in the folder $OCTABLE_DIR. It is for Godot 4;
// savesScript3 does the same in Godot 3.
const savesScript = `extends SceneTree
func _init():
	var dir = OS.get_environment("OCTABLE_DIR") + "/"
	var value = {"name": "Ada", "gold": 100, "list": [1, 2.5, "x"]}
	for mode in 4:
		var f = FileAccess.open_compressed(dir + "engine" + str(mode), FileAccess.WRITE, mode)
		f.store_var(value)
		f.store_var(value)
		f = null
		f = FileAccess.open_compressed(dir + "octable" + str(mode), FileAccess.READ, mode)
		print("octable", mode, " ", f.get_var() == value, " ", f.get_var() == value, " ", f.get_position() == f.get_length())
	var key = PackedByteArray()
	for i in 32:
		key.append(i)
	var f = FileAccess.open_encrypted_with_pass(dir + "enginepass", FileAccess.WRITE, "pässword")
	f.store_var(value)
	f = null
	f = FileAccess.open_encrypted(dir + "enginekey", FileAccess.WRITE, key)
	f.store_var(value)
	f = null
	f = FileAccess.open_encrypted_with_pass(dir + "octablepass", FileAccess.READ, "pässword")
	print("octablepass ", f.get_var() == value)
	f = FileAccess.open_encrypted(dir + "octablekey", FileAccess.READ, key)
	print("octablekey ", f.get_var() == value)
	f = FileAccess.open(dir + "edited", FileAccess.READ)
	value["gold"] = 500
	value["list"].append(Vector2(1, 2))
	value.erase("name")
	print("edited ", f.get_var() == value)
	quit()
`

const savesScript3 = `extends SceneTree
func same(a, b):
	return var2str(a) == var2str(b)
func _init():
	var dir = OS.get_environment("OCTABLE_DIR") + "/"
	var value = {"name": "Ada", "gold": 100, "list": [1, 2.5, "x"]}
	for mode in 4:
		var f = File.new()
		f.open_compressed(dir + "engine" + str(mode), File.WRITE, mode)
		f.store_var(value)
		f.store_var(value)
		f.close()
		f.open_compressed(dir + "octable" + str(mode), File.READ, mode)
		print("octable", mode, " ", same(f.get_var(), value), " ", same(f.get_var(), value), " ", f.get_position() == f.get_len())
	var key = PoolByteArray()
	for i in 32:
		key.append(i)
	var f = File.new()
	f.open_encrypted_with_pass(dir + "enginepass", File.WRITE, "pässword")
	f.store_var(value)
	f.close()
	f.open_encrypted(dir + "enginekey", File.WRITE, key)
	f.store_var(value)
	f.close()
	f.open_encrypted_with_pass(dir + "octablepass", File.READ, "pässword")
	print("octablepass ", same(f.get_var(), value))
	f.close()
	f.open_encrypted(dir + "octablekey", File.READ, key)
	print("octablekey ", same(f.get_var(), value))
	f.close()
	f.open(dir + "edited", File.READ)
	value["gold"] = 500
	value["list"].append(Vector2(1, 2))
	value.erase("name")
	print("edited ", same(f.get_var(), value))
	quit()
`

// TestEngineSaves has engines open compressed and encrypted files that octable wrote, and octable those that
// engines wrote.
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
			dir := t.TempDir()
			const value = `{"name": "Ada", "gold": 100, "list": [1, 2.5, "x"]}` + "\n"
			octable := func(input string, args ...string) string {
				t.Helper()
				var out, errs bytes.Buffer
				if code := run(args, strings.NewReader(input), &out, &errs); code != 0 {
					t.Fatalf("octable %s: %d %s", strings.Join(args, " "), code, &errs)
				}
				return out.String()
			}
			secrets := map[string]string{"pass": "-pass=env:OCTABLE_TEST_PASS", "key": "-key=env:OCTABLE_TEST_KEY"}
			modes := []string{"fastlz", "deflate", "zstd", "gzip"}
			for i, mode := range modes {
				octable(value+value, "encode", "-spec", engine.Spec, "-framed", "-compress", mode, "-o", filepath.Join(dir, "octable"+string(rune('0'+i))))
			}
			for name, flag := range secrets {
				octable(value, "encode", "-spec", engine.Spec, "-framed", flag, "-o", filepath.Join(dir, "octable"+name))
			}
			edited := filepath.Join(dir, "edited")
			octable(value, "encode", "-spec", engine.Spec, "-framed", "-o", edited)
			octable("", "edit", "-spec", engine.Spec, edited, "gold = 500", "add list[] = Vector2(1, 2)", "delete name")
			script, flag := savesScript, "--script"
			if engine.Spec == "godot-3" {
				script, flag = savesScript3, "-s"
			}
			file := filepath.Join(dir, "saves.gd")
			if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(wrapper, flag, file)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "OCTABLE_DIR="+dir)
			said, err := cmd.CombinedOutput()
			t.Logf("%s", said)
			if err != nil {
				t.Fatal(err)
			}
			want := []string{"octablepass True", "octablekey True", "edited True"}
			for i := range modes {
				want = append(want, "octable"+string(rune('0'+i))+" True True True")
			}
			for _, line := range want {
				if !slices.ContainsFunc(strings.Split(string(said), "\n"), func(l string) bool { return strings.EqualFold(strings.TrimSpace(l), line) }) {
					t.Errorf("the engine did not print %q", line)
				}
			}
			for i := range modes {
				if got := octable("", "decode", "-spec", engine.Spec, filepath.Join(dir, "engine"+string(rune('0'+i)))); got != value+value {
					t.Errorf("mode %d: %s", i, got)
				}
			}
			for name, flag := range secrets {
				if got := octable("", "decode", "-spec", engine.Spec, flag, filepath.Join(dir, "engine"+name)); got != value {
					t.Errorf("%s: %s", name, got)
				}
			}
		})
	}
}
