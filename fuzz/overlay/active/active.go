// Package active stores the planted changes that are switched on. The functions with changes
// ask it, in programs that package overlay builds.
package active

import (
	"os"
	"strconv"
	"strings"
)

// Variable is the name of an environment variable that switches on one change from the start of a program.
// Its value is the number of the function and the number of the change, such as 3:17.
const Variable = "OCTABLE_CHANGE"

// At has the number of the change that is switched on in each function with changes, from 1. The number 0 means the
// original.
var At [4096]int

func init() {
	function, change, ok := strings.Cut(os.Getenv(Variable), ":")
	if !ok {
		return
	}
	f, err1 := strconv.Atoi(function)
	c, err2 := strconv.Atoi(change)
	if err1 == nil && err2 == nil && f >= 0 && f < len(At) {
		At[f] = c
	}
}
