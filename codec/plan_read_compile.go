// Reading plans: from a Go type to the steps that fill it from bytes.

package codec

import (
	"math"
	"reflect"
	"sync"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// readProgram is how one Go type is read.
type readProgram struct {
	root    *readOp
	record  *recordPlan // of a schema with names
	unknown bool        // record: the schema has fields that the Go type has not
	fields  []readField // of all structs
	places  bool        // record: rows at places are read
	chunks  int
	slabs   int
	slow    []string  // record: the parts that go by Values
	pool    sync.Pool // *planReader
}

// readOp is how one value is read.
type readOp struct {
	code     opcode
	keeps    bool // opOther: the Value may be kept
	texts    bool // opOther: texts of the Value are kept
	whole    bool // nothing of what was there before is left
	count    interp.Count
	padded   uint8
	head     uint32
	head2    uint32 // of the other form: wide, StringName, PackedStringArray
	size     uint32 // bytes in memory: of numbers, of an element
	least    uint32 // bytes that an element takes at least on the wire
	int      uint32 // opFloat64: of an int that it holds
	low      int64  // opInt
	high     int64
	encoding int // of text
	encoded  int // of text without a header
	counted  bool
	count2   interp.Count // of texts without headers
	chunk    int
	plan     *plan
	elem     *readOp
	strct    *readStruct
}

// readField is a field of a struct. What is compared comes first. Each reader
// has its own, since they learn in which order keys come.
type readField struct {
	key0, key1, mask uint64 // header and length of the key, its text, the bytes that count
	offset           uintptr
	bit              uint64     // of this field in sets of fields
	next             *readField // that came after this one when it was last read
	need             int32      // bytes that have to be there for the key and the smallest value
	skip             int32      // bytes of the key
	head             uint32
	wide             uint32 // of numbers of 64 bits, which are stored as they are
	code             opcode // opOther where run is to stop
	long             bool   // the key has more than eight bytes
	op               *readOp
	field            *field
}

// readStruct is how a struct is read.
type readStruct struct {
	head     uint32
	count    interp.Count
	whole    bool   // the fields are all its memory
	reach    int    // bytes that the longest key and number take
	at, n    int    // the place of its fields; behind them is one that no key matches
	key      uint32 // header word of a key
	key2     uint32 // of a StringName
	required uint64
	all      uint64
	typ      reflect.Type
	byName   map[string]int
}

const maxFields = 63 // bits of their sum

// readProgram returns the program for a type; it is nil if all goes by Values.
func (c *Codec) readProgram(t reflect.Type) *readProgram {
	if p, ok := c.types.read.Load(t); ok {
		return p.(*readProgram)
	}
	var p *readProgram
	if c.notation != nil {
		p = c.recordProgram(t)
	} else {
		k := compiler{m: c.m, structs: map[*plan]any{}}
		p = &readProgram{root: k.readOp(planFor(t, want{names: c.opt.Names}))}
		p.fields, p.chunks = k.fields, k.chunks
		if p.root.code == opOther {
			p = nil
		}
	}
	kept, _ := c.types.read.LoadOrStore(t, p)
	return kept.(*readProgram)
}

// noHead says that there is no form. It is used only while operations
// are made, since it may be what bytes say: then the head of another form, which
// has been compared before, takes its place.
const noHead = math.MaxUint32

// readOp makes the operation for a plan.
func (c *compiler) readOp(p *plan) *readOp {
	op := &readOp{plan: p, head: noHead, head2: noHead, int: noHead, least: 4}
	op.code = c.readCode(p, op)
	if op.head2 == noHead {
		op.head2 = op.head
	}
	if op.int == noHead {
		op.int = op.head
	}
	if op.code == opOther {
		op.least = 4
		switch p.form {
		case formBool, formInt, formUint, formFloat, formID, formLanes, formPacked:
			op.keeps = p.readHook != noHook
		case formText, formPackedText:
			op.keeps = p.readHook != noHook
			op.texts = true
		default:
			op.keeps, op.texts = true, true
		}
	}
	return op
}

// readCode chooses the operation for a plan, and fills in its numbers. It is opOther if no operation reads the type.
func (c *compiler) readCode(p *plan, op *readOp) opcode {
	if p.readHook != noHook {
		return opOther
	}
	switch p.form {
	case formRaw:
		return opRaw
	case formBool:
		f, ok := c.form(variant.Bool, isKind(interp.Bool))
		if op.head = f.Head; ok {
			op.least = 8
			return opBool
		}
	case formInt, formUint:
		return c.readInteger(p, op)
	case formFloat:
		return c.readReal(p, op)
	case formText:
		f, ok := c.form(variant.String, isKind(interp.Text))
		if !ok {
			return opOther
		}
		op.head, op.encoding, op.least = f.Head, f.Encoding, 8
		if g, ok := c.form(variant.StringNameType, isKind(interp.Text)); ok && g.Encoding == f.Encoding {
			op.head2 = g.Head
		}
		return opText
	case formLanes:
		return c.readLanes(p, op)
	case formPacked:
		return c.readPacked(p, op)
	case formPackedText, formList:
		return c.readList(p, op)
	case formStruct:
		if op.strct = c.readStruct(p); op.strct == nil {
			return opOther
		}
		op.head, op.least = op.strct.head, 8
		return opStruct
	case formPointer:
		if p.elem.form == formPointer || p.elem.form == formInterface {
			return opOther
		}
		op.elem = c.readOp(p.elem)
		if op.elem.code == opOther {
			return opOther
		}
		op.least = 4
		return opPointer
	}
	return opOther
}

// isKind selects the forms of a kind, without lists of texts.
func isKind(kind interp.Kind) func(interp.Form) bool {
	return func(f interp.Form) bool { return f.Kind == kind && !f.Texts }
}

func (c *compiler) readInteger(p *plan, op *readOp) opcode {
	op.head = c.head(variant.Int, bytecode.I32, interp.Int)
	op.head2 = c.head(variant.Int, bytecode.I64, interp.Int)
	op.least = 8
	op.size = uint32(p.typ.Size())
	size := p.typ.Bits()
	op.low, op.high = -1<<(size-1), 1<<(size-1)-1
	if p.form == formUint {
		op.low, op.high = 0, math.MaxInt64
		if size < 64 {
			op.high = 1<<size - 1
		}
	}
	switch {
	case op.head == noHead:
		return opOther
	case p.form == formInt && size64(p.typ):
		return opInt64
	}
	return opInt
}

func (c *compiler) readReal(p *plan, op *readOp) opcode {
	op.head = c.head(variant.Float, bytecode.F32, interp.Float)
	op.head2 = c.head(variant.Float, bytecode.F64, interp.Float)
	op.least = 8
	switch {
	case op.head == noHead:
		return opOther
	case size64(p.typ):
		op.int = c.head(variant.Int, bytecode.I32, interp.Int)
		return opFloat64
	}
	return opFloat32
}

func (c *compiler) readLanes(p *plan, op *readOp) opcode {
	f, ok := c.form(p.godot, func(f interp.Form) bool {
		return f.Kind == interp.Lanes && f.Scalar == p.lanes.Scalar && f.Lanes == p.lanes.Lanes
	})
	if !ok || !p.flat || p.godot.rowwise() {
		return opOther
	}
	op.head, op.size, op.least = f.Head, uint32(f.Size), uint32(4+f.Size)
	return lanesCode(f.Size)
}

// lanesCode returns the operation for a tuple of a number of bytes.
func lanesCode(size int) opcode {
	switch size {
	case 8:
		return opLanes8
	case 12:
		return opLanes12
	case 16:
		return opLanes16
	}
	return opLanes
}

func (c *compiler) readPacked(p *plan, op *readOp) opcode {
	f, ok := c.form(p.godot, func(f interp.Form) bool {
		return f.Kind == interp.Packed && f.Scalar == p.lanes.Scalar && f.Lanes == p.lanes.Lanes && f.Count == interp.CountPlain
	})
	if !ok || !p.flat {
		return opOther
	}
	op.head, op.size, op.least = f.Head, uint32(f.Size), 8
	if f.Padded {
		op.padded = 1
		if f.OrEnd {
			op.padded = 2
		}
	}
	if p.typ.Kind() == reflect.Array {
		return opPackedArray
	}
	return opPacked
}

func (c *compiler) readList(p *plan, op *readOp) opcode {
	if p.typ.Kind() != reflect.Slice || p.elem.form == formNone {
		return opOther
	}
	f, ok := c.form(variant.ArrayType, isKind(interp.List))
	if !ok {
		return opOther
	}
	op.head, op.count, op.least = f.Head, f.Count, 8
	op.size = uint32(p.typ.Elem().Size())
	op.chunk = c.chunks
	c.chunks++
	if p.elem.form == formText && p.elem.readHook == noHook {
		if op.elem = c.readOp(p.elem); op.elem.code != opText {
			return opOther
		}
		op.encoding, op.encoded = op.elem.encoding, 0
		if f, ok := c.form(variant.PackedStringArray, func(f interp.Form) bool { return f.Kind == interp.List && f.Texts }); ok {
			op.head2, op.count2, op.encoded, op.counted = f.Head, f.Count, f.Encoding, f.Counted
		}
		return opTexts
	}
	if p.form == formPackedText {
		return opOther
	}
	op.elem = c.readOp(p.elem)
	switch op.elem.code {
	case opOther:
		return opOther
	case opBool, opInt64, opInt, opFloat64, opFloat32, opLanes8, opLanes12, opLanes16, opLanes:
		op.whole = true
	}
	return opList
}

// readStruct returns how a struct is read, or nil if it goes by Values.
func (c *compiler) readStruct(p *plan) *readStruct {
	if s, ok := c.structs[p]; ok {
		return s.(*readStruct)
	}
	c.structs[p] = (*readStruct)(nil)
	sp := p.fields
	if p.problem != "" || sp == nil || sp.rest != nil || sp.loose || len(sp.fields) > maxFields {
		return nil
	}
	form, ok := c.form(variant.DictionaryType, func(f interp.Form) bool { return f.Kind == interp.Map })
	if !ok {
		return nil
	}
	text := func(f interp.Form) bool { return f.Kind == interp.Text }
	key, ok := c.form(variant.String, text)
	if !ok {
		return nil
	}
	s := &readStruct{head: form.Head, count: form.Count, key: key.Head, key2: key.Head,
		typ: p.typ, byName: sp.byName, whole: covers(p.typ, sp.fields, nil)}
	if name, ok := c.form(variant.StringNameType, text); ok && name.Encoding == key.Encoding {
		s.key2 = name.Head
	}
	for _, f := range sp.fields {
		if f.indirect || !isPlainName(f.name) || len(f.name) > 1<<16 {
			return nil
		}
	}
	s.at, s.n = len(c.fields), len(sp.fields)
	c.fields = append(c.fields, make([]readField, s.n+1)...)
	c.fields[s.at+s.n] = readField{key0: math.MaxUint64, need: math.MaxInt32}
	c.structs[p] = s // types may contain themselves
	for i := range sp.fields {
		sf := &sp.fields[i]
		op := c.readOp(sf.plan)
		f := &c.fields[s.at+i]
		f.op, f.code, f.head, f.wide = op, op.code, op.head, op.head
		f.key0, f.key1, f.mask = keyWords(key.Head, sf.name)
		f.offset, f.field, f.bit = sf.offset, sf, 1<<i
		f.skip = int32(8 + (len(sf.name)+3)&^3)
		f.need = f.skip + 8
		if f.long = len(sf.name) > 8; f.long {
			f.code = opOther // for isKey to look at
		}
		reach := f.need
		switch op.code {
		case opInt64, opFloat64:
			if !f.long {
				f.wide = op.head2
			}
			reach += 4
		case opLanes8, opLanes12, opLanes16, opLanes:
			f.need = max(f.need, f.skip+4+int32(op.size))
			reach = f.need
		}
		s.reach = max(s.reach, int(reach))
		s.all |= f.bit
		if sf.required {
			s.required |= f.bit
		}
	}
	return s
}
