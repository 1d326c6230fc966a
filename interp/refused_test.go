package interp

import "testing"

// TestRefusedLetters: a number that is compared with a code is printed as letters, if it has four.
func TestRefusedLetters(t *testing.T) {
	for _, c := range []struct {
		condition string
		n         int64
		want      string
	}{
		{"expected magic == 'LVL2'", 0x334c564c, "expected magic == 'LVL2', found 'LVL3'"},
		{"expected magic == 'LVL2'", 0x334c5600, "expected magic == 'LVL2', found 860640768 (0x334c5600)"},
		{`expected id == "FORM"`, 0x46464952, `expected id == "FORM", found "RIFF"`},
		{`expected id == "89504e47"`, 7, `expected id == "89504e47", found 7`},
		{"expected n == 7", 0x334c564c, "expected n == 7, found 860640844 (0x334c564c)"},
		{"expected magic == 'LVL2'", -1, "expected magic == 'LVL2', found -1"},
	} {
		if got := refusedText(c.condition, c.n); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
}
