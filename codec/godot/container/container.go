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
	Resource                     // RSCC: a resource as FLAG_COMPRESS saves it, in blocks as those of GCPF
)

// magics begin the containers.
var magics = map[Format]string{Compressed: "GCPF", Encrypted: "GDEC", Resource: "RSCC"}

// formatOf returns the format of a container, 0 for other bytes.
func formatOf(b []byte) Format {
	for f, magic := range magics {
		if len(b) >= len(magic) && string(b[:len(magic)]) == magic {
			return f
		}
	}
	return 0
}

// Layer describes a container without its data.
type Layer struct {
	Format Format
	Mode   Mode   // of a compressed container or resource
	Block  uint32 // of these: bytes of data in a block; 0 is 4096, as engines write
	Layout Layout // of an encrypted container
}

// String names the layer.
func (l Layer) String() string {
	if l.Format == Encrypted {
		return fmt.Sprintf("encrypted (GDEC of Godot %d)", l.Layout)
	}
	return fmt.Sprintf("compressed (%s, %s)", magics[l.Format], l.Mode)
}

// The kinds of errors.
var (
	ErrCorrupt = errors.New("container: damaged")
	ErrKey     = errors.New("container: wrong or missing key")
)

// MaxData is the most bytes of data that Open returns, 1 GiB.
const MaxData = 1 << 30

// Is reports whether bytes begin as a container.
func Is(b []byte) bool { return formatOf(b) != 0 }

// Open returns the data of a container and the layer around it. The key is for encrypted
// containers; see [Password] for the key of a password. The kind of an error is ErrCorrupt or ErrKey.
func Open(b, key []byte) ([]byte, Layer, error) {
	switch f := formatOf(b); f {
	case 0:
		return nil, Layer{}, fmt.Errorf("%w: there is no magic GCPF, GDEC or RSCC", ErrCorrupt)
	case Encrypted:
		return decrypt(b, key)
	default:
		return decompress(b, f)
	}
}

// Seal returns a container with data in it.
func (l Layer) Seal(data, key []byte) ([]byte, error) {
	if l.Format == Encrypted {
		return encrypt(data, key, l.Layout)
	}
	return compress(data, l)
}
