// Plain records, in both byte orders.

package bench

import "github.com/octable/octable/codec/bench/batch"

func init() { batch.Register(Ours) }
