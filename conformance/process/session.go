// Sessions: one implementation, in one process after another.

package process

import (
	"context"
	"fmt"
	"time"

	"github.com/octable/octable/conformance/protocol"
)

// Session asks one implementation, and starts it again if it died. It is for one
// goroutine at a time.
type Session struct {
	cfg      Config
	child    *Child // nil if it died
	about    protocol.About
	window   int
	fresh    bool          // child has answered nothing but hello
	dead     int           // faults since the last answer
	hangs    int           // timeouts
	slowest  time.Duration // the longest time of an answer
	restarts int
	rushed   *Fault // it broke the protocol while several requests were on their way
	strange  *Fault // the first one that no request is to blame for
	stranger int    // how many there were
}

// Open starts an implementation. The error is a *Fault of kind NoStart.
func Open(ctx context.Context, cfg Config) (*Session, error) {
	s := &Session{cfg: cfg.withDefaults()}
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	s.about = s.child.About
	s.window = min(s.cfg.Window, 1000)
	if w := s.about.Window; w > 0 {
		s.window = min(s.window, w)
	}
	return s, nil
}

// About is the first description that the implementation gave of itself.
func (s *Session) About() protocol.About { return s.about }

// Restarts is the number of restarts.
func (s *Session) Restarts() int { return s.restarts }

// Notes are what it did wrong that no request is to blame for, in sentences.
func (s *Session) Notes() []string {
	var notes []string
	if f := s.rushed; f != nil {
		notes = append(notes, fmt.Sprintf("It does not answer well when requests come before the answers to others (%s); the rest was asked one by one. Where that is how it is made, its hello says \"window\": 1.", f.Text))
	}
	if f := s.strange; f != nil {
		notes = append(notes, fmt.Sprintf("It failed %d times at requests that it answers when it is asked alone, so something is left over from one request to the next; the first time: %s: %s.", s.stranger, f.Kind, f.Text))
	}
	return notes
}

func (s *Session) start(ctx context.Context) error {
	c, err := Start(ctx, s.cfg)
	if err != nil {
		return err
	}
	s.child, s.fresh = c, true
	if s.hangs >= patience {
		c.hurry = max(20*s.slowest, leastWait)
	}
	return nil
}

// patience is the number of timeouts after which a session hurries. A short request then gets
// 20 times the time of the slowest answer, and is not repeated to be sure. An implementation
// that hangs in a hundred cases would take many minutes otherwise.
const patience = 3

// leastWait is the least time that a request gets.
const leastWait = 200 * time.Millisecond

// took notes the time of an answer or a timeout.
func (s *Session) took(r *Reply) {
	switch {
	case r.Fault == nil:
		s.slowest = max(s.slowest, r.Took)
	case r.Fault.Kind == Hang:
		s.hangs++
	}
}

// Do asks requests, whose IDs it sets, and returns a reply for each. If there is
// an error, which is that of the context, of a process that does not start any more,
// or says that the session gave up after too many faults in a row, the replies are
// those to the first requests.
func (s *Session) Do(ctx context.Context, requests []protocol.Request) ([]Reply, error) {
	replies := make([]Reply, 0, len(requests))
	for len(replies) < len(requests) {
		rest := requests[len(replies):]
		got, fault, err := s.stream(ctx, rest)
		replies = append(replies, got...)
		if err != nil {
			return replies, err
		}
		if fault == nil {
			continue
		}
		rest = rest[len(got):]
		got, err = s.search(ctx, rest[:min(s.window, len(rest))], fault)
		replies = append(replies, got...)
		if err != nil {
			return replies, err
		}
	}
	return replies, nil
}

// stream asks requests without waiting for each answer, up to the first fault.
func (s *Session) stream(ctx context.Context, requests []protocol.Request) (replies []Reply, fault *Fault, err error) {
	if err := s.alive(ctx); err != nil {
		return nil, nil, err
	}
	sent := 0
	for len(replies) < len(requests) {
		for sent < len(requests) && sent-len(replies) < s.window {
			if err := s.child.Send(requests[sent]); err != nil {
				return replies, nil, err
			}
			sent++
		}
		r := s.child.Receive(ctx)
		s.took(&r)
		if r.Fault != nil {
			hurry := s.child.hurry > 0
			if err := s.lost(ctx); err != nil || r.Fault.Kind != Hang || !hurry {
				return replies, r.Fault, err
			}
			return append(replies, r), nil, nil
		}
		s.fresh, s.dead = false, 0
		replies = append(replies, r)
	}
	return replies, nil, nil
}

// lost notes that the child is gone. The error is that of the context.
func (s *Session) lost(ctx context.Context) error {
	s.child = nil
	return ctx.Err()
}

// search finds which of the requests that were pending when the child died is to blame. It
// sends them one by one, the first to a fresh process. If the process dies, it repeats the
// request with a fresh one. It returns when one is found, or when all are answered.
func (s *Session) search(ctx context.Context, requests []protocol.Request, first *Fault) (replies []Reply, err error) {
	for i := 0; i < len(requests); {
		if err := s.alive(ctx); err != nil {
			return replies, err
		}
		fresh := s.fresh
		if err := s.child.Send(requests[i]); err != nil {
			return replies, err
		}
		r := s.child.Receive(ctx)
		s.took(&r)
		if r.Fault == nil {
			s.fresh, s.dead = false, 0
			replies = append(replies, r)
			i++
			continue
		}
		if err := s.lost(ctx); err != nil {
			return replies, err
		}
		if !fresh {
			first = r.Fault
			continue // once more, alone
		}
		s.dead++
		replies = append(replies, r)
		if s.dead >= s.cfg.GiveUp {
			return replies, fmt.Errorf("gave up after %d requests in a row without an answer; the last one: %s", s.dead, r.Fault.Text)
		}
		return replies, nil
	}
	if first.Kind == Garbled && s.window > 1 {
		s.window, s.rushed = 1, first
		return replies, nil
	}
	if s.strange == nil {
		s.strange = first
	}
	s.stranger++
	return replies, nil
}

// alive starts the child again if it died.
func (s *Session) alive(ctx context.Context) error {
	if s.child != nil {
		return nil
	}
	s.restarts++
	var err error
	for range 3 {
		if err = s.start(ctx); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// Close ends the implementation. It returns nil if the process ends well at the
// end of its input.
func (s *Session) Close() *Fault {
	if s.child == nil {
		return nil
	}
	c := s.child
	s.child = nil
	return c.Stop()
}
