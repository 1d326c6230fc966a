// Memory of process trees by /proc.

package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// MeasuresMemory reports whether limits of memory are kept on this system.
const MeasuresMemory = true

const memoryEvery = 25 * time.Millisecond

var pageSize = int64(os.Getpagesize())

// memory returns the resident memory of a process and its descendants, in bytes.
func memory(pid int) int64 {
	total := int64(0)
	for _, p := range append(descendants(pid), pid) {
		// The second number is the resident pages.
		b, err := os.ReadFile("/proc/" + strconv.Itoa(p) + "/statm")
		if fields := bytes.Fields(b); err == nil && len(fields) > 1 {
			n, _ := strconv.ParseInt(string(fields[1]), 10, 64)
			total += n * pageSize
		}
	}
	return total
}

// descendants returns the processes that a process has started, and those that these
// have started.
func descendants(pid int) []int {
	var all []int
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		files, _ := filepath.Glob("/proc/" + strconv.Itoa(queue[0]) + "/task/*/children")
		for _, name := range files {
			b, _ := os.ReadFile(name)
			for _, f := range bytes.Fields(b) {
				if p, err := strconv.Atoi(string(f)); err == nil {
					all = append(all, p)
					queue = append(queue, p)
				}
			}
		}
	}
	return all
}
