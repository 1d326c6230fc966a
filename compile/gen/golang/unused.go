// Variables that no printed statement uses.

package golang

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// replace replaces what is printed from a place on.
func (p *emitter) replace(from int, with func(string) string) {
	text := p.String()
	p.Reset()
	p.WriteString(text[:from] + with(text[from:]))
}

// withoutUnused returns the statements of a record without registers that are only set. They begin with the
// declaration of the registers. A number that is known without its register does not use it.
func withoutUnused(text string) string {
	decl := registersOf.FindStringSubmatch(text)
	if decl == nil {
		return text
	}
	body, regs := text[len(decl[0]):], strings.Split(decl[1], ", ")
	for _, reg := range regs {
		body = withoutOverwritten(reg, body)
	}
	for again := true; again; {
		again = false
		for i, reg := range regs {
			set := regexp.MustCompile(`(?m)^` + reg + ` = (.*[^{\n])\n`)
			rest := set.ReplaceAllString(body, "$1\n")
			if usesVariable(reg, rest) {
				continue
			}
			body = set.ReplaceAllString(body, "")
			regs = append(regs[:i:i], regs[i+1:]...)
			again = true
			break
		}
	}
	if len(regs) == 0 {
		return body
	}
	return "var " + strings.Join(regs, ", ") + " int64\n" + body
}

// withoutOverwritten returns statements without those that set a register in vain. The register is set again
// before it is used, or not used any more.
func withoutOverwritten(reg, text string) string {
	set, use := reg+" = ", regexp.MustCompile(`\b`+reg+`\b`)
	lines := strings.SplitAfter(text, "\n")
	var dead []int      // lines that set the register, which nothing has used so far
	var blocks []string // the first lines of those around a line
	for i, line := range lines {
		value, sets := strings.CutPrefix(line, set)
		if sets = sets && !strings.HasSuffix(line, "{\n"); !sets {
			value = line
		}
		if use.MatchString(value) {
			dead = nil
		}
		again := slices.ContainsFunc(blocks, func(first string) bool { return strings.HasPrefix(first, "for ") })
		if sets && len(blocks) == 0 {
			for _, k := range dead {
				lines[k] = ""
			}
			dead = nil
		}
		if sets && !again {
			dead = append(dead, i)
		}
		for _, c := range notCode.ReplaceAllString(line, "") {
			if c == '{' {
				blocks = append(blocks, line)
			} else if c == '}' {
				blocks = blocks[:max(0, len(blocks)-1)]
			}
		}
	}
	for _, k := range dead {
		lines[k] = ""
	}
	return strings.Join(lines, "")
}

// inPlaceOf returns statements that use another expression in place of a register, which they set before.
func inPlaceOf(reg, x, text string) string {
	use := regexp.MustCompile(`\b` + reg + `\b`)
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		value, sets := strings.CutPrefix(line, reg+" = ")
		if !sets {
			lines[i] = use.ReplaceAllString(line, x)
		} else {
			lines[i] = reg + " = " + use.ReplaceAllString(value, x)
		}
	}
	return strings.Join(lines, "")
}

// registersOf matches the declaration of registers.
var registersOf = regexp.MustCompile(`^var (r\d+(?:, r\d+)*) int64\n`)

// givenNumbers matches the names in a declaration of the numbers that a record gets.
var givenNumbers = regexp.MustCompile(`(?m)^var r\d+(?:, r\d+)* int64 = `)

// declareIfUsed returns the declaration of a variable if statements use it.
func declareIfUsed(name, value, text string) string {
	if !usesVariable(name, text) {
		return ""
	}
	return name + " := " + value + "\n"
}

// usesVariable reports whether statements use a variable. They may declare another one with the same name.
func usesVariable(name, text string) bool {
	text = regexp.MustCompile(`(?m)^`+name+` := `).ReplaceAllString(text, "")
	text = givenNumbers.ReplaceAllString(text, "")
	return regexp.MustCompile(`(^|[^.\w])` + name + `\b`).MatchString(notCode.ReplaceAllString(text, " "))
}

// hide returns a word in place of the statements of another record, whose registers may have the same names.
func (g *generator) hide(text string) string {
	g.hidden = append(g.hidden, text)
	return fmt.Sprintf("\x00%d\x00", len(g.hidden)-1)
}

// shown returns a text with what was hidden.
func (g *generator) shown(text string) string {
	for i := len(g.hidden) - 1; i >= 0; i-- { // those inside of others were hidden first
		text = strings.Replace(text, fmt.Sprintf("\x00%d\x00", i), g.hidden[i], 1)
	}
	return text
}
