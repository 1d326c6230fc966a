package examples

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// next is the schema of the record that is not embedded.
const next = "../../spec/next/godot-next.oct"

// recorded is an example that a schema once had in its file.
type recorded struct {
	line   int
	choice string
	gates  []string
	text   string
	*schema.Example
}

// TestRecord checks the record of all examples that schemas had before examples were inherited.
// Each holds for the program of its schema. TestNeeded compares it with the examples.
func TestRecord(t *testing.T) {
	for id, list := range record(t) {
		name := id
		if id == "godot-next" {
			name = next
		}
		s, err := compile.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			for _, g := range e.gates {
				e.Open = append(e.Open, s.Gate(g))
			}
		}
		for _, choice := range s.Choices() {
			c, err := s.With(choice)
			if err != nil {
				t.Fatal(err)
			}
			p, err := compile.Schema(c)
			if err != nil {
				t.Fatal(err)
			}
			r, err := newRunner(c, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				if e.choice != "" && e.choice != choice {
					continue
				}
				if e.choice != "" {
					e.Choice = c.Choice
				}
				if wrong := r.run(e.Example); wrong != "" {
					t.Errorf("record.txt:%d: %s %s: %s: %s", e.line, id, choice, wrong, e.text)
				}
			}
		}
	}
}

// record reads the record. A line has the schema, the choice that the example is about,
// the gates that are open, and the example.
func record(t *testing.T) map[string][]*recorded {
	text, err := os.ReadFile("testdata/record.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]*recorded{}
	var body bytes.Buffer
	var list []*recorded
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			t.Fatalf("record.txt:%d has %d columns", i+1, len(f))
		}
		e := &recorded{line: i + 1, choice: f[1], text: f[3]}
		if f[2] != "" {
			e.gates = strings.Split(f[2], ",")
		}
		all[f[0]] = append(all[f[0]], e)
		list = append(list, e)
		fmt.Fprintln(&body, f[3])
	}
	f, err := dsl.Parse("record.oct", []byte("schema \"record\" { root T }\ntype T {\n| 0 | 1 | u8 | x | \"\"\n"+body.String()+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range s.Record("T").Examples {
		list[i].Example = e
	}
	return all
}
