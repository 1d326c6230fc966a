// Rows of either byte order: a number whose order follows from a field is a choice of two statements. Choices
// with the same condition in succession become one choice of two blocks, each of which is one run.

package golang

import (
	"reflect"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// joined returns a block in which choices with the same condition, and simple statements around them, are one
// choice.
func joined(block []*model.Stmt) []*model.Stmt {
	var out []*model.Stmt
	for i := 0; i < len(block); i++ {
		s := block[i]
		n := joinable(block[i:])
		if n < 2 {
			out = append(out, s)
			continue
		}
		begin := len(out)
		for begin > 0 && isSimple(out[begin-1]) && !sets(out[begin-1], s.Expr) {
			begin--
		}
		all := append(append([]*model.Stmt(nil), out[begin:]...), block[i:i+n]...)
		choice := *s
		choice.Then, choice.Else = nil, nil
		for _, t := range all {
			if isChoice(t, s) {
				choice.Then, choice.Else = append(choice.Then, t.Then...), append(choice.Else, t.Else...)
			} else {
				choice.Then, choice.Else = append(choice.Then, t), append(choice.Else, t)
			}
		}
		out = append(out[:begin], &choice)
		i += n - 1
	}
	return out
}

// joinable returns how many statements at the beginning of a block can be one choice. It returns 0 or 1
// if that is not worth it.
func joinable(block []*model.Stmt) int {
	s := block[0]
	if s.Op != model.OpIf || len(s.Else) == 0 || !ofRegisters(s.Expr) || sets(s, s.Expr) {
		return 0
	}
	n, choices := 1, 1
	for _, t := range block[1:] {
		choice := isChoice(t, s)
		if sets(t, s.Expr) || !choice && !isSimple(t) {
			break
		}
		n++
		if choice {
			choices++
		}
	}
	if choices < 2 {
		return 1
	}
	return n
}

// isChoice reports whether a statement is a choice between one statement each with the condition of another.
func isChoice(t, s *model.Stmt) bool {
	return t.Op == model.OpIf && len(t.Then) > 0 && len(t.Else) > 0 && reflect.DeepEqual(t.Expr, s.Expr)
}

// isSimple reports whether a statement is about one row of fixed size, or about registers.
func isSimple(s *model.Stmt) bool {
	return fixed(s) > 0 || between(s) || s.Op == model.OpCheck || s.Op == model.OpMark ||
		s.Op == model.OpPacked && s.Expr != nil && s.Expr.Op == builtin.Num && s.End == nil
}

// sets reports whether a statement sets a register of an expression.
func sets(s *model.Stmt, e *model.Expr) bool {
	set := assigned([]*model.Stmt{s})
	found := false
	e.Walk(func(x *model.Expr) { found = found || x.Op == builtin.Ref && set[x.Reg] })
	return found
}

// assigned returns the registers that are set in a block.
func assigned(block []*model.Stmt) map[int]bool {
	set := map[int]bool{}
	model.Walk(block, func(s *model.Stmt) {
		switch s.Op {
		case model.OpHeader, model.OpWord, model.OpLet, model.OpMark, model.OpSize, model.OpPatch, model.OpBits, model.OpSum, model.OpTotal, model.OpChoose:
			set[s.Reg] = true
			if s.Op == model.OpWord && s.Place >= 0 {
				set[s.Place] = true
			}
		}
	})
	return set
}
