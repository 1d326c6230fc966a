// Seeds writes what fuzzers begin with into a folder. For each target of package
// targets, that is octable_NAME_seed_corpus.zip and, if there is one, octable_NAME.dict.
//
//	go run ./fuzz/ossfuzz/seeds DIR
//	go run ./fuzz/ossfuzz/seeds -list
package main

import (
	"archive/zip"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/octable/octable/conformance/corrupt"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/fuzz/targets"
)

func main() {
	list := flag.Bool("list", false, "print the names of the targets, and of their fuzzers")
	flag.Parse()
	if *list {
		for _, t := range targets.All {
			fmt.Println(t.Name, name(t))
		}
		return
	}
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "seeds: give the folder to write into")
		os.Exit(2)
	}
	if err := write(flag.Arg(0), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "seeds:", err)
		os.Exit(1)
	}
}

// name is what the fuzzer of a target is called.
func name(t targets.Target) string { return "octable_" + strings.ToLower(t.Name) }

func write(dir string, say io.Writer) error {
	for _, t := range targets.All {
		f, err := os.Create(filepath.Join(dir, name(t)+"_seed_corpus.zip"))
		if err != nil {
			return err
		}
		n, err := pack(f, t.Seeds())
		if err2 := f.Close(); err == nil {
			err = err2
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(say, "%s: %d seeds\n", name(t), n)
		if t.Words == nil {
			continue
		}
		text := corrupt.Dictionary("Words for "+name(t)+": "+t.About+".\n", t.Words())
		if err := os.WriteFile(filepath.Join(dir, name(t)+".dict"), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// pack writes seeds into an archive, each once, and returns how many there are.
func pack(w io.Writer, seeds [][]byte) (int, error) {
	z := zip.NewWriter(w)
	seen := map[string]bool{}
	for _, b := range seeds {
		file := inputs.FileName(b)
		if seen[file] {
			continue
		}
		seen[file] = true
		part, err := z.Create(file)
		if err != nil {
			return 0, err
		}
		if _, err := part.Write(b); err != nil {
			return 0, err
		}
	}
	return len(seen), z.Close()
}
