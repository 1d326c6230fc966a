package generate

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
)

// TestLongCandidates: packets that are long are candidates up to a total of bytes, and short ones are in any case.
func TestLongCandidates(t *testing.T) {
	c := &candidates{model: newModel(raw.Machine(codec.MustLoad("ntp"))), seen: map[string]bool{}, same: map[[sha256.Size]byte]bool{}}
	b := make([]byte, 2<<20)
	for i := range 80 {
		c.add(candidate{rule: &bytecode.Rule{}, what: fmt.Sprint("long-", i), bytes: b[:1<<20+i]})
		c.add(candidate{rule: &bytecode.Rule{}, what: fmt.Sprint("short-", i), bytes: b[:i]})
	}
	count, total := 0, 0
	for _, k := range c.all {
		if len(k.bytes) > longPacket {
			count, total = count+1, total+len(k.bytes)
		}
	}
	if total > mostLong || total+2<<20 < mostLong || count != len(c.all)-80 {
		t.Errorf("%d long packets of %d bytes, and %d short ones", count, total, len(c.all)-count)
	}
}
