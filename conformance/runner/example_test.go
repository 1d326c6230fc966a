package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/conformance/protocol"
	"github.com/octable/octable/conformance/runner"
	"github.com/octable/octable/conformance/vectors"
)

// ints is a codec that only knows int, and forgets that it may be negative.
type ints struct{}

func (ints) About() protocol.About {
	return protocol.About{Protocol: protocol.Version, Name: "ints", Ops: []protocol.Op{protocol.Decode},
		Specs: []string{"godot-4.4"}, Lacks: []string{"String"}}
}

func (ints) Decode(_ string, b []byte, _ bool) (json.RawMessage, int, error) {
	if len(b) < 8 || b[0] != 2 {
		return nil, 0, errors.New("no int")
	}
	n := uint32(b[4]) | uint32(b[5])<<8 | uint32(b[6])<<16 | uint32(b[7])<<24
	value, err := godot.NewInt(int64(n)).MarshalJSON()
	return value, 8, err
}

func (ints) Encode(string, json.RawMessage, bool) ([]byte, error) {
	return nil, &protocol.Lack{What: "encode"}
}

func (ints) Recode(string, []byte, bool) ([]byte, int, error) {
	return nil, 0, &protocol.Lack{What: "recode"}
}

// A codec in Go is run where it is. In a test, [runner.Check] reports what fails.
func ExampleConform() {
	suite := &vectors.Suite{Format: vectors.Format, Schema: "godot-4.4", Cases: []vectors.Case{
		{ID: "int/one", Type: "int", Uses: []string{"int"}, Result: vectors.Valid, Level: vectors.Must, Bytes: "0200000001000000", Value: json.RawMessage("1")},
		{ID: "int/negative", Type: "int", Uses: []string{"int"}, Result: vectors.Valid, Level: vectors.Must, Bytes: "02000000ffffffff", Value: json.RawMessage("-1")},
		{ID: "int/short", Type: "int", Uses: []string{"int"}, Result: vectors.Invalid, Level: vectors.Must, Bytes: "02000000", Error: &vectors.Error{Kind: "truncated", Offset: 4}},
		{ID: "String/empty", Type: "String", Uses: []string{"String"}, Result: vectors.Valid, Level: vectors.Must, Bytes: "0400000000000000", Value: json.RawMessage(`""`)},
	}}
	run, err := runner.Conform(context.Background(), suite, runner.Local(ints{}, 0), runner.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range run.Results {
		fmt.Println(run.Results[i].Verdict, run.Results[i].Sentence())
	}
	// Output:
	// pass decode int/one: exact bytes
	// fail decode int/negative: wrong value: it is 4294967295, and should be -1 (int.value, byte 4)
	// pass decode int/short: refused rightly
	// unsupported decode String/empty: unsupported
}
