// Strictness: what a writer would have written, compared with what was read.

package interp

import (
	"errors"
)

// Canonical returns nil if b has the bytes that a writer with the same options produces for v. Used is the number of bytes
// from which v was read. Otherwise the result is an [*Error] of kind ErrNotCanonical or ErrTrailing about the first byte that
// differs.
func (r *Reader) Canonical(b []byte, v Value, used int) error {
	if r.again == nil {
		r.again = r.m.NewWriter(r.opt)
	}
	out, err := r.again.Append(make([]byte, 0, len(b)), v)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return &Error{Kind: ErrNotCanonical, Offset: e.Offset, Path: e.Path, Rule: e.Rule, Expected: "what a writer produces", Found: "a value that none writes: " + e.Kind.Error() + ", " + e.Found}
		}
		return err // unreachable: a writer gives no other error
	}
	n := min(len(out), used, len(b))
	at := 0
	for at < n && out[at] == b[at] {
		at++
	}
	switch {
	case at == len(out) && at == len(b):
		return nil
	case at == len(out) && at == used:
		return &Error{Kind: ErrTrailing, Offset: at, Rule: r.m.p.Rules[0], Expected: "the end of the value", Found: countOf(len(b)-at, "byte") + " more"}
	}
	e := &Error{Kind: ErrNotCanonical, Offset: at, Rule: r.m.p.Rules[0]}
	found := false // parts at one place are read several times
	_, _, _ = r.m.DecodeObserved(b, r.opt, ObserverFunc(func(ev *Event) {
		if !found && (ev.Kind == Row || ev.Kind == Padding) && at >= ev.Offset && at < ev.End() {
			found = true
			e.Rule, e.Path = *ev.Rule, ev.Path()
			if ev.Kind == Padding {
				e.Rule.Name += " (padding)"
			}
		}
	}))
	e.Expected, e.Found = byteAt(out, at), byteAt(b, at)
	return e
}
