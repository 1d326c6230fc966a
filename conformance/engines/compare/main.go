// Compare runs octable on the cases of files and prints the differences from the engine.
//
//	go run ./conformance/engines/compare [-spec ID] [-octable PATH] [-show N] FILE...
//
// Without -spec the schema follows from the file's name: godot-4…, godot-3…, pandemonium-….
// Without -octable the command is built from this module first. It exits 1 when anything differs.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/octable/octable/conformance/engines"
)

func main() {
	spec := flag.String("spec", "", "schema of every file")
	bin := flag.String("octable", "", "the command to ask")
	show := flag.Int("show", 10, "failures to print in full for each file")
	flag.Parse()
	ok, err := run(*spec, *bin, *show, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(spec, bin string, show int, files []string) (bool, error) {
	if bin == "" {
		dir, err := os.MkdirTemp("", "octable")
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
		if bin, err = engines.Build(dir); err != nil {
			return false, err
		}
	}
	all := true
	for _, file := range files {
		id := spec
		if id == "" {
			id = engines.SpecOf(filepath.Base(file))
		}
		cases, err := engines.ReadCases(file)
		if err != nil {
			return false, err
		}
		report, err := engines.Compare(engines.Octable(bin), id, cases)
		if err != nil {
			return false, fmt.Errorf("%s: %w", file, err)
		}
		if len(report.Failures) > 0 {
			all = false
			fmt.Print(report.Summary(show))
		}
		fmt.Printf("%s under %s: %v\n", filepath.Base(file), id, report)
	}
	return all, nil
}
