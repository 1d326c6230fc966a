package engines

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"unicode/utf8"
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
	spaces  bool   // surrogates in texts are read as spaces
	misread []byte // types that the engine does not read as it writes them
	object  byte
	singles []byte // types of singles, alone or in arrays; they may be doubles where wide
	doubles byte   // the array of doubles
}

var (
	plain = func(n int) layout { return layout{size: n} }
	reals = func(n int) layout { return layout{size: 4 * n, wide: true} }
	pack  = func(n int) layout { return layout{form: formPacked, size: n} }
	packr = func(n int) layout { return layout{form: formPacked, size: 4 * n, wide: true} }
	text  = layout{form: formText}
	texts = layout{form: formTexts}

	godot4 = &dialect{typed: true, object: 24, singles: []byte{5, 7, 9, 11, 12, 14, 15, 16, 17, 18, 19, 20, 32, 35, 36, 37, 38},
		doubles: 33, types: []layout{
			plain(0), plain(4), reals(1), reals(1), text, reals(2), plain(8), reals(4), plain(16), reals(3),
			plain(12), reals(6), reals(4), plain(16), reals(4), reals(4), reals(6), reals(9), reals(12), reals(16),
			plain(16), text, {form: formPath}, plain(8), {form: formObject}, plain(0), {form: formSignal},
			{form: formDict}, {form: formArray}, pack(1), pack(4), pack(8), pack(4), pack(8), texts, packr(2), packr(3),
			pack(16), packr(4),
		}}
	godot3 = &dialect{oldPath: true, old: true, object: 17, singles: []byte{5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 22, 24, 25, 26}, types: []layout{
		plain(0), plain(4), reals(1), reals(1), text, plain(8), plain(16), plain(12), plain(24), plain(16),
		plain(16), plain(24), plain(36), plain(48), plain(16), {form: formPath}, plain(0), {form: formObject},
		{form: formDict}, {form: formArray}, pack(1), pack(4), pack(4), texts, pack(8), pack(12), pack(16),
	}}
	pandemonium35 = &dialect{oldPath: true, spaces: true, object: 20, types: []layout{
		plain(0), plain(4), reals(1), reals(1), text, plain(8), plain(8), plain(16), plain(16), plain(12),
		plain(12), plain(24), plain(16), plain(16), plain(24), plain(36), plain(48), plain(16), {form: formPath}, plain(0),
		{form: formObject}, text, {form: formDict}, {form: formArray}, pack(1), pack(4), pack(4), texts, pack(8), pack(8),
		pack(12), pack(12), pack(16),
	}}
	pandemonium38 = &dialect{oldPath: true, object: 23, misread: []byte{11, 12, 19, 35, 36}, types: []layout{
		plain(0), plain(4), reals(1), reals(1), text, plain(16), plain(16), plain(8), plain(8), plain(12),
		plain(12), plain(16), plain(16), plain(16), plain(16), plain(24), plain(36), plain(48), plain(24), plain(64),
		plain(16), {form: formPath}, plain(0), {form: formObject}, text, {form: formDict}, {form: formArray},
		pack(1), pack(4), pack(4), texts, pack(8), pack(8), pack(12), pack(12), pack(16), pack(16), pack(16),
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
var dialects = map[string]*dialect{"godot-4.4": godot4, "godot-3": godot3,
	"pandemonium-3.5": pandemonium35, "pandemonium-3.8": pandemonium38, "pandemonium-5": pandemonium5}

// A rule is one excuse for bytes that differ from the engine's.
type rule uint32

const (
	// The engine leaves the padding inside a NodePath as it found the memory.
	rulePadding rule = 1 << iota
	// An engine that may not make objects keeps a substitute for each, with a separate id.
	// It makes null of id 0.
	ruleIDs
	// As keys such substitutes are never equal; ids can be.
	ruleIDKeys
	// It drops a wrong element of a typed container, or converts it. If that was in a key, the
	// key may be equal to another one then.
	ruleElements
	// Godot 3 writes the path "/" but reads it as the empty one. The same packet is among its
	// values, which have to keep their bytes, so octable keeps them.
	ruleRoot
	// Nesting has no limit before Godot 3.3.5. One schema represents all of Godot 3, whose releases
	// differ in this and the next two points.
	ruleDepth
	// Godot 3.2 keeps surrogates in UTF-8. Godot 3.6 reads them as other characters, and so do
	// Pandemonium 3.5 to 3.7, whose schema inherits them from Godot 3.
	ruleSurrogates
	// A dictionary of Godot 3 does not find a key again that has a PoolRealArray with a NaN in it.
	// Its value is lost: 3.2 writes "[Deleted Object]" for it, more than once.
	ruleNaNKeys
	// Pandemonium misreads its own packets. It reads 12 of the 16 bytes of a Vector4 or Vector4i,
	// in their arrays z is in place of w, and it wants 248 bytes of a Projection.
	ruleMisread
	// A text of ours has the bits of a NaN in a note that engines ignore.
	ruleNaNBits
	// A text of ours has no digits for some doubles that engines read right.
	ruleDigits
	// Some values have no text that engines read.
	ruleUnsaid
	// Bytes that are not UTF-8, which Godot 3 reads as text, have no such text either.
	ruleNoText
	// An engine makes another class from text than from a packet, or none if it does not know it.
	ruleClassName
	// An engine keeps a wrong value of a typed dictionary from a packet, but not from text.
	ruleValues
	// Godot 3.2 does not read infinities and NaN in all places.
	ruleSpecial
)

var ruleNames = []struct {
	rule rule
	name string
}{
	{rulePadding, "NodePath padding"},
	{ruleIDs, "object ids"},
	{ruleIDKeys, "object ids in keys"},
	{ruleElements, "wrong element in a typed container"},
	{ruleRoot, "the path / read as empty"},
	{ruleDepth, "no depth limit before Godot 3.3.5"},
	{ruleSurrogates, "surrogates, which some releases replace"},
	{ruleNaNKeys, "NaN in an array used as a key, which Godot 3 loses"},
	{ruleMisread, "types that the engine misreads"},
	{ruleNaNBits, "bits of a NaN"},
	{ruleDigits, "doubles without digits"},
	{ruleUnsaid, "values without a text"},
	{ruleNoText, "texts that are no UTF-8"},
	{ruleValues, "wrong value in a typed dictionary"},
	{ruleClassName, "classes of typed containers"},
	{ruleSpecial, "inf and nan, which Godot 3.2 does not read"},
}

// seen says what a packet holds that rules are about.
type seen struct {
	deep       bool // a value more than 1024 levels below the top
	surrogate  bool // a surrogate in some text
	nanKey     bool // a NaN in an array of reals inside a dictionary key
	misread    bool // a type that the engine does not read as it writes it
	idKey      bool // an object id inside a dictionary key
	special    bool // an infinity or a NaN
	wrongValue bool // a value of a typed dictionary that is not what it asks for
	noText     bool // a text that is no UTF-8
	className  bool // a class of a typed container
	unsaid     bool // a value that has no text which engines read
	wrong      bool // a member of a typed container that is not what the container asks for
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

	keyIDs  bool // whether there are ids, or nulls, in what was walked of this key
	keyNaNs bool // whether there are NaNs in an array
	keyTiny bool // whether there are doubles that every text makes 0
	keyLeft bool // whether something was left aside, without which keys may be equal

	wrongs []bool // of every container not inside a wrong one, whether it has a wrong member
	given  []bool // the wrongs of ours, to find the same containers in the engine's bytes

	numbers []int // where doubles begin in out, which floats are all made for ruleDigits

	whole int      // bytes of in at the start
	spans [][2]int // where values begin and end, where asked for
}

// normal returns the value at the start of packet with everything the rules cover spelled one way.
func normal(d *dialect, packet []byte, rules rule) ([]byte, seen, error) {
	w := walker{d: d, rules: rules, in: packet}
	if _, err := w.value(); err != nil {
		return nil, w.seen, err
	}
	return w.out.Bytes(), w.seen, nil
}

// equal reports whether two values are the same but for what the rules cover.
func equal(d *dialect, engine, ours []byte, rules rule) bool {
	a := walker{d: d, rules: rules, in: ours}
	if _, err := a.value(); err != nil {
		return false
	}
	b := walker{d: d, rules: rules, in: engine, given: a.wrongs}
	if b.given == nil {
		b.given = []bool{}
	}
	if _, err := b.value(); err != nil {
		return false
	}
	return bytes.Equal(a.out.Bytes(), b.out.Bytes())
}

// isWrong decides whether to leave out the content of a container. The container has the
// number, and its content was written from at on.
func (w *walker) isWrong(number, at int, wrong bool) bool {
	if w.given != nil {
		wrong = number < len(w.given) && w.given[number]
	}
	w.wrongs[number] = wrong
	if wrong {
		w.out.Truncate(at)
		w.wrongs = w.wrongs[:number+1] // what is inside does not count
	}
	return wrong
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
		// in three bytes, or in an overlong form of four or more
		w.seen.surrogate = w.seen.surrogate || (b[i] == 0xed || b[i] == 0x8d) && b[i+1] >= 0xa0
	}
	// An engine's text ends at a NUL, so what is behind it is nobody's.
	said, _, _ := bytes.Cut(b, []byte{0})
	if w.d.old && w.inKey > 0 && string(said) == "[Deleted Object]" { // which Godot 3.2 wrote for a key it lost
		w.seen.nanKey = true
		w.keyNaNs = true
	}
	w.seen.noText = w.seen.noText || !utf8.Valid(said)
	if w.rules&ruleNoText != 0 {
		w.out.Truncate(w.out.Len() - len(b) - 4)
		_, err := w.take(int(-n & 3))
		return err
	}
	if w.rules&ruleSurrogates != 0 {
		at := w.out.Len() - len(b) - 4
		changed := replaceSurrogates(b)
		w.out.Truncate(at)
		w.out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(changed))))
		w.out.Write(changed)
		_, err := w.take(int(-n & 3))
		w.out.Write(make([]byte, -len(changed)&3))
		return err
	}
	pad, err := w.take(int(-n & 3))
	if zeroPadding {
		pad = make([]byte, len(pad))
	}
	w.out.Write(pad)
	return err
}

// replaceSurrogates does what Godot 3.6 does: a pair becomes the character that it represents,
// what has no partner a blank.
func replaceSurrogates(b []byte) []byte {
	half := func(b []byte, from byte) (rune, bool) {
		if len(b) < 3 || b[0] != 0xed || b[1]&0xf0 != from {
			return 0, false
		}
		return rune(b[1]&0x0f)<<6 | rune(b[2]&0x3f), true
	}
	var out []byte
	for len(b) > 0 {
		high, isHigh := half(b, 0xa0)
		_, isLow := half(b, 0xb0)
		if isHigh {
			if low, ok := half(b[3:], 0xb0); ok {
				out = utf8.AppendRune(out, 0x10000+high<<10+low)
				b = b[6:]
				continue
			}
		}
		if isHigh || isLow {
			out = append(out, ' ')
			b = b[3:]
			continue
		}
		out = append(out, b[0])
		b = b[1:]
	}
	return out
}

// singles looks at the numbers of single precision that were just written.
func (w *walker) singles(id byte, length int) {
	if bytes.IndexByte(w.d.singles, id) < 0 {
		return
	}
	for b := w.out.Bytes()[w.out.Len()-length:]; len(b) >= 4; b = b[4:] {
		f := math.Float32frombits(binary.LittleEndian.Uint32(b))
		w.seen.special = w.seen.special || f != f || math.IsInf(float64(f), 0)
		if f != f && w.rules&ruleNaNBits != 0 {
			binary.LittleEndian.PutUint32(b, 0x7fc00000)
		}
	}
}

// double looks at the number of double precision at some place of what was written.
func (w *walker) double(at int) {
	b := w.out.Bytes()[at:]
	f := math.Float64frombits(binary.LittleEndian.Uint64(b))
	w.seen.special = w.seen.special || f != f || math.IsInf(f, 0)
	if f != f && w.rules&ruleNaNBits != 0 {
		binary.LittleEndian.PutUint64(b, 0x7ff8000000000000)
	}
	w.numbers = append(w.numbers, at)
	// A key that is read as 0 may equal another key.
	w.keyTiny = w.keyTiny || w.inKey > 0 && f != 0 && math.Abs(f) < 1e-290
}

// float looks at the float that was written from start on.
func (w *walker) float(start int, wide bool) {
	at := start + 4
	if !wide && w.rules&ruleDigits == 0 {
		f := math.Float32frombits(binary.LittleEndian.Uint32(w.out.Bytes()[at:]))
		w.seen.special = w.seen.special || math.IsInf(float64(f), 0)
		return
	}
	if !wide {
		f := float64(math.Float32frombits(binary.LittleEndian.Uint32(w.out.Bytes()[at:])))
		w.out.Truncate(start)
		w.out.Write([]byte{3, 0, 1, 0})
		w.out.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
	}
	w.double(at)
}

// A head is what a container wants to know of a member.
type head struct {
	id    byte
	isObj bool // an object, or the null that may represent one
}

func (w *walker) value() (head, error) {
	w.seen.deep = w.seen.deep || w.depth > 1024
	w.depth++
	begin := w.whole - len(w.in)
	defer func() {
		w.depth--
		if w.spans != nil {
			w.spans = append(w.spans, [2]int{begin, w.whole - len(w.in)})
		}
	}()
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
	w.keyIDs = w.keyIDs || id == 0 && w.inKey > 0 // which may have been the id 0
	h := head{id: id, isObj: id == 0 || id == w.d.object}
	l := w.d.types[id]
	wide := l.wide && flags>>16&1 == 1
	size := l.size
	if wide {
		size *= 2
	}
	switch l.form {
	case formPlain:
		w.seen.unsaid = w.seen.unsaid || w.d.old && id == 16 // a RID, for which Godot 3 writes nothing
		_, err = w.copy(size)
		switch {
		case err != nil:
		case id == 3:
			w.float(start, wide)
		default:
			w.singles(id, size)
		}
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
		w.seen.unsaid = w.seen.unsaid || !bytes.Equal(w.out.Bytes()[start+4:], make([]byte, 12))
	case formDict:
		err = w.dict(flags)
	case formArray:
		err = w.array(flags)
	case formPacked:
		err = w.packed(size, w.d.old && id == 22, id)
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
	separators := "/:"
	for i := uint32(0); i < n; i++ {
		at := w.out.Len() + 4
		if err := w.text(w.rules&rulePadding != 0); err != nil {
			return err
		}
		// The text of a path has no way to say that a name is empty or holds what parts names.
		if i >= names&0x7fffffff {
			separators = ":"
		}
		name := w.out.Bytes()[min(at, w.out.Len()):]
		w.seen.unsaid = w.seen.unsaid || len(name) == 0 || bytes.ContainsAny(name, separators)
	}
	return nil
}

func (w *walker) object(byID bool, start int) error {
	if byID {
		id, err := w.take(8)
		if err != nil {
			return err
		}
		if w.inKey > 0 {
			w.seen.idKey = true
			w.keyIDs = true
		}
		w.seen.unsaid = true
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
