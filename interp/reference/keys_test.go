package reference

import (
	"testing"

	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// TestIdentity: identities of values that differ deep inside differ, and do not grow with the
// depth. Each is made once. Else a map in a key, with a map in its key and so on, takes minutes.
func TestIdentity(t *testing.T) {
	m := &walk{schema: &schema.Schema{}}
	deep := func(content interp.Value) string {
		for range 200 {
			content = interp.MakeMap(1, []interp.Value{content, interp.MakeUnit(2), interp.MakeUint(3, 1), interp.MakeUnit(2)})
		}
		return m.identity(content, false)
	}
	a, b := deep(interp.MakeUint(3, 7)), deep(interp.MakeUint(3, 8))
	if a == b || a != deep(interp.MakeUint(3, 7)) {
		t.Errorf("identities of different keys are %s and %s", a, b)
	}
	if len(a) > 100 {
		t.Errorf("an identity has %d bytes", len(a))
	}
}
