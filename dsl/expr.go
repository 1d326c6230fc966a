// Expressions: numbers, names, sums and conditions.

package dsl

// Expr is an expression; || binds weakest, then &&, comparisons, sums, products.
type Expr struct {
	Pos   Pos
	Left  *AndExpr   `parser:"@@"`
	Right []*AndExpr `parser:"( '||' @@ )*"`
}

// AndExpr is a chain of conditions that must all hold.
type AndExpr struct {
	Pos   Pos
	Left  *CmpExpr   `parser:"@@"`
	Right []*CmpExpr `parser:"( '&&' @@ )*"`
}

// CmpExpr is a sum, or a comparison of two sums. "a outside i32" holds where
// the scalar cannot hold the number exactly.
type CmpExpr struct {
	Pos   Pos
	Left  *Sum   `parser:"@@"`
	Op    string `parser:"( @( '==' | '!=' | '<=' | '>=' | '<' | '>' | 'outside' )"`
	Right *Sum   `parser:"@@ )?"`
}

// Sum is terms added, subtracted, or combined bit by bit.
type Sum struct {
	Pos   Pos
	Left  *Product `parser:"@@"`
	Right []*Term  `parser:"@@*"`
}

// Term is one more term of a sum.
type Term struct {
	Pos Pos
	Op  string   `parser:"@( '+' | '-' | '^' )"`
	X   *Product `parser:"@@"`
}

// Product is factors multiplied, divided, shifted or masked.
type Product struct {
	Pos   Pos
	Left  *Unary    `parser:"@@"`
	Right []*Factor `parser:"@@*"`
}

// Factor is one more factor of a product.
type Factor struct {
	Pos Pos
	Op  string `parser:"@( '*' | '/' | '%' | '<<' | '>>' | '&' )"`
	X   *Unary `parser:"@@"`
}

// Unary is a primary expression, negated or not.
type Unary struct {
	Pos Pos
	Op  string   `parser:"@( '-' | '!' )?"`
	X   *Primary `parser:"@@"`
}

// Primary is a number, a code of letters, a name, a call, or an expression in parentheses.
type Primary struct {
	Pos  Pos
	Num  *Num   `parser:"( @@"`
	Code string `parser:"| @Code"`
	Call *Call  `parser:"| @@"`
	Sub  *Expr  `parser:"| '(' @@ ')' )"`
}

// Call is a name, with arguments where it is a function.
type Call struct {
	Pos    Pos
	Name   *Name   `parser:"@@"`
	IsCall bool    `parser:"( @'('"`
	Args   []*Expr `parser:"( @@ ( ',' @@ )* )? ')' )?"`
}
