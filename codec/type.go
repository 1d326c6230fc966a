// Types of values.

package codec

import "github.com/octable/octable/codec/internal/variant"

// Type is a number for what a [Value] is. Package godot names those of Variants: each has one
// number in the whole history of the format, independent of its number in the packets of a
// version, so that a value read with one schema can be written with another. The types of other
// schemas follow in the order of the schema.
type Type uint16

// String returns the name that a Variant of the type has in Godot 4.
func (t Type) String() string { return variant.Type(t).String() }

// layout returns how the numbers of a math type or packed array lie in memory.
func (t Type) layout() variant.Layout { return variant.LayoutOf(variant.Type(t)) }

// rowwise reports whether a type begins with a basis, whose rows are columns in Go.
func (t Type) rowwise() bool { return variant.Type(t).Rowwise() }

// Equal reports whether a and b are the same value to the last bit. They have the same type, the same numbers, and the
// same texts byte for byte. -0.0 is not 0.0, and a NaN equals only a NaN of the same bits. They have the same elements
// and pairs in the same order, with repeated keys included, and typed containers have the same element types.
//
// The wide form counts where it is a choice: an int or float that would fit the
// narrow form, and everything else that can be marked wide, differs from the
// same number without the mark. If a number needs the wide form anyway the
// mark says nothing and is ignored.
//
// Values that every schema writes the same are equal: an RID without a number and
// RID 0; a null Object that is a type without content and one that is an empty
// class name.
func Equal(a, b Value) bool { return variant.Equal(a.raw, b.raw) }

// Equal is [Equal]; go-cmp compares Values with it.
func (v Value) Equal(other Value) bool { return Equal(v, other) }
