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
