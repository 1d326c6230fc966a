// Scalars in notations.

package variant

import (
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// scalarNames returns the names of all scalars, for messages.
func scalarNames() string {
	var all []string
	for _, s := range builtin.Scalars() {
		all = append(all, s.String())
	}
	return strings.Join(all, ", ")
}
