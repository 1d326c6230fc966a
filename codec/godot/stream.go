// Streams: values one after another, each after its length.

package godot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
)

// DefaultMaxFrame is the default of [codec.Options.MaxFrame], 8 MiB: what engines allow in a packet.
const DefaultMaxFrame = codec.DefaultMaxFrame

// ErrFrame is the kind of error of a stream whose frames are wrong. A length is beyond the limit, or a value does not
// fill its frame.
var ErrFrame = errors.New("codec: bad frame")

// FrameError is a malformed or too long frame of a stream. It unwraps to [ErrFrame].
type FrameError struct {
	Size, Max int   // the bytes of the frame, and the most that are allowed
	Used      int   // the bytes of its value, if that is shorter than the frame
	Offset    int64 // of its length in the stream that is read
	Writing   bool
}

// Error returns the fault and the option that changes it.
func (e *FrameError) Error() string {
	switch {
	case e.Size <= e.Max:
		return fmt.Sprintf("codec: bad frame: the value takes %d of the %d bytes of its frame at byte %d of the stream; set Options.AllowTrailing to ignore the rest", e.Used, e.Size, e.Offset)
	case e.Writing:
		return fmt.Sprintf("codec: bad frame: the value has %d bytes, and a frame at most %d; raise Options.MaxFrame if the other side takes more", e.Size, e.Max)
	}
	return fmt.Sprintf("codec: bad frame: a length of %d at byte %d of the stream, and a frame has at most %d bytes; check the byte order, or raise Options.MaxFrame", e.Size, e.Offset, e.Max)
}

// Unwrap returns [ErrFrame].
func (e *FrameError) Unwrap() error { return ErrFrame }

// Encoder writes values to a stream as FileAccess.store_var and
// StreamPeer.put_var do: a length in 4 bytes, then the value. It is for one goroutine at a time.
type Encoder struct {
	w    io.Writer
	m    *codec.Mapper
	c    *codec.Codec
	buf  []byte
	max  int    // bytes of a frame
	rest []byte // of a frame that w did not take
	err  error  // of w, while there is a rest
	big  bool
}

// NewEncoder returns an Encoder that writes values of c's schema to w. Every
// value is one call of w.Write.
func NewEncoder(c *codec.Codec, w io.Writer) *Encoder {
	return &Encoder{w: w, c: c, m: c.NewMapper(), max: frameLimit(c)}
}

// Reset makes e write to w and drops what the writer before it did not take. It keeps the memory of e.
func (e *Encoder) Reset(w io.Writer) { e.w, e.rest, e.err = w, nil, nil }

// SetBigEndian makes the encoder write lengths with the highest byte first, as engines do for big-endian streams and
// files. Values do not change.
func (e *Encoder) SetBigEndian(big bool) { e.big = big }

// EncodeValue writes one value. Its errors are those of [Encoder.Encode].
func (e *Encoder) EncodeValue(v Value) error {
	return e.encode(func(dst []byte) ([]byte, error) { return e.c.Append(dst, v) })
}

// Encode writes one Go value, converted as [ValueOf] does. It does not allocate if x is a pointer
// to a type of fields that have their own form, once its memory has grown.
//
// A value that cannot be encoded, or that is longer than a frame, writes nothing. After an error of the
// writer, such as a timeout, the rest of the frame is kept, and [Encoder.Flush] sends it; until then no
// other value can be encoded, since the reader would see half of a frame.
func (e *Encoder) Encode(x any) error {
	return e.encode(func(dst []byte) ([]byte, error) { return e.m.AppendMarshal(dst, x) })
}

// WriteFrame writes the bytes of a value as they are: those of a [codec.RawMessage] or of [Decoder.ReadFrame].
// Its errors are those of [Encoder.Encode].
func (e *Encoder) WriteFrame(b []byte) error {
	return e.encode(func(dst []byte) ([]byte, error) { return append(dst, b...), nil })
}

// encode writes a frame with what value appends.
func (e *Encoder) encode(value func(dst []byte) ([]byte, error)) error {
	switch {
	case e.c == nil:
		return errors.New("codec: the zero Encoder has no schema; make one with godot.NewEncoder")
	case e.w == nil:
		return errors.New("codec: the Encoder has no writer; make one with godot.NewEncoder, or call Encoder.Reset")
	case len(e.rest) > 0:
		return fmt.Errorf("codec: %d bytes of the last value are not sent; call Encoder.Flush before the next one: %w", len(e.rest), e.err)
	}
	out, err := value(append(e.buf[:0], 0, 0, 0, 0))
	if err != nil {
		return err
	}
	n := len(out) - 4
	if n > e.max {
		return &FrameError{Size: n, Max: e.max, Writing: true}
	}
	var order binary.ByteOrder = binary.LittleEndian
	if e.big {
		order = binary.BigEndian
	}
	order.PutUint32(out, uint32(n))
	if e.buf = out; cap(out) > maxKept {
		e.buf = nil
	}
	e.rest = out
	return e.Flush()
}

// Flush writes the bytes of a frame that the writer did not accept before. Without such bytes it does nothing.
func (e *Encoder) Flush() error {
	if len(e.rest) == 0 {
		return nil
	}
	n, err := e.w.Write(e.rest)
	if e.rest = e.rest[min(max(n, 0), len(e.rest)):]; err == nil && len(e.rest) > 0 {
		err = io.ErrShortWrite
	}
	if e.err = err; len(e.rest) == 0 {
		e.rest, e.err = nil, nil
	}
	return err
}

// maxKept is the size of the largest buffer that is kept for the next frame.
const maxKept = 1 << 20

func frameLimit(c *codec.Codec) int {
	if limit := c.Options().MaxFrame; limit > 0 {
		return int(min(uint64(limit), math.MaxUint32)) // the most that 4 bytes hold
	}
	return DefaultMaxFrame
}

// Decoder reads values from a stream that an [Encoder] or an engine wrote. It is for one goroutine at a time.
type Decoder struct {
	r      io.Reader
	c      *codec.Codec // with Options.Alias, since each value has the memory of its frame
	m      *codec.Mapper
	again  func(b []byte) (Value, int, error) // reuses the memory of values; nil without Options.Alias
	big    bool
	max    int  // bytes of a frame
	loose  bool // bytes behind a value in its frame are left alone
	offset int64
	err    error // of a malformed length

	head [4]byte // the length of the frame
	got  int     // bytes that have come of head and frame
	size int     // of the frame, if head is complete
	buf  []byte  // the bytes of the frame that have come, or memory for the next
}

// NewDecoder returns a Decoder that reads values of c's schema from r. It reads
// from r no more than the frames that it was asked for; give it a bufio.Reader
// where r is slow.
//
// With [codec.Options.Alias] a value is valid until the next call: its texts and
// arrays are in memory that the Decoder uses again.
func NewDecoder(c *codec.Codec, r io.Reader) *Decoder {
	o := c.Options()
	d := &Decoder{r: r, c: c, m: c.NewMapper(), max: frameLimit(c), loose: o.AllowTrailing}
	if o.Alias {
		d.again = raw.Reader(c)
		return d
	}
	o.Alias = true
	if alias, err := c.With(o); err == nil { // fails only for the zero Codec
		d.c = alias
	}
	return d
}

// Reset makes d read from r, from the beginning of a frame, and forgets an error. It keeps the memory of d.
func (d *Decoder) Reset(r io.Reader) { d.r, d.offset, d.err, d.got = r, 0, nil, 0 }

// SetBigEndian has lengths read with the highest byte first.
func (d *Decoder) SetBigEndian(big bool) { d.big = big }

// Offset returns how many bytes of the stream have been read.
func (d *Decoder) Offset() int64 { return d.offset }

// DecodeValue reads the next value. The error is one of these:
//
//	io.EOF                the stream ends between frames
//	io.ErrUnexpectedEOF   it ends inside a frame
//	[ErrFrame]            a length beyond [codec.Options.MaxFrame], or bytes behind the value in its frame
//	[*codec.Error]        a value that cannot be decoded
//	any other             the error of the io.Reader
//
// An error of the reader, such as a deadline that has passed, loses nothing: the bytes of the frame that have
// come are kept, and the next call continues. After a value that cannot be decoded the next call reads
// the next frame. Only after a length beyond the limit every call fails, since the beginning of the next
// frame is unknown.
func (d *Decoder) DecodeValue() (Value, error) {
	b, err := d.frame()
	if err != nil {
		return Value{}, err
	}
	decode := d.again
	if decode == nil {
		decode = d.c.Decode
		if cap(b) > 2*len(b)+64 { // memory for more than this value
			b = append(make([]byte, 0, len(b)), b...)
		} else {
			d.buf = nil
		}
	}
	v, used, err := decode(b)
	if err != nil {
		return Value{}, err
	}
	if used < len(b) && !d.loose {
		return v, &FrameError{Size: len(b), Max: d.max, Used: used, Offset: d.offset - int64(len(b)) - 4}
	}
	return v, nil
}

// Decode reads the next value into what ptr points to, as [codec.Mapper.Unmarshal] does. With [codec.Options.Alias] it
// does not allocate if ptr is the same each time and its slices have grown. Its errors are those of
// [Decoder.DecodeValue], and [*codec.TypeError] for a value that does not fit, after which the next call reads the next
// frame.
func (d *Decoder) Decode(ptr any) error {
	b, err := d.frame()
	if err != nil {
		return err
	}
	err = d.m.Unmarshal(b, ptr)
	if errors.Is(err, codec.ErrTrailing) {
		return fmt.Errorf("%w: %w", ErrFrame, err)
	}
	return err
}

// ReadFrame reads the bytes of the next frame without decoding them. They may be those of any schema. They are valid
// until the next call. Its errors are those of [Decoder.DecodeValue].
func (d *Decoder) ReadFrame() ([]byte, error) { return d.frame() }

// firstRead is the number of bytes of a frame for which memory is allocated before any of them arrives. A length alone
// must not cost much memory.
const firstRead = 64 << 10

// frame reads the bytes of the next frame, or after an error its remaining bytes.
func (d *Decoder) frame() ([]byte, error) {
	if d.c == nil {
		return nil, errors.New("codec: the zero Decoder has no schema; make one with godot.NewDecoder")
	}
	if d.err != nil {
		return nil, d.err
	}
	if d.got < len(d.head) {
		if err := d.fill(d.head[d.got:]); err != nil {
			return nil, err
		}
		size := binary.LittleEndian.Uint32(d.head[:])
		if d.big {
			size = binary.BigEndian.Uint32(d.head[:])
		}
		if uint64(size) > uint64(d.max) {
			d.err = &FrameError{Size: int(min(uint64(size), math.MaxInt)), Max: d.max, Offset: d.offset - 4}
			return nil, d.err
		}
		d.size = int(size)
		if first := min(d.size, firstRead); cap(d.buf) < first || cap(d.buf) > maxKept {
			d.buf = make([]byte, 0, first)
		}
		d.buf = d.buf[:0]
	}
	for len(d.buf) < d.size {
		if len(d.buf) == cap(d.buf) {
			d.buf = append(make([]byte, 0, min(d.size, 2*cap(d.buf))), d.buf...)
		}
		have := len(d.buf)
		before := d.got
		err := d.fill(d.buf[have:min(cap(d.buf), d.size)])
		if d.buf = d.buf[:have+d.got-before]; err != nil {
			return nil, err
		}
	}
	d.got = 0
	return d.buf, nil
}

// fill reads all of b and counts what has come.
func (d *Decoder) fill(b []byte) error {
	n, err := io.ReadFull(d.r, b)
	d.offset += int64(n)
	if d.got += n; err == io.EOF && d.got > 0 {
		return io.ErrUnexpectedEOF
	}
	return err
}
