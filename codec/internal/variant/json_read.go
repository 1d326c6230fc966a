// Reading JSON; json.go describes the form.

package variant

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// ParseJSON reads a value from JSON as [AppendJSON] writes it. The error, if any, is a [*TextError].
func ParseJSON(b []byte) (interp.Value, error) {
	p := jsonParser{s: string(b)}
	node := p.document()
	var v interp.Value
	if p.err == nil {
		v = p.value(&node)
	}
	if p.err != nil {
		return interp.Value{}, p.err
	}
	return v, nil
}

// document parses all of the JSON.
func (p *jsonParser) document() jsonNode {
	node := p.node()
	p.space()
	if p.err == nil && p.pos < len(p.s) {
		p.fail(p.pos, "the JSON goes on after its value; remove what follows")
	}
	return node
}

// value returns the value that n is.
func (p *jsonParser) value(n *jsonNode) interp.Value {
	switch n.kind {
	case 'n':
		return interp.MakeUnit(uint16(Nil))
	case 't', 'f':
		return interp.MakeBool(uint16(Bool), n.kind == 't')
	case '"':
		return interp.MakeText(uint16(String), n.text)
	case '0':
		return p.plainNumber(n)
	case '[':
		return interp.MakeList(uint16(ArrayType), p.values(p.elements(n)))
	}
	for i := 0; i < len(n.parts); i += 2 {
		if n.parts[i].text == "$type" {
			return p.typed(n)
		}
	}
	cells := make([]interp.Value, 0, len(n.parts))
	var seen map[string]bool
	if len(n.parts) > 2 {
		seen = make(map[string]bool, len(n.parts)/2)
	}
	for i := 0; i < len(n.parts) && p.err == nil; i += 2 {
		key := &n.parts[i]
		if strings.HasPrefix(key.text, "$") {
			p.fail(key.pos, `the key %s begins with $; write such a Dictionary as {"$type": "Dictionary", "value": [[key, value], ...]}`, QuoteShort(key.text))
		}
		if seen[key.text] {
			p.fail(key.pos, `the key %s is there before; write such a Dictionary as {"$type": "Dictionary", "value": [[key, value], ...]}`, QuoteShort(key.text))
		}
		if seen != nil {
			seen[key.text] = true
		}
		cells = append(cells, interp.MakeText(uint16(String), key.text), p.value(&n.parts[i+1]))
	}
	return interp.MakeMap(uint16(DictionaryType), cells)
}

func (p *jsonParser) values(nodes []jsonNode) []interp.Value {
	if len(nodes) == 0 {
		return nil
	}
	cells := make([]interp.Value, 0, len(nodes))
	for i := range nodes {
		if p.err != nil {
			break
		}
		cells = append(cells, p.value(&nodes[i]))
	}
	return cells
}

func (p *jsonParser) plainNumber(n *jsonNode) interp.Value {
	f, _ := strconv.ParseFloat(n.text, 64)
	if f != math.Trunc(f) {
		return interp.MakeFloat(uint16(Float), f)
	}
	if math.Abs(f) > maxPlainInt {
		p.fail(n.pos, `the whole number %s is beyond 2^53, where some readers lose digits; write {"$type": "int", "value": "…"} or {"$type": "float", "value": …}`, QuoteShort(n.text))
		return interp.Value{}
	}
	return interp.MakeInt(uint16(Int), int64(f))
}

// jsonMembers are the members of a typed object that have not been used.
type jsonMembers struct {
	p     *jsonParser
	pos   int
	left  map[string]*jsonNode
	names []string // all, in order
}

func (p *jsonParser) newMembers(n *jsonNode) *jsonMembers {
	m := &jsonMembers{p, n.pos, make(map[string]*jsonNode, len(n.parts)/2), nil}
	for i := 0; i < len(n.parts); i += 2 {
		name := n.parts[i].text
		if m.left[name] != nil {
			p.fail(n.parts[i].pos, "the key %s is there before", QuoteShort(name))
		}
		m.left[name] = &n.parts[i+1]
		m.names = append(m.names, name)
	}
	return m
}

// optional takes a member, or returns nil.
func (m *jsonMembers) optional(name string) *jsonNode {
	n := m.left[name]
	delete(m.left, name)
	return n
}

var absentNode = jsonNode{kind: 'n'}

// need takes a member that has to be there.
func (m *jsonMembers) need(name string) *jsonNode {
	if n := m.optional(name); n != nil {
		return n
	}
	m.p.fail(m.pos, "the key %q is missing", name)
	return &absentNode
}

// done fails if members are left.
func (m *jsonMembers) done() {
	for _, name := range m.names {
		if n := m.left[name]; n != nil {
			m.p.fail(n.pos, "the key %s has no meaning here; remove it", QuoteShort(name))
			return
		}
	}
}

// typed returns the value of an object with "$type".
func (p *jsonParser) typed(n *jsonNode) interp.Value {
	m := p.newMembers(n)
	node := m.need("$type")
	t := Type(Invalid)
	switch node.kind {
	case '"':
		var ok bool
		if t, ok = rawTypeNamed(node.text); !ok {
			p.fail(node.pos, "there is no type %s; types have their names of Godot 4", QuoteShort(node.text))
		}
	case '0':
		i := p.int(node, 16, false)
		t = Type(i)
	default:
		p.want(node, '"', `"$type"`)
	}
	wide := false
	if w := m.optional("wide"); w != nil {
		if w.kind != 't' && w.kind != 'f' {
			p.want(w, 't', `"wide"`)
		}
		wide = w.kind == 't'
	}
	if p.err != nil {
		return interp.Value{}
	}
	var v interp.Value
	if kind := m.optional("kind"); kind != nil {
		v = p.rawValue(t, kind, m)
	} else {
		v = p.known(t, wide, node, m)
	}
	m.done()
	return v.WithWide(wide)
}

// known returns a value of a type with a special form.
func (p *jsonParser) known(t Type, wide bool, node *jsonNode, m *jsonMembers) interp.Value {
	tag := uint16(t)
	switch t {
	case Nil, CallableType:
		return interp.MakeUnit(tag)
	case Bool:
		return p.bool(tag, m.need("value"))
	case Int:
		return interp.MakeInt(tag, int64(p.int(m.need("value"), 64, true)))
	case Float:
		return p.float(tag, m.need("value"))
	case String, StringNameType:
		return interp.MakeText(tag, p.text(m.need("value")))
	case RIDType:
		return interp.MakeUint(tag, p.int(m.need("value"), 64, false))
	case NodePathType:
		if path := m.optional("value"); path != nil {
			v, ok := parseNodePath(p.text(path))
			if !ok {
				p.fail(path.pos, "the path has an empty name after a colon; remove the colon or write the name")
			}
			return v
		}
		absolute := p.bool(0, m.need("absolute")).Bool()
		names := p.texts(m.need("names"))
		return MakeNodePath(absolute, names, p.texts(m.need("subnames")))
	case SignalType:
		name := p.text(m.need("name"))
		return MakeSignal(name, p.int(m.need("object"), 64, false))
	case ObjectType:
		return p.object(m)
	case ArrayType:
		return p.array(m)
	case DictionaryType:
		return p.dictionary(m)
	case PackedStringArray:
		return interp.MakeList(tag, p.texts(m.need("value")))
	}
	l := LayoutOf(t)
	if l.Lanes == 0 {
		p.fail(node.pos, `a value of this type is given by its parts, with "kind"`)
		return interp.Value{}
	}
	value := m.need("value")
	if t == PackedByteArray && value.kind == '"' {
		return interp.MakePacked(tag, bytecode.U8, 1, p.base64(value))
	}
	scalar := l.Scalar
	if wide && l.Real {
		scalar = bytecode.F64
	}
	if l.Packed() {
		return interp.MakePacked(tag, scalar, l.Lanes, p.numbers(value, scalar, l.Lanes))
	}
	if p.want(value, '[', "the numbers") && p.count(value) != l.Lanes {
		p.fail(value.pos, "there should be %d numbers, not %d", l.Lanes, p.count(value))
	}
	return interp.MakeLanes(tag, scalar, p.numbers(value, scalar, 1))
}

// object returns an object: its id, or its class with its properties.
func (p *jsonParser) object(m *jsonMembers) interp.Value {
	if id := m.optional("id"); id != nil {
		return interp.MakeUint(ObjectType, p.int(id, 64, false))
	}
	class := m.optional("class")
	if class == nil {
		return MakeObject("", nil)
	}
	name := p.text(class)
	if name == "" {
		p.fail(class.pos, `the class of an object has a name; a null object is {"$type": "Object"}`)
	}
	var properties []interp.Value
	props := m.need("properties")
	p.want(props, '[', "the properties")
	for pair := range p.each(props) {
		if !p.pair(pair, "a property") {
			break
		}
		name := p.text(&pair.parts[0])
		properties = append(properties, MakeProperty(name, p.value(&pair.parts[1])))
	}
	return MakeObject(name, properties)
}

// array returns an Array, with the type of its elements if it has one.
func (p *jsonParser) array(m *jsonMembers) interp.Value {
	of := m.optional("of")
	list := interp.MakeList(ArrayType, p.list(m.need("value")))
	if of == nil {
		return list
	}
	elem := p.elem(of)
	if elem.IsNone() {
		p.fail(of.pos, `an Array without a type has no "of"`)
	}
	return interp.MakeRecord(ArrayType, []interp.Value{elem, list})
}

// dictionary returns a Dictionary, with the types of its keys and values if it has them.
func (p *jsonParser) dictionary(m *jsonMembers) interp.Value {
	of := m.optional("of")
	pairs := interp.MakeMap(DictionaryType, p.pairs(m.need("value")))
	if of == nil {
		return pairs
	}
	if !p.pair(of, `"of" of a Dictionary`) {
		return pairs
	}
	key, elem := p.elem(&of.parts[0]), p.elem(&of.parts[1])
	if key.IsNone() && elem.IsNone() {
		p.fail(of.pos, `a Dictionary without types has no "of"`)
	}
	return interp.MakeRecord(DictionaryType, []interp.Value{key, elem, pairs})
}

// rawValue returns a value given by its parts.
func (p *jsonParser) rawValue(t Type, kindNode *jsonNode, m *jsonMembers) interp.Value {
	tag := uint16(t)
	kind, ok := kindsByName[kindNode.text]
	if !ok || kindNode.kind != '"' {
		p.fail(kindNode.pos, `"kind" should be one of none, unit, bool, int, uint, float, text, lanes, packed, list, map, record`)
		return interp.Value{}
	}
	switch kind {
	case interp.None:
		return interp.Value{}.WithTag(tag)
	case interp.Unit:
		return interp.MakeUnit(tag)
	}
	value := m.need("value")
	switch kind {
	case interp.Bool:
		return p.bool(tag, value)
	case interp.Int:
		return interp.MakeInt(tag, int64(p.int(value, 64, true)))
	case interp.Uint:
		return interp.MakeUint(tag, p.int(value, 64, false))
	case interp.Float:
		return p.float(tag, value)
	case interp.Text:
		return interp.MakeText(tag, p.text(value))
	case interp.List:
		return interp.MakeList(tag, p.list(value))
	case interp.Map:
		return interp.MakeMap(tag, p.pairs(value))
	case interp.Record:
		return interp.MakeRecord(tag, p.list(value))
	}
	node := m.need("scalar")
	scalar, ok := bytecode.ScalarNamed(node.text)
	if !ok || node.kind != '"' {
		p.fail(node.pos, `"scalar" should be one of %s`, scalarNames())
		return interp.Value{}
	}
	if kind == interp.Lanes {
		return interp.MakeLanes(tag, scalar, p.numbers(value, scalar, 1))
	}
	node = m.need("width")
	width := p.int(node, 8, false)
	if width == 0 {
		p.fail(node.pos, `"width" is 1 to 255`)
		return interp.Value{}
	}
	return interp.MakePacked(tag, scalar, int(width), p.numbers(value, scalar, int(width)))
}

// elem returns the type of elements.
func (p *jsonParser) elem(n *jsonNode) interp.Value {
	switch n.kind {
	case 'n':
		return interp.Value{}
	case '"':
		t, ok := elemNamed(n.text)
		if !ok {
			p.fail(n.pos, `there is no type %s; a class is {"class": name}`, QuoteShort(n.text))
		}
		return interp.MakeRecord(uint16(TypeBuiltin), []interp.Value{interp.MakeUnit(uint16(t))})
	case '{':
		m := p.newMembers(n)
		tag := uint16(typeClass)
		name := m.optional("class")
		if name == nil {
			tag = uint16(typeScript)
			name = m.optional("script")
		}
		if name != nil {
			m.done()
			return interp.MakeText(tag, p.text(name))
		}
		if m.left["$type"] != nil && m.left["kind"] != nil {
			return p.value(n)
		}
	}
	p.fail(n.pos, `the type of elements should be a name, {"class": name}, {"script": path} or null`)
	return interp.Value{}
}

func (p *jsonParser) pair(n *jsonNode, what string) bool {
	if p.err == nil && p.want(n, '[', what) && p.count(n) != 2 {
		p.fail(n.pos, "%s is a list of two, not of %d", what, p.count(n))
	}
	return p.err == nil
}

func (p *jsonParser) list(n *jsonNode) []interp.Value {
	p.want(n, '[', `"value"`)
	return p.values(p.elements(n))
}

func (p *jsonParser) pairs(n *jsonNode) []interp.Value {
	if !p.want(n, '[', `"value"`) || p.count(n) == 0 {
		return nil
	}
	cells := make([]interp.Value, 0, 2*p.count(n))
	for pair := range p.each(n) {
		if !p.pair(pair, "a pair of key and value") {
			break
		}
		cells = append(cells, p.value(&pair.parts[0]), p.value(&pair.parts[1]))
	}
	return cells
}

func (p *jsonParser) bool(tag uint16, n *jsonNode) interp.Value {
	if n.kind != 't' && n.kind != 'f' {
		p.fail(n.pos, "there should be true or false, not %s", jsonKinds[n.kind])
	}
	return interp.MakeBool(tag, n.kind == 't')
}

func (p *jsonParser) texts(n *jsonNode) []interp.Value {
	if !p.want(n, '[', "the texts") {
		return nil
	}
	var cells []interp.Value
	for item := range p.each(n) {
		cells = append(cells, interp.MakeText(0, p.text(item)))
	}
	return cells
}

func (p *jsonParser) text(n *jsonNode) string {
	if n.kind == '{' && len(n.parts) == 2 && n.parts[0].text == "$bytes" {
		return string(p.base64(&n.parts[1]))
	}
	if n.kind != '"' {
		p.fail(n.pos, `a text should be a string, or {"$bytes": base64}, not %s`, jsonKinds[n.kind])
	}
	return n.text
}

func (p *jsonParser) base64(n *jsonNode) []byte {
	if !p.want(n, '"', "base64") {
		return nil
	}
	b, err := base64.StdEncoding.DecodeString(n.text)
	if err != nil {
		p.fail(n.pos, "the string is no base64 with padding: %v", err)
	}
	return b
}

// int returns an integer of the given width, of which a signed one is sign-extended.
func (p *jsonParser) int(n *jsonNode, width int, signed bool) uint64 {
	text := n.text
	switch n.kind {
	case '"':
	case '0':
		f, _ := strconv.ParseFloat(text, 64)
		if f != math.Trunc(f) || math.Abs(f) > maxPlainInt {
			p.fail(n.pos, "there should be an integer, and one beyond 2^53 in quotes, not %s", QuoteShort(text))
			return 0
		}
		text = strconv.FormatInt(int64(f), 10) // 1e3 is one too
	default:
		p.fail(n.pos, "there should be an integer, not %s", jsonKinds[n.kind])
		return 0
	}
	var u uint64
	var err error
	if signed {
		var i int64
		i, err = strconv.ParseInt(text, 10, width)
		u = uint64(i)
	} else {
		u, err = strconv.ParseUint(text, 10, width)
	}
	if err != nil {
		sign := "an unsigned"
		if signed {
			sign = "a signed"
		}
		p.fail(n.pos, "%s is not %s integer of %d bits", QuoteShort(text), sign, width)
	}
	return u
}

func (p *jsonParser) float(tag uint16, n *jsonNode) interp.Value {
	return interp.MakeFloat(tag, math.Float64frombits(p.real(n, bytecode.F64)))
}

// hexOf returns the number that is written in hexadecimal digits, as many as the
// scalar has.
func hexOf(digits string, scalar bytecode.Scalar) (bits uint64, ok bool) {
	bits, err := strconv.ParseUint(digits, 16, 64)
	return bits, err == nil && len(digits) == 2*scalar.Width()
}

func isJSONNumber(s string) bool {
	if s == "" || s[0] != '-' && !isDigit(s[0]) {
		return false
	}
	p := jsonParser{s: s}
	p.number()
	return p.err == nil && p.pos == len(s)
}

// real returns the bits of a real of scalar F32 or F64.
func (p *jsonParser) real(n *jsonNode, scalar bytecode.Scalar) uint64 {
	var f float64
	digits, isBits := strings.CutPrefix(n.text, "bits:")
	switch {
	case n.kind == '"' && isBits:
		bits, ok := hexOf(digits, scalar)
		if !ok {
			p.fail(n.pos, `"bits:" is followed by %d hexadecimal digits here`, 2*scalar.Width())
		}
		return bits
	case n.kind == '0', n.kind == '"' && isJSONNumber(n.text):
		f, _ = strconv.ParseFloat(n.text, 64)
		if math.IsInf(f, 0) {
			p.fail(n.pos, `%s is beyond double precision; infinity is "inf"`, QuoteShort(n.text))
		} else if scalar == bytecode.F32 && math.IsInf(float64(float32(f)), 0) {
			p.fail(n.pos, `%s is beyond single precision; infinity is "inf"`, QuoteShort(n.text))
		}
		if f == 0 && n.kind == '0' {
			f = 0 // a plain -0 does not survive in JavaScript, so it says nothing
		}
	case n.kind == '"' && n.text == "inf":
		f = math.Inf(1)
	case n.kind == '"' && n.text == "-inf":
		f = math.Inf(-1)
	case n.kind == '"' && n.text == "nan":
		if scalar == bytecode.F32 {
			return OrdinaryNaN32
		}
		return OrdinaryNaN64
	default:
		digits, isNaN := strings.CutPrefix(n.text, "nan:")
		bits, ok := hexOf(digits, scalar)
		f = math.Float64frombits(bits)
		if scalar == bytecode.F32 {
			f = float64(math.Float32frombits(uint32(bits)))
		}
		if !isNaN || !ok || n.kind != '"' || f == f {
			p.fail(n.pos, `there should be a number, "inf", "-inf", "-0", "nan", or "nan:" or "bits:" and %d hexadecimal digits`, 2*scalar.Width())
		}
		return bits
	}
	if scalar == bytecode.F32 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// numbers returns numbers as little-endian scalars. If width is over 1, they
// are in lists of that many.
func (p *jsonParser) numbers(n *jsonNode, scalar bytecode.Scalar, width int) []byte {
	if !p.want(n, '[', "the numbers") {
		return nil
	}
	b := make([]byte, 0, p.count(n)*width*scalar.Width())
	for item := range p.each(n) {
		if p.err != nil {
			return nil
		}
		if width == 1 {
			b = p.appendNumber(b, item, scalar)
			continue
		}
		if p.want(item, '[', "an element") && p.count(item) != width {
			p.fail(item.pos, "an element has %d numbers, not %d", width, p.count(item))
			return nil
		}
		for lane := range p.each(item) {
			b = p.appendNumber(b, lane, scalar)
		}
	}
	return b
}

func (p *jsonParser) appendNumber(b []byte, n *jsonNode, scalar bytecode.Scalar) []byte {
	var bits uint64
	switch {
	case scalar == bytecode.F16:
		half, ok := interp.HalfOfSingle(uint32(p.real(n, bytecode.F32)))
		if !ok {
			p.fail(n.pos, `%s is not a number that f16 holds exactly`, QuoteShort(n.text))
		}
		bits = uint64(half)
	case scalar.IsFloat():
		bits = p.real(n, scalar)
	default:
		bits = p.int(n, 8*scalar.Width(), scalar.Signed())
	}
	for range scalar.Width() {
		b = append(b, byte(bits))
		bits >>= 8
	}
	return b
}
