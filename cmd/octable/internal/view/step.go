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

// runs are the recorded runs of a packet: reading and writing, of each value of a stream.
type runs struct {
	mu   sync.Mutex
	runs map[runKey]*trace.Run
	of   []Span // of the values
}

type runKey struct {
	value  int
	encode bool
}

// maxStepped is the most bytes of a value whose run is recorded, and maxRuns the most runs that are kept.
const (
	maxStepped = 1 << 20
	maxRuns    = 8
)

// spans returns the bytes of the values: those after the lengths of a stream, or all bytes.
func (p *packet) spans() []Span {
	if p.opt.Framed == "" {
		return []Span{{0, len(p.bytes)}}
	}
	var out []Span
	for _, n := range p.parts(0) {
		if x := &p.nodes[n]; x.kind == Frame {
			out = append(out, Span{int(x.to), int(x.to) + int(x.Number)})
		}
	}
	return out
}

// decoded returns the value that begins at an offset, if it was read to its end.
func (p *packet) decoded(from int) (v interp.Value, ok bool) {
	if p.opt.Framed == "" {
		return p.value, p.read
	}
	for _, n := range p.parts(0) {
		if x := &p.nodes[n]; x.kind == Value && int(x.from) == from && x.Done && !p.gaps[n] {
			return x.Value, true
		}
	}
	return v, false
}

// run returns the recorded run of a value in a direction. The lock is held.
func (p *packet) run(key runKey, at Span) (*trace.Run, error) {
	if r := p.runs.runs[key]; r != nil {
		return r, nil
	}
	if at.To-at.From > maxStepped {
		return nil, &Error{Code: "size", Message: fmt.Sprintf("values of more than %d bytes cannot be stepped through", maxStepped)}
	}
	if p.runs.runs == nil || len(p.runs.runs) >= maxRuns {
		p.runs.runs = map[runKey]*trace.Run{}
	}
	reading := p.opt.reading()
	if !key.encode {
		p.runs.runs[key] = trace.Decode(p.f.machine(), p.bytes[at.From:at.To], reading)
		return p.runs.runs[key], nil
	}
	v, ok := p.decoded(at.From)
	if !ok {
		return nil, errNotRead
	}
	reading.KeepWidths = true
	p.runs.runs[key] = trace.Encode(p.f.machine(), v, reading)
	return p.runs.runs[key], nil
}

// step goes to a step of a run. Behind the last step of a value of a stream is the first one of the next value.
func (p *packet) step(_ context.Context, q StepParams) (*Moment, error) {
	p.runs.mu.Lock()
	defer p.runs.mu.Unlock()
	if p.runs.of == nil {
		p.runs.of = p.spans()
	}
	values := p.runs.of
	if len(values) == 0 {
		return nil, &Error{Code: "value", Message: "the stream has no values"}
	}
	key := runKey{max(0, min(q.Value, len(values)-1)), q.Encode}
	offset := 0
	if q.Move == "byte" {
		n, err := strconv.ParseUint(q.Target, 0, 31)
		if err != nil {
			return nil, &Error{Code: "params", Message: fmt.Sprintf("%q is no offset", interp.Clip(q.Target, 40))}
		}
		offset = int(n)
		for key.value = 0; key.value < len(values)-1 && offset >= values[key.value].To; key.value++ {
		}
		offset = max(0, offset-values[key.value].From)
	}
	r, err := p.run(key, values[key.value])
	if err != nil {
		return nil, err
	}
	at, ok := max(0, min(q.At, r.Len())), true
	switch {
	case q.Move == "step" && at == r.Len() && key.value < len(values)-1:
		key.value++
		at = 0
		r, err = p.run(key, values[key.value])
	case q.Move == "back" && at == 0 && key.value > 0:
		key.value--
		if r, err = p.run(key, values[key.value]); err == nil {
			at = r.Len()
		}
	case q.Move == "":
	case q.Move == "byte":
		at, ok = r.Find(0, trace.Target{Byte: &offset})
	case q.Move == "row":
		at, ok = r.Find(at+1, trace.Target{Row: q.Target})
	case q.Move == "field":
		at, ok = r.Find(at+1, trace.Target{Field: q.Target})
	default:
		at, ok = r.Move(at, q.Move)
	}
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &Error{Code: "value", Message: "the run has no such step: " + q.Move + " " + interp.Clip(q.Target, 100)}
	}
	base := 0
	if !q.Encode {
		base = values[key.value].From
	}
	m := p.moment(r, r.State(at), base)
	m.Value, m.Values = key.value, len(values)
	return m, nil
}

// moment describes a state. Offsets count from base.
func (p *packet) moment(r *trace.Run, x *trace.State, base int) *Moment {
	out := &Moment{Step: x.Step, Steps: r.Len(), More: r.More, Cursor: base + x.Offset, Path: x.Path, PC: x.PC, Registers: []Setting{}, Fields: []Setting{}, Frames: []string{}}
	if l := x.Last; l != nil {
		out.Last = &Span{base + l.Offset, base + l.Offset + len(l.Bytes)}
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
		out.Error = p.f.fault(x.Err, base)
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
