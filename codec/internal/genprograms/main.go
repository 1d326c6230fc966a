// Command genprograms compiles every schema of the project into the folder named by its argument.
// It compiles a schema once for each choice that it leaves. "go generate ./codec" runs it.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/spec"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stderr)) // unreachable: for tests, which call run
}

// run returns the exit status of a command line.
func run(args []string, errs io.Writer) int {
	if len(args) != 1 {
		_, _ = fmt.Fprintln(errs, "usage: genprograms FOLDER")
		return 2
	}
	if err := generate(args[0]); err != nil {
		_, _ = fmt.Fprintln(errs, "genprograms:", err)
		return 1
	}
	return 0
}

// generate writes the programs and removes those that no schema gives any more.
// All schemas are compiled before the first file is touched.
func generate(folder string) error {
	files := map[string][]byte{}
	for _, id := range spec.IDs() {
		s, err := compile.Load(id)
		if err != nil {
			return err // unreachable: the shipped schemas have no mistakes
		}
		for i, choice := range s.Choices() {
			p, err := compile.Program(id, choice)
			if err != nil {
				return err // unreachable: the shipped schemas have no mistakes
			}
			name := id
			if i > 0 {
				name += "+" + choice
			}
			files[name+bytecode.Extension] = p.Save()
		}
	}
	old, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range old {
		if _, ok := files[e.Name()]; !ok && strings.HasSuffix(e.Name(), bytecode.Extension) {
			if err := os.Remove(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(folder, name), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}
