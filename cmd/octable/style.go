package main

import (
	"os"
	"strconv"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"

	"github.com/octable/octable/conformance/dump"
)

// painter follows the flag -color; where that is auto, output is coloured on a
// terminal unless the environment has NO_COLOR or says that it is a simple one.
func (e *env) painter() (dump.Painter, error) {
	switch e.color {
	case "always":
		return dump.Color, nil
	case "never":
		return nil, nil
	case "auto":
		if e.terminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
			return dump.Color, nil
		}
		return nil, nil
	}
	return nil, fail(exitUsage, "%q is no value for -color; it is one of auto, always, never", e.color)
}

func (e *env) terminal() bool {
	return e.file != nil && (isatty.IsTerminal(e.file.Fd()) || isatty.IsCygwinTerminal(e.file.Fd()))
}

// width is how many columns the output has: those of the terminal, or as COLUMNS
// says, or 100.
func (e *env) width() int {
	if e.terminal() {
		if w, _, err := term.GetSize(int(e.file.Fd())); err == nil && w > 0 {
			return w
		}
	}
	if w, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && w > 0 {
		return w
	}
	return 100
}
