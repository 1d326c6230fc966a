package dns

import (
	"testing"

	mdns "github.com/miekg/dns"
)

// TestSame checks that all code reads and writes the same.
func TestSame(t *testing.T) {
	Values.Check(t, 400)
	Typed.Check(t, 400)
	for i, b := range Wire() {
		var m mdns.Msg
		if err := m.Unpack(b); err != nil {
			t.Errorf("message %d: the library refuses it: %v", i, err)
		}
	}
}
