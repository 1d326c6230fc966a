package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/fuzz"
	"github.com/octable/octable/fuzz/differential"
)

var killed = flag.Duration("killed", 6*time.Second, "kill the processes of TestFuzzKilled for a time, such as 10m")

// TestFuzzWorkers: workers find what one finds, in one report, and leave a folder from which the next run goes on.
func TestFuzzWorkers(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "shared")
	old := os.Args[0] + " serve -spec godot-3 -as godot-4.4"
	out, errs, code := command("fuzz", "-target", old, "-workers", "2", "-inputs", fmt.Sprint(long.Number(100, 300)), "-corpus", dir)
	if code != exitRefused || strings.Count(out, "octable with godot-3") != 1 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	found, err := differential.Load(dir)
	if err != nil || len(found) == 0 {
		t.Fatalf("%d findings: %v", len(found), err)
	}
	packets := list(t, dir)
	if len(packets) < long.Number(30, 50) {
		t.Fatalf("%d packets", len(packets))
	}
	other := filepath.Join(t.TempDir(), "other")
	out, errs, code = command("fuzz", "merge", "-spec", "godot-4.4", other, dir)
	if code != 0 || !strings.Contains(out, fmt.Sprintf("%d findings", len(found))) {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	covered(t, list(t, other), packets)
	if merged, err := differential.Load(other); err != nil || len(merged) != len(found) {
		t.Errorf("%d findings of %d: %v", len(merged), len(found), err)
	}
	for _, workers := range []string{"1", "2"} {
		out, errs, code := command("fuzz", "-spec", "ntp", "-workers", workers, "-time", "100ms", "-json", "-")
		if code != 0 || !strings.Contains(out, `"schema": "ntp"`) {
			t.Errorf("exit %d\n%s%s", code, out, errs)
		}
	}
}

// TestFuzzBroken: the input that shows a broken law is kept, the smallest of all workers, and merged.
func TestFuzzBroken(t *testing.T) {
	held := fuzz.Laws
	defer func() { fuzz.Laws = held }()
	fuzz.Laws = []fuzz.Law{{Name: "no long packets", Packet: func(_ *fuzz.Schema, b []byte) error {
		if len(b) > 4 {
			return errors.New("it is long")
		}
		return nil
	}}}
	dir, other := t.TempDir(), t.TempDir()
	out, errs, code := command("fuzz", "-spec", "godot-2", "-workers", "2", "-inputs", "200", "-corpus", dir)
	if code != exitRefused {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	if out, errs, code := command("fuzz", "merge", "-spec", "godot-2", other, dir); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	for _, dir := range []string{dir, other} {
		names, err := filepath.Glob(filepath.Join(dir, "godot-2", "broken", "no long packets@00000005-*.bin"))
		if err != nil || len(names) != 1 {
			t.Errorf("%q, %v", names, err)
		}
	}
}

// list returns the packets in a shared folder by their path. Each file with a name that fuzzers give must be complete.
func list(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || e.IsDir() || len(e.Name()) != 40 {
			return err
		}
		b, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil
		}
		if err == nil && inputs.FileName(b) != e.Name() {
			t.Errorf("%s is not complete: %x", path, b)
		}
		all[path] = b
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return all
}

// covered demands that packets reach all that others reach.
func covered(t *testing.T, packets, others map[string][]byte) {
	t.Helper()
	r := inputs.NewReach(raw.Machine(codec.MustLoad("godot-4.4")), true)
	for _, b := range packets {
		r.Add(b)
	}
	for path, b := range others {
		if r.Add(b) {
			t.Errorf("%s was lost: %x reaches a point that no packet in the folder reaches", path, b)
		}
	}
}

// TestFuzzKilled: four processes share a folder and are killed at random. No file in it is ever half
// written, and nothing that was seen in it is lost.
//
//	go test ./cmd/octable -run TestFuzzKilled -v -killed 10m -timeout 20m
func TestFuzzKilled(t *testing.T) {
	long.Only(t)
	dir := filepath.Join(t.TempDir(), "shared")
	const enough = 100 // packets that are seen
	lines := [][]string{
		{"fuzz", "-spec", "godot-4.4", "-time", "1h", "-corpus", dir},
		{"fuzz", "-spec", "godot-4.4", "-time", "1h", "-corpus", dir, "-workers", "2"},
		{"fuzz", "-spec", "godot-4.4", "-time", "1h", "-corpus", dir, "-target", os.Args[0] + " serve -spec godot-3 -as godot-4.4"},
		{"fuzz", "merge", "-spec", "godot-4.4", dir},
	}
	ctx, stop := context.WithTimeout(t.Context(), *killed+3*time.Minute) // the time after killed is for machines with much other work
	defer stop()
	begun := time.Now()
	var wg sync.WaitGroup
	starts := make([]int, 4)
	for slot := range starts {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(slot), uint64(os.Getpid())))
			for ctx.Err() == nil {
				line := lines[r.IntN(len(lines))]
				if starts[slot]++; starts[slot] == 1 {
					line = lines[slot]
				}
				if line[1] != "merge" {
					line = append(line[:len(line):len(line)], "-seed", fmt.Sprint(r.IntN(1000)))
				}
				slow := 1 + time.Since(begun) / *killed // processes live longer if they have written too little
				life, end := context.WithTimeout(ctx, slow*time.Duration(300+r.IntN(2200))*time.Millisecond)
				c := exec.CommandContext(life, os.Args[0], line...) // which is killed when its life ends
				out, err := c.CombinedOutput()
				if err != nil && life.Err() == nil && c.ProcessState.ExitCode() != exitRefused {
					t.Errorf("%q: %v\n%s", line, err, out)
				}
				end()
			}
		})
	}
	seen, ids := map[string][]byte{}, map[string]bool{}
	for ctx.Err() == nil {
		for path, b := range list(t, dir) {
			seen[path] = b
		}
		found, err := differential.Load(dir)
		if err != nil && !os.IsNotExist(err) {
			t.Error(err)
		}
		for _, f := range found {
			ids[f.ID] = true
		}
		if time.Since(begun) >= *killed && len(seen) >= enough && len(ids) > 0 {
			stop()
		}
		time.Sleep(50 * time.Millisecond)
	}
	wg.Wait()
	covered(t, list(t, dir), seen)
	if out, errs, code := command("fuzz", "merge", "-spec", "godot-4.4", dir); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	left := list(t, dir)
	covered(t, left, seen)
	found, err := differential.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		delete(ids, f.ID)
	}
	for id := range ids {
		t.Errorf("the finding %s was lost", id)
	}
	if len(seen) < enough || len(found) == 0 {
		t.Errorf("%d packets and %d findings were seen: too few to test anything", len(seen), len(found))
	}
	t.Logf("%d processes; %d packets were seen, %d are left; %d findings", starts[0]+starts[1]+starts[2]+starts[3], len(seen), len(left), len(found))
}
