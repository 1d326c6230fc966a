package compile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/long"
)

const head = "schema \"limit\" { order little root T }\n"

// repeated returns text for the numbers from 0 to n-1; %[1]d is the number.
func repeated(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// growing are schemas that have more of something the larger n is, up to a limit.
var growing = map[string]struct {
	limit int
	text  func(n int) string
}{
	"fields": {256, func(n int) string {
		return head + "type T {\n" + repeated(n, "| %[1]d | 1 | bool8 | f%[1]d |\n") + "}"
	}},
	"numbers": {255, func(n int) string {
		return head + "type T {\n| 0 | 1 | u8 | x |\n" + repeated(n, "| %[1]d+1 | 1 | u8 | l%[1]d | check l%[1]d >= x\n") + "}"
	}},
	"numbers in place": {128, func(n int) string {
		return head + "type S {\n| 0 | 1 | u8 | k = 3 |\n| 1 | 1 | bool8 | v |\n}\n" +
			"type T {\n" + repeated(n, "| %[1]d*3 | 2 | S | s%[1]d |\n| %[1]d*3+2 | 1 | u8 | l%[1]d | check l%[1]d < 9\n") + "}"
	}},
	"numbers of an arm": {254, func(n int) string {
		return union + "arm U 0 a {\n| 1 | 1 | u8 | x |\n" + repeated(n, "| %[1]d+2 | 1 | u8 | l%[1]d | check l%[1]d >= x\n") + "}"
	}},
	"numbers of sizes": {84, func(n int) string {
		return head + "type T {\n| 0 | 1 | u8 | x |\n" + repeated(n, "| %[1]d*2+1 | 1 | u8 | n%[1]d = size(v%[1]d) | any\n| %[1]d*2+2 | 1 | bool8 | v%[1]d |\n") +
			fmt.Sprintf("| %d | 1 | u8 | l0 | check l0 > x\n| %d | 1 | u8 | l1 | check l1 > x\n| %d | 1 | u8 | l2 | check l2 > x\n}", 2*n+1, 2*n+2, 2*n+3)
	}},
	"forms": {255, func(n int) string {
		return head + "type T {\n| 0 | 1 | u8 | k |\n| 1 | 2 | by k * 1 { " + strings.TrimSuffix(repeated(n, "%[1]d u16,"), ",") + " } | v |\n}"
	}},
	"tuple": {255, func(n int) string {
		return head + "type T {\n" + repeated(n, "| %[1]d | 1 | u8 | x%[1]d |\n") + "}"
	}},
	"element": {255, func(n int) string {
		return head + "type T {\n| 0 | 1 | u8 | n = count(list) |\nrepeat n as list {\n" + repeated(n, "| "+fmt.Sprint("1+i*", n)+"+%[1]d | 1 | u8 | x%[1]d |\n") + "}\n}"
	}},
	"records": {254, func(n int) string {
		groups := (n + 99) / 100
		text := head + repeated(n, "type S%[1]d {\n| 0 | 1 | u8 | x |\n| 1 | 2 | u16 | y |\n}\n") +
			repeated(n, "type R%[1]d {\n| 0 | 3 | S%[1]d | x |\n| 3 | 2 | u16 | y |\n}\n")
		for g := range groups {
			text += fmt.Sprintf("type G%d {\n", g)
			for i := range min(100, n-100*g) {
				text += fmt.Sprintf("| %d | 5 | R%d | r%d |\n", 5*i, 100*g+i, i)
			}
			text += "}\n"
		}
		text += "type T {\n| 0 | 1 | u8 | x |\n"
		for g := range groups {
			text += fmt.Sprintf("| %d | %d | G%d | g%d |\n", 1+500*g, 5*min(100, n-100*g), g, g)
		}
		return text + "}"
	}},
	"arms": {4096, func(n int) string {
		return strings.Replace(union, "1 | u8", "2 | u16", 1) + repeated(n, "arm U %[1]d a%[1]d {\n}\n")
	}},
	"instructions": {152, func(n int) string {
		return head + "type S {\n| 0 | 1 | u8 | k = 3 |\n| 1 | 1 | bool8 | v |\n" + strings.Repeat("check k < 4 \"x\"\n", 400) + "}\n" +
			"type T {\n" + repeated(n, "| %[1]d*2 | 2 | S | s%[1]d |\n") + "}"
	}},
	"instructions of parts": {2218, func(n int) string {
		return head + "type S {\n| 0 | 1 | u8 | k = 3 |\n| 1 | 1 | bool8 | v |\n" + strings.Repeat("check k < 4 \"x\"\n", 2000) + "}\n" +
			"type T {\n| 0 | 1 | u8 | at |\n" + repeated(30, "| %[1]d+1 | 1 | u8 | s%[1]d = sum8(part) |\n") + "| @at | 1 | u8 | part |\n" +
			repeated(31, "| %[1]d*2+31 | 2 | S | r%[1]d |\n") + strings.Repeat("check at < 4 \"x\"\n", n) + "}"
	}},
	"instructions of lists in parts": {2224, func(n int) string {
		return head + "type S {\n| 0 | 1 | u8 | k = 3 |\n| 1 | 1 | bool8 | v |\n" + strings.Repeat("check k < 4 \"x\"\n", 2000) + "}\n" +
			"type T {\n| 0 | 1 | u8 | at |\n" + repeated(30, "| %[1]d+1 | 1 | u8 | s%[1]d = sum8(part) |\n") + "| @at | 2 | S[1] | part |\n" +
			repeated(30, "| %[1]d*2+31 | 2 | S | r%[1]d |\n") + strings.Repeat("check at < 4 \"x\"\n", n) + "}"
	}},
	"bytes": {40, func(n int) string {
		text := head + "type S0 {\n| 0 | 1 | u8 | n = len(s) |\n| 1 | N | utf8[n] | s |\n}\n"
		for i := range n {
			text += fmt.Sprintf("type S%d {\n| 0 | A | S%d | a |\n| B | C | S%d | b |\n}\n", i+1, i, i)
		}
		return text + fmt.Sprintf("type T {\n| 0 | A | S%d | a |\n}\n", n)
	}},
	"regions": {8, func(n int) string {
		text := head
		for i := range n {
			text += fmt.Sprintf("type S%d {\n| 0 | 1 | u8 | k = 3 |\n| 1 | 1 | u8 | n = size(a) |\n| 2 | n | S%d | a |\n}\n", i+1, i)
		}
		return text + fmt.Sprintf("type S0 {\n| 0 | 1 | u8 | k = 3 |\n| 1 | 1 | bool8 | v |\n}\ntype T {\n| 0 | A | S%d | a |\n}\n", n)
	}},
	"numbers of a tuple": {255, func(n int) string {
		return head + "type T {\n" + repeated(n, "| %[1]d | 1 | u8 | f%[1]d |\n") + "}"
	}},
	"bits": {6, func(n int) string {
		return head + "type T {\n| 0 | 1 | u8 | x |\n| 1 | 8 | u64 | w | {\n" + repeated(64, "%[1]d b%[1]d = "+sumOf(n)+" any\n") + "}\n}"
	}},
	"depth of bits": {58, func(n int) string {
		return head + "type T {\n| 0 | 1 | u8 | x |\n| 1 | 8 | u64 | w | {\n" +
			"63 first = " + strings.Repeat("-(", n) + "x" + strings.Repeat(")", n) + " any\n" + repeated(63, "%[1]d b%[1]d = 1 any\n") + "}\n}"
	}},
	"expression": {100, func(n int) string {
		return head + "type T {\n| 0 | 1 | u8 | x |\ncheck x == " + sumOf(n) + " \"x\"\n}"
	}},
}

const union = "schema \"limit\" { order little root U }\nunion U by t { | 0 | 1 | u8 | t | }\n"

// sumOf returns a sum of n fields.
func sumOf(n int) string { return strings.TrimSuffix(strings.Repeat("x + ", n), " + ") }

// TestLimits compiles growing schemas. Those up to the limit resolve and compile, and
// the next one is refused for the limit.
func TestLimits(t *testing.T) {
	for name, grow := range growing {
		t.Run(name, func(t *testing.T) {
			for _, n := range long.Part(2, []int{1, grow.limit/2 + 1, grow.limit}) {
				s, err := resolve("limit.oct", grow.text(n))
				if err != nil {
					t.Fatalf("%d: %.900v", n, err)
				}
				programs(t, s)
			}
			_, err := resolve("limit.oct", grow.text(grow.limit+1))
			var ds dsl.Diagnostics
			if !errors.As(err, &ds) || ds[0].Code != dsl.CodeRange && ds[0].Code != dsl.CodeArgs {
				t.Errorf("%d: %.900v", grow.limit+1, err)
			}
		})
	}
}
