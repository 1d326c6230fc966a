// The files: how they are written, and read.

package vectors

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// The names of files that are no suites.
const (
	ManifestName = "manifest.json"
	SchemaName   = "schema.json"
	CrossName    = "cross.json"
)

// FileName returns the name of a suite's file.
func (s *Suite) FileName() string { return s.Spec() + ".json" }

// Marshal returns the file of a suite: the same suite always gives the same bytes. A
// case takes few lines.
func (s *Suite) Marshal() []byte {
	var w writer
	w.object(s, "flags", "cases", "large")
	w.flags(s.Flags)
	w.b.WriteString(",\n\"cases\": [")
	for i := range s.Cases {
		w.separate(i)
		c := s.Cases[i]
		c.Fold()
		w.lines(&c, "row", "bytes", "value", "deep", "also", "canonical", "error")
	}
	if len(s.Large) > 0 {
		w.b.WriteString("\n],\n\"large\": [")
	}
	for i := range s.Large {
		w.separate(i)
		w.lines(&s.Large[i], "row", "packet", "content")
	}
	w.b.WriteString("\n]\n}\n")
	return w.b.Bytes()
}

// Fold puts a value that is nested so deeply that common readers of JSON would refuse
// it into Deep.
func (c *Case) Fold() {
	if Nesting(c.Value) > maxNested {
		c.Deep, c.Value = fold(string(c.Value)), nil
	}
}

// Unfold makes Value of Deep, if that is there. It fails if that is no JSON, or
// unreasonably large.
func (c *Case) Unfold() error {
	d := c.Deep
	if d == nil {
		return nil
	}
	if d.Times < 0 || int64(d.Times)*int64(len(d.Before)+len(d.After)) > 1<<24 {
		return fmt.Errorf("case %s: the value is %d times nested, which is no value of a case", c.ID, d.Times)
	}
	text := d.Text()
	if !json.Valid([]byte(text)) {
		return fmt.Errorf("case %s: \"deep\" gives no JSON", c.ID)
	}
	c.Value, c.Deep = json.RawMessage(text), nil
	return nil
}

// maxNested is the nesting of JSON from which a file has a rule for a value. Some readers
// accept no more than a hundred levels, and a report adds a few.
const maxNested = 90

// Nesting returns the number of levels of lists and objects that JSON has.
func Nesting(text []byte) int {
	most, now := 0, 0
	quoted := false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '[' || b == '{':
			now++
			most = max(most, now)
		case b == ']' || b == '}':
			now--
		}
	}
	return most
}

// fold returns a text in parts that are repeated.
func fold(text string) *Nested {
	best := &Nested{Times: 1, Inner: text}
	for n := 1; n < 300 && 2*n < len(text); n++ {
		times := 0
		for end := 0; end+n <= len(text) && text[end:end+n] == text[:n]; end += n {
			times++
		}
		if times < 20 {
			continue
		}
		for m := 1; m < 300 && m < len(text); m++ {
			after := text[len(text)-m:]
			k := 0
			for k < times && strings.HasSuffix(text[:len(text)-k*m], after) {
				k++
			}
			if inner := len(text) - k*(n+m); inner > 0 && k >= 20 && inner+n+m < len(best.Inner) {
				best = &Nested{Times: k, Before: text[:n], Inner: text[k*n : len(text)-k*m], After: after}
			}
		}
	}
	return best
}

// Marshal returns the file of packets that versions read differently.
func (f *CrossFile) Marshal() []byte {
	var w writer
	w.object(f, "flags", "cases")
	w.flags(f.Flags)
	w.b.WriteString(",\n\"cases\": [")
	for i := range f.Cases {
		c := &f.Cases[i]
		w.separate(i)
		readings := c.Readings
		one := *c
		one.Readings = nil
		line := strings.TrimSuffix(string(encode(one)), `"readings":null}`)
		w.b.WriteString(line + "\n  \"readings\":[")
		for k := range readings {
			if k > 0 {
				w.b.WriteByte(',')
			}
			w.b.WriteString("\n    ")
			w.b.Write(encode(readings[k]))
		}
		w.b.WriteString("]}")
	}
	w.b.WriteString("\n]\n}\n")
	return w.b.Bytes()
}

// Marshal returns the file of a manifest.
func (m *Manifest) Marshal() []byte {
	var w writer
	w.object(m, "files")
	w.b.WriteString("\"files\": [")
	for i := range m.Files {
		w.separate(i)
		w.b.Write(encode(m.Files[i]))
	}
	w.b.WriteString("\n]\n}\n")
	return w.b.Bytes()
}

// Digest returns the SHA-256 of a file, as manifests have it.
func Digest(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}

// writer writes JSON with lines where a reader wants them.
type writer struct{ b bytes.Buffer }

// encode returns JSON in one line. The types of this package always have some.
func encode(x any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		panic(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// members returns the members of a struct as JSON, in order.
func members(x any) []member {
	text := encode(x)
	d := json.NewDecoder(bytes.NewReader(text))
	var out []member
	_, _ = d.Token()
	for d.More() {
		key, _ := d.Token()
		var raw json.RawMessage
		_ = d.Decode(&raw)
		out = append(out, member{key.(string), raw})
	}
	return out
}

type member struct {
	key  string
	text json.RawMessage
}

// object begins an object with a line for each member but those left out.
func (w *writer) object(x any, without ...string) {
	w.b.WriteString("{\n")
	for _, m := range members(x) {
		skip := false
		for _, key := range without {
			skip = skip || m.key == key
		}
		if !skip {
			fmt.Fprintf(&w.b, "%q: %s,\n", m.key, m.text)
		}
	}
}

func (w *writer) flags(flags map[string]Flag) {
	w.b.WriteString("\"flags\": {")
	for i, m := range members(flags) { // in alphabetical order
		w.separate(i)
		fmt.Fprintf(&w.b, "%q: %s", m.key, m.text)
	}
	w.b.WriteString("\n}")
}

func (w *writer) separate(i int) {
	if i > 0 {
		w.b.WriteByte(',')
	}
	w.b.WriteByte('\n')
}

// lines writes an object with new lines before some members.
func (w *writer) lines(x any, before ...string) {
	w.b.WriteByte('{')
	for i, m := range members(x) {
		line := false
		for _, key := range before {
			line = line || m.key == key
		}
		switch {
		case line:
			w.b.WriteString(",\n  ")
		case i > 0:
			w.b.WriteString(", ")
		}
		fmt.Fprintf(&w.b, "%q: %s", m.key, m.text)
	}
	w.b.WriteByte('}')
}

// Parse reads the file of a suite.
func Parse(file []byte) (*Suite, error) {
	var s Suite
	if err := read(file, &s); err != nil {
		return nil, err
	}
	if s.Format != Format {
		return nil, fmt.Errorf("the file has format %d, and this program reads format %d; take vectors and program from the same release", s.Format, Format)
	}
	for i := range s.Cases {
		c := &s.Cases[i]
		if err := c.Unfold(); err != nil {
			return nil, err
		}
		if c.ID == "" || c.Bytes == "" && c.Value == nil && c.Result != Invalid {
			return nil, fmt.Errorf("case %d of the file has neither bytes nor a value, or no id", i+1)
		}
		if _, err := hex.DecodeString(c.Bytes + c.Canonical); err != nil {
			return nil, fmt.Errorf("case %s: bytes are given in hexadecimal digits, two for each: %w", c.ID, err)
		}
	}
	for i := range s.Large {
		if l := &s.Large[i]; l.ID == "" || len(l.Packet) == 0 || len(l.Content) == 0 {
			return nil, fmt.Errorf("large case %d of the file has no packet, no content or no id", i+1)
		}
	}
	return &s, nil
}

// ParseManifest reads the file of a manifest.
func ParseManifest(file []byte) (Manifest, error) {
	var m Manifest
	err := read(file, &m)
	return m, err
}

// read reads JSON that has to be an object of the given type and nothing else.
func read(file []byte, x any) error {
	d := json.NewDecoder(bytes.NewReader(file))
	if err := d.Decode(x); err != nil {
		return fmt.Errorf("it is no file of vectors: %w", err)
	}
	if d.More() {
		return fmt.Errorf("it is no file of vectors: something follows behind byte %d", d.InputOffset())
	}
	return nil
}

// Reads reports whether a case has a packet, which may be empty. The others have only a value.
func (c *Case) Reads() bool {
	return c.Bytes != "" || c.Value == nil || c.Result == Valid && c.Canonical == ""
}
