// Members: numbers of a record that expressions of the record around it have. A variable has each one that was read last.

package imhex

import (
	"fmt"
	"slices"

	"github.com/octable/octable/compile/gen/model"
)

// member is a number of a record, by its place.
type member struct {
	of    *model.Type
	place int
}

// findMembers numbers the variables.
func (w *writer) findMembers() {
	wanted := w.m.Members()
	w.m.Each(func(r *model.Routine, t *model.Type, _ []*model.Stmt) {
		for _, place := range wanted[t] {
			if r.Nests {
				w.missing.Add("a number of " + t.Name + " in expressions of another record, as it may contain itself")
			}
			w.members = append(w.members, member{t, place})
		}
	})
}

// member returns the name of the variable, and whether there is one.
func (w *writer) member(of *model.Type, place int) (name string, ok bool) {
	i := slices.Index(w.members, member{of, place})
	return fmt.Sprintf("memberRead%d", i), i >= 0
}

// keepMember prints a statement that sets the variable of a number in a cell.
func (w *writer) keepMember(of *model.Type, place int, number string) {
	if name, ok := w.member(of, place); ok {
		w.f("%s = %s;", name, number)
	}
}
