//go:build unix

// Memory that stays with the process.

package main

import (
	"os"
	"strings"
	"syscall"
)

// keepMemory starts the program anew where the heap would give memory back to the
// system at once. Getting it again takes longer than decoding into it, and whoever is
// measured next would pay for that.
func keepMemory() {
	const setting = "madvdontneed="
	debug := os.Getenv("GODEBUG")
	if strings.Contains(debug, setting) {
		return
	}
	if debug != "" {
		debug += ","
	}
	exe, err := os.Executable()
	if err == nil {
		err = os.Setenv("GODEBUG", debug+setting+"0")
	}
	if err == nil {
		_ = syscall.Exec(exe, os.Args, os.Environ()) // where it fails, the noise stays
	}
}
