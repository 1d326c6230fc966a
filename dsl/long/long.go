// Package long decides how many inputs tests try: few with go test ./..., all with
// OCTABLE_LONG=1. The second is for .ci/run each night and before a release.
package long

import (
	"os"
	"runtime/debug"
	"testing"
)

// Tests keep little and allocate much: a heap that grows to more is collected seldom. One that grows further still takes
// longer, since each new page of memory costs more than to collect one. Long tests keep up to 1 GB.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(Number(300, 400))
		debug.SetMemoryLimit(int64(Number(1, 2)) << 30)
	}
}

// Asked reports whether the environment asks for long tests.
func Asked() bool { return os.Getenv("OCTABLE_LONG") == "1" }

// Number returns few, or many if the environment asks for long tests.
func Number(few, many int) int {
	if Asked() {
		return many
	}
	return few
}

// Only skips a test unless the environment asks for long tests.
func Only(t testing.TB) {
	t.Helper()
	if !Asked() {
		t.Skip("set OCTABLE_LONG=1 to run this test; .ci/run does so each night")
	}
}

// Part returns one of n elements, or all if the environment asks for long tests.
func Part[T any](n int, all []T) []T {
	var out []T
	for i := 0; i < len(all); i += Number(n, 1) {
		out = append(out, all[i])
	}
	return out
}
