package compiler_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/codec/compiler"
)

func Example() {
	c, err := compiler.New(`schema "sample" {
	order little
	root  Sample
}

type Sample {
	| 0 | 2 | u16 | id    | "a number"
	| 2 | 4 | f32 | level | "its level"
}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	var s struct {
		ID    int     `octable:"id"`
		Level float32 `octable:"level"`
	}
	err = c.Unmarshal([]byte{7, 0, 0, 0, 0x20, 0x40}, &s)
	fmt.Println(s, err)
	// Output: {7 2.5} <nil>
}

func TestNewError(t *testing.T) {
	_, err := compiler.New("schema \"x\" {\n\troot Missing\n}\n")
	if err == nil || !strings.Contains(err.Error(), "schema.oct:2") {
		t.Errorf("got %v", err)
	}
}
