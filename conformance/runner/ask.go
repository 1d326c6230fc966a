// The parts of a run, for those who ask for something other than a suite.

package runner

import (
	"context"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/vectors"
)

// Session is a target that is being asked. It is for one goroutine at a time.
type Session = session

// Open begins to ask a target. Sessions of one target may be used side by side.
func Open(ctx context.Context, t Target) (Session, error) { return t.open(ctx) }

// Judge judges answers. It is safe for concurrent use.
type Judge struct{ j *judge }

// NewJudge returns a Judge for one schema and what an implementation says of itself.
func NewJudge(c *codec.Codec, about protocol.About) (*Judge, error) {
	j, err := newJudge(c, &about)
	if err != nil {
		return nil, err
	}
	return &Judge{j}, nil
}

// Result returns the result of a case.
func (j *Judge) Result(c *vectors.Case, op protocol.Op, r process.Reply) CaseResult {
	return j.j.result(c, op, r)
}
