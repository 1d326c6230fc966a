package godot_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// TestDeadline reads frames whose bytes come slowly, with deadlines that pass between frames and inside of them.
func TestDeadline(t *testing.T) {
	want := []Player{{Name: "Ayla", Bag: []Item{{"rope", 2}}}, {Name: "Bo", Health: 3, Bag: []Item{}}, {Name: "Cy", Bag: []Item{}}}
	var sent bytes.Buffer
	e := godot.NewEncoder(codec.MustLoad("godot-4"), &sent)
	for i := range want {
		if err := e.Encode(&want[i]); err != nil {
			t.Fatal(err)
		}
	}
	ours, theirs := net.Pipe()
	defer func() { _ = ours.Close() }()
	go func() {
		defer func() { _ = theirs.Close() }()
		for i, b := range sent.Bytes() {
			if i%40 == 2 { // inside of lengths and of values
				time.Sleep(4 * time.Millisecond)
			}
			if _, err := theirs.Write([]byte{b}); err != nil {
				return
			}
		}
	}()
	d := godot.NewDecoder(codec.MustLoad("godot-4"), ours)
	var got []Player
	timeouts := 0
	for len(got) < len(want) {
		if err := ours.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		var p Player
		err := d.Decode(&p)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			timeouts++
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, p)
		}
	}
	if !reflect.DeepEqual(got, want) || timeouts == 0 {
		t.Errorf("%v after %d timeouts, want %v", got, timeouts, want)
	}
	// The other side closes before or after this: without a deadline the decoder waits for it.
	if err := ours.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		t.Fatal(err)
	}
	if err := d.Decode(new(Player)); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// growing has a part of a stream, and then more.
type growing struct{ bytes.Buffer }

// TestGrowing reads a file that another program is still writing.
func TestGrowing(t *testing.T) {
	packet := []byte{8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0}
	for cut := range packet {
		var r growing
		r.Write(packet[:cut])
		d := godot.NewDecoder(codec.MustLoad("godot-4"), &r)
		want := io.ErrUnexpectedEOF
		if cut == 0 {
			want = io.EOF
		}
		for range 2 {
			if _, err := d.DecodeValue(); err != want {
				t.Errorf("after %d bytes: %v, not %v", cut, err, want)
			}
		}
		r.Write(packet[cut:])
		if v, err := d.DecodeValue(); err != nil || v.String() != "7" {
			t.Errorf("after %d bytes and the rest: %v, %v", cut, v, err)
		}
	}
}

// TestMalformedFrame asks that a length beyond the limit ends a stream until Reset, and that other errors do not.
func TestMalformedFrame(t *testing.T) {
	c, err := codec.MustLoad("godot-4").With(codec.Options{MaxFrame: 100})
	if err != nil {
		t.Fatal(err)
	}
	good := []byte{8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0}
	d := godot.NewDecoder(c, bytes.NewReader(append([]byte{101, 0, 0, 0}, good...)))
	for range 2 {
		if _, err := d.DecodeValue(); !errors.Is(err, godot.ErrFrame) {
			t.Error(err)
		}
	}
	d.Reset(bytes.NewReader(good))
	if v, err := d.DecodeValue(); err != nil || v.String() != "7" || d.Offset() != 12 {
		t.Error(v, err, d.Offset())
	}
	d.Reset(bytes.NewReader(append(append(append([]byte{8, 0, 0, 0}, 2, 0, 0, 0, 7, 0, 0, 0), 12, 0, 0, 0, 2, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0), good...)))
	var n int
	for i, want := range []error{nil, godot.ErrFrame, nil, io.EOF} {
		if err := d.Decode(&n); !errors.Is(err, want) {
			t.Errorf("frame %d: %v, not %v", i, err, want)
		}
	}
}

// slow takes some bytes of every write.
type slow struct {
	bytes.Buffer
	takes int
}

func (s *slow) Write(b []byte) (int, error) {
	n := min(s.takes, len(b))
	s.Buffer.Write(b[:n])
	if n < len(b) {
		return n, os.ErrDeadlineExceeded
	}
	return n, nil
}

// TestFlush sends the rest of a frame after timeouts.
func TestFlush(t *testing.T) {
	w := &slow{takes: 5}
	e := godot.NewEncoder(codec.MustLoad("godot-4"), w)
	if err := e.Encode(7); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	if err := e.Encode(8); !errors.Is(err, os.ErrDeadlineExceeded) || w.Len() != 5 {
		t.Errorf("an Encoder with half of a frame encodes another: %v", err)
	}
	for e.Flush() != nil {
		if w.Len() > 100 {
			t.Fatal("Flush never ends")
		}
	}
	w.takes = 100
	if err := e.Encode(8); err != nil {
		t.Fatal(err)
	}
	d := godot.NewDecoder(codec.MustLoad("godot-4"), w)
	for _, want := range []int{7, 8} {
		var n int
		if err := d.Decode(&n); err != nil || n != want {
			t.Errorf("%d, %v, not %d", n, err, want)
		}
	}
}

// endless is a stream of the same frame.
type endless struct {
	b   []byte
	pos int
}

func (r *endless) Read(b []byte) (int, error) {
	n := copy(b, r.b[r.pos:])
	r.pos = (r.pos + n) % len(r.b)
	return n, nil
}

// TestStreamAllocations asks that streams allocate no more than a Mapper.
func TestStreamAllocations(t *testing.T) {
	c := codec.MustLoad("godot-4")
	alias, err := c.With(codec.Options{Alias: true})
	if err != nil {
		t.Fatal(err)
	}
	p := &Player{Name: "Ayla", Health: 1.5, Bag: []Item{{"a long rope", 1}, {"key", 2}}}
	var file bytes.Buffer
	if err := godot.NewEncoder(c, &file).Encode(p); err != nil {
		t.Fatal(err)
	}
	type state struct {
		Name   string  `octable:"name"`
		Health float64 `octable:"health"`
		Bag    []Item  `octable:"bag"`
	}
	var s state
	lenient := func(c *codec.Codec) *codec.Codec {
		o := c.Options()
		o.IgnoreUnknown = true
		c, err := c.With(o)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	mapper := lenient(c).NewMapper()
	most := testing.AllocsPerRun(100, func() {
		if err := mapper.Unmarshal(file.Bytes()[4:], &s); err != nil {
			t.Fatal(err)
		}
	})
	stream := &endless{b: file.Bytes()}
	own, shared, values := godot.NewDecoder(lenient(c), stream), godot.NewDecoder(lenient(alias), &endless{b: file.Bytes()}), godot.NewDecoder(alias, &endless{b: file.Bytes()})
	e := godot.NewEncoder(c, io.Discard)
	for _, test := range []struct {
		name string
		most float64
		run  func() error
	}{
		{"Decode", most, func() error { return own.Decode(&s) }},
		{"Decode with Alias", 0, func() error { return shared.Decode(&s) }},
		{"DecodeValue with Alias", 0, func() error { _, err := values.DecodeValue(); return err }},
		{"Encode", 0, func() error { return e.Encode(&s) }},
	} {
		n := testing.AllocsPerRun(100, func() {
			if err := test.run(); err != nil {
				t.Fatal(err)
			}
		})
		if n > test.most {
			t.Errorf("%s allocates %v times, want at most %v", test.name, n, test.most)
		}
	}
}
