// Processes where there are no process groups.

//go:build !unix

package process

import (
	"os"
	"os/exec"
	"strconv"
	"time"
)

func group(*exec.Cmd) {}

// killTree ends a process and those that it has started, as far as the system has
// a command for it.
func killTree(pid int) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(pid)).Run()
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

func signalText(*exec.ExitError) string { return "" }

func limited(command []string, _ int64) []string { return command }

// MeasuresMemory reports whether limits of memory are kept on this system.
const MeasuresMemory = false

const memoryEvery = time.Second

func memory(int) int64 { return 0 }
