package model

import (
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
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

// Try calls a function that expresses something, and reports whether that added no part. Parts that it added
// are removed.
func (u *Unsupported) Try(express func()) bool {
	n := len(u.Parts)
	express()
	all := len(u.Parts) == n
	u.Parts = u.Parts[:n]
	return all
}

// Coded adds the coding of a statement for a number of varying width.
func (u *Unsupported) Coded(s *Stmt) {
	if s.Coding != builtin.Fixed {
		u.Add("numbers of " + s.Coding.Kind().String())
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
