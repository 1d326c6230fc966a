// Descriptions of types.

package model

import (
	"fmt"
	"strconv"

	"github.com/octable/octable/dsl/builtin"
)

// About describes a named type of the schema.
func (t *Type) About() string {
	switch {
	case t.Union == "":
		return "type " + t.Name
	case t.Else:
		return fmt.Sprintf("type %s of %s, for all other numbers", t.Name, t.Union)
	}
	return fmt.Sprintf("type %s of %s, with the number %s", t.Name, t.Union, Numbers(t.IDs))
}

// Numbers prints the numbers of an arm.
func Numbers(ids builtin.Ranges) string {
	return Among(ids, armNumber, func(lo, hi uint64) string { return armNumber(lo) + ".." + armNumber(hi) }, ", ")
}

// armNumber prints the number of an arm: letters where it is four of them.
func armNumber(id uint64) string {
	b := make([]byte, 0, 4)
	for x := id; x != 0; x >>= 8 {
		b = append(b, byte(x))
	}
	if len(b) == 4 {
		text := true
		for _, c := range b {
			text = text && c >= 0x20 && c < 0x7f
		}
		if text {
			return strconv.Quote(string(b))
		}
	}
	return strconv.FormatUint(id, 10)
}
