// octable's own cases.

package bench

import (
	"bytes"
	"io"
	"unsafe"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/bench/work"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// load returns a machine for the schema of the packets.
func load() *interp.Machine { return raw.Machine(spec()) }

// unfused returns the machine without the fast loops.
func unfused() *interp.Machine {
	m := load()
	slow, err := interp.NewUnfused(m.Program(), func(i int, _ *bytecode.Type) uint16 { return m.Tag(i) })
	cases.Must(err)
	return slow
}

func init() {
	addLoad()
	for _, w := range append(work.Generic(), "game-100k") {
		addValues(w)
	}
	addGet()
	addStructs()
	addStreams()
	addPacked()
}

// add adds a case of octable's.
func add(w, direction, impl string, make func() cases.Run) {
	size := 0
	if direction != cases.Load {
		size = work.Size(w)
	}
	cases.Add(cases.Case{Workload: w, Direction: direction, Impl: impl, Bytes: size, Make: make})
}

// addLoad adds the load of a program.
func addLoad() {
	add("godot-4.4", cases.Load, Ours, func() cases.Run {
		// All that codec.Load does, but for its cache, which would answer.
		file := raw.Program(spec()).Save()
		return func(n int) {
			for range n {
				p, err := bytecode.Load(file)
				cases.Must(err)
				_, err = raw.Codec(p)
				cases.Must(err)
			}
		}
	})
}

// addValues adds the cases that read and write the values of a workload.
func addValues(w string) {
	machines := map[string]func() *interp.Machine{Ours: load}
	if w != "game-100k" {
		machines[Ours+"-unfused"] = unfused
	}
	for impl, load := range machines {
		add(w, cases.DecodeValue, impl, func() cases.Run {
			b, r := work.Wire(w), load().NewReader(interp.Options{})
			return func(n int) {
				for range n {
					_, _, err := r.Read(b)
					cases.Must(err)
				}
			}
		})
		add(w, cases.EncodeValue, impl, func() cases.Run {
			v, e := constructed(w), load().NewWriter(interp.Options{})
			buf := make([]byte, 0, work.Size(w)+256)
			return func(n int) {
				for range n {
					_, err := e.Append(buf, v)
					cases.Must(err)
				}
			}
		})
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
	if w == "game-100k" {
		return
	}
	add(w, cases.DecodeValueFresh, Ours, func() cases.Run {
		b, c := work.Wire(w), spec()
		return func(n int) {
			for range n {
				v, _, err := c.Decode(b) // with its own copy of b
				cases.Must(err)
				oursValue = v
			}
		}
	})
	add(w, cases.EncodeValueFresh, Ours, func() cases.Run {
		v, c := raw.Wrap(constructed(w)), spec()
		return func(n int) {
			for range n {
				b, err := c.Append(nil, v)
				cases.Must(err)
				oursBytes = b
			}
		}
	})
}

// addGet adds the case that reads one value of a packet.
func addGet() {
	add("game", cases.GetLast, Ours, func() cases.Run {
		b, c := work.Wire("game"), spec()
		return func(n int) {
			for range n {
				v, err := c.Get(b, "entities", -1)
				cases.Must(err)
				oursValue = v
			}
		}
	})
}

// addStructs adds the cases that read and write structs.
func addStructs() {
	for _, w := range []string{"game", "game-permuted", "game-100k"} {
		entities := map[string]int{"game": 1, "game-permuted": 1, "game-100k": 100}[w] * work.Entities
		add(w, cases.DecodeStruct, Ours, func() cases.Run {
			b, s, d := work.Wire(w), new(work.State), with(codec.Options{Alias: true}).NewMapper()
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
			s, m, buf := work.Game(entities), spec().NewMapper(), make([]byte, 0, work.Size(w)+256)
			return func(n int) {
				for range n {
					_, err := m.AppendMarshal(buf, s)
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
				cases.Must(c.Unmarshal(b, s)) // separate strings
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
}

// addStreams adds the cases that read and write streams of frames.
func addStreams() {
	add("game", cases.DecodeStream, Ours, func() cases.Run {
		var file bytes.Buffer
		cases.Must(godot.NewEncoder(spec(), &file).Encode(work.Game(work.Entities)))
		s, r := new(work.State), bytes.NewReader(file.Bytes())
		d := godot.NewDecoder(with(codec.Options{Alias: true}), r)
		return func(n int) {
			for range n {
				r.Reset(file.Bytes())
				cases.Must(d.Decode(s))
			}
		}
	})
	add("game", cases.EncodeStream, Ours, func() cases.Run {
		s, e := work.Game(work.Entities), godot.NewEncoder(spec(), io.Discard)
		return func(n int) {
			for range n {
				cases.Must(e.Encode(s))
			}
		}
	})
}

// addPacked adds the cases of packed arrays. [work.Vector3] is in place of codec.Vector3 here; memcpy is measured from
// eight bytes behind the start of the packet to the start of the slice, and the reverse.
func addPacked() {
	for _, w := range []string{"vec3-64K", "vec3-12M"} {
		count := map[string]int{"vec3-64K": work.Small, "vec3-12M": work.Large}[w]
		add(w, cases.DecodePacked, Ours, func() cases.Run {
			b, dst, d := work.Wire(w), make([]godot.Vector3, count), spec().NewMapper()
			return func(n int) {
				for range n {
					cases.Must(d.Unmarshal(b, &dst))
				}
			}
		})
		add(w, cases.DecodePackedFresh, Ours, func() cases.Run {
			b, d := work.Wire(w), spec().NewMapper()
			return func(n int) {
				for range n {
					oursVectors = nil
					cases.Must(d.Unmarshal(b, &oursVectors))
				}
				oursVectors = nil
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
			v, m := make([]godot.Vector3, count), spec().NewMapper()
			for i, x := range work.Vectors(count) { // pages never written to would all be one
				v[i] = godot.Vector3(x)
			}
			buf := make([]byte, 0, work.Size(w)+256)
			return func(n int) {
				for range n {
					_, err := m.AppendMarshal(buf, &v)
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
func spec() *codec.Codec { return codec.MustLoad("godot-4.4") }

// with returns it with other options.
func with(o codec.Options) *codec.Codec {
	c, err := spec().With(o)
	cases.Must(err)
	return c
}

// Results are kept, so that they are allocated as in a program.
var (
	oursValue   codec.Value
	oursBytes   []byte
	oursState   *work.State
	oursVectors []godot.Vector3
)
