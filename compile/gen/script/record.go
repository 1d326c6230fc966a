// Records: the variables of the functions that read and write one.

package script

import (
	"fmt"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// Record is a record or an arm while one of its functions is printed.
type Record struct {
	Routine *model.Routine
	Type    *model.Type
	Body    []*model.Stmt
	Writing bool
	Uses    map[int]bool // registers that the function looks at
	Named   []Member     // of a tuple of numbers with names

	name      string // of the record, as a part of the names of functions
	rule      int
	side      string // the variable of the reader or the writer
	variables []*Variable
	vars      map[string]*Variable
	replaced  map[int]bool // cells that may be replaced before they are written
	tested    map[int]bool // cells that a writer has tested in this block or around it
	pad       bool
	regions   []int // that are open
	region    int   // the last number of a place or region
}

// Variable is a register or a cell that a function sets.
type Variable struct {
	Name  string
	Reg   int
	Field *model.Field // of a cell, or nil
	Once  bool         // it is set once, and outside of branches
	Early bool         // it is in a branch, or looked at before it is set
}

// Cell is the variable of a cell.
func Cell(i int) string { return fmt.Sprintf("c%d", i) }

// Reg is the variable of a register.
func Reg(i int) string { return fmt.Sprintf("r%d", i) }

// each calls record for each record, without an arm, and union for each union. The arms of
// a union follow it.
func (g *Module) each(union func(*model.Routine), record func(*model.Routine, *model.Arm)) {
	for _, r := range g.Routines {
		if r.Union == nil {
			record(r, nil)
			continue
		}
		union(r)
		for _, a := range r.Union.Arms {
			record(r, a)
		}
	}
}

// begin starts a function of a routine, or of an arm if there is one.
func (g *Module) begin(r *model.Routine, a *model.Arm, writing bool) {
	rec := &Record{
		Routine: r, Type: r.Type, Body: r.Body, Writing: writing, name: g.Function[r], rule: r.Rule,
		side: "r", vars: map[string]*Variable{}, replaced: map[int]bool{}, tested: map[int]bool{},
	}
	if a != nil {
		rec.Type, rec.Body, rec.name, rec.rule = a.Type, a.Body, g.Arm[a], a.Rule
	}
	if writing {
		rec.side = "w"
	}
	rec.Uses = model.Uses(rec.Body, writing)
	g.Record = rec
	if rec.Type != nil && Named(rec.Type) {
		rec.Named = g.Members(rec.Type)
	}
	rec.note(rec.Body, false)
	g.p.Begin()
}

// note finds the variables that a block sets.
func (r *Record) note(block []*model.Stmt, branch bool) {
	for _, s := range block {
		r.pad = r.pad || s.Op == model.OpPad
		if s.Op == model.OpSubst {
			r.replaced[s.Cell] = true
		}
		if v := r.Sets(s); v != nil {
			known := r.vars[v.Name]
			if known == nil {
				known = v
				r.vars[v.Name] = v
				r.variables = append(r.variables, v)
			} else {
				known.Once = false
			}
			known.Early = known.Early || branch || s.Op == model.OpPatch || s.Op == model.OpBits
			known.Once = known.Once && !known.Early
		}
		r.note(s.Then, true)
		r.note(s.Else, true)
	}
}

// Sets returns the variable that a statement sets, or nil.
func (r *Record) Sets(s *model.Stmt) *Variable {
	reg := func(i int) *Variable { return &Variable{Name: Reg(i), Reg: i, Once: true} }
	switch s.Op {
	case model.OpWord, model.OpHeader:
		if s.Place >= 0 && r.Writing {
			return reg(s.Place)
		}
		if r.Writing || s.Op == model.OpWord {
			return reg(s.Reg)
		}
	case model.OpLet, model.OpMark, model.OpSize:
		return reg(s.Reg)
	case model.OpChoose:
		if r.Writing {
			return reg(s.Reg)
		}
	case model.OpTotal:
		if r.Writing || !s.Any {
			return reg(s.Reg)
		}
	case model.OpSum:
		if s.Needed(r.Uses, r.Writing) {
			return reg(s.Reg)
		}
	case model.OpPatch, model.OpBits:
		if r.Writing {
			return reg(s.Reg)
		}
	default:
		if s.Op.Keeps() && !r.Writing {
			return &Variable{Name: Cell(s.Cell), Field: r.Type.Fields[s.Cell], Once: true}
		}
	}
	return nil
}

// Tested reports whether a cell has the kind of its field when an expression is computed.
// A number that an earlier row is computed from is tested after that.
func (r *Record) Tested(cell int) bool { return r.tested[cell] }

// Variable returns the variable with a name.
func (r *Record) Variable(name string) *Variable { return r.vars[name] }

// declare prints the variables that are not declared when they are set.
func (g *Module) declare() {
	rec := g.Record
	for _, v := range rec.variables {
		if !v.Once && (v.Field != nil || rec.Uses[v.Reg] && v.Reg >= rec.Routine.Args) {
			g.p.Declare(v)
		}
	}
	if !rec.Writing {
		for i, f := range rec.Type.Fields {
			if f.Shape.Kind == model.Unit {
				g.Do(g.l.Let, Cell(i), g.Absent(f))
			}
		}
	}
	if rec.pad {
		g.Do(g.l.Var, "last", "0")
	}
}

// next returns a variable for a place or a region.
func (r *Record) next() int {
	r.region++
	return r.region
}

// Place returns the name of a variable for a place.
func (r *Record) Place() string { return fmt.Sprintf("at%d", r.next()) }

// params returns the registers that a function takes. A routine takes all of its arguments. An
// arm takes those that it uses, and the word that selected it.
func (g *Module) params(r *model.Routine, a *model.Arm, writing bool) []int {
	switch {
	case a == nil:
		return r.Arguments()
	case !writing:
		return a.Registers(r)
	}
	var out []int
	uses := model.Uses(a.Body, true)
	for _, i := range r.Arguments() {
		if uses[i] {
			out = append(out, i)
		}
	}
	return out
}

// declared returns the parameters of a function of the record.
func (g *Module) declared(first []Param, regs []int) []Param {
	for _, i := range regs {
		first = append(first, Param{Reg(i), g.p.Register(i)})
	}
	return first
}

// call returns the call of a function with registers.
func call(name, first string, regs []int) string {
	for _, i := range regs {
		first += ", " + Reg(i)
	}
	return name + "(" + first + ")"
}

// enter prints the beginning of a routine that counts.
func (g *Module) enter(r *model.Routine) {
	if r.Nests || g.CountCalls {
		g.Do("%s.%s(%s, %d)", g.Record.side, g.l.Join("enter", "routine"), g.Boolean(r.Nests), r.Rule)
	}
}

func (g *Module) leave(r *model.Routine) {
	if r.Nests || g.CountCalls {
		g.Do("%s.%s(%s)", g.Record.side, g.l.Join("leave", "routine"), g.Boolean(r.Nests))
	}
}

// word is the statement that reads the word of a union.
func word(u *model.Switch) *model.Stmt {
	return &model.Stmt{Op: model.OpWord, Scalar: u.Word, Swapped: u.Swapped, Reg: u.Reg, Rule: u.Rule, Place: -1}
}

// hasWord reports whether a union has a word.
func hasWord(u *model.Switch) bool { return u.Word != builtin.NoScalar }
