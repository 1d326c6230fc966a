package fuzz

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// TestEngineTexts: what engines read a text as is what their bytes for it decode to.
func TestEngineTexts(t *testing.T) {
	for id, name := range map[string]string{"godot-4.4": "godot4.jsonl", "godot-3": "godot3.jsonl"} {
		c, err := codec.MustLoad(id).With(codec.Options{Objects: true})
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join("..", "codec", "godot", "testdata", "notation", name))
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); rows++ {
			var row struct{ Text, Hex string }
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			b, err := hex.DecodeString(row.Hex)
			if err != nil {
				t.Fatal(err)
			}
			got, used, err := c.Decode(b)
			if err != nil || used != len(b) {
				t.Errorf("%s: %s: %s: used %d, %v", name, row.Text, row.Hex, used, err)
				continue
			}
			want, err := godot.ParseText(row.Text)
			if err != nil {
				t.Errorf("%s: %s: %v", name, row.Text, err)
				continue
			}
			if err := differ(row.Text, want, got); err != nil {
				t.Errorf("%s: %s: %v", name, row.Hex, err)
			}
		}
		if rows < 40 {
			t.Errorf("%s has %d rows", name, rows)
		}
	}
}
