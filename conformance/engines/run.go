package engines

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Build builds the command into dir and returns its path.
func Build(dir string) (string, error) {
	bin := filepath.Join(dir, "octable")
	out, err := exec.Command("go", "build", "-o", bin, "github.com/octable/octable/cmd/octable").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building octable: %w\n%s", err, out)
	}
	return bin, nil
}

// SpecOf returns the schema for a cases file by its name.
func SpecOf(name string) string {
	switch {
	case strings.HasPrefix(name, "godot-4"):
		return "godot-4.4"
	case strings.HasPrefix(name, "godot-3"):
		return "godot-3"
	case strings.HasPrefix(name, "pandemonium-3.5"):
		return "pandemonium-3.5"
	case strings.HasPrefix(name, "pandemonium-3.8"):
		return "pandemonium-3.8"
	case strings.HasPrefix(name, "pandemonium-5"):
		return "pandemonium-5"
	}
	return ""
}

// An Engine is one that .ci/engines can install.
type Engine struct {
	Name      string // as .ci/engines knows it
	Spec      string
	script    string
	asked     string // the script that answers questions
	noSpecial bool   // whether it does not read inf, inf_neg and nan everywhere
	flag      string // how the engine wants its script announced
}

// Installed lists the engines fresh cases can come from.
var Installed = []Engine{
	{Name: "godot4", Spec: "godot-4.4", script: "godot4.gd", asked: "ask4.gd", flag: "--script"},
	{Name: "godot3", Spec: "godot-3", script: "godot3.gd", asked: "ask3.gd", flag: "-s"},
	{Name: "godot32", Spec: "godot-3", script: "godot3.gd", asked: "ask3.gd", flag: "-s", noSpecial: true},
}

// Path returns the wrapper that starts the engine, where .ci/engines has put it.
func (e Engine) Path() (string, error) {
	base := os.Getenv("OCTABLE_ENGINES")
	if base == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		base = filepath.Join(cache, "octable-engines")
	}
	path := filepath.Join(base, e.Name, "run")
	_, err := os.Stat(path)
	return path, err
}

// A Wish says how many fresh cases of each sort are wanted.
type Wish struct {
	Seed                     int64
	Values, Damaged, Objects int
}

// Fresh starts the engine once, lets it write the cases wished for into dir, and reads them.
// scripts is the folder of the generators.
func (e Engine) Fresh(scripts, dir string, wish Wish) ([]Case, error) {
	wrapper, err := e.Path()
	if err != nil {
		return nil, err
	}
	script, err := filepath.Abs(filepath.Join(scripts, e.script))
	if err != nil {
		return nil, err
	}
	out := filepath.Join(dir, e.Name+".jsonl")
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, wrapper, e.flag, script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"OCTABLE_OUT="+out,
		"OCTABLE_SEED="+strconv.FormatInt(wish.Seed, 10),
		"OCTABLE_VALUES="+strconv.Itoa(wish.Values),
		"OCTABLE_DAMAGED="+strconv.Itoa(wish.Damaged),
		"OCTABLE_OBJECTS="+strconv.Itoa(wish.Objects))
	said, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", e.Name, err, tail(said))
	}
	cases, err := ReadCases(out)
	if err != nil {
		return nil, err
	}
	// A script error ends a script early and quietly; the figures would look fine and mean less.
	var values, damaged, objects int
	for _, c := range cases {
		switch {
		case c.Kind == "random" && c.Objects:
			objects++
		case c.Kind == "random":
			values++
		default:
			damaged++
		}
	}
	if values != wish.Values || damaged < wish.Damaged || objects < wish.Objects*9/10 {
		return nil, fmt.Errorf("%s wrote %d values, %d damaged packets and %d objects of %+v\n%s",
			e.Name, values, damaged, objects, wish, tail(said))
	}
	return cases, nil
}

func tail(b []byte) string {
	return string(b[max(0, len(b)-2000):])
}
