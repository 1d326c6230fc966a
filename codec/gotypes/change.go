// Go values with one part changed.

package gotypes

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
)

// Change changes one part of a value, which may be set. A part is a number, a truth or a text, the length of a list, a
// pointer or an arm. It changes no memory that other values may share. The types say which arms there are; they may be
// nil.
func (t *Types) Change(r *rand.Rand, v reflect.Value) {
	c := changer{r: r}
	if t != nil {
		c.arms = t.arms
	}
	c.change(v)
}

// changer changes Go values.
type changer struct {
	r    *rand.Rand
	arms map[reflect.Type][]reflect.Type
}

// change changes one part of a value.
func (c *changer) change(v reflect.Value) {
	if v.Type() == valueType || !v.CanSet() { // of a field that is not exported
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if n := v.NumField(); n > 0 {
			c.change(v.Field(c.r.IntN(n)))
		}
	case reflect.Pointer:
		switch {
		case v.IsNil():
			v.Set(reflect.New(v.Type().Elem()))
		case c.r.IntN(4) == 0:
			v.SetZero()
		default:
			v.Set(c.changed(v.Elem()).Addr())
		}
	case reflect.Interface:
		if arms := c.arms[v.Type()]; v.IsNil() || c.r.IntN(4) == 0 {
			v.SetZero()
			if k := c.r.IntN(len(arms) + 1); k < len(arms) {
				v.Set(reflect.Zero(arms[k]))
			}
			return
		}
		v.Set(c.changed(v.Elem()))
	case reflect.Slice:
		c.slice(v)
	case reflect.Array:
		if v.Len() > 0 {
			c.change(v.Index(c.r.IntN(v.Len())))
		}
	case reflect.Map:
		m := reflect.MakeMap(v.Type())
		for _, k := range v.MapKeys() {
			if c.r.IntN(3) > 0 {
				m.SetMapIndex(k, v.MapIndex(k))
			}
		}
		m.SetMapIndex(c.changed(reflect.Zero(v.Type().Key())), reflect.Zero(v.Type().Elem()))
		v.Set(m)
	default:
		c.leaf(v)
	}
}

// changed returns a copy of a value that is changed.
func (c *changer) changed(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	c.change(out)
	return out
}

// slice changes the length of a slice, or one of its elements.
func (c *changer) slice(v reflect.Value) {
	n := v.Len()
	copied := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, n+1), v)
	switch k := c.r.IntN(6); {
	case k == 0:
		copied = reflect.Append(copied, reflect.Zero(v.Type().Elem()))
	case k == 1 && n > 0:
		copied = copied.Slice(0, n-1)
	case k == 2 && n > 0 && n < 100:
		copied = reflect.AppendSlice(copied, v)
	case k == 3 && c.r.IntN(8) == 0: // the edges of words that hold counts
		n := []int{200, 255, 256}[c.r.IntN(3)]
		if v.Type().Elem().Size() == 1 && c.r.IntN(4) == 0 {
			n = 1 << 16
		}
		copied = reflect.MakeSlice(v.Type(), n, n)
	case n > 0:
		c.change(copied.Index(c.r.IntN(n)))
	}
	v.Set(copied)
}

// leaf changes a number, a truth or a text.
func (c *changer) leaf(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt(int64(c.whole()))
	case v.CanUint():
		v.SetUint(c.whole())
	case v.CanFloat():
		reals := []float64{math.Float64frombits(c.r.Uint64()), 0, math.Copysign(0, -1), 0.1, 1 << 24, 1<<24 + 1, math.MaxFloat32, math.MaxFloat64, math.Inf(1), math.NaN(), 65504, 1e-45}
		v.SetFloat(reals[c.r.IntN(len(reals))])
	case v.Kind() == reflect.String:
		text := v.String()
		texts := []string{"", "a", "ABCD", "\x80", "é", "€", "\x00", text + "a", text + "\x00", text + "é", strings.Repeat("a", 9), strings.Repeat("b", 600), "\ufeffabc", "12345678", strings.Repeat("long", []int{64, 64, 1 << 14}[c.r.IntN(3)])}
		if text = c.short(); c.r.IntN(2) == 0 {
			text = texts[c.r.IntN(len(texts))]
		}
		v.SetString(text)
	}
}

// short returns a text of up to 20 bytes, of which one may be unusual. Plans look at short texts eight bytes
// at a time.
func (c *changer) short() string {
	text := []byte("abcdefghijklmnopqrst")[:c.r.IntN(21)]
	if len(text) > 0 && c.r.IntN(3) > 0 {
		text[c.r.IntN(len(text))] = "\x00\x01\x7f\x80\xc3\xff"[c.r.IntN(6)]
	}
	return string(text)
}

// whole returns an integer: a power of 2, or one near it, or any other.
func (c *changer) whole() uint64 {
	switch c.r.IntN(4) {
	case 0: // the words of arms depend on small numbers
		return uint64(c.r.IntN(512)) - 256
	case 1:
		return c.r.Uint64() >> c.r.IntN(64)
	}
	return 1<<c.r.IntN(64) + uint64(c.r.IntN(3)) - 1
}
