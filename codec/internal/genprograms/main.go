// Command genprograms compiles every schema of the project, once for each choice
// that it leaves, into the folder named by its argument. "go generate ./codec" runs it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/spec"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: genprograms FOLDER")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "genprograms:", err)
		os.Exit(1)
	}
}

// generate writes the programs and removes those that no schema gives any more.
// All schemas are compiled before the first file is touched.
func generate(folder string) error {
	files := map[string][]byte{}
	for _, id := range spec.IDs() {
		s, err := compile.Load(id)
		if err != nil {
			return err
		}
		if s.Root == nil {
			continue // a library, which describes no bytes
		}
		for i, choice := range s.Choices() {
			p, err := compile.Program(id, choice)
			if err != nil {
				return err
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
