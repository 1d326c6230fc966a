// Reports as text.

package identify

import (
	"fmt"
	"io"
	"strings"

	"github.com/octable/octable/interp"
)

// WriteText writes the report for a terminal of some columns.
func (r *Report) WriteText(w io.Writer, columns int) error {
	var b strings.Builder
	columns = max(columns, 40)
	clip := func(text string, n int) string {
		return interp.Clip(strings.ReplaceAll(text, "\n", " "), n)
	}
	if r.Guess != "" {
		best := r.Best()
		fmt.Fprintf(&b, "best guess: %s (%s)\n", best.label(), best.Title)
		b.WriteString(fold(r.Reason+".", columns, "  "))
	} else {
		b.WriteString(fold(r.Reason+".", columns, ""))
	}
	var chance []string
	for _, g := range r.Groups {
		x := g.Readings[0]
		if r.Guess != "" && x.byChance() {
			chance = append(chance, fmt.Sprintf("%s (%d)", specs(g.Readings), x.Random))
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", clip(x.Value, 4*columns))
		facts := []string{count(x.Used, "byte", "bytes")}
		if x.Left > 0 {
			facts = append(facts, count(x.Left, "byte is left over", "bytes are left over"))
		}
		if x.Framed != "" || x.Text {
			facts = append(facts, count(x.Values, "value", "values"))
		}
		if x.Objects {
			facts = append(facts, "only where objects in full are allowed")
		}
		if x.Written {
			facts = append(facts, "as a writer writes it")
		} else {
			facts = append(facts, "not as a writer writes it: "+clip(x.Differs, 200))
		}
		if x.byChance() {
			facts = append(facts, fmt.Sprintf("%d of 100 random inputs are read as well", x.Random))
		}
		if len(x.Odd) > 0 {
			facts = append(facts, "odd: "+strings.Join(x.Odd, ", "))
		}
		b.WriteString(fold(strings.Join(facts, "; "), columns, "  "))
		by := "read so by "
		if x.Text {
			by = "read so, as text, by "
		}
		switch x.Framed {
		case "little":
			by = "read so, with lengths, by "
		case "big":
			by = "read so, with big-endian lengths, by "
		}
		b.WriteString(fold(by+specs(g.Readings), columns, "  "))
	}
	if len(chance) > 0 {
		b.WriteString("\n" + fold("read by chance, with the number of 100 random inputs that are read as well: "+strings.Join(chance, ", "), columns, ""))
	}
	if len(r.Refused) > 0 {
		b.WriteString("\nrefused\n")
		left := r.Refused
		for len(left) > 0 {
			var same, others []*Reading
			for _, x := range left {
				if x.Kind == left[0].Kind && x.Offset == left[0].Offset {
					same = append(same, x)
				} else {
					others = append(others, x)
				}
			}
			b.WriteString(fold(fmt.Sprintf("%s at byte %d by %s", left[0].Kind, left[0].Offset, specs(same)), columns, "  "))
			left = others
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func specs(list []*Reading) string {
	var names []string
	for _, x := range list {
		names = append(names, x.Spec)
	}
	return strings.Join(names, ", ")
}

// fold breaks a text into lines, each after an indent, the second and further ones
// after two more columns.
func fold(text string, columns int, indent string) string {
	var b strings.Builder
	line := indent
	begun := false
	for word := range strings.FieldsSeq(text) {
		if begun && len([]rune(line))+1+len([]rune(word)) > columns {
			b.WriteString(line + "\n")
			line, begun = indent+"  ", false
		}
		if begun {
			line += " "
		}
		line += word
		begun = true
	}
	b.WriteString(line + "\n")
	return b.String()
}
