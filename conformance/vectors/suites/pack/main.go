// Command pack makes the vectors of all schemas and writes them into the folder data, compressed. A
// file whose text is unchanged stays, since compressors differ.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"log"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

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
	all, err := made(codec.Schemas())
	if err != nil {
		return err
	}
	byName := map[string]*vectors.Suite{}
	for _, s := range all {
		byName[s.Spec()] = s
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

// made returns the vectors of schemas. It makes those of two at a time, since one keeps a processor busy only in part,
// and the largest take a gigabyte of memory.
func made(names []string) ([]*vectors.Suite, error) {
	all, errs := make([]*vectors.Suite, len(names)), make([]error, len(names))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(names)); i = next.Add(1) - 1 {
				all[i], _, errs[i] = generate.ForSpec(names[i])
			}
		})
	}
	wait.Wait()
	return all, errors.Join(errs...)
}
