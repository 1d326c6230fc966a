// Implementations in this process.

package runner

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/octable/octable/conformance/process"
	"github.com/octable/octable/conformance/protocol"
)

// Local is an implementation in this process. A panic counts as a crash. What takes
// longer than the limit, or 5 s if that is 0, counts as a hang; it cannot be ended and
// goes on. Memory is not limited, and what ends the process, such as a stack that
// overflows, ends it: where that may happen, use [Command].
func Local(impl protocol.Implementation, timeout time.Duration) Target {
	if timeout <= 0 {
		timeout = 5 * time.Second
	}
	return &local{impl, timeout}
}

type local struct {
	impl    protocol.Implementation
	timeout time.Duration
}

func (l *local) command() []string { return nil }

func (l *local) open(context.Context) (session, error) {
	about := l.impl.About()
	if err := about.Check(); err != nil {
		return nil, err
	}
	return &localSession{l, about}, nil
}

type localSession struct {
	*local
	about protocol.About
}

func (s *localSession) About() protocol.About { return s.about }
func (s *localSession) Restarts() int         { return 0 }
func (s *localSession) Notes() []string       { return nil }
func (s *localSession) Close() *process.Fault { return nil }

// Do answers requests in a goroutine, which is left behind when it hangs.
func (s *localSession) Do(ctx context.Context, requests []protocol.Request) ([]process.Reply, error) {
	var replies []process.Reply
	for len(replies) < len(requests) {
		answers := make(chan process.Reply, len(requests)) // nobody may read them all
		go func(rest []protocol.Request) {
			for i := range rest {
				answers <- s.one(&rest[i])
			}
		}(requests[len(replies):])
		hangs := false
		for !hangs && len(replies) < len(requests) {
			select {
			case r := <-answers:
				replies = append(replies, r)
			case <-time.After(s.timeout):
				hangs = true
				replies = append(replies, process.Reply{Took: s.timeout, Fault: &process.Fault{Kind: process.Hang, Text: fmt.Sprintf("no answer to the request within %v", s.timeout)}})
			case <-ctx.Done():
				return replies, ctx.Err()
			}
		}
	}
	return replies, nil
}

func (s *localSession) one(r *protocol.Request) (reply process.Reply) {
	began := time.Now()
	defer func() {
		reply.Took = time.Since(began)
		if p := recover(); p != nil {
			reply.Fault = &process.Fault{Kind: process.Crash, Text: fmt.Sprintf("it panics: %v", p), Stderr: string(debug.Stack())}
		}
	}()
	return process.Reply{Answer: protocol.Reply(s.impl, r)}
}
