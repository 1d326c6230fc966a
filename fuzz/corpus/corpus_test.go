package corpus

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/inputs"
	"github.com/octable/octable/interp"
)

// machine returns the machine of a schema, and packets that together reach much of it.
func machine(t *testing.T) (*interp.Machine, [][]byte) {
	t.Helper()
	m := raw.Machine(codec.MustLoad("godot-2"))
	all, err := inputs.Corpus(m, inputs.Options{Seed: 1, Objects: true, MaxBytes: 256}, 3000)
	if err != nil || len(all) < 50 {
		t.Fatalf("%d packets, %v", len(all), err)
	}
	return m, all
}

func open(t *testing.T, dir string, m *interp.Machine) *Folder {
	t.Helper()
	f, err := Open(dir, "godot-2", m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// reached demands that the packets in a folder reach all that other packets reach.
func reached(t *testing.T, f *Folder, m *interp.Machine, others [][]byte) {
	t.Helper()
	all, _, err := packets(f.Dir())
	if err != nil {
		t.Fatal(err)
	}
	r := inputs.NewReach(m, true)
	for _, b := range all {
		r.Add(b)
	}
	for _, b := range others {
		if r.Add(b) {
			t.Errorf("%x was lost: it reaches a point that no packet in the folder reaches", b)
		}
	}
}

// TestExchange: a folder gives packets that others wrote, once, and neither hidden nor damaged files.
func TestExchange(t *testing.T) {
	m, all := machine(t)
	dir := t.TempDir()
	a, b := open(t, dir, m), open(t, dir, m)
	for _, p := range all {
		a.Give(p)
		a.Give(p)
	}
	files, err := os.ReadDir(a.Dir())
	if err != nil || len(files) != len(all) {
		t.Fatalf("%d files of %d packets: %v", len(files), len(all), err)
	}
	damaged := filepath.Join(a.Dir(), inputs.FileName([]byte("complete")))
	hidden := filepath.Join(a.Dir(), ".new-0123456789abcdef")
	for _, name := range []string{damaged, hidden} {
		if err := os.WriteFile(name, []byte("comp"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	taken := b.Take()
	inputs.Sort(taken)
	if !slices.EqualFunc(taken, all, bytes.Equal) {
		t.Errorf("%d packets were taken, %d were given", len(taken), len(all))
	}
	if again := b.Take(); len(again) > 0 {
		t.Errorf("%d packets at once after a look into the folder", len(again))
	}
	b.looked = time.Time{}
	if again := b.Take(); len(again) > 0 {
		t.Errorf("%d packets a second time", len(again))
	}
	if _, removed, err := b.Minimise(); err != nil || removed > 0 {
		t.Errorf("%d packets of a minimal folder are removed: %v", removed, err)
	}
	old := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(hidden, old, old); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Minimise(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(hidden); err == nil {
		t.Error("an abandoned file stays")
	}
	if _, err := os.Stat(damaged); err != nil {
		t.Errorf("a file that may be in the making is removed: %v", err)
	}
}

// TestMinimise: what longer packets reach is kept by shorter ones, and packets of another program are seeds.
func TestMinimise(t *testing.T) {
	m, all := machine(t)
	dir := t.TempDir()
	f := open(t, dir, m)
	for _, p := range slices.Backward(all) {
		f.Give(append(slices.Clone(p), 1, 2, 3, 4)) // longer ones come first
	}
	from := t.TempDir()
	for i, p := range all {
		if err := os.WriteFile(filepath.Join(from, fmt.Sprint(i)), p, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	second := open(t, dir, m)
	if n, err := second.Import(from); err != nil || n != len(all) {
		t.Fatalf("%d files were read of %d: %v", n, len(all), err)
	}
	stay, removed, err := second.Minimise()
	if err != nil || removed == 0 || len(stay) > len(all)+removed {
		t.Errorf("%d stay, %d removed, %v", len(stay), removed, err)
	}
	reached(t, second, m, all)
	if err := os.Rename(second.Dir(), filepath.Join(dir, "godot-2", "0123456789ab")); err != nil {
		t.Fatal(err)
	}
	third := open(t, dir, m)
	if seeds := third.Take(); len(seeds) != len(stay) {
		t.Errorf("%d seeds of another program, and not %d", len(seeds), len(stay))
	}
}

// TestConcurrently: goroutines that write and minimise at once lose nothing that was written.
func TestConcurrently(t *testing.T) {
	m, all := machine(t)
	dir := t.TempDir()
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			f, err := Open(dir, "godot-2", m)
			if err != nil {
				t.Error(err)
				return
			}
			r := rand.New(rand.NewPCG(uint64(worker), 1))
			for range 60 {
				p := all[r.IntN(len(all))]
				if r.IntN(2) == 0 {
					p = append(slices.Clone(p), byte(r.Uint32()))
				}
				f.Give(p)
				switch r.IntN(12) {
				case 0:
					if _, _, err := f.Minimise(); err != nil {
						t.Error(err)
					}
				case 1:
					f.looked = time.Time{}
					f.Take()
				}
			}
			for i, p := range all {
				if i%4 == worker {
					f.Give(p)
				}
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	f := open(t, dir, m)
	reached(t, f, m, all)
	if _, _, err := f.Minimise(); err != nil {
		t.Fatal(err)
	}
	reached(t, f, m, all)
}

// TestWaiting: a packet that cannot be written waits, is written later, and its error is told at the end.
func TestWaiting(t *testing.T) {
	m, all := machine(t)
	dir := t.TempDir()
	f := open(t, dir, m)
	if err := os.Remove(f.Dir()); err != nil {
		t.Fatal(err)
	}
	f.Give(all[0])
	f.Give(all[1])
	if err := f.Close(); err == nil {
		t.Error("packets that were not written, and no error")
	}
	if err := os.Mkdir(f.Dir(), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	reached(t, f, m, all[:2])
}

// TestKeep: of reports with one id the smallest stays, whoever writes last.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			size := 5 + (i*7)%16
			if err := Keep(dir, "a/b", size, make([]byte, size), fmt.Appendf(nil, "%d", size)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := Keep(dir, "a/c", 3, nil, []byte("3")); err != nil {
		t.Fatal(err)
	}
	var texts []string
	err := Reports(dir, func(path string, text []byte) error {
		texts = append(texts, string(text))
		return nil
	})
	if err != nil || !slices.Equal(texts, []string{"5", "3"}) {
		t.Errorf("%q, %v", texts, err)
	}
	if inputs, _ := filepath.Glob(filepath.Join(dir, "*.bin")); len(inputs) != 2 {
		t.Errorf("%q", inputs)
	}
}
