package gotypes_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/octable/octable/codec/gotypes"
)

// TestChange: each kind of Go value changes, and a value that shares its memory does not.
func TestChange(t *testing.T) {
	for name, value := range map[string]func() any{
		"bool":     func() any { return true },
		"integer":  func() any { return int16(5) },
		"unsigned": func() any { return uint8(5) },
		"float":    func() any { return 1.5 },
		"text":     func() any { return "text" },
		"struct":   func() any { return struct{ A, B int }{1, 2} },
		"pointer":  func() any { return new(7) },
		"slice":    func() any { return []int{1, 2, 3} },
		"array":    func() any { return [2]string{"a", "b"} },
		"map":      func() any { return map[string]int{"a": 1, "b": 2} },
	} {
		r := rand.New(rand.NewPCG(1, 2))
		changed := 0
		for range 100 {
			before := value()
			v := reflect.New(reflect.TypeOf(before)).Elem()
			v.Set(reflect.ValueOf(before))
			(*gotypes.Types)(nil).Change(r, v)
			if !reflect.DeepEqual(before, value()) {
				t.Fatalf("%s: the value that shares its memory became %v", name, before)
			}
			if !reflect.DeepEqual(v.Interface(), before) {
				changed++
			}
		}
		if changed < 50 {
			t.Errorf("%s: %d of 100 changes can be seen", name, changed)
		}
	}
}
