// Limits: how large the parts of a schema can be.

package builtin

// The limits of schemas. A program that is made of a schema within them is within the
// limits of interpreters.
const (
	MaxArgs    = 16      // arguments of a record or union
	MaxFields  = 256     // fields that a record stores
	MaxNumbers = 256     // numbers of a record that are kept while it is read
	MaxGates   = 8       // gates of a schema
	MaxDepth   = 1 << 14 // how deeply values can be nested
	MaxLineage = 64      // schemas that extend one another
	MinPad     = 2       // the least multiple that padding is to
	MaxPad     = 4096    // the largest multiple that padding is to
	MaxExpr    = 1000    // operations of an expression, with those that names in it represent
	MaxNesting = 100     // how deeply operations of an expression can be nested
)
