package codec_test

import (
	"bytes"
	"fmt"

	"github.com/octable/octable/codec/compiler"
)

func ExampleCodec_Records() {
	c, err := compiler.New(`schema "log" {
	order big
	root  Log
}

type Log {
	| 0 | 4 | u32              | magic = 0x4c4f4721 | "the letters LOG!"
	| 4 | N | Entry[until end] | entries            | "entries"
}

type Entry {
	| 0 | 4 | u32          | time               | "seconds since 1970"
	| 4 | 2 | u16          | length = len(text) | "bytes of the text"
	| 6 | N | utf8[length] | text               | "the text"
}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	// A file larger than memory works as well.
	file := bytes.NewReader([]byte("LOG!\x00\x00\x00\x07\x00\x05hello\x00\x00\x00\x08\x00\x05world\x00\x00\x00\x09\x00\x05?"))
	for entry, err := range c.Records(file) {
		if err != nil {
			fmt.Println(err)
			break
		}
		var e struct {
			Time int    `octable:"time"`
			Text string `octable:"text"`
		}
		if err := entry.To(&e); err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(e.Time, e.Text)
	}
	// Output:
	// 7 hello
	// 8 world
	// codec: byte 32, at .entries[2]: the input ends too early: expected 5 bytes for Entry.text, found 1 (Entry.text, schema.oct:14)
}
