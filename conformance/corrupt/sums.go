// Checksums of packets that were changed.

package corrupt

import (
	"bytes"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Summed returns a packet with the number that the reader computes in place of the one that it refuses. That is a
// checksum, or a number that follows from others. ok is false if the reader accepts the packet or refuses it for
// another reason, or if the number does not fit.
func (e *Engine) Summed(b []byte) (out []byte, ok bool) {
	var words []interp.Event
	var last uint64
	e.r.Observe(interp.ObserverFunc(func(ev *interp.Event) {
		switch ev.Kind {
		case interp.Row:
			if ev.PC >= 0 && e.p.Code[ev.PC].Op == bytecode.Word {
				words = append(words, ev.Keep())
			}
		case interp.Computed:
			last = ev.Number
		case interp.Failed:
			out, ok = e.summed(b, words, ev, last)
		}
	}))
	_, _, _ = e.r.Read(b)
	return out, ok
}

// summed replaces the number at the place of an error by the one that the instruction of the error computes. An expression that
// is only a number or a register has no event; the number of any other one is the last that was computed.
func (e *Engine) summed(b []byte, words []interp.Event, failed *interp.Event, last uint64) ([]byte, bool) {
	if failed.PC < 0 {
		return nil, false
	}
	in := &e.p.Code[failed.PC]
	if in.Op != bytecode.Compare && in.Op != bytecode.Settle {
		return nil, false
	}
	want := last
	if x := e.p.Exprs[in.B]; x.Op == bytecode.ExprReg {
		want = failed.Registers()[x.Arg]
	} else if x.Op == bytecode.ExprNum {
		want = uint64(x.Arg)
	}
	for _, ev := range slices.Backward(words) {
		word := &e.p.Code[ev.PC]
		if ev.Offset != failed.Err.Offset || in.Op == bytecode.Compare && word.B != in.A {
			continue
		}
		with, ok := e.number(b, &ev, word.Scalar(), want)
		return slices.Concat(b[:ev.Offset], with, b[ev.End():]), ok && !bytes.Equal(with, b[ev.Offset:ev.End()])
	}
	return nil, false
}
