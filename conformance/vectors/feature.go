// Features: parts of a format that an implementation may lack although it has the types.

package vectors

import (
	"bytes"
	"slices"
)

// The features.
const (
	TypedContainers = "typed containers" // the type of the elements of an array or a map
	FullObjects     = "full objects"     // objects with their class and properties
	DoublePrecision = "double precision" // the wider form of vectors
)

// Features lists all features.
var Features = []string{TypedContainers, FullObjects, DoublePrecision}

// Features returns the features that an implementation needs for the case.
func (c *Case) Features() []string {
	var out []string
	has := func(flag, key string) bool {
		return slices.Contains(c.Flags, flag) || bytes.Contains(c.Value, []byte(key)) // explicit JSON escapes quotes in texts
	}
	if has("typed-containers", `"of":`) {
		out = append(out, TypedContainers)
	}
	if c.Objects {
		out = append(out, FullObjects)
	}
	if has("double-precision", `"wide":true`) {
		out = append(out, DoublePrecision)
	}
	return out
}
