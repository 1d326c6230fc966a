//go:build octable

// octable's own cases.
//
// This file waits for the codec: until then the tag above keeps it out, and the
// bars stand as not measured. To hook the codec in, remove the tag, replace
// the body of load, and run "go mod tidy". What Readers, Writers and plans are
// called below is what they are expected to be called; the names of the cases
// are what the bars are about and must stay.

package bench

import (
	"unsafe"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/bench/work"
	"github.com/octable/octable/interp"
)

// load returns a machine for the schema of the packets.
func load() *interp.Machine {
	s, err := codec.Load("godot-4.4")
	cases.Must(err)
	return s.Machine()
}

func init() {
	add := func(w, direction, impl string, make func() cases.Run) {
		size := 0
		if direction != cases.Load {
			size = work.Size(w)
		}
		cases.Add(cases.Case{Workload: w, Direction: direction, Impl: impl, Bytes: size, Make: make})
	}

	add("godot-4.4", cases.Load, Ours, func() cases.Run {
		return func(n int) {
			for range n {
				load() // of a schema that was not loaded before: no cache may answer
			}
		}
	})

	for _, w := range append(work.Generic(), "game-100k") {
		for impl, opt := range map[string]interp.Options{Ours: {}, Ours + "-unfused": {Unfused: true}} {
			if w == "game-100k" && impl != Ours {
				continue
			}
			add(w, cases.DecodeValue, impl, func() cases.Run {
				b, r := work.Wire(w), load().NewReader(opt)
				return func(n int) {
					for range n {
						_, _, err := r.Read(b)
						cases.Must(err)
					}
				}
			})
			add(w, cases.EncodeValue, impl, func() cases.Run {
				v, e := constructed(w), load().NewWriter(opt)
				buf := make([]byte, 0, work.Size(w)+256)
				return func(n int) {
					for range n {
						_, err := e.Append(buf, v)
						cases.Must(err)
					}
				}
			})
		}
		if w == "game-100k" {
			continue
		}
		add(w, cases.EncodeDecoded, Ours, func() cases.Run {
			v, _, err := load().NewReader(interp.Options{}).Read(work.Wire(w))
			cases.Must(err)
			e, buf := load().NewWriter(interp.Options{}), make([]byte, 0, work.Size(w)+256)
			return func(n int) {
				for range n {
					_, err := e.Append(buf, v)
					cases.Must(err)
				}
			}
		})
		add(w, cases.DecodeValueFresh, Ours, func() cases.Run {
			b, c := work.Wire(w), spec()
			return func(n int) {
				for range n {
					v, err := c.Decode(b) // with its own copy of b
					cases.Must(err)
					oursValue = v
				}
			}
		})
		add(w, cases.EncodeValueFresh, Ours, func() cases.Run {
			v, c := codec.FromRaw(constructed(w)), spec()
			return func(n int) {
				for range n {
					b, err := c.Append(nil, v)
					cases.Must(err)
					oursBytes = b
				}
			}
		})
	}

	for _, w := range []string{"game", "game-permuted", "game-100k"} {
		entities := map[string]int{"game": 1, "game-permuted": 1, "game-100k": 100}[w] * work.Entities
		add(w, cases.DecodeStruct, Ours, func() cases.Run {
			b, s, d := work.Wire(w), new(work.State), spec().NewUnmarshaler(codec.Options{Alias: true})
			return func(n int) {
				for range n {
					cases.Must(d.Unmarshal(b, s))
				}
			}
		})
		if w == "game-permuted" {
			continue
		}
		add(w, cases.EncodeStruct, Ours, func() cases.Run {
			s, m, buf := work.Game(entities), spec().NewMarshaler(codec.Options{}), make([]byte, 0, work.Size(w)+256)
			return func(n int) {
				for range n {
					_, err := m.Append(buf, s)
					cases.Must(err)
				}
			}
		})
	}
	add("game", cases.DecodeStructFresh, Ours, func() cases.Run {
		b, c := work.Wire("game"), spec()
		return func(n int) {
			for range n {
				s := new(work.State)
				cases.Must(c.Unmarshal(b, s)) // strings of their own
				oursState = s
			}
		}
	})
	add("game", cases.EncodeStructFresh, Ours, func() cases.Run {
		s, c := work.Game(work.Entities), spec()
		return func(n int) {
			for range n {
				b, err := c.Marshal(s)
				cases.Must(err)
				oursBytes = b
			}
		}
	})

	// Packed arrays: [work.Vector3] stands for codec.Vector3 here; memcpy is
	// measured from eight bytes behind the start of the packet to the start of
	// the slice, and the other way round.
	for _, w := range []string{"vec3-64K", "vec3-12M"} {
		count := map[string]int{"vec3-64K": work.Small, "vec3-12M": work.Large}[w]
		add(w, cases.DecodePacked, Ours, func() cases.Run {
			b, dst, d := work.Wire(w), make([]codec.Vector3, count), spec().NewUnmarshaler(codec.Options{})
			return func(n int) {
				for range n {
					cases.Must(d.Unmarshal(b, &dst))
				}
			}
		})
		add(w, cases.DecodePackedFresh, Ours, func() cases.Run {
			b, d := work.Wire(w), spec().NewUnmarshaler(codec.Options{})
			return func(n int) {
				for range n {
					var dst []codec.Vector3
					cases.Must(d.Unmarshal(b, &dst))
				}
			}
		})
		add(w, cases.DecodePackedAlias, Ours, func() cases.Run {
			b, r := work.Wire(w), load().NewReader(interp.Options{})
			return func(n int) {
				for range n {
					_, _, err := r.Read(b)
					cases.Must(err)
				}
			}
		})
		add(w, cases.EncodePacked, Ours, func() cases.Run {
			v, m := make([]codec.Vector3, count), spec().NewMarshaler(codec.Options{})
			buf := make([]byte, 0, work.Size(w)+256)
			return func(n int) {
				for range n {
					_, err := m.Append(buf, v)
					cases.Must(err)
				}
			}
		})
	}
	add("bytes-16M", cases.DecodePackedAlias, Ours, func() cases.Run {
		b, r := work.Wire("bytes-16M"), load().NewReader(interp.Options{})
		return func(n int) {
			for range n {
				_, _, err := r.Read(b)
				cases.Must(err)
			}
		}
	})
}

// constructed returns the value of a workload as a program would make it. The
// layouts are the same, which a test of package value sees to.
func constructed(w string) interp.Value {
	v := value.FromTree(work.Named(w))
	return *(*interp.Value)(unsafe.Pointer(&v))
}

// spec returns the codec of the packets' schema.
func spec() *codec.Spec {
	s, err := codec.Load("godot-4.4")
	cases.Must(err)
	return s
}

// What is kept, so that it is allocated where it would be in a program.
var (
	oursValue codec.Value
	oursBytes []byte
	oursState *work.State
)
