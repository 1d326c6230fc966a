//go:build !unix

// The clock that cases are measured by, if the system has only the one on the wall.

package bench

import "time"

// processorTime returns how long this process has been there.
func processorTime() time.Duration { return time.Since(began) }

var began = time.Now()
