package compile

import (
	"bytes"
	"regexp"
	"testing"
)

// lists are records with a list in a row, and the same with repeat.
var lists = []struct{ name, row, repeat string }{
	{"count", `
    | 0 | 1 | u8 | n = count(samples) |
    | 1 | N | Sample[n] | samples | pad 4
    | R | 1 | u8 | after |
`, `
    | 0 | 1 | u8 | n = count(samples) |
    repeat n as samples { | P | L | Sample | sample | } pad 4
    | R | 1 | u8 | after |
`},
	{"number", `
    | 0 | 24 | Fixed[2] | pair |
    | 24 | 1 | u8 | after |
`, `
    repeat 2 as pair { | i*12 | 12 | Fixed | one | }
    | R | 1 | u8 | after |
`},
	{"end", `
    | 0 | 1 | u8 | before |
    | 1 | N | Value[until end] | values |
`, `
    | 0 | 1 | u8 | before |
    repeat until end as values { | P | L | Value | value | }
`},
	{"condition", `
    | 0 | 1 | u8 | more = present(pair) |
    | 1 | 24 | Fixed[2] | pair | if more == 1
`, `
    | 0 | 1 | u8 | more = present(pair) |
    if more == 1 {
        repeat 2 as pair { | 1+i*12 | 12 | Fixed | one | }
    }
`},
}

const elements = `
type Sample { | 0 | 2 | u16 | time | | 2 | 1 | u8 | n = len(note) | | 3 | N | utf8[n] | note | }
type Fixed { | 0 | 4 | u32 | time | | 4 | 8 | f64 | level | }
union Value by kind { | 0 | 1 | u8 | kind | }
arm Value 0 nothing {}
arm Value 1 list { | 1 | 1 | u8 | n = count(inner) | | 2 | N | Value[n] | inner | }
`

// A list in a row has the program of a repeat with one row, and so its plans.
func TestListRows(t *testing.T) {
	for _, c := range lists {
		t.Run(c.name, func(t *testing.T) {
			var all []string
			for _, body := range []string{c.row, c.repeat} {
				s, err := resolve("lists", `schema "lists" { title "Lists" order big root T }`+"\ntype T {"+body+"}"+elements)
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				if err := programs(t, s)[0].List(&out, nil); err != nil {
					t.Fatal(err)
				}
				all = append(all, place.ReplaceAllString(out.String(), ""))
			}
			if all[0] != all[1] {
				t.Errorf("programs differ:\n%s\n%s", all[0], all[1])
			}
		})
	}
}

// place matches the line of a schema that an instruction comes from.
var place = regexp.MustCompile(`\s*; .*`)
