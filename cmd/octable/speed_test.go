package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/octable/octable/codec"
)

// entities returns packets of Godot 4.4: Dictionaries as games save them.
func entities(tb testing.TB, n int) [][]byte {
	c := codec.MustLoad("godot-4.4")
	var all [][]byte
	for i := range n {
		v, err := c.ParseText(fmt.Sprintf(`{"id": %d, "name": "goblin %d", "position": Vector2(%d.5, -%d.25), "health": 0.%d, "alive": true, "tags": ["small", "green"], "items": [{"kind": &"sword", "count": %d}, null], "target": NodePath("../player")}`, i, i, i, i, i, i%7))
		if err != nil {
			tb.Fatal(err)
		}
		b, err := c.Encode(v)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// BenchmarkText measures how fast the command prints packets. It compares, in one run, with the library that decodes the
// same packets and appends text or JSON. "of-library" is the command's speed with -j 1 over that of the library; the goal
// is at least 0.6. "j2" is the speed with -j 2 over that with -j 1, at least 1.7 on two idle processors.
func BenchmarkText(b *testing.B) {
	packets := entities(b, 20_000)
	c := codec.MustLoad("godot-4.4")
	var stream, lines bytes.Buffer
	for _, p := range packets {
		stream.Write([]byte{byte(len(p)), byte(len(p) >> 8), 0, 0})
		stream.Write(p)
		lines.WriteString(hex.EncodeToString(p) + "\n")
	}
	file := filepath.Join(b.TempDir(), "stream")
	if err := os.WriteFile(file, stream.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, form := range []string{"text", "json"} {
		for _, args := range [][]string{{"decode", "-framed", file}, {"decode", "-lines"}} {
			b.Run(args[1][1:]+"-"+form, func(b *testing.B) {
				library := func() {
					var out []byte
					for _, p := range packets {
						v, _, err := c.Decode(p)
						if err == nil && form == "json" {
							out, err = c.AppendJSON(out[:0], v)
						} else if err == nil {
							out, err = c.AppendText(out[:0], v, "")
						}
						if err != nil {
							b.Fatal(err)
						}
					}
				}
				command := func(jobs int) func() {
					return func() {
						all := append([]string{args[0], "-" + form, "-j", strconv.Itoa(jobs)}, args[1:]...)
						if code := run(all, bytes.NewReader(lines.Bytes()), io.Discard, os.Stderr); code != 0 {
							b.Fatal(code)
						}
					}
				}
				best := fastest(b, library, command(1), command(2))
				b.ReportMetric(best[0]/best[1], "of-library")
				b.ReportMetric(best[1]/best[2], "j2")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// fastest runs functions in turn and returns the least seconds of each.
func fastest(b *testing.B, all ...func()) []float64 {
	best := make([]float64, len(all))
	for b.Loop() {
		for i, f := range all {
			begun := time.Now()
			f()
			if took := time.Since(begun).Seconds(); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	return best
}
