// The grammar as text, and the words of the language, both made from the parser.

package dsl

import (
	"fmt"
	"strings"
)

// Grammar returns the grammar as EBNF, after the rules of its tokens as regular
// expressions.
func Grammar() string {
	var b strings.Builder
	b.WriteString("// A schema is UTF-8 text of these tokens, of which the first that fits is taken:\n//\n")
	for _, r := range lexical {
		if r.what != "" {
			fmt.Fprintf(&b, "//   <%s>  %s\n//       %s\n", strings.ToLower(r.name), r.what, r.pattern)
		}
	}
	fmt.Fprintf(&b, `//
// White space and comments are allowed between any two tokens. A declaration begins
// in the first column of a line; its first word ends the declaration before it.
// Words are reserved only in the places that the grammar has for them: elsewhere
// they are names. Brackets are nested at most %d deep.
//
// * is any number of times, + at least once, ? at most once, | or.

File = Decl* .
%s
`, maxDepth, schemaNotation().productions)
	return b.String()
}
