package codec_test

import (
	"bytes"
	"io"
	"iter"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// TestZero calls all methods of types that have no schema: they return an error, and none panics.
func TestZero(t *testing.T) {
	withoutError := map[string]bool{"Schema": true, "Options": true, "TypeName": true, "NewMapper": true, "Offset": true, "SetBigEndian": true, "Reset": true, "Flush": true}
	for _, x := range []any{
		&codec.Codec{}, (*codec.Codec)(nil), &codec.Mapper{}, (&codec.Codec{}).NewMapper(), &godot.Encoder{}, &godot.Decoder{},
		godot.NewEncoder(&codec.Codec{}, io.Discard), godot.NewDecoder(&codec.Codec{}, &bytes.Buffer{}),
	} {
		v := reflect.ValueOf(x)
		for i := range v.NumMethod() {
			name, m := v.Type().Method(i).Name, v.Method(i)
			var args []reflect.Value
			for j := range m.Type().NumIn() {
				in := m.Type().In(j)
				switch {
				case m.Type().IsVariadic() && j == m.Type().NumIn()-1:
					continue
				case in.Kind() == reflect.Interface && in.NumMethod() == 0:
					args = append(args, reflect.ValueOf(new(int)))
				default:
					args = append(args, reflect.Zero(in))
				}
			}
			out := m.Call(args)
			if withoutError[name] {
				continue
			}
			last := out[len(out)-1].Interface()
			if seq, ok := last.(iter.Seq2[codec.Value, error]); ok {
				for _, err := range seq {
					last = err
				}
			}
			if err, ok := last.(error); !ok || err == nil {
				t.Errorf("%T.%s returns %v instead of an error", x, name, last)
			}
		}
	}
}
