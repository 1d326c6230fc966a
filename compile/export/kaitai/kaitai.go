// The description: one Kaitai type for each routine, arm and tuple of numbers.

package kaitai

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Schema returns a model as the text of a .ksy file. It also returns notes on rules of
// the schema that the description does not check. The error is a [*model.Unsupported]
// if a reader of the description would misread a packet.
func Schema(m *model.Model) (ksy []byte, cannot []string, err error) {
	w := &writer{m: m, names: map[any]string{}, taken: newNames(), lanes: map[string]string{}, wanted: m.Members(), resolved: map[string]string{}, equalities: map[comparison]int{}, missing: model.Unsupported{Target: "a Kaitai Struct description"}}
	w.id = model.Snake(m.Schema)
	if m.Choice != "" {
		w.id += "_" + model.Snake(m.Choice)
	}
	w.taken.Name(w.id)     // a type of this name would hide the outermost one in some languages
	w.taken.Name("object") // and this one the Object of JavaScript
	w.cannot.Add("How values are written: Kaitai Struct describes reading only.")
	if m.Nests() {
		w.cannot.Add(fmt.Sprintf("That values may be nested at most %d deep.", m.Depth))
	}
	for _, g := range m.Gates {
		w.cannot.Add(fmt.Sprintf("That the part of the format called %s is refused unless the caller allows it: it is read here.", g))
	}
	for _, e := range m.Encodings {
		w.encoding(e)
	}
	for _, r := range m.Routines {
		if r.Union != nil {
			w.names[r] = w.taken.Name(model.Snake(r.Name))
			for _, a := range r.Union.Arms {
				w.names[a] = w.taken.Name(model.Snake(r.Name) + "_" + model.Snake(a.Type.Name))
			}
		} else {
			w.names[r] = w.taken.Name(model.Snake(r.Name))
		}
	}
	w.findNeeds()
	for _, r := range m.Routines {
		if r.Union != nil {
			w.union(r)
		} else {
			t := w.newType(w.names[r], r.Type.Doc)
			if stop(r.Body) != nil {
				t.ids.Name(endsList)
			}
			w.record(t, r.Type, r.Body, w.arguments(t, r))
		}
	}
	if err := w.missing.Err(); err != nil {
		return nil, nil, err
	}
	w.resolve()
	return w.print(), w.cannot, nil
}

func (w *writer) encoding(e *schema.Encoding) {
	switch e.Charset {
	case builtin.UTF8Strict:
		w.cannot.Add("That text which is no UTF-8 is refused: what happens depends on the language of the reader.")
	case builtin.UTF8Loose:
		w.cannot.Add("That text may have characters of up to 31 bits, and surrogates: what happens depends on the language of the reader.")
	case builtin.ASCII, builtin.UTF16Little, builtin.UTF16Big:
		w.cannot.Add("That text which is no " + e.Charset.Standard() + " is refused: what happens depends on the language of the reader.")
	case builtin.MacRoman:
		w.missing.Add("text in " + e.Charset.Standard() + ", which Kaitai Struct has no name for")
	case builtin.CP437, builtin.Windows1252: // of which Node.js has none, and reads the other as ISO 8859-1
		w.missing.Add("text in " + e.Charset.Standard() + ", which readers of Kaitai Struct in JavaScript do not have")
	case builtin.UTF8Unchecked:
		w.cannot.Add("That text may be any bytes: what happens with bytes that are no UTF-8 depends on the language of the reader.")
	}
	if e.DropBOM {
		w.cannot.Add("That a byte order mark at the beginning of a text is left out.")
	}
}

type writer struct {
	m      *model.Model
	id     string         // of the description
	names  map[any]string // of routines and arms
	taken  names          // names of types
	lanes  map[string]string
	needs  map[*model.Routine][]int // bases that a routine is inside of, by number
	types  []*ktype
	cannot model.Notes
	units  bool // text in UTF-16 ends before a zero unit, which version 0.11 of Kaitai Struct introduced

	missing model.Unsupported
	counts  map[int]*model.Expr // of the lists of the record that is written, see [model.Counts]
	texts   map[int][]string    // that its text cells are compared with, see [model.Compared]
	named   map[int]bool        // registers that its expressions have

	equalities map[comparison]int // see equality

	wanted   map[*model.Type][]int // numbers of records that expressions of others have, by their places
	resolved map[string]string     // names of such numbers, by their marks
}

// union declares a union: the word that tells the arm, and what follows it.
func (w *writer) union(r *model.Routine) {
	u := r.Union
	t := w.newType(w.names[r], nil)
	if len(u.Arms) > 0 && stop(u.Arms[0].Body) != nil {
		t.ids.Name(endsList)
	}
	vals := w.arguments(t, r)
	if u.Order != nil {
		cond, word := w.condition(t, u.Order, vals), field(w.m.Rules[u.Rule].Name, "word")
		big := t.add(cond, word).set("type", w.scalar(u.Word, !w.m.Big)).id + path(u.Word)
		little := t.add("not ("+cond+")", word).set("type", w.scalar(u.Word, w.m.Big)).id + path(u.Word)
		vals.regs[u.Reg] = &value{text: t.instance(word, fmt.Sprintf("(%s) ? %s : %s", cond, big, little))}
	} else if u.Word != builtin.NoScalar {
		vals.regs[u.Reg] = &value{text: t.add("", field(w.m.Rules[u.Rule].Name, "word")).set("type", w.scalar(u.Word, u.Swapped)).id + path(u.Word)}
	}
	if len(u.Arms) > 0 {
		if s := stop(u.Arms[0].Body); s != nil {
			t.ends(w.condition(t, s.Expr, vals))
		}
	}
	number := t.instance("arm", w.expr(t, u.Expr, vals))
	other := false
	known := among(number, u.Known())
	for _, a := range u.Arms {
		other = other || a.Else
	}
	if !other {
		t.demand("", known, "the number is that of a known type")
	}
	body := t.add("", "body")
	for _, a := range u.Arms {
		arm := w.newType(w.names[a], a.Type.Doc)
		inner, pass := w.pass(t, arm, a.Body, vals)
		w.record(arm, a.Type, a.Body, inner)
		if !a.Else && a.IDs[len(a.IDs)-1].Hi > model.MaxExact {
			w.missing.Add(fmt.Sprintf("the number of the arm %s.%s, which is beyond 2^53", r.Name, a.Type.Name))
		}
		key := strconv.FormatUint(a.ID, 10)
		if a.Else {
			key = "_"
		}
		body.set("case/"+key, call(arm.name, pass))
	}
	if u.Listed() {
		// A case is one number, so an arm of several is known by its lowest.
		lowest := number
		for _, a := range slices.Backward(u.Arms) {
			if a.IDs.Several() {
				lowest = fmt.Sprintf("(%s) ? %d : %s", among(number, a.IDs), a.ID, lowest)
			}
		}
		number = t.instance("lowest", lowest)
	}
	body.set("switch-on", number)
}

// among returns the condition that a number is in one of some ranges.
func among(number string, ids builtin.Ranges) string {
	return model.Among(ids, func(n uint64) string { return fmt.Sprintf("%s == %d", number, n) },
		func(lo, hi uint64) string { return fmt.Sprintf("(%s >= %d and %s <= %d)", number, lo, number, hi) }, " or ")
}

// called prints the type of the elements of a list, or of a row, with its arguments.
func (w *writer) called(t *ktype, s *model.Stmt, vals values) string {
	return call(w.names[s.Elem], w.given(t, s.Elem, s.Args, vals))
}

// given prints the arguments of a routine: those of a statement, and the streams of bases.
func (w *writer) given(t *ktype, r *model.Routine, of []*model.Expr, vals values) []string {
	var args []string
	for _, a := range of {
		args = append(args, w.number(t, a, vals))
	}
	for _, b := range w.needs[r] {
		args = append(args, vals.bases[b])
	}
	return args
}

// findNeeds finds the bases that each routine is inside of.
func (w *writer) findNeeds() {
	w.needs = map[*model.Routine][]int{}
	for changed := true; changed; {
		changed = false
		w.m.Each(func(r *model.Routine, _ *model.Type, body []*model.Stmt) {
			for _, b := range w.basesOf(body) {
				if !slices.Contains(w.needs[r], b) {
					w.needs[r], changed = append(w.needs[r], b), true
				}
			}
		})
	}
}

// basesOf returns the bases that statements are inside of, as far as the needs of routines are
// known.
func (w *writer) basesOf(block []*model.Stmt) []int {
	var out []int
	own := -1 // a record is the base of the rows in it
	model.Walk(block, func(s *model.Stmt) {
		var found []int
		switch s.Op {
		case model.OpBase:
			own = s.Base
		case model.OpSeek:
			found = []int{s.Base}
		case model.OpList, model.OpRest, model.OpCall, model.OpMap:
			found = w.needs[s.Elem]
			if s.Key != nil {
				found = slices.Concat(found, w.needs[s.Key])
			}
		}
		for _, b := range found {
			if b != own && !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
	})
	slices.Sort(out)
	return out
}

func call(name string, args []string) string {
	if len(args) == 0 {
		return name
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// field returns what a row is called, without its type.
func field(rule, otherwise string) string {
	if _, name, ok := strings.Cut(rule, "."); ok && name != "" {
		return model.Snake(name)
	}
	return otherwise
}
