// Command pack makes the vectors of all schemas and writes them into the folder data, compressed. A
// file whose text is unchanged stays, since compressors differ.
package main

import (
	"bytes"
	"compress/gzip"
	"log"
	"os"
	"path/filepath"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/generate"
	"github.com/octable/octable/conformance/vectors/suites"
)

func main() {
	log.SetFlags(0)
	if err := pack("data"); err != nil {
		log.Fatal(err)
	}
}

func pack(dir string) error {
	var all []*vectors.Suite
	byName := map[string]*vectors.Suite{}
	for _, name := range codec.Schemas() {
		s, _, err := generate.ForSpec(name)
		if err != nil {
			return err
		}
		all = append(all, s)
		byName[name] = s
	}
	cross, err := generate.CrossFile(byName)
	if err != nil {
		return err
	}
	files := generate.Set(all, cross)
	old, err := filepath.Glob(filepath.Join(dir, "*.gz"))
	if err != nil {
		return err
	}
	for _, name := range old {
		short := filepath.Base(name[:len(name)-len(".gz")])
		if b, err := os.ReadFile(name); err != nil {
			return err
		} else if text, err := suites.Unpack(b); err == nil && files[short] != nil && bytes.Equal(text, files[short]) {
			delete(files, short)
		} else if err := os.Remove(name); err != nil {
			return err
		}
	}
	for name, text := range files {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".gz"), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}
