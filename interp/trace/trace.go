// Package trace records the run of a reader or a writer. It shows the state of the run
// before each instruction, forward and back.
//
//	func Decode(m *interp.Machine, b []byte, opt interp.Options) *Run
//	func Encode(m *interp.Machine, v interp.Value, opt interp.Options) *Run
//	func (r *Run) Len() int                            // instructions that were run
//	func (r *Run) Step(i int) Step                     // instruction i, with the bytes that it took
//	func (r *Run) State(i int) *State                  // before instruction i; Len() is the end
//	func (r *Run) Find(from int, t Target) (int, bool) // the next step at an offset, a field or a row
//
// A Run is a client of the events of interp. A recorded step is 32 bytes. States are not recorded:
// State repeats the run, and keeps the states of the steps around it. So stepping takes the memory of a
// window, and a run that nobody steps through is not affected.
package trace

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// MaxSteps is the number of instructions that a Run records.
const MaxSteps = 1 << 24

// window is the number of states that are kept before and behind one that was asked for.
const window = 64

// Step is one instruction of a run.
type Step struct {
	PC     int32
	Nest   int32 // number of values around the instruction
	Cursor int   // before the instruction
	Offset int   // of the bytes that the instruction reads or writes
	Len    int32 // number of them
	First  bool  // the instruction is the first of its value
}

// Run is the recorded run of a reader or a writer. It is for one goroutine at a time.
type Run struct {
	Dir   interp.Direction
	Bytes []byte        // reading: the input; writing: the output, nil after an error
	Value interp.Value  // writing: the input; reading: the output, None after an error
	Used  int           // reading: bytes that were read
	Err   *interp.Error // that ended the run, or nil
	More  bool          // there are more than MaxSteps instructions

	m      *interp.Machine
	opt    interp.Options
	steps  []Step
	states map[int]*State
}

// Decode records the reading of a packet.
func Decode(m *interp.Machine, b []byte, opt interp.Options) *Run {
	r := &Run{Dir: interp.Reading, Bytes: b, m: m, opt: opt}
	r.record()
	return r
}

// Encode records the writing of a value.
func Encode(m *interp.Machine, v interp.Value, opt interp.Options) *Run {
	r := &Run{Dir: interp.Writing, Value: v, m: m, opt: opt}
	r.record()
	return r
}

// run runs the program once.
func (r *Run) run(o interp.ObserverFunc) error {
	var err error
	if r.Dir == interp.Writing {
		var out []byte
		if out, err = r.m.AppendObserved(nil, r.Value, r.opt, o); err == nil {
			r.Bytes = out
		}
		return err
	}
	r.Value, r.Used, err = r.m.DecodeObserved(r.Bytes, r.opt, o)
	return err
}

func (r *Run) record() {
	nest, first := int32(0), false
	err := r.run(func(e *interp.Event) {
		switch e.Kind {
		case interp.Open:
			nest++
			first = true
		case interp.Close:
			nest--
			first = false
		case interp.Before:
			if r.More = len(r.steps) == MaxSteps; !r.More {
				r.steps = append(r.steps, Step{PC: int32(e.PC), Nest: nest, Cursor: e.Offset, Offset: e.Offset, First: first})
			}
			first = false
		case interp.Row, interp.Padding:
			if s := len(r.steps) - 1; s >= 0 && int(r.steps[s].PC) == e.PC && !r.More {
				r.steps[s].Offset, r.steps[s].Len = e.Offset, int32(e.Len)
			}
		}
	})
	errors.As(err, &r.Err)
}

// Len returns the number of recorded instructions.
func (r *Run) Len() int { return len(r.steps) }

// Step returns an instruction.
func (r *Run) Step(i int) Step { return r.steps[i] }

// Frame is a value around the cursor.
type Frame struct {
	Routine uint32
	Path    string
	PC      int // the instruction that reads or writes the value; -1 for the packet
}

// Row is the row that an instruction has read or written.
type Row struct {
	PC     int
	Rule   *bytecode.Rule
	Offset int
	Bytes  []byte
	Value  interp.Value // None for a number that is no value
	Number uint64
	Kind   interp.EventKind // Row or Padding
}

// State is the state of a run before an instruction, or at its end.
type State struct {
	Step      int            // number of the instruction
	PC        int            // the instruction; -1 at the end
	Rule      *bytecode.Rule // its row of the schema; nil at the end
	Routine   uint32
	Offset    int    // the cursor
	Path      string // of the value around
	Registers []uint64
	Type      *bytecode.Type // of the pending record, or nil
	Cells     []interp.Value // the fields of the pending record
	Last      *Row           // the bytes that were read or written last, or nil
	Frames    []Frame        // the values around the cursor, outermost first
	Err       *interp.Error  // at the end
}

// State returns the state before an instruction. Len() is the end.
func (r *Run) State(i int) *State {
	if s, ok := r.states[i]; ok {
		return s
	}
	first, last := i-window, i+window
	t := &watch{run: r, first: first, last: last, states: map[int]*State{}}
	err := r.run(t.event)
	end := &State{Step: r.Len(), PC: -1, Last: t.row, Offset: r.Used}
	if errors.As(err, &end.Err); end.Err != nil {
		end.Offset, end.Path, end.Rule = end.Err.Offset, end.Err.Path, &end.Err.Rule
		end.Frames = t.frames
	} else if r.Dir == interp.Writing {
		end.Offset = len(r.Bytes)
	}
	t.states[r.Len()] = end
	r.states = t.states
	return r.states[i]
}

// watch is an observer that notes the states of some steps.
type watch struct {
	run         *Run
	first, last int
	step        int
	states      map[int]*State
	frames      []Frame
	pc          []int // that are run, one for each frame
	row         *Row
}

func (t *watch) event(e *interp.Event) {
	switch e.Kind {
	case interp.Open:
		pc := -1
		if len(t.pc) > 0 {
			pc = t.pc[len(t.pc)-1]
		}
		t.frames = append(t.frames, Frame{e.Routine, e.Path(), pc})
		t.pc = append(t.pc, -1)
	case interp.Close:
		t.frames, t.pc = t.frames[:len(t.frames)-1], t.pc[:len(t.pc)-1]
	case interp.Before:
		t.pc[len(t.pc)-1] = e.PC
		if t.step >= t.first && t.step <= t.last && t.step < t.run.Len() {
			t.states[t.step] = t.state(e)
		}
		t.step++
	case interp.Row, interp.Padding:
		if e.Len == 0 && e.Value.IsNone() {
			return
		}
		t.row = &Row{PC: e.PC, Rule: e.Rule, Offset: e.Offset, Bytes: e.Bytes(), Value: e.Value, Number: e.Number, Kind: e.Kind}
		if e.Dir == interp.Writing { // the output changes
			t.row.Bytes = slices.Clone(t.row.Bytes)
		}
	}
}

// state returns the state before an instruction.
func (t *watch) state(e *interp.Event) *State {
	p := t.run.m.Program()
	s := &State{Step: t.step, PC: e.PC, Rule: e.Rule, Routine: e.Routine, Offset: e.Offset, Path: e.Path(),
		Registers: slices.Clone(e.Registers()), Last: t.row, Frames: slices.Clone(t.frames)}
	for pc := e.PC - 1; pc >= int(p.Routines[e.Routine].Start); pc-- {
		if p.Code[pc].Op == bytecode.Fields && p.End(pc) >= e.PC {
			s.Type = &p.Types[p.Code[pc].B]
			cells := e.Cells()
			s.Cells = slices.Clone(cells[:min(len(cells), len(s.Type.Fields))])
			break
		}
	}
	return s
}

// Moves are the words of [Run.Move].
var Moves = []string{"step", "back", "over", "out", "next", "previous", "begin", "end", "error"}

// Move returns the step to which a word leads from a step. "step" and "back" go by one instruction, "begin" and "end" to
// the first and behind the last one. "over" goes forward over the values inside, "out" to the end of the value around,
// "next" and "previous" to a row that has bytes, "error" to the instruction that fails. It is false if there is no such
// step.
func (r *Run) Move(at int, word string) (int, bool) {
	n := r.Len()
	at = max(0, min(at, n))
	switch word {
	case "step":
		return min(at+1, n), true
	case "back":
		return max(at-1, 0), true
	case "over", "out":
		if at >= n {
			return n, true
		}
		nest := r.steps[at].Nest
		for at++; at < n && (r.steps[at].Nest > nest || word == "out" && r.steps[at].Nest == nest && !r.steps[at].First); {
			at++
		}
		return at, true
	case "next":
		for at++; at < n && r.steps[at].Len == 0; {
			at++
		}
		return min(at, n), true
	case "previous":
		for at--; at > 0 && r.steps[at].Len == 0; {
			at--
		}
		return max(at, 0), true
	case "begin":
		return 0, true
	case "end":
		return n, true
	case "error":
		return max(n-1, 0), r.Err != nil
	}
	return at, false
}

// Target is a place of a run to go to. One of the fields is set.
type Target struct {
	Byte  *int   // the instruction that reads or writes the byte
	Row   string // a row of the schema: its name, such as Header.size or size, or its line, such as 88 or header.oct:88
	Field string // a value: its path, such as .entities[3].pos, or the row of a path
}

// Find returns the first step from one on that is at a target.
func (r *Run) Find(from int, t Target) (int, bool) {
	if t.Byte != nil {
		for i := max(from, 0); i < len(r.steps); i++ {
			if s := &r.steps[i]; *t.Byte >= s.Offset && *t.Byte < s.Offset+int(s.Len) {
				return i, true
			}
		}
		return 0, false
	}
	found, step := -1, -1
	var before *bytecode.Rule // of the step before: a row is found at its first instruction
	_ = r.run(func(e *interp.Event) {
		if found >= 0 {
			return
		}
		switch e.Kind {
		case interp.Before:
			step++
			if step >= from && step < len(r.steps) && (t.Row != "" && e.Rule != before && isRow(e.Rule, t.Row) || t.Field != "" && isField(e, t.Field)) {
				found = step
			}
			before = e.Rule
		case interp.Open: // before its first instruction
			before = nil
			if step+1 >= from && step+1 < len(r.steps) && t.Field != "" && (e.Path() == t.Field || e.Path() == "" && t.Field == ".") {
				found = step + 1
			}
		}
	})
	return found, found >= 0
}

// isRow reports whether a row has a name or a line.
func isRow(rule *bytecode.Rule, name string) bool {
	line := strconv.FormatUint(uint64(rule.Line), 10)
	return rule.Name == name || strings.HasSuffix(rule.Name, "."+name) || line == name || rule.File+":"+line == name
}

// isField reports whether an instruction is the row of a path.
func isField(e *interp.Event, path string) bool {
	at := strings.LastIndexByte(path, '.')
	return at >= 0 && e.Path() == path[:at] && strings.HasSuffix(e.Rule.Name, path[at:])
}
