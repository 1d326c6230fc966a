// Kinds: the shapes of values.

package builtin

// Kind is the shape of a value. The names of a format, such as those of its records,
// are not part of it.
type Kind uint8

// The kinds of value.
const (
	None   Kind = iota // no value: an optional field that is absent
	Unit               // a value without content
	Bool               // true or false
	Int                // a signed number
	Uint               // an unsigned number
	Float              // a real number
	Text               // text
	Lanes              // a tuple of numbers of one scalar
	Packed             // an array of such tuples
	List               // a list of values
	Map                // a list of pairs of values
	Record             // a record of fields
	NumKinds
)

var kindNames = [NumKinds]string{"none", "unit", "bool", "int", "uint", "float", "text", "lanes", "packed", "list", "map", "record"}

// String returns the name of the kind.
func (k Kind) String() string {
	if k >= NumKinds {
		return "invalid"
	}
	return kindNames[k]
}
