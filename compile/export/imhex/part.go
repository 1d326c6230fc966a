// Parts: rows at places that count from the first byte of a record, their base. Variables hold, for
// each sort of base, the begin of the innermost one, the end of the bytes around it, and the end of
// the rows that were read of it. No row has such a name.

package imhex

import (
	"fmt"
	"maps"
	"slices"

	"github.com/octable/octable/compile/gen/model"
)

// parts are those of a block that are open, and its base.
type parts struct {
	open  []part
	base  int
	outer []string // the variables of the base around it
}

// part is the variables that hold the cursor and the end around a row at a place.
type part struct {
	cursor, stop string
	base         int
	view         bool
}

// ofBase returns the variables for a base.
func ofBase(base int) []string {
	return []string{fmt.Sprintf("baseBegin%d", base), fmt.Sprintf("baseStop%d", base), fmt.Sprintf("baseUsed%d", base)}
}

// place prints a statement about bases and parts.
func (w *writer) place(s *scope, x *model.Stmt, p *parts) {
	switch x.Op {
	case model.OpBase:
		w.cannot.Add("That bytes between rows at places are 0 unless a row has them, that these rows do not overlap, that they are where a writer puts them, and that views show bytes before the end of their record.")
		w.bases[x.Base], p.base = true, x.Base
		values := []string{fmt.Sprintf("$ - %d", x.Back), "stop", "$"}
		for i, name := range ofBase(x.Base) {
			p.outer = append(p.outer, s.name("outer_base"))
			w.f("s128 %s = %s;", p.outer[i], name)
			w.f("%s = %s;", name, values[i])
		}
	case model.OpClose:
		w.f("if ($ < baseUsed%d) $ = baseUsed%d;", p.base, p.base)
		for i, name := range ofBase(p.base) {
			w.f("%s = %s;", name, p.outer[i])
		}
	case model.OpSeek:
		at, value := s.name("place"), w.number(s, x.Expr)
		o := part{s.name("back"), s.name("outer"), x.Base, x.View}
		p.open = append(p.open, o)
		w.f("s128 %s = %s;", at, value)
		w.f("std::assert(%s >= 0 && %s <= baseStop%d - baseBegin%d, \"the place is not in the bytes that it counts from\");", at, at, x.Base, x.Base)
		w.f("s128 %s = $;", o.cursor)
		w.f("s128 %s = stop;", o.stop)
		w.f("$ = baseBegin%d + %s;", x.Base, at)
		w.f("stop = baseStop%d;", x.Base)
	case model.OpBack:
		o := p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		if !o.view {
			w.f("if (baseUsed%d < $) baseUsed%d = $;", o.base, o.base)
		}
		w.f("$ = %s;", o.cursor)
		w.f("stop = %s;", o.stop)
	}
}

// declareBases prints the variables for bases.
func (w *writer) declareBases(f func(string, ...any)) {
	if len(w.bases) > 0 {
		f("// of each record from which places count: its begin, the end of the bytes around it, and the end of what was read of it\n")
	}
	for _, base := range slices.Sorted(maps.Keys(w.bases)) {
		for _, name := range ofBase(base) {
			f("s128 %s = 0;\n", name)
		}
	}
}
