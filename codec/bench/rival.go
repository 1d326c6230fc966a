// Other formats and libraries.

package bench

import "github.com/octable/octable/codec/bench/rival"

func init() { rival.Register() }
