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
