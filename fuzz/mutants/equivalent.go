// The table of mutants that are equivalent to the original.

package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"strings"
)

// equivalent.txt has a line KEY -- ARGUMENT for each mutant that no test can notice. The key of a statement that is
// removed ends with "=> ".
//
//go:embed equivalent.txt
var equivalentText string

type equivalents struct{ of map[string]string }

// readEquivalents reads the table. The error names a line without an argument or with the key of another.
func readEquivalents(text string) (*equivalents, error) {
	t := &equivalents{map[string]string{}}
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		key, argument, ok := strings.Cut(line, " -- ")
		if !ok || strings.TrimSpace(argument) == "" {
			return nil, fmt.Errorf("equivalent.txt:%d: write KEY -- ARGUMENT", n)
		}
		if t.of[key] != "" {
			return nil, fmt.Errorf("equivalent.txt:%d: the key is in the table twice", n)
		}
		t.of[key] = strings.TrimSpace(argument)
	}
	return t, lines.Err()
}

// reason returns the argument for a mutant, or "".
func (t *equivalents) reason(key string) string { return t.of[key] }
