// Reading records from a stream.

package codec

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/octable/octable/interp"
)

// DefaultMaxFrame is the default of [Options.MaxFrame].
const DefaultMaxFrame = 8 << 20

// Records returns the elements of the list that is the last row of the schema's outermost record. Such are the packets
// of a capture file. It reads from r as the loop goes on, and keeps one element and a block of input of 64 KiB, so a
// file may be larger than memory. The rows before the list are checked, too.
//
// With [Options.Alias] an element is valid until the next one; otherwise it has separate memory.
// An element of more than [Options.MaxFrame] bytes is an error.
//
// The error is an [*Error] whose Offset counts from the beginning of the input and whose Path has the index of the
// element, such as ".packets[17].data", or that of r with both. It ends the loop.
func (c *Codec) Records(r io.Reader) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		if err := c.ready(); err != nil {
			yield(Value{}, err)
			return
		}
		limit := cmp.Or(c.opt.MaxFrame, DefaultMaxFrame)
		x, err := c.m.Records(r, c.raw, interp.RecordOptions{MaxBytes: limit, Reuse: c.opt.Alias, Trailing: c.opt.AllowTrailing})
		if c.opt.Strict {
			err = errors.New("Options.Strict needs the whole input")
		}
		if err != nil {
			yield(Value{}, fmt.Errorf("codec: schema %s has no records to iterate: %w", c.Schema(), err))
			return
		}
		for {
			v, err := x.Next()
			if err == nil {
				v, err = c.forms.apply(v, false)
			}
			switch e := (*interp.Error)(nil); {
			case err == io.EOF:
				return
			case errors.As(err, &e):
				err = codecError(err)
			case err != nil:
				err = fmt.Errorf("codec: reading record %d at byte %d: %w", x.Index(), x.Offset(), err)
			}
			if !yield(Value{raw: v, of: c.notation}, err) || err != nil {
				return
			}
		}
	}
}
