// Cases of the code that octable gen go writes.

package bench

import "github.com/octable/octable/codec/bench/generated"

func init() { generated.Register() }
