package wrappers

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
)

// templates are the wrappers around a small codec. They have the files that building or running them
// needs besides the programs of their commands.
var templates = []struct{ wrapper, library, packages string }{
	{"cpp/wrapper.cpp", "/usr/include/nlohmann/json.hpp", "g++ nlohmann-json3-dev"},
	{"csharp/Wrapper.cs", "/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll", "mono-mcs libnewtonsoft-json5.0-cil"},
	{"java/Wrapper.java", "/usr/share/java/gson.jar", "default-jdk-headless libgoogle-gson-java"},
	{"lua/wrapper.lua", "/usr/lib/*/lua/5.4/cjson.so", "lua5.4 lua-cjson"},
	{"rust/wrapper.rs", "/usr/share/cargo/registry/serde_json-*/Cargo.toml", "cargo librust-serde-json-dev"},
}

// types are those of the small codecs.
var types = []string{"Nil", "bool", "int", "float", "String"}

// most is the number of lines of a template.
const most = 80

// TestTemplates builds and runs each template as its first comment says, and demands that the suite passes for its types.
func TestTemplates(t *testing.T) {
	suite, err := suites.Load("godot-4.4")
	if err != nil {
		t.Fatal(err)
	}
	for _, tmpl := range templates {
		folder := filepath.Dir(tmpl.wrapper)
		t.Run(folder, func(t *testing.T) {
			text, err := os.ReadFile(tmpl.wrapper)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), "\n"); n > most {
				t.Errorf("%s has %d lines; a template has at most %d", tmpl.wrapper, n, most)
			}
			build, run := commands(t, string(text))
			if len(build) > 0 {
				long.Only(t) // compilers take seconds
			}
			for _, line := range append(slices.Clone(build), run) {
				program := strings.Fields(line)[0]
				if strings.Contains(program, "/") {
					continue // it is built
				}
				if _, err := exec.LookPath(program); err != nil {
					t.Skipf("left out: %s is not installed; Debian: apt-get install %s", program, tmpl.packages)
				}
			}
			if found, _ := filepath.Glob(tmpl.library); len(found) == 0 {
				t.Skipf("left out: there is no %s; Debian: apt-get install %s", tmpl.library, tmpl.packages)
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
				t.Fatal(err)
			}
			for _, line := range build {
				c := exec.Command("sh", "-c", line)
				c.Dir = dir
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", line, err, out)
				}
			}
			cfg := process.Config{Command: strings.Fields(run), Dir: dir}
			if strings.Contains(cfg.Command[0], "/") {
				cfg.Command[0] = filepath.Join(dir, cfg.Command[0])
			}
			conforms(t, cfg, suite)
			special(t, cfg)
		})
	}
}

// commands returns the commands of the first comment of a template. These are those that build it, and the one after
// "octable conform".
func commands(t *testing.T, text string) (build []string, run string) {
	t.Helper()
	for line := range strings.Lines(text) {
		comment := strings.TrimLeft(line, "/!-")
		if comment == line {
			break
		}
		command, ok := strings.CutPrefix(comment, "\t")
		if !ok {
			continue
		}
		command = strings.TrimSpace(command)
		if strings.HasPrefix(command, "octable conform -spec godot-4.4 -- ") {
			_, run, _ = strings.Cut(command, " -- ")
			return build, run
		}
		build = append(build, command)
	}
	t.Fatal(`the first comment has no line "octable conform -spec godot-4.4 -- COMMAND"`)
	return nil, ""
}

// conforms demands that a program keeps to the protocol and that each must of its types passes, in each direction.
func conforms(t *testing.T, cfg process.Config, suite *vectors.Suite) {
	t.Helper()
	findings, err := runner.Smoke(t.Context(), cfg, suite)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if !f.OK {
			t.Errorf("%s: %s", f.Check, f.Text)
		}
	}
	run, err := runner.Conform(t.Context(), suite, runner.Command(cfg), runner.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if run.Stopped != "" || run.Restarts > 0 || len(run.Notes) > 0 {
		t.Errorf("it ended early or was started again: %q, %d restarts, %q", run.Stopped, run.Restarts, run.Notes)
	}
	passed := map[string]bool{}
	for _, r := range run.Results {
		passed[string(r.Op)+r.ID] = r.Verdict == runner.Pass
		if r.Verdict == runner.Fail {
			t.Errorf("%s %s: %s, %s", r.Op, r.ID, r.Outcome, r.Detail)
		}
	}
	asked := map[string]int{}
	for c := range suite.All {
		if c.Level != vectors.Must || slices.ContainsFunc(c.Uses, func(name string) bool { return !slices.Contains(types, name) }) {
			continue
		}
		for _, op := range runner.Ops(c) {
			asked[c.Type]++
			if !passed[string(op)+c.ID] {
				t.Errorf("%s %s, which is a must, does not pass", op, c.ID)
			}
		}
	}
	for _, name := range types {
		if asked[name] < 6 {
			t.Errorf("only %d questions about %s", asked[name], name)
		}
	}
	t.Logf("%d pass, %d unsupported, %v", run.Count(runner.Pass), run.Count(runner.Skip), asked)
}

// special asks what libraries for JSON change or refuse by default: texts like dates, and deep nesting.
func special(t *testing.T, cfg process.Config) {
	t.Helper()
	cfg.Timeout = 20 * time.Second
	s, err := runner.Open(context.Background(), runner.Command(cfg))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	nested := strings.Repeat(`{"$type":"Array","value":[`, 1024) + `{"$type":"Nil"}` + strings.Repeat("]}", 1024)
	replies, err := s.Do(t.Context(), []protocol.Request{
		{Op: protocol.Encode, Spec: "godot-4.4", Value: json.RawMessage(`{"$type":"String","value":"2020-01-01T00:00:00"}`)},
		{Op: protocol.Encode, Spec: "godot-4.4", Value: json.RawMessage(nested)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "0400000013000000323032302d30312d30315430303a30303a303000"; replies[0].Answer.Bytes != want {
		t.Errorf("a text like a date: %+v, and not %s", replies[0], want)
	}
	if a := replies[1]; a.Fault != nil || a.Answer.Unsupported == "" {
		t.Errorf("1024 nested arrays: %v, %.80q, and not unsupported", a.Fault, a.Answer.Error)
	}
}
