// Vectors as the tests of a package read them.

package project

import (
	"bytes"
	"encoding/hex"
	"encoding/json"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/conformance/generated"
	"github.com/octable/octable/conformance/vectors"
)

// kase is a vector: bytes with the value as the language shows it, or with an error.
type kase struct {
	ID      string `json:"id"`
	Bytes   string `json:"bytes"`
	Open    bool   `json:"open,omitempty"` // with the options of all gates
	Refused bool   `json:"refused,omitempty"`
	Used    int    `json:"used"`
	Value   any    `json:"value"`
	Written string `json:"written,omitempty"` // "" if the language does not keep which NaN a number is
	Error   *wrong `json:"error,omitempty"`
}

type wrong struct {
	Kind   string `json:"kind"`
	Offset int    `json:"offset"`
}

// reader returns the codec, with all gates open if told so.
func (in *Input) reader(open bool) (*codec.Codec, error) {
	return in.Codec.With(codec.Options{Objects: open})
}

// shower returns what shows values in a language, or nil if nothing does.
func (in *Input) shower(l generated.Language) *generated.Shower {
	if l.Dialect == nil {
		return nil
	}
	return generated.NewShower(in.Codec, in.Model, l.Dialect(in.Model))
}

// cases returns the file of vectors, with a line for each. Vectors without bytes are about values
// that most languages cannot make.
func (in *Input) cases(mark string) ([]byte, error) {
	show := in.shower(in.language())
	keeps := show
	if keeps == nil {
		keeps = in.shower(languageOf("ts"))
	}
	var lines [][]byte
	for i := range in.Suite.Cases {
		c := &in.Suite.Cases[i]
		if c.Bytes == "" {
			continue
		}
		k := &kase{ID: c.ID, Bytes: c.Bytes, Open: c.Objects}
		if c.Result == vectors.Invalid {
			k.Refused = true
			if c.Error != nil {
				k.Error = &wrong{c.Error.Kind, c.Error.Offset}
			}
		} else if ok, err := in.value(k, show, keeps); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		line, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	head, err := json.Marshal(mark)
	if err != nil {
		return nil, err
	}
	return []byte("{\n\"generated\": " + string(head) + ",\n\"cases\": [\n" + string(bytes.Join(lines, []byte(",\n"))) + "\n]\n}\n"), nil
}

// refused returns the shortest vector that a reader refuses with the same error in all languages, or nil.
func (in *Input) refused() *kase {
	var out *kase
	for i := range in.Suite.Cases {
		c := &in.Suite.Cases[i]
		if c.Result == vectors.Invalid && c.Error != nil && c.Bytes != "" && !c.Objects && (out == nil || len(c.Bytes) < len(out.Bytes)) {
			out = &kase{Bytes: c.Bytes, Error: &wrong{c.Error.Kind, c.Error.Offset}}
		}
	}
	return out
}

// value sets what a vector says of a value. It reports whether the language has the value.
func (in *Input) value(k *kase, show, keeps *generated.Shower) (bool, error) {
	b, err := hex.DecodeString(k.Bytes)
	if err != nil {
		return false, err
	}
	c, err := in.reader(k.Open)
	if err != nil {
		return false, err
	}
	v, used, err := c.Decode(b)
	if err != nil {
		return false, err
	}
	written, err := c.Encode(v)
	if err != nil {
		return false, err
	}
	k.Used = used
	if !keeps.Loses(raw.Value(v)) {
		k.Written = hex.EncodeToString(written)
	}
	if show == nil {
		return true, nil
	}
	shown, ok := show.Show(raw.Value(v))
	k.Value = shown
	return ok, nil
}
