// The references as cases.

package hand

import (
	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/value"
	"github.com/octable/octable/codec/bench/work"
)

// Register adds the cases of this variant. Their names begin with hand and end
// with the variant.
func Register() {
	for _, w := range work.Generic() {
		registerValue(w)
	}
	registerState("game", work.Entities)
	registerState("game-permuted", work.Entities)
	registerValue("game-100k")
	registerState("game-100k", 100*work.Entities)
}

func add(w, direction, impl string, size int, make func() cases.Run) {
	cases.Add(cases.Case{Workload: w, Direction: direction, Impl: "hand-" + impl + variant, Bytes: size, Make: make})
}

func registerValue(w string) {
	size := work.Size(w)
	add(w, cases.DecodeValue, "iterative", size, func() cases.Run {
		b, d := work.Wire(w), new(Decoder)
		return func(n int) {
			for range n {
				_, _, err := d.Iterative(b)
				cases.Must(err)
			}
		}
	})
	add(w, cases.DecodeValue, "recursive", size, func() cases.Run {
		b, d := work.Wire(w), new(Decoder)
		return func(n int) {
			for range n {
				_, _, err := d.Recursive(b)
				cases.Must(err)
			}
		}
	})
	add(w, cases.EncodeValue, "single-pass", size, func() cases.Run {
		v := value.FromTree(work.Named(w))
		return encodeRun(&v, size)
	})
	if w == "game-100k" {
		return
	}
	add(w, cases.EncodeDecoded, "single-pass", size, func() cases.Run {
		v := decoded(w)
		return encodeRun(&v, size)
	})
	for impl, decode := range map[string]func(*Decoder, []byte) (value.Value, int, error){
		"iterative": (*Decoder).Iterative, "recursive": (*Decoder).Recursive,
	} {
		add(w, cases.DecodeValueFresh, impl, size, func() cases.Run {
			b, d := work.Wire(w), new(Decoder)
			return func(n int) {
				for range n {
					v, _, err := decode(d, append([]byte(nil), b...))
					cases.Must(err)
					sinkValue = v
					d.Release()
				}
			}
		})
	}
	add(w, cases.EncodeValueFresh, "single-pass", size, func() cases.Run {
		v, e := value.FromTree(work.Named(w)), new(Encoder)
		var scratch []byte
		return func(n int) {
			for range n {
				var err error
				scratch, err = e.Append(scratch[:0], &v)
				cases.Must(err)
				sink = append([]byte(nil), scratch...)
			}
		}
	})
	if raw {
		return
	}
	add(w, cases.DecodeValueFresh, "idiomatic", size, func() cases.Run {
		b := work.Wire(w)
		return func(n int) {
			for range n {
				v, _, err := Idiomatic(append([]byte(nil), b...))
				cases.Must(err)
				sinkValue = v
			}
		}
	})
	add(w, cases.EncodeValue, "append", size, func() cases.Run {
		v := value.FromTree(work.Named(w))
		return appendRun(&v, size)
	})
	add(w, cases.EncodeDecoded, "append", size, func() cases.Run {
		v := decoded(w)
		return appendRun(&v, size)
	})
	add(w, cases.EncodeValueFresh, "append", size, func() cases.Run {
		v := value.FromTree(work.Named(w))
		return func(n int) {
			for range n {
				var err error
				sink, err = AppendIdiomatic(nil, &v)
				cases.Must(err)
			}
		}
	})
}

// Results are kept, as a program would keep them: they are allocated, and alive during garbage
// collection.
var (
	sink      []byte
	sinkValue value.Value
	sinkState *work.State
)

func decoded(w string) value.Value {
	v, _, err := new(Decoder).Iterative(work.Wire(w))
	cases.Must(err)
	return v
}

func encodeRun(v *value.Value, size int) cases.Run {
	e, buf := new(Encoder), make([]byte, 0, size+headroom)
	return func(n int) {
		for range n {
			_, err := e.Append(buf, v)
			cases.Must(err)
		}
	}
}

func appendRun(v *value.Value, size int) cases.Run {
	buf := make([]byte, 0, size)
	return func(n int) {
		for range n {
			_, err := AppendIdiomatic(buf, v)
			cases.Must(err)
		}
	}
}

func registerState(w string, entities int) {
	size := work.Size(w)
	decode := func(impl string, f func([]byte, *work.State) error) {
		add(w, cases.DecodeStruct, impl, size, func() cases.Run {
			b, s := work.Wire(w), new(work.State)
			return func(n int) {
				for range n {
					cases.Must(f(b, s))
				}
			}
		})
		add(w, cases.DecodeStructFresh, impl+"-one-copy", size, func() cases.Run {
			b := work.Wire(w)
			return func(n int) {
				for range n {
					s := new(work.State)
					cases.Must(f(append([]byte(nil), b...), s))
					sinkState = s
				}
			}
		})
	}
	encode := func(impl string, f func([]byte, *work.State) ([]byte, error)) {
		add(w, cases.EncodeStruct, impl, size, func() cases.Run {
			s, buf := work.Game(entities), make([]byte, 0, size+headroom)
			return func(n int) {
				for range n {
					_, err := f(buf, s)
					cases.Must(err)
				}
			}
		})
	}
	decode("straight", DecodeStateStraight)
	if !raw {
		decode("idiomatic", DecodeState)
	}
	if w == "game-permuted" {
		return
	}
	encode("straight", AppendStateStraight)
	add(w, cases.EncodeStructFresh, "straight", size, func() cases.Run {
		s := work.Game(entities)
		var scratch []byte
		return func(n int) {
			for range n {
				var err error
				scratch, err = AppendStateStraight(scratch[:0], s)
				cases.Must(err)
				sink = append([]byte(nil), scratch...)
			}
		}
	})
	if raw {
		return
	}
	encode("append", AppendState)
	add(w, cases.EncodeStructFresh, "append", size, func() cases.Run {
		s := work.Game(entities)
		return func(n int) {
			for range n {
				var err error
				sink, err = AppendState(nil, s)
				cases.Must(err)
			}
		}
	})
}
