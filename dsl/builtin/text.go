// Rules for text: settings of encodings.

package builtin

// TextRule is a rule of an encoding, which one of its words sets.
type TextRule struct {
	Name, Doc string
	Words     []TextWord
}

// TextWord is a setting of a rule.
type TextWord struct{ Name, Doc string }

// TextRules are all rules that take a word. The name of a character set is a rule by itself.
var TextRules = []TextRule{
	{"utf8", "a rule for malformed text: `strict`, `loose` or `unchecked`", []TextWord{
		{"strict", "malformed UTF-8 is refused"},
		{"loose", "a reader takes forms of 1 to 6 bytes and surrogates"},
		{"unchecked", "text is any bytes"},
	}},
	{"bom", "a rule for a byte order mark at the beginning of text: `drop` or `keep`", []TextWord{
		{"drop", "the byte order mark is left out"},
		{"keep", "the byte order mark is a character of the text"},
	}},
	{"nul", "a rule for zero bytes in text: `keep`, `stop` or `counted`", []TextWord{
		{"keep", "zero bytes are characters of the text"},
		{"stop", "text ends before the first zero byte"},
		{"counted", "text ends before its first zero byte; a writer adds one and counts it"},
	}},
}

// TextRuleNamed returns the rule with a name, or nil.
func TextRuleNamed(name string) *TextRule {
	for i := range TextRules {
		if TextRules[i].Name == name {
			return &TextRules[i]
		}
	}
	return nil
}

// Names returns the words of a rule.
func (r *TextRule) Names() []string {
	var all []string
	for _, w := range r.Words {
		all = append(all, w.Name)
	}
	return all
}

// Word returns the setting with a name, or nil.
func (r *TextRule) Word(name string) *TextWord {
	for i := range r.Words {
		if r.Words[i].Name == name {
			return &r.Words[i]
		}
	}
	return nil
}
