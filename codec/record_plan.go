// Plans between the bytes of records and structs: the plain form of a record, of which each field
// has its place in the packet and in the struct.
//
// A plan is made once for a Go type and a routine, and for arguments whose numbers are known. Conditions on these
// leave no step. The arms of a union have a plan for each group of words that decide their conditions alike: a reader
// looks it up by the word, and a writer computes the word before the record. Maps go into slices of structs with Key
// and Value, if their keys are texts or integers that differ. A tuple goes into a slice, an array or a struct with the
// names of its numbers, and an array of tuples into a slice of arrays.
//
// A part without a plan makes the plan of what contains it impossible, except the arm of a union, which goes by
// Values when a packet has it.

package codec

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// recordPlan is how the values of a routine are read into a Go type, or written from one.
type recordPlan struct {
	steps   []recordStep
	union   *recordUnion // the arms of a union instead of steps
	args    int          // registers that the caller gives
	regs    int          // registers that checks, conditions and arguments use, with args
	flat    bool         // a run of fields, or one and a text
	rows    *putRows     // writing: flat, a run alone: how the fields of many records are written; nil if by the run
	whole   bool         // the fields are all the memory of the Go value. Each is set, and what it pointed to does not matter
	covered bool         // the fields are all the memory of the Go value
	nests   bool         // values may contain others of the routine, whether these count towards the depth or not
	making  bool         // its steps are being made
	broken  bool         // goes by Values, which was found too late for those that contain it
	unknown bool         // the record has fields that the Go type has not
	head    *recordExpr  // writing: the word of the union, which the writer of the union has computed
	puts    []putOp      // writing: the operations of the steps
	all     int          // registers of the routine
	gets    []getOp      // reading: the operations of the steps
	entry   []getOp      // reading: the operation that reads a union
	deep    int          // reading: records inside whose registers are with those of this one
	lowered bool         // reading: the operations are made
	label   *recordLabel // reading: the arm is a text whose length is in the word of the union, and nothing else
	stale   bool         // reading: what an element of a list held before matters
	clears  bool         // an operation may read a register before it is set
	zero    goType
}

// recordCode is what is done with a part of a record.
type recordCode uint8

const (
	recordRun     recordCode = iota // fields of fixed size
	recordText                      // text and a string
	recordBytes                     // text or bytes and a []byte
	recordNumber                    // array of numbers and a slice or an array
	recordList                      // list and a slice
	recordPairs                     // map and a slice of structs with Key and Value
	recordInner                     // record
	recordSkip                      // reading: array that no field takes
	recordPad                       // padding to a multiple of bytes
	recordPointer                   // a part behind a pointer
	recordLet                       // an expression into a register
	recordCheck                     // an expression that must hold
	recordIf                        // steps under a condition
	recordAbsent                    // writing: the field must be left out
	recordPresent                   // writing: the field must not be left out
	recordTake                      // reading: a register into a field
	recordEnter                     // reading: begin a region
	recordLeave                     // reading: end it
	recordMark                      // the place of the cursor into a register
	recordSize                      // the bytes since such a place
	recordSum                       // a checksum into a register
	recordCompare                   // reading: a register must be what an expression gives
	recordStop                      // reading: whether the record ends a list
	recordWord                      // writing: a word of a run, which an expression gives
	recordPlace                     // writing: a word that a patch completes
	recordPatch                     // writing: such a word
	recordHead                      // writing: a word that a register has
	recordUntil                     // text or bytes up to a terminator
	recordFilled                    // text or bytes, and bytes that fill the row
	recordCoded                     // a number of a coding at the cursor, and a field or a register
	recordPlaces                    // a row at a place, or its base record, begins or ends, or a writer chooses a place
	recordTotal                     // a checksum of a record with rows at places, into a register. It may leave out words of the record
	recordGaps                      // the bytes between rows at places, and a []byte
)

// recordStep is a part of a record. The fields that most steps use are next to each other in memory.
type recordStep struct {
	code     recordCode
	placed   bool            // an array that is part of the last run, at off
	bare     bool            // recordPad: the padding may be missing at the end
	through  bool            // recordList: up to the element that stops it
	tail     bool            // recordList: up to the end of the region
	any      bool            // recordFilled: any bytes may fill the row
	longer   bool            // recordCoded: reading accepts other forms of the number
	coding   bytecode.Coding // recordCoded; recordPatch: of the word
	size     int             // recordRun: bytes; recordPad: multiple; recordNumber, recordSkip: bytes of an element
	offset   uintptr         // of the field
	reg      int             // the register that is set or compared; recordCoded: -1 without one
	off      int             // recordMark, recordWord, recordPlace: the place in the last run; -1 is the cursor
	from     int             // recordSize, recordPatch: the register with the place; recordPlaces: the register with the number that the record has
	expr     *recordExpr
	base     int    // writing: recordRun: the place of the last of the runs that are in it
	moves    []move // recordRun
	words    []word // recordRun: those that the moves do not write, or that have a register
	field    *field // nil: the Go value itself
	op       *readOp
	elem     *recordPlan  // recordList, recordInner; recordPairs: of the keys
	args     []recordExpr // recordList, recordInner
	then     []recordStep // recordIf
	els      []recordStep
	count    partCount
	encoding int
	least    uint32        // recordList, recordPairs: bytes of an element
	typ      reflect.Type  // recordNumber: the array; recordGaps: of the field, nil if none takes the bytes
	number   move          // recordNumber: of an element
	lanes    int           // recordNumber: numbers of an element; more than 1 are a tuple
	tuple    reflect.Type  // recordNumber: of an element
	array    int           // recordNumber: length of a Go array, or -1
	pair     *recordPair   // recordPairs
	fill     int           // recordPad: the byte that is written, and that it must be; reading: -1 for any
	inner    *recordStep   // recordPointer
	variants []*recordPlan // recordList: elem by the arguments that decide, of which decides has the numbers
	decides  []int
	end      string // recordUntil
	sum      interp.Checksum
	places   *bytecode.Instr // recordPlaces, recordTotal, recordGaps
	pc       int             // of places
	choice   *bytecode.Instr // recordPlaces: how a writer chooses the place, or nil
}

// partCount is the number of parts. It is a constant, bits of a word of the last run, or an expression; if rest is
// true, there are as many as the input has.
type partCount struct {
	n      int64
	expr   *recordExpr
	from   *bytecode.Bits
	scalar bytecode.Scalar
	big    bool
	rest   bool
}

// word is a number of a run that no field holds. Reading takes it into a register. Writing computes
// it: a constant, and the number of parts of a field or bits of fields.
type word struct {
	off    int
	scalar bytecode.Scalar
	big    bool
	reg    int  // -1: none
	moved  bool // writing: a move has written it
	base   uint64
	count  *wordPart // a text, a slice or an array
	most   uint64    // of count
	bits   []wordPart
}

// wordPart is a field that a word is computed from.
type wordPart struct {
	field   *field
	offset  uintptr
	pointer reflect.Type // of the field, if it is one
	array   reflect.Type // of the integers, if it is no slice
	text    bool
	runes   bool // reading: the characters of a text count
	bool    bool
	list    bool // the number of elements of a slice
	outside bool // a float64: 1 if it is no single
	size    uint8
	signed  bool
	width   uint
	shift   uint
	half    uint64 // the sign of the bits, or 0
}

// recordCompiler makes the plans of one Go type.
type recordCompiler struct {
	c       *Codec
	p       *bytecode.Program
	big     bool
	write   bool
	chunks  int
	slabs   int
	unknown bool // a record that a plan reads has fields that the Go type has not
	places  bool // a plan has rows at places
	plans   map[routineKey]*recordPlan
	names   Naming
	slow    []string // the parts that go by Values, with the reasons
}

// routineKey says of what a plan is.
type routineKey struct {
	routine uint32
	typ     reflect.Type
	known   string // of the arguments
}

// recordPlan returns how a type is read from records or written as one, or nil if all goes by Values.
func (c *Codec) recordPlan(t reflect.Type, write bool) (*recordPlan, *recordCompiler) {
	p := c.m.Program()
	rc := &recordCompiler{c: c, p: p, big: p.Big, write: write, plans: map[routineKey]*recordPlan{}, names: c.opt.Names}
	rec := rc.value(p.Root, t)
	if write {
		rc.lower()
	} else {
		rc.lowerReads()
	}
	return rec, rc
}

// recordProgram returns how a type is read from records, or nil if all goes by Values.
func (c *Codec) recordProgram(t reflect.Type) *readProgram {
	rec, rc := c.recordPlan(t, false)
	if rec == nil {
		return nil
	}
	return &readProgram{record: rec, unknown: rc.unknown, places: rc.places, chunks: rc.chunks, slabs: rc.slabs, slow: rc.slow}
}

// hooked reports whether values of a type are converted by methods of the type.
func (c *recordCompiler) hooked(t reflect.Type) bool {
	p := planFor(t, want{})
	return c.write && p.writeHook != noHook || !c.write && p.readHook != noHook
}

// refuse notes that a part goes by Values.
func (c *recordCompiler) refuse(part any, reason string) {
	c.slow = append(c.slow, fmt.Sprintf("%v: %s", part, reason))
}

// value returns how values of a routine are read into a type or written from it, or nil. The arguments that are
// known decide conditions.
func (c *recordCompiler) value(routine uint32, t reflect.Type, known ...bytecode.Known) *recordPlan {
	key := routineKey{routine, t, fmt.Sprint(known)}
	if rec, ok := c.plans[key]; ok {
		if rec.broken {
			return nil
		}
		rec.nests = rec.nests || rec.making
		return rec
	}
	r := &c.p.Routines[routine]
	rec := &recordPlan{zero: goTypeOf(t), args: int(r.Args), all: int(r.Regs), nests: r.Nests, making: true}
	c.plans[key] = rec
	defer func() { rec.making = false }()
	var ok bool
	if in := &c.p.Code[r.Start]; in.Op == bytecode.Fields {
		ok = c.record(rec, routine, int(r.Start), t, known, nil)
	} else {
		ok = c.unionPlan(rec, routine, t, known)
	}
	if rec.args > 0 {
		rec.regs = int(r.Regs)
	}
	if rec.broken = !ok; !ok {
		c.refuse(t, "no plan for "+r.Name)
		return nil
	}
	return rec
}

// record makes the plan of a record, whose fields begin at an instruction, for a type. It reports false if Values
// have to convert it. Conditions that are decided, by their instructions, leave no step.
func (c *recordCompiler) record(rec *recordPlan, routine uint32, at int, t reflect.Type, known []bytecode.Known, decided map[int]bool) bool {
	direction := bytecode.Reading
	if c.write {
		direction = bytecode.Writing
	}
	form := c.p.Plain(at, direction, known...)
	if rest := c.rest(form); !form.Whole && rest == nil || c.write && len(known) > 0 {
		form = c.p.Widest(at, direction, known...)
	}
	typ := &c.p.Types[form.Type]
	done := &c.p.Code[c.p.End(at)]
	rest := c.rest(form)
	fixed := form.Fixed || rest != nil && len(typ.Fields) == 1
	single := len(typ.Fields) == 1 && typ.Fields[0].Alone && done.B&bytecode.DoneAlone != 0 && fixed
	if !form.Whole && rest == nil {
		first := &c.p.Code[form.Leave] // whose step, or that of an instruction inside of it, the form does not have
		c.refuse(c.p.Rules[first.Rule].Name, "no form for "+first.Op.String())
		return false
	}
	if typ.Bare() || c.hooked(t) || t == valueType {
		return false
	}
	rec.zero, rec.whole, rec.covered = goTypeOf(t), form.Fixed, true
	b := stepCompiler{recordCompiler: c, form: form, typ: t, rec: rec, known: known, decided: decided, regs: int(c.p.Routines[routine].Regs), size: none}
	if t.Kind() == reflect.Struct {
		p := planFor(t, want{names: c.names})
		take := b.take
		if len(typ.Lanes) > 0 {
			take = b.takeLanes
		}
		if p.form != formStruct || p.problem != "" || p.fields.variant != "" || p.fields.rest != nil || !take(typ, p) {
			return false
		}
		all := b.taken == len(p.fields.fields) && covers(t, p.fields.fields, nil)
		rec.whole, rec.covered = rec.whole && all, all
	} else if !single {
		return false
	}
	apart(&form.Steps)
	if !c.write {
		c.farWords(form, &form.Steps)
	}
	r := &c.p.Routines[routine]
	for reg := range r.Regs {
		if form.Needs(reg) {
			rec.regs = int(r.Regs)
		}
	}
	b.expects = map[uint32]bytecode.Scalar{}
	b.bools, b.read = map[uint32]bool{}, map[uint32]bool{}
	b.truths(&form.Steps)
	var ok bool
	if rec.steps, ok = b.steps(&form.Steps, false); !ok {
		return false
	}
	if rest != nil {
		step := recordStep{array: none}
		if !b.part(&step, &bytecode.Step{Instr: rest, PC: form.Leave, Run: none}, none) {
			return false
		}
		rec.steps = append(rec.steps, step)
	}
	rec.flat = rec.regs == 0 && rec.args == 0 && c.isFlat(rec.steps)
	if rec.flat && c.write && len(rec.steps) == 1 {
		rec.rows = rec.steps[0].rows(t.Size())
	}
	c.unknown = c.unknown || rec.unknown
	return true
}

// rest returns the list at the end of a record if all else in it is plain, or nil. The list goes up to the end,
// and its elements are of fixed size.
func (c *recordCompiler) rest(form *bytecode.Plain) *bytecode.Instr {
	in := &c.p.Code[form.Leave]
	if in.Op != bytecode.Rest || form.Leave+1 != c.p.End(form.Fields) {
		return nil
	}
	size := c.p.Bounds(in.A)
	if _, n := c.p.Passed(form.Leave); n > 0 || size.Min != size.Max || size.Min == 0 {
		return nil
	}
	return in
}

// isFlat reports whether steps are a run of fields, or one and a text. The length of the text
// is the only word of the run.
func (c *recordCompiler) isFlat(steps []recordStep) bool {
	switch {
	case len(steps) == 0 || len(steps) > 2 || steps[0].code != recordRun || steps[0].odd():
		return false
	case len(steps) == 1:
		return !slices.ContainsFunc(steps[0].words, func(w word) bool { return !w.isColumn() })
	case steps[1].code != recordText || !c.write:
		return steps[1].code == recordText
	}
	words := steps[0].words
	return len(words) == 1 && words[0].count != nil && words[0].count.pointer == nil
}

// isColumn reports whether the word is the sum of a constant and bits of fields that are no pointers.
func (w *word) isColumn() bool {
	return w.count == nil && !w.moved && !slices.ContainsFunc(w.bits, func(c wordPart) bool { return c.pointer != nil })
}
