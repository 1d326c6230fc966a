package codec_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// TestDigits: the option string writes numbers and truths of each Go type as text, and reads them back.
func TestDigits(t *testing.T) {
	type digits struct {
		A int8    `octable:"a,string"`
		B int64   `octable:"b,string"`
		C uint16  `octable:"c,string"`
		D uint64  `octable:"d,string"`
		E float32 `octable:"e,string"`
		F float64 `octable:"f,string"`
		G bool    `octable:"g,string"`
	}
	x := digits{-128, math.MinInt64, 65535, math.MaxUint64, 0.1, -1e300, true}
	c := codec.MustLoad("godot-4.4")
	b, err := c.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := c.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "-128", "b": "-9223372036854775808", "c": "65535", "d": "18446744073709551615", "e": "0.1", "f": "-1e+300", "g": "true"}
	for name, text := range want {
		if got, ok := v.At(name).AsString(); !ok || got != text {
			t.Errorf("%s is %v, want %s", name, v.At(name), text)
		}
	}
	var y digits
	if err := c.Unmarshal(b, &y); err != nil || !reflect.DeepEqual(x, y) {
		t.Errorf("%+v, %v, want %+v", y, err, x)
	}
	for name, text := range map[string]string{"a": "128", "b": "9223372036854775808", "c": "-1", "d": "1.5", "e": "x", "f": "", "g": "yes"} {
		b, err := c.Encode(godot.NewDictionary(codec.Pair{Key: godot.NewString(name), Value: godot.NewString(text)}))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Unmarshal(b, &y); err == nil {
			t.Errorf("%s takes the text %q", name, text)
		}
	}
}
