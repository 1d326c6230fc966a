// Packets in other forms, to copy.

package view

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

// forms are the forms of [ExportParams], by name. The literals are those of the bytes.
var forms = map[string]func(p *packet) (text, extension string, err error){
	"hex":      func(p *packet) (string, string, error) { return grouped(p.bytes), "hex", nil },
	"text":     (*packet).notationText,
	"json":     (*packet).jsonText,
	"assembly": func(p *packet) (string, string, error) { return p.assembly(), "txt", nil },
	"go":       func(p *packet) (string, string, error) { return "[]byte{" + numbers(p.bytes) + "}\n", "go", nil },
	"typescript": func(p *packet) (string, string, error) {
		return "new Uint8Array([" + numbers(p.bytes) + "])\n", "ts", nil
	},
	"python": func(p *packet) (string, string, error) { return pythonText(p.bytes), "py", nil },
	"gdscript": func(p *packet) (string, string, error) {
		return "PackedByteArray([" + numbers(p.bytes) + "])\n", "gd", nil
	},
}

// maxExport is the most bytes of a packet in a form that is longer than the packet.
const maxExport = 8 << 20

// export returns a packet in another form.
func (p *packet) export(_ context.Context, q ExportParams) (*Export, error) {
	form, ok := forms[q.Form]
	if !ok {
		return nil, &Error{Code: "params", Message: fmt.Sprintf("there is no form %q", interp.Clip(q.Form, 40))}
	}
	if len(p.bytes) > maxExport {
		return nil, &Error{Code: "size", Message: fmt.Sprintf("packets of more than %d bytes are not copied as text; save the file", maxExport)}
	}
	text, extension, err := form(p)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(p.name, ".bin")
	if name == "" {
		name = "packet"
	}
	return &Export{Text: text, Name: name + "." + extension}, nil
}

// perLine is how many bytes are in a line of a literal.
const perLine = 16

// grouped prints bytes in groups of four, in lines of 32.
func grouped(b []byte) string {
	var s strings.Builder
	for i := 0; i < len(b); i += 4 {
		switch {
		case i == 0:
		case i%32 == 0:
			s.WriteByte('\n')
		default:
			s.WriteByte(' ')
		}
		s.WriteString(hex.EncodeToString(b[i:min(i+4, len(b))]))
	}
	return s.String() + "\n"
}

// numbers prints bytes as numbers with commas, in lines if they are many.
func numbers(b []byte) string {
	var s strings.Builder
	for i, x := range b {
		if len(b) > perLine && i%perLine == 0 {
			s.WriteString("\n\t")
		} else if i > 0 {
			s.WriteByte(' ')
		}
		fmt.Fprintf(&s, "0x%02x,", x)
	}
	if len(b) <= perLine {
		return strings.TrimSuffix(s.String(), ",")
	}
	return s.String() + "\n"
}

// pythonText prints bytes as a literal of Python.
func pythonText(b []byte) string {
	line := func(b []byte) string {
		var s strings.Builder
		s.WriteString(`b"`)
		for _, x := range b {
			switch {
			case x == '"' || x == '\\':
				s.WriteString(`\` + string(rune(x)))
			case x >= ' ' && x < 0x7f:
				s.WriteByte(x)
			default:
				fmt.Fprintf(&s, `\x%02x`, x)
			}
		}
		return s.String() + `"`
	}
	if len(b) <= perLine {
		return line(b) + "\n"
	}
	var s strings.Builder
	s.WriteString("(\n")
	for i := 0; i < len(b); i += perLine {
		s.WriteString("    " + line(b[i:min(i+perLine, len(b))]) + "\n")
	}
	return s.String() + ")\n"
}

// values returns the values of a packet.
func (p *packet) values() ([]codec.Value, error) {
	var out []codec.Value
	for _, n := range p.parts(0) {
		x := &p.nodes[n]
		if x.kind != Value {
			continue
		}
		if x.cut() {
			return nil, errNotRead
		}
		v, _, err := p.f.with(p.opt).Decode(p.bytes[x.from:x.to])
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	if out == nil {
		return nil, errNotRead
	}
	return out, nil
}

// notationText returns the values in the notation of the schema, Godot's for Variants.
func (p *packet) notationText() (string, string, error) {
	list, err := p.values()
	var out []byte
	for _, v := range list {
		if err == nil {
			out, err = p.f.with(p.opt).AppendText(out, v, "\t")
			out = append(bytes.TrimRight(out, "\n"), '\n')
		}
	}
	return string(out), "txt", err
}

// jsonText returns the values in JSON, those of a stream in a list.
func (p *packet) jsonText() (string, string, error) {
	list, err := p.values()
	if err != nil {
		return "", "", err
	}
	var out []byte
	for i, v := range list {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = p.f.with(p.opt).AppendJSON(out, v); err != nil {
			return "", "", err
		}
	}
	if p.opt.Framed != "" {
		out = append(append([]byte{'['}, out...), ']')
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, out, "", "  ") == nil {
		out = pretty.Bytes()
	}
	return string(out) + "\n", "json", nil
}

// named returns the value of a packet in the names of the newest version, to compare it.
func (p *packet) named() (codec.Value, bool) {
	return raw.Named(p.f.codec, p.value), p.read
}
