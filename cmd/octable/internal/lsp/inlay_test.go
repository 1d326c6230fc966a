package lsp

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema"
)

// hintsOf returns the inlay hints of a file by the places behind which they are.
func hintsOf(s *snapshot, name string) map[position]string {
	out := map[position]string{}
	p := place{s, name, s.docs[name].text, 0}
	for _, h := range p.letters(everything) {
		out[h.Position] = h.Label
	}
	return out
}

// cells has the numbers that letters and fields represent: those of letters of places from their hints, and
// any others.
type cells map[string]int64

// of returns the number of a cell, or false if it is no sum of products.
func (c cells) of(e *dsl.Expr) (int64, bool) {
	switch {
	case e.Num != nil:
		var n int64
		_, err := fmt.Sscan(e.Num.Text, &n)
		return n, err == nil
	case e.Sub != nil:
		return c.of(e.Sub)
	case e.Name != nil && !e.IsCall:
		if _, ok := c[e.Name.Text]; !ok {
			c[e.Name.Text] = int64(1000 + 77*len(c))
		}
		return c[e.Name.Text], true
	case len(e.Args) != 2:
		return 0, false
	}
	a, ok1 := c.of(e.Args[0])
	b, ok2 := c.of(e.Args[1])
	switch e.Op {
	case "+":
		return a + b, ok1 && ok2
	case "-":
		return a - b, ok1 && ok2
	case "*":
		return a * b, ok1 && ok2
	}
	return 0, false
}

// label returns the number of a hint.
func (c cells) label(t *testing.T, label string) (int64, bool) {
	f, err := dsl.Parse("x.oct", []byte("schema \"x\" { root T }\ntype T {\n| "+label[2:]+" | 1 | u8 | x |\n}\n"))
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	return c.of(f.Decls[1].Type.Items[0].Row.Offset)
}

// TestInlayHintsEverywhere checks hints for letters. Each letter of an offset behind a row has a hint with the
// end of that row, and each letter of the length of an array or a text has a hint.
func TestInlayHintsEverywhere(t *testing.T) {
	offsets, lengths := 0, 0
	for _, s := range corpora(t) {
		for _, name := range long.Part(3, slices.Sorted(maps.Keys(s.docs))) {
			d := s.docs[name]
			files, err := s.lineage(name)
			if err != nil {
				t.Fatal(err)
			}
			if resolved, err := schema.Resolve(files[len(files)-1], s.loader(name)); err != nil || resolved.Root == nil {
				continue // a library
			}
			x, hints := s.index(name, files), hintsOf(s, name)
			hint := func(e *dsl.Expr) (string, bool) {
				n := x.at(e.Pos.Offset)
				declares := n != nil && n.Declares && n.To.Sort == schema.LetterName && n.Pos.Offset == e.Pos.Offset && n.Text == e.Text(true)
				return hints[d.text.span(e.Pos.Offset, e.Pos.Offset+len(e.Text(true))).End], declares
			}
			block := func(items []*dsl.Item) {
				env := cells{}
				var before *dsl.Row
				for _, i := range items {
					row := i.Row
					if row == nil || row.Offset == nil {
						before = nil
						continue
					}
					if label, declares := hint(row.Offset); declares && label != "" {
						got, ok := env.label(t, label)
						if before != nil {
							at, ok1 := env.of(before.Offset)
							n, ok2 := env.of(before.Length)
							if ok && ok1 && ok2 && got != at+n {
								t.Errorf("%s:%d: the offset %s is not the end of the row before", name, row.Pos.Line, label)
							}
							offsets++
						}
						env[row.Offset.Text(true)] = got
					} else if declares && before != nil {
						t.Errorf("%s:%d: no hint for the offset", name, row.Pos.Line)
					}
					label, declares := hint(row.Length)
					if declares && row.Type != nil && row.Type.Extent != nil {
						if lengths++; label == "" {
							t.Errorf("%s:%d: no hint for the length", name, row.Pos.Line)
						}
					}
					if before = row; len(row.Others) > 0 || row.By != nil || slices.ContainsFunc(row.Attrs, func(a *dsl.Attr) bool { return a.Pad != nil || a.When != nil }) {
						before = nil
					}
				}
			}
			dsl.Walk(x.file(), func(node any) bool {
				switch n := node.(type) {
				case *dsl.Type:
					block(n.Items)
				case *dsl.Arm:
					block(n.Items)
				}
				return true
			})
		}
	}
	if t.Logf("%d offsets, %d lengths", offsets, lengths); offsets < long.Number(8, 20) || lengths < long.Number(50, 150) {
		t.Errorf("%d offsets, %d lengths", offsets, lengths)
	}
}
