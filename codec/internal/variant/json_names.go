// JSON as a source of values with names.

package variant

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// BuildJSON reads a value with names from JSON. The error, if any, is a [*TextError].
func BuildJSON(n *notation.Notation, b []byte) (interp.Value, error) {
	p := jsonParser{s: string(b)}
	node := p.document()
	if p.err != nil {
		return interp.Value{}, p.err
	}
	return n.Build(jsonSource{&p, &node})
}

// jsonSource is a piece of JSON as a [notation.Source].
type jsonSource struct {
	p *jsonParser
	n *jsonNode
}

func (s jsonSource) Errorf(format string, args ...any) error {
	return NewTextError(s.p.s, s.n.pos, fmt.Sprintf(format, args...))
}

func (s jsonSource) String() string {
	switch s.n.kind {
	case '0':
		return QuoteShort(s.n.text)
	case '"':
		return "the string " + QuoteShort(s.n.text)
	}
	return jsonKinds[s.n.kind]
}

func (s jsonSource) Absent() bool { return s.n.kind == 'n' }

func (s jsonSource) Value() (interp.Value, bool) { return interp.Value{}, false }

// sources returns the elements of a list, or the names and values of an object in turn.
func (s jsonSource) sources() []notation.Source {
	parts := s.p.elements(s.n)
	out := make([]notation.Source, len(parts))
	for i := range parts {
		out[i] = jsonSource{s.p, &parts[i]}
	}
	return out
}

// Arm returns "name", or the one member of an object.
func (s jsonSource) Arm() (name string, args []notation.Source, ok bool) {
	switch {
	case s.n.kind == '"':
		return s.n.text, nil, true
	case s.n.kind == '{' && len(s.n.parts) == 2:
		return s.n.parts[0].text, s.sources()[1:], true
	}
	return "", nil, false
}

func (s jsonSource) Fields() ([]notation.Member, bool) {
	if s.n.kind != '{' {
		return nil, false
	}
	var out []notation.Member
	for i := 0; i+1 < len(s.n.parts); i += 2 {
		out = append(out, notation.Member{Name: s.n.parts[i].text, Source: jsonSource{s.p, &s.n.parts[i+1]}})
	}
	return out, true
}

func (s jsonSource) List() ([]notation.Source, bool) {
	if s.n.kind != '[' {
		return nil, false
	}
	return s.sources(), true
}

// Pairs returns the parts of lists of two.
func (s jsonSource) Pairs() ([]notation.Source, bool) {
	if s.n.kind != '[' {
		return nil, false
	}
	var out []notation.Source
	parts := s.p.elements(s.n)
	for i := range parts {
		pair := jsonSource{s.p, &parts[i]}
		if pair.n.kind != '[' || s.p.count(pair.n) != 2 {
			return nil, false
		}
		out = append(out, pair.sources()...)
	}
	return out, true
}

func (s jsonSource) Bool() (value, ok bool) {
	return s.n.kind == 't', s.n.kind == 't' || s.n.kind == 'f'
}

func (s jsonSource) Whole() (bits uint64, negative, ok bool) {
	if s.n.kind != '0' && s.n.kind != '"' || strings.ContainsAny(s.n.text, "xX") {
		return 0, false, false
	}
	return notation.Whole(s.n.text)
}

func (s jsonSource) Real(scalar bytecode.Scalar) (bits uint64, ok bool) {
	if s.n.kind != '0' && s.n.kind != '"' {
		return 0, false
	}
	return notation.Real(s.n.text, scalar)
}

// Text returns a string, or {"$bytes": base64}.
func (s jsonSource) Text() (string, bool) {
	if s.n.kind == '{' && len(s.n.parts) == 2 && s.n.parts[0].text == "$bytes" {
		b, ok := jsonSource{s.p, &s.n.parts[1]}.Bytes()
		return string(b), ok
	}
	return s.n.text, s.n.kind == '"'
}

func (s jsonSource) Bytes() ([]byte, bool) {
	if s.n.kind != '"' {
		return nil, false
	}
	b, err := base64.StdEncoding.DecodeString(s.n.text)
	return b, err == nil
}
