// Limits: how much a program may have of everything.

package builtin

// Limits of programs, and thereby of schemas. They are far above what formats need.
const (
	MaxCode     = 1 << 16 // instructions
	MaxRoutines = 1 << 9
	MaxBlocks   = 1 << 8  // blocks inside of each other
	MaxSteps    = 1 << 10 // operations of one expression
	MaxNesting  = 1 << 7  // operations inside of each other in one expression
	MaxParams   = 16      // arguments of a record or union
	MaxLeast    = 1 << 40 // the fewest bytes of a value
	MaxNumbers  = 256     // registers of a record
	MaxFields   = 256     // stored fields of a record
	MaxRegions  = 8       // regions inside of each other
	MaxTypes    = 1 << 12 // arms and records
	MaxDepth    = 1 << 14 // nesting of what can contain itself. Four routines to a level fit the stack of a goroutine, also in 32 bits
	MaxGates    = 8
	MaxWidth    = 255       // numbers of a tuple
	MaxSpare    = 1<<16 - 1 // bytes that may be left when a list ends
	MaxFill     = 1 << 20   // bytes that fill a row after its content
	MaxGaps     = 1 << 20   // bytes between the parts of a record
)

// DefaultDepth is the deepest nesting of values by a schema without a limit.
const DefaultDepth = 1024
