// Plain records, in both byte orders.

package bench

import (
	"github.com/octable/octable/codec/bench/batch"
	"github.com/octable/octable/codec/bench/symtab"
)

func init() {
	batch.Register(Ours)
	symtab.Register(Ours)
}
