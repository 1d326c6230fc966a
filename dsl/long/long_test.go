package long

import (
	"slices"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		value  string
		number int
		part   []int
	}{{"", 3, []int{0, 2, 4}}, {"1", 7, []int{0, 1, 2, 3, 4}}} {
		t.Setenv("OCTABLE_LONG", c.value)
		if got := Number(3, 7); got != c.number {
			t.Errorf("OCTABLE_LONG=%s: %d inputs, want %d", c.value, got, c.number)
		}
		if got := Part(2, []int{0, 1, 2, 3, 4}); !slices.Equal(got, c.part) {
			t.Errorf("OCTABLE_LONG=%s: inputs %v, want %v", c.value, got, c.part)
		}
	}
}

// TestOnly skips unless the environment asks for long tests.
func TestOnly(t *testing.T) {
	for value, want := range map[string]bool{"": false, "1": true} {
		ran := false
		t.Run("OCTABLE_LONG="+value, func(t *testing.T) {
			t.Setenv("OCTABLE_LONG", value)
			Only(t)
			ran = true
		})
		if ran != want {
			t.Errorf("OCTABLE_LONG=%s: the test ran: %t, want %t", value, ran, want)
		}
	}
}
