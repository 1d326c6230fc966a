package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTreeOfManyPackets holds the time of a tree of many small packets against that of text: at most
// twice as much, in the best of five runs.
func TestTreeOfManyPackets(t *testing.T) {
	packet, err := hex.DecodeString("24000000" + "1c00000003000000" + "0200000005000000" + "040000000200000061620000" + "0200000007000000")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "many")
	if err := os.WriteFile(file, bytes.Repeat(packet, 50_000), 0o600); err != nil {
		t.Fatal(err)
	}
	best := func(form string) time.Duration {
		least := time.Hour
		for range 5 {
			start := time.Now()
			if code := run([]string{"decode", "-framed", "-" + form, file}, nil, io.Discard, os.Stderr); code != 0 {
				t.Fatal(form, code)
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	text, tree := best("text"), best("tree")
	t.Logf("text %v, tree %v", text, tree)
	if tree > 2*text {
		t.Errorf("a tree takes %v, text %v", tree, text)
	}
}
