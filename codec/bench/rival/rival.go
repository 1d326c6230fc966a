// Package rival is the game state in other formats, for a program that does not have to speak
// to Godot. It uses the libraries that are common for them and their default options.
package rival

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/fxamacker/cbor/v2"
	"github.com/octable/octable/codec/bench/cases"
	"github.com/octable/octable/codec/bench/run-go-generate/pbgame"
	"github.com/octable/octable/codec/bench/work"
	"github.com/tinylib/msgp/msgp"
	"github.com/vmihailenco/msgpack/v5"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

//go:generate go run ../internal/pbgen ../run-go-generate/pbgame

// Struct is a library that takes Go structs.
type Struct struct {
	Name string
	// Marshal and Unmarshal are the calls that are measured. What is given to
	// Marshal comes from Make, and what Unmarshal returns is newly made.
	Make      func(s *work.State) any
	Marshal   func(v any) ([]byte, error)
	Unmarshal func(b []byte) (any, error)
	// Append marshals into a buffer, where the library can.
	Append func(b []byte, v any) ([]byte, error)
	// State returns what was unmarshalled as a State.
	State func(v any) *work.State
}

func same(s *work.State) any { return s }

func state(v any) *work.State { return v.(*work.State) }

// Structs lists the libraries that take Go structs.
var Structs = []Struct{
	{
		Name: "msgp", Make: same, State: state,
		Marshal:   func(v any) ([]byte, error) { return v.(*work.State).MarshalMsg(nil) },
		Append:    func(b []byte, v any) ([]byte, error) { return v.(*work.State).MarshalMsg(b) },
		Unmarshal: func(b []byte) (any, error) { s := new(work.State); _, err := s.UnmarshalMsg(b); return s, err },
	}, {
		Name: "protobuf", Make: toProto, State: fromProto,
		Marshal: func(v any) ([]byte, error) { return proto.Marshal(v.(*pbgame.State)) },
		Append: func(b []byte, v any) ([]byte, error) {
			return proto.MarshalOptions{}.MarshalAppend(b, v.(*pbgame.State))
		},
		Unmarshal: func(b []byte) (any, error) { s := new(pbgame.State); return s, proto.Unmarshal(b, s) },
	}, {
		Name: "cbor", Make: same, State: state,
		Marshal:   cbor.Marshal,
		Unmarshal: func(b []byte) (any, error) { s := new(work.State); return s, cbor.Unmarshal(b, s) },
	}, {
		Name: "msgpack", Make: same, State: state,
		Marshal:   msgpack.Marshal,
		Unmarshal: func(b []byte) (any, error) { s := new(work.State); return s, msgpack.Unmarshal(b, s) },
	}, {
		Name: "gob", Make: same, State: state,
		Marshal: gobMarshal,
		Unmarshal: func(b []byte) (any, error) {
			s := new(work.State)
			return s, gob.NewDecoder(bytes.NewReader(b)).Decode(s)
		},
	}, {
		Name: "json", Make: same, State: state,
		Marshal:   json.Marshal,
		Unmarshal: func(b []byte) (any, error) { s := new(work.State); return s, json.Unmarshal(b, s) },
	},
}

// Generic is a library that takes maps, slices and numbers.
type Generic struct {
	Name      string
	Make      func(v any) any // from what work.Plain returns
	Marshal   func(v any) ([]byte, error)
	Unmarshal func(b []byte) (any, error)
	Append    func(b []byte, v any) ([]byte, error)
}

func asIs(v any) any { return v }

// Generics lists the libraries that take maps, slices and numbers.
var Generics = []Generic{
	{
		Name: "msgp", Make: asIs,
		Marshal:   func(v any) ([]byte, error) { return msgp.AppendIntf(nil, v) },
		Append:    msgp.AppendIntf,
		Unmarshal: func(b []byte) (any, error) { v, _, err := msgp.ReadIntfBytes(b); return v, err },
	}, {
		Name: "cbor", Make: asIs,
		Marshal:   cbor.Marshal,
		Unmarshal: func(b []byte) (any, error) { var v any; err := cbor.Unmarshal(b, &v); return v, err },
	}, {
		Name: "msgpack", Make: asIs,
		Marshal:   msgpack.Marshal,
		Unmarshal: func(b []byte) (any, error) { var v any; err := msgpack.Unmarshal(b, &v); return v, err },
	}, {
		Name: "json", Make: asIs,
		Marshal:   json.Marshal,
		Unmarshal: func(b []byte) (any, error) { var v any; err := json.Unmarshal(b, &v); return v, err },
	}, {
		Name: "structpb", Make: func(v any) any {
			pb, err := structpb.NewValue(v)
			cases.Must(err)
			return pb
		},
		Marshal: func(v any) ([]byte, error) { return proto.Marshal(v.(*structpb.Value)) },
		Append: func(b []byte, v any) ([]byte, error) {
			return proto.MarshalOptions{}.MarshalAppend(b, v.(*structpb.Value))
		},
		Unmarshal: func(b []byte) (any, error) { v := new(structpb.Value); return v, proto.Unmarshal(b, v) },
	}, {
		Name: "gob", Make: func(v any) any { return &v },
		Marshal: gobMarshal,
		Unmarshal: func(b []byte) (any, error) {
			var v any
			err := gob.NewDecoder(bytes.NewReader(b)).Decode(&v)
			return v, err
		},
	},
}

func init() {
	gob.Register(map[string]any{})
	gob.Register([]any{})
}

func gobMarshal(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func toProto(s *work.State) any {
	vec := func(v work.Vector3) *pbgame.Vector3 { return &pbgame.Vector3{X: v.X, Y: v.Y, Z: v.Z} }
	p := &pbgame.State{Tick: s.Tick}
	for i := range s.Entities {
		e := &s.Entities[i]
		p.Entities = append(p.Entities, &pbgame.Entity{
			Id: e.ID, Name: e.Name, Pos: vec(e.Pos), Vel: vec(e.Vel), Hp: e.HP, Tags: e.Tags,
		})
	}
	return p
}

func fromProto(v any) *work.State {
	vec := func(v *pbgame.Vector3) work.Vector3 { return work.Vector3{X: v.X, Y: v.Y, Z: v.Z} }
	p := v.(*pbgame.State)
	s := &work.State{Tick: p.Tick}
	for _, e := range p.Entities {
		s.Entities = append(s.Entities, work.Entity{
			ID: e.Id, Name: e.Name, Pos: vec(e.Pos), Vel: vec(e.Vel), HP: e.Hp, Tags: e.Tags,
		})
	}
	return s
}

// Register adds the cases of all libraries.
func Register() {
	for _, l := range Structs {
		b, err := l.Marshal(l.Make(work.Game(work.Entities)))
		cases.Must(err)
		add := func(direction string, make func() cases.Run) {
			cases.Add(cases.Case{Workload: "game", Direction: direction, Impl: l.Name, Bytes: len(b), Make: make})
		}
		add(cases.DecodeStructFresh, func() cases.Run {
			return unmarshalRun(append([]byte(nil), b...), l.Unmarshal)
		})
		add(cases.EncodeStructFresh, func() cases.Run {
			return marshalRun(l.Make(work.Game(work.Entities)), l.Marshal)
		})
		if l.Append != nil {
			add(cases.EncodeStruct, func() cases.Run {
				return appendRun(l.Make(work.Game(work.Entities)), l.Append)
			})
		}
	}
	for _, w := range work.Generic() {
		for _, l := range Generics {
			if w == "nest" && l.Name == "cbor" {
				continue // it reads 32 levels by default
			}
			b, err := l.Marshal(l.Make(work.Plain(work.Named(w))))
			if err != nil {
				panic(fmt.Sprint(w, " ", l.Name, ": ", err))
			}
			add := func(direction string, make func() cases.Run) {
				cases.Add(cases.Case{Workload: w, Direction: direction, Impl: l.Name, Bytes: len(b), Make: make})
			}
			add(cases.DecodeValueFresh, func() cases.Run {
				return unmarshalRun(append([]byte(nil), b...), l.Unmarshal)
			})
			add(cases.EncodeValueFresh, func() cases.Run {
				return marshalRun(l.Make(work.Plain(work.Named(w))), l.Marshal)
			})
			if l.Append != nil {
				add(cases.EncodeValue, func() cases.Run {
					return appendRun(l.Make(work.Plain(work.Named(w))), l.Append)
				})
			}
		}
	}
}

// sinks keep results alive that would otherwise not be allocated.
var (
	sink  []byte
	value any
)

func unmarshalRun(b []byte, unmarshal func([]byte) (any, error)) cases.Run {
	return func(n int) {
		for range n {
			v, err := unmarshal(b)
			cases.Must(err)
			value = v
		}
		value = nil
	}
}

func marshalRun(v any, marshal func(any) ([]byte, error)) cases.Run {
	return func(n int) {
		for range n {
			var err error
			sink, err = marshal(v)
			cases.Must(err)
		}
		sink = nil
	}
}

func appendRun(v any, appendTo func([]byte, any) ([]byte, error)) cases.Run {
	var buf []byte
	return func(n int) {
		for range n {
			var err error
			buf, err = appendTo(buf[:0], v)
			cases.Must(err)
		}
	}
}

// Equal reports whether two generic values say the same. Libraries return
// numbers of different types.
func Equal(a, b any) bool {
	if p, ok := a.(*structpb.Value); ok {
		a = p.AsInterface()
	}
	if p, ok := a.(*any); ok {
		a = *p
	}
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if !x.IsValid() || !y.IsValid() {
		return x.IsValid() == y.IsValid()
	}
	number := func(v reflect.Value) (float64, bool) {
		switch {
		case v.CanInt():
			return float64(v.Int()), true
		case v.CanUint():
			return float64(v.Uint()), true
		case v.CanFloat():
			return v.Float(), true
		}
		return 0, false
	}
	if f, ok := number(x); ok {
		g, ok := number(y)
		if x.Kind() == reflect.Float32 || y.Kind() == reflect.Float32 {
			f, g = float64(float32(f)), float64(float32(g)) // JSON says no more of it
		}
		return ok && f == g
	}
	if x.Kind() != y.Kind() {
		return false
	}
	switch x.Kind() {
	case reflect.Map:
		if x.Len() != y.Len() {
			return false
		}
		for _, k := range x.MapKeys() {
			key := k
			if key.Kind() == reflect.Interface {
				key = key.Elem()
			}
			v := y.MapIndex(key)
			if !v.IsValid() || !Equal(x.MapIndex(k).Interface(), v.Interface()) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if x.Len() != y.Len() {
			return false
		}
		for i := range x.Len() {
			if !Equal(x.Index(i).Interface(), y.Index(i).Interface()) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
