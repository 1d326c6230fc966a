// Resolving: from the declarations of a schema to its tree.

package schema

import (
	"fmt"

	"github.com/octable/octable/dsl"
)

// Resolve returns the schema that a file declares, for the first choice of its axis.
// The error holds the mistakes of every choice; it is a [dsl.Diagnostics]. If there
// are mistakes the schema is incomplete, and it is nil if the file declares none.
func Resolve(f *dsl.File, load Loader) (*Schema, error) {
	r := &resolver{load: load, files: map[string]*dsl.File{}}
	src := r.file(f, nil)
	if src == nil {
		return nil, r.diags.Err()
	}
	return &Schema{ID: src.ID, Title: src.Title, src: src}, r.diags.Err()
}

// Choices returns the names of the choices of the axis, or [""] without an axis.
func (s *Schema) Choices() []string {
	if s.Axis == nil {
		return []string{""}
	}
	out := make([]string, len(s.Axis.Choices))
	for i, c := range s.Axis.Choices {
		out[i] = c.Name
	}
	return out
}

// With returns the schema resolved for a choice of its axis; "" is the first one. A
// schema without an axis has no other choice.
func (s *Schema) With(choice string) (*Schema, error) {
	if choice == "" {
		return s, nil
	}
	return nil, fmt.Errorf("schema %q has no choice %q", s.ID, choice)
}

// Base returns the schema that this one extends, or nil.
func (s *Schema) Base() *Schema { return nil }

// Lineage returns the schema and those that it extends, the oldest first.
func (s *Schema) Lineage() []*Schema {
	if s == nil {
		return nil
	}
	return append(s.Base().Lineage(), s)
}

// Record returns the named record, or nil.
func (s *Schema) Record(name string) *Record {
	for _, r := range s.Records {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Union returns the named union, or nil.
func (s *Schema) Union(name string) *Union {
	for _, u := range s.Unions {
		if u.Name == name {
			return u
		}
	}
	return nil
}

// Encoding returns the named encoding, or nil.
func (s *Schema) Encoding(name string) *Encoding {
	for _, e := range s.Encodings {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Erratum returns the named erratum, or nil.
func (s *Schema) Erratum(name string) *Erratum {
	for _, e := range s.Errata {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Gate returns the named gate, or nil.
func (s *Schema) Gate(name string) *Gate {
	for _, g := range s.Gates {
		if g.Name == name {
			return g
		}
	}
	return nil
}

// Arm returns the named arm, or nil.
func (u *Union) Arm(name string) *Arm {
	for _, a := range u.Arms {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// ByID returns the arm with a number, the else arm if no arm has it, or nil.
func (u *Union) ByID(id uint64) *Arm {
	var other *Arm
	for _, a := range u.Arms {
		if a.Else {
			other = a
		} else if a.ID == id {
			return a
		}
	}
	return other
}

// IDText returns the arm's number as a schema writes it.
func (a *Arm) IDText() string { return idText(a.ID, a.Code, a.Else) }

// Errorf returns a mistake at a place of the schema, with its line.
func (s *Schema) Errorf(pos dsl.Pos, width int, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	return (&dsl.Diagnostics{}).Errorf(s.src.Files[pos.Filename], pos, width, code, format, args...)
}

// Lines returns the canonical text of a record, arm, union or encoding, without
// examples, notes and errata, and without descriptions unless docs is set.
func (s *Schema) Lines(x any, docs bool) []string { return nil }
