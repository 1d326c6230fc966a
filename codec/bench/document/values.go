// Cells, read and written by hand.

package document

import (
	"math"
	"unicode/utf8"

	"github.com/octable/octable/codec/bench/suite"
	"github.com/octable/octable/codec/bench/value"
)

// The numbers of the types, which a test compares with those of the codec.
const (
	tagUint  = 256
	tagMap   = 257
	tagArray = 258
	tagStr   = 259
	tagNil   = 260
	tagBool  = 262
	tagBin   = 263
	tagFloat = 265
	tagInt   = 266
)

// Flags of cells.
const (
	wide     = 0x20
	repeats  = 0x40
	distinct = 0x80
)

// cellDecoder reads a document into cells.
type cellDecoder struct {
	decoder
	slab *value.Slab
}

func readCells(s *value.Slab, b []byte) (v value.Value, used int, err error) {
	d := cellDecoder{decoder{in: b}, s}
	err = d.value(&v)
	return v, d.pos, err
}

// forms are those of numbers of 1, 2, 4 and 8 bytes, by the lowest bits of a format.
var forms = [4]uint8{value.U8, value.U16, value.U32, value.U64}

// signed are those of numbers with a sign.
var signed = [4]uint8{2, 4, value.I32, value.I64}

func (d *cellDecoder) value(to *value.Value) error {
	if d.pos == len(d.in) {
		return errShort
	}
	if d.depth > maxDepth {
		return errDepth
	}
	format := d.in[d.pos]
	d.pos++
	switch {
	case format < 0x80:
		*to = value.Value{U: uint64(format), Kind: value.Uint, Tag: tagUint}
		return nil
	case format < 0x90:
		return d.pairs(to, uint64(format-0x80), nil)
	case format < 0xa0:
		return d.array(to, uint64(format-0x90), nil)
	case format < 0xc0:
		return d.str(to, uint64(format-0xa0), nil)
	case format >= 0xe0:
		*to = value.Value{U: uint64(int8(format)), Kind: value.Int, Tag: tagInt}
		return nil
	}
	switch format {
	case 0xc0:
		*to = value.MakeUnit(tagNil)
	case 0xc2, 0xc3:
		*to = value.MakeBool(tagBool, format == 0xc3)
	case 0xc4, 0xc5, 0xc6:
		b, err := d.take(d.uint(1 << (format - 0xc4)))
		*to = value.BytesOf(tagBin, b)
		return err
	case 0xca:
		bits, err := d.uint(4)
		*to = value.Value{U: math.Float64bits(float64(math.Float32frombits(uint32(bits)))), Kind: value.Float, Tag: tagFloat, Form: value.F32}
		return err
	case 0xcb:
		bits, err := d.uint(8)
		*to = value.Value{U: bits, Kind: value.Float, Tag: tagFloat, Form: value.F64 | wide}
		return err
	case 0xcc, 0xcd, 0xce, 0xcf:
		n, err := d.uint(1 << (format - 0xcc))
		*to = value.Value{U: n, Kind: value.Uint, Tag: tagUint, Form: forms[format&3]}
		return err
	case 0xd0, 0xd1, 0xd2, 0xd3:
		size := 1 << (format - 0xd0)
		n, err := d.uint(size)
		shift := 64 - 8*size
		*to = value.Value{U: uint64(int64(n<<shift) >> shift), Kind: value.Int, Tag: tagInt, Form: signed[format&3]}
		return err
	case 0xd9, 0xda, 0xdb:
		n, err := d.uint(1 << (format - 0xd9))
		return d.str(to, n, err)
	case 0xdc, 0xdd:
		n, err := d.uint(2 << (format - 0xdc))
		return d.array(to, n, err)
	case 0xde, 0xdf:
		n, err := d.uint(2 << (format - 0xde))
		return d.pairs(to, n, err)
	case 0xc1:
		return errFormat
	default:
		return suite.ErrUnsupported // extensions
	}
	return nil
}

func (d *cellDecoder) str(to *value.Value, n uint64, err error) error {
	b, err := d.take(n, err)
	if err != nil {
		return err
	}
	if !utf8.Valid(b) {
		return errText
	}
	*to = value.TextOf(tagStr, b)
	return nil
}

func (d *cellDecoder) array(to *value.Value, n uint64, err error) error {
	if err != nil {
		return err
	}
	if n > uint64(len(d.in)-d.pos) {
		return errShort
	}
	d.depth++
	list := d.slab.Take(int(n))
	for i := range list {
		if err := d.value(&list[i]); err != nil {
			return err
		}
	}
	d.depth--
	*to = value.MakeCells(value.List, tagArray, list)
	return nil
}

func (d *cellDecoder) pairs(to *value.Value, n uint64, err error) error {
	if err != nil {
		return err
	}
	if n > uint64(len(d.in)-d.pos)/2 {
		return errShort
	}
	d.depth++
	list := d.slab.Take(2 * int(n))
	for i := range list {
		if err := d.value(&list[i]); err != nil {
			return err
		}
	}
	d.depth--
	*to = value.MakeCells(value.Map, tagMap, list)
	to.Form, err = keys(list)
	return err
}

// keys returns whether a map has a key twice, as a flag. Keys are texts.
func keys(list []value.Value) (uint8, error) {
	for i := 0; i < len(list); i += 2 {
		if list[i].Kind != value.Text {
			return 0, suite.ErrUnsupported
		}
		for j := 0; j < i; j += 2 {
			if list[i].N == list[j].N && list[i].Text() == list[j].Text() {
				return repeats, nil
			}
		}
	}
	return distinct, nil
}

func appendCells(out []byte, v *value.Value) ([]byte, error) { return appendCell(out, v, 0) }

func appendCell(out []byte, v *value.Value, depth int) ([]byte, error) {
	if depth > maxDepth {
		return out, errDepth
	}
	var err error
	switch {
	case v.Tag == tagUint && v.Kind == value.Uint:
		return appendUint(out, v.U), nil
	case v.Tag == tagInt && v.Kind == value.Int:
		return appendInt(out, int64(v.U)), nil
	case v.Tag == tagStr && v.Kind == value.Text:
		if !utf8.ValidString(v.Text()) {
			return out, errText
		}
		return append(head(out, int(v.N), 0xa0, 31, 0xd9, 0xda), v.Text()...), nil
	case v.Tag == tagMap && v.Kind == value.Map:
		if v.Form&distinct == 0 {
			return out, suite.ErrUnsupported
		}
		out = head(out, int(v.N), 0x80, 15, 0, 0xde)
	case v.Tag == tagArray && v.Kind == value.List:
		out = head(out, int(v.N), 0x90, 15, 0, 0xdc)
	case v.Tag == tagNil && v.Kind == value.Unit:
		return append(out, 0xc0), nil
	case v.Tag == tagBool && v.Kind == value.Bool && v.U <= 1:
		return append(out, 0xc2|byte(v.U)), nil
	case v.Tag == tagBin:
		b, err := value.Array(v, tagBin)
		return append(head(out, int(v.N), 0, -1, 0xc4, 0xc5), b...), err
	case v.Tag == tagFloat && v.Kind == value.Float:
		return appendFloat(out, math.Float64frombits(v.U)), nil
	default:
		return out, suite.ErrUnsupported
	}
	list := v.Cells()
	for i := range list {
		if out, err = appendCell(out, &list[i], depth+1); err != nil {
			return out, err
		}
	}
	return out, nil
}
