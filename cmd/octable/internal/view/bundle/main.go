// Command bundle makes web/dist, the bundled page of package view, from web/src. It is a separate module, since users
// of octable do not need a bundler.
//
//	go -C cmd/octable/internal/view/bundle run .           writes web/dist
//	go -C cmd/octable/internal/view/bundle run . -check    exits 1 if web/dist is not current
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	check := flag.Bool("check", false, "compare instead of writing")
	flag.Parse()
	if err := run("../web", *check); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// run bundles the page in a folder.
func run(web string, check bool) error {
	out, err := bundle(web)
	if err != nil {
		return err
	}
	dist := filepath.Join(web, "dist")
	if !check {
		if err := os.RemoveAll(dist); err != nil {
			return err
		}
		if err := os.MkdirAll(dist, 0o777); err != nil {
			return err
		}
		for name, b := range out {
			if err := os.WriteFile(filepath.Join(dist, name), b, 0o666); err != nil {
				return err
			}
		}
		return nil
	}
	entries, err := os.ReadDir(dist)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	for name, b := range out {
		old, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil || !bytes.Equal(old, b) {
			return fmt.Errorf("web/dist/%s is not what web/src bundles to; run: go generate ./cmd/octable/internal/view", name)
		}
	}
	for _, name := range names {
		if out[name] == nil {
			return fmt.Errorf("web/dist/%s is not made of web/src; remove it", name)
		}
	}
	return nil
}

// bundle returns the files of the page by name.
func bundle(web string) (map[string][]byte, error) {
	src, err := filepath.Abs(filepath.Join(web, "src"))
	if err != nil {
		return nil, err
	}
	r := api.Build(api.BuildOptions{
		EntryPoints:      []string{filepath.Join(src, "main.ts"), filepath.Join(src, "worker.ts"), filepath.Join(src, "style.css")},
		Bundle:           true,
		Outdir:           "/dist",
		EntryNames:       "[name]",
		Format:           api.FormatIIFE,
		Target:           api.ES2022,
		Charset:          api.CharsetUTF8,
		MinifyWhitespace: true,
		MinifySyntax:     true,
		LegalComments:    api.LegalCommentsNone,
		AbsWorkingDir:    src,
		TsconfigRaw:      `{"compilerOptions": {"strict": true}}`,
		LogLevel:         api.LogLevelWarning,
	})
	if len(r.Errors) > 0 {
		return nil, fmt.Errorf("esbuild reports %d errors", len(r.Errors))
	}
	out := map[string][]byte{}
	for _, f := range r.OutputFiles {
		out[filepath.Base(f.Path)] = slices.Clone(f.Contents)
	}
	page, err := os.ReadFile(filepath.Join(src, "index.html"))
	if err != nil {
		return nil, err
	}
	out["index.html"] = page
	return out, nil
}
