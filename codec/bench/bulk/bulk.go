// Package bulk is the least cost of moving packed arrays. It measures memcpy between the same
// offsets as a codec, and loops over the elements.
//
// A payload is eight bytes behind the start of its packet, the slice it is
// copied to or from does not. A copy between other offsets may be a third
// faster or slower, so the distance matters.
package bulk

import (
	"encoding/binary"
	"errors"
	"math"
	"unsafe"

	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/work"
)

const (
	idPackedByteArray    = 29
	idPackedVector3Array = 36
	header               = 8 // type and count
)

var (
	le     = binary.LittleEndian
	errBad = errors.New("no packed array of this type")

	// Sinks keep results alive that would otherwise not be allocated.
	sinkVectors []work.Vector3
	sinkBytes   []byte
)

// Vectors returns the payload of a PackedVector3Array as a view of the packet,
// after the checks that a codec makes. The view is right on little-endian
// machines only.
func Vectors(b []byte) ([]work.Vector3, error) {
	if len(b) < header || b[0] != idPackedVector3Array || b[2]&1 != 0 {
		return nil, errBad
	}
	n := int(le.Uint32(b[4:]))
	if n > (len(b)-header)/12 {
		return nil, errBad
	}
	if n == 0 {
		return nil, nil
	}
	return unsafe.Slice((*work.Vector3)(unsafe.Pointer(&b[header])), n), nil
}

// VectorsLoop decodes into dst one number at a time, on any machine.
func VectorsLoop(dst []work.Vector3, b []byte) ([]work.Vector3, error) {
	if len(b) < header || b[0] != idPackedVector3Array || b[2]&1 != 0 {
		return nil, errBad
	}
	n := int(le.Uint32(b[4:]))
	if n > (len(b)-header)/12 {
		return nil, errBad
	}
	dst = dst[:n]
	b = b[header:]
	for i := range dst {
		if len(b) < 12 {
			return nil, errBad
		}
		dst[i] = work.Vector3{
			X: math.Float32frombits(le.Uint32(b)),
			Y: math.Float32frombits(le.Uint32(b[4:])),
			Z: math.Float32frombits(le.Uint32(b[8:])),
		}
		b = b[12:]
	}
	return dst, nil
}

// Raw returns the bytes of v, in the order of the machine.
func Raw(v []work.Vector3) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 12*len(v))
}

// AppendVectors appends the packet of v, on little-endian machines.
func AppendVectors(b []byte, v []work.Vector3) []byte {
	b = le.AppendUint32(b, idPackedVector3Array)
	b = le.AppendUint32(b, uint32(len(v)))
	return append(b, Raw(v)...)
}

// AppendVectorsLoop appends the packet of v one number at a time, on any machine.
func AppendVectorsLoop(b []byte, v []work.Vector3) []byte {
	b = le.AppendUint32(b, idPackedVector3Array)
	b = le.AppendUint32(b, uint32(len(v)))
	for _, e := range v {
		b = le.AppendUint32(b, math.Float32bits(e.X))
		b = le.AppendUint32(b, math.Float32bits(e.Y))
		b = le.AppendUint32(b, math.Float32bits(e.Z))
	}
	return b
}

// Bytes returns the payload of a PackedByteArray as a view of the packet.
func Bytes(b []byte) ([]byte, error) {
	if len(b) < header || b[0] != idPackedByteArray {
		return nil, errBad
	}
	n := int(le.Uint32(b[4:]))
	if n > len(b)-header {
		return nil, errBad
	}
	return b[header : header+n : header+n], nil
}

// AppendBytes appends the packet of p.
func AppendBytes(b, p []byte) []byte {
	b = le.AppendUint32(b, idPackedByteArray)
	b = le.AppendUint32(b, uint32(len(p)))
	b = append(b, p...)
	return append(b, "\x00\x00\x00"[:-len(p)&3]...)
}

// Register adds the cases.
func Register() {
	for _, w := range []string{"vec3-64K", "vec3-12M"} {
		vectors(w, map[string]int{"vec3-64K": work.Small, "vec3-12M": work.Large}[w])
	}
	const w, size = "bytes-16M", header + work.Blob
	add := func(direction, impl string, make func() cases.Run) {
		cases.Add(cases.Case{Workload: w, Direction: direction, Impl: impl, Bytes: size, Make: make})
	}
	add(cases.DecodePacked, "memcpy", func() cases.Run {
		b, dst := work.Wire(w), make([]byte, work.Blob)
		return func(n int) {
			for range n {
				copy(dst, b[header:])
			}
		}
	})
	add(cases.DecodePacked, "hand-bulk", func() cases.Run {
		b, dst := work.Wire(w), make([]byte, work.Blob)
		return func(n int) {
			for range n {
				p, err := Bytes(b)
				cases.Must(err)
				copy(dst, p)
			}
		}
	})
	add(cases.DecodePackedFresh, "memcpy", func() cases.Run {
		b := work.Wire(w)
		return func(n int) {
			for range n {
				sinkBytes = append([]byte(nil), b[header:]...)
			}
			sinkBytes = nil
		}
	})
	add(cases.DecodePackedFresh, "hand-bulk", func() cases.Run {
		b := work.Wire(w)
		return func(n int) {
			for range n {
				p, err := Bytes(b)
				cases.Must(err)
				sinkBytes = append([]byte(nil), p...)
			}
			sinkBytes = nil
		}
	})
	add(cases.EncodePackedFresh, "hand-bulk", func() cases.Run {
		p := work.Bytes(work.Blob)
		return func(n int) {
			for range n {
				sinkBytes = AppendBytes(make([]byte, 0, size), p)
			}
			sinkBytes = nil
		}
	})
	add(cases.DecodePackedAlias, "hand", func() cases.Run {
		b := work.Wire(w)
		return func(n int) {
			for range n {
				p, err := Bytes(b)
				cases.Must(err)
				sinkBytes = p
			}
			sinkBytes = nil
		}
	})
	add(cases.EncodePacked, "memcpy", func() cases.Run {
		p, buf := work.Bytes(work.Blob), make([]byte, size)
		return func(n int) {
			for range n {
				copy(buf[header:], p)
			}
		}
	})
	add(cases.EncodePacked, "hand-bulk", func() cases.Run {
		p, buf := work.Bytes(work.Blob), make([]byte, 0, size)
		return func(n int) {
			for range n {
				sinkBytes = AppendBytes(buf, p)
			}
			sinkBytes = nil
		}
	})
}

// vectors adds the cases of a workload.
func vectors(w string, count int) {
	size := header + 12*count
	add := func(direction, impl string, make func() cases.Run) {
		cases.Add(cases.Case{Workload: w, Direction: direction, Impl: impl, Bytes: size, Make: make})
	}
	addDecode(add, w, count)
	addEncode(add, count, size)
}

func addDecode(add func(direction, impl string, make func() cases.Run), w string, count int) {
	add(cases.DecodePacked, "memcpy", func() cases.Run {
		b, dst := work.Wire(w), make([]work.Vector3, count)
		return func(n int) {
			for range n {
				copy(Raw(dst), b[header:])
			}
		}
	})
	add(cases.DecodePacked, "hand-bulk", func() cases.Run {
		b, dst := work.Wire(w), make([]work.Vector3, count)
		return func(n int) {
			for range n {
				v, err := Vectors(b)
				cases.Must(err)
				copy(dst, v)
			}
		}
	})
	add(cases.DecodePacked, "hand-loop", func() cases.Run {
		b, dst := work.Wire(w), make([]work.Vector3, count)
		return func(n int) {
			for range n {
				_, err := VectorsLoop(dst, b)
				cases.Must(err)
			}
		}
	})
	add(cases.DecodePackedFresh, "memcpy", func() cases.Run {
		b := work.Wire(w)
		return func(n int) {
			for range n {
				sinkBytes = append([]byte(nil), b[header:]...)
			}
			sinkBytes = nil
		}
	})
	add(cases.DecodePackedFresh, "hand-bulk", func() cases.Run {
		b := work.Wire(w)
		return func(n int) {
			for range n {
				v, err := Vectors(b)
				cases.Must(err)
				sinkVectors = append([]work.Vector3(nil), v...)
			}
			sinkVectors = nil
		}
	})
	add(cases.DecodePackedAlias, "hand", func() cases.Run {
		b := work.Wire(w)
		return func(n int) {
			for range n {
				v, err := Vectors(b)
				cases.Must(err)
				sinkVectors = v
			}
			sinkVectors = nil
		}
	})
}

func addEncode(add func(direction, impl string, make func() cases.Run), count, size int) {
	add(cases.EncodePacked, "memcpy", func() cases.Run {
		v, buf := work.Vectors(count), make([]byte, size)
		return func(n int) {
			for range n {
				copy(buf[header:], Raw(v))
			}
		}
	})
	add(cases.EncodePacked, "hand-bulk", func() cases.Run {
		v, buf := work.Vectors(count), make([]byte, 0, size)
		return func(n int) {
			for range n {
				sinkBytes = AppendVectors(buf, v)
			}
			sinkBytes = nil
		}
	})
	add(cases.EncodePackedFresh, "memcpy", func() cases.Run {
		v := work.Vectors(count)
		return func(n int) {
			for range n {
				sinkBytes = append([]byte(nil), Raw(v)...)
			}
			sinkBytes = nil
		}
	})
	add(cases.EncodePackedFresh, "hand-bulk", func() cases.Run {
		v := work.Vectors(count)
		return func(n int) {
			for range n {
				sinkBytes = AppendVectors(make([]byte, 0, size), v)
			}
			sinkBytes = nil
		}
	})
	add(cases.EncodePacked, "hand-loop", func() cases.Run {
		v, buf := work.Vectors(count), make([]byte, 0, size)
		return func(n int) {
			for range n {
				sinkBytes = AppendVectorsLoop(buf, v)
			}
			sinkBytes = nil
		}
	})
}
