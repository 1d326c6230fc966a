// Errors in schemas: a code, a place, a sentence and advice.

package dsl

import (
	"fmt"
	"sort"
	"strings"
)

// Code classifies a diagnostic. Codes are stable: tools and tests may rely on them.
type Code string

// The codes. The number says which step reports it: 1xx reading, 2xx names,
// 3xx layout, 4xx what encoding and decoding need of each other, 5xx examples.
const (
	CodeSyntax       Code = "E101" // the text is not of the grammar
	CodeUnknown      Code = "E201" // a name that is not declared
	CodeTwice        Code = "E202" // a name declared twice
	CodeExtends      Code = "E203" // the extended schema is missing, or changed where it has nothing to change
	CodeArgs         Code = "E204" // wrong arguments, or a value of the wrong sort
	CodeSchema       Code = "E205" // the schema's own properties are missing or contradict each other
	CodeRange        Code = "E206" // a number that is too large, too small or not a number
	CodeArm          Code = "E207" // arms of a union: double, missing, or out of range
	CodeOffset       Code = "E301" // a declared offset that is not the sum of the lengths before it
	CodeLength       Code = "E302" // a declared length that is not the length of the row
	CodeBits         Code = "E303" // bit fields that overlap, or lie outside their word
	CodeNoProgress   Code = "E304" // recursion or repetition that could go on without reading a byte
	CodeUnreachable  Code = "E305" // something that no input reaches
	CodeUnderived    Code = "E401" // a length or count that a writer cannot compute
	CodeInverse      Code = "E402" // what is written is not what a reader takes from it
	CodeDirection    Code = "E403" // a value used in a direction in which it is not known
	CodeCycle        Code = "E405" // a writer needs a number to compute itself
	CodeExample      Code = "E501" // an example that does not hold
	CodeExampleBytes Code = "E502" // an example whose bytes are not hex
)

// Diagnostic is one error in a schema.
type Diagnostic struct {
	Code    Code
	Pos     Pos
	Width   int    // bytes of the line that it is about, 0 if the place is a point
	Message string // what is wrong: no capital, no full stop
	Hint    string // what to do, or ""
	Fix     *Fix   // the replacement that the hint names, or nil
	Line    string // the line of the schema, or ""
}

// Fix is a replacement of text.
type Fix struct {
	Old string // the text that is replaced
	New string // the replacement; "" deletes the text
	At  Pos    // the place of the text; without a line, that of the diagnostic
}

// Diagnostics are the errors of a run, in the order of the file.
type Diagnostics []*Diagnostic

// Errorf adds a diagnostic at a place of f, which may be nil, and returns it.
func (ds *Diagnostics) Errorf(f *File, pos Pos, width int, code Code, format string, args ...any) *Diagnostic {
	return ds.add(f, pos, width, code, format, args...)
}

func (ds *Diagnostics) add(f *File, pos Pos, width int, code Code, format string, args ...any) *Diagnostic {
	d := &Diagnostic{Code: code, Pos: pos, Width: width, Message: fmt.Sprintf(format, args...)}
	if f != nil && pos.Line > 0 {
		d.Line = f.Line(pos.Line)
	}
	*ds = append(*ds, d)
	return d
}

func (d *Diagnostic) hint(format string, args ...any) *Diagnostic { return d.WithHint(format, args...) }

// WithHint sets the advice and returns d.
func (d *Diagnostic) WithHint(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// Suggest sets the hint that a name may be misspelt, with the replacement, and returns d.
func (d *Diagnostic) Suggest(name, near string) *Diagnostic {
	d.Fix = &Fix{Old: name, New: near}
	return d.WithHint("did you mean %s?", near)
}

// Replace names the text to write in place of an old one at the place of d, and returns d.
func (d *Diagnostic) Replace(old, text string) *Diagnostic {
	d.Fix = &Fix{Old: old, New: text}
	return d
}

// ReplaceAt names the text to write in place of an old one, and returns d. The old text is at another place of the
// file.
func (d *Diagnostic) ReplaceAt(at Pos, old, text string) *Diagnostic {
	d.Fix = &Fix{old, text, at}
	return d
}

// Remove names the text between two places of f as one to leave out, and returns d. There is no
// replacement if the places are not in f.
func (d *Diagnostic) Remove(f *File, from, to Pos) *Diagnostic {
	if f == nil || from.Filename != f.Name || to.Filename != f.Name || from.Offset >= to.Offset || to.Offset > len(f.Source) {
		return d
	}
	return d.ReplaceAt(from, strings.TrimRight(f.Source[from.Offset:to.Offset], " \t\r\n"), "")
}

// ReplaceCell names the text to write in the cell of a row at the place of d, and returns d.
// There is no replacement if the cell does not end on its line.
func (d *Diagnostic) ReplaceCell(text string) *Diagnostic {
	line := []rune(d.Line)
	if d.Pos.Column < 1 || d.Pos.Column > len(line) {
		return d
	}
	cell, _, ok := strings.Cut(string(line[d.Pos.Column-1:]), "|")
	if !ok {
		return d
	}
	return d.Replace(strings.TrimRight(cell, " \t"), text)
}

// indexLines notes where each line begins, so that many errors in a long file
// find their lines quickly.
func (f *File) indexLines() {
	f.lines = []int{0}
	for i := range len(f.Source) {
		if f.Source[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
}

// Line returns line n, counted from 1, or "" if there is no such line.
func (f *File) Line(n int) string {
	if f.lines == nil {
		f.indexLines()
	}
	if n < 1 || n > len(f.lines) {
		return ""
	}
	rest := f.Source[f.lines[n-1]:]
	if n < len(f.lines) {
		rest = f.Source[f.lines[n-1]:f.lines[n]]
	}
	return strings.TrimRight(rest, "\r\n")
}

func (ds Diagnostics) sort() {
	sort.SliceStable(ds, func(i, j int) bool {
		a, b := ds[i].Pos, ds[j].Pos
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
}

// Err returns the diagnostics as an error, sorted, or nil without any.
func (ds Diagnostics) Err() error { ds.sort(); return ds.err() }

func (ds Diagnostics) err() error {
	if len(ds) == 0 {
		return nil
	}
	return ds
}

// Error prints every diagnostic with its line and a caret.
func (ds Diagnostics) Error() string {
	var b strings.Builder
	for i, d := range ds {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(d.Error())
	}
	return b.String()
}

// Error prints the diagnostic: place, code and sentence; the line with a caret
// under the place; and the advice.
func (d *Diagnostic) Error() string {
	var b strings.Builder
	if d.Pos.Line > 0 {
		fmt.Fprintf(&b, "%s:%d:%d: ", d.Pos.Filename, d.Pos.Line, d.Pos.Column)
	} else if d.Pos.Filename != "" {
		fmt.Fprintf(&b, "%s: ", d.Pos.Filename)
	}
	fmt.Fprintf(&b, "%s: %s", d.Code, d.Message)
	if d.Line != "" && len(d.Line) < 300 {
		line := strings.ReplaceAll(d.Line, "\t", " ")
		fmt.Fprintf(&b, "\n    %s\n    %s^", line, strings.Repeat(" ", max(0, caretColumn(line, d.Pos.Column))))
		if d.Width > 1 {
			b.WriteString(strings.Repeat("~", min(d.Width, 60)-1))
		}
	}
	if d.Hint != "" {
		fmt.Fprintf(&b, "\n    hint: %s", d.Hint)
	}
	return b.String()
}

// caretColumn returns the number of characters of the line before a column
// counted in characters from 1.
func caretColumn(line string, column int) int {
	return min(column-1, len([]rune(line)))
}
