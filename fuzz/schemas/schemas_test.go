package schemas

import (
	"flag"
	"testing"
)

var (
	schemasFlag = flag.Int("schemas", 300, "number of schemas to draw")
	seedFlag    = flag.Uint64("seed", 1, "seed of the first schema")
)

func TestDrawn(t *testing.T) {
	tries := 0
	for i := range *schemasFlag {
		d, n := Random(*seedFlag + uint64(i))
		tries += n
		if err := Agree(d, []byte{byte(i)}, nil); err != nil {
			t.Errorf("seed %d: %v\n%s", *seedFlag+uint64(i), err, d)
		}
	}
	t.Logf("%d of %d drawn schemas resolve", *schemasFlag, tries)
}
