// Declarations after history: what a schema takes over, with its changes applied.

package schema

import (
	"strconv"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// source is a schema together with what it takes over from those it extends.
type source struct {
	ID     string
	Title  string
	Source string       // where its facts come from
	Role   builtin.Role // not that of the base
	Base   *source
	File   *dsl.File
	Files  map[string]*dsl.File // by name: every file that a declaration came from

	Order  string // "little" or "big"
	Root   string // union or type of the outermost value; "" in a library of declarations
	Depth  int    // how deeply a union may be nested in itself; 0 if not said
	Gates  []*dsl.Gate
	Option *dsl.Option
	Keys   [builtin.NumKeyRules][]string // arms that a rule for keys names

	Imports   []*importDecl
	Encodings []*encodingDecl
	Types     []*typeDecl
	Unions    []*unionDecl
	Decl      *dsl.Schema
	Doc       []string // comment before the declaration
}

// encodingDecl is a way to read and write text.
type encodingDecl struct {
	*dsl.Encoding
	Doc []string
}

// content is what types, unions and arms declare.
type content struct {
	Name  string
	At    *dsl.Name // that declares it
	Marks []*dsl.Name
	Items []*dsl.Item
	Doc   []string
	Pos   dsl.Pos

	Examples []*exampleDecl // its own: a union does not have those of its arms
}

// typeDecl is a named record.
type typeDecl struct {
	content
	Args []*dsl.Name
}

// unionDecl is a value of one of several arms.
type unionDecl struct {
	content
	Args []*dsl.Name
	By   *dsl.Name
	Arms []*armDecl
	Gone []*armDecl // in place of arms that are dropped; those that refuse a number are in Arms too

	Broken bool // the numbers of an arm are not numbers, so that it has no such arm
}

// armDecl is one alternative of a union.
type armDecl struct {
	content
	Union string
	IDs   builtin.Ranges
	Code  string // the letters of code4 ids as they are written, "" for numbers
	Else  bool
	hex   bool // the numbers are in hexadecimal
	Label string
	Was   string // name in the extended schema, "" if that has no such arm
}

// Type returns the record with the given name, or nil.
func (s *source) Type(name string) *typeDecl {
	for _, t := range s.Types {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Union returns the union with the given name, or nil.
func (s *source) Union(name string) *unionDecl {
	for _, u := range s.Unions {
		if u.Name == name {
			return u
		}
	}
	return nil
}

// Encoding returns the text encoding with the given name, or nil.
func (s *source) Encoding(name string) *encodingDecl {
	for _, e := range s.Encodings {
		if e.Name.Text == name {
			return e
		}
	}
	return nil
}

// Arm returns the arm with the given name, or nil.
func (u *unionDecl) Arm(name string) *armDecl {
	for _, a := range u.Arms {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// parseUint parses a number of a schema, decimal or hexadecimal, with underscores. A
// number with leading zeros is decimal.
func parseUint(n *dsl.Num) (uint64, bool) {
	text, base := strings.ReplaceAll(n.Text, "_", ""), 10
	if len(text) > 1 && (text[1] == 'x' || text[1] == 'X') {
		text, base = text[2:], 16
	}
	u, err := strconv.ParseUint(text, base, 64)
	return u, err == nil
}

// NumberOf returns the number of a token that is a number or a code of letters.
func NumberOf(text string) (uint64, bool) {
	if strings.HasPrefix(text, "'") {
		return codeID(text), true
	}
	return parseUint(&dsl.Num{Text: text})
}

// codeID returns the number of a code of letters in single quotes.
func codeID(code string) uint64 { return dsl.CodeNumber(strings.Trim(code, "'")) }

// codeText returns the code of letters that has a number.
func codeText(id uint64) string {
	var letters []byte
	for ; id != 0; id >>= 8 {
		letters = append(letters, byte(id))
	}
	return "'" + string(letters) + "'"
}
