package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/fuzz/differential"
)

// command runs a command line and returns what it prints.
func command(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &err)
	return out.String(), err.String(), code
}

// TestFuzz: from targets in separate processes to findings, to vectors that the
// same target fails.
func TestFuzz(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	found, report := filepath.Join(dir, "found"), filepath.Join(dir, "report.json")
	old := os.Args[0] + " serve -spec godot-3 -as godot-4.4"
	out, errs, code := command("fuzz", "-target", old, "-target", os.Args[0]+" serve -spec godot-4.4", "-inputs", fmt.Sprint(long.Number(120, 400)), "-corpus", found, "-json", report, "-show", "3", "-seed", "2")
	if code != exitRefused || !strings.Contains(out, "octable with godot-3, godot-4.4") || !strings.Contains(out, "expected  ") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var r differential.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Targets) != 2 || len(r.Targets[0].Findings) == 0 || len(r.Targets[1].Findings) != 0 || r.Spec != "godot-4.4" || r.Seed != 2 {
		t.Fatalf("%+v", r)
	}
	for _, f := range r.Targets[0].Findings {
		if f.Bytes == "" {
			continue
		}
		file := filepath.Join(dir, "finding.txt")
		if err := os.WriteFile(file, []byte(f.Text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, errs, code := command("asm", file); code != 0 || strings.Join(strings.Fields(out), "") != f.Bytes {
			t.Errorf("the text of %s is assembled as %s, exit %d\n%s%s", f.Bytes, out, code, errs, f.Text)
		}
	}
	if !strings.Contains(out, "text      packet godot-4.4") {
		t.Errorf("findings have no text:\n%s", out)
	}
	suites := filepath.Join(dir, "suites")
	if out, errs, code = command("fuzz", "vectors", found, "-o", suites); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	file := filepath.Join(suites, "godot-4.4.json")
	text, err = os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var suite vectors.Suite
	if err := json.Unmarshal(text, &suite); err != nil || len(suite.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(suite.Cases), err)
	}
	for args, want := range map[string]int{"serve -spec godot-3 -as godot-4.4": exitRefused, "serve -spec godot-4.4": 0} {
		line := append([]string{"conform", "-vectors", file, "--", os.Args[0]}, strings.Fields(args)...)
		if out, errs, code := command(line...); code != want {
			t.Errorf("%s: exit %d\n%s%s", args, code, out, errs)
		}
	}
	// A schema that the target does not have.
	_, errs, code = command("fuzz", "-target", old, "-spec", "godot-2")
	if code != exitRefused || !strings.Contains(errs, "does not have the schema godot-2") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestFuzzLaws: without a target the laws are tried.
func TestFuzzLaws(t *testing.T) {
	for _, spec := range []string{"godot-3", "ntp"} {
		out, errs, code := command("fuzz", "-spec", spec, "-time", "100ms", "-json", "-")
		var r fuzz.HuntReport
		if err := json.Unmarshal([]byte(out), &r); code != 0 || err != nil || r.Inputs == 0 || r.Checks == 0 || r.Schema != spec || r.Reached == 0 {
			t.Errorf("exit %d, %v: %+v\n%s", code, err, r, errs)
		}
	}
}

// FuzzCommand checks that no input of the command makes it panic, and that it explains
// each refusal. The input is bytes, text, a schema or a program. The first byte selects
// the command line, and the rest is its standard input, or the file that it is given.
func FuzzCommand(f *testing.F) {
	dir := f.TempDir()
	oct, octb, file := filepath.Join(dir, "a.oct"), filepath.Join(dir, "a.octb"), filepath.Join(dir, "a.json")
	lines := [][]string{
		{"decode", "-"}, {"decode", "-strict", "-format", "json", "-"}, {"decode", "-lines", "-"}, {"decode", "-framed", "-"}, {"decode", "-spec", "godot-3", "-objects", "-"},
		{"encode", "-"}, {"encode", "-lines", "-"}, {"inspect", "-"}, {"inspect", "-all", "-paths", "-framed", "-"}, {"which", "-"}, {"fmt", "-"},
		{"check", oct}, {"program", oct}, {"diff", "godot-4.4", oct}, {"decode", "-spec", octb, "00"}, {"program", octb},
		{"conform", "-vectors", file, "--", "/no/such/program"}, {"fuzz", "-known", file, "-target", "/no/such/program"},
	}
	for i := range lines {
		for _, s := range []string{"", "04000000 02000000 61620000", "\x1c\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00", `{"pos": Vector3(1, 2, 3)}`, "null\n[1, 2]\n", "schema \"x\" {\n}\n"} {
			f.Add(byte(i), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, line byte, in []byte) {
		args := lines[int(line)%len(lines)]
		if len(in) > 1<<14 {
			return
		}
		for _, arg := range args {
			if strings.HasPrefix(arg, dir) {
				if err := os.WriteFile(arg, in, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		var out, errs bytes.Buffer
		code := run(append([]string(nil), args...), bytes.NewReader(in), &out, &errs)
		switch {
		case code == exitBug:
			t.Fatalf("%v: %s", args, errs.String())
		case code != 0 && strings.TrimSpace(out.String()+errs.String()) == "":
			t.Fatalf("%v: exit %d without a word", args, code)
		}
	})
}
