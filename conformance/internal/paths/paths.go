// Package paths compares paths in errors of two implementations, each of which prints keys of
// maps in its own way.
package paths

import (
	"regexp"
	"strconv"
	"strings"
)

// keys matches the parts of paths in brackets. These are indexes, and keys of maps, which
// each language prints in its own way.
var keys = regexp.MustCompile(`\[[^\[\]]*\]`)

// indexes matches the beginning of a path, up to the first key that is not a number.
var indexes = regexp.MustCompile(`^(?:[^\[]|\[[-+0-9.e]+\])*`)

// Compared returns two paths in a form that can be compared. Numbers are printed in one way, and
// other keys are left out. If a key is text, which may contain brackets, only the part before the
// first key is compared.
func Compared(a, b string) (string, string) {
	if strings.ContainsAny(a+b, `"\`) {
		x, y := indexes.FindString(a), indexes.FindString(b)
		switch { // one may show a number for a text
		case len(x) < min(len(a), len(y)):
			y = y[:len(x)]
		case len(y) < min(len(b), len(x)):
			x = x[:len(y)]
		}
		return x, y
	}
	plain := func(key string) string {
		if f, err := strconv.ParseFloat(strings.Trim(key, "[]"), 64); err == nil {
			return "[" + strconv.FormatFloat(f, 'g', -1, 64) + "]"
		}
		return "[]"
	}
	with := func(path string, others []string) string {
		i := 0
		return keys.ReplaceAllStringFunc(path, func(key string) string {
			if i++; i > len(others) || plain(others[i-1]) == "[]" { // a language may show a record by its only number
				return "[]"
			}
			return plain(key)
		})
	}
	return with(a, keys.FindAllString(b, -1)), with(b, keys.FindAllString(a, -1))
}
