// The example of a README: a value as an expression of the language, and its bytes.

package project

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/vectors"
)

// example is a value of a README.
type example struct {
	Value   string   // an expression, "" if the language has no dialect
	Classes []string // that it names
	Bytes   string   // hexadecimal digits
	Used    int
	size    int // letters of the value, or its bytes without a dialect
	says    int // bytes, of which equal ones in a row count once
}

// longest is the most letters of the value of an example.
const longest = 300

// example returns the example of the README. It is that of [Input.longestOf], of the examples of the schema or else of
// the vectors.
func (in *Input) example() (*example, error) {
	var all [][]byte
	if in.Schema != nil {
		for _, body := range in.Schema.Bodies() {
			for _, e := range body.Examples {
				if e.Value != nil && len(e.Open) == 0 {
					all = append(all, e.Bytes)
				}
			}
		}
	}
	best, err := in.longestOf(all)
	if err != nil || best != nil && best.size <= longest {
		return best, err
	}
	for i := range in.Suite.Cases {
		if c := &in.Suite.Cases[i]; c.Result == vectors.Valid && !c.Objects {
			b, err := hex.DecodeString(c.Bytes)
			if err != nil {
				return nil, err
			}
			all = append(all, b)
		}
	}
	if best, err = in.longestOf(all); err == nil && best == nil {
		err = fmt.Errorf("no example or vector of %s has a value that code in %s reads and writes unchanged; write an example into the schema", in.Model.Schema, in.Language.Name)
	}
	return best, err
}

// longestOf returns the example with the most bytes whose value is not too long, of packets that are valid. Equal bytes in a row
// count once. If all are too long, it is the shortest one.
func (in *Input) longestOf(packets [][]byte) (*example, error) {
	show := in.shower(in.language())
	c, err := in.reader(false)
	if err != nil {
		return nil, err
	}
	var members [][]string
	if show != nil {
		for _, t := range in.Model.Types {
			members = append(members, append([]string{"$type"}, show.Members(t)...))
		}
	}
	var best *example
	for _, b := range packets {
		v, used, err := c.Decode(b)
		if err != nil || used != len(b) {
			continue
		}
		written, err := c.Encode(v)
		if err != nil || string(written) != string(b) {
			continue
		}
		e := &example{Bytes: hex.EncodeToString(b), Used: used}
		n := len(b)
		if show != nil {
			shown, ok := show.Show(raw.Value(v))
			if !ok || show.Loses(raw.Value(v)) {
				continue
			}
			// As from the file of vectors: numbers, texts, lists and objects of JSON alone.
			text, err := json.Marshal(shown)
			if err != nil {
				return nil, err
			}
			var x any
			if err := json.Unmarshal(text, &x); err != nil {
				return nil, err
			}
			p := expression{python: in.Language.Name == "python", members: members}
			e.Value = p.of(x)
			e.Classes = p.classes
			n = len(e.Value)
		}
		e.size, e.says = n, len(slices.Compact(slices.Clone(b)))
		if best == nil || e.says > best.says && n <= longest || n < best.size && best.size > longest {
			best = e
		}
	}
	return best, nil
}

// expression prints a value as an expression of TypeScript or Python.
type expression struct {
	python  bool
	members [][]string // of all types, in order
	classes []string   // that it names
}

func (p *expression) of(shown any) string {
	switch x := shown.(type) {
	case nil:
		return p.pick("null", "None")
	case bool:
		if x {
			return p.pick("true", "True")
		}
		return p.pick("false", "False")
	case []any:
		var parts []string
		for _, e := range x {
			parts = append(parts, p.of(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	o := shown.(map[string]any)
	switch {
	case o["i"] != nil:
		return o["i"].(string) + p.pick("n", "")
	case o["s"] != nil:
		return quoted(o["s"].(string))
	case o["f"] != nil:
		bits, _ := strconv.ParseUint(o["f"].(string), 16, 64)
		return p.real(math.Float64frombits(bits))
	case o["p"] != nil:
		array := o["p"].([]any)
		b, _ := hex.DecodeString(array[1].(string))
		return p.array(array[0].(string), b)
	}
	return p.object(o["o"].(map[string]any))
}

func (p *expression) pick(ts, python string) string {
	if p.python {
		return python
	}
	return ts
}

// quoted prints a text as both languages have it.
func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

func (p *expression) real(f float64) string {
	switch {
	case math.IsNaN(f):
		return p.pick("NaN", `float("nan")`)
	case math.IsInf(f, 1):
		return p.pick("Infinity", `float("inf")`)
	case math.IsInf(f, -1):
		return p.pick("-Infinity", `float("-inf")`)
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if p.python && !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// array prints an array of numbers, whose bytes have the lowest first.
func (p *expression) array(scalar string, b []byte) string {
	if p.python { // others are lists
		var text strings.Builder
		for _, c := range b {
			fmt.Fprintf(&text, `\x%02x`, c)
		}
		return `b"` + text.String() + `"`
	}
	width, _ := strconv.Atoi(scalar[1:])
	width /= 8
	var parts []string
	for ; len(b) >= width; b = b[width:] {
		bits := uint64(0)
		for i := range width {
			bits |= uint64(b[i]) << (8 * i)
		}
		cut := 64 - 8*width
		signed := int64(bits<<cut) >> cut
		switch {
		case scalar == "f32":
			parts = append(parts, p.real(float64(math.Float32frombits(uint32(bits)))))
		case scalar == "f64":
			parts = append(parts, p.real(math.Float64frombits(bits)))
		case scalar == "u64":
			parts = append(parts, fmt.Sprintf("%dn", bits))
		case scalar == "i64":
			parts = append(parts, fmt.Sprintf("%dn", signed))
		case scalar[0] == 'i':
			parts = append(parts, fmt.Sprint(signed))
		default:
			parts = append(parts, fmt.Sprint(bits))
		}
	}
	names := map[string]string{"u": "Uint", "i": "Int", "f": "Float"}
	name := names[scalar[:1]] + scalar[1:] + "Array"
	if width == 8 && scalar[0] != 'f' {
		name = "Big" + name
	}
	return name + ".of(" + strings.Join(parts, ", ") + ")"
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// sort brings the names of members into the order of the first type that has them all.
func (p *expression) sort(names []string) {
	for _, all := range p.members {
		if !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(all, n) }) {
			slices.SortFunc(names, func(a, b string) int { return cmp.Compare(slices.Index(all, a), slices.Index(all, b)) })
			return
		}
	}
	slices.Sort(names)
}

func (p *expression) object(members map[string]any) string {
	var names []string
	for name := range members {
		if name != "$record" && (name != "$type" || !p.python) {
			names = append(names, name)
		}
	}
	p.sort(names)
	var parts []string
	for _, name := range names {
		value := p.of(members[name])
		switch {
		case p.python:
			parts = append(parts, name+"="+value)
		case identifier.MatchString(name):
			parts = append(parts, name+": "+value)
		default:
			parts = append(parts, quoted(name)+": "+value)
		}
	}
	if !p.python {
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	class := members["$record"].(map[string]any)["s"].(string)
	if !slices.Contains(p.classes, class) {
		p.classes = append(p.classes, class)
	}
	return class + "(" + strings.Join(parts, ", ") + ")"
}
