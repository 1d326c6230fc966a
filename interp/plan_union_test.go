package interp_test

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/octable/octable/interp"
)

// TestChunksByPlan reads chunks with each kind of arm by plans. A plan does not read a malformed chunk: the instructions do, and
// refuse it.
func TestChunksByPlan(t *testing.T) {
	chunk := func(typ, data string) []byte {
		b := binary.BigEndian.AppendUint16(nil, uint16(len(data)))
		b = append(append(b, typ...), data...)
		return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[2:]))
	}
	file := func(chunks ...[]byte) []byte {
		b := []byte{1}
		for _, c := range chunks {
			b = append(b, c...)
		}
		return append(b, chunk("last", "")...)
	}
	m := shape(t, "chunks", "big")
	for name, c := range map[string]struct {
		b    []byte
		fine bool
	}{
		"all":             {file(chunk("text", "bytes"), chunk("unit", "\x00\x01\x02\x03"), chunk("pair", "\x08\x00\x01"), chunk("else", "i"), chunk("text", "")), true},
		"a number short":  {file(chunk("unit", "\x00\x01\x02")), false},
		"bytes behind":    {file(chunk("pair", "\x08\x00\x01\x02")), false},
		"a check":         {file(chunk("pair", "\x07\x00\x01")), false},
		"a length":        {file(chunk("text", string(make([]byte, 301)))), false},
		"a checksum":      {append([]byte{1}, append(chunk("last", "")[:9], 0)...), false},
		"no last chunk":   {file()[:1], false},
		"a mode":          {append([]byte{4}, chunk("last", "")...), false},
		"a record short":  {file(chunk("else", "")), false},
		"a record longer": {file(chunk("else", "ii")), false},
	} {
		r := m.NewReader(interp.Options{})
		for range 2 { // the first time finds the plans
			_, _, err := r.Read(c.b)
			if (err == nil) != c.fine || r.ByPlan(c.b) != c.fine {
				t.Errorf("%s: %v", name, err)
			}
		}
		if v, _, err := m.NewReader(interp.Options{MaxMemory: 1 << 20}).Read(c.b); c.fine {
			if w, _, _ := r.Read(c.b); err != nil || !interp.Identical(v, w, true) {
				t.Errorf("%s: with a limit on memory %v, %+v", name, err, v)
			}
		}
	}
}
