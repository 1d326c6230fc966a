package hand

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/bench/work"
)

var decoders = map[string]func([]byte) (value.Value, int, error){
	"iterative": func(b []byte) (value.Value, int, error) { return new(Decoder).Iterative(b) },
	"recursive": func(b []byte) (value.Value, int, error) { return new(Decoder).Recursive(b) },
	"idiomatic": Idiomatic,
}

var encoders = map[string]func(*value.Value) ([]byte, error){
	"single pass": func(v *value.Value) ([]byte, error) { return new(Encoder).Append(nil, v) },
	"append":      func(v *value.Value) ([]byte, error) { return AppendIdiomatic(nil, v) },
}

func workloads(t *testing.T) map[string][]byte {
	all := map[string][]byte{}
	for _, w := range []string{"rpc", "game", "game-permuted", "nest", "ints", "vec3-64K"} {
		all[w] = work.Wire(w)
	}
	all["two entities"] = work.Append(nil, work.Game(2).Tree(work.Declared))
	for name, text := range samples {
		all[name] = unhex(t, text)
	}
	return all
}

// Packets of the types that no workload has.
var samples = map[string]string{
	"typed array":       "1c000100 02000000 01000000 02000000 01000000",
	"typed dictionary":  "1b000500 04000000 02000000 01000000 04000000 01000000 61000000 02000000 01000000",
	"class dictionary":  "1b000900 15000000 11000000 456e636f6465644f626a656374417349 44000000 00000000",
	"node path":         "16000000 02000080 01000000 01000000 04000000 726f6f74 05000000 4c6576656c000000 01000000 78000000",
	"signal":            "1a000000 03000000 68697400 0100000000000000",
	"rid":               "17000000 0d00000000000000",
	"object id":         "18000100 0d00000000000000",
	"callable":          "19000000",
	"texts":             "22000000 02000000 05000000 7465737400000000 01000000 00000000",
	"bytes":             "1d000000 03000000 01020300",
	"ints":              "1f000000 01000000 0100000000000000",
	"wide vector":       "05000100 000000000000f03f 0000000000000040",
	"wide vectors":      "23000100 01000000 000000000000f03f 0000000000000040",
	"color":             "14000000 0000803f 00000000 00000000 0000803f",
	"basis":             "11000000 " + strings.Repeat("0000803f ", 9),
	"vector2i":          "06000000 01000000 ffffffff",
	"nan":               "03000100 000000000000f87f",
	"string name key":   "1b000000 01000000 15000000 01000000 61000000 00000000",
	"odd keys":          "1b000000 03000000 00000000 00000000 02000000 01000000 00000000 03000000 0000803f 00000000",
	"long text":         "04000000 13000000 30313233343536373839616263646566676869 00",
	"text of sixteen":   "04000000 10000000 30313233343536373839616263646566",
	"text of seven":     "04000000 07000000 30313233343536 00",
	"text of one":       "04000000 01000000 30000000",
	"empty text":        "04000000 00000000",
	"empty containers":  "1c000000 02000000 1b000000 00000000 1c000000 00000000",
	"text beyond ASCII": "04000000 06000000 d0b6e697a5 21 0000",
}

func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRoundTrip(t *testing.T) {
	for w, b := range workloads(t) {
		var first *value.Value
		for dn, decode := range decoders {
			v, n, err := decode(b)
			if err != nil || n != len(b) {
				t.Errorf("%s: %s: took %d of %d bytes: %v", w, dn, n, len(b), err)
				continue
			}
			if first == nil {
				first = &v
			} else if !value.Same(first, &v) {
				t.Errorf("%s: %s decodes another value than others", w, dn)
			}
			for en, encode := range encoders {
				if out, err := encode(&v); err != nil || !bytes.Equal(out, b) {
					t.Errorf("%s: %s, %s: other bytes, error %v", w, dn, en, err)
				}
			}
		}
	}
}

// The values that programs make, rather than decode, give the same packets.
func TestConstructed(t *testing.T) {
	for _, w := range []string{"rpc", "game", "nest", "ints", "vec3-64K"} {
		v := value.FromTree(work.Named(w))
		for en, encode := range encoders {
			if out, err := encode(&v); err != nil || !bytes.Equal(out, work.Wire(w)) {
				t.Errorf("%s: %s: other bytes, error %v", w, en, err)
			}
		}
	}
}

// A Decoder that is used again gives what a new one gives, without allocating.
func TestReuse(t *testing.T) {
	var d Decoder
	var e Encoder
	for range 3 {
		for _, w := range work.Generic() {
			b := work.Wire(w)
			for _, decode := range []func([]byte) (value.Value, int, error){d.Iterative, d.Recursive} {
				v, _, err := decode(b)
				if err != nil {
					t.Fatal(err)
				}
				if out, err := e.Append(nil, &v); err != nil || !bytes.Equal(out, b) {
					t.Errorf("%s: other bytes, error %v", w, err)
				}
				buf := make([]byte, 0, len(b)+headroom)
				if n := testing.AllocsPerRun(5, func() { v, _, _ = decode(b); _, _ = e.Append(buf, &v) }); n != 0 {
					t.Errorf("%s: %v allocations", w, n)
				}
			}
		}
	}
}

func TestTruncated(t *testing.T) {
	for w, b := range workloads(t) {
		if len(b) > 1000 {
			continue
		}
		for n := range b {
			if w == "bytes" && n >= 11 {
				continue // padding may be missing
			}
			cut := append([]byte(nil), b[:n]...)
			for dn, decode := range decoders {
				if _, _, err := decode(cut[:n:n]); err == nil {
					t.Errorf("%s: %s accepts %d of %d bytes", w, dn, n, len(b))
				}
			}
			if w == "two entities" {
				for sn, decode := range stateDecoders {
					if err := decode(cut[:n:n], new(work.State)); err == nil {
						t.Errorf("%s: %s accepts %d of %d bytes", w, sn, n, len(b))
					}
				}
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for name, text := range map[string]string{
		"unknown type":      "27000000 00000000",
		"unknown type, cut": "27000000",
		"full object":       "18000000 00000000",
		"huge array":        "1c000000 ffffff7f 00000000",
		"huge dictionary":   "1b000000 ffffff7f 00000000 00000000",
		"huge bytes":        "1d000000 ffffffff 00000000",
		"huge ints":         "1f000000 00000020 00000000",
		"huge text":         "04000000 ffffffff 61626364",
		"longest text":      "04000000 ffffff7f 61626364",
		"no padding":        "04000000 03000000 616263",
		"typed with 39":     "1c000100 27000000 00000000",
	} {
		for dn, decode := range decoders {
			if _, _, err := decode(unhex(t, text)); err == nil {
				t.Errorf("%s: %s accepts it", name, dn)
			}
		}
	}
}

func nested(levels int, inner string) []byte {
	b := bytes.Repeat([]byte{idArray, 0, 0, 0, 1, 0, 0, 0}, levels)
	s, _ := hex.DecodeString(inner)
	return append(b, s...)
}

func TestDepth(t *testing.T) {
	for dn, decode := range decoders {
		v, _, err := decode(nested(1024, "00000000"))
		if err != nil {
			t.Errorf("%s: 1024 arrays around Nil: %v", dn, err)
		}
		for en, encode := range encoders {
			if _, err := encode(&v); err != nil {
				t.Errorf("%s: 1024 arrays around Nil: %v", en, err)
			}
			over := value.MakeCells(value.List, tag(idArray), []value.Value{v})
			if _, err := encode(&over); err == nil {
				t.Errorf("%s: 1025 arrays around Nil are written", en)
			}
		}
		if _, _, err := decode(nested(1024, "1c00000000000000")); err != nil {
			t.Errorf("%s: 1025 arrays, the last empty: %v", dn, err)
		}
		if _, _, err := decode(nested(1025, "00000000")); err == nil {
			t.Errorf("%s: 1025 arrays around Nil are read", dn)
		}
	}
}

func TestText(t *testing.T) {
	at := func(text string) []byte { return work.Append(nil, text) }
	for in, want := range map[string]string{
		"a\x00b": "a", "\x00": "", "\xef\xbb\xbfabc": "abc", "0123456789\x00\xff": "0123456789", "\x01": "\x01",
		"0123456789abcdefghij\x00": "0123456789abcdefghij", "ж": "ж", "\x01\x01\x01\x01": "\x01\x01\x01\x01",
	} {
		for dn, decode := range decoders {
			v, n, err := decode(at(in))
			if err != nil || v.Text() != want || n != len(at(in)) {
				t.Errorf("%s: %q is read as %q, error %v", dn, in, v.Text(), err)
			}
		}
	}
	for _, in := range []string{"\xff", "abc\xc0\x80", "\xed\xa0\x80", "0123456789abcdefghij\x80", "\x80123456789abcdefghij", "01234567890\xff"} {
		for dn, decode := range decoders {
			if _, _, err := decode(at(in)); err == nil {
				t.Errorf("%s: %q is read", dn, in)
			}
			key := work.Append(nil, work.Dict{{Key: in, Value: nil}})
			if _, _, err := decode(key); err == nil {
				t.Errorf("%s: key %q is read", dn, in)
			}
		}
	}
	for n := range 40 {
		for i := range n {
			s := strings.Repeat("x", i) + "\x00" + strings.Repeat("y", n-i-1)
			v := value.MakeText(tag(idString), s)
			for en, encode := range encoders {
				if _, err := encode(&v); err == nil {
					t.Errorf("%s: %q is written", en, s)
				}
			}
		}
		v := value.MakeText(tag(idString), strings.Repeat("z", n))
		for en, encode := range encoders {
			if b, err := encode(&v); err != nil || !bytes.Equal(b, at(v.Text())) {
				t.Errorf("%s: %q is not written right: %v", en, v.Text(), err)
			}
		}
	}
}

func TestEqualKeys(t *testing.T) {
	dict := func(keys ...string) string {
		s := "1b000000 " + hex.EncodeToString([]byte{byte(len(keys)), 0, 0, 0})
		for _, k := range keys {
			s += k + "00000000"
		}
		return s
	}
	a, aName, ab, odd := "0400000001000000 61000000", "1500000001000000 61000000", "0400000002000000 61620000", "0400000003000000 61006200"
	flagged := "0400f00f01000000 61aabbcc"
	long, long2 := "0400000010000000 30303030303030303030303030303030", "0400000010000000 31303030303030303030303030303030"
	zero, minus, nan, nan2 := "03000000 00000000", "03000000 00000080", "03000100000000000000f87f", "03000000 0000c07f"
	one, onef := "0200000001000000", "030000000000803f"
	many := make([]string, 40)
	for i := range many {
		many[i] = "02000000" + hex.EncodeToString([]byte{byte(i), 0, 0, 0})
	}
	for _, c := range []struct {
		text    string
		repeats bool
	}{
		{dict(a, ab), false}, {dict(a, ab, a), true}, {dict(a, aName), true}, {dict(a, flagged), true},
		{dict(ab, a, odd), true}, {dict(long, long2), false}, {dict(long, long2, long), true},
		{dict(zero, minus), true}, {dict(nan, nan2), true}, {dict(one, onef), false},
		{dict(many...), false}, {dict(append(many, many[7])...), true}, {dict("00000000", "00000000"), true},
	} {
		for dn, decode := range decoders {
			v, _, err := decode(unhex(t, c.text))
			if err != nil {
				t.Errorf("%s: %s: %v", dn, c.text, err)
				continue
			}
			if got := v.Form&value.Repeats != 0; got != c.repeats || v.Form&(value.Repeats|value.Distinct) == 0 {
				t.Errorf("%s: %s: form %#x, want repeats %v", dn, c.text, v.Form, c.repeats)
			}
			v.Form = 0
			for en, encode := range encoders {
				out, err := encode(&v)
				if err != nil {
					t.Fatal(err)
				}
				again, _, err := decode(out)
				if err != nil || again.Form&value.Distinct == 0 || (again.N != v.N) != c.repeats {
					t.Errorf("%s: %s: written again with %d of %d keys", en, c.text, again.N, v.N)
				}
			}
		}
	}
}

var stateDecoders = map[string]func([]byte, *work.State) error{
	"idiomatic": DecodeState,
	"straight":  DecodeStateStraight,
}

func TestState(t *testing.T) {
	want := work.Game(work.Entities)
	for _, w := range []string{"game", "game-permuted"} {
		b := work.Wire(w)
		for name, decode := range stateDecoders {
			var s work.State
			for range 2 {
				if err := decode(b, &s); err != nil {
					t.Errorf("%s: %s: %v", w, name, err)
				}
				if !reflect.DeepEqual(&s, want) {
					t.Errorf("%s: %s decodes another state", w, name)
				}
			}
		}
	}
	want.Tick, want.Entities[3].ID, want.Entities[5].HP = 1<<40, 1<<40, 0.1
	want.Entities[7].Name, want.Entities[8].Tags = "", []string{"жук", "a tag that is longer than sixteen bytes", "x", "yz"}
	b := work.Append(nil, want.Tree(work.Declared))
	for name, decode := range stateDecoders {
		var s work.State
		if err := decode(b, &s); err != nil || !reflect.DeepEqual(&s, want) {
			t.Errorf("%s decodes another state: %v", name, err)
		}
	}
	for name, encode := range map[string]func([]byte, *work.State) ([]byte, error){
		"append": AppendState, "straight": AppendStateStraight,
	} {
		for _, s := range []*work.State{want, work.Game(2), work.Game(0)} {
			if out, err := encode(nil, s); err != nil || !bytes.Equal(out, work.Append(nil, s.Tree(work.Declared))) {
				t.Errorf("%s writes other bytes: %v", name, err)
			}
		}
	}
}

func TestEncodedSize(t *testing.T) {
	for _, w := range []string{"rpc", "game", "nest", "ints", "vec3-64K"} {
		v := value.FromTree(work.Named(w))
		if got := EncodedSize(&v); got != len(work.Wire(w)) {
			t.Errorf("%s: %d bytes, want %d", w, got, len(work.Wire(w)))
		}
	}
}

// TestDamaged checks that all decoders give the same verdict and the same value
// for a damaged packet. What is written again is read as the same value.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var packets [][]byte
	for _, b := range workloads(t) {
		if len(b) < 1000 {
			packets = append(packets, b)
		}
	}
	slices.SortFunc(packets, bytes.Compare)
	accepted := 0
	for range 40_000 {
		b := append([]byte(nil), packets[r.IntN(len(packets))]...)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(b))
			switch r.IntN(3) {
			case 0:
				b[at] ^= 1 << r.IntN(8)
			case 1:
				b[at] = byte(r.IntN(40))
			case 2:
				b[at] = []byte{0, 1, 0x7f, 0x80, 0xff, 0xef, 0xbb, 0xbf}[r.IntN(8)]
			}
		}
		b = b[:len(b)-r.IntN(2)*r.IntN(len(b))]
		b = b[:len(b):len(b)]
		want, used, wantErr := Idiomatic(b)
		for dn, decode := range decoders {
			v, n, err := decode(b)
			if (err == nil) != (wantErr == nil) || err == nil && (n != used || !value.Same(&v, &want)) {
				t.Fatalf("%x: %s takes %d bytes, error %v; idiomatic %d, error %v", b, dn, n, err, used, wantErr)
			}
		}
		var s1, s2 work.State
		err1, err2 := DecodeState(b, &s1), DecodeStateStraight(b, &s2)
		if (err1 == nil) != (err2 == nil) || err1 == nil && fmt.Sprint(s1) != fmt.Sprint(s2) { // NaN is not deeply equal
			t.Fatalf("%x: state idiomatic: %v, %v; straight: %v, %v", b, s1, err1, s2, err2)
		}
		if wantErr != nil {
			continue
		}
		accepted++
		first, err := AppendIdiomatic(nil, &want)
		if err != nil {
			t.Fatalf("%x: cannot be written again: %v", b, err)
		}
		for en, encode := range encoders {
			if out, err := encode(&want); err != nil || !bytes.Equal(out, first) {
				t.Fatalf("%x: %s writes %x, append %x, error %v", b, en, out, first, err)
			}
		}
		again, n, err := Idiomatic(first)
		if err != nil || n != len(first) {
			t.Fatalf("%x: written as %x, which is not read: %v", b, first, err)
		}
		if second, err := AppendIdiomatic(nil, &again); err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%x: written as %x and then as %x", b, first, second)
		}
	}
	if accepted < 1000 {
		t.Errorf("only %d packets were accepted", accepted)
	}
}
