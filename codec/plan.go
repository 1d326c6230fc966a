// Straight between bytes and Go values: what a type needs for that is worked
// out once for each codec and kept.
//
// The way by Values (marshal.go, unmarshal.go) says what Go values mean. The way
// here does the same for what is plain: values in the forms that the schema's
// program has in one step, into and out of structs, slices, numbers and texts.
// A part that is not plain goes by Values on its own; a call in which anything
// is wrong goes by Values as a whole, from the beginning, so that errors are
// theirs too. Nothing here knows the format: header words, widths and counts are
// those of the program ([interp.Machine.ReadForms], [interp.Machine.WriteForm]).
//
// plan_read.go reads, plan_write.go writes, memory_unsafe.go touches memory.

package codec

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// Mapper does what [Codec.Unmarshal] and [Codec.AppendMarshal] do. From one call to the next it keeps what it learns and
// allocates: memory, and the order in which keys come. It is for one goroutine at a time. See [Codec.NewMapper]; the
// zero Mapper has no schema.
type Mapper struct {
	c    *Codec
	r    *planReader
	w    *planWriter
	busy bool

	// the types of the last calls
	readType, writeType reflect.Type
	read                *readProgram
	write               *writeProgram
}

// NewMapper returns a Mapper with the schema and options of c.
func (c *Codec) NewMapper() *Mapper { return &Mapper{c: c} }

// Unmarshal is [Codec.Unmarshal], except that it uses the memory of more values
// again. These are slices that are in elements of other slices, such as Tags in
//
//	type State struct{ Entities []struct{ Tags []string } }
//
// and, if ptr is that of the last call, values behind pointers, and values in
// interfaces that [Options].Interfaces has for records. So one value
// may be read into over and over without allocating. No two slices in it may share memory, and what was
// copied out of it by a plain assignment changes with the next call.
func (m *Mapper) Unmarshal(b []byte, ptr any) error {
	if m.busy { // called by a method of a value that this call reads
		return m.c.Unmarshal(b, ptr)
	}
	m.busy = true
	err := m.c.unmarshal(b, ptr, m)
	m.busy = false
	return err
}

// AppendMarshal is [Codec.AppendMarshal]. It does not allocate where x is a
// pointer and dst has room, also for the numbers of one struct in their widest
// form and 16 bytes more.
func (m *Mapper) AppendMarshal(dst []byte, x any) ([]byte, error) {
	if m.busy {
		return m.c.AppendMarshal(dst, x)
	}
	m.busy = true
	out, err := m.c.appendMarshal(dst, x, m)
	m.busy = false
	return out, err
}

// programs of Go types, for one machine.
type typePrograms struct {
	read  sync.Map // reflect.Type → *readProgram
	write sync.Map // reflect.Type → *writeProgram
	skips sync.Once
	skip  *skipper

	sparse sync.Pool // *interp.Reader, of Get
}

// opcode is what is done with a value.
type opcode uint8

const (
	opOther   opcode = iota // by Values
	opBool                  // bool
	opInt64                 // integers of 64 bits
	opInt                   // other integers, also unsigned ones
	opFloat64               // float64
	opFloat32               // float32
	opText                  // string
	opLanes8                // numbers of 8, 12, 16 or any number of bytes
	opLanes12
	opLanes16
	opLanes
	opPacked      // slice of numbers
	opPackedArray // array of numbers
	opTexts       // slice of strings
	opList        // other slice
	opStruct
	opPointer
	opRaw    // bytes of any value
	opRawMap // map of text to bytes of any value
)

// compiler makes the programs of one machine.
type compiler struct {
	m       *interp.Machine
	structs map[*plan]any // *readStruct or *writeStruct
	fields  []readField
	chunks  int
}

// form returns the plain form of a kind in which values of type t are read.
func (c *compiler) form(t Type, fits func(interp.Form) bool) (interp.Form, bool) {
	for _, f := range c.m.ReadForms(uint16(t)) {
		if fits(f) {
			return f, true
		}
	}
	return interp.Form{}, false
}

// head returns the header word of a form, or noHead.
func (c *compiler) head(t Type, s bytecode.Scalar, kind interp.Kind) uint32 {
	f, ok := c.form(t, func(f interp.Form) bool { return f.Kind == kind && f.Scalar == s })
	if !ok {
		return noHead
	}
	return f.Head
}

// isPlainName reports whether a key is read unchanged, and so known by its bytes.
func isPlainName(s string) bool {
	return utf8.ValidString(s) && !strings.HasPrefix(s, "\ufeff") && !strings.ContainsRune(s, 0)
}

// size64 reports whether values of a kind take 64 bits.
func size64(t reflect.Type) bool { return t.Size() == 8 }

// covers reports whether the fields of a struct are all that is in its memory.
func covers(t reflect.Type, fields []field, at []int) bool {
	for i := range t.NumField() {
		index := append(slices.Clone(at), i)
		if slices.ContainsFunc(fields, func(f field) bool { return slices.Equal(f.index, index) }) {
			continue
		}
		if t := t.Field(i).Type; t.Kind() != reflect.Struct || !covers(t, fields, index) {
			return false
		}
	}
	return true
}

const (
	textOnes = 0x0101010101010101
	textHigh = 0x8080808080808080
)

// odd marks the high bit of each byte of w that is NUL or not ASCII. It may also
// mark a byte 1 above a NUL.
func odd(w uint64) uint64 { return ((w - textOnes) | w) & textHigh }

// oddText is odd for n > 8 bytes.
func oddText(in memory.View, at, n int) uint64 {
	end := at + n - 8
	t := odd(in.Load64(end)) | odd(in.Load64(at))
	for at += 8; at < end; at += 8 {
		t |= odd(in.Load64(at))
	}
	return t
}

// plainText reports whether text is ASCII without NUL, before which there are
// eight bytes.
func plainText(in memory.View, at, n int) bool {
	if n <= 8 {
		return odd(in.Load64(at+n-8))>>(64-8*uint(n)) == 0
	}
	return oddText(in, at, n) == 0
}

// key words: the header with the length, and the first eight bytes of the text.
func keyWords(head uint32, name string) (first, second, mask uint64) {
	first = uint64(head) | uint64(len(name))<<32
	for i := range min(8, len(name)) {
		second |= uint64(name[i]) << (8 * i)
		mask |= 0xff << (8 * i)
	}
	return first, second, mask
}

// limits returns how deeply containers may be nested on the way by Values.
func (c *Codec) limits() int {
	if c.opt.MaxDepth > 0 {
		return c.opt.MaxDepth
	}
	return min(int(c.m.Program().Depth), defaultDepth)
}
