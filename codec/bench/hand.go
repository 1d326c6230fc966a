// The hand-written references, in all variants.

package bench

import (
	"github.com/octable/octable/codec/bench/hand"
	"github.com/octable/octable/codec/bench/hand/plain"
	"github.com/octable/octable/codec/bench/hand/plainraw"
	"github.com/octable/octable/codec/bench/hand/raw"
)

func init() {
	hand.Register()
	raw.Register()
	plain.Register()
	plainraw.Register()
}
