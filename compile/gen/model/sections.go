// Sections of a runtime: what a generated module has of it.

package model

import (
	"strings"

	"github.com/octable/octable/dsl/schema"
)

// Features returns what a schema makes use of, by the names that sections of runtimes
// ask for: text, loose (text that is hardly checked), bytesText (text that need not be
// well formed), maps, packed (arrays of numbers), pad, rest (lists that go on to the end), regions (parts whose
// length is said before them), widths (numbers that keep theirs), calls (see
// [Model.CountCalls]) and big.
func (m *Model) Features() map[string]bool {
	on := map[string]bool{"big": m.Big, "calls": m.CountCalls}
	note := func(s *Stmt) {
		switch s.Op {
		case OpText:
			e := m.Encodings[s.Encoding].UTF8
			on["text"] = true
			on["loose"] = on["loose"] || e == schema.UTF8Loose
			on["bytesText"] = on["bytesText"] || e != schema.UTF8Strict
		case OpMap:
			on["maps"] = true
		case OpPad:
			on["pad"] = true
		case OpRest:
			on["rest"] = true
		case OpPacked:
			on["packed"] = true
		case OpEnter:
			on["regions"] = true
		}
		s.Exprs(true, func(e *Expr) {
			e.Walk(func(x *Expr) { on["widths"] = on["widths"] || x.Op == ExprExact })
		})
	}
	m.Each(func(_ *Routine, _ *Type, body []*Stmt) { Walk(body, note) })
	return on
}

// Sections returns the lines of a runtime that are wanted. A line that is nothing but
// the mark and "if NAME" begins a section that is there where on has NAME; one with
// "else" begins the alternative; one with "end" ends it. Sections nest.
// The mark is a comment of the language, such as "//gen:".
func Sections(text, mark string, on map[string]bool) string {
	var out strings.Builder
	keep := []bool{true}
	for line := range strings.Lines(text) {
		last := len(keep) - 1
		switch said, ok := strings.CutPrefix(strings.TrimSpace(line), mark); {
		case !ok:
			if keep[last] {
				out.WriteString(line)
			}
		case said == "end":
			keep = keep[:last]
		case said == "else":
			keep[last] = keep[last-1] && !keep[last]
		default:
			keep = append(keep, keep[last] && on[strings.TrimPrefix(said, "if ")])
		}
	}
	return out.String()
}
