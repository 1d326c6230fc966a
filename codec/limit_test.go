//go:build (linux || darwin) && (amd64 || arm64)

package codec_test

import (
	"errors"
	"math"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/octable/octable/codec"
)

// TestTooLong refuses texts and lists of more elements than an int of 32 bits counts. Their memory is mapped and never touched.
func TestTooLong(t *testing.T) {
	b, err := syscall.Mmap(-1, 0, math.MaxInt32+1, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip("this machine maps no 2 GiB of memory; .ci/run runs this test where it does: ", err)
	}
	defer func() { _ = syscall.Munmap(b) }()
	long, err := syscall.Mmap(-1, 0, math.MaxUint32+1, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip("this machine maps no 4 GiB of memory; .ci/run runs this test where it does: ", err)
	}
	defer func() { _ = syscall.Munmap(long) }()
	bytes := plannedSchema(t, "schema \"bytes\" { root T }\ntype T { | 0 | N | u8[until end] | list | }", codec.Options{Alias: true})
	var into struct {
		List []uint8 `octable:"list"`
	}
	if err := bytes.Unmarshal(long, &into); err != nil || len(into.List) != len(long) {
		t.Errorf("%d bytes of %d are read: %v", len(into.List), len(long), err)
	}
	if v, used, err := bytes.Decode(long); !errors.Is(err, codec.ErrLimit) {
		t.Errorf("a Value of %d bytes, %d are used: %v", v.Len(), used, err)
	}
	text := unsafe.String(&b[0], len(b))
	numbers := plannedSchema(t, `schema "numbers" { root T }
type T {
    | 0 | 4 | u32 | n = count(list) |
    | 4 | N | u64[n] | list |
}`, codec.Options{})
	for n, want := range map[int]bool{8: true, math.MaxInt32/8 + 1: false} {
		x := struct {
			List []uint8 `octable:"list"`
		}{b[:n]}
		if got := codec.WritesByPlan(numbers, &x); got != want {
			t.Errorf("%d numbers are written by the plan: %v", n, got)
		}
	}
	c := codec.MustLoad("godot-4")
	if _, err := c.ValueOf(make([]struct{}, len(b))); !errors.Is(err, codec.ErrInexact) {
		t.Error(err)
	}
	for _, x := range []any{text, b, &text, &b, &[]string{text}, &[]any{text}, &[]struct{ A string }{{text}}, &struct {
		A []string `octable:",type=Array"`
	}{[]string{text}}, &map[string]string{"a": text}, &struct{ A string }{text}, &struct{ A []byte }{b}} {
		for name, write := range map[string]func() error{
			"ValueOf": func() error { _, err := c.ValueOf(x); return err },
			"Marshal": func() error { _, err := c.Marshal(x); return err },
		} {
			if err := write(); !errors.Is(err, codec.ErrInexact) || !strings.Contains(err.Error(), "its length 2147483648 is more than any version can hold") {
				t.Errorf("%s of %T: %v", name, x, err)
			}
		}
	}
}
