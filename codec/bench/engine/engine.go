// Package engine times real Godot engines on the packets of the workloads,
// through a script that runs inside them.
package engine

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/octable/octable/codec/bench/work"
)

var (
	//go:embed godot4.gd
	godot4 []byte
	//go:embed godot3.gd
	godot3 []byte
)

// Workloads lists what the engines are timed on.
var Workloads = []string{"rpc", "game", "nest", "ints", "vec3-64K", "vec3-12M", "bytes-16M"}

// Engine is an installed engine.
type Engine struct {
	Name string // godot3 or godot4
	Path string // an executable that takes Godot's arguments and opens no window
	dir  string
}

// Timing is what an engine took for a packet, in nanoseconds.
type Timing struct {
	Workload string
	Version  string
	Decode   float64
	Encode   float64
}

// New prepares packets and script for an engine: "godot3" or "godot4".
func New(name, path string) (*Engine, error) {
	dir, err := os.MkdirTemp("", "octable-engine-")
	if err != nil {
		return nil, err
	}
	e := &Engine{name, path, dir}
	script := map[string][]byte{"godot3": godot3, "godot4": godot4}[name]
	if err := os.WriteFile(e.file("time.gd"), script, 0o666); err != nil {
		return nil, err
	}
	for _, w := range Workloads {
		b := work.Wire(w)
		if name == "godot3" {
			b = work.Godot3(b)
		}
		if err := os.WriteFile(e.file(w), b, 0o666); err != nil {
			return nil, err
		}
	}
	work.Forget()
	return e, nil
}

func (e *Engine) file(name string) string { return filepath.Join(e.dir, name) }

// Close removes what New made.
func (e *Engine) Close() error { return os.RemoveAll(e.dir) }

// Time runs the engine once and times every workload for about the given time
// in each direction.
func (e *Engine) Time(slice time.Duration) ([]Timing, error) {
	var paths []string
	for _, w := range Workloads {
		paths = append(paths, e.file(w))
	}
	args := []string{"--script", e.file("time.gd")}
	if e.Name == "godot4" {
		args = append([]string{"--headless"}, args...)
	}
	cmd := exec.Command(e.Path, args...)
	cmd.Dir = e.dir
	cmd.Env = append(os.Environ(),
		"OCTABLE_PACKETS="+strings.Join(paths, ";"),
		fmt.Sprintf("OCTABLE_MICROSECONDS=%d", slice.Microseconds()))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", e.Name, err, out)
	}
	var list []Timing
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		text, ok := strings.CutPrefix(lines.Text(), "OCTABLE ")
		if !ok {
			continue
		}
		var t struct {
			Version, Path  string
			Same           bool
			Decode, Encode float64
		}
		if err := json.Unmarshal([]byte(text), &t); err != nil {
			return nil, fmt.Errorf("%s: %w in %q", e.Name, err, text)
		}
		if !t.Same {
			return nil, fmt.Errorf("%s writes %s in another way", e.Name, filepath.Base(t.Path))
		}
		// The script says nanoseconds: microseconds of two loops, times 500.
		list = append(list, Timing{filepath.Base(t.Path), t.Version, t.Decode, t.Encode})
	}
	if len(list) != len(Workloads) {
		return nil, fmt.Errorf("%s timed %d of %d packets:\n%s", e.Name, len(list), len(Workloads), out)
	}
	return list, nil
}
