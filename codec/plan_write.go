// Go values straight into bytes.

package codec

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// writeProgram is how one Go type is written.
type writeProgram struct {
	root   *writeOp
	record *recordPlan  // of a schema with names
	slow   []string     // record: the parts that go by Values
	places bool         // record: rows at places are written
	pool   sync.Pool    // *planWriter
	usual  atomic.Int64 // bytes of the last result that was large
}

// writeOp is how one value is written.
type writeOp struct {
	code     opcode
	unsigned bool
	padded   bool
	counted  bool // texts without headers
	packed   bool // opTexts: without headers
	head     uint32
	head2    uint32 // of the wide form; opPointer: of Nil
	size     uint32 // bytes in memory: of numbers, of an element
	most     int32  // bytes that it takes at most, without what only length tells
	encoding int
	plan     *plan
	elem     *writeOp
	strct    *writeStruct
}

// writeField is a field of a struct.
type writeField struct {
	key0, key1 uint64
	offset     uintptr
	skip       int32 // bytes of the key
	rest       int32 // bytes that this value and the fields after it take at most, but for lengths, and some more
	head       uint32
	head2      uint32
	code       opcode
	omits      bool
	op         *writeOp
	field      *field
	key        string // all bytes of the key, if it is long
}

// writeStruct is how a struct is written.
type writeStruct struct {
	head   uint32
	room   int // bytes for everything but what only lengths tell, and some more
	fields []writeField
	rest   *field // a map of RawMessages, or nil
	byName map[string]int
}

// slack is how many bytes stores may go beyond what is written.
const slack = 16

// writeProgram returns the program for a type; it is nil if all goes by Values.
func (c *Codec) writeProgram(t reflect.Type) *writeProgram {
	if p, ok := c.types.write.Load(t); ok {
		return p.(*writeProgram)
	}
	p := &writeProgram{}
	if c.notation != nil {
		var rc *recordCompiler
		p.record, rc = c.recordPlan(t, true)
		p.slow, p.places = rc.slow, rc.places
	} else {
		k := compiler{m: c.m, structs: map[*plan]any{}}
		p.root = k.writeOp(planFor(t, want{names: c.opt.Names}))
	}
	if p.record == nil && (p.root == nil || p.root.code == opOther) {
		p = nil
	}
	kept, _ := c.types.write.LoadOrStore(t, p)
	return kept.(*writeProgram)
}

func (c *compiler) writeOp(p *plan) *writeOp {
	op := &writeOp{plan: p, most: 12}
	op.code = c.writeCode(p, op)
	return op
}

// written returns the form in which values of a type are written.
func (c *compiler) written(t Type, kind interp.Kind, op *writeOp) (f interp.Form, ok bool) {
	f, op.head2, ok = c.m.WriteForm(uint16(t))
	op.head, op.size, op.encoding, op.padded = f.Head, uint32(f.Size), f.Encoding, f.Padded
	return f, ok && f.Kind == kind
}

// writeCode chooses the operation for a plan, and fills in its numbers. It is opOther if no operation writes the type.
func (c *compiler) writeCode(p *plan, op *writeOp) opcode {
	if p.writeHook != noHook {
		return opOther
	}
	switch p.form {
	case formRaw:
		return opRaw
	case formBool:
		if _, ok := c.written(variant.Bool, interp.Bool, op); ok {
			return opBool
		}
	case formInt, formUint:
		f, ok := c.written(variant.Int, interp.Int, op)
		if !ok || f.Scalar != bytecode.I32 || p.godot != variant.Int {
			return opOther
		}
		op.size, op.unsigned = uint32(p.typ.Size()), p.form == formUint
		if size64(p.typ) && !op.unsigned {
			return opInt64
		}
		return opInt
	case formFloat:
		f, ok := c.written(variant.Float, interp.Float, op)
		if !ok || f.Scalar != bytecode.F32 || p.godot != variant.Float {
			return opOther
		}
		if size64(p.typ) {
			return opFloat64
		}
		return opFloat32
	case formText:
		if f, ok := c.written(p.godot, interp.Text, op); ok && !f.Texts {
			return opText
		}
	case formLanes:
		f, ok := c.written(p.godot, interp.Lanes, op)
		if !ok || !p.flat || p.godot.rowwise() || f.Scalar != p.lanes.Scalar || f.Lanes != p.lanes.Lanes {
			return opOther
		}
		op.most = int32(4 + f.Size)
		return lanesCode(f.Size)
	case formPacked:
		f, ok := c.written(p.godot, interp.Packed, op)
		if !ok || !p.flat || f.Scalar != p.lanes.Scalar || f.Lanes != p.lanes.Lanes {
			return opOther
		}
		if p.typ.Kind() == reflect.Array {
			return opPackedArray
		}
		return opPacked
	case formPackedText, formList:
		return c.writeList(p, op)
	case formMap:
		form, _, ok := c.m.WriteForm(variant.DictionaryType)
		if op.head = form.Head; ok && form.Kind == interp.Map && p.isRawMap() {
			return opRawMap
		}
	case formStruct:
		if op.strct = c.writeStruct(p); op.strct == nil {
			return opOther
		}
		op.head = op.strct.head
		return opStruct
	case formPointer:
		if p.elem.form == formPointer || p.elem.form == formInterface {
			return opOther
		}
		if _, ok := c.written(variant.Nil, interp.Unit, op); !ok {
			return opOther
		}
		op.head2 = op.head
		if op.elem = c.writeOp(p.elem); op.elem.code == opOther {
			return opOther
		}
		return opPointer
	}
	return opOther
}

func (c *compiler) writeList(p *plan, op *writeOp) opcode {
	if p.typ.Kind() != reflect.Slice || p.want.elem != (variant.ElemType{}) || p.elem.form == formNone {
		return opOther
	}
	f, ok := c.written(p.godot, interp.List, op)
	if !ok {
		return opOther
	}
	op.size = uint32(p.typ.Elem().Size())
	op.elem = c.writeOp(p.elem)
	if p.form == formPackedText {
		if !f.Texts || p.elem.form != formText || p.elem.writeHook != noHook {
			return opOther
		}
		op.packed, op.counted = true, f.Counted
		return opTexts
	}
	switch {
	case f.Texts || op.elem.code == opOther:
		return opOther
	case op.elem.code == opText:
		return opTexts
	}
	return opList
}

func (c *compiler) writeStruct(p *plan) *writeStruct {
	if s, ok := c.structs[p]; ok {
		return s.(*writeStruct)
	}
	c.structs[p] = (*writeStruct)(nil)
	sp := p.fields
	if p.problem != "" || sp == nil || sp.rest != nil && (sp.rest.indirect || !sp.rest.plan.isRawMap()) || p.want.key != (variant.ElemType{}) || p.want.elem != (variant.ElemType{}) {
		return nil
	}
	form, _, ok := c.m.WriteForm(variant.DictionaryType)
	if !ok || form.Kind != interp.Map {
		return nil
	}
	key, _, ok := c.m.WriteForm(variant.String)
	if !ok || key.Kind != interp.Text || key.Texts {
		return nil
	}
	for _, f := range sp.fields {
		if f.indirect || !isPlainName(f.name) || len(f.name) > 1<<12 || !c.m.CheckText(key.Encoding, []byte(f.name)) {
			return nil
		}
	}
	if len(sp.fields) > 1<<12 {
		return nil
	}
	s := &writeStruct{head: form.Head, rest: sp.rest, byName: sp.byName}
	c.structs[p] = s
	s.fields = make([]writeField, len(sp.fields))
	for i := range sp.fields {
		sf := &sp.fields[i]
		f := &s.fields[i]
		f.op = c.writeOp(sf.plan)
		f.code, f.head, f.head2 = f.op.code, f.op.head, f.op.head2
		f.key0, f.key1, _ = keyWords(key.Head, sf.name)
		f.offset, f.field = sf.offset, sf
		f.skip = int32(8 + (len(sf.name)+3)&^3)
		f.omits = sf.omitEmpty || sf.omitZero
		if len(sf.name) > 8 {
			f.key = (sf.name + "\x00\x00\x00")[:f.skip-8]
		}
	}
	room := int32(slack)
	for i := len(s.fields) - 1; i >= 0; i-- {
		f := &s.fields[i]
		room += f.op.most
		f.rest = room
		room += f.skip
	}
	s.room = int(room) + 8
	return s
}

// planWriter is one call of writing, and what is kept for the next.
type planWriter struct {
	c   *Codec
	out []byte
	mem memory.View
	end int // capacity of out
	recordFrames
	base     int                // where the registers of the record begin
	calls    *[putCalls]putCall // the operations around the record
	top      int                // how many there are
	floor    int                // how many of them are from before the last call of Go
	differs  bool               // the keys of the pairs that come next differ
	own      []byte             // buffer for results of unknown length
	keys     []mapKey           // of the maps around the value
	raw      *interp.Writer
	rawOf    *interp.Machine
	placed   *interp.WritePlaces // of the value, if the plan writes rows at places
	placedIn *interp.Machine     // of placed
	leaves   uint                // counts what the loop of operations leaves to functions, over all values
}

// keepMost is the size of the largest buffer that is kept.
const keepMost = 1 << 20

// directLeast is the size from which results are made where they stay.
const directLeast = 32 << 10
