// Package paths compares paths in errors of two implementations, which print keys of maps each in
// their own way.
package paths

import (
	"regexp"
	"strconv"
	"strings"
)

// keys are what stands in brackets in paths: indexes, and keys of maps, which
// languages print each in their own way.
var keys = regexp.MustCompile(`\[[^\[\]]*\]`)

// indexes is the beginning of a path, up to the first key that is no number.
var indexes = regexp.MustCompile(`^(?:[^\[]|\[[-+0-9.e]+\])*`)

// Compared returns two paths as they compare: with numbers printed in one way, and
// without other keys. Where there is text in a key, which may have brackets of its own,
// only what stands before the first key is compared.
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
