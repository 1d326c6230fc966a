package codec_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// TestConcurrent uses one codec from many goroutines, for values and for structs.
func TestConcurrent(t *testing.T) {
	c := codec.MustLoad("godot-4")
	want, err := c.Marshal(Hero{"Ada", godot.Vector3{X: 1}, 0.1})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 200 {
				v, _, err := c.Decode(want)
				if err != nil {
					t.Error(err)
					return
				}
				b, err := c.Encode(v)
				if err != nil || !bytes.Equal(b, want) {
					t.Errorf("%x, %v", b, err)
					return
				}
				p := Hero{Name: fmt.Sprint(g), HP: float64(i)}
				b, err = c.Marshal(p)
				var q Hero
				if err != nil || c.Unmarshal(b, &q) != nil || q != p {
					t.Errorf("%+v came back as %+v, %v", p, q, err)
					return
				}
			}
		}()
	}
	wg.Wait()
}

// TestDecodeCopies changes the bytes after decoding: a value has its own copy
// unless it was asked to alias.
func TestDecodeCopies(t *testing.T) {
	c := codec.MustLoad("godot-4")
	packet, err := c.Encode(godot.NewString("abcd"))
	if err != nil {
		t.Fatal(err)
	}
	alias, err := c.With(codec.Options{Alias: true})
	if err != nil {
		t.Fatal(err)
	}
	v, _, _ := c.Decode(packet)
	w, _, _ := alias.Decode(packet)
	packet[8] = 'x'
	if s, _ := v.AsString(); s != "abcd" {
		t.Errorf("the value changed with the packet: %q", s)
	}
	if s, _ := w.AsString(); s != "xbcd" {
		t.Errorf("the aliasing value does not point into the packet: %q", s)
	}
}

func TestOptions(t *testing.T) {
	c := codec.MustLoad("godot-4")
	for _, o := range []codec.Options{{MaxDepth: -1}, {MaxMemory: -1}, {MaxFrame: -1}, {MaxDepth: 1 << 30}} {
		if _, err := c.With(o); err == nil || !strings.Contains(err.Error(), "codec: option Max") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	object := mustHex(t, "180000000a000000526566436f756e74656400000100000006000000736372697074000000000000")
	if _, _, err := c.Decode(object); !errors.Is(err, codec.ErrClosed) {
		t.Errorf("an object in full: %v", err)
	}
	open, _ := c.With(codec.Options{Objects: true})
	v, _, err := open.Decode(object)
	if o, ok := godot.AsObject(v); err != nil || !ok || o.Class != "RefCounted" || len(o.Properties) != 1 {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := c.Encode(v); !errors.Is(err, codec.ErrClosed) {
		t.Errorf("writing an object in full: %v", err)
	}
	deep, _ := c.With(codec.Options{MaxDepth: 3})
	nest := mustHex(t, strings.Repeat("1c00000001000000", 4)+"00000000")
	if _, _, err := deep.Decode(nest); !errors.Is(err, codec.ErrDepth) {
		t.Errorf("four levels where three are allowed: %v", err)
	}
	small, _ := c.With(codec.Options{MaxMemory: 100})
	if _, _, err := small.Decode(mustHex(t, "1c00000008000000"+strings.Repeat("00000000", 8))); !errors.Is(err, codec.ErrLimit) {
		t.Errorf("eight values in 100 bytes: %v", err)
	}
	keep, _ := c.With(codec.Options{KeepWidths: true})
	for packet, other := range map[string]string{
		"020001000500000000000000": "0200000005000000",
		"030000000100c0ff":         "03000100000000200000f8ff",
		"03000100000000200000f8ff": "03000100000000200000f8ff",
	} {
		v, _, err := keep.Decode(mustHex(t, packet))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := keep.Encode(v); err != nil || hex.EncodeToString(b) != packet {
			t.Errorf("%s: %x, %v", packet, b, err)
		}
		if b, err := c.Encode(v); err != nil || hex.EncodeToString(b) != other {
			t.Errorf("%s: %x, %v", packet, b, err)
		}
	}
}

func mustHex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestUnmarshalTrailing: bytes after the value are an error, with the value read.
func TestUnmarshalTrailing(t *testing.T) {
	c := codec.MustLoad("godot-4")
	packet := append(mustHex(t, "0200000005000000"), 1, 2)
	var n int
	err := c.Unmarshal(packet, &n)
	var e *codec.Error
	if !errors.As(err, &e) || e.Kind != codec.ErrTrailing || e.Offset != 8 || n != 5 {
		t.Errorf("%d, %v", n, err)
	}
	loose, _ := c.With(codec.Options{AllowTrailing: true})
	if err := loose.Unmarshal(packet, &n); err != nil {
		t.Error(err)
	}
}

// TestStream reads what was written, however the bytes come in.
func TestStream(t *testing.T) {
	for _, big := range []bool{false, true} {
		c := codec.MustLoad("godot-4")
		var file bytes.Buffer
		e := godot.NewEncoder(c, &file)
		e.SetBigEndian(big)
		values := []codec.Value{godot.NewNil(), godot.NewInt(42), godot.NewString(strings.Repeat("ß", 40000)), godot.NewArray()}
		for _, v := range values {
			if err := e.EncodeValue(v); err != nil {
				t.Fatal(err)
			}
		}
		for name, r := range map[string]io.Reader{
			"whole":     bytes.NewReader(file.Bytes()),
			"by a byte": iotest.OneByteReader(bytes.NewReader(file.Bytes())),
			"halves":    iotest.HalfReader(bytes.NewReader(file.Bytes())),
			"with EOF":  iotest.DataErrReader(bytes.NewReader(file.Bytes())),
		} {
			d := godot.NewDecoder(c, r)
			d.SetBigEndian(big)
			for i, want := range values {
				v, err := d.DecodeValue()
				if err != nil || !codec.Equal(v, want) {
					t.Fatalf("%s: value %d: %v", name, i, err)
				}
			}
			if _, err := d.DecodeValue(); err != io.EOF {
				t.Errorf("%s: at the end: %v", name, err)
			}
			if d.Offset() != int64(file.Len()) {
				t.Errorf("%s: offset %d of %d", name, d.Offset(), file.Len())
			}
		}
	}
}

func TestStreamErrors(t *testing.T) {
	c := codec.MustLoad("godot-4")
	for _, test := range []struct {
		name, in string
		want     error
	}{
		{"nothing", "", io.EOF},
		{"half a length", "0400", io.ErrUnexpectedEOF},
		{"half a value", "0800000002000000", io.ErrUnexpectedEOF},
		{"a length beyond the limit", "ffffff7f00000000", godot.ErrFrame},
		{"a length in the other order", "0000000402000000", godot.ErrFrame},
		{"a value shorter than its frame", "080000000000000000000000", godot.ErrFrame},
		{"a value longer than its frame", "0400000002000000", codec.ErrTruncated},
		{"an empty frame", "00000000", codec.ErrTruncated},
	} {
		d := godot.NewDecoder(c, bytes.NewReader(mustHex(t, test.in)))
		if _, err := d.DecodeValue(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, not %v", test.name, err, test.want)
		}
	}
	// After a frame with a wrong value the next one is read.
	d := godot.NewDecoder(c, bytes.NewReader(mustHex(t, "04000000ff000000"+"0400000000000000")))
	if _, err := d.DecodeValue(); !errors.Is(err, codec.ErrType) {
		t.Error(err)
	}
	if v, err := d.DecodeValue(); err != nil || !v.IsNil() {
		t.Error(v, err)
	}
	small, _ := c.With(codec.Options{MaxFrame: 8})
	if err := godot.NewEncoder(small, io.Discard).EncodeValue(godot.NewString("abcd")); !errors.Is(err, godot.ErrFrame) {
		t.Error(err)
	}
	failing := errors.New("disk full")
	if err := godot.NewEncoder(c, writerFunc(func([]byte) (int, error) { return 0, failing })).Encode(1); !errors.Is(err, failing) {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// TestOtherVersions writes what was read under one version under another one.
func TestOtherVersions(t *testing.T) {
	three, four := codec.MustLoad("godot-3"), codec.MustLoad("godot-4")
	old := mustHex(t, "1200000001000000"+"040000000100000061000000"+"1400000003000000010203ff")
	v, _, err := three.Decode(old)
	if err != nil {
		t.Fatal(err)
	}
	b, err := four.Encode(v)
	if want := "1b00000001000000" + "040000000100000061000000" + "1d0000000300000001020300"; err != nil || hex.EncodeToString(b) != want {
		t.Errorf("%x, %v", b, err)
	}
	back, _, err := four.Decode(b)
	if err != nil || !codec.Equal(back, v) {
		t.Errorf("%v, %v", back, err)
	}
	if _, err := three.Encode(godot.NewStringName("a")); !errors.Is(err, codec.ErrTypeMismatch) {
		t.Errorf("Godot 3 has no StringName: %v", err)
	}
}
