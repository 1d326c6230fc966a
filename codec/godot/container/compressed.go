package container

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// Mode is an algorithm of compression, with its number in files.
type Mode uint32

// The modes.
const (
	FastLZ Mode = iota
	Deflate
	Zstandard
	GZip
	Brotli // read only, as in Godot 4; Godot 3 does not have it
)

// Modes are the names of the modes, by number.
var Modes = []string{"fastlz", "deflate", "zstd", "gzip", "brotli"}

// String returns the name of the mode.
func (m Mode) String() string {
	if int(m) < len(Modes) {
		return Modes[m]
	}
	return fmt.Sprintf("mode %d", uint32(m))
}

const (
	defaultBlock = 4096
	leastFastLZ  = 16 // bytes of a block of FastLZ; shorter ones are filled with zeros
)

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrCorrupt}, args...)...)
}

// decompress reads a compressed container. Like engines, it ignores the bytes after the blocks.
func decompress(b []byte, f Format) ([]byte, Layer, error) {
	if len(b) < 16 {
		return nil, Layer{}, corrupt("the header has 16 bytes, the file %d", len(b))
	}
	l := Layer{Format: f, Mode: Mode(binary.LittleEndian.Uint32(b[4:])), Block: binary.LittleEndian.Uint32(b[8:])}
	total := int64(binary.LittleEndian.Uint32(b[12:]))
	switch {
	case l.Mode > Brotli:
		return nil, l, corrupt("there is no mode of compression %d", uint32(l.Mode))
	case l.Block == 0:
		return nil, l, corrupt("the size of blocks is 0")
	case total > MaxData:
		return nil, l, corrupt("it has %d bytes of data, more than %d", total, MaxData)
	}
	n := total/int64(l.Block) + 1
	if n > int64(len(b)-16)/4 {
		return nil, l, corrupt("the table of %d blocks is longer than the file", n)
	}
	var data []byte
	at := 16 + 4*n
	for i := range n {
		size := int64(binary.LittleEndian.Uint32(b[16+4*i:]))
		if size > int64(len(b))-at {
			return nil, l, corrupt("block %d has %d bytes, and the file ends after %d", i, size, int64(len(b))-at)
		}
		want, room := int64(l.Block), int64(l.Block)
		if i == n-1 {
			want = total % int64(l.Block)
		}
		if n == 1 {
			room = total
		}
		block, err := l.Mode.unpack(b[at:at+size], int(min(room, MaxData)))
		if err == nil && int64(len(block)) < want {
			err = fmt.Errorf("it holds %d bytes, not %d", len(block), want)
		}
		if err != nil {
			return nil, l, corrupt("block %d, at byte %d: %v", i, at, err)
		}
		data = append(data, block[:want]...)
		at += size
	}
	return data, l, nil
}

// unpack returns the data of a block, at most room bytes.
func (m Mode) unpack(b []byte, room int) ([]byte, error) {
	switch m {
	case FastLZ:
		return unpackFastLZ(b, max(room, leastFastLZ))
	case Zstandard:
		return unpackZstandard(b, room)
	}
	in := bytes.NewReader(b)
	var r io.Reader
	var err error
	switch m {
	case Deflate:
		r, err = zlib.NewReader(in)
	case GZip:
		r, err = gzip.NewReader(in)
	default:
		r = brotli.NewReader(in)
	}
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(r, int64(room)+1))
	if err == nil && len(out) > room {
		err = errors.New("it holds more bytes than a block has")
	}
	return out, err
}

func unpackZstandard(b []byte, room int) ([]byte, error) {
	r, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(MaxData))
	if err != nil {
		return nil, err // unreachable: it reads nothing yet, and the options are valid
	}
	defer r.Close()
	out, err := io.ReadAll(io.LimitReader(r, int64(room)+1))
	if err == nil && len(out) > room {
		err = errors.New("it holds more bytes than a block has")
	}
	return out, err
}

// compress writes a compressed container.
func compress(data []byte, l Layer) ([]byte, error) {
	block := int(l.Block)
	if block == 0 {
		block = defaultBlock
	}
	if len(data) > MaxData {
		return nil, fmt.Errorf("container: %d bytes of data are more than %d", len(data), MaxData)
	}
	if magics[l.Format] == "" {
		return nil, fmt.Errorf("container: there is no format %d", l.Format)
	}
	if l.Mode >= Brotli {
		return nil, fmt.Errorf("container: engines do not write %s; choose one of %s", l.Mode, strings.Join(Modes[:Brotli], ", "))
	}
	n := len(data)/block + 1
	out := append(make([]byte, 0, 20+4*n), magics[l.Format]...)
	for _, u := range []int{int(l.Mode), block, len(data)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(u))
	}
	table := len(out)
	out = append(out, make([]byte, 4*n)...)
	for i := range n {
		packed, err := l.Mode.pack(data[i*block : min((i+1)*block, len(data))])
		if err != nil {
			return nil, err // unreachable: the options are valid, and writing to memory does not fail
		}
		binary.LittleEndian.PutUint32(out[table+4*i:], uint32(len(packed)))
		out = append(out, packed...)
	}
	return append(out, magics[l.Format]...), nil
}

// zstandard returns the encoder of all blocks.
var zstandard = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true), zstd.WithEncoderCRC(false))
})

func (m Mode) pack(b []byte) ([]byte, error) {
	var out bytes.Buffer
	var w io.WriteCloser
	switch m {
	case FastLZ:
		if len(b) < leastFastLZ {
			b = append(bytes.Clone(b), make([]byte, leastFastLZ-len(b))...)
		}
		return packFastLZ(b), nil
	case Deflate:
		w = zlib.NewWriter(&out)
	case Zstandard:
		z, err := zstandard()
		if err != nil {
			return nil, err // unreachable: the options are valid
		}
		return z.EncodeAll(b, nil), nil
	default:
		w = gzip.NewWriter(&out)
	}
	_, err := w.Write(b)
	if err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
}
