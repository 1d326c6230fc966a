package audit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/octable/octable/conformance/internal/pattern"
	"github.com/octable/octable/dsl/schema"
)

// elementIndex is the variable that counts the elements of an array.
const elementIndex = "i"

// arrayLength is the variable for the number of elements of an array.
const arrayLength = "length"

// A place is the normal form of an offset or length cell. It is an expression,
// or a range from an expression to another.
type place struct {
	from, to schema.Linear
	isRange  bool
}

// normal returns a string that is the same for equal places. A range from a
// to a+length*k is the place a+i*k of element i.
func (p place) normal() string {
	if !p.isRange {
		return p.from.String()
	}
	span := p.to.Plus(p.from, -1)
	if k := span.Coef[arrayLength]; k > 0 && span.Num == 0 && len(span.Coef) == 1 {
		return p.from.Plus(schema.Letter(elementIndex), k).String()
	}
	return p.from.String() + ".." + p.to.String()
}

// isElement reports whether p is a place in an element of an array.
func (p place) isElement() bool {
	return p.from.Coef[elementIndex] != 0 || p.to.Coef[arrayLength] != 0
}

// maxExpr limits the length of an expression, and with it the depth of the
// parser.
const maxExpr = 200

// parsePlace reads the text of an offset or length cell.
func parsePlace(text string) (place, error) {
	text = strings.ReplaceAll(text, `\`, "")
	if len(text) > maxExpr {
		return place{}, fmt.Errorf("is longer than %d bytes", maxExpr)
	}
	a, b, isRange := strings.Cut(text, "..")
	from, err := parseLinear(a)
	if err != nil {
		return place{}, err
	}
	if !isRange {
		return place{from: from}, nil
	}
	to, err := parseLinear(b)
	if err != nil {
		return place{}, err
	}
	return place{from, to, true}, nil
}

func parseLinear(text string) (schema.Linear, error) {
	p := exprParser{s: strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t':
			return -1
		case '×', '·':
			return '*'
		}
		return r
	}, text)}
	l, err := p.sum()
	if err == nil && p.i < len(p.s) {
		err = fmt.Errorf("has %q where an operator was expected", p.s[p.i:])
	}
	if err == nil && !l.Small() {
		err = fmt.Errorf("has a number or a factor that is too large")
	}
	return l, err
}

type exprParser struct {
	s string
	i int
}

func (p *exprParser) accept(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *exprParser) sum() (schema.Linear, error) {
	l, err := p.product()
	for err == nil {
		sign := int64(1)
		if p.accept('-') {
			sign = -1
		} else if !p.accept('+') {
			break
		}
		var m schema.Linear
		if m, err = p.product(); err == nil {
			l = l.Plus(m, sign)
		}
	}
	return l, err
}

func (p *exprParser) product() (schema.Linear, error) {
	l, err := p.factor()
	for err == nil && p.accept('*') {
		var m schema.Linear
		if m, err = p.factor(); err == nil {
			var ok bool
			if l, ok = l.Times(m); !ok {
				err = fmt.Errorf("multiplies two variables")
			}
		}
	}
	return l, err
}

func (p *exprParser) factor() (schema.Linear, error) {
	if p.accept('(') {
		l, err := p.sum()
		if err == nil && !p.accept(')') {
			err = fmt.Errorf("lacks a closing parenthesis")
		}
		return l, err
	}
	start := p.i
	if m := hexadecimal.FindString(p.s[p.i:]); m != "" {
		n, err := strconv.ParseInt(m[2:], 16, 64)
		if p.i += len(m); err != nil {
			return schema.Linear{}, fmt.Errorf("has the number %s, which does not fit 64 bits", m)
		}
		return schema.Constant(n), nil
	}
	for p.i < len(p.s) && isDigit(p.s[p.i]) {
		p.i++
	}
	if digits := p.s[start:p.i]; digits != "" {
		if len(digits) > 1 && digits[0] == '0' {
			return schema.Linear{}, fmt.Errorf("has the number %s with a leading zero", digits)
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return schema.Linear{}, fmt.Errorf("has the number %s, which does not fit 64 bits", digits)
		}
		return schema.Constant(n), nil
	}
	for p.i < len(p.s) && isLetter(p.s[p.i]) {
		p.i++
	}
	name := p.s[start:p.i]
	switch strings.ToLower(name) {
	case "":
		return schema.Linear{}, fmt.Errorf("lacks a number or a variable")
	case "length", "len", "n":
		name = arrayLength
	}
	return schema.Letter(name), nil
}

var hexadecimal = pattern.New(`^0[xX][0-9A-Fa-f]+`)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// Place returns the linear form of an offset or length cell. element reports whether it is
// the place of an element of an array.
func Place(cell string) (text string, element, ok bool) {
	cell = Translated("offset", cell)
	if cell == "element" {
		return "", true, true
	}
	p, err := parsePlace(strings.ReplaceAll(cell, "`", ""))
	if err != nil {
		return "", false, false
	}
	return p.normal(), p.isElement(), true
}
