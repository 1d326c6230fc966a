package codec_test

import (
	"bytes"
	"errors"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

// TestTransformJoined: the parts of a stream are one.
func TestTransformJoined(t *testing.T) {
	c, err := pngCodec()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := c.With(codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var file pngFile
	if err := plain.Unmarshal(pngOf(1, 2), &file); err != nil {
		t.Fatal(err)
	}
	whole := file.Chunks[0].Data.IDAT
	var parts []pngChunk
	for i := range whole {
		part := pngChunk{Type: "IDAT"}
		part.Data.IDAT = whole[i : i+1]
		parts = append(parts, part)
	}
	file.Chunks = append(parts, file.Chunks[1:]...)
	b, err := plain.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	m := c.NewMapper()
	for range 2 {
		var got pngFile
		if err := m.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		for i, chunk := range got.Chunks[:len(whole)] {
			if want := map[bool]int{true: 3}[i == 0]; len(chunk.Data.IDAT) != want {
				t.Errorf("part %d has %d bytes, want %d", i, len(chunk.Data.IDAT), want)
			}
		}
		out, err := m.AppendMarshal(nil, &got)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(out))
		if err != nil || img.At(1, 0) != (color.Gray{Y: 2}) {
			t.Errorf("%v, %v", img, err)
		}
	}
	v, _, err := c.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	before := v.String()
	if _, err := c.Encode(v); err != nil || v.String() != before {
		t.Errorf("encoding changed the value: %v, %v", v, err)
	}
}

// TestTransformLast: a row of bytes may have rows before it that are no bytes.
func TestTransformLast(t *testing.T) {
	c, err := compiler.New(`schema "last" {
	root File
}
type File {
	| 0 | 1 | u8            | kind |
	| 1 | N | u8[until end] | data |
}
`)
	if err != nil {
		t.Fatal(err)
	}
	turn := func(b []byte) ([]byte, error) { return []byte{b[1], b[0]}, nil }
	if c, err = c.With(codec.Options{Transform: map[string]codec.Transform{"File.data": {Decode: turn, Encode: turn}}}); err != nil {
		t.Fatal(err)
	}
	if v, _, err := c.Decode([]byte{3, 1, 2}); err != nil || v.String() != "{kind: 3, data: [2, 1]}" {
		t.Errorf("%v, %v", v, err)
	}
}

// TestTransformArms: the arms of one name in two unions have one stream.
func TestTransformArms(t *testing.T) {
	c, err := compiler.New(`schema "arms" {
	root File
}
type File {
	| 0 | A | U | first  |
	| A | B | V | second |
}
union U by kind { | 0 | 1 | u8 | kind | }
arm U 0 raw { | 1 | 1 | u8 | n = count(data) | | 2 | n | u8[n] | data | }
union V by kind { | 0 | 1 | u8 | kind | }
arm V 0 raw { | 1 | 1 | u8 | n = count(data) | | 2 | n | u8[n] | data | }
`)
	if err != nil {
		t.Fatal(err)
	}
	var streams [][]byte
	keep := func(b []byte) ([]byte, error) {
		streams = append(streams, bytes.Clone(b))
		return b, nil
	}
	if c, err = c.With(codec.Options{Transform: map[string]codec.Transform{"raw.data": {Decode: keep, Encode: keep, Joined: true}}}); err != nil {
		t.Fatal(err)
	}
	if v, _, err := c.Decode([]byte{0, 2, 1, 2, 0, 2, 3, 4}); err != nil || len(streams) != 1 || !bytes.Equal(streams[0], []byte{1, 2, 3, 4}) {
		t.Errorf("%v, %v, streams %v", v, err, streams)
	}
}

// TestTransform: every row has its own bytes, also of records that are read one by one.
func TestTransform(t *testing.T) {
	c, err := compiler.New(`schema "parts" {
	order big
	root  File
}

type File {
	| 0 | N | Part[until end] | parts | "parts"
}

type Part {
	| 0   | 1 | u8    | n = count(data) | "bytes"
	| 1   | n | u8[n] | data            | "bytes"
	| 1+n | 1 | u8    | m = count(rest) | "bytes"
	| 2+n | m | u8[m] | rest            | "bytes"
}`)
	if err != nil {
		t.Fatal(err)
	}
	grow := codec.Transform{
		Decode: func(b []byte) ([]byte, error) { return append([]byte{byte(len(b))}, b...), nil },
		Encode: func(b []byte) ([]byte, error) {
			if len(b) == 0 {
				return nil, errors.New("no length")
			}
			return b[1:], nil
		},
	}
	c, err = c.With(codec.Options{Transform: map[string]codec.Transform{"Part.data": grow}})
	if err != nil {
		t.Fatal(err)
	}
	b := []byte{1, 7, 1, 8, 0, 0, 2, 9, 9, 0}
	const want = "[{data: [1, 7], rest: [8]}, {data: [0], rest: []}, {data: [2, 9, 9], rest: []}]"
	v, _, err := c.Decode(b)
	if err != nil || v.String() != want {
		t.Errorf("%v, %v, want %s", v, err, want)
	}
	if out, err := c.Append([]byte{5}, v); err != nil || !bytes.Equal(out[1:], b) {
		t.Errorf("% x, %v", out, err)
	}
	var records []string
	for v, err := range c.Records(bytes.NewReader(b)) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, v.String())
	}
	if got := "[" + strings.Join(records, ", ") + "]"; got != want {
		t.Errorf("records %s, want %s", got, want)
	}
	type part struct {
		Data []byte `octable:"data"`
		Rest []byte `octable:"rest"`
	}
	if b, err := c.Marshal([]part{{Data: []byte{3, 4}}, {}}); err == nil || !strings.Contains(err.Error(), "the Transform of Part.data cannot encode: number 1 of 2: no length") {
		t.Errorf("% x, %v", b, err)
	}
	dst := []byte{5}
	if b, err := c.Append(dst, parse(t, c, "[{data: [], rest: []}]")); err == nil || !bytes.Equal(b, dst) {
		t.Errorf("% x, %v", b, err)
	}
	broken, err := c.With(codec.Options{Transform: map[string]codec.Transform{"Part.data": grow, "Part.rest": {
		Decode: func([]byte) ([]byte, error) { return nil, errors.New("not read") }, Encode: grow.Encode}}})
	if err != nil {
		t.Fatal(err)
	}
	if v, _, err := broken.Decode(b); err == nil || !strings.Contains(err.Error(), "the Transform of Part.rest cannot decode: number 0 of 3: not read") {
		t.Errorf("%v, %v", v, err)
	}
	for _, test := range []struct {
		name string
		own  codec.Transform
		want string
	}{
		{"Part.data", codec.Transform{Decode: inflate}, "option Transform of Part.data needs both Decode and Encode"},
		{"Part.n", grow, `option Transform names "Part.n", which is no row of bytes in schema parts; it has Part.data, Part.rest`},
	} {
		if _, err := c.With(codec.Options{Transform: map[string]codec.Transform{test.name: test.own}}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}
