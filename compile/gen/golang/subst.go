// Values that a writer puts in place of others.

package golang

import "github.com/octable/octable/compile/gen/model"

// subst prints the function that replaces values of a union.
func (p *emitter) subst(r *model.Routine) {
	g := p.g
	p.f("// subst%s replaces a value by the one that is written in its place.\n", g.routine[r])
	p.f("func (w *writer) subst%s(c *Value) {\nfor range 4 {\nif c.kind == KindNone {\nreturn\n}\nswitch c.tag {\n", g.routine[r])
	for _, a := range r.Union.Arms {
		if len(a.Type.Writes) == 0 {
			continue
		}
		p.f("case %s:\n", g.typeConst[a.Type])
		into, used := "nil", a.Type.Replaces()
		if len(used) > 0 {
			p.f("var cells [%d]Value\n", len(a.Type.Fields))
			into = "cells[:]"
		}
		p.f("if !distribute(%s, *c, %s) {\nreturn\n}\n", g.info(a.Type), into)
		for _, i := range used {
			p.f("c%d := cells[%d]\n", i, i)
		}
		p.replacements(a.Type, "Value{}", func(w *model.Write) {
			tag := g.tag(w.Type)
			p.f("if c.tag == %s && c.kind == KindText && c.Text() == %q {\nreturn\n}\n*c = makeText(%s, %q)\ncontinue\n", tag, w.Text, tag, w.Text)
		})
	}
	p.f("default:\nreturn\n}\n}\n}\n\n")
}

// replacements prints the values that are written in place of a value c of an arm, each under its condition.
// absent is no value, and text prints the assignment of a text.
func (p *emitter) replacements(t *model.Type, absent string, text func(*model.Write)) {
	always := false
	for i := range t.Writes {
		w := &t.Writes[i]
		if always = w.When == nil; !always {
			p.f("if %s {\n", p.g.cond(w.When, "w"))
		}
		if w.Absent {
			p.f("*c = %s\nreturn\n", absent)
		} else {
			text(w)
		}
		if !always {
			p.f("}\n")
		}
	}
	if !always {
		p.f("return\n")
	}
}
