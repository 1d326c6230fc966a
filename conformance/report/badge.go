// A badge for a README.

package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// Badge writes an SVG of one line. It has the name of the schema, and how many of the results of
// level "must" pass. It says "100 %" if all results pass, at all levels, and nothing is unsupported.
func Badge(w io.Writer, run *runner.Run) error {
	label := "conformance"
	if title := brief(run.Spec, 40); title != "" {
		label = badgeLabel(title) + " conformance"
	}
	value, color := badgeValue(run)
	return badge(w, label, value, color)
}

// badgeLabel writes the id of a schema as a name: godot-4.4+double is Godot 4.4
// double.
func badgeLabel(spec string) string {
	words := strings.FieldsFunc(spec, func(r rune) bool { return r == '-' || r == '+' })
	if len(words) > 0 {
		first := []rune(words[0])
		words[0] = strings.ToUpper(string(first[:1])) + string(first[1:])
	}
	return strings.Join(words, " ")
}

// The colours have enough contrast with white letters.
const (
	badgeGreen  = "#2f7d32"
	badgeYellow = "#8a6100"
	badgeRed    = "#b3261e"
	badgeGrey   = "#5f6368"
)

func badgeValue(run *runner.Run) (text, color string) {
	sum := Summarize(run)
	must := sum.Levels[vectors.Must]
	switch {
	case run.Stopped != "":
		return "did not finish", badgeGrey
	case sum.All.Tried() == 0:
		return "nothing tried", badgeGrey
	case sum.All.Good() == sum.All.Total() && run.Stopped == "":
		return "100 %", badgeGreen
	case must.Tried() == 0:
		return fmt.Sprintf("%d/%d", sum.All.Good(), sum.All.Tried()), badgeYellow
	}
	text = fmt.Sprintf("%d/%d must", must.Good(), must.Tried())
	if must.Unsupported > 0 {
		text += fmt.Sprintf(", %d unsupported", must.Unsupported)
	}
	switch {
	case must.Bad() == 0 && must.Unsupported == 0:
		return text, badgeGreen
	case must.Good()*10 >= must.Tried()*9:
		return text, badgeYellow
	}
	return text, badgeRed
}

func badge(w io.Writer, label, value, color string) error {
	left, right := textWidth(label)+12, textWidth(value)+12
	label, value = html.EscapeString(label), html.EscapeString(value)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="%[4]s: %[5]s">
<title>%[4]s: %[5]s</title>
<clipPath id="r"><rect width="%[1]d" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><path fill="#3f4347" d="M0 0h%[2]dv20H0z"/><path fill="%[6]s" d="M%[2]d 0h%[3]dv20H%[2]dz"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="6" y="14" textLength="%[7]d">%[4]s</text><text x="%[8]d" y="14" textLength="%[9]d">%[5]s</text></g>
</svg>
`, left+right, left, right, label, value, color, left-12, left+6, right-12)
	return err
}

// textWidth is how many pixels a text takes in Verdana of 11 pixels, nearly.
func textWidth(s string) int {
	tenths := 0
	for _, r := range s {
		switch {
		case strings.ContainsRune("ijl.,:;|!' ", r):
			tenths += 38
		case strings.ContainsRune("frtIJ/-()", r):
			tenths += 46
		case strings.ContainsRune("mwMW%", r):
			tenths += 104
		case r >= 'A' && r <= 'Z':
			tenths += 76
		case r > 0x2e80:
			tenths += 110
		default:
			tenths += 68
		}
	}
	return (tenths + 9) / 10
}
