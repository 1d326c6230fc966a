package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"

	"github.com/octable/octable/conformance/inspect"
)

// painter returns the painter that the flag -color selects. If that is auto, output is coloured on a
// terminal, unless NO_COLOR is set in the environment or the terminal is a simple one.
func (e *env) painter() (inspect.Painter, error) {
	switch e.color {
	case "always":
		return inspect.Color, nil
	case "never":
		return nil, nil
	case "auto":
		if e.terminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
			return inspect.Color, nil
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

// await says what a command waits for if its input is a terminal.
func (e *env) await(what string) {
	if f, ok := e.stdin.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		fmt.Fprintf(e.stderr, "octable: waiting for %s on the terminal; end them with Ctrl-D, or see \"octable help\"\n", what)
	}
}

// into runs a part of a command whose output is written to a file.
func (e *env) into(name string, f func() error) error {
	if slices.Contains([]string{"text", "json", "tree", "bytes"}, name) {
		return fail(exitUsage, "-o is the file that is written; choose the form with -format %s, or write -o ./%s", name, name)
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	out, terminal := e.stdout, e.file
	e.stdout, e.file = bufio.NewWriterSize(file, 64<<10), nil
	err = f()
	if flushed := e.stdout.Flush(); err == nil {
		err = flushed
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	e.stdout, e.file = out, terminal
	return err
}
