// Declarations after history: what a schema takes over, with its changes applied.

package schema

import (
	"strconv"
	"strings"

	"github.com/octable/octable/dsl"
)

// source is a schema together with what it takes over from those it extends.
type source struct {
	ID     string
	Title  string
	Source string // where its facts come from
	Base   *source
	File   *dsl.File
	Files  map[string]*dsl.File // by name: every file that a declaration came from

	Order  string // "little" or "big"
	Root   string // union or type of the outermost value; "" in a library of declarations
	Depth  int    // how deeply a union may be nested in itself; 0 if not said
	Gates  []*dsl.Gate
	Axis   *dsl.Axis
	Equal  []string // arms whose values are equal keys where their text is equal
	Differ []string // arms whose values are never equal keys, not even inside one
	Exact  []string // arms whose numbers are equal in keys only when their bits are
	Apart  []string // arms that, inside a key, are not equal to themselves when not a number
	Says   []*dsl.Str
	Refs   []*dsl.ErrRef // errata about the schema as a whole

	Encodings []*encodingDecl
	Consts    []*constDecl
	Types     []*typeDecl
	Unions    []*unionDecl
	Errata    []*dsl.Erratum
	Decl      *dsl.Schema
	Doc       []string // comment before the declaration

	values map[string]constant // of the constants, once all of them are known
}

// encodingDecl is a way to read and write text.
type encodingDecl struct {
	*dsl.Encoding
	Doc []string
}

// constDecl is a named number.
type constDecl struct {
	*dsl.Const
	Doc []string
}

// typeDecl is a named record.
type typeDecl struct {
	Name  string
	At    *dsl.Name // that declares it
	Args  []*dsl.Name
	Items []*dsl.Item
	Doc   []string
	Pos   dsl.Pos
}

// unionDecl is a value of one of several arms.
type unionDecl struct {
	Name  string
	At    *dsl.Name // that declares it
	Args  []*dsl.Name
	By    *dsl.Name
	Items []*dsl.Item
	Arms  []*armDecl
	Doc   []string
	Pos   dsl.Pos
}

// armDecl is one alternative of a union.
type armDecl struct {
	Union string
	ID    uint64
	Code  string // the letters of a code4 id, "" for a number
	Else  bool
	Name  string
	At    *dsl.Name // that declares it
	Label string
	Was   string // name in the extended schema, "" if that has no such arm
	Items []*dsl.Item
	Doc   []string
	Pos   dsl.Pos
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

// Erratum returns the erratum with the given name, or nil.
func (s *source) Erratum(name string) *dsl.Erratum {
	for _, e := range s.Errata {
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

// codeID returns the number of a code of letters in single quotes: its first
// letter is the lowest byte.
func codeID(code string) uint64 {
	code = strings.Trim(code, "'")
	var id uint64
	for i := 0; i < len(code) && i < 8; i++ {
		id |= uint64(code[i]) << (8 * i)
	}
	return id
}
