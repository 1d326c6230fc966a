// The source of choices.

package schemas

import "github.com/octable/octable/interp"

// source takes decisions from choices.
type source struct {
	choices interp.Choices
	at      int
}

func (s *source) byte() int {
	if s.at >= len(s.choices) {
		return 0
	}
	s.at++
	return int(s.choices[s.at-1])
}

// n draws a number below k; 0 is the simplest.
func (s *source) n(k int) int {
	if k <= 1 {
		return 0
	}
	if k > 256 {
		return (s.byte()<<8 | s.byte()) % k
	}
	return s.byte() % k
}

// chance draws true in a percentage of cases; false is the simplest.
func (s *source) chance(percent int) bool { return s.byte() >= 256-(percent*256+50)/100 }

// pick draws one of several values; the first is the simplest.
func pick[T any](s *source, of ...T) T { return of[s.n(len(of))] }
