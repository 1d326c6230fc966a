package audit

import (
	"strconv"
	"strings"

	"github.com/octable/octable/conformance/internal/pattern"
	"github.com/octable/octable/dsl/builtin"
)

// A Named is the type of numbers that a cell of a document names.
type Named struct {
	Type  *builtin.Type
	Order string // "le" or "be" if the cell has the order of the bytes
	Count int    // of the elements of an array; 0 for one number, -1 for an array without a count
	Chars bool   // the numbers are characters
}

// Bytes returns the size of the numbers, of an array without a count that of one.
func (n *Named) Bytes() int { return n.Type.Scalar.Width() * max(n.Count, 1) }

var (
	namedType = pattern.New(`^(?:unsigned |signed )?([a-z][a-z0-9_]*)(?: ?\[([0-9]*)\])?(?:,? \(?(?:(big|little)[- ]endian|(le|be))\)?)?$`)
	listType  = pattern.New(`^\[(?:([a-z][a-z0-9_]*) ?; ?([0-9]+)\]|([0-9]*)\]([a-z][a-z0-9_]*))$`) // of Rust and Go
	ordered   = pattern.New(`^([a-z]+[0-9]+)(?:_t)?_?(le|be)$`)
	bitField  = pattern.New(`^x([124])$`) // of the documents of receivers of satellite navigation
)

// NamedType returns the type of numbers that a cell names, such as uint16_le, byte[4] or `uint64` big-endian. It
// returns nil if the cell names none.
func NamedType(text string) *Named {
	text = strings.Trim(strings.ToLower(plain(text)), "* ")
	if l := listType.FindStringSubmatch(text); l != nil {
		text = l[1] + l[4] + "[" + l[2] + l[3] + "]"
	}
	m := namedType.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	n := &Named{}
	if n.Order = m[4]; m[3] != "" {
		n.Order = m[3][:1] + "e"
	}
	if strings.HasSuffix(text, "[]") {
		n.Count = -1
	} else if m[2] != "" {
		count, err := strconv.Atoi(m[2])
		if err != nil || count < 1 || count > 1<<20 {
			return nil
		}
		n.Count = count
	}
	name := m[1]
	if o := ordered.FindStringSubmatch(name); o != nil {
		name, n.Order = o[1], o[2]
	}
	if f := bitField.FindStringSubmatch(name); f != nil {
		name = "u" + f[1]
	}
	if n.Chars = name == "char" || name == "uchar"; n.Chars {
		name = "byte"
	}
	if n.Type = builtin.Synonym(name); n.Type == nil {
		n.Type = builtin.TypeNamed(name)
	}
	if t := n.Type; t == nil || t.Text || t.Coding != builtin.Fixed {
		return nil
	}
	if strings.HasPrefix(text, "unsigned ") && strings.HasPrefix(n.Type.Name, "i") {
		n.Type = builtin.TypeNamed("u" + n.Type.Name[1:])
	}
	return n
}

// class returns the word of documents for the numbers, "" for truths.
func (n *Named) class() string {
	switch t := n.Type; {
	case t.Truth:
		return ""
	case t.Scalar.IsFloat():
		return "Float"
	case t.Scalar.Width() > 1:
		return "Integer"
	case n.Count != 0 && !(n.Chars && n.Count == 4): // four characters can be one number
		return "Bytes"
	}
	return "Byte"
}
