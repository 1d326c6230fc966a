// Package cases holds what there is to measure: a registry of named functions.
package cases

import "fmt"

// Run does the same thing n times. It must keep what it computes alive and
// panic where the outcome is an error, so that no broken path is ever timed.
type Run func(n int)

// Case is one thing to measure. Its name is Workload/Direction/Impl; cases
// that share workload and direction do the same job and are compared.
type Case struct {
	Workload  string // what is coded: see package work
	Direction string // which way, and into or out of what: see the constants
	Impl      string // who does it
	Bytes     int    // size of what is coded, in its own format
	// Make sets up everything that is not part of the measurement. It is
	// called anew for each round, and what it made is dropped after it. Two
	// Runs from two calls must be safe to use at the same time.
	Make func() Run
}

// Directions. Reused means that decoder, result and output buffer are kept
// from one call to the next; fresh means that the result is newly allocated
// and owns its memory.
const (
	DecodeValue       = "decode-value"        // to the generic value, reused, text shares the packet's memory
	DecodeValueFresh  = "decode-value-fresh"  // to a generic value with its own copy of the packet
	EncodeValue       = "encode-value"        // from a generic value made by the program, into a buffer
	EncodeDecoded     = "encode-decoded"      // from a generic value that was decoded, into a buffer
	EncodeValueFresh  = "encode-value-fresh"  // to a new slice
	DecodeStruct      = "decode-struct"       // into Go structs, reused, text shares the packet's memory
	DecodeStructFresh = "decode-struct-fresh" // into new Go structs with separate strings
	EncodeStruct      = "encode-struct"       // from Go structs, into a buffer
	EncodeStructFresh = "encode-struct-fresh" // to a new slice
	GetLast           = "get-last"            // the last entity of a packet as a generic value
	DecodeStream      = "decode-stream"       // of frames into Go structs, as decode-struct
	EncodeStream      = "encode-stream"       // to frames, as encode-struct
	DecodeTyped       = "decode-typed"        // into the types that octable generates, reused; text shares the packet's memory
	EncodeTyped       = "encode-typed"        // from them, into a buffer
	DecodePacked      = "decode-packed"       // into a slice that the caller has
	DecodePackedFresh = "decode-packed-fresh" // into a new slice
	DecodePackedAlias = "decode-packed-alias" // to a view of the packet
	EncodePacked      = "encode-packed"       // into a buffer
	EncodePackedFresh = "encode-packed-fresh" // to a new slice
	Load              = "load"                // the schema, at start-up
)

// Name returns Workload/Direction/Impl.
func (c *Case) Name() string { return c.Workload + "/" + c.Direction + "/" + c.Impl }

// Job returns Workload/Direction.
func (c *Case) Job() string { return c.Workload + "/" + c.Direction }

var (
	all    []*Case
	byName = map[string]*Case{}
)

// Add registers cases.
func Add(list ...Case) {
	for i := range list {
		c := list[i]
		if byName[c.Name()] != nil {
			panic("cases: two cases are named " + c.Name())
		}
		byName[c.Name()] = &c
		all = append(all, &c)
	}
}

// All returns the cases, those that do the same job beside each other.
func All() []*Case {
	var out []*Case
	seen := map[string]bool{}
	for _, first := range all {
		if seen[first.Job()] {
			continue
		}
		seen[first.Job()] = true
		for _, c := range all {
			if c.Job() == first.Job() {
				out = append(out, c)
			}
		}
	}
	return out
}

// Named returns the case with a name, or nil.
func Named(name string) *Case { return byName[name] }

// Must panics with an error of a measured path.
func Must(err error) {
	if err != nil {
		panic(fmt.Sprint("measured path failed: ", err))
	}
}
