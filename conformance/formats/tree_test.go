package formats

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// arm is a value of a union.
type arm struct {
	name    string
	content any
}

// record is a record by the names of its fields. only is the value of a record that one of its fields represents.
type record struct {
	fields map[string]any
	only   any
}

// tree returns a value with names: an arm, a record, []any, []byte, string, json.Number,
// float64, bool or nil. A map is a list of pairs.
func tree(p *notation.Notation, v interp.Value) any {
	t := p.Type(v)
	if t == nil {
		return content(p, nil, v)
	}
	c := content(p, t, v)
	if t.Union != "" {
		return arm{t.Name, c}
	}
	return c
}

func content(p *notation.Notation, t *bytecode.Type, v interp.Value) any {
	switch v.Kind() {
	case interp.Record:
		r := record{fields: map[string]any{}}
		for i, cell := range v.Cells() {
			if letters, ok := p.Letters(v, i); ok {
				r.fields[t.Fields[i].Name] = letters
			} else if !cell.IsNone() {
				r.fields[t.Fields[i].Name] = tree(p, cell)
			}
		}
		return r
	case interp.Lanes:
		r := record{fields: map[string]any{}, only: numbers(v, 0, v.Len())}
		for i := range v.Len() {
			if t != nil && i < len(t.Lanes) {
				r.fields[t.Lanes[i]] = r.only.([]any)[i]
			}
		}
		return r
	case interp.Packed:
		return packed(v)
	case interp.List:
		return list(p, v.Cells())
	case interp.Map:
		var pairs []any
		for i, cells := 0, v.Cells(); i+1 < len(cells); i += 2 {
			pairs = append(pairs, list(p, cells[i:i+2]))
		}
		return pairs
	}
	return plain(v)
}

func list(p *notation.Notation, cells []interp.Value) []any {
	out := make([]any, 0, len(cells))
	for _, c := range cells {
		out = append(out, tree(p, c))
	}
	return out
}

// packed returns bytes, numbers, or tuples of numbers.
func packed(v interp.Value) any {
	if v.Scalar() == bytecode.U8 && v.Width() == 1 {
		return v.Bytes()
	}
	if v.Width() == 1 {
		return numbers(v, 0, v.Len())
	}
	var out []any
	for i := range v.Len() {
		out = append(out, numbers(v, i*v.Width(), (i+1)*v.Width()))
	}
	return out
}

func numbers(v interp.Value, from, to int) []any {
	out := []any{}
	for i := from; i < to; i++ {
		out = append(out, json.Number(notation.LaneText(v, i)))
	}
	return out
}

// plain returns a value without parts.
func plain(v interp.Value) any {
	switch v.Kind() {
	case interp.Bool:
		return v.Bool()
	case interp.Int:
		return json.Number(strconv.FormatInt(v.Int(), 10))
	case interp.Uint:
		if v.Scalar() == bytecode.Code4 {
			return notation.Code(v.Uint())
		}
		return json.Number(strconv.FormatUint(v.Uint(), 10))
	case interp.Float:
		if f := v.Float(); math.IsNaN(f) {
			return nil
		}
		return v.Float()
	case interp.Text:
		return v.Text()
	}
	return nil
}
