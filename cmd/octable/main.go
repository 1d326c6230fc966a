package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/compile"
)

func main() {
	p, err := compile.Program(os.Args[1], "")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := codec.New(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range os.Args[2:] {
		f, _ := os.Open(name)
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 64<<20)
		vals, ok, dam, dok := 0, 0, 0, 0
		shown := 0
		for sc.Scan() {
			var l struct {
				Kind, Hex, Again, How, Text string
				Accepted, Objects           bool
			}
			json.Unmarshal(sc.Bytes(), &l)
			cc, _ := c.With(codec.Options{Objects: l.Objects})
			b, _ := hex.DecodeString(l.Hex)
			v, _, err := cc.Decode(b)
			var out []byte
			var eerr error
			if err == nil {
				out, eerr = cc.Encode(v)
			}
			good := false
			if l.Kind == "random" {
				vals++
				good = err == nil && eerr == nil && bytes.Equal(out, b)
				if good {
					ok++
				}
			} else {
				dam++
				want, _ := hex.DecodeString(l.Again)
				good = l.Accepted == (err == nil) && (err != nil || len(want) == 0 || bytes.Equal(out, want))
				if good {
					dok++
				}
			}
			if !good && shown < 6 {
				shown++
				fmt.Printf("%s %s acc=%v\n in    %.200s\n again %.200s\n ours  %.200x\n err %v / %v\n", l.Kind, l.How, l.Accepted, l.Hex, l.Again, out, err, eerr)
			}
		}
		fmt.Println(name, ok, vals, dok, dam)
	}
}
