// Rules for keys: special ways in which values of an arm compare as keys of maps.

package builtin

// KeyRule is a rule by which values of some arms compare as keys of maps.
type KeyRule uint8

// The rules for keys.
const (
	KeyEqual KeyRule = iota
	KeyDiffer
	KeyExact
	KeyApart
	KeyEmpty
	NumKeyRules
)

// keyRules are all rules for keys.
var keyRules = [NumKeyRules]struct{ name, doc, sentence, brief string }{
	KeyEqual: {"equal", "as whole keys, values of these arms are the same if their texts are, also across arms",
		"Keys of different types are equal where their text is", "equal by their text"},
	KeyDiffer: {"differ", "values of these arms are never the same key, also inside of other keys",
		"Two keys of these types are never equal, not even inside another key", "never equal"},
	KeyExact: {"exact", "numbers in lanes and packed values of these arms are the same only if their bits are",
		"Numbers in these are equal only where their bits are", "equal by their bits"},
	KeyApart: {"apart", "a NaN inside of a key, in these arms, is the same as nothing: the number of an arm in another key, and a number in lanes and packed values",
		"A number of these types that is not a number is not equal to itself inside another key, nor inside an array", "NaN in a key not equal to itself"},
	KeyEmpty: {"empty", "values of these arms whose texts, arrays, lists and maps are all empty are the same, and their numbers do not count",
		"Keys of these types without content are equal, and their numbers do not matter", "equal when empty"},
}

// String returns the word of the rule.
func (r KeyRule) String() string { return keyRules[r].name }

// Doc returns the effect of the rule.
func (r KeyRule) Doc() string { return keyRules[r].doc }

// Sentence returns the beginning of a sentence of a page, which names of types complete.
func (r KeyRule) Sentence() string { return keyRules[r].sentence }

// Brief returns the effect of the rule in a few words.
func (r KeyRule) Brief() string { return keyRules[r].brief }

// KeyRuleNamed returns the rule with a name, and whether there is one.
func KeyRuleNamed(name string) (KeyRule, bool) {
	for r := range NumKeyRules {
		if keyRules[r].name == name {
			return r, true
		}
	}
	return 0, false
}

// KeyRuleNames returns the words of the rules.
func KeyRuleNames() []string {
	var all []string
	for _, r := range keyRules {
		all = append(all, r.name)
	}
	return all
}
