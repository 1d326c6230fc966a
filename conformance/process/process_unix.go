// Process groups and limits on Unix.

//go:build unix

package process

import (
	"os/exec"
	"strconv"
	"syscall"
)

// group has a command begin a separate process group.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killTree ends a process, its group, and those of its descendants that left it.
func killTree(pid int) {
	others := descendants(pid)
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	for _, p := range others {
		_ = syscall.Kill(p, syscall.SIGKILL)
	}
}

func signalText(err *exec.ExitError) string {
	status, ok := err.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return "signal " + strconv.Itoa(int(status.Signal())) + ", " + status.Signal().String()
}

// limited returns a command that runs another one within an address space.
func limited(command []string, bytes int64) []string {
	if bytes <= 0 {
		return command
	}
	return append([]string{"/bin/sh", "-c", `ulimit -v "$0" && exec "$@"`, strconv.FormatInt(max(bytes>>10, 1), 10)}, command...)
}
