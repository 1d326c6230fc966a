package container

import (
	"errors"
	"fmt"
)

// Format is a kind of container.
type Format uint8

// The formats.
const (
	Compressed Format = iota + 1 // GCPF
	Encrypted                    // GDEC
)

// Layer describes a container without its data.
type Layer struct {
	Format Format
	Mode   Mode   // of a compressed container
	Block  uint32 // of a compressed container: bytes of data in a block; 0 is 4096, as engines write
	Layout Layout // of an encrypted container
}

// String names the layer.
func (l Layer) String() string {
	if l.Format == Encrypted {
		return fmt.Sprintf("encrypted (GDEC of Godot %d)", l.Layout)
	}
	return fmt.Sprintf("compressed (GCPF, %s)", l.Mode)
}

// The kinds of errors.
var (
	ErrCorrupt = errors.New("container: damaged")
	ErrKey     = errors.New("container: wrong or missing key")
)

// MaxData is the most bytes of data that Open returns, 1 GiB.
const MaxData = 1 << 30

// Is reports whether bytes begin as a container.
func Is(b []byte) bool {
	return len(b) >= 4 && (string(b[:4]) == magicCompressed || string(b[:4]) == magicEncrypted)
}

// Open returns the data of a container and the layer around it. The key is for encrypted
// containers; see [Password] for the key of a password. The kind of an error is ErrCorrupt or ErrKey.
func Open(b, key []byte) ([]byte, Layer, error) {
	switch {
	case !Is(b):
		return nil, Layer{}, fmt.Errorf("%w: there is no magic GCPF or GDEC", ErrCorrupt)
	case string(b[:4]) == magicCompressed:
		data, l, err := decompress(b)
		return data, l, err
	}
	return decrypt(b, key)
}

// Seal returns a container with data in it.
func (l Layer) Seal(data, key []byte) ([]byte, error) {
	if l.Format == Encrypted {
		return encrypt(data, key, l.Layout)
	}
	return compress(data, l)
}
