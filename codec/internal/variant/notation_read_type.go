// Reading Godot's notation: types that are more than numbers.

package variant

import (
	"math"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// id reads the number of an RID or object: 64 bits, signed or not.
func (r *textReader) id() uint64 {
	r.space()
	start := r.pos
	if r.pos < len(r.s) && r.s[r.pos] == '-' {
		r.pos++
	}
	for r.pos < len(r.s) && isDigit(r.s[r.pos]) {
		r.pos++
	}
	text := r.s[start:r.pos]
	if id, err := strconv.ParseUint(text, 10, 64); err == nil {
		return id
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.pos = start
		r.fail(start, "there should be an id, a whole number of 64 bits, not %s", r.found())
	}
	return uint64(id)
}

func (r *textReader) nodePathCall(start int) interp.Value {
	r.expect('(', "NodePath")
	r.space()
	if r.pos < len(r.s) && r.s[r.pos] == '"' {
		text := r.quoted()
		r.expect(')', "NodePath")
		return r.nodePath(start, text)
	}
	absolute := r.word()
	if absolute != "true" && absolute != "false" {
		r.fail(r.pos, `NodePath needs a text in quotes, or true or false and two lists of texts`)
	}
	var names [2][]interp.Value
	for i := range names {
		r.expect(',', "NodePath")
		r.expect('[', "NodePath")
		names[i] = r.texts(']', "NodePath")
	}
	r.expect(')', "NodePath")
	return MakeNodePath(absolute == "true", names[0], names[1])
}

// nodePath returns the path that a text is.
func (r *textReader) nodePath(start int, text string) interp.Value {
	v, ok := parseNodePath(text)
	if !ok && r.err == nil {
		r.fail(start, "the path %s has an empty name after a colon; remove the colon or write the name", QuoteShort(text))
	}
	return v
}

func (r *textReader) signal() interp.Value {
	r.expect('(', "Signal")
	if r.take(')') {
		return MakeSignal("", 0)
	}
	name := r.quotedHere("Signal")
	r.expect(',', "after the name Signal")
	id := r.id()
	r.expect(')', "Signal")
	return MakeSignal(name, id)
}

func (r *textReader) object() interp.Value {
	r.expect('(', "Object")
	if r.take(')') {
		return MakeObject("", nil)
	}
	class := ""
	switch {
	case r.pos < len(r.s) && r.s[r.pos] == '"':
		at := r.pos
		if class = r.quoted(); class == "" {
			r.fail(at, "the class of the object has no name; a null object is written Object()")
		}
	case r.pos < len(r.s) && isLetter(r.s[r.pos]):
		class = r.word()
	default:
		id := r.id()
		r.expect(')', "Object")
		return interp.MakeUint(ObjectType, id)
	}
	r.expect(',', "after its class an Object")
	var properties []interp.Value
	for r.err == nil && !r.take(')') {
		name := r.quotedHere("a property of an Object")
		r.expect(':', "after the name of a property an Object")
		properties = append(properties, MakeProperty(name, r.value()))
		if !r.take(',') {
			r.expect(')', "after a property an Object")
			break
		}
	}
	return MakeObject(class, properties)
}

func (r *textReader) typedArray(start int) interp.Value {
	if !r.take('[') {
		r.fail(start, "Array needs the type of its elements in [ ]; an Array without one is written [ ]")
		return interp.Value{}
	}
	elem := r.elem()
	r.expect(']', "after its type an Array")
	r.expect('(', "after its type an Array")
	r.space()
	list := interp.MakeList(uint16(ArrayType), r.list())
	r.expect(')', "after its elements an Array")
	if elem.IsNone() {
		return list
	}
	return interp.MakeRecord(uint16(ArrayType), []interp.Value{elem, list})
}

// elements reads a typed array of Pandemonium: the name of the type of its elements,
// and the elements. A comma after the last is allowed.
func (r *textReader) elements(t Type, name string) interp.Value {
	r.expect('(', name)
	r.space()
	start := r.pos
	word := r.word()
	elem, ok := TypesByName[word]
	if !ok || !isNamed(elem) {
		r.fail(start, "%s needs the name of the type of its elements, not %s", name, QuoteShort(word))
		return interp.Value{}
	}
	r.expect(',', "after the type of its elements "+name)
	var cells []interp.Value
	for r.err == nil && !r.take(')') {
		cells = append(cells, r.value())
		if !r.take(',') {
			r.expect(')', "after an element "+name)
			break
		}
	}
	return interp.MakeRecord(uint16(t), []interp.Value{interp.MakeUnit(uint16(elem)), {}, interp.MakeList(0, cells)})
}

func (r *textReader) typedDictionary(start int) interp.Value {
	if !r.take('[') {
		r.fail(start, "Dictionary needs the types of its keys and values in [ ]; a Dictionary without them is written { }")
		return interp.Value{}
	}
	key := r.elem()
	r.expect(',', "after the type of its keys a Dictionary")
	elem := r.elem()
	r.expect(']', "after its types a Dictionary")
	r.expect('(', "after its types a Dictionary")
	r.space()
	m := r.pairs()
	r.expect(')', "after its pairs a Dictionary")
	if key.IsNone() && elem.IsNone() {
		return m
	}
	return interp.MakeRecord(uint16(DictionaryType), []interp.Value{key, elem, m})
}

// elem reads the element type of a typed container.
func (r *textReader) elem() interp.Value {
	r.space()
	start := r.pos
	if r.pos < len(r.s) && r.s[r.pos] == '"' {
		return interp.MakeText(uint16(typeClass), r.quoted())
	}
	name := r.word()
	switch name {
	case "":
		r.fail(start, "there should be the name of a type, not %s", r.found())
		return interp.Value{}
	case "Variant":
		return interp.Value{}
	case "Raw":
		r.pos = start
		return r.value()
	case "SubResource", "ExtResource":
		r.fail(start, "%s(...) refers to a part of the same file; write Resource with the path of the script", name)
		return interp.Value{}
	case "Resource":
		if r.take('(') {
			return r.script()
		}
	}
	if t, ok := elemNamed(name); ok {
		return interp.MakeRecord(uint16(TypeBuiltin), []interp.Value{interp.MakeUnit(uint16(t))})
	}
	return interp.MakeText(uint16(typeClass), name)
}

// script reads the inside of Resource(...): a path, or a uid and a path.
func (r *textReader) script() interp.Value {
	path := r.quotedHere("Resource")
	if r.take(',') {
		at := r.pos
		second := r.quotedHere("Resource")
		switch first := path; {
		case strings.HasPrefix(first, "uid://"):
			path = second
		case !strings.HasPrefix(second, "uid://"):
			r.fail(at, "Resource has two paths; one of them may be a uid, which begins with uid://")
		}
	}
	r.expect(')', "Resource")
	return interp.MakeText(uint16(typeScript), path)
}

// kindsByName are the names that Raw has for the kinds of values.
var kindsByName = func() map[string]interp.Kind {
	m := map[string]interp.Kind{}
	for k := interp.None; k <= interp.Record; k++ {
		m[k.String()] = k
	}
	return m
}()

// rawTypeNamed returns the type that a name in Raw means, the inner ones included.
func rawTypeNamed(name string) (Type, bool) {
	for t := Type(Invalid); t < NumTypes; t++ {
		if typeNames[t] == name {
			return t, true
		}
	}
	return 0, false
}

// rawValue reads the inside of Raw(...).
func (r *textReader) rawValue() interp.Value {
	r.expect('(', "Raw")
	r.space()
	start := r.pos
	var t Type
	if r.pos < len(r.s) && isDigit(r.s[r.pos]) {
		id := r.id()
		if id > math.MaxUint16 {
			r.fail(start, "the number of a type is at most %d", math.MaxUint16)
		}
		t = Type(id)
	} else {
		var ok bool
		if t, ok = rawTypeNamed(r.word()); !ok {
			r.pos = start
			r.fail(start, "Raw needs the name or number of a type, not %s", r.found())
		}
	}
	r.expect(',', "after its type Raw")
	r.space()
	at := r.pos
	kind, ok := kindsByName[r.word()]
	if !ok && r.err == nil {
		r.pos = at
		r.fail(at, "after its type Raw needs a kind (none, unit, bool, int, uint, float, text, lanes, packed, list, map, record), not %s", r.found())
	}
	if r.err != nil {
		return interp.Value{}
	}
	tag := uint16(t)
	if kind > interp.Unit {
		r.expect(',', "after its kind Raw")
	}
	r.space()
	at = r.pos
	var v interp.Value
	switch kind {
	case interp.None:
		v = v.WithTag(tag)
	case interp.Unit:
		v = interp.MakeUnit(tag)
	case interp.Bool:
		word := r.word()
		if word != "true" && word != "false" {
			r.fail(at, "there should be true or false")
		}
		v = interp.MakeBool(tag, word == "true")
	case interp.Int, interp.Uint:
		id := r.id()
		v = interp.MakeUint(tag, id)
		if kind == interp.Int {
			v = interp.MakeInt(tag, int64(id))
		}
	case interp.Float:
		v = r.float(at, tag, r.number())
	case interp.Text:
		v = interp.MakeText(tag, r.quotedHere("Raw"))
	case interp.Lanes, interp.Packed:
		return r.rawNumbers(tag, kind)
	case interp.List:
		v = interp.MakeList(tag, r.list())
	case interp.Map:
		v = r.pairs().WithTag(tag)
	case interp.Record:
		v = interp.MakeRecord(tag, r.list())
	}
	r.expect(')', "Raw")
	return v
}

// rawNumbers reads the rest of Raw(type, lanes and Raw(type, packed.
func (r *textReader) rawNumbers(tag uint16, kind interp.Kind) interp.Value {
	start := r.pos
	scalar, ok := bytecode.ScalarNamed(r.word())
	if !ok {
		r.fail(start, "there should be a scalar: one of %s", scalarNames())
		return interp.Value{}
	}
	lanes := uint64(1)
	if kind == interp.Packed {
		r.expect(',', "after its scalar Raw")
		at := r.pos
		if lanes = r.id(); lanes < 1 || lanes > 255 {
			r.fail(at, "the numbers of each element are 1 to 255")
			return interp.Value{}
		}
	}
	var numbers []number
	for r.err == nil && r.take(',') {
		if scalar.IsFloat() {
			numbers = append(numbers, r.number())
		} else {
			numbers = append(numbers, number{r.id(), isInt})
		}
	}
	r.expect(')', "Raw")
	if r.err == nil && len(numbers)%int(lanes) != 0 {
		r.fail(start, "Raw has %d numbers, which are no whole elements of %d", len(numbers), lanes)
	}
	b := r.pack(start, "Raw", scalar, numbers)
	if r.err != nil {
		return interp.Value{}
	}
	if kind == interp.Packed {
		return interp.MakePacked(tag, scalar, int(lanes), b)
	}
	return interp.MakeLanes(tag, scalar, b)
}
