package notation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/interp/notation"
)

const parts = `schema "parts" { root Album }

type Album {
    | 0 | 1 | u8     | n = count(shots)  | "number of shots"
    repeat n as shots {
        | P | N | Shot | shot | "a shot"
    }
    | A   | 1   | u8     | k = count(names)  | "number of names"
    map k as names {
        | B | C | Text | key   | "a name"
        | D | E | Shot | value | "a shot"
    }
    | F   | 1   | u8     | j = count(ages)   | "number of ages"
    map j as ages {
        | G   | 1 | i8 | key   | "a number"
        | G+1 | 1 | u8 | value | "an age"
    }
    | H   | 1   | u8     | m = count(levels) | "number of levels"
    | H+1 | 2*m | i16[m] | levels            | "levels"
    | I   | 1   | u8     | wide              | "whether there is a note"
    | I+1 | T   | Text   | note              | "a note" if wide == 1
    | J   | 1   | u8     | l = count(sizes) | "number of sizes"
    map l as sizes {
        | K   | 1 | u8 | key   | "a number"
        | K+1 | 1 | u8 | value | "a size"
    }
    repeat until end as rest {
        | Q | R | Text | word | "a word"
    }
}

type Text {
    | 0 | 1 | u8      | n = len(text) | "length"
    | 1 | N | utf8[n] | text          | "a text"
}

union Shot by kind {
    | 0 | 1 | u8 | kind | "kind"
}

arm Shot 0 none {}

arm Shot 1 at {
    | 1 | 2 | i16 | x | "from the left"
    | 3 | 2 | i16 | y | "from the top"
}

arm Shot 2 many {
    | 1 | 1 | u8 | n = count(shots) | "number of shots"
    repeat n as shots {
        | P | N | Shot | shot | "a shot"
    }
}

arm Shot 3 sized {
    | 1 | 1 | u8   | size | "a size"
    | 2 | S | Text | name | "a name"
}
`

// TestApply checks that a change of one part gives the value that is written with that part. The old value is
// unchanged.
func TestApply(t *testing.T) {
	n := notationOf(t, parts)
	type path = []any
	const before = `{shots: [at(1, 2), many([none, at(3, 4)]), sized({size: 5, name: "a"})], names: {"x": at(5, 6), "y": none}, ages: {-1: 2, 3: 4}, levels: [7, 8, 9], wide: 1, note: "b", sizes: {1: 2}, rest: ["p", "q"]}`
	for _, test := range []struct {
		verb       notation.Verb
		path       path
		value      string
		part, want string // what the change has in place of a part of the text; or "" and the error
	}{
		{notation.Set, path{"wide"}, `0`, `wide: 1`, `wide: 0`},
		{notation.Set, path{"shots", 0}, `none`, `[at(1, 2), many`, `[none, many`},
		{notation.Set, path{"shots", 0, 1}, `-2`, `at(1, 2)`, `at(1, -2)`},
		{notation.Set, path{"shots", 1, "shots", -1}, `none`, `[none, at(3, 4)]`, `[none, none]`},
		{notation.Set, path{"shots", 1, 0}, `many([])`, `[none, at(3, 4)]`, `[many([]), at(3, 4)]`},
		{notation.Set, path{"shots", 2, "name"}, `"c"`, `name: "a"`, `name: "c"`},
		{notation.Set, path{"names", "y"}, `at(0, 1)`, `"y": none`, `"y": at(0, 1)`},
		{notation.Set, path{"names", "x", 0}, `9`, `at(5, 6)`, `at(9, 6)`},
		{notation.Set, path{"ages", -1}, `5`, `-1: 2`, `-1: 5`},
		{notation.Set, path{"levels"}, `[]`, `[7, 8, 9]`, `[]`},
		{notation.Set, path{"levels", -1}, `-9`, `8, 9`, `8, -9`},
		{notation.Add, path{"shots", nil}, `none`, `name: "a"})]`, `name: "a"}), none]`},
		{notation.Add, path{"shots", 1}, `none`, `many(`, `none, many(`},
		{notation.Add, path{"names", "z"}, `none`, `"y": none`, `"y": none, "z": none`},
		{notation.Add, path{"ages", -5}, `6`, `3: 4`, `3: 4, -5: 6`},
		{notation.Add, path{"levels", 1}, `0`, `7, 8`, `7, 0, 8`},
		{notation.Add, path{"levels", nil}, `0`, `8, 9`, `8, 9, 0`},
		{notation.Add, path{"rest", nil}, `"r"`, `"q"]}`, `"q", "r"]}`},
		{notation.Set, path{"sizes", 1}, `3`, `1: 2}, rest`, `1: 3}, rest`},
		{notation.Delete, path{"shots", 1, "shots", 0}, ``, `[none, at(3, 4)]`, `[at(3, 4)]`},
		{notation.Delete, path{"names", "x"}, ``, `"x": at(5, 6), `, ``},
		{notation.Delete, path{"levels", 0}, ``, `[7, `, `[`},
		{notation.Delete, path{"note"}, ``, `, note: "b"`, ``},

		{notation.Delete, path{}, ``, ``, `the path of an element, a key or a field is needed`},
		{notation.Set, path{"width"}, `0`, ``, `"width" is not in the value; its fields are {shots: …, names: …, ages: …, levels: …, wide: …, note: …, sizes: …, rest: …}`},
		{notation.Set, path{"wide", "a"}, `0`, ``, `"a" is not in "wide"; it has no parts with names`},
		{notation.Set, path{"wide"}, `"x"`, ``, `"x" is not a value of wide, which is an integer`},
		{notation.Add, path{"wide"}, `0`, ``, `the field "wide" is there; leave add out to set it`},
		{notation.Set, path{"shots", 3}, `none`, ``, `3 is not in "shots"; the list has 3 elements, from [0] on`},
		{notation.Set, path{"shots", -4}, `none`, ``, `-4 is not in "shots"; the list has 3 elements, from [0] on`},
		{notation.Set, path{"shots", nil}, `none`, ``, `<nil> is not in "shots"; the list has 3 elements, from [0] on`},
		{notation.Set, path{"shots", "a"}, `none`, ``, `"a" is not in "shots"; the list has 3 elements, from [0] on`},
		{notation.Set, path{"shots", 0, 2}, `0`, ``, `2 is not in 0; there are 2 numbers, from [0] on`},
		{notation.Delete, path{"shots", 0, 1}, ``, ``, `1 is not in 0; the number of its numbers is fixed`},
		{notation.Add, path{"names", "x"}, `none`, ``, `the key "x" is there; leave add out to set it`},
		{notation.Add, path{"names", 5}, `none`, ``, `5 is not a value of text, which is a text in quotes`},
		{notation.Add, path{"names", "w"}, `5`, ``, `5 is not a value of Shot; begin it with the name of an arm: none, at, many, sized`},
		{notation.Delete, path{"names", "w"}, ``, ``, `"w" is not in "names"; there is no such key`},
		{notation.Set, path{"sizes", -1}, `0`, ``, `-1 is not in "sizes"; there is no such key`},
		{notation.Set, path{"names"}, `5`, ``, `5 is not a value of names, which is pairs of keys and values`},
		{notation.Delete, path{"names", nil}, ``, ``, `<nil> is not in "names"; a map has keys; name one`},
		{notation.Set, path{"levels", 3}, `0`, ``, `3 is not in "levels"; there are 3 numbers, from [0] on`},
		{notation.Set, path{"levels", 0}, `70000`, ``, `70000 is not a number that i16 holds`},
		{notation.Set, path{"levels", 0, 0}, `0`, ``, `0 is not in "levels"; only single numbers are changed; set all of it`},
	} {
		t.Run(fmt.Sprint(test.verb, test.path, test.value), func(t *testing.T) {
			v, err := n.Parse(before)
			if err != nil {
				t.Fatal(err)
			}
			c := &notation.Change{Verb: test.verb, Path: test.path}
			for _, step := range test.path {
				c.Steps = append(c.Steps, fmt.Sprintf("%#v", step))
			}
			if test.value != "" {
				if c.Value, _, err = notation.ParsePart(test.value); err != nil {
					t.Fatal(err)
				}
			}
			want := test.want
			if test.part != "" {
				want = strings.Replace(before, test.part, test.want, 1)
			}
			got, err := n.Apply(v, c)
			text := n.String(got)
			if err != nil {
				text = err.Error()
			}
			if text != want {
				t.Errorf("got  %s\nwant %s", text, want)
			}
			if now := n.String(v); now != before {
				t.Errorf("the old value is now %s", now)
			}
		})
	}
}
