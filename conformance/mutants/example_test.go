package mutants_test

import (
	"fmt"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/mutants"
	"github.com/octable/octable/conformance/reach"
)

// The mistakes in reading and writing strings that two strings find.
func ExampleBench() {
	m := raw.Machine(codec.MustLoad("godot-4.4"))
	b := mutants.NewBench(m, mutants.Results)
	for _, s := range []string{"test", "größe"} {
		v := godot.NewString(s)
		packet, err := codec.MustLoad("godot-4.4").Encode(v)
		if err != nil {
			fmt.Println(err)
			return
		}
		b.Add(mutants.Case{Decode: true, Bytes: packet, Encode: true, Value: raw.Value(v)})
	}
	all, _ := mutants.Of(m.Program())
	for i, killer := range b.Score(all, 0) {
		if mu := all[i]; mu.Row.Name == "String.text" && killer == 1 {
			fmt.Println(mu.ID)
			fmt.Println("   ", mu.About)
		}
	}
	// Output:
	// String.text/characters/write
	//     writing, characters are counted, and as many bytes are written
	// String.text/unpadded/read
	//     reading, there is no padding
	// String.text/unpadded/write
	//     writing, there is no padding
	// String.text/filled/write
	//     writing, padding is not zero
}

// A mutant that nobody can tell, and why.
func ExampleEquivalent() {
	m := raw.Machine(codec.MustLoad("godot-4.4"))
	known := reach.Of(m, reach.Setup{})
	all, _ := mutants.Of(m.Program())
	for _, mu := range all {
		if mu.ID == "PackedInt32Array.numbers/padded/read" {
			fmt.Println(mu.About)
			fmt.Println(mutants.Equivalent(mu, known, mutants.Offsets))
		}
	}
	// Output:
	// reading, it is padded to a multiple of 4
	// there are always a multiple of 4 bytes before it, so there is no padding either way true
}
