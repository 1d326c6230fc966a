// Memory of process trees by ps, on Unix systems other than Linux.

//go:build unix && !linux

package process

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"time"
)

// MeasuresMemory reports whether limits of memory are kept on this system.
const MeasuresMemory = true

const memoryEvery = 250 * time.Millisecond

// process is one line of ps.
type process struct{ parent, kib int }

func processes() map[int]process {
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=,rss=").Output()
	all := map[int]process{}
	if err != nil {
		return all
	}
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		var pid int
		var p process
		if _, err := fmt.Sscan(s.Text(), &pid, &p.parent, &p.kib); err == nil {
			all[pid] = p
		}
	}
	return all
}

// under returns the descendants of a process.
func under(all map[int]process, pid int) []int {
	var out []int
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		for p, of := range all {
			if of.parent == queue[0] && p != queue[0] && len(out) < len(all) {
				out = append(out, p)
				queue = append(queue, p)
			}
		}
	}
	return out
}

func memory(pid int) int64 {
	all := processes()
	total := int64(0)
	for _, p := range append(under(all, pid), pid) {
		total += int64(all[p].kib) << 10
	}
	return total
}

func descendants(pid int) []int { return under(processes(), pid) }
