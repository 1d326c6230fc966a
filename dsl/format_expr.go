// Printing expressions.

package dsl

// Text prints an expression in the one style of the language. If tight is true, arithmetic
// has no spaces, as in offsets and lengths.
func (e *Expr) Text(tight bool) string { return (&printer{limit: -1}).exprText(e, tight) }

func (p *printer) expr(e *Expr) { p.add(p.exprText(e, false)) }

func (p *printer) exprText(e *Expr, tight bool) string {
	if e == nil {
		return ""
	}
	s := p.and(e.Left, tight)
	for _, r := range e.Right {
		s += " " + p.token("||") + " " + p.and(r, tight)
	}
	return s
}

func (p *printer) exprList(list []*Expr, tight bool) string {
	s := ""
	for i, e := range list {
		if i > 0 {
			s += p.token(",") + " "
		}
		s += p.exprText(e, tight)
	}
	return s
}

func (p *printer) and(e *AndExpr, tight bool) string {
	s := p.cmp(e.Left, tight)
	for _, r := range e.Right {
		s += " " + p.token("&&") + " " + p.cmp(r, tight)
	}
	return s
}

func (p *printer) cmp(e *CmpExpr, tight bool) string {
	s := p.sum(e.Left, tight)
	if e.Op != "" {
		s += " " + p.token(e.Op) + " " + p.sum(e.Right, tight)
	}
	return s
}

func (p *printer) operator(op string, tight bool) string {
	if tight {
		return p.token(op)
	}
	return " " + p.token(op) + " "
}

func (p *printer) sum(e *Sum, tight bool) string {
	s := p.product(e.Left, tight)
	for _, t := range e.Right {
		s += p.operator(t.Op, tight) + p.product(t.X, tight)
	}
	return s
}

func (p *printer) product(e *Product, tight bool) string {
	s := p.unary(e.Left, tight)
	for _, f := range e.Right {
		s += p.operator(f.Op, tight) + p.unary(f.X, tight)
	}
	return s
}

func (p *printer) unary(e *Unary, tight bool) string {
	s := ""
	if e.Op != "" {
		s = p.token(e.Op)
	}
	switch x := e.X; {
	case x.Num != nil:
		s += p.token(x.Num.Text)
	case x.Code != "":
		s += p.token(x.Code)
	case x.Call != nil:
		s += p.token(x.Call.Name.Text)
		if x.Call.IsCall {
			s += p.token("(") + p.exprList(x.Call.Args, tight) + p.token(")")
		}
	case x.Sub != nil:
		s += p.token("(") + p.exprText(x.Sub, tight) + p.token(")")
	}
	return s
}
