package project_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/cmd/octable/internal/project"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/model/modeltest"
	"github.com/octable/octable/conformance/vectors/generate"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
)

// input returns what the package of a schema is made from. Schemas of files get new vectors.
func input(t *testing.T, language, spec string) project.Input {
	t.Helper()
	l, err := gen.Named(language)
	if err != nil {
		t.Fatal(err)
	}
	s, err := compile.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	m := modeltest.New(t, s)
	c, err := raw.Codec(m.Program)
	if err != nil {
		t.Fatal(err)
	}
	suite, err := suites.Load(spec)
	if err != nil {
		if suite, err = generate.Small("", c, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	return project.Input{Language: l, Schema: s, Model: m, Codec: c, Suite: suite}
}

// write writes a package into a new folder.
func write(t *testing.T, in project.Input) string {
	t.Helper()
	files, err := project.Files(in)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs a command in a folder.
func run(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%.5000s", name, strings.Join(args, " "), err, out)
	}
}

// schemas are one with shipped vectors or, with OCTABLE_LONG=1, one of records, one of a Variant, and those of [TestRefused].
func schemas() []string {
	if long.Asked() {
		return []string{"../../../../codec/testdata/batch.oct", "godot-4.4", "testdata/messages.oct", "testdata/bytes.oct"}
	}
	return []string{"framing"}
}

// each runs a test with the package of each schema in a language.
func each(t *testing.T, language string, test func(t *testing.T, dir string)) {
	if testing.Short() {
		t.Skip("-short leaves out packages; go test without it builds and tests them")
	}
	for _, spec := range schemas() {
		t.Run(filepath.Base(spec), func(t *testing.T) { test(t, write(t, input(t, language, spec))) })
	}
}

func TestGo(t *testing.T) {
	each(t, "go", func(t *testing.T, dir string) {
		env := []string{"GOWORK=off", "GOFLAGS=" + os.Getenv("GOFLAGS") + " -mod=mod", "GOTOOLCHAIN=local"}
		if long.Asked() {
			run(t, dir, env, "go", "vet", "./...")
		}
		run(t, dir, env, "go", "test", "-vet=off", "-ldflags=-s -w", "./...")
	})
}

// TestPython runs the tests of a package from its source. With OCTABLE_LONG=1 it builds and installs the package, and runs the tests
// against the installed one.
func TestPython(t *testing.T) {
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import sys, build, setuptools, wheel; assert sys.version_info >= (3, 11)").Run() == nil {
			python = name
			break
		}
	}
	if python == "" {
		t.Skip("no Python 3.11 or later with the modules build, setuptools and wheel; .ci/run installs them")
	}
	each(t, "python", func(t *testing.T, dir string) {
		if !long.Asked() {
			run(t, dir, []string{"PYTHONPATH=" + filepath.Join(dir, "src")}, python, "-m", "unittest", "discover", "-s", "tests")
			return
		}
		run(t, dir, nil, python, "-m", "build", "--no-isolation")
		wheels, err := filepath.Glob(filepath.Join(dir, "dist", "*.whl"))
		if err != nil || len(wheels) != 1 {
			t.Fatal(wheels, err)
		}
		target := t.TempDir()
		run(t, dir, nil, python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", target, wheels[0])
		typed, err := filepath.Glob(filepath.Join(target, "*", "py.typed"))
		if err != nil || len(typed) != 1 {
			t.Error("py.typed is not installed", err)
		}
		run(t, dir, []string{"PYTHONPATH=" + target}, python, "-m", "unittest", "discover", "-s", "tests")
	})
}

// consumer is a program that uses a package with its types.
const consumer = `import { decode, encode, FormatError, type Decoded, type Options } from "NAME";

const options: Options = { strict: true };
export function again(bytes: Uint8Array): Uint8Array {
  const { value, used }: Decoded = decode(bytes, options);
  return encode(value, options).subarray(0, used);
}
try {
  decode(new Uint8Array(0), options);
} catch (e) {
  if (!(e instanceof FormatError) || e.kind !== "truncated") throw e;
}
`

// TestTypeScript packs a package, checks it with publint and @arethetypeswrong/cli, runs its tests, and
// installs it in a program. OCTABLE_PROJECT is the folder that .ci/packages prints for testdata/node.
func TestTypeScript(t *testing.T) {
	tools := os.Getenv("OCTABLE_PROJECT")
	if tools == "" {
		t.Skip("OCTABLE_PROJECT is not set: .ci/run sets it to the folder with publint and @arethetypeswrong/cli, which .ci/packages makes")
	}
	modules := filepath.Join(tools, "node_modules")
	tsc := filepath.Join(modules, "typescript", "bin", "tsc")
	each(t, "ts", func(t *testing.T, dir string) {
		if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
		run(t, dir, nil, "npm", "pack")
		packed, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
		if err != nil || len(packed) != 1 {
			t.Fatal(packed, err)
		}
		run(t, dir, nil, "npm", "test")
		run(t, dir, nil, "node", filepath.Join(modules, "publint", "src", "cli.js"), "run", "--strict", ".")
		run(t, dir, nil, "node", filepath.Join(modules, "@arethetypeswrong", "cli", "dist", "index.js"), packed[0], "--profile", "esm-only")

		program := t.TempDir()
		name := strings.TrimSuffix(filepath.Base(packed[0]), "-0.1.0.tgz")
		for file, text := range map[string]string{
			"package.json": `{"type": "module"}`, "program.ts": strings.ReplaceAll(consumer, "NAME", name),
			"tsconfig.json": `{"compilerOptions": {"strict": true, "module": "NodeNext", "target": "ES2022", "lib": ["ES2022"], "types": [], "exactOptionalPropertyTypes": true}}`,
		} {
			if err := os.WriteFile(filepath.Join(program, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		run(t, program, nil, "npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", packed[0])
		run(t, program, nil, "node", tsc)
		run(t, program, nil, "node", "program.js")
	})
}

// TestNames checks the names of packages.
func TestNames(t *testing.T) {
	for _, c := range []struct{ language, name, wrong string }{
		{"ts", "@me/batch", ""},
		{"ts", "Batch", "no name for an npm package"},
		{"ts", "dns", "means something else"},
		{"python", "my-batch", ""},
		{"python", "-batch", "no name for a Python package"},
		{"python", "struct", "means something else"},
		{"python", "class", "means something else"},
		{"go", "github.com/me/batch", ""},
		{"go", "github.com/me/", "no name for a Go module"},
		{"go", "github.com/me/bytes", "means something else"},
	} {
		in := input(t, c.language, "framing")
		in.Name = c.name
		files, err := project.Files(in)
		if c.wrong == "" {
			if err != nil {
				t.Errorf("%s %s: %v", c.language, c.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s %s: %d files, %v; want %q", c.language, c.name, len(files), err, c.wrong)
		}
	}
}

// TestRefused checks that the README shows refused bytes if there are any. It shows an example even if it is long.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ spec, shown string }{
		{"testdata/messages.oct", "truncated 1"},
		{"testdata/bytes.oct", ""},
		{"testdata/long.oct", "truncated"},
	} {
		in := input(t, "ts", c.spec)
		for _, language := range []string{"ts", "python"} {
			l, err := gen.Named(language)
			if err != nil {
				t.Fatal(err)
			}
			in.Language = l
			files, err := project.Files(in)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(files, func(f project.File) bool { return f.Name == "README.md" })
			text := string(files[i].Text)
			if shows := strings.Count(text, "FormatError") > 1; shows != (c.shown != "") || !strings.Contains(text, c.shown) {
				t.Errorf("%s in %s: the README does not show %q:\n%s", c.spec, language, c.shown, text)
			}
		}
	}
}

// TestYours checks which files are written anew each time.
func TestYours(t *testing.T) {
	files, err := project.Files(input(t, "ts", "framing"))
	if err != nil {
		t.Fatal(err)
	}
	var yours []string
	for _, f := range files {
		if f.Yours {
			yours = append(yours, f.Name)
		}
	}
	slices.Sort(yours)
	if want := []string{"LICENSE", "README.md", "package.json", "tsconfig.json"}; !slices.Equal(yours, want) {
		t.Errorf("%q belong to the user; want %q", yours, want)
	}
}
