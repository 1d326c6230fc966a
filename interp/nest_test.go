package interp_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/interp"
)

// TestNest: records in records that no depth counts are refused beyond a limit, by plans and by the instructions alike.
func TestNest(t *testing.T) {
	const levels = 75 // more than MaxDepth 1 allows
	for name, c := range map[string]struct {
		rows  string // of a type around the next one, N; a digit is the number of the type
		bytes string
	}{
		"records":           {"| 0 | 1 | u8 | y |\n| 1 | A | N | x |", "\x07"},
		"optional records":  {"| 0 | 1 | u8 | y |\nif y == 7 { | 1 | A | N | x | }", "\x07"},
		"records at places": {"| 0 | 1 | u8 | y |\n| 1 | 1 | u8 | s = size(x) |\n| 2 | s | N | x |\n", "\x07s"},
		"lists":             {"| 0 | 1 | u8 | n = count(list) |\nrepeat n as list { | P | A | N | value | }", "\x01"},
		"lists to the end":  {"| 0 | 1 | u8 | s = size(list) |\n| 1 | s | N[until end] | list |", "s"},
		"lists to a record": {"| 0 | 1 | u8 | y |\n| 1 | A | N[until y == 7] | list |", "\x07"},
		"arguments":         {"| 0 | 1 | u8 | y |\n| 1 | A | N(y) | x |", "\x07"},
	} {
		var schema strings.Builder
		schema.WriteString("schema \"nest\" {\n    order big\n    root T0\n}\n")
		packet := []byte{}
		for i := range levels {
			rows := strings.NewReplacer(" N", fmt.Sprint(" T", i+1)).Replace(c.rows)
			params := ""
			if name == "arguments" && i > 0 {
				params = "(k)"
			}
			fmt.Fprintf(&schema, "type T%d%s {\n%s\n}\n", i, params, rows)
			packet = append(packet, c.bytes...)
			switch name {
			case "records at places":
				packet[len(packet)-1] = byte(2*(levels-1-i) + 1)
			case "lists to the end":
				packet[len(packet)-1] = byte(levels - i)
			}
		}
		params := ""
		if name == "arguments" {
			params = "(k)"
		}
		fmt.Fprintf(&schema, "type T%d%s {\n| 0 | 1 | u8 | y |\n| 1 | 1 | u8 | z | if y != 7\n}\n", levels, params)
		packet = append(packet, 7)
		m := machineOf(t, schema.String())
		v, _, err := m.Decode(packet, interp.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if g, err := m.NewGenerator(interp.GenerateOptions{MaxDepth: 1}); err == nil {
			least, _ := g.Generate(nil)
			if _, err := m.Encode(least, interp.Options{MaxDepth: 1}); err != nil {
				t.Errorf("%s: the least value: %v", name, err)
			}
		}
		nothing := interp.ObserverFunc(func(*interp.Event) {})
		for _, opt := range []interp.Options{{}, {MaxDepth: 1}} {
			b, err := m.Encode(v, opt)
			b2, err2 := m.AppendObserved(nil, v, opt, nothing)
			w, _, err3 := m.Decode(packet, opt)
			_, _, err4 := m.DecodeObserved(packet, opt, nothing)
			if fmt.Sprint(err) != fmt.Sprint(err2) || fmt.Sprint(err3) != fmt.Sprint(err4) {
				t.Errorf("%s: written %v, %v; read %v, %v", name, err, err2, err3, err4)
			}
			if opt.MaxDepth == 0 {
				if err != nil || err3 != nil || !bytes.Equal(b, packet) || !bytes.Equal(b2, packet) || !interp.Identical(v, w, true) {
					t.Errorf("%s: % x, %v, %v", name, b, err, err3)
				}
			} else if !isDepth(err) || !isDepth(err3) {
				t.Errorf("%s: written %v, read %v", name, err, err3)
			}
		}
	}
}

// TestNestEnds: plans and the instructions refuse the same records in records, if the innermost one has elements.
func TestNestEnds(t *testing.T) {
	for name, c := range map[string]struct{ rows, bytes string }{
		"truths": {"type T { repeat until end as list { | P | 1 | bool8 | z | } }", "\x00\x01"},
		"texts":  {"type T { repeat until end as list {\n| P | 1 | u8 | k = len(s) |\n| P+1 | K | utf8[k] | s |\n} }", "\x01a"},
		"arms": {`type T { repeat until end as list { | P | N | U | u | } }
union U by kind { | 0 | 1 | u8 | kind | }
arm U 0 none {}
arm U 1 one { | 1 | N | R | x | }
arm U else other { refuse "no such number" }
type R { | 0 | 1 | u8 | k = count(list) |
repeat k as list { | P | 1 | u8 | y | | P+1 | 1 | u8 | z | if y > 1 } }`, "\x00\x01\x01\x00"},
	} {
		refused := [2]int{}
		for levels := 60; levels < 75; levels++ {
			schema := "schema \"nest\" {\n    order big\n    root T0\n}\n"
			for i := range levels {
				schema += fmt.Sprintf("type T%d {\n| 0 | 1 | u8 | y |\n| 1 | A | T%d | x |\n}\n", i, i+1)
			}
			m := machineOf(t, schema+strings.Replace(c.rows, "type T ", fmt.Sprintf("type T%d ", levels), 1))
			packet := append(bytes.Repeat([]byte{7}, levels), c.bytes...)
			v, _, err := m.Decode(packet, interp.Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			nothing := interp.ObserverFunc(func(*interp.Event) {})
			opt := interp.Options{MaxDepth: 1}
			b, err := m.Encode(v, opt)
			b2, err2 := m.AppendObserved(nil, v, opt, nothing)
			w, _, err3 := m.Decode(packet, opt)
			w2, _, err4 := m.DecodeObserved(packet, opt, nothing)
			if fmt.Sprint(err) != fmt.Sprint(err2) || fmt.Sprint(err3) != fmt.Sprint(err4) || !bytes.Equal(b, b2) || !interp.Identical(w, w2, true) {
				t.Errorf("%s, %d levels: written %v, %v; read %v, %v", name, levels, err, err2, err3, err4)
			}
			for i, err := range []error{err, err3} {
				if isDepth(err) {
					refused[i]++
				} else if err != nil {
					t.Errorf("%s, %d levels: %v", name, levels, err)
				}
			}
		}
		if min(refused[0], refused[1]) < 5 || max(refused[0], refused[1]) > 10 {
			t.Errorf("%s: %v of 15 are refused", name, refused)
		}
	}
}

// isDepth reports whether an error says that a value is nested too deeply.
func isDepth(err error) bool {
	var e *interp.Error
	return errors.As(err, &e) && e.Kind == interp.ErrDepth && strings.Contains(e.Expected, "at most 68 levels of records in records")
}
