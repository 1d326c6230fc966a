package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A schema is found in a revision, with the ones that it extends as they were.
func TestDiffRevisions(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/run, which needs it, runs this test: ", err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "schemas", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("schemas", 0o777); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	write("base.oct", "schema \"base\" {\n    root Box\n}\n\ntype Box {\n    | 0 | 2 | u16 | size |\n}\n")
	write("top.oct", "schema \"top\" extends \"base\" {\n    title \"x\"\n}\n")
	git("add", ".")
	git("commit", "-qm", "one")
	write("base.oct", "schema \"base\" {\n    root Box\n}\n\ntype Box {\n    | 0 | 4 | u32 | size |\n}\n")
	for args, want := range map[string]string{
		"HEAD:schemas/top.oct schemas/top.oct":      "    - | 0 | 2 | u16 | size |\n    + | 0 | 4 | u32 | size |\n",
		"HEAD:schemas/top.oct HEAD:schemas/top.oct": "no change: the programs are the same\n",
		"HEAD:./schemas/base.oct schemas/top.oct":   "old reader misreads silently",
	} {
		if out, errs, code := call("", append([]string{"diff"}, strings.Fields(args)...)...); code != btoi(!strings.Contains(want, "no change")) || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if _, errs, code := call("", "diff", "HEAD:schemas/none.oct", "godot-4.4"); code != exitIO || !strings.Contains(errs, "git has no schemas/none.oct in HEAD") {
		t.Errorf("exit %d, %s", code, errs)
	}
}
