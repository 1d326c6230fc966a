// The hand-written references, in both variants.

package bench

import (
	"github.com/octable/octable/codec/bench/hand"
	"github.com/octable/octable/codec/bench/run-go-generate/raw"
)

func init() {
	hand.Register()
	raw.Register()
}
