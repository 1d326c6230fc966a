// Enumeration of mutants: the operators and the places that they apply to.

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/octable/octable/fuzz/overlay"
)

// Mutant is one change of one function.
type Mutant struct {
	overlay.Edit
	Folder   string // of the package
	Function string // such as (*reading).take
	Operator string
	Old, Now string // the changed expression or statement on one line, before and after
	Line     int
	Column   int
	Reach    token.Position // in a block that is run if the change is: coverage leaves out the conditions of cases
	Key      string         // Folder, function and expression: it stays when lines move
}

func (m *Mutant) String() string {
	return fmt.Sprintf("%s:%d:%d %s: %s", m.File, m.Line, m.Column, m.Function, m.change())
}

func (m *Mutant) change() string { return m.Old + " => " + m.Now }

// swaps are the operators that replace an operator.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.OR, token.AND_NOT: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN, token.XOR_ASSIGN: token.OR_ASSIGN,
	token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN, token.INC: token.DEC, token.DEC: token.INC,
}

// Code that makes text for people: mutants in it are no measure of the tests of bytes.
var (
	textCall     = regexp.MustCompile(`(?i)^(errorf|sprint\w*|fail|failed|refuse|refused|refuses|errors?|withhint|describe|diagnose|countof|panic|quote\w*|plural|\w*error)$`)
	failing      = regexp.MustCompile(`(?i)^(fail|failed|refuse|refused|errorf|withhint|\w*error)$`) // their results are false or an error
	textFunction = regexp.MustCompile(`^(Error|String|GoString|Doc|describe|plural|message|Message|hint|quote\w*|\w+Text|\w*[hH]int)$`)
	textFile     = regexp.MustCompile(`(^|_)error\.go$|^stop\.go$`)
	generated    = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
)

// mutants returns all mutants of the files of a package.
func mutants(root, folder string) ([]*Mutant, error) {
	names, err := overlay.List(root, `{{join .GoFiles " "}}`, "./"+folder)
	if err != nil {
		return nil, err
	}
	var out []*Mutant
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(folder), name))
		if err != nil {
			return nil, err
		}
		if generated.Match(text) || textFile.MatchString(name) {
			continue
		}
		list, err := mutantsOf(folder, path.Join(folder, name), string(text))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// mutantsOf returns all mutants of a file.
func mutantsOf(folder, name, text string) ([]*Mutant, error) {
	f := &file{folder: folder, name: name, text: text, set: token.NewFileSet(), counts: map[string]int{}}
	tree, err := parser.ParseFile(f.set, f.name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range tree.Decls {
		if fn, is := d.(*ast.FuncDecl); is && fn.Body != nil && !textFunction.MatchString(fn.Name.Name) {
			f.fn = f.functionName(fn)
			f.block(fn.Body, fn.Type)
		}
	}
	return f.out, nil
}

// file enumerates the mutants of a file.
type file struct {
	folder, name, text string
	set                *token.FileSet
	fn                 string
	counts             map[string]int // of keys in a function
	above              []ast.Node     // the nodes around the one at hand, and it
	out                []*Mutant
}

func (f *file) functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	return "(" + oneLine(f.source(fn.Recv.List[0].Type)) + ")." + fn.Name.Name
}

func (f *file) at(p token.Pos) int { return f.set.Position(p).Offset }

func (f *file) source(n ast.Node) string { return f.text[f.at(n.Pos()):f.at(n.End())] }

// oneLine returns a text without line breaks, at most 160 bytes long.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 160 {
		s = s[:110] + " … " + s[len(s)-47:]
	}
	return s
}

// unreachable matches a line whose statement has the reason why no test runs it.
var unreachable = regexp.MustCompile(`^[^\n]*[^\s{:]\s*// unreachable: \S`)

// add adds a mutant that replaces the bytes from..to of a node.
func (f *file) add(operator string, node ast.Node, from, to int, text string) {
	begin, end := f.at(node.Pos()), f.at(node.End())
	if unreachable.MatchString(f.text[begin:]) {
		return
	}
	at := f.set.Position(node.Pos())
	m := &Mutant{
		Edit: overlay.Edit{File: f.name, From: from, To: to, New: text}, Folder: f.folder, Function: f.fn, Operator: operator,
		Old: oneLine(f.text[begin:end]), Now: oneLine(f.text[begin:from] + text + f.text[to:end]), Line: at.Line, Column: at.Column, Reach: at,
	}
	for i := 2; i < len(f.above)-1; i++ {
		if _, is := f.above[i].(*ast.CaseClause); is {
			if _, is := f.above[i+1].(ast.Expr); is {
				m.Reach = f.set.Position(f.above[i-2].Pos())
				break
			}
		}
	}
	m.Key = f.folder + " " + f.fn + ": " + m.change()
	if f.counts[m.Key]++; f.counts[m.Key] > 1 {
		m.Key += fmt.Sprintf(" #%d", f.counts[m.Key])
	}
	f.out = append(f.out, m)
}

func (f *file) replace(operator string, node ast.Node, text string) {
	f.add(operator, node, f.at(node.Pos()), f.at(node.End()), text)
}

// block adds the mutants of the body of a function.
func (f *file) block(body *ast.BlockStmt, of *ast.FuncType) {
	above := f.above
	defer func() { f.above = above }()
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			f.above = f.above[:len(f.above)-1]
			return false
		}
		f.above = append(f.above, n)
		if !f.visit(n, of) {
			f.above = f.above[:len(f.above)-1]
			return false
		}
		return true
	})
}

// visit adds the mutants of a node, and reports whether its children are enumerated too.
func (f *file) visit(n ast.Node, of *ast.FuncType) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		f.block(n.Body, n.Type)
		return false
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.CallExpr:
		return f.call(n)
	case ast.Expr:
		f.expr(n)
	case *ast.ReturnStmt:
		f.results(n, of)
	case ast.Stmt:
		f.stmt(n)
	}
	return true
}

// context returns the smallest expression or statement around the node at hand that says where it is.
func (f *file) context() ast.Node {
	i := len(f.above) - 1
	for ; i > 0 && len(f.source(f.above[i])) < 16; i-- {
		switch f.above[i-1].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt:
			return f.above[i]
		}
	}
	return f.above[i]
}

// calleeName returns the last name of what a call calls.
func calleeName(n *ast.CallExpr) string {
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// call reports whether the arguments of a call are enumerated as any code. A capacity has no effect on results.
func (f *file) call(n *ast.CallExpr) bool {
	name := calleeName(n)
	if name == "make" && len(n.Args) == 3 {
		f.expr(n.Args[1])
	}
	return !textCall.MatchString(name) && name != "make" && name != "Grow"
}

func (f *file) expr(n ast.Expr) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if to, ok := swaps[n.Op]; ok && !f.isText(n.X) && !f.isText(n.Y) {
			at := f.at(n.OpPos)
			f.add("operator", n, at, at+len(n.Op.String()), to.String())
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.replace("negation", n, f.source(n.X))
		} else if n.Op == token.SUB {
			f.replace("sign", n, "+"+f.source(n.X))
		}
	case *ast.BasicLit:
		if f.unused() {
			return
		}
		if x, err := strconv.ParseUint(n.Value, 0, 63); n.Kind == token.INT && err == nil {
			f.add("constant", f.context(), f.at(n.Pos()), f.at(n.End()), strconv.FormatUint(x+1, 10))
			if x > 0 {
				f.add("constant", f.context(), f.at(n.Pos()), f.at(n.End()), strconv.FormatUint(x-1, 10))
			}
		}
	}
}

// unused reports whether the literal at hand is a result that the last one, false or an error, makes meaningless.
func (f *file) unused() bool {
	if len(f.above) < 2 {
		return false
	}
	of, is := f.above[len(f.above)-2].(*ast.ReturnStmt)
	if !is {
		return false
	}
	switch last := of.Results[len(of.Results)-1].(type) {
	case *ast.Ident:
		return last.Name == "false" || last.Name == "err"
	case *ast.CallExpr:
		return failing.MatchString(calleeName(last))
	}
	return false
}

// isText reports whether an operand is the text of a message.
func (f *file) isText(e ast.Expr) bool {
	lit, is := e.(*ast.BasicLit)
	return is && lit.Kind == token.STRING && strings.Contains(lit.Value, " ")
}

// condition negates a condition that is no comparison, which the operators change.
func (f *file) condition(e ast.Expr) {
	switch e := e.(type) {
	case nil, *ast.UnaryExpr:
		return
	case *ast.BinaryExpr:
		if swaps[e.Op] == token.EQL || swaps[e.Op] == token.NEQ {
			return
		}
	}
	f.replace("condition", e, "!("+f.source(e)+")")
}

func (f *file) stmt(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.condition(n.Cond)
	case *ast.ForStmt:
		f.condition(n.Cond)
	case *ast.IncDecStmt:
		at := f.at(n.TokPos)
		f.add("operator", n, at, at+2, swaps[n.Tok].String())
		f.replace("removal", n, "")
	case *ast.AssignStmt:
		f.assign(n)
	case *ast.ExprStmt:
		if call, is := n.X.(*ast.CallExpr); is && calleeName(call) != "panic" {
			f.replace("removal", n, "")
		}
	case *ast.BranchStmt:
		switch n.Tok {
		case token.BREAK:
			f.add("branch", n, f.at(n.TokPos), f.at(n.TokPos)+len("break"), "continue")
		case token.CONTINUE:
			f.add("branch", n, f.at(n.TokPos), f.at(n.TokPos)+len("continue"), "break")
		}
	}
}

func (f *file) assign(n *ast.AssignStmt) {
	switch n.Tok {
	case token.DEFINE:
	case token.ASSIGN:
		blank := true
		var names []string
		for _, x := range n.Lhs {
			id, is := x.(*ast.Ident)
			blank = blank && is && id.Name == "_"
			names = append(names, "_")
		}
		if !blank {
			begin := f.at(n.Pos())
			f.add("removal", n, begin, f.at(n.TokPos), strings.Join(names, ", ")+" ")
		}
	default:
		if to, ok := swaps[n.Tok]; ok {
			at := f.at(n.TokPos)
			f.add("operator", n, at, at+len(n.Tok.String()), to.String())
		}
		f.replace("removal", n, "")
	}
}

// results changes the results of a return: an error becomes nil, a truth value the other one.
func (f *file) results(n *ast.ReturnStmt, of *ast.FuncType) {
	if of.Results == nil || len(n.Results) == 0 {
		return
	}
	last := of.Results.List[len(of.Results.List)-1].Type
	for _, x := range n.Results {
		if id, is := x.(*ast.Ident); is && (id.Name == "true" || id.Name == "false") {
			f.replace("result", id, map[string]string{"true": "false", "false": "true"}[id.Name])
		}
	}
	x := n.Results[len(n.Results)-1]
	id, plain := x.(*ast.Ident)
	if typ, is := last.(*ast.Ident); is && typ.Name == "error" && (!plain || id.Name != "nil") && len(n.Results) == of.Results.NumFields() {
		f.add("result", n, f.at(x.Pos()), f.at(x.End()), "nil")
	}
}
