// Command npm times generated TypeScript and the packages of npm for Godot's format in one run of Node. It measures the
// game workload in both directions:
//
//	OCTABLE_TSC=… go run ./cmd/npm -packages FOLDER
//
// FOLDER is what .ci/packages prints. A package counts in a direction if its result is right. The exit status is 1 if
// one of those that count is as fast as generated code.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/octable/octable/codec/bench/work"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/gen"
	"github.com/octable/octable/compile/gen/model"
)

//go:embed measure.mjs
var script []byte

// config are the settings of the compiler.
const config = `{"compilerOptions": {"target": "ES2022", "module": "NodeNext", "lib": ["ES2022"], "types": [], "strict": true, "rootDir": "src", "outDir": "out"}, "include": ["src"]}`

// result is a line of the script.
type result struct {
	Name, Base, Direction, Error string
	Times                        []float64 // milliseconds of each round
}

func main() {
	log.SetFlags(0)
	packages := flag.String("packages", "", "`FOLDER` with the packages, as .ci/packages prints it")
	rounds := flag.Int("rounds", 7, "measure each case `N` times")
	flag.Parse()
	if *packages == "" || os.Getenv("OCTABLE_TSC") == "" {
		log.Fatal("npm: set -packages to the folder that .ci/packages prints, and OCTABLE_TSC to the path of tsc")
	}
	dir, err := os.MkdirTemp("", "octable-npm-")
	if err != nil {
		log.Fatal(err)
	}
	missed, err := run(dir, *packages, *rounds)
	_ = os.RemoveAll(dir)
	if err != nil {
		log.Fatal("npm: ", err)
	}
	if missed > 0 {
		log.Fatalf("%d bars missed", missed)
	}
}

// run writes modules and packets into a folder, measures, and prints the results. It returns the number of bars that are
// missed.
func run(dir, packages string, rounds int) (missed int, err error) {
	packet := work.Wire("game")
	for spec, b := range map[string][]byte{"godot-4.4": packet, "godot-3": work.Godot3(packet)} {
		if err := write(dir, spec); err != nil {
			return 0, err
		}
		if err := os.WriteFile(filepath.Join(dir, spec+".bin"), b, 0o666); err != nil {
			return 0, err
		}
	}
	for name, text := range map[string][]byte{"package.json": []byte(`{"type": "module"}`), "tsconfig.json": []byte(config), "measure.mjs": script} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return 0, err
		}
	}
	if out, err := exec.Command("node", os.Getenv("OCTABLE_TSC"), "-p", dir).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("tsc: %w\n%s", err, out)
	}
	cmd := exec.Command("node", filepath.Join(dir, "measure.mjs"), dir, packages, fmt.Sprint(rounds))
	out, err := cmd.Output() // packages write warnings to standard error
	if err != nil {
		return 0, fmt.Errorf("node: %w", err)
	}
	var all []result
	for line := range bytes.Lines(out) {
		var r result
		if err := json.Unmarshal(line, &r); err != nil {
			return 0, err
		}
		all = append(all, r)
	}
	return report(all), nil
}

// write generates the module of a schema.
func write(dir, spec string) error {
	s, err := compile.Load(spec)
	if err != nil {
		return err
	}
	p, err := compile.Schema(s)
	if err != nil {
		return err
	}
	m, err := model.New(s, p)
	if err != nil {
		return err
	}
	ts, err := gen.Named("ts")
	if err != nil {
		return err
	}
	files, err := ts.Generate(m, model.Options{})
	if err != nil {
		return err
	}
	folder := filepath.Join(dir, "src", spec)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.Name), f.Text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// report prints the results. It returns the number of packages that are as fast as generated code in the same rounds.
func report(all []result) (missed int) {
	for _, r := range all {
		if r.Error != "" {
			fmt.Printf("%-28s %-7s does not count: %s\n", r.Name, r.Direction, r.Error)
			continue
		}
		fmt.Printf("%-28s %-7s %8.3f ms", r.Name, r.Direction, median(r.Times))
		i := slices.IndexFunc(all, func(b result) bool { return b.Name == r.Base && b.Direction == r.Direction })
		if i >= 0 {
			ratios := make([]float64, len(r.Times))
			for k := range ratios {
				ratios[k] = r.Times[k] / all[i].Times[k]
			}
			verdict := "pass"
			if median(ratios) <= 1 {
				verdict = "MISS"
				missed++
			}
			fmt.Printf("  x %6.2f of generated code  %s", median(ratios), verdict)
		}
		fmt.Println()
	}
	return missed
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[len(s)/2]
}
