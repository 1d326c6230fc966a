// Packed arrays against memcpy.

package bench

import "github.com/octable/octable/codec/bench/bulk"

func init() { bulk.Register() }
