// Code actions: the replacements that hints name.

package lsp

import (
	"fmt"
	"strings"
)

// quickFix is the kind of code action that mends a diagnostic.
const quickFix = "quickfix"

// codeActions returns a quick fix for each published diagnostic in a range whose hint names
// a replacement.
func (s *server) codeActions(_ call, params rangeParams) (any, error) {
	uri := params.TextDocument.URI
	s.mu.Lock()
	d, told := s.docs[uri], s.published[uri]
	s.mu.Unlock()
	out := []codeAction{}
	if d == nil || told.Version != d.version {
		return out, nil // the document has changed, and its new diagnostics come soon
	}
	for _, one := range told.Diagnostics {
		if edit, ok := fix(d.text, one); ok && overlap(one.Range, params.Range) {
			out = append(out, codeAction{
				Title: title(one), Kind: quickFix, Diagnostics: []diagnostic{one}, IsPreferred: true,
				Edit: workspaceEdit{map[string][]textEdit{uri: {edit}}},
			})
		}
	}
	return out, nil
}

// fix returns the edit that a diagnostic proposes. The result is false if the diagnostic has no edit,
// or if the place of the edit has another text than it replaces.
func fix(t *text, d diagnostic) (textEdit, bool) {
	if d.fix == nil {
		return textEdit{}, false
	}
	at := t.offset(d.Range.Start)
	if d.fix.At.Line > 0 {
		at = d.fix.At.Offset + t.mark()
	}
	if at > len(t.s) || !strings.HasPrefix(t.s[at:], d.fix.Old) {
		return textEdit{}, false
	}
	return textEdit{t.span(at, at+len(d.fix.Old)), d.fix.New}, true
}

// title describes the fix of a diagnostic to a person.
func title(d diagnostic) string {
	switch {
	case d.fix.Old == "":
		return fmt.Sprintf("Insert %s", strings.TrimSpace(d.fix.New))
	case d.fix.New == "":
		return fmt.Sprintf("Remove %s", d.fix.Old)
	}
	return fmt.Sprintf("Replace %s by %s", d.fix.Old, d.fix.New)
}

// overlap reports whether two ranges have a position in common. The end of a range counts.
func overlap(a, b textRange) bool { return !before(a.End, b.Start) && !before(b.End, a.Start) }

func before(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
