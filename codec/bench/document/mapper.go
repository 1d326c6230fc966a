// The types of octable's generated code, for a Mapper.

package document

import (
	"github.com/octable/octable/codec"
	gen "github.com/octable/octable/codec/bench/run-go-generate/msgpack"
)

// interfaces has the types of arms.
var interfaces = []codec.Interface{
	codec.InterfaceOf("", map[string]gen.Value{
		"uint":   gen.Uint(0),
		"map":    gen.Map(nil),
		"array":  gen.Array(nil),
		"str":    gen.Str(""),
		"nil":    gen.Nil{},
		"unused": gen.Unused{},
		"bool":   gen.Bool(false),
		"bin":    gen.Bin(nil),
		"ext":    gen.Ext{},
		"float":  gen.Float(0),
		"int":    gen.Int(0),
	}),
}
