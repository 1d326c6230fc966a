package engines

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
)

// This file knows just enough of the wire to find, in a packet an engine accepted or wrote,
// the few places where engine and octable are known to part: it steps over values, it does
// not read them. It shares nothing with octable, so it can excuse nothing octable got wrong
// for the same reason twice.

type form uint8

const (
	formPlain     form = iota // words of a fixed number; doubled under the flag where wide
	formText                  // length, bytes, padding
	formPath                  // NodePath
	formObject                // id or full object
	formSignal                // text, then an id
	formDict                  //
	formArray                 //
	formPacked                // count, elements of a fixed size, padding
	formTexts                 // count, texts
	formPandArray             // Pandemonium's TypedArray and PackedTypedArray
)

type layout struct {
	form form
	size int  // bytes of a payload or of an element
	wide bool // reals, twice as long under the flag
}

type dialect struct {
	types   []layout
	typed   bool   // containers with typed elements
	oldPath bool   // padding of NodePaths is left unwritten
	old     bool   // one of several releases that differ
	misread []byte // types that the engine does not read as it writes them
	object  byte
}

var (
	plain = func(n int) layout { return layout{size: n} }
	reals = func(n int) layout { return layout{size: 4 * n, wide: true} }
	pack  = func(n int) layout { return layout{form: formPacked, size: n} }
	packr = func(n int) layout { return layout{form: formPacked, size: 4 * n, wide: true} }
	text  = layout{form: formText}
	texts = layout{form: formTexts}

	godot4 = &dialect{typed: true, object: 24, types: []layout{
		plain(0), plain(4), reals(1), reals(1), text, reals(2), plain(8), reals(4), plain(16), reals(3),
		plain(12), reals(6), reals(4), plain(16), reals(4), reals(4), reals(6), reals(9), reals(12), reals(16),
		plain(16), text, {form: formPath}, plain(8), {form: formObject}, plain(0), {form: formSignal},
		{form: formDict}, {form: formArray}, pack(1), pack(4), pack(8), pack(4), pack(8), texts, packr(2), packr(3),
		pack(16), packr(4),
	}}
	godot3 = &dialect{oldPath: true, old: true, object: 17, types: []layout{
		plain(0), plain(4), reals(1), reals(1), text, plain(8), plain(16), plain(12), plain(24), plain(16),
		plain(16), plain(24), plain(36), plain(48), plain(16), {form: formPath}, plain(0), {form: formObject},
		{form: formDict}, {form: formArray}, pack(1), pack(4), pack(4), texts, pack(8), pack(12), pack(16),
	}}
	pandemonium5 = &dialect{oldPath: true, object: 23, misread: []byte{11, 12, 19, 37, 38}, types: []layout{
		plain(0), plain(4), reals(1), reals(1), text, plain(16), plain(16), plain(8), plain(8), plain(12),
		plain(12), plain(16), plain(16), plain(16), plain(16), plain(24), plain(36), plain(48), plain(24), plain(64),
		plain(16), {form: formPath}, plain(0), {form: formObject}, text, {form: formDict}, {form: formArray},
		{form: formPandArray}, {form: formPandArray}, pack(1), pack(4), pack(4), texts, pack(8), pack(8), pack(12),
		pack(12), pack(16), pack(16), pack(16),
	}}
)

// dialects names the schemas there is an engine for.
var dialects = map[string]*dialect{"godot-4.4": godot4, "godot-3": godot3, "pandemonium-5": pandemonium5}

// A rule is one excuse for bytes that differ from the engine's.
type rule uint16

const (
	// The engine leaves the padding inside a NodePath as it found the memory.
	rulePadding rule = 1 << iota
	// An engine that may not make objects keeps a stand-in for each, with an id of its own,
	// and makes null of id 0.
	ruleIDs
	// It also forgets the class or script a typed container was declared with, for the
	// class of that stand-in.
	ruleClasses
	// It drops a wrong element of a typed container, or converts it.
	ruleElements
	// Godot 3 writes the path "/" but reads it as the empty one. The same packet is among its
	// values, which have to keep their bytes, so octable keeps them.
	ruleRoot
	// One schema stands for all of Godot 3, whose releases differ: before 3.3.5 nesting has no limit,
	ruleDepth
	// surrogates in UTF-8 stay as they are in 3.2 and become other characters in 3.6,
	ruleSurrogates
	// and a PoolRealArray with a NaN, used as a key, equals its like in 3.6 but not in 3.2.
	ruleNaNKeys
	// Pandemonium misreads what it writes itself: of a Vector4 or Vector4i it takes 12 of the 16
	// bytes, in their arrays z stands for w, and of a Projection it wants 248 bytes.
	ruleMisread
)

var ruleNames = []struct {
	rule rule
	name string
}{
	{rulePadding, "NodePath padding"},
	{ruleIDs, "object ids"},
	{ruleClasses, "class of a typed container"},
	{ruleElements, "wrong element in a typed container"},
	{ruleRoot, "the path / read as empty"},
	{ruleDepth, "no depth limit before Godot 3.3.5"},
	{ruleSurrogates, "surrogates, on which releases differ"},
	{ruleNaNKeys, "NaN in an array used as a key, on which releases differ"},
	{ruleMisread, "types that the engine misreads"},
}

// seen says what a packet holds that rules are about.
type seen struct {
	deep      bool // a value more than 1024 levels below the top
	surrogate bool // a surrogate in some text
	nanKey    bool // a NaN in an array of reals inside a dictionary key
	misread   bool // a type that the engine does not read as it writes it
	idKey     bool // an object id inside a dictionary key: stand-ins are never equal, ids can be
	wrong     bool // a member of a typed container that is not what the container asks for
}

var errWalk = errors.New("no whole value")

// A walker copies one value, rewriting what the rules allow to differ into one spelling.
type walker struct {
	d     *dialect
	rules rule
	in    []byte
	out   bytes.Buffer
	seen  seen
	inKey int
	depth int
}

// normal returns the value at the start of packet with everything the rules cover spelled one way.
func normal(d *dialect, packet []byte, rules rule) ([]byte, seen, error) {
	w := walker{d: d, rules: rules, in: packet}
	if _, err := w.value(); err != nil {
		return nil, w.seen, err
	}
	return w.out.Bytes(), w.seen, nil
}

func (w *walker) take(n int) ([]byte, error) {
	if n < 0 || n > len(w.in) {
		return nil, errWalk
	}
	b := w.in[:n]
	w.in = w.in[n:]
	return b, nil
}

func (w *walker) copy(n int) ([]byte, error) {
	b, err := w.take(n)
	w.out.Write(b)
	return b, err
}

func (w *walker) word() (uint32, error) {
	b, err := w.copy(4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

func (w *walker) text(zeroPadding bool) error {
	n, err := w.word()
	if err != nil {
		return err
	}
	if n > uint32(len(w.in)) {
		return errWalk
	}
	b, err := w.copy(int(n))
	if err != nil {
		return err
	}
	for i := 0; i+1 < len(b); i++ {
		w.seen.surrogate = w.seen.surrogate || b[i] == 0xed && b[i+1] >= 0xa0
	}
	pad, err := w.take(int(-n & 3))
	if zeroPadding {
		pad = make([]byte, len(pad))
	}
	w.out.Write(pad)
	return err
}

// A head is what a container wants to know of a member.
type head struct {
	id    byte
	isObj bool // an object, or the null that may stand for one
}

func (w *walker) value() (head, error) {
	w.seen.deep = w.seen.deep || w.depth > 1024
	w.depth++
	defer func() { w.depth-- }()
	start := w.out.Len()
	flags, err := w.word()
	if err != nil {
		return head{}, err
	}
	id := byte(flags)
	if int(id) >= len(w.d.types) {
		return head{}, errWalk
	}
	w.seen.misread = w.seen.misread || bytes.IndexByte(w.d.misread, id) >= 0
	h := head{id: id, isObj: id == 0 || id == w.d.object}
	l := w.d.types[id]
	wide := l.wide && flags>>16&1 == 1
	size := l.size
	if wide {
		size *= 2
	}
	switch l.form {
	case formPlain:
		_, err = w.copy(size)
	case formText:
		err = w.text(false)
	case formPath:
		err = w.path()
	case formObject:
		err = w.object(flags>>16&1 == 1, start)
	case formSignal:
		if err = w.text(false); err == nil {
			_, err = w.copy(8)
		}
	case formDict:
		err = w.dict(flags)
	case formArray:
		err = w.array(flags)
	case formPacked:
		err = w.packed(size, w.d.old && id == 22)
	case formTexts:
		err = w.texts()
	case formPandArray:
		err = w.pandArray(flags>>16&1 == 1)
	}
	return h, err
}

func (w *walker) path() error {
	names, err := w.word()
	if err != nil {
		return err
	}
	subnames, err := w.word()
	if err != nil {
		return err
	}
	flags, err := w.word()
	if err != nil {
		return err
	}
	n := names&0x7fffffff + subnames + flags>>1&1
	if n == 0 && w.rules&ruleRoot != 0 {
		w.out.Truncate(w.out.Len() - 4)
		w.out.Write(make([]byte, 4))
	}
	for ; n > 0; n-- {
		if err := w.text(w.rules&rulePadding != 0); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) object(byID bool, start int) error {
	if byID {
		id, err := w.take(8)
		if err != nil {
			return err
		}
		w.seen.idKey = w.seen.idKey || w.inKey > 0
		switch {
		case w.rules&ruleIDs == 0:
			w.out.Write(id)
		case binary.LittleEndian.Uint64(id) == 0:
			w.out.Truncate(start)
			w.out.Write(make([]byte, 4))
		default:
			w.out.Write(make([]byte, 8))
		}
		return nil
	}
	from := w.out.Len()
	if err := w.text(false); err != nil {
		return err
	}
	if w.out.Len()-from == 4 { // no class: null
		return nil
	}
	n, err := w.word()
	if err != nil {
		return err
	}
	for i := int32(0); i < int32(n); i++ {
		if err := w.text(false); err != nil {
			return err
		}
		if _, err := w.value(); err != nil {
			return err
		}
	}
	return nil
}

// A want is what a typed container asks of its members.
type want struct {
	kind uint32
	id   uint32
}

func (v want) wrong(w *walker, h head) bool {
	switch {
	case v.kind == 0 || v.kind == 1 && v.id == 0:
		return false
	case v.kind > 1 || v.id == uint32(w.d.object):
		return !h.isObj
	}
	return uint32(h.id) != v.id
}

// element steps over the field that says what a typed container holds. Where objects are not
// allowed (and only then is ruleClasses asked for) every class is the stand-in's.
func (w *walker) element(kind uint32) (want, error) {
	v := want{kind: kind}
	start := w.out.Len()
	var err error
	switch {
	case kind == 1:
		v.id, err = w.word()
	case kind > 1:
		err = w.text(false)
	}
	if err == nil && w.rules&ruleClasses != 0 && (kind > 1 || kind == 1 && v.id == uint32(w.d.object)) {
		w.out.Truncate(start)
		w.out.WriteString("class")
	}
	return v, err
}

// classed rewrites the kinds in a container's header the way element rewrites the fields.
func (w *walker) classed(at int, kinds ...want) {
	if w.rules&ruleClasses == 0 {
		return
	}
	b := w.out.Bytes()[at : at+4]
	for i, k := range kinds {
		if k.kind > 1 || k.kind == 1 && k.id == uint32(w.d.object) {
			b[2] = b[2]&^(3<<(2*i)) | 2<<(2*i)
		}
	}
}

func (w *walker) array(flags uint32) error {
	at := w.out.Len() - 4
	var of want
	if w.d.typed {
		var err error
		if of, err = w.element(flags >> 16 & 3); err != nil {
			return err
		}
		w.classed(at, of)
	}
	n, err := w.word()
	if err != nil {
		return err
	}
	for n &= 0x7fffffff; n > 0; n-- {
		h, err := w.value()
		if err != nil {
			return err
		}
		w.seen.wrong = w.seen.wrong || of.wrong(w, h)
	}
	return nil
}

func (w *walker) dict(flags uint32) error {
	at := w.out.Len() - 4
	var keys want
	if w.d.typed {
		var values want
		var err error
		if keys, err = w.element(flags >> 16 & 3); err != nil {
			return err
		}
		if values, err = w.element(flags >> 18 & 3); err != nil {
			return err
		}
		w.classed(at, keys, values)
	}
	n, err := w.word()
	if err != nil {
		return err
	}
	for n &= 0x7fffffff; n > 0; n-- {
		w.inKey++
		h, err := w.value()
		w.inKey--
		if err != nil {
			return err
		}
		// A value of the wrong type the engine keeps as it is: that is nothing to excuse.
		w.seen.wrong = w.seen.wrong || keys.wrong(w, h)
		if _, err := w.value(); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) packed(size int, poolReals bool) error {
	n, err := w.word()
	if err != nil {
		return err
	}
	if int64(n)*int64(size) > int64(len(w.in)) {
		return errWalk
	}
	length := int(n) * size
	b, err := w.copy(length)
	if err != nil {
		return err
	}
	if w.inKey > 0 && poolReals {
		for ; len(b) >= 4; b = b[4:] {
			f := math.Float32frombits(binary.LittleEndian.Uint32(b))
			w.seen.nanKey = w.seen.nanKey || f != f
		}
	}
	// At the very end of a packet the padding may be missing.
	_, err = w.copy(min(-length&3, len(w.in)))
	return err
}

func (w *walker) texts() error {
	n, err := w.word()
	if err != nil {
		return err
	}
	for i := int32(0); i < int32(n); i++ {
		if err := w.text(false); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) pandArray(stripped bool) error {
	of, err := w.word()
	if err != nil {
		return err
	}
	if of&0x7fffffff == uint32(w.d.object) && !stripped {
		if _, err := w.value(); err != nil {
			return err
		}
	}
	n, err := w.word()
	if err != nil {
		return err
	}
	for ; n > 0; n-- {
		if _, err := w.value(); err != nil {
			return err
		}
	}
	return nil
}
