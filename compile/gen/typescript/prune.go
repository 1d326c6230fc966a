// Unused declarations: strict compilers reject them, so they are left out.

package typescript

import (
	"regexp"
	"strings"
)

// prune removes functions and constants that nothing uses. Functions begin and end in the
// first column.
func prune(module string) string {
	for {
		pruned := pruneOnce(module)
		if pruned == module {
			return module
		}
		module = pruned
	}
}

var (
	declared = regexp.MustCompile(`(?m)^(?:function|const) (\w+)\b.*$`)
	// constantEnd is the last line of a constant of several lines.
	constantEnd = regexp.MustCompile(`(?m)^[\])}].*;\n`)
	word        = regexp.MustCompile(`[\w$]+`)
)

// end returns the offset behind the function or constant that begins at an offset.
func end(module string, at int) int {
	if line, _, _ := strings.Cut(module[at:], "\n"); strings.HasPrefix(line, "const") {
		if strings.HasSuffix(line, ";") {
			return at + len(line) + 1
		}
		if m := constantEnd.FindStringIndex(module[at:]); m != nil {
			return at + m[1]
		}
		return len(module)
	}
	if i := strings.Index(module[at:], "\n}\n"); i >= 0 {
		return at + i + len("\n}\n")
	}
	return len(module)
}

// notCode matches comments and texts.
var notCode = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"`)

// count returns how often each word is in the code of a module.
func count(module string) map[string]int {
	uses := map[string]int{}
	for _, w := range word.FindAllString(notCode.ReplaceAllString(module, " "), -1) {
		uses[w]++
	}
	return uses
}

func pruneOnce(module string) string {
	uses := count(module)
	var out strings.Builder
	done := 0
	for _, m := range declared.FindAllStringSubmatchIndex(module, -1) {
		name, stop := module[m[2]:m[3]], end(module, m[0])
		if uses[name] > count(module[m[0]:stop])[name] {
			continue
		}
		out.WriteString(withoutComment(module[done:m[0]]))
		done = stop
	}
	out.WriteString(module[done:])
	return out.String()
}

// withoutComment returns text without the comment at its end, which is about the
// declaration behind it.
func withoutComment(text string) string {
	if !strings.HasSuffix(text, "*/\n") {
		return text
	}
	return text[:max(strings.LastIndex(text, "/**"), 0)]
}
