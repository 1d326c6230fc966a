package codec_test

import (
	"errors"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
)

// TestConditionWithoutNumbers reads a record inside of another one, with a condition that no register is in, into a struct.
func TestConditionWithoutNumbers(t *testing.T) {
	c, err := compiler.New(`schema "never" {
    root T
}

type Pair {
    | 0 | 8 | f64 | x |
    | 8 | 8 | f64 | y | check 128 / 255 "nothing is a pair"
}

type T {
    | 0  | 16 | Pair | origin            |
    | 16 | 4  | u32  | n = count(points) |
    repeat n as points {
        | 20+i*16 | 8 | f64 | x |
        | 28+i*16 | 8 | f64 | y |
    }
}
`)
	if err != nil {
		t.Fatal(err)
	}
	var x struct {
		Origin struct {
			X float64 `octable:"x"`
			Y float64 `octable:"y"`
		} `octable:"origin"`
		Points [][2]float64 `octable:"points"`
	}
	if err := c.Unmarshal(make([]byte, 20), &x); !errors.Is(err, codec.ErrValue) {
		t.Errorf("error %v, want a refused value", err)
	}
}
