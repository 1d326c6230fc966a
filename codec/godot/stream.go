// Streams: values one after another, each after its length.

package godot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/octable/octable/codec"
)

// DefaultMaxFrame is the most bytes that one value in a stream may have where
// [codec.Options.MaxFrame] does not say, 8 MiB: what engines allow in a packet.
const DefaultMaxFrame = codec.DefaultMaxFrame

// ErrFrame is the kind of error of a stream whose frames are wrong: a length
// beyond the limit, or a value that does not fill its frame.
var ErrFrame = errors.New("codec: bad frame")

// Encoder writes values to a stream as FileAccess.store_var and
// StreamPeer.put_var do: a length in 4 bytes, then the value.
type Encoder struct {
	w   io.Writer
	c   *codec.Codec
	buf []byte
	big bool
}

// NewEncoder returns an Encoder that writes values of c's schema to w. Every
// value is one call of w.Write.
func NewEncoder(c *codec.Codec, w io.Writer) *Encoder { return &Encoder{w: w, c: c} }

// SetBigEndian has lengths written with the highest byte first, as engines do
// for streams and files that were told to be big-endian. Values stay as they are.
func (e *Encoder) SetBigEndian(big bool) { e.big = big }

// EncodeValue writes one value.
func (e *Encoder) EncodeValue(v Value) error {
	out, err := e.c.Append(append(e.buf[:0], 0, 0, 0, 0), v)
	if err != nil {
		return err
	}
	return e.send(out)
}

// Encode writes one Go value, converted as [ValueOf] does.
func (e *Encoder) Encode(x any) error {
	out, err := e.c.AppendMarshal(append(e.buf[:0], 0, 0, 0, 0), x)
	if err != nil {
		return err
	}
	return e.send(out)
}

func (e *Encoder) send(out []byte) error {
	n := len(out) - 4
	if limit := frameLimit(e.c); n > limit {
		return fmt.Errorf("%w: the value has %d bytes, and a frame at most %d; raise Options.MaxFrame if the other side takes more", ErrFrame, n, limit)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if e.big {
		order = binary.BigEndian
	}
	order.PutUint32(out, uint32(n))
	if cap(out) <= 1<<20 {
		e.buf = out
	} else {
		e.buf = nil
	}
	_, err := e.w.Write(out)
	return err
}

func frameLimit(c *codec.Codec) int {
	if limit := c.Options().MaxFrame; limit > 0 {
		return int(min(uint64(limit), math.MaxUint32)) // the most that 4 bytes hold
	}
	return DefaultMaxFrame
}

// Decoder reads values from a stream that an [Encoder] or an engine wrote.
type Decoder struct {
	r      io.Reader
	c      *codec.Codec
	big    bool
	offset int64
	err    error
}

// NewDecoder returns a Decoder that reads values of c's schema from r. It reads
// from r no more than the frames that it was asked for; give it a bufio.Reader
// where r is slow.
func NewDecoder(c *codec.Codec, r io.Reader) *Decoder {
	o := c.Options()
	o.Alias = true // each frame has its own memory
	alias, err := c.With(o)
	if err != nil {
		panic(err) // the options of a codec are valid
	}
	return &Decoder{r: r, c: alias}
}

// SetBigEndian has lengths read with the highest byte first.
func (d *Decoder) SetBigEndian(big bool) { d.big = big }

// Offset returns how many bytes of the stream have been read.
func (d *Decoder) Offset() int64 { return d.offset }

// DecodeValue reads the next value. The error is io.EOF where the stream ends
// between frames, io.ErrUnexpectedEOF where it ends inside one, ErrFrame for a
// length beyond the limit or bytes of a frame that do not belong to its value,
// an [*codec.Error] for a value that cannot be decoded, and otherwise the error of the
// io.Reader. After an *Error, and after bytes that do not belong to a value, the
// next call reads the next frame; after the others it says the same again, as it
// cannot know where the next frame begins.
func (d *Decoder) DecodeValue() (Value, error) {
	b, err := d.frame()
	if err != nil {
		return Value{}, err
	}
	v, used, err := d.c.Decode(b)
	if err != nil {
		return Value{}, err
	}
	if used < len(b) {
		return v, fmt.Errorf("%w: the value takes %d of the %d bytes of its frame", ErrFrame, used, len(b))
	}
	return v, nil
}

// Decode reads the next value into what ptr points to, converted as [codec.Value.To] does.
func (d *Decoder) Decode(ptr any) error {
	v, err := d.DecodeValue()
	if err != nil {
		return err
	}
	return d.c.To(v, ptr)
}

// firstRead is how many bytes of a frame are made room for before any of them
// has come: a length alone must not cost much memory.
const firstRead = 64 << 10

// frame reads the bytes of the next frame.
func (d *Decoder) frame() ([]byte, error) {
	if d.err != nil {
		return nil, d.err
	}
	var head [4]byte
	n, err := io.ReadFull(d.r, head[:])
	d.offset += int64(n)
	if err != nil {
		d.err = err
		return nil, err
	}
	size := binary.LittleEndian.Uint32(head[:])
	if d.big {
		size = binary.BigEndian.Uint32(head[:])
	}
	if limit := frameLimit(d.c); uint64(size) > uint64(limit) {
		d.err = fmt.Errorf("%w: a length of %d at byte %d of the stream, and a frame has at most %d bytes; is the order of its bytes right, and is there a length at all?", ErrFrame, size, d.offset-4, limit)
		return nil, d.err
	}
	b := make([]byte, 0, min(int(size), firstRead))
	for len(b) < int(size) {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, min(int(size), 2*cap(b))), b...)
		}
		n, err := io.ReadFull(d.r, b[len(b):cap(b)])
		b = b[:len(b)+n]
		d.offset += int64(n)
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			d.err = err
			return nil, err
		}
	}
	return b, nil
}
