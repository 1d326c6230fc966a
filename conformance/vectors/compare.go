// The comparison of values: the rules that README.md gives in words.

package vectors

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Relation is the relation of a value that an implementation gives to the one that it
// should give.
type Relation string

// The relations, best first. The first two are as good as each other.
const (
	// Exact: the same to the last bit. The width that an int or a float had on the
	// wire is not part of it, nor is the precision of a vector whose numbers are
	// the same in both.
	Exact Relation = "exact"
	// SameValue: the same in another form: a NaN with other bits, Nil for the null
	// object.
	SameValue Relation = "same value"
	// Lossy means less than there should be, but recognizable. Examples are a number that is
	// rounded or of the other type, a StringName as a String, a typed container without its type,
	// and a Dictionary in another order.
	Lossy Relation = "lossy"
	// Wrong: anything else.
	Wrong Relation = "wrong"
)

func (r Relation) rank() int {
	switch r {
	case Exact:
		return 0
	case SameValue:
		return 1
	case Lossy:
		return 2
	}
	return 3
}

// Compare returns how got relates to want, with the first of the worst differences. path is its
// place, such as .entities[3]["pos"], and sentence describes it without the path. Both are ""
// if the values are exactly the same.
func Compare(want, got codec.Value) (r Relation, path, sentence string) {
	d := compare(raw.Value(want), raw.Value(got))
	return d.r, d.path, d.text
}

// Compare returns how the value that an implementation gives relates to the value of the case.
// If it is nearer to the other value that the case allows, it is compared with that one. The
// error is about the case.
func (c *Case) Compare(got codec.Value) (r Relation, path, sentence string, err error) {
	want, err := godot.ParseJSON(c.Value)
	if err != nil {
		return Wrong, "", "", fmt.Errorf("the value of case %s: %w", c.ID, err)
	}
	r, path, sentence = Compare(want, got)
	if r.rank() <= SameValue.rank() || c.Also == nil {
		return r, path, sentence, nil
	}
	if want, err = godot.ParseJSON(c.Also); err != nil {
		return Wrong, "", "", fmt.Errorf("the other value of case %s: %w", c.ID, err)
	}
	if also, p, s := Compare(want, got); also.rank() <= SameValue.rank() {
		if also == Exact {
			s = "it is as a writer writes it"
		}
		return SameValue, p, s, nil
	}
	return r, path, sentence, nil
}

// difference is what was found. Its zero value means exactly the same.
type difference struct {
	r    Relation
	path string
	text string
}

func different(r Relation, format string, args ...any) difference {
	return difference{r, "", fmt.Sprintf(format, args...)}
}

// worse returns the worse of two differences, and of equal ones the first.
func (d difference) worse(e difference) difference {
	if e.r.rank() > d.r.rank() {
		return e
	}
	return d
}

// in puts a difference one step deeper into a value.
func (d difference) in(step string) difference {
	if d.r != Exact {
		d.path = step + d.path
	}
	return d
}

// inKey puts a difference one step deeper, under a key of a Dictionary. The key is printed only
// if there is a difference, as keys may be long.
func (d difference) inKey(key interp.Value) difference {
	if d.r == Exact {
		return d
	}
	return d.in(keyStep(key))
}

var same = difference{r: Exact}

func typeOf(v interp.Value) codec.Type { return codec.Type(v.Tag()) }

func isNullObject(v interp.Value) bool {
	return typeOf(v) == godot.ObjectType && (v.Kind() == interp.Unit || v.Kind() == interp.Text && v.Len() == 0)
}

// isNoObject reports the null object and the one with the instance id 0, which is that
// of none.
func isNoObject(v interp.Value) bool {
	return isNullObject(v) || typeOf(v) == godot.ObjectType && v.Kind() == interp.Uint && v.Uint() == 0
}

// mostShown is how many characters of a value or a text are shown.
const mostShown = 80

// show prints a value, and not all of a large one.
func show(v interp.Value) string {
	return clip(raw.Wrap(v).String())
}

func compare(want, got interp.Value) difference {
	if isNullObject(want) && isNullObject(got) {
		return same
	}
	none := func(v interp.Value) bool { return isNoObject(v) || typeOf(v) == godot.Nil }
	if none(want) && none(got) && (want.Tag() != got.Tag() || want.Kind() != got.Kind()) {
		return different(SameValue, "it is %s in place of %s", show(got), show(want))
	}
	if typeOf(want) != typeOf(got) && !isPart(want, got) && !isPart(got, want) {
		return otherType(want, got)
	}
	if d, ok := container(want, got); ok {
		return d
	}
	if want.Kind() != got.Kind() {
		if isRID(want) && isRID(got) && want.Uint() == got.Uint() {
			return same // an RID without a number is RID 0
		}
		return different(Wrong, "it is %s, and should be %s", show(got), show(want))
	}
	switch want.Kind() {
	case interp.None, interp.Unit:
		return same
	case interp.Bool:
		if want.Bool() == got.Bool() {
			return same
		}
		return different(Wrong, "it is %t, and should be %t", got.Bool(), want.Bool())
	case interp.Int, interp.Uint:
		return compareInts(want, got)
	case interp.Float:
		return compareReals(want.Float(), got.Float())
	case interp.Text:
		return compareTexts(want.Text(), got.Text())
	case interp.Lanes, interp.Packed:
		return compareLanes(want, got)
	case interp.List:
		return compareLists(want, got, func(i int) string { return "[" + strconv.Itoa(i) + "]" })
	case interp.Map:
		return compareMaps(want, got)
	case interp.Record:
		return compareLists(want, got, func(i int) string { return fieldStep(want, i) })
	}
	return different(Wrong, "it is %s, and should be %s", show(got), show(want))
}

// fieldStep is the step of a path to a field of a record.
func fieldStep(v interp.Value, i int) string {
	var names []string
	switch typeOf(v) {
	case godot.NodePathType:
		names = []string{"absolute", "names", "subnames"}
		i += 3 - v.Len() // some schemas have the text of an older form before these
	case godot.ObjectType:
		names = []string{"id", "class", "properties"}
	case godot.SignalType:
		names = []string{"name", "object"}
	}
	if i >= 0 && i < len(names) {
		return "." + names[i]
	}
	return ".field(" + strconv.Itoa(i) + ")"
}

// isPart reports whether the first of two values is a part of another, such as a name of a
// NodePath. JSON does not have the type of a part, but the schema has that of the second value.
func isPart(a, b interp.Value) bool {
	return typeOf(a) == godot.Invalid && typeOf(b) >= godot.FirstOwn
}

func isRID(v interp.Value) bool {
	return typeOf(v) == godot.RIDType && (v.Kind() == interp.Uint || v.Kind() == interp.Unit)
}

// otherType compares values of different types.
func otherType(want, got interp.Value) difference {
	text := func(v interp.Value) (string, bool) {
		switch typeOf(v) {
		case godot.String, godot.StringNameType:
			return v.Text(), v.Kind() == interp.Text
		}
		return "", false
	}
	wrong := different(Wrong, "it is the %s %s, and should be the %s %s", typeOf(got), show(got), typeOf(want), show(want))
	if a, ok := text(want); ok {
		if b, ok := text(got); ok && a == b {
			return different(Lossy, "the type is lost: it is a %s, and should be a %s", typeOf(got), typeOf(want))
		}
		return wrong
	}
	switch {
	case want.Kind() == interp.Int && got.Kind() == interp.Float:
		if f := got.Float(); f == float64(want.Int()) {
			return different(Lossy, "the type is lost: it is the float %s, and should be the int %s", show(got), show(want))
		}
	case want.Kind() == interp.Float && got.Kind() == interp.Int:
		if f := want.Float(); f == float64(got.Int()) {
			return different(Lossy, "the type is lost: it is the int %s, and should be the float %s", show(got), show(want))
		}
	case typeOf(got) == godot.ArrayType && typeOf(want) >= godot.PackedByteArray && typeOf(want) <= godot.PackedVector4iArray:
		if likeList(want, got) {
			return different(Lossy, "the type is lost: it is an Array, and should be a %s", typeOf(want))
		}
	}
	return wrong
}

// likeList reports whether the elements of an Array are the numbers or texts of a
// packed array.
func likeList(packed, list interp.Value) bool {
	cells := list.Cells()
	if list.Kind() != interp.List || packed.Len() != len(cells) || packed.Kind() == interp.Packed && packed.Width() != 1 {
		return false
	}
	for i, c := range cells {
		switch {
		case packed.Kind() == interp.List:
			if c.Kind() != interp.Text || c.Text() != packed.At(i).Text() {
				return false
			}
		case c.Kind() == interp.Int:
			if float64(c.Int()) != packed.LaneFloat(i) && (packed.Scalar().IsFloat() || c.Int() != packed.LaneInt(i)) {
				return false
			}
		case c.Kind() != interp.Float || c.Float() != packed.LaneFloat(i):
			return false
		}
	}
	return true
}

// container compares Arrays and Dictionaries of which at least one has types.
func container(want, got interp.Value) (difference, bool) {
	t := typeOf(want)
	if t != godot.ArrayType && t != godot.DictionaryType || want.Kind() != interp.Record && got.Kind() != interp.Record {
		return same, false
	}
	a, b := raw.Wrap(want), raw.Wrap(got)
	untyped := func(v codec.Value) interp.Value {
		if t == godot.ArrayType {
			return raw.Value(godot.WithElemType(v, godot.ElemType{}))
		}
		return raw.Value(godot.WithPairTypes(v, godot.ElemType{}, godot.ElemType{}))
	}
	types := func(v codec.Value) [3]godot.ElemType {
		key, value := godot.PairTypesOf(v)
		return [3]godot.ElemType{godot.ElemTypeOf(v), key, value}
	}
	d := same
	if types(a) != types(b) {
		r, what := Wrong, "the type of the elements is another"
		if got.Kind() != interp.Record {
			r, what = Lossy, "the type of the elements is lost"
		}
		d = different(r, "%s: it is %s, and should be %s", what, show(got), show(want))
	}
	if want.Kind() == got.Kind() {
		d = d.worse(compareFlags(want, got))
	}
	return d.worse(compare(untyped(a), untyped(b))), true
}

// compareFlags compares what containers say beside types and elements.
func compareFlags(want, got interp.Value) difference {
	a, b := want.Cells(), got.Cells()
	for i := range min(len(a), len(b)) {
		if a[i].Kind() == interp.Bool && b[i].Kind() == interp.Bool && a[i].Bool() != b[i].Bool() {
			return different(Wrong, "it is %s, and should be %s", show(got), show(want))
		}
	}
	return same
}

func compareInts(want, got interp.Value) difference {
	if want.Uint() == got.Uint() {
		return same
	}
	if want.Kind() == interp.Int && float64(want.Int()) == float64(got.Int()) ||
		want.Kind() == interp.Uint && float64(want.Uint()) == float64(got.Uint()) {
		return different(Lossy, "digits are lost: it is %s, and should be %s", show(got), show(want))
	}
	return different(Wrong, "it is %s, and should be %s", show(got), show(want))
}

// compareReals compares doubles.
func compareReals(want, got float64) difference {
	text := func(f float64) string {
		if f == 0 && math.Signbit(f) {
			return "-0.0"
		}
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	switch {
	case math.Float64bits(want) == math.Float64bits(got):
		return same
	case want != want && got != got:
		return different(SameValue, "it is the NaN %016x in place of %016x", math.Float64bits(got), math.Float64bits(want))
	case want == got:
		return different(Lossy, "the sign is lost: it is %s, and should be %s", text(got), text(want))
	case float64(float32(want)) == got && !math.IsInf(got, 0):
		return different(Lossy, "it is rounded to single precision: %s, and should be %s", text(got), text(want))
	}
	return different(Wrong, "it is %s, and should be %s", text(got), text(want))
}

func compareTexts(want, got string) difference {
	switch {
	case want == got:
		return same
	case strings.ToValidUTF8(want, "\ufffd") == got:
		return different(Lossy, "bytes that are no characters are replaced: it is %+q, and should be %+q", clip(got), clip(want))
	case strings.TrimRight(got, "\x00") == want:
		return different(Wrong, "it ends with zero bytes that are padding: %+q, and should be %+q", clip(got), clip(want))
	case strings.HasPrefix(want, got):
		return different(Wrong, "its end is missing: it is %+q, and should be %+q", clip(got), clip(want))
	}
	return different(Wrong, "it is %+q, and should be %+q", clip(got), clip(want))
}

func clip(s string) string { return interp.Clip(s, mostShown) }

// laneNames are the names of the numbers of types, for paths; others are counted.
var laneNames = map[codec.Type][]string{
	godot.Vector2Type: {"x", "y"}, godot.Vector2iType: {"x", "y"},
	godot.Vector3Type: {"x", "y", "z"}, godot.Vector3iType: {"x", "y", "z"},
	godot.Vector4Type: {"x", "y", "z", "w"}, godot.Vector4iType: {"x", "y", "z", "w"},
	godot.QuaternionType: {"x", "y", "z", "w"}, godot.ColorType: {"r", "g", "b", "a"},
}

// compareLanes compares the numbers of math types and of packed arrays.
func compareLanes(want, got interp.Value) difference {
	if want.Width() != got.Width() || want.Scalar().IsFloat() != got.Scalar().IsFloat() {
		return different(Wrong, "it is %s, and should be %s", show(got), show(want))
	}
	if want.Scalar() == got.Scalar() && bytes.Equal(want.Bytes(), got.Bytes()) {
		return same
	}
	count := func(v interp.Value) int { return len(v.Bytes()) / max(v.Scalar().Width(), 1) }
	d := same
	if count(want) != count(got) {
		d = different(Wrong, "it has %d elements, and should have %d", got.Len(), want.Len())
	}
	for i := range min(count(want), count(got)) {
		if d.r == Wrong && d.path != "" {
			break
		}
		var e difference
		if want.Scalar().IsFloat() {
			e = compareNumbers(want, got, i)
		} else if w, g := whole(want, i), whole(got, i); w != g {
			e = different(Wrong, "it is %s, and should be %s", g, w)
		} else {
			continue
		}
		d = d.worse(e.in(laneStep(want, i)))
	}
	return d
}

// whole returns integer i as digits.
func whole(v interp.Value, i int) string {
	if v.Scalar().Signed() {
		return strconv.FormatInt(v.LaneInt(i), 10)
	}
	return strconv.FormatUint(v.LaneBits(i), 10)
}

// compareNumbers compares number i, of single or double precision.
func compareNumbers(want, got interp.Value, i int) difference {
	if want.Scalar() == bytecode.F32 && got.Scalar() == bytecode.F32 {
		a, b := uint32(want.LaneBits(i)), uint32(got.LaneBits(i))
		if f, g := math.Float32frombits(a), math.Float32frombits(b); f != f && g != g && a != b {
			return different(SameValue, "it is the NaN %08x in place of %08x", b, a)
		}
	}
	return compareReals(want.LaneFloat(i), got.LaneFloat(i))
}

func laneStep(v interp.Value, i int) string {
	lane := i
	step := ""
	if v.Kind() == interp.Packed {
		step = "[" + strconv.Itoa(i/v.Width()) + "]"
		if v.Width() == 1 {
			return step
		}
		lane %= v.Width()
	}
	names := laneNames[typeOf(v)]
	if v.Kind() == interp.Packed {
		names = []string{"x", "y", "z", "w"}
		if typeOf(v) == godot.PackedColorArray {
			names = []string{"r", "g", "b", "a"}
		}
	}
	if lane < len(names) {
		return step + "." + names[lane]
	}
	return step + "[" + strconv.Itoa(lane) + "]"
}

func compareLists(want, got interp.Value, step func(int) string) difference {
	a, b := want.Cells(), got.Cells()
	d := same
	if len(a) != len(b) {
		d = different(Wrong, "it has %d elements, and should have %d", len(b), len(a))
	}
	for i := range min(len(a), len(b)) {
		if d.r == Wrong && d.path != "" {
			break
		}
		e := compare(a[i], b[i]).in(step(i))
		if e.r == Wrong && d.r == Wrong {
			d = e // the element says more than the count
		}
		d = d.worse(e)
	}
	return d
}

// compareMaps compares the pairs of Dictionaries.
func compareMaps(want, got interp.Value) difference {
	a, b := want.Cells(), got.Cells()
	if len(a) != len(b) {
		return different(Wrong, "it has %d pairs, and should have %d", len(b)/2, len(a)/2)
	}
	d := same
	for i := 0; i+1 < len(a) && d.r != Wrong; i += 2 {
		key := compare(a[i], b[i]).in(".key(" + strconv.Itoa(i/2) + ")")
		d = d.worse(key).worse(compare(a[i+1], b[i+1]).inKey(a[i]))
	}
	if d.r == Wrong {
		if e, ok := anyOrder(a, b); ok {
			return e
		}
	}
	return d
}

// anyOrder compares pairs of which those with the same key belong together, where
// both sides have the same keys.
func anyOrder(a, b []interp.Value) (d difference, ok bool) {
	id := func(v interp.Value) string {
		t, _ := godot.AppendJSON(nil, raw.Wrap(v))
		return string(t)
	}
	places := make(map[string][]int, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		k := id(b[i])
		places[k] = append(places[k], i)
	}
	d = different(Lossy, "the order of the pairs is lost")
	for i := 0; i+1 < len(a); i += 2 {
		k := id(a[i])
		if len(places[k]) == 0 {
			return same, false
		}
		place := places[k][0]
		places[k] = places[k][1:]
		d = d.worse(compare(a[i+1], b[place+1]).inKey(a[i]))
	}
	return d, true
}

func keyStep(key interp.Value) string {
	if key.Kind() == interp.Text {
		return "[" + strconv.Quote(clip(key.Text())) + "]"
	}
	return "[" + show(key) + "]"
}
