package main

import (
	"encoding/binary"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octable/octable/codec"
)

// stream describes an input of many values.
type stream struct {
	framed    string // the order of the lengths, "" for a packet
	maxErrors int
}

func (s *stream) flags(cmd *cobra.Command) {
	choose(cmd, &s.framed, "framed", "a length of 4 bytes, in the `ORDER` little or big, is before each value, as in files and streams", "", "little", "big").NoOptDefVal = "little"
	cmd.Flags().IntVar(&s.maxErrors, "max-errors", 20, "stop after `N` errors in a stream; 0 is no limit")
}

// order returns the order of lengths by its name.
func (s *stream) order(name string) binary.AppendByteOrder {
	if name == "big" {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// watch counts the errors of one stream.
type watch struct {
	*env
	limit, errors int
	name          string // before messages
	unit          string // of places: byte or line
	size          int
	stopped       bool
}

func (s *stream) watch(e *env, p packet) *watch {
	return &watch{env: e, limit: s.maxErrors, name: p.where(), unit: "byte", size: len(p.bytes)}
}

// failed counts an error in a value that ends at an offset, and reports whether to stop there.
func (w *watch) failed(end int) bool {
	w.errors++
	if w.limit <= 0 || w.errors < w.limit || end >= w.size {
		return false
	}
	w.stopped = true
	_ = w.stdout.Flush() // messages about output come after it
	fmt.Fprintf(w.stderr, "octable: %sstopped after %s, at %s %d of %d; -max-errors changes the limit\n", w.name, count(w.errors, "error", "errors"), w.unit, end, w.size)
	return true
}

// frame is one value of a stream.
type frame struct {
	at    int // offset of the length
	bytes []byte
}

func (f *frame) end() int { return f.at + 4 + len(f.bytes) }

// frames splits bytes that have lengths before values. An error is the last of the sequence: it
// is about the bytes after the frames.
func frames(b []byte, big bool) iter.Seq2[frame, error] {
	return func(yield func(frame, error) bool) {
		for at := 0; at < len(b); {
			rest := b[at:]
			if len(rest) < 4 {
				yield(frame{at: at}, &codec.Error{Kind: codec.ErrTruncated, Offset: at, Expected: "4 bytes for the length of a value", Found: fmt.Sprint(len(rest))})
				return
			}
			n := uint64(binary.LittleEndian.Uint32(rest))
			if big {
				n = uint64(binary.BigEndian.Uint32(rest))
			}
			if n > uint64(len(rest)-4) {
				yield(frame{at: at}, &codec.Error{Kind: codec.ErrTruncated, Offset: at + 4, Expected: fmt.Sprintf("%d bytes of a value, as the length at %d says", n, at), Found: fmt.Sprint(len(rest) - 4)})
				return
			}
			f := frame{at, rest[4 : 4+n]}
			if !yield(f, nil) {
				return
			}
			at = f.end()
		}
	}
}

// values splits text into values. A value ends with its line, unless a string or a bracket is open
// there. It yields the number of the value's first line, from 1, and the text. The mark begins
// comments; "" is for JSON, which does not have comments.
func values(text, mark string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		s := splitter{mark: mark}
		line, first, from, to := 0, 0, 0, 0 // first is 0 before the value
		for l := range strings.Lines(text) {
			line++
			open := s.line(l)
			if s.begun && first == 0 {
				first = line
			}
			if to += len(l); open && to < len(text) {
				continue
			}
			end := to
			if !open {
				end -= len(l) - len(strings.TrimSuffix(l, "\n"))
			}
			if first > 0 && !yield(first, text[from:end]) {
				return
			}
			first, from, s = 0, to, splitter{mark: mark}
		}
	}
}

// splitter finds out, line by line, where a value ends.
type splitter struct {
	mark   string // that begins comments, or ""
	begun  bool   // there was more than blanks and comments
	depth  int    // of brackets
	quoted bool
}

// line takes a line of a value, and reports whether a string or a bracket is open at its end.
func (s *splitter) line(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case s.quoted:
			if c == '\\' && i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
			s.quoted = c != '"'
		case s.mark != "" && strings.HasPrefix(text[i:], s.mark):
			return s.depth > 0
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		default:
			s.begun = true
			switch c {
			case '"':
				s.quoted = true
			case '[', '{', '(':
				s.depth++
			case ']', '}', ')':
				s.depth = max(s.depth-1, 0)
			}
		}
	}
	return s.quoted || s.depth > 0
}
