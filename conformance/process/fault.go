// Faults: an implementation gives no answer.

package process

import (
	"regexp"
	"time"

	"github.com/octable/octable/conformance/protocol"
)

// Kind is a kind of fault.
type Kind string

// The kinds.
const (
	Crash       Kind = "crash"               // the process ended
	Hang        Kind = "hang"                // no answer in time
	OutOfMemory Kind = "out of memory"       // more memory than allowed, or than it could get
	Garbled     Kind = "not of the protocol" // what it wrote is no answer to the request
	NoStart     Kind = "does not start"      // it could not be started, or gave no good answer to hello
)

// Fault is why a child is gone. It is an error, whose text is a sentence.
type Fault struct {
	Kind   Kind
	Text   string
	Stderr string // the end of what it wrote to standard error
	Line   string // Garbled: what it wrote, or the beginning of that
}

func (f *Fault) Error() string { return f.Text }

// Reply is the result of a request: an answer or a fault.
type Reply struct {
	Answer protocol.Answer
	Fault  *Fault
	Took   time.Duration // from when the request was the first to be answered
}

// outOfMemory recognizes what runtimes write when they get no more memory.
var outOfMemory = regexp.MustCompile(`(?i)out of memory|memoryerror|bad_alloc|cannot allocate memory|OutOfMemory|allocation failed|memory allocation of \d+ bytes failed`)

// blame makes a crash that standard error explains one for lack of memory.
func (f *Fault) blame() *Fault {
	if f.Kind == Crash && outOfMemory.MatchString(f.Stderr) {
		f.Kind = OutOfMemory
	}
	return f
}
