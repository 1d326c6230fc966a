//go:build unix

package interp_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"

	"github.com/octable/octable/interp"
)

// TestReadsWithin: a reader looks at no byte before its input and at none behind it. The input is beside pages that
// cannot be read.
func TestReadsWithin(t *testing.T) {
	page := os.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = syscall.Munmap(memory) }()
	for _, guard := range [][]byte{memory[:page], memory[2*page:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Skip(err)
		}
	}
	inside := memory[page : 2*page : 2*page]
	all := map[string]*interp.Machine{"fused": fusedMachine(t)}
	for name := range shapes {
		all[name] = shape(t, name, "little")
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		m := all[name]
		g, err := m.NewGenerator(interp.GenerateOptions{Open: 0xff, MaxBytes: 100})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(17, 18))
		opt := interp.Options{Open: 0xff}
		reader, plain := m.NewReader(opt), m.NewReader(opt)
		for i := range 20 {
			v, _ := g.Generate(choices(r, 5*i))
			b, err := m.Append(nil, v, opt)
			if err != nil {
				t.Fatal(err)
			}
			for cut := range min(len(b), page) + 1 {
				_, want, wantErr := plain.Read(bytes.Clone(b[:cut]))
				for _, in := range [][]byte{inside[:cut:cut], inside[page-cut:]} {
					copy(in, b)
					if _, n, err := reader.Read(in); n != want || !sameError(err, wantErr) {
						t.Fatalf("%s: % x: beside a page that cannot be read: %d, %v; else %d, %v", name, b[:cut], n, err, want, wantErr)
					}
				}
			}
		}
	}
}
