package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// many returns a file of n small packets, each after its length.
func many(tb testing.TB, n int) string {
	packet, err := hex.DecodeString("24000000" + "1c00000003000000" + "0200000005000000" + "040000000200000061620000" + "0200000007000000")
	if err != nil {
		tb.Fatal(err)
	}
	file := filepath.Join(tb.TempDir(), "many")
	if err := os.WriteFile(file, bytes.Repeat(packet, n), 0o600); err != nil {
		tb.Fatal(err)
	}
	return file
}

// BenchmarkTree compares a tree of many small packets with their text. The goal is at most twice
// the time.
func BenchmarkTree(b *testing.B) {
	file := many(b, 50_000)
	for _, form := range []string{"text", "tree"} {
		b.Run(form, func(b *testing.B) {
			for b.Loop() {
				if code := run([]string{"decode", "-framed", "-" + form, file}, nil, io.Discard, os.Stderr); code != 0 {
					b.Fatal(code)
				}
			}
		})
	}
}
