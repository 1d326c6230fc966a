// Symbolic execution of records.

package reach

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// record executes a record, from its fields to its done.
func (w *walk) record(pc int, in *bytecode.Instr) {
	content := func() {
		w.run(w.p.Inner(pc)[0], func() {
			if done := w.p.End(pc); w.begin(done) {
				w.done(done, &w.p.Code[done])
			}
		})
	}
	ok := w.bytes(pc, in)
	if w.back() {
		w.written(in.B, content)
		return
	}
	if pc == w.probed {
		w.probe(true)
	}
	if ok {
		content()
	}
}

func (w *walk) done(pc int, in *bytecode.Instr) {
	w.finishes = w.finishes || w.way.met
	if w.d == interp.Writing {
		if !w.s.ReadBack {
			w.alone(pc, in)
		}
		return
	}
	w.ends = w.ends && w.way.used
	fields := w.p.Types[in.A].Fields
	n, cell, alone := 0, uint32(0), false
	for i, f := range fields {
		if w.way.there[uint32(i)] {
			n++
			cell, alone = uint32(i), f.Alone
		}
	}
	if set := setOf(in.A, w.way.there); !w.sets[set] {
		w.sets[set], w.changed = true, true
	}
	s := w.shapes[pc]
	for cell := range w.way.maps {
		s.repeats = s.repeats || w.way.there[cell]
	}
	if n == 1 && alone && in.B&bytecode.DoneAlone != 0 {
		w.mark(pc, interp.SiteAlone)
		s.alone = true
		if w.way.maps[cell] && !w.maps[w.index] {
			w.maps[w.index], w.changed = true, true
		}
	} else {
		w.mark(pc, interp.SiteFields)
		w.mark(pc, interp.SiteMemory)
		s.fields = true
	}
	if s != w.shapes[pc] {
		w.shapes[pc], w.changed = s, true
	}
}

// written calls then with each set of fields that records of a type have when read.
func (w *walk) written(typ uint32, then func()) {
	before := w.way
	for set := range w.sets {
		if set.typ == typ {
			w.way = before.fork()
			w.way.read = &set
			for cell := range uint32(len(w.p.Types[typ].Fields)) {
				n := int64(set.cells[cell/64] >> (cell % 64) & 1)
				w.way.spans[w.ask(bytecode.ExprPresent, cell)] = span{n, n}
			}
			then()
		}
	}
}

// isRead reports whether there are values of a type that are read to their end.
func (w *walk) isRead(typ uint32) bool {
	for set := range w.sets {
		if set.typ == typ {
			return true
		}
	}
	return false
}

// comes reports whether values of an arm are written: as they are, or in place of others.
func (w *walk) comes(union, typ uint32) bool {
	_, put := w.texts[typ]
	return put || w.isRead(typ) && w.asIs(union, typ)
}

// asIs reports whether values of an arm are written unchanged. They are not if every
// call of the union may be for a value that a subst has replaced.
func (w *walk) asIs(union, typ uint32) bool {
	if w.left[arm{union, typ}] || union == w.p.Root {
		return true
	}
	var replaced []uint32 // cells of the record that a subst may replace
	for pc := range w.p.Code {
		in := &w.p.Code[pc]
		switch {
		case in.Op == bytecode.Fields:
			replaced = nil
		case in.Op == bytecode.Subst && in.B == union:
			replaced = append(replaced, in.A)
		}
		if slices.Contains(in.Calls(), union) && (in.Op != bytecode.Call || !slices.Contains(replaced, in.B)) {
			return true
		}
	}
	return false
}

// alone notes which records can be written that have but one field.
func (w *walk) alone(pc int, in *bytecode.Instr) {
	need := len(w.way.there)
	for i, f := range w.p.Types[in.A].Fields {
		if f.Alone && (need == 0 || need == 1 && w.way.there[uint32(i)]) && !w.shapes[pc].alone {
			w.shapes[pc].alone, w.changed = true, true
		}
	}
}

// fields marks how the value of a record can be.
func (w *walk) fields(pc int, in *bytecode.Instr) {
	s := shape{true, true, true}
	if !w.s.Shapes {
		s = shape{}
		for k := range w.p.Code {
			if c := &w.p.Code[k]; c.Op == bytecode.Done && c.A == in.B {
				s.alone = s.alone || w.shapes[k].alone
				s.fields = s.fields || w.shapes[k].fields
				s.repeats = s.repeats || w.shapes[k].repeats
			}
		}
	}
	if s.alone {
		w.mark(pc, interp.SiteAlone)
	}
	if s.fields {
		w.mark(pc, interp.SiteFields)
	}
	if s.repeats {
		w.mark(pc, interp.SiteRepeats)
	}
}
