// Stepping through the run that reads a packet, or that writes its value.

package view

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"sync"

	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/trace"
)

// runs are the recorded runs of a packet: reading and writing.
type runs struct {
	mu   sync.Mutex
	runs [2]*trace.Run
}

// maxStepped is the most bytes of a packet whose run is recorded.
const maxStepped = 1 << 20

// run returns the recorded run in a direction. The lock is held.
func (p *packet) run(encode bool) (*trace.Run, error) {
	i, reading := 0, p.opt.reading()
	if encode {
		i = 1
		reading.KeepWidths = true
	}
	switch {
	case p.runs.runs[i] != nil:
		return p.runs.runs[i], nil
	case len(p.bytes) > maxStepped:
		return nil, &Error{Code: "size", Message: fmt.Sprintf("packets of more than %d bytes cannot be stepped through", maxStepped)}
	case p.opt.Framed != "":
		return nil, &Error{Code: "value", Message: "a stream has several runs; open one of its values by itself to step through it"}
	case encode && !p.read:
		return nil, errNotRead
	case encode:
		p.runs.runs[i] = trace.Encode(p.f.machine(), p.value, reading)
	default:
		p.runs.runs[i] = trace.Decode(p.f.machine(), p.bytes, reading)
	}
	return p.runs.runs[i], nil
}

// step goes to a step of a run.
func (p *packet) step(_ context.Context, q StepParams) (*Moment, error) {
	p.runs.mu.Lock()
	defer p.runs.mu.Unlock()
	r, err := p.run(q.Encode)
	if err != nil {
		return nil, err
	}
	at, ok := max(0, min(q.At, r.Len())), true
	switch q.Move {
	case "":
	case "byte":
		n, err := strconv.ParseUint(q.Target, 0, 31)
		if err != nil {
			return nil, &Error{Code: "params", Message: fmt.Sprintf("%q is no offset", clip(q.Target, 40))}
		}
		offset := int(n)
		at, ok = r.Find(0, trace.Target{Byte: &offset})
	case "row":
		at, ok = r.Find(at+1, trace.Target{Row: q.Target})
	case "field":
		at, ok = r.Find(at+1, trace.Target{Field: q.Target})
	default:
		at, ok = r.Move(at, q.Move)
	}
	if !ok {
		return nil, &Error{Code: "value", Message: "the run has no such step: " + q.Move + " " + clip(q.Target, 100)}
	}
	return p.moment(r, r.State(at)), nil
}

// moment describes a state.
func (p *packet) moment(r *trace.Run, x *trace.State) *Moment {
	out := &Moment{Step: x.Step, Steps: r.Len(), More: r.More, Cursor: x.Offset, Path: x.Path, PC: x.PC, Registers: []Setting{}, Fields: []Setting{}, Frames: []string{}}
	if l := x.Last; l != nil {
		out.Last = &Span{l.Offset, l.Offset + len(l.Bytes)}
		out.Digits = hex.EncodeToString(l.Bytes[:min(len(l.Bytes), 64)])
		switch {
		case l.Kind == interp.Padding:
			out.LastText = "padding of " + l.Rule.Name
		case l.Value.IsNone():
			out.LastText = fmt.Sprintf("%s %d", l.Rule.Name, l.Number)
		default:
			out.LastText = l.Rule.Name + " " + p.f.notation.Clipped(l.Value, clipText)
		}
	}
	if x.Rule != nil {
		out.Row, out.Rule = placeOf(x.Rule), x.Rule.Name
	}
	switch {
	case x.Err != nil:
		out.Error = p.f.fault(x.Err, 0)
	case x.PC < 0 && r.Dir == interp.Writing:
		out.Result = bytesText(len(r.Bytes))
	case x.PC < 0:
		out.Result = p.f.notation.Clipped(r.Value, clipText)
	default:
		out.Next = p.f.program.InstrText(&p.f.program.Code[x.PC])
	}
	for i, v := range x.Registers {
		out.Registers = append(out.Registers, Setting{"r" + strconv.Itoa(i), strconv.FormatInt(int64(v), 10)})
	}
	if x.Type != nil {
		out.Record = x.Type.Name
		for i, v := range x.Cells {
			if !v.IsNone() {
				out.Fields = append(out.Fields, Setting{x.Type.Fields[i].Name, p.f.notation.Clipped(v, clipText)})
			}
		}
	}
	for _, f := range x.Frames {
		out.Frames = append(out.Frames, p.f.program.Routines[f.Routine].Name)
	}
	return out
}
