// The compiler's outline: from a resolved schema to a verified program.

package compile

import (
	"errors"
	"fmt"
	"path"
	"sort"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// Schema compiles a resolved schema for one choice of its axis; "" is the first
// choice, or the only form of a schema without an axis. Errors in the schema are
// a [dsl.Diagnostics].
func Schema(s *schema.Schema, choice string) (*bytecode.Program, error) {
	c := &compiler{s: s, routines: map[string]uint32{}, encodings: map[string]uint32{}, strings: map[string]uint32{}, armTypes: map[*schema.Arm]uint32{}, recTypes: map[string]uint32{}}
	if err := c.choose(choice); err != nil {
		return nil, err
	}
	if s.Root == "" {
		c.errorf(s.Decl.Pos, 6, dsl.CodeSchema, "schema %q has no root, so there is nothing to read", s.ID).
			WithHint("add `root NAME` to it, or load a schema that extends it")
		return nil, c.diags.Err()
	}
	c.layout()
	c.program()
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
	recTypes  map[string]uint32
	pending   []func()
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

// unsafe puts what the verifier refused into words of the schema.
func (c *compiler) unsafe(e *bytecode.VerifyError) {
	pos := c.s.Decl.Pos
	if e.PC >= 0 && e.PC < len(c.p.Code) {
		if r := c.p.Code[e.PC].Rule; int(r) < len(c.p.Rules) {
			pos = dsl.Pos{Filename: c.fileNamed(c.p.Rules[r].File), Line: int(c.p.Rules[r].Line), Column: 1}
		}
	}
	c.errorf(pos, 0, dsl.CodeNoProgress, "%s", e.Msg).
		WithHint("every element of a list, and every step of a recursion, must use up at least one byte")
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
		arms := append([]*schema.Arm(nil), u.Arms...)
		sort.SliceStable(arms, func(i, j int) bool {
			if arms[i].Else != arms[j].Else {
				return arms[j].Else
			}
			return arms[i].ID < arms[j].ID
		})
		for _, a := range arms {
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
	switch {
	case s.Union(s.Root) != nil:
		c.p.Root = c.unionRoutine(s.Union(s.Root))
	case s.Type(s.Root) != nil:
		c.p.Root = c.typeRoutine(s.Type(s.Root))
	default:
		c.unknownType(&root)
		return
	}
	for len(c.pending) > 0 {
		next := c.pending[0]
		c.pending = c.pending[1:]
		next()
	}
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
			c.errorf(c.s.Decl.Pos, 6, dsl.CodeUnknown, "the rule for equal keys names %s, which is no arm", n)
		}
	}
	return out
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
