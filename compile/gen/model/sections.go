// Sections of a runtime: what a generated module has of it.

package model

import (
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// Features returns the features that a schema uses, by the names in the conditions of runtimes:
//
//	big        numbers in big-endian order
//	calls      see [Model.CountCalls]
//	widths     numbers that keep their widths
//	odd        numbers of 3, 5, 6 or 7 bytes
//	half       numbers of half precision
//	floats     numbers of any precision
//	coded      numbers of varying width without a terminator
//	ended      numbers in digits before a terminator
//	varying    coded or ended
//	digits     numbers in digits of a constant width
//	numerals   digits or ended
//	members    numbers of records that were read
//	integers   the sum or the last integer of an array
//	text       text
//	loose      text that is hardly checked
//	bytesText  text that may be malformed
//	charsets   text whose bytes are not its value
//	tables     such text of one byte for each character
//	wide       such text in UTF-16
//	delimited  text or bytes that end before others
//	content    such bytes
//	until      those before a terminator
//	filled     those before bytes that fill their row
//	shorter    such text, if reading may make it shorter
//	hexText    bytes in errors
//	maps       maps
//	apart      a rule for NaN in keys
//	packed     arrays of numbers
//	pad        padding
//	rest       lists up to the end
//	regions    rows whose length is before them
//	parts      rows at places
//	gaps       the bytes between them
//	chosen     places that a writer chooses
//	totals     checksums of whole records
//	sums       checksums
//	words      checksums of words: also sum or xor
//	crcLow     CRCs by their parameters, as crcHigh
//
// Other checksums have their names.
func (m *Model) Features() map[string]bool {
	on := map[string]bool{"big": m.Big, "calls": m.CountCalls}
	text := func(encoding int) {
		e := m.Encodings[encoding].Charset
		on["text"] = true
		on["loose"] = on["loose"] || e == builtin.UTF8Loose
		on["bytesText"] = on["bytesText"] || e == builtin.UTF8Loose || e == builtin.UTF8Unchecked
		on["charsets"] = on["charsets"] || !e.Verbatim()
		on["tables"] = on["tables"] || !e.Verbatim() && !e.IsUTF16()
		on["wide"] = on["wide"] || e.IsUTF16()
	}
	note := func(s *Stmt) {
		switch c := s.Coding; {
		case c.End() != "":
			on["ended"], on["varying"], on["numerals"], on["hexText"] = true, true, true, true
		case c.InDigits():
			on["digits"], on["numerals"], on["hexText"] = true, true, true
		case c.Varies():
			on["coded"], on["varying"] = true, true
		}
		on["floats"] = on["floats"] || s.Scalar.IsFloat()
		on["odd"], on["half"] = on["odd"] || s.Scalar.Odd(), on["half"] || s.Scalar == builtin.F16
		if e := s.End; e != nil {
			on["filled"] = on["filled"] || e.Fill
			on["until"] = on["until"] || !e.Fill
			on["delimited"], on["hexText"] = true, true
			on["content"] = on["content"] || s.Op == OpPacked
			on["shorter"] = on["shorter"] || e.Check
			on["unstopped"] = on["unstopped"] || e.Zero
		}
		switch s.Op {
		case OpText:
			text(s.Encoding)
		case OpMap:
			on["maps"] = true
		case OpPad:
			on["pad"] = true
		case OpRest:
			on["rest"], on["stops"], on["spare"] = on["rest"] || !s.Stops && s.Spare == 0, on["stops"] || s.Stops, on["spare"] || s.Spare > 0
		case OpPacked:
			on["packed"] = true
		case OpBase:
			on["parts"] = true
		case OpGaps:
			on["gaps"] = true
		case OpChoose:
			on["chosen"] = true
		case OpEnter:
			on["regions"] = true
		case OpSum, OpTotal:
			on["totals"] = on["totals"] || s.Op == OpTotal
			on["sums"] = true
			c, low := s.CRC()
			on[s.Sum.String()] = c == nil || on[s.Sum.String()]
			on["crcLow"], on["crcHigh"] = on["crcLow"] || low, on["crcHigh"] || c != nil && !low
			switch s.Sum {
			case builtin.Sum8, builtin.Sum16, builtin.Sum32:
				on["words"], on["sum"] = true, true
			case builtin.Xor8, builtin.Xor16, builtin.Xor32:
				on["words"], on["xor"] = true, true
			}
		}
		s.Exprs(true, func(e *Expr) {
			e.Walk(func(x *Expr) {
				if x.Op == builtin.Len { // also of a text that is never there
					text(x.Encoding)
				}
				on["members"] = on["members"] || x.Op == ExprMember
				on["equals"] = on["equals"] || x.Op == ExprEquals
				on["integers"] = on["integers"] || x.Op == builtin.Total || x.Op == builtin.Last
				on["widths"] = on["widths"] || x.Op == ExprExact
				on["half"] = on["half"] || x.Scalar == builtin.F16
			})
		})
	}
	m.Each(func(_ *Routine, _ *Type, body []*Stmt) { Walk(body, note) })
	unions, _ := m.Keyed()
	for _, r := range unions {
		for _, a := range r.Union.Arms {
			on["apart"] = on["apart"] || slices.ContainsFunc(a.Type.Fields, a.Type.Apart)
		}
	}
	return on
}

// CRC returns the parameters of the checksum if it is a CRC other than crc32, which languages have, else nil. It also
// reports whether the CRC is reflected.
func (s *Stmt) CRC() (c *builtin.CRC, low bool) {
	if c = builtin.Sums[s.Sum].CRC; c == nil || s.Sum == builtin.CRC32 {
		return nil, false
	}
	return c, c.Reflected
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
