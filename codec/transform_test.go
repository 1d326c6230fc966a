package codec_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

// inflate decompresses at most 64 MiB.
func inflate(b []byte) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	const most = 64 << 20
	out, err := io.ReadAll(io.LimitReader(r, most+1))
	if len(out) > most {
		return nil, errors.New("more than 64 MiB")
	}
	return out, err
}

func deflate(b []byte) ([]byte, error) {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

// pngFile is an image without chunks that may be left out.
type pngFile struct {
	Width      uint32     `octable:"width"`
	Height     uint32     `octable:"height"`
	BitDepth   uint8      `octable:"bit_depth"`
	ColourType uint8      `octable:"colour_type"`
	Interlace  uint8      `octable:"interlace"`
	Chunks     []pngChunk `octable:"chunks"`
}

type pngChunk struct {
	Type string `octable:"type"`
	Data struct {
		IDAT []byte
		IEND bool
	} `octable:"data"`
}

// pngCodec returns a codec of PNG files whose image data is decompressed.
func pngCodec() (*codec.Codec, error) {
	source, err := os.ReadFile("../spec/formats/png.oct")
	if err != nil {
		return nil, err
	}
	c, err := compiler.New(string(source))
	if err != nil {
		return nil, err
	}
	return c.With(codec.Options{Transform: map[string]codec.Transform{
		"IDAT.data": {Decode: inflate, Encode: deflate, Joined: true},
	}})
}

// pngOf returns a PNG file of two grey pixels.
func pngOf(first, second uint8) []byte {
	img := image.NewGray(image.Rect(0, 0, 2, 1))
	img.SetGray(0, 0, color.Gray{Y: first})
	img.SetGray(1, 0, color.Gray{Y: second})
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		panic(err)
	}
	return file.Bytes()
}

func ExampleOptions_transform() {
	c, err := pngCodec() // Transform: "IDAT.data": {Decode: inflate, Encode: deflate, Joined: true}
	if err != nil {
		fmt.Println(err)
		return
	}
	var file pngFile
	if err := c.Unmarshal(pngOf(10, 200), &file); err != nil {
		fmt.Println(err)
		return
	}
	pixels := file.Chunks[0].Data.IDAT // a filter, and the pixels of the row
	fmt.Println(file.Chunks[0].Type, pixels[0] <= 4, len(pixels))

	copy(pixels, []byte{0, 255, 128}) // no filter, white, grey
	b, err := c.Marshal(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(img.At(0, 0), img.At(1, 0))
	// Output:
	// IDAT true 3
	// {255} {128}
}

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
