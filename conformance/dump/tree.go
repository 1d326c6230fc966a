// A value as a tree of names and contents, without bytes.

package dump

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Tree decodes a packet and prints its value as a tree of names and contents.
func (v *Viewer) Tree(w Writer, b []byte, opt interp.Options) error {
	val, _, err := v.print.Machine().Decode(b, opt)
	if err != nil {
		return err
	}
	v.tree(w, val, "", "", "")
	return nil
}

// tree prints a value whose first line begins with head and a label, and whose
// other lines begin with indent.
func (v *Viewer) tree(out Writer, val interp.Value, head, indent, label string) {
	t := v.print.Type(val)
	name := ""
	if t != nil && t.Union != "" {
		name = t.Name
	}
	text := ""
	type part struct {
		label string
		value interp.Value
		text  string
	}
	var parts []part
	switch val.Kind() {
	case interp.List:
		text = count(val.Len(), "element", "elements")
		for i, e := range val.Cells() {
			parts = append(parts, part{fmt.Sprintf("[%d]", i), e, ""})
		}
	case interp.Map:
		text = count(val.Len(), "pair", "pairs")
		cells := val.Cells()
		for i := 0; i+1 < len(cells); i += 2 {
			parts = append(parts, part{"[" + clip(v.key(cells[i])) + "]", cells[i+1], ""})
		}
	case interp.Record:
		for i, f := range val.Cells() {
			if f.IsNone() || t == nil || i >= len(t.Fields) {
				continue
			}
			text, letters := v.print.Letters(val, i)
			if letters {
				text = strconv.Quote(text)
			}
			parts = append(parts, part{t.Fields[i].Name, f, text})
		}
	case interp.Lanes:
		var nums []string
		for i := range val.Len() {
			n := notation.LaneText(val, i)
			if t != nil && i < len(t.Lanes) {
				n = t.Lanes[i] + " " + n
			}
			nums = append(nums, n)
		}
		text = strings.Join(nums, ", ")
	case interp.Packed:
		text = count(val.Len(), "element", "elements")
		if val.Len() > 0 {
			text += ": " + numbersText(val, 0, val.Len(), val.Width())
		}
	case interp.Unit, interp.None:
	default:
		text = v.print.String(val.WithTag(0))
	}
	if name == "" && text == "" && label == "" && t != nil {
		name = t.Name
	}
	line := label
	for _, s := range []string{name, text} {
		switch {
		case s == "":
			continue
		case line == "":
		case line == label && label != "":
			line += ": "
		case val.Kind() == interp.List || val.Kind() == interp.Map || val.Kind() == interp.Packed:
			line += ", "
		default:
			line += " "
		}
		line += s
	}
	_, _ = out.WriteString(head + line + "\n")
	for i, p := range parts {
		branch, below := "├─ ", "│  "
		if i == len(parts)-1 {
			branch, below = "└─ ", "   "
		}
		if p.text != "" {
			_, _ = out.WriteString(indent + branch + p.label + ": " + p.text + "\n")
			continue
		}
		v.tree(out, p.value, indent+branch, indent+below, p.label)
	}
}

// key prints the key of a pair.
func (v *Viewer) key(val interp.Value) string {
	switch val.Kind() {
	case interp.Text, interp.Int, interp.Uint, interp.Bool, interp.Float:
		if t := v.print.Type(val); t == nil || t.Name == "String" || t.Name == "int" || t.Name == "bool" || t.Name == "float" || t.Name == "real" {
			return v.print.String(val.WithTag(0))
		}
	}
	return v.print.String(val)
}

// clip shortens the key of a pair to what fits on a line.
func clip(key string) string {
	const most = 200
	if r := []rune(strings.ToValidUTF8(key, "?")); len(r) > most {
		return string(r[:most]) + "…"
	}
	return key
}
