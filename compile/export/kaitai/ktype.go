// Types of the description: their parameters, entries and instances.

package kaitai

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// ktype is a type of the description.
type ktype struct {
	name      string
	doc       []string
	params    [][2]string // name and type
	seq       []*attr
	instances [][2]string
	parts     []*attr // instances at places
	ids       names
	cells     map[int][]alternative // what sets each cell
	numbers   map[int]string        // expressions for the numbers in cells, or of a tuple
	rows      map[int]row           // cells that hold records
	last      string                // the length in bytes of what padding goes by, an expression; "" for 0
	lastCond  string                // the condition under which last was set
}

// names gives out names, each only once. Names that differ in underscores only are the
// same in the languages of Kaitai Struct.
type names struct{ taken map[string]bool }

// newNames returns names without those that expressions have a meaning for.
func newNames() names {
	return names{map[string]bool{"true": true, "false": true, "not": true, "and": true, "or": true}}
}

// Name returns the first of the names that is not taken, and takes it. If all are
// taken, it is the last one with a number behind it.
func (n names) Name(all ...string) string {
	for i := 1; ; i++ {
		for _, name := range all {
			if i > 1 {
				name = all[len(all)-1] + "_" + strconv.Itoa(i)
			}
			if key := strings.ReplaceAll(name, "_", ""); !n.taken[key] {
				n.taken[key] = true
				return name
			}
		}
	}
}

// alternative is a field that sets a cell under a condition.
type alternative struct {
	cond, id string
	number   bool
}

// attr is an entry of a sequence: its id, and other keys with their values.
type attr struct {
	id   string
	keys [][2]string
}

func (a *attr) set(key, value string) *attr {
	a.keys = append(a.keys, [2]string{key, value})
	return a
}

func (w *writer) newType(name string, doc []string) *ktype {
	t := &ktype{name: name, doc: doc, ids: newNames(), cells: map[int][]alternative{}, numbers: map[int]string{}, rows: map[int]row{}}
	w.types = append(w.types, t)
	return t
}

// arguments declares the arguments of a routine and returns its registers.
func (w *writer) arguments(t *ktype, r *model.Routine) values {
	vals := newValues()
	for i := range r.Args {
		vals.regs[i] = t.param("argument_" + strconv.Itoa(i))
	}
	for _, b := range w.needs[r] {
		vals.bases[b] = t.base(b)
	}
	return vals
}

// base declares a parameter for the stream of a record from which places count.
func (t *ktype) base(number int) string {
	name := t.ids.Name("base_" + strconv.Itoa(number))
	t.params = append(t.params, [2]string{name, "io"})
	return name
}

// keywords are words of the languages of Kaitai Struct. Parameters of types become those
// of functions, whose names they cannot be.
var keywords = strings.Fields(`
	abstract alias and arguments as assert async await base begin bool boolean break byte case catch chan char checked
	class const continue crate debugger decimal def default defer del delegate delete do double dyn elif else elsif end
	ensure enum eval event except explicit export extends extern false final finally fixed float fn for foreach from func
	function global go goto if impl implements implicit import in instanceof int interface internal is lambda let local
	lock long loop map match mod module move mut namespace native new next nil none not null object operator or out
	override package params pass private protected pub public raise range readonly redo ref repeat rescue retry return
	sbyte sealed select self short sizeof static string struct super switch synchronized then this throw throws trait
	transient true try type typeof uint ulong undef union unless unsafe until use ushort using var virtual void volatile
	when where while with yield`)

// param declares a parameter and returns its value.
func (t *ktype) param(name string) *value {
	if slices.Contains(keywords, name) {
		name = "argument_" + name
	}
	name = t.ids.Name(name)
	t.params = append(t.params, [2]string{name, "s8"})
	return &value{text: name}
}

// pass declares parameters of a type for the values that its statements use. It returns the
// values inside of the type and the arguments for them outside.
func (w *writer) pass(t, inner *ktype, block []*model.Stmt, vals values) (own values, args []string) {
	regs, texts := model.Uses(block, false), map[int]bool{}
	model.Walk(block, func(s *model.Stmt) {
		s.Exprs(false, func(e *model.Expr) {
			e.Walk(func(x *model.Expr) {
				if x.Op == builtin.Len {
					texts[x.Cell] = true
				} else if x.Op == model.ExprEquals {
					texts[w.equality(x.Cell, x.Text)] = true
				}
			})
		})
	})
	own = newValues()
	pass := func(to, from map[int]*value, uses map[int]bool) {
		for _, i := range slices.Sorted(maps.Keys(from)) {
			if uses[i] {
				arg := t.ref(from[i])
				to[i] = inner.param(identifier(arg))
				to[i].letters, to[i].marked = from[i].inLetters(), from[i].isMarked()
				args = append(args, arg)
			}
		}
	}
	pass(own.regs, vals.regs, regs)
	pass(own.texts, vals.texts, texts)
	for _, b := range w.basesOf(block) {
		if vals.bases[b] != "" { // else the record begins in the block
			own.bases[b] = inner.base(b)
			args = append(args, vals.bases[b])
		}
	}
	return own, args
}

func (t *ktype) add(cond string, names ...string) *attr {
	a := &attr{id: t.ids.Name(names...)}
	if cond != "" {
		a.set("if", cond)
	}
	t.seq = append(t.seq, a)
	return a
}

// demand refuses unless an expression holds: an entry of no bytes does.
func (t *ktype) demand(cond, expr, doc string) {
	a := t.add(cond, "check").set("size", "0")
	if doc != "" {
		a.set("doc", doc)
	}
	a.set("valid/expr", expr)
}

func (t *ktype) instance(name, value string) string {
	name = t.ids.Name(name)
	t.instances = append(t.instances, [2]string{name, value})
	return name
}

// endsList is the instance that says whether a value is the last of a list.
const endsList = "ends_list"

// ends declares whether a value of the type is the last of a list. Its name was taken before all others.
func (t *ktype) ends(cond string) { t.instances = append(t.instances, [2]string{endsList, cond}) }

// stop returns the statement that says whether a value is the last of a list, or nil.
func stop(block []*model.Stmt) *model.Stmt {
	for _, s := range block {
		if s.Op == model.OpStop {
			return s
		}
	}
	return nil
}

// choices declares one name for a number that is read in one of several forms.
func (t *ktype) choices(of *model.Type) {
	for cell, f := range of.Fields {
		ways := t.cells[cell]
		if len(ways) != 2 || !ways[0].number || !ways[1].number || f.Name == "" && len(of.Fields) != 1 {
			continue
		}
		name := "value"
		if f.Name != "" {
			name = model.Snake(f.Name)
		}
		t.numbers[cell] = t.instance(name, fmt.Sprintf("%s ? %s : %s", paren(ways[0].cond), ways[0].id, ways[1].id))
	}
}

// keep returns the name of an instance that has the value of an expression at a place. It is the
// place of the next entry. An instance keeps its first value, which an entry of no bytes asks for.
func (t *ktype) keep(name, expr, cond string) string {
	name = t.instance(name, expr)
	t.add(and(cond, name+" >= 0"), "mark").set("size", "0")
	return name
}
