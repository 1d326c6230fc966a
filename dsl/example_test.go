package dsl_test

import (
	"fmt"

	"github.com/octable/octable/dsl"
)

func ExampleParse() {
	_, err := dsl.Parse("message.oct", []byte(`
type Message {
    | 0 | 4 | u32 length = len(text) | "length in bytes"
    | 4 | N | utf8[length] | text | "the text"
}

schema "messages" { order litle }
`))
	fmt.Println(err)
	// Output:
	// message.oct:3:19: E101: `|` is missing before `length`
	//         | 0 | 4 | u32 length = len(text) | "length in bytes"
	//                       ^~~~~~
	//     hint: it is written: | offset | length | type | name | "description"
	// message.oct:7:27: E101: `litle` is unexpected here
	//     schema "messages" { order litle }
	//                               ^~~~~
	//     hint: did you mean `little`?
}

func ExampleFormat() {
	f, err := dsl.Parse("message.oct", []byte(`type Message { // sent by the client
 |0|4|u32|length=len(text)|"length in bytes"
 |4|N|utf8[length]|text|"the text" pad 4 any}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", dsl.Format(f))
	// Output:
	// type Message { // sent by the client
	//     | 0 | 4 | u32          | length = len(text) | "length in bytes"
	//     | 4 | N | utf8[length] | text               | "the text" pad 4 any
	// }
}

func ExampleWalk() {
	f, err := dsl.Parse("sizes.oct", []byte("type Empty {}\nunion Any(kind) by kind {}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	dsl.Walk(f, func(node any) bool {
		if name, ok := node.(*dsl.Name); ok {
			fmt.Println(name.Pos, name.Text)
		}
		return true
	})
	// Output:
	// sizes.oct:1:6 Empty
	// sizes.oct:2:7 Any
	// sizes.oct:2:11 kind
	// sizes.oct:2:20 kind
}
