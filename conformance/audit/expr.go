package audit

import (
	"fmt"
	"math/big"
	"sort"
	"strings"
)

// A linear is a sum of variables with whole factors. The constant part has
// the variable "".
type linear map[string]*big.Int

// elementIndex is the variable that counts the elements of an array.
const elementIndex = "i"

// arrayLength is the variable for the number of elements of an array.
const arrayLength = "length"

func (l linear) add(m linear, sign int64) linear {
	sum := linear{}
	for v, c := range l {
		sum[v] = new(big.Int).Set(c)
	}
	for v, c := range m {
		term := new(big.Int).Mul(c, big.NewInt(sign))
		if old := sum[v]; old != nil {
			term.Add(term, old)
		}
		sum[v] = term
	}
	for v, c := range sum {
		if c.Sign() == 0 {
			delete(sum, v)
		}
	}
	return sum
}

// constant returns the value of l if no variable occurs in it.
func (l linear) constant() (*big.Int, bool) {
	switch len(l) {
	case 0:
		return new(big.Int), true
	case 1:
		if c := l[""]; c != nil {
			return c, true
		}
	}
	return nil, false
}

func (l linear) mul(m linear) (linear, error) {
	c, ok := m.constant()
	if !ok {
		if c, ok = l.constant(); !ok {
			return nil, fmt.Errorf("multiplies two variables")
		}
		l = m
	}
	product := linear{}
	for v, f := range l {
		if p := new(big.Int).Mul(f, c); p.Sign() != 0 {
			product[v] = p
		}
	}
	return product, nil
}

func (l linear) String() string {
	vars := make([]string, 0, len(l))
	for v := range l {
		vars = append(vars, v)
	}
	sort.Strings(vars)
	var terms []string
	for _, v := range vars {
		terms = append(terms, fmt.Sprintf("%s*%s", l[v], v))
	}
	return strings.Join(terms, "+")
}

// A place is the normal form of an offset or length cell: an expression, or
// a range from an expression to another.
type place struct {
	from, to linear // to is nil if it is no range
}

// normal returns a string that is the same for equal places. A range from a
// to a+length*k is the place a+i*k of element i.
func (p place) normal() string {
	if p.to == nil {
		return p.from.String()
	}
	span := p.to.add(p.from, -1)
	if k := span[arrayLength]; k != nil && len(span) == 1 && k.Sign() > 0 {
		return p.from.add(linear{elementIndex: k}, 1).String()
	}
	return p.from.String() + ".." + p.to.String()
}

// isElement reports whether p is a place in an element of an array.
func (p place) isElement() bool {
	return p.from[elementIndex] != nil || p.to != nil && p.to[arrayLength] != nil
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
	return place{from, to}, nil
}

func parseLinear(text string) (linear, error) {
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

func (p *exprParser) sum() (linear, error) {
	l, err := p.product()
	for err == nil {
		sign := int64(1)
		if p.accept('-') {
			sign = -1
		} else if !p.accept('+') {
			break
		}
		var m linear
		if m, err = p.product(); err == nil {
			l = l.add(m, sign)
		}
	}
	return l, err
}

func (p *exprParser) product() (linear, error) {
	l, err := p.factor()
	for err == nil && p.accept('*') {
		var m linear
		if m, err = p.factor(); err == nil {
			l, err = l.mul(m)
		}
	}
	return l, err
}

func (p *exprParser) factor() (linear, error) {
	if p.accept('(') {
		l, err := p.sum()
		if err == nil && !p.accept(')') {
			err = fmt.Errorf("lacks a closing parenthesis")
		}
		return l, err
	}
	start := p.i
	for p.i < len(p.s) && isDigit(p.s[p.i]) {
		p.i++
	}
	if digits := p.s[start:p.i]; digits != "" {
		if len(digits) > 1 && digits[0] == '0' {
			return nil, fmt.Errorf("has the number %s with a leading zero", digits)
		}
		n, _ := new(big.Int).SetString(digits, 10)
		if n.Sign() == 0 {
			return linear{}, nil
		}
		return linear{"": n}, nil
	}
	for p.i < len(p.s) && isLetter(p.s[p.i]) {
		p.i++
	}
	name := p.s[start:p.i]
	switch strings.ToLower(name) {
	case "":
		return nil, fmt.Errorf("lacks a number or a variable")
	case "length", "len", "n":
		name = arrayLength
	}
	return linear{name: big.NewInt(1)}, nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}
