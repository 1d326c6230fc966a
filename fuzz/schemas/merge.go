// Merging: other forms of a declaration in the extended schema, and the extend block or the
// drop after which it is the declaration.

package schemas

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// piece is an item of a body: its lines, and the name of a row or a list.
type piece struct {
	lines []string
	name  string
	list  bool
	moves bool // it has a place among the rows
}

var (
	quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	codeText   = regexp.MustCompile(`'[^']*'`)
	pieceRow   = regexp.MustCompile(`^\s*\|[^|]*\|[^|]*\|[^|]*\|\s*([A-Za-z_]\w*)`)
	pieceList  = regexp.MustCompile(`^\s*(?:repeat|map)\b.*\bas\s+([A-Za-z_]\w*)`)
	pieceElse  = regexp.MustCompile(`^\s*else\b.*\{$`)
	pieceIf    = regexp.MustCompile(`^\s*if\b.*\{$`)
)

// pieces returns the items in the lines of a body. Rows of one name that follow each other
// are one piece. A line that is indented more than the first one of an item belongs to it.
func pieces(lines []string) []piece {
	var out []piece
	depth := 0
	for _, line := range lines {
		bare := codeText.ReplaceAllString(quotedText.ReplaceAllString(line, `""`), "")
		begins := depth == 0 && !pieceElse.MatchString(bare) && (len(out) == 0 || indentation(line) <= indentation(out[len(out)-1].lines[0]))
		depth += strings.Count(bare, "{") - strings.Count(bare, "}")
		if !begins {
			last := &out[len(out)-1]
			last.lines = append(last.lines, line)
			continue
		}
		p := piece{lines: []string{line}, moves: pieceIf.MatchString(bare)}
		if m := pieceRow.FindStringSubmatch(bare); m != nil {
			p.name, p.moves = m[1], true
		} else if m := pieceList.FindStringSubmatch(bare); m != nil {
			p.name, p.moves, p.list = m[1], true, true
		}
		if n := len(out); n > 0 && p.name != "" && out[n-1].name == p.name {
			out[n-1].lines = append(out[n-1].lines, line)
			continue
		}
		out = append(out, p)
	}
	return out
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func joinPieces(all []piece) []string {
	var out []string
	for _, p := range all {
		out = append(out, p.lines...)
	}
	return out
}

var (
	armBits = regexp.MustCompile(`^(\w+) \{ [0-9][\w.]* ([A-Za-z_]\w*)`)
	rowBits = regexp.MustCompile(`^ *[0-9][\w.]* ([A-Za-z_]\w*)`)
)

// mergedBits is merged for bits of a row, or of the word of a union in an arm. The lines are
// nil if it draws something else.
func (d *drawer) mergedBits(path string, all []piece) (old []string, change string) {
	other := slices.Clone(all)
	for i, p := range all {
		row := len(p.lines) == 1 && p.name != "" && strings.Contains(p.lines[0], "\n")
		m := armBits.FindStringSubmatch(p.lines[0])
		switch {
		case m != nil && p.name == "" && d.chance(20):
			other[i].lines = []string{fmt.Sprintf("%s { 1 %s }", m[1], m[2])}
			return joinPieces(other), fmt.Sprintf("extend %s {\n    %s\n}\n", path, p.lines[0])
		case !row || !d.chance(20):
		case d.chance(50):
			gone := fmt.Sprint("gone", d.new())
			other[i].lines = []string{strings.Replace(p.lines[0], "\n", fmt.Sprintf("\n        1 %s\n", gone), 1)}
			return joinPieces(other), "drop " + path + "." + gone
		default:
			lines := strings.Split(p.lines[0], "\n")
			b := rowBits.FindStringSubmatch(lines[1])
			if b == nil || len(lines) < 3 {
				continue
			}
			changed := slices.Clone(lines)
			changed[1] = "        1 " + b[1]
			other[i].lines = []string{strings.Join(changed, "\n")}
			return joinPieces(other), fmt.Sprintf("extend %s {\n    %s {\n%s\n    }\n}\n", path, p.name, lines[1])
		}
	}
	return nil, ""
}

// merged returns lines of the record with a path in the extended schema. It also returns a
// change that makes the given lines of them. It returns nil if it finds none.
func (d *drawer) merged(path string, lines []string) (old []string, change string) {
	all := pieces(lines)
	var named []int
	for i, p := range all {
		if p.name != "" {
			named = append(named, i)
		}
	}
	extend := func(put []piece) string {
		return fmt.Sprintf("extend %s {\n    %s\n}\n", path, strings.Join(joinPieces(put), "\n    "))
	}
	if old, change = d.mergedBits(path, all); old != nil {
		return old, change
	}
	if len(named) == 0 || d.chance(20) {
		gone := fmt.Sprint("gone", d.new())
		row := piece{lines: []string{fmt.Sprintf("| 0 | 1 | u8 | %s |", gone)}}
		return joinPieces(slices.Insert(slices.Clone(all), d.n(len(all)+1), row)), "drop " + path + "." + gone
	}
	i := pick(d.source, named...)
	p := all[i]
	other := slices.Clone(all)
	switch last := len(p.lines) - 1; {
	case p.list && last > 1 && d.chance(50):
		inner, change := d.merged(path+"."+p.name, p.lines[1:last])
		other[i].lines = slices.Concat(p.lines[:1], inner, p.lines[last:])
		return joinPieces(other), change
	case d.chance(30): // the rows at the end are new
		from := len(all)
		for from > 0 && all[from-1].moves && d.chance(70) {
			from--
		}
		if from < len(all) {
			return joinPieces(all[:from]), extend(all[from:])
		}
	}
	from := i
	for from > 0 && all[from-1].moves && d.chance(30) {
		from--
	}
	other[i].lines = []string{fmt.Sprintf("| 0 | 1 | u8 | %s |", p.name)}
	return joinPieces(slices.Delete(other, from, i)), extend(all[from : i+1])
}
