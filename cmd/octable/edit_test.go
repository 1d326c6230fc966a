package main

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEditKeepsBytes changes values beside bytes that no writer produces. These are a number in 64 bits
// that fits 32, and padding that is not zero.
func TestEditKeepsBytes(t *testing.T) {
	const wide, padded = " 02000100 05000000 00000000", " 04000000 01000000 61000001"
	for _, c := range []struct{ edit, before, after string }{
		{"[1] = 7", "1c000000 03000000" + wide + " 02000000 06000000" + padded, "1c000000 03000000" + wide + " 02000000 07000000" + padded},
		{`[1] = "longer"`, "1c000000 03000000" + wide + " 02000000 06000000" + padded, "1c000000 03000000" + wide + " 04000000 06000000 6c6f6e676572 0000" + padded},
		{"delete [1]", "1c000000 03000000" + wide + " 00000000" + padded, "1c000000 02000000" + wide + padded},
		{"add [] = null", "1c000000 02000080" + wide + padded, "1c000000 03000080" + wide + padded + " 00000000"},
		{"add [1] = true", "1c000000 02000000" + wide + padded, "1c000000 03000000" + wide + " 01000000 01000000" + padded},
		{"a = 1", "1b000000 02000000" + padded + " 00000000" + padded + wide, "1b000000 02000000" + padded + " 00000000" + padded + " 02000000 01000000"},
		{"add b = null", "1b000000 01000000" + padded + wide, "1b000000 02000000" + padded + wide + " 04000000 01000000 62000000 00000000"},
		{"delete a", "1b000000 01000000" + padded + wide, "1b000000 00000000"},
		{"[0][0] = 1", "1c000000 02000000 1c000000 01000000" + wide + padded, "1c000000 02000000 1c000000 01000000 02000000 01000000" + padded},
	} {
		b, err := hex.DecodeString(strings.ReplaceAll(c.before, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		for _, framed := range []bool{false, true} {
			file := filepath.Join(t.TempDir(), "save")
			want := strings.ReplaceAll(c.after, " ", "")
			in := b
			if framed {
				in = append([]byte{byte(len(b)), 0, 0, 0}, b...)
				want = hex.EncodeToString([]byte{byte(len(want) / 2), 0, 0, 0}) + want
			}
			if err := os.WriteFile(file, in, 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			if code := run([]string{"edit", file, c.edit}, nil, &out, &errs); code != 0 {
				t.Errorf("%s: %d %s", c.edit, code, &errs)
				continue
			}
			got, err := os.ReadFile(file)
			if err != nil || hex.EncodeToString(got) != want {
				t.Errorf("%s: %v\n%x\n%s", c.edit, err, got, want)
			}
		}
	}
}
