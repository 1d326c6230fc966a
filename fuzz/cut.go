// The law about packets that are cut off.

package fuzz

import (
	"errors"
	"fmt"
	"slices"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

// cut checks that every beginning of a packet is refused as truncated, at the row that does not
// fit. The error is where the row begins, or where a list begins before it, whose elements
// cannot all be there. Padding at the end may be missing if the schema says so, and a row that
// goes to the end ends earlier.
func cut(s *Schema, b []byte) error {
	m := raw.Machine(s.Codec)
	var rows []interp.Event
	_, used, err := m.DecodeObserved(b, s.raw, interp.ObserverFunc(func(e *interp.Event) {
		if e.Len > 0 && (e.Kind == interp.Row || e.Kind == interp.Padding) {
			rows = append(rows, e.Keep())
		}
	}))
	if err != nil || s.toEnd {
		return nil
	}
	step := max(1, used/64)
	next := 0 // the row in which the packet ends
	for n := range used {
		for next < len(rows) && rows[next].Offset+rows[next].Len <= n {
			next++
		}
		if n%step != 0 && n < used-16 {
			continue
		}
		_, got, err := m.Decode(b[:n:n], s.raw)
		var e *interp.Error
		if s.parts { // rows are not read in the order of their places
			if errors.As(err, &e) && e.Kind == codec.ErrTruncated || s.pads && padding(rows, n) &&
				(err == nil || e != nil && (e.Kind == codec.ErrChecksum || e.Kind == codec.ErrValue && (e.Offset == n || s.compares))) {
				continue
			}
			return fmt.Errorf("of the first %d bytes: used %d: %w", n, got, errOr(err))
		}
		switch row := rows[min(next, len(rows)-1)]; {
		case err == nil && s.pads && got == n && row.Kind == interp.Padding:
			continue
		case s.pads && row.Kind == interp.Padding && errors.As(err, &e) && e.Kind == codec.ErrChecksum: // of the bytes that are left
			continue
		case s.pads && row.Kind == interp.Padding && errors.As(err, &e) && e.Kind == codec.ErrValue && (e.Offset == n || s.compares): // a condition of their number, or a size of them
			continue
		case !errors.As(err, &e) || e.Kind != codec.ErrTruncated:
			return fmt.Errorf("of the first %d bytes: used %d: %w", n, got, errOr(err))
		case e.Offset == row.Offset && e.Rule == *row.Rule:
			continue
		case s.pads && row.Kind == interp.Padding && e.Offset == n: // what follows is missing
			continue
		case e.Offset <= row.Offset && begins(rows[:next], e.Offset):
			continue
		default:
			return fmt.Errorf("of the first %d bytes: %w, not at byte %d, %s", n, err, row.Offset, row.Rule.Name)
		}
	}
	return nil
}

// padding reports whether a byte is in padding.
func padding(rows []interp.Event, at int) bool {
	return slices.ContainsFunc(rows, func(e interp.Event) bool {
		return e.Kind == interp.Padding && e.Offset <= at && at < e.Offset+e.Len
	})
}

// begins reports whether one of the last rows, or what follows them, begins at an
// offset. At offset 0 a list or a region can begin.
func begins(rows []interp.Event, offset int) bool {
	if offset == 0 {
		return true
	}
	for i := len(rows) - 1; i >= 0 && rows[i].Offset+rows[i].Len >= offset; i-- {
		if rows[i].Offset+rows[i].Len == offset {
			return true
		}
	}
	return false
}
