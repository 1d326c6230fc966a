// Members: numbers of a record that expressions of the record around it have.

package kaitai

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/octable/octable/compile/gen/model"
)

// row is an entry of a record: its name, and the record.
type row struct {
	id string
	of *model.Type
}

// member is a number of a record, by its place.
type member struct {
	of    *model.Type
	place int
}

// mark represents a member in an expression until the names in its record are known.
func (m member) mark() string { return fmt.Sprintf("\x00%p.%d\x00", m.of, m.place) }

var marks = regexp.MustCompile("\x00[^\x00]*\x00")

// within adds the records and the numbers of a type that is the entry id of t.
func (t *ktype) within(inner *ktype, id string) {
	for cell, r := range inner.rows {
		t.rows[cell] = row{id + "." + r.id, r.of}
	}
	for cell, number := range inner.numbers {
		if !notPath.MatchString(number) {
			t.numbers[cell] = id + "." + number
		}
	}
}

// member returns an expression for a number of the record in a cell.
func (w *writer) member(t *ktype, e *model.Expr) string {
	r := t.rows[e.Cell]
	return r.id + "." + member{r.of, e.Place}.mark()
}

// members finds the names of the numbers of a record that others have. A number that is not an entry gets an instance.
func (w *writer) members(t *ktype, of *model.Type) {
	for _, place := range w.wanted[of] {
		name := t.number(place)
		switch {
		case name == "":
			w.missing.Add("a number of " + of.Name + " in expressions of another record, which is an instance at a place")
		case notPath.MatchString(name):
			name = t.instance("number_"+strconv.Itoa(place), name)
		}
		w.resolved[member{of, place}.mark()] = name
	}
}

var notPath = regexp.MustCompile(`[^a-z0-9_.]`)

// number returns an expression for a number of a record, or "".
func (t *ktype) number(place int) string {
	if name := t.numbers[place]; name != "" {
		return name
	}
	name := ""
	for i, a := range t.cells[place] { // forms of a number
		if i == 0 {
			name = a.id
			continue
		}
		name = fmt.Sprintf("(%s ? %s : %s)", paren(a.cond), a.id, name)
	}
	return name
}

// resolve puts names in place of marks.
func (w *writer) resolve() {
	for _, t := range w.types {
		for i := range t.instances {
			t.instances[i][1] = marks.ReplaceAllStringFunc(t.instances[i][1], func(mark string) string { return w.resolved[mark] })
		}
	}
}
