// Locating a difference in the bytes of a case and in the schema.

package runner

import (
	"strconv"
	"strings"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// locate finds the bytes and the row of the value at the path of a result. If the path is
// inside of a value, it takes the innermost value around it. The row is that of the bytes, if
// the value is in one row, or the one that the path names; else it stays that of the case.
func (j *judge) locate(res *CaseResult) {
	depth, found := -1, false
	j.trace(res.Case, packetOf(res.Case), func(e *interp.Event) {
		if e.Kind != interp.Row {
			return
		}
		path := e.Path()
		if len(path) < depth || !strings.HasPrefix(res.Path, path) {
			return
		}
		rest := res.Path[len(path):]
		named := rest != "" && strings.HasSuffix(e.Rule.Name, rest)
		fits := named || !e.Value.IsNone() && (rest == "" || isLane(rest))
		if len(path) == depth && (found || !fits) {
			return
		}
		depth, found = len(path), fits
		res.Offset, res.Row = e.Offset, res.Case.Row
		if fits {
			res.Row = e.Rule.Name
			res.Offset += lane(rest, e.Value)
		}
	})
}

// isLane reports whether a step leads to a number of a vector or of a packed array.
func isLane(step string) bool {
	return strings.HasPrefix(step, "[") || len(step) == 2 && step[0] == '.'
}

// rowAt finds the row of a byte of the packet that should have been written.
func (j *judge) rowAt(res *CaseResult, want []byte, at int) {
	j.trace(res.Case, want, func(e *interp.Event) {
		if (e.Kind == interp.Row || e.Kind == interp.Padding) && at >= e.Offset && at < e.Offset+max(e.Len, 1) {
			res.Row = e.Rule.Name
			if res.Path == "" {
				res.Path = e.Path()
			}
		}
	})
}

func (j *judge) trace(c *vectors.Case, b []byte, f interp.ObserverFunc) {
	opt := interp.Options{}
	if c.Objects {
		opt.Open = 0xff
	}
	_, _, _ = raw.Machine(j.closed).DecodeObserved(b, opt, f)
}

// lane returns how many bytes into the numbers of a value the step of a path leads.
// A step is like ".y" or "[3].x".
func lane(step string, v interp.Value) int {
	if v.Kind() != interp.Lanes && v.Kind() != interp.Packed {
		return 0
	}
	n := 0
	if index, after, ok := strings.Cut(strings.TrimPrefix(step, "["), "]"); ok && strings.HasPrefix(step, "[") {
		i, err := strconv.Atoi(index)
		if err != nil {
			return 0
		}
		step, n = after, i
		if v.Kind() == interp.Packed {
			n *= v.Width()
		}
	}
	if len(step) == 2 && step[0] == '.' {
		for _, names := range []string{"xyzw", "rgba"} {
			if i := strings.IndexByte(names, step[1]); i >= 0 {
				n += i
				break
			}
		}
	}
	if n *= v.Scalar().Width(); n >= len(v.Bytes()) {
		return 0
	}
	return n
}
