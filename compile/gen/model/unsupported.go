package model

import (
	"slices"
	"strings"
)

// Unsupported is an error about a schema that a back end cannot express.
type Unsupported struct {
	Target string   // the format, such as "a Kaitai Struct description"
	Parts  []string // of the schema, each as a noun phrase
}

// Add adds a part, once.
func (u *Unsupported) Add(part string) {
	if !slices.Contains(u.Parts, part) {
		u.Parts = append(u.Parts, part)
	}
}

// Mixed adds the fields of a model that have forms of different shapes.
func (u *Unsupported) Mixed(m *Model) {
	m.Each(func(r *Routine, t *Type, _ []*Stmt) {
		for _, f := range t.Fields {
			if f.Mixed {
				name := t.Name
				if name == "" {
					name = r.Name
				}
				u.Add("the field " + name + "." + f.Name + ", which has forms of different types")
			}
		}
	})
}

// Err returns the error, or nil if there are no parts.
func (u *Unsupported) Err() error {
	if len(u.Parts) == 0 {
		return nil
	}
	return u
}

func (u *Unsupported) Error() string {
	return u.Target + " cannot express " + strings.Join(u.Parts, ", nor ")
}
