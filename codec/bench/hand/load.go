// Loads and stores, checked or raw.

package hand

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

var le = binary.LittleEndian

// at returns the address of b[i], which must be inside b.
func at(b []byte, i int) unsafe.Pointer {
	if raw {
		return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)
	}
	return unsafe.Pointer(&b[i])
}

func u32(b []byte, i int) uint32 {
	if raw {
		return *(*uint32)(at(b, i))
	}
	return le.Uint32(b[i:])
}

func u64(b []byte, i int) uint64 {
	if raw {
		return *(*uint64)(at(b, i))
	}
	return le.Uint64(b[i:])
}

func put32(b []byte, i int, x uint32) {
	if raw {
		*(*uint32)(at(b, i)) = x
		return
	}
	le.PutUint32(b[i:], x)
}

func put64(b []byte, i int, x uint64) {
	if raw {
		*(*uint64)(at(b, i)) = x
		return
	}
	le.PutUint64(b[i:], x)
}

// Error says what is wrong with a packet or a value, and where in the bytes.
type Error struct {
	Offset int
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Reason) }

//go:noinline
func fail(offset int, reason string) error { return &Error{offset, reason} }
