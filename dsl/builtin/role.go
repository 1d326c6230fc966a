package builtin

import "slices"

// Role is the purpose of a schema.
type Role uint8

// The roles. Programs are saved with these numbers.
const (
	FormatRole   Role = iota // packets of a format
	DocumentRole             // the tables of a document, with their mistakes
	FramingRole              // what surrounds packets of other schemas
	NumRoles
)

var roleNames = [NumRoles]string{"", "document", "framing"}

// String returns the word of the role in schemas, "" for a format.
func (r Role) String() string { return roleNames[r] }

// RoleOf returns the role that a word of a schema means.
func RoleOf(word string) Role { return Role(max(0, slices.Index(roleNames[:], word))) }
