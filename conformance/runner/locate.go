// Where in the bytes of a case, and in the schema, a difference is.

package runner

import (
	"strconv"
	"strings"

	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// locate finds the bytes and the row of the value at the path of a result: of the
// rows of the innermost value around it, the first that holds a value, or the first
// at all.
func (j *judge) locate(res *CaseResult) {
	depth, holds := -1, false
	j.trace(res.Case, packetOf(res.Case), func(e interp.Event) {
		if e.Kind != interp.Row || len(e.Path) < depth || !strings.HasPrefix(res.Path, e.Path) {
			return
		}
		has := !e.Value.IsNone()
		if len(e.Path) == depth && (holds || !has) {
			return
		}
		depth, holds = len(e.Path), has
		res.Offset, res.Row = e.Offset, e.Rule.Name
		if has {
			res.Offset += lane(res.Path[depth:], e.Value)
		}
	})
}

// rowAt finds the row of a byte of the packet that should have been written.
func (j *judge) rowAt(res *CaseResult, want []byte, at int) {
	j.trace(res.Case, want, func(e interp.Event) {
		if (e.Kind == interp.Row || e.Kind == interp.Padding) && at >= e.Offset && at < e.Offset+max(e.Len, 1) {
			res.Row = e.Rule.Name
			if res.Path == "" {
				res.Path = e.Path
			}
		}
	})
}

func (j *judge) trace(c *vectors.Case, b []byte, f func(interp.Event)) {
	opt := interp.Options{}
	if c.Objects {
		opt.Open = 0xff
	}
	_, _, _ = j.closed.Machine().NewReader(opt).Trace(b, f)
}

// lane returns how many bytes into the numbers of a value the step of a path leads,
// such as ".y" or "[3].x".
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
