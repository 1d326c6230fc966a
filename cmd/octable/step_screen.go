// Stepping by keys on a terminal.

package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/octable/octable/conformance/inspect"
)

const stepKeys = "→ step, ← back, ↓ over, ↑ previous row, n next row, o out, e error, g begin, G end, : command, q quit"

// screen moves by the keys of a terminal.
func (s *stepper) screen(f *os.File) error {
	old, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return fail(exitIO, "the terminal gives no keys: %v", err)
	}
	defer func() { _ = term.Restore(int(f.Fd()), old) }()
	_, height, err := term.GetSize(int(s.file.Fd()))
	if err != nil || height < 10 {
		height = 24
	}
	return s.keys(f, height)
}

// keys runs keys until one ends it.
func (s *stepper) keys(in io.Reader, height int) error {
	keys := bufio.NewReader(in)
	message := ""
	for {
		s.draw(height, message)
		message = ""
		key, err := readKey(keys)
		if err == io.EOF {
			return nil
		} else if err != nil {
			return fail(exitIO, "cannot read keys: %v", err)
		}
		verb, ok := keyVerbs[key]
		switch {
		case key == ":":
			line, err := s.ask(keys)
			if err != nil {
				return err
			}
			if strings.TrimSpace(line) == "quit" {
				return nil
			}
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			if word == "" {
				continue
			}
			if at, err := s.target(word, strings.TrimSpace(rest)); err != nil {
				message = err.Error()
			} else {
				s.at = at
			}
		case key == "q" || key == "\x03":
			return nil
		case ok:
			if at, err := s.target(verb, ""); err != nil {
				message = err.Error()
			} else {
				s.at = at
			}
		default:
			message = stepKeys
		}
	}
}

// keyVerbs are the commands of keys. Arrows are the letter that ends their sequence.
var keyVerbs = map[string]string{
	"l": "step", " ": "step", "\r": "step", "\x1b[C": "step", "h": "back", "\x1b[D": "back", "j": "over", "\x1b[B": "over", "k": "previous", "\x1b[A": "previous",
	"n": "next", "o": "out", "e": "error", "g": "begin", "G": "end",
}

// readKey reads a key, which is a byte or a sequence such as that of an arrow.
func readKey(in *bufio.Reader) (string, error) {
	c, err := in.ReadByte()
	if err != nil || c != 0x1b || in.Buffered() < 2 {
		return string(rune(c)), err
	}
	rest := make([]byte, 2)
	if _, err = io.ReadFull(in, rest); err != nil {
		return "", err
	}
	return "\x1b" + string(rest), nil
}

// ask reads a command on the last line of the screen.
func (s *stepper) ask(in *bufio.Reader) (string, error) {
	line := ""
	for {
		fmt.Fprintf(s.stdout, "\r\x1b[K:%s", line)
		_ = s.stdout.Flush()
		c, err := in.ReadByte()
		switch {
		case err == io.EOF, c == '\r', c == '\n':
			return line, nil
		case err != nil:
			return "", err
		case c == 0x1b, c == 0x03:
			return "", nil
		case c == 0x7f, c == 0x08:
			line = line[:max(0, len(line)-1)]
		case c >= ' ' && len(line) < 200:
			line += string(rune(c))
		}
	}
}

// draw draws the state, the bytes around it and the program.
func (s *stepper) draw(height int, message string) {
	x := s.run.State(s.at)
	lines := append(s.state(x), "")
	from, size := x.Offset, 0
	if s.at < s.run.Len() {
		from, size = s.run.Step(s.at).Offset, int(s.run.Step(s.at).Len)
	}
	lines = append(lines, s.bytes(from, size, 4)...)
	lines = append(lines, "")
	if room := height - len(lines) - 2; room > 1 {
		listing := s.listing(room / 2)
		lines = append(lines, listing[:min(len(listing), room)]...)
	}
	if message == "" {
		message = "? lists the keys"
	}
	lines = append(lines, s.paint.Paint(inspect.Faint, message))
	width := s.width()
	fmt.Fprint(s.stdout, "\x1b[H\x1b[2J")
	for i, l := range lines[max(0, len(lines)-height):] {
		if i > 0 {
			fmt.Fprint(s.stdout, "\r\n")
		}
		if s.paint == nil && len([]rune(l)) > width {
			l = string([]rune(l)[:width-1]) + "…"
		}
		fmt.Fprint(s.stdout, l)
	}
	_ = s.stdout.Flush()
}

// bytes returns rows of 16 bytes around some, which are marked.
func (s *stepper) bytes(from, size, rows int) []string {
	b := s.run.Bytes
	var out []string
	first := max(0, from/16-1)
	for row := first; row < first+rows && row*16 < max(len(b), 1); row++ {
		line := fmt.Sprintf("%06x ", row*16)
		for i := row * 16; i < min(len(b), row*16+16); i++ {
			style := inspect.Plain
			if i >= from && i < from+size {
				style = inspect.Content
			}
			separator := " "
			if i == from {
				separator = ">"
			}
			line += separator + s.paint.Paint(style, hex.EncodeToString(b[i:i+1]))
		}
		out = append(out, line)
	}
	return out
}
