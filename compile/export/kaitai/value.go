// Values: the numbers of a type that expressions refer to.

package kaitai

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// value is a number in a type. It is an expression, one of two values by a condition, or a value
// in the type of a region. A nil value is that of a row that was not read, which is 0.
type value struct {
	text    string // the expression; "" until a choice or a value in a region is referenced
	holds   string // the condition of a choice
	yes, no *value
	region  *ktype // of a value in a region
	id      string // the entry of the region
	inner   *value // the value in the type of the region
	letters bool   // the length of a text in characters, not in bytes
	equals  string // the comparison of a text, of which the number is 1 if it holds
	marked  bool   // readers in some languages leave out a byte order mark, which has bytes
}

// inLetters reports whether a value may be the length of a text in characters.
func (v *value) inLetters() bool {
	return v.any(func(v *value) bool { return v.letters })
}

// isMarked reports whether a text without characters may have the bytes of a byte order mark.
func (v *value) isMarked() bool {
	return v.any(func(v *value) bool { return v.marked })
}

// any reports whether something holds for a value, or for one that it may be.
func (v *value) any(holds func(*value) bool) bool {
	return v != nil && (holds(v) || v.yes.any(holds) || v.no.any(holds) || v.inner.any(holds))
}

// values are those of registers, the lengths of texts, and whether texts equal others. They also have the streams of the
// records from which places count.
type values struct {
	regs, texts map[int]*value // of cells, and of comparisons; see equality
	bases       map[int]string
}

func (v values) clone() values {
	return values{maps.Clone(v.regs), maps.Clone(v.texts), maps.Clone(v.bases)}
}

// ref returns an expression for a value. It declares an instance for a choice that is
// referenced for the first time.
func (t *ktype) ref(v *value) string {
	switch {
	case v == nil:
		return "0"
	case v.text != "":
	case v.region != nil:
		inner := v.region.ref(v.inner)
		if !memberOf.MatchString(inner) {
			inner = v.region.instance("number", inner)
		}
		v.text = v.id + "." + inner
	default:
		yes, no := t.ref(v.yes), t.ref(v.no)
		first, second := yes, no
		if v.yes == nil {
			first, second = no, yes
		}
		v.text = t.instance(identifier(first+"_or_"+second), fmt.Sprintf("%s ? %s : %s", paren(v.holds), yes, no))
	}
	return v.text
}

// comparison is that of the text in a cell with another text.
type comparison struct {
	cell int
	text string
}

// equality returns the number of a comparison among the lengths of texts: a negative one.
func (w *writer) equality(cell int, text string) int {
	c := comparison{cell, text}
	if w.equalities[c] == 0 {
		w.equalities[c] = -1 - len(w.equalities)
	}
	return w.equalities[c]
}

// compared notes the comparisons of a text that has been read.
func (w *writer) compared(cell, encoding int, id string, vals values) {
	for _, text := range w.texts[cell] {
		if w.m.Encodings[encoding].DropBOM {
			w.missing.Add("a comparison of a text that may begin with a byte order mark")
		}
		quoted, _ := json.Marshal(text) // its escapes are those of Kaitai Struct
		equals := id + " == " + string(quoted)
		vals.texts[w.equality(cell, text)] = &value{text: "(" + equals + " ? 1 : 0)", equals: equals}
	}
}

// identifier returns a name made of an expression.
func identifier(expr string) string {
	name := strings.Trim(notInName.ReplaceAllString(expr, "_"), "_")
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "n" + name
	}
	return name
}

// memberOf matches what may be behind a dot: a name, and names behind it.
var memberOf = regexp.MustCompile(`^[a-z_][a-z0-9_.]*$`)

var notInName = regexp.MustCompile(`[^a-z0-9]+`)

// merge sets the values after both branches of a condition.
func merge(to map[int]*value, holds string, yes, no map[int]*value) {
	for _, r := range slices.Sorted(maps.Keys(union(yes, no))) {
		if to[r] = yes[r]; yes[r] != no[r] {
			to[r] = &value{holds: holds, yes: yes[r], no: no[r]}
		}
	}
}

func newValues() values { return values{map[int]*value{}, map[int]*value{}, map[int]string{}} }

// leave sets the values that a region sets. before are those at its beginning, in its type.
func leave(to, before, after map[int]*value, region *ktype, id string) {
	for i, v := range after {
		if v != before[i] {
			to[i] = &value{region: region, id: id, inner: v}
		}
	}
}

func union(a, b map[int]*value) map[int]*value {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
