package dsl

import (
	"strings"
	"testing"
)

// TestWalk asks that every name, text and number of a file is found, once and at
// its place.
func TestWalk(t *testing.T) {
	for name, text := range schemas(t) {
		f, err := Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[Pos]bool{}
		Walk(f, func(node any) bool {
			switch n := node.(type) {
			case *Name:
				if !strings.HasPrefix(f.Source[n.Pos.Offset:], n.Text) {
					t.Errorf("%v: no %s here", n.Pos, n.Text)
				}
				if seen[n.Pos] {
					t.Errorf("%v: visited twice", n.Pos)
				}
				seen[n.Pos] = true
			case *Str:
				seen[n.Pos] = true
			case *Num:
				seen[n.Pos] = true
			}
			return true
		})
		for _, tok := range scan(name, f.Source) {
			if (tok.Type == stringToken || tok.Type == numberToken) && !seen[tok.Pos] {
				t.Errorf("%v: %s was not visited", tok.Pos, tok.Value)
			}
		}
	}
}

func TestWalkStops(t *testing.T) {
	f, err := Parse("walk.oct", []byte("type A {}\ntype B {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	Walk(f, func(node any) bool {
		count++
		_, file := node.(*File)
		return file
	})
	if count != 3 {
		t.Errorf("%d nodes, want the file and 2 declarations", count)
	}
	Walk((*File)(nil), func(any) bool { t.Error("visited nothing"); return true })
	Walk((*Name)(nil), func(any) bool { t.Error("visited nothing"); return true })
}

func TestNameAt(t *testing.T) {
	f, err := Parse("walk.oct", []byte("type  ALPHA  {}\nunion B(ALPHA) by ALPHA {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, column int
		want         string
	}{{1, 7, "ALPHA"}, {1, 12, "ALPHA"}, {1, 13, ""}, {1, 6, ""}, {2, 7, "B"}, {2, 13, "ALPHA"}, {3, 1, ""}} {
		if got := NameAt(f, c.line, c.column).String(); got != c.want {
			t.Errorf("%d:%d: %q, want %q", c.line, c.column, got, c.want)
		}
	}
}
