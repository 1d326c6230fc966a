// The compiler's outline: from a resolved schema to a verified program.

package compile

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// Schema compiles a resolved schema for one choice of its axis; "" is the first
// choice, or the only form of a schema without an axis. Errors in the schema are
// a [dsl.Diagnostics].
func Schema(s *schema.Schema, choice string) (*bytecode.Program, error) {
	c := &compiler{s: s, routines: map[string]uint32{}, encodings: map[string]uint32{}, strings: map[string]uint32{}, armTypes: map[*schema.Arm]uint32{}, inPlace: map[string]bool{}}
	if err := c.choose(choice); err != nil {
		return nil, err
	}
	if s.Root == "" {
		c.errorf(s.Decl.Pos, 6, dsl.CodeSchema, "schema %q has no root, so there is nothing to read", s.ID).
			WithHint("add `root NAME` to it, or load a schema that extends it")
		return nil, c.diags.Err()
	}
	if !c.checkAxis() {
		return nil, c.diags.Err()
	}
	c.layout()
	if !c.check() {
		return nil, c.diags.Err()
	}
	c.program()
	c.unused()
	if err := c.diags.Err(); err != nil {
		return nil, err
	}
	if err := bytecode.Verify(c.p); err != nil {
		var ve *bytecode.VerifyError
		if errors.As(err, &ve) {
			c.unsafe(ve)
			return nil, c.diags.Err()
		}
		return nil, err
	}
	return c.p, nil
}

// Choices returns the names of the choices of a schema's axis, or [""].
func Choices(s *schema.Schema) []string {
	if len(s.Axes) == 0 {
		return []string{""}
	}
	var out []string
	for _, c := range s.Axes[0].Choices {
		out = append(out, c.Name.Text)
	}
	return out
}

type compiler struct {
	s         *schema.Schema
	axis      *dsl.Axis
	choice    int // index into the axis' choices
	p         *bytecode.Program
	diags     dsl.Diagnostics
	seen      map[string]bool // diagnostics already reported
	routines  map[string]uint32
	encodings map[string]uint32
	strings   map[string]uint32
	armTypes  map[*schema.Arm]uint32
	pending   []func()
	inPlace   map[string]bool  // records written in place
	sizes     map[string]int64 // of records, -1 where their content matters
}

func (c *compiler) choose(choice string) error {
	if len(c.s.Axes) == 0 {
		if choice != "" {
			return fmt.Errorf("schema %q has no choice %q: it has no axis", c.s.ID, choice)
		}
		return nil
	}
	c.axis = c.s.Axes[0]
	if choice == "" {
		return nil
	}
	for i, ch := range c.axis.Choices {
		if ch.Name.Text == choice {
			c.choice = i
			return nil
		}
	}
	return fmt.Errorf("schema %q has no choice %q of %s; it has %v", c.s.ID, choice, c.axis.Name.Text, Choices(c.s))
}

func (c *compiler) errorf(pos dsl.Pos, width int, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	d := (&dsl.Diagnostics{}).Errorf(c.s.Files[pos.Filename], pos, width, code, format, args...)
	key := d.Error()
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if !c.seen[key] { // arms that several schemas share are compiled for each
		c.seen[key] = true
		c.diags = append(c.diags, d)
	}
	return d
}

// maxNear bounds the diagnostics that suggest a name: to look for one takes longer
// than all else, and nobody reads so many.
const maxNear = 200

// near returns the name that one may be a slip of, or "".
func (c *compiler) near(name string, all func() []string) string {
	if len(c.diags) > maxNear {
		return ""
	}
	return dsl.Nearest(name, all())
}

// unused makes instructions also for what no value contains, so that its mistakes
// are reported. They are thrown away.
func (c *compiler) unused() {
	if len(c.diags) > 0 {
		return
	}
	other := &compiler{s: c.s, axis: c.axis, choice: c.choice, routines: map[string]uint32{}, encodings: map[string]uint32{}, strings: map[string]uint32{}, armTypes: c.armTypes, inPlace: map[string]bool{}}
	other.p = &bytecode.Program{Types: append([]bytecode.Type(nil), c.p.Types...), Rules: []bytecode.Rule{{}}}
	for _, t := range c.s.Types {
		if _, ok := c.routines["type "+t.Name]; !ok && !c.inPlace[t.Name] {
			other.typeRoutine(t)
		}
	}
	for _, u := range c.s.Unions {
		if _, ok := c.routines["union "+u.Name]; !ok {
			other.unionRoutine(u)
		}
	}
	other.rest()
	c.diags = append(c.diags, other.diags...)
}

// rest makes the routines that others have called for.
func (c *compiler) rest() {
	for len(c.pending) > 0 {
		next := c.pending[0]
		c.pending = c.pending[1:]
		next()
	}
}

// unsafe puts what the verifier refused into words of the schema.
func (c *compiler) unsafe(e *bytecode.VerifyError) {
	pos := c.s.Decl.Pos
	if e.PC >= 0 && e.PC < len(c.p.Code) {
		if r := c.p.Code[e.PC].Rule; int(r) < len(c.p.Rules) {
			pos = c.lineStart(c.fileNamed(c.p.Rules[r].File), int(c.p.Rules[r].Line))
		}
	}
	d := c.errorf(pos, 0, dsl.CodeNoProgress, "%s", strings.Replace(e.Msg, "routine ", "", 1))
	if e.Endless {
		d.WithHint("every element of a list, and every step of a recursion, must use up at least one byte, and must be able to end")
		return
	}
	d.Code = dsl.CodeRange
	d.WithHint("the schema asks for more than an interpreter allows; make it smaller, or split a record in two")
}

// lineStart returns the place of the first word of a line.
func (c *compiler) lineStart(file string, line int) dsl.Pos {
	pos := dsl.Pos{Filename: file, Line: line, Column: 1}
	f := c.s.Files[file]
	if f == nil {
		return pos
	}
	n := 0
	for text := range strings.Lines(f.Source) {
		if n++; n == line {
			pos.Column += len(text) - len(strings.TrimLeft(text, " \t"))
			break
		}
		pos.Offset += len(text)
	}
	pos.Offset += pos.Column - 1
	return pos
}

func (c *compiler) fileNamed(base string) string {
	for name := range c.s.Files {
		if path.Base(name) == base {
			return name
		}
	}
	return base
}

// program makes the tables and the code.
func (c *compiler) program() {
	s := c.s
	c.p = &bytecode.Program{Schema: s.ID, Title: s.Title, Big: s.Order == "big", Depth: uint32(max(s.Depth, 1))}
	if s.Depth == 0 {
		c.p.Depth = 1024
	}
	if c.axis != nil {
		c.p.Choice = c.axis.Choices[c.choice].Name.Text
	}
	for _, g := range s.Gates {
		c.p.Gates = append(c.p.Gates, g.Name.Text)
	}
	c.p.Rules = append(c.p.Rules, bytecode.Rule{File: path.Base(s.File.Name), Line: uint32(s.Decl.Pos.Line), Name: s.ID})
	for _, u := range s.Unions {
		for _, a := range sortedArms(u) {
			c.armTypes[a] = uint32(len(c.p.Types))
			c.p.Types = append(c.p.Types, bytecode.Type{Name: a.Name, Label: a.Label, Union: u.Name, ID: a.ID})
		}
	}
	if len(c.p.Types) == 0 {
		c.p.Types = append(c.p.Types, bytecode.Type{})
	}
	root := dsl.Name{Text: s.Root, Pos: s.Decl.Pos}
	for _, p := range s.Decl.Props {
		if p.Root != nil {
			root = *p.Root
		}
	}
	args := 0
	switch u, t := s.Union(s.Root), s.Type(s.Root); {
	case u != nil:
		args = len(u.Args)
	case t != nil:
		args = len(t.Args)
	}
	switch {
	case args > 0:
		c.errorf(root.Pos, len(root.Text), dsl.CodeArgs, "the root takes no arguments, and %s takes %d", root.Text, args).
			WithHint("nothing stands before the root that they could come from; let another type be the root")
		return
	case s.Union(s.Root) != nil:
		c.p.Root = c.unionRoutine(s.Union(s.Root))
	case s.Type(s.Root) != nil:
		c.p.Root = c.typeRoutine(s.Type(s.Root))
	default:
		var all []string
		for _, u := range s.Unions {
			all = append(all, u.Name)
		}
		for _, t := range s.Types {
			all = append(all, t.Name)
		}
		d := c.errorf(root.Pos, len(root.Text), dsl.CodeUnknown, "there is no type or union %s to be the root", root.Text).WithHint("declare it, or name another")
		if near := dsl.Nearest(root.Text, all); near != "" {
			d.WithHint("did you mean %s?", near)
		}
		return
	}
	c.rest()
	c.p.Equal, c.p.Differ = c.keyTypes(s.Equal), c.keyTypes(s.Differ)
	c.p.Exact, c.p.Apart = c.keyTypes(s.Exact), c.keyTypes(s.Apart)
	c.nests()
}

func (c *compiler) keyTypes(names []string) []uint32 {
	var out []uint32
	for _, n := range names {
		found := false
		for i, t := range c.p.Types {
			if t.Name == n && t.Union != "" {
				out = append(out, uint32(i))
				found = true
			}
		}
		if !found {
			c.unknownKey(n)
		}
	}
	return out
}

// unknownKey reports a name in a rule for equal keys that is no arm, where it is
// written or, in a schema that takes the rule over, at the schema's own begin.
func (c *compiler) unknownKey(name string) {
	pos, width := c.s.Decl.Pos, len("schema")
	for _, p := range c.s.Decl.Props {
		for _, n := range slices.Concat(p.Equal, p.Differ, p.Exact, p.Apart) {
			if n.Text == name {
				pos, width = n.Pos, len(name)
			}
		}
	}
	d := c.errorf(pos, width, dsl.CodeUnknown, "the rule for equal keys names %s, which is no arm", name).WithHint("leave it out, or correct the name")
	var all []string
	for _, u := range c.s.Unions {
		for _, a := range u.Arms {
			all = append(all, a.Name)
		}
	}
	if near := c.near(name, func() []string { return all }); near != "" {
		d.WithHint("did you mean %s?", near)
	}
}

// limits reports a record with more fields or numbers than an interpreter allows.
func (c *compiler) limits(pos dsl.Pos, name string, r *record) {
	switch {
	case len(r.cells) > bytecode.MaxCells:
		c.errorf(pos, 1, dsl.CodeRange, "%s has %d fields, and at most %d are allowed", name, len(r.cells), bytecode.MaxCells).WithHint("put some of them into a type of their own")
	case r.regs > bytecode.MaxRegs:
		c.errorf(pos, 1, dsl.CodeRange, "%s has %d numbers to keep while it is read, and at most %d are allowed", name, r.regs, bytecode.MaxRegs).WithHint("put some of them into a type of their own")
	}
}

// nests marks the routines whose calls count towards the depth: the root, if it
// can contain itself, else every union and record that can.
func (c *compiler) nests() {
	calls := make([][]uint32, len(c.p.Routines))
	for i := range c.p.Routines {
		r := &c.p.Routines[i]
		for pc := r.Start; pc < r.End; pc++ {
			switch in := c.p.Code[pc]; in.Op {
			case bytecode.Call, bytecode.Rest:
				calls[i] = append(calls[i], in.A)
			case bytecode.List:
				calls[i] = append(calls[i], in.B)
			case bytecode.Map:
				calls[i] = append(calls[i], in.B, in.D)
			}
		}
	}
	recursive := func(from uint32) bool {
		seen := make([]bool, len(calls))
		work := append([]uint32(nil), calls[from]...)
		for len(work) > 0 {
			i := work[len(work)-1]
			work = work[:len(work)-1]
			if i == from {
				return true
			}
			if int(i) < len(seen) && !seen[i] {
				seen[i] = true
				work = append(work, calls[i]...)
			}
		}
		return false
	}
	if recursive(c.p.Root) {
		c.p.Routines[c.p.Root].Nests = true
		return
	}
	for i := range c.p.Routines {
		c.p.Routines[i].Nests = recursive(uint32(i))
	}
}
