package vectors_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	. "github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/conformance/vectors/suites"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/interp"
)

// embedded returns the embedded files.
func embedded(t *testing.T) map[string][]byte {
	t.Helper()
	all, err := suites.Files()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestManifest: the files are those that the manifest lists, and made from the programs
// that the codec has. If not: go generate ./conformance/vectors
func TestManifest(t *testing.T) {
	m, err := suites.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	all := embedded(t)
	if !slices.Equal(suites.Specs(), codec.Schemas()) {
		t.Errorf("there are vectors for %v, and schemas %v", suites.Specs(), codec.Schemas())
	}
	for _, f := range m.Files {
		if Digest(all[f.Name]) != f.SHA256 {
			t.Errorf("%s is not the file of the manifest", f.Name)
		}
		delete(all, f.Name)
		if f.Spec == "" {
			continue
		}
		if program := raw.Program(codec.MustLoad(f.Spec)).Hash(); f.Program != program {
			t.Errorf("%s is stale: it was made from another program", f.Name)
		}
		s, err := suites.Load(f.Spec)
		if err != nil {
			t.Fatal(err)
		}
		if s.Spec() != f.Spec || s.Program != f.Program || len(s.Cases) != f.Cases || s.FileName() != f.Name {
			t.Errorf("%s and the manifest do not agree", f.Name)
		}
	}
	for _, name := range []string{ManifestName, SchemaName, "README.md"} {
		delete(all, name)
	}
	for name := range all {
		t.Errorf("%s is not in the manifest", name)
	}
}

// TestCases: every case is what the codec does.
func TestCases(t *testing.T) {
	for _, spec := range long.Part(10, suites.Specs()) {
		s, err := suites.Load(spec)
		if err != nil {
			t.Fatal(err)
		}
		c := codec.MustLoad(spec)
		open, err := c.With(codec.Options{Objects: true})
		if err != nil {
			t.Fatal(err)
		}
		used := map[string]bool{}
		for i := range s.Cases {
			k := &s.Cases[i]
			if i > 0 && s.Cases[i-1].ID >= k.ID {
				t.Errorf("%s: %s is not in order, or there twice", spec, k.ID)
			}
			for _, f := range k.Flags {
				used[f] = true
				if _, ok := s.Flags[f]; !ok {
					t.Errorf("%s: %s has the flag %s, which the file does not explain", spec, k.ID, f)
				}
			}
			by := c
			if k.Objects {
				by = open
			}
			checkCase(t, spec, k, by)
		}
		for i := range s.Large {
			l := &s.Large[i]
			for _, f := range l.Flags {
				used[f] = true
			}
			if i > 0 && s.Large[i-1].ID >= l.ID {
				t.Errorf("%s: %s is not in order, or there twice", spec, l.ID)
			}
			if l.Size() > 1<<17 && (!long.Asked() || spec != "godot-4.4" && spec != "framing") {
				continue // these are alike, and take memory
			}
			k, err := l.Expand()
			if err != nil {
				t.Fatal(err)
			}
			if len(k.Bytes)/2 != l.Size() {
				t.Errorf("%s: the packet of %s has %d bytes, not %d", spec, l.ID, len(k.Bytes)/2, l.Size())
			}
			checkCase(t, spec, &k, c)
		}
		for f := range s.Flags {
			if !used[f] {
				t.Errorf("%s: no case has the flag %s", spec, f)
			}
		}
	}
}

func checkCase(t *testing.T, spec string, k *Case, c *codec.Codec) {
	t.Helper()
	wrong := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s: "+format, append([]any{spec, k.ID}, args...)...)
	}
	refused := func(err error, writing bool) {
		t.Helper()
		var e *codec.Error
		if !errors.As(err, &e) {
			wrong("not refused")
			return
		}
		offset := e.Offset
		if writing {
			offset = 0
		}
		if k.Error == nil || k.Error.Kind != e.Word() || k.Error.Offset != offset || k.Error.Path != e.Path {
			wrong("refused with %v, not as the case says", e)
		}
	}
	packet, _ := hex.DecodeString(k.Bytes)
	if k.Bytes != "" || k.Value == nil {
		v, n, err := c.Decode(packet)
		if k.Result == Invalid {
			refused(err, false)
			return
		}
		if err != nil {
			wrong("%v", err)
			return
		}
		if r, path, say, err := k.Compare(v); err != nil || r != Exact {
			wrong("%s at %s: %s %v", r, path, say, err)
		}
		if want := k.Used; want != 0 && want != n || want == 0 && n != len(packet) {
			wrong("%d bytes are used", n)
		}
	}
	v, err := godot.ParseJSON(k.Value)
	if err != nil {
		wrong("%v", err)
		return
	}
	b, err := c.Encode(v)
	if k.Result == Invalid {
		refused(err, true)
		return
	}
	want := packet
	if k.Canonical != "" {
		want, _ = hex.DecodeString(k.Canonical)
	}
	if err != nil || !bytes.Equal(b, want) {
		wrong("written as %x (%v)", b, err)
	}
	if k.Result == Valid && k.Bytes != "" && k.Canonical != "" || k.Result == Acceptable && k.Canonical == k.Bytes {
		wrong("the canonical bytes are not where they should be")
	}
	if k.Also != nil {
		also, _, err := c.Decode(want)
		if err != nil {
			wrong("what is written is refused: %v", err)
			return
		}
		if r, _, _ := Compare(also, also); r != Exact {
			wrong("a value is not itself")
		}
		if r, _, _, err := k.Compare(also); err != nil || r != SameValue {
			wrong("the other value is %s (%v)", r, err)
		}
	}
}

// TestCross: every reading is the result of the codec for the packet, and they differ.
func TestCross(t *testing.T) {
	f, err := suites.Cross()
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Cases) < 100 {
		t.Errorf("there are only %d packets", len(f.Cases))
	}
	for i := range f.Cases {
		k := &f.Cases[i]
		b, err := hex.DecodeString(k.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]bool{}
		for _, r := range k.Readings {
			v, n, err := codec.MustLoad(r.Spec).Decode(b)
			var e *codec.Error
			if errors.As(err, &e) != (r.Error != nil) || e != nil && (e.Word() != r.Error.Kind || e.Offset != r.Error.Offset) {
				t.Errorf("%s: %s: %v", k.ID, r.Spec, err)
				continue
			}
			kinds[string(r.Value)+" "+string(rune(r.Used))] = true
			if e != nil {
				continue
			}
			want, err := godot.ParseJSON(r.Value)
			if err != nil {
				t.Fatal(err)
			}
			if rel, path, say := Compare(want, v); rel != Exact || r.Used != 0 && r.Used != n || r.Used == 0 && n != len(b) {
				t.Errorf("%s: %s: %s at %s: %s, %d bytes used", k.ID, r.Spec, rel, path, say, n)
			}
		}
		if len(kinds) < 2 {
			t.Errorf("%s is read alike by all", k.ID)
		}
		for _, flag := range k.Flags {
			if _, ok := f.Flags[flag]; !ok {
				t.Errorf("%s has the flag %s, which the file does not explain", k.ID, flag)
			}
		}
	}
}

// TestFile: files are written as they are read.
func TestFile(t *testing.T) {
	all := embedded(t)
	for _, spec := range long.Part(10, suites.Specs()) {
		s, err := suites.Load(spec)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(s.Marshal(), all[s.FileName()]) {
			t.Errorf("%s is written as something else than what is read", spec)
		}
	}
	f, err := suites.Cross()
	if err != nil || !bytes.Equal(f.Marshal(), all[CrossName]) {
		t.Errorf("%s is written as something else than what is read (%v)", CrossName, err)
	}
}

func TestLoadNames(t *testing.T) {
	for name, want := range map[string]string{"godot-4": "godot-4.4", "godot": "godot-4.4", "godot+double": "godot-4.4+double", "godot-4.4+single": "godot-4.4", "ntp": "ntp"} {
		s, err := suites.Load(name)
		if err != nil || s.Spec() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	for _, name := range []string{"", "nope", "manifest", "cross", "../data/godot-4.4", "godot-2+double"} {
		if s, err := suites.Load(name); err == nil {
			t.Errorf("%q gives %s", name, s.Spec())
		}
	}
}

func TestParseErrors(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":    ``,
		"a list":     `[]`,
		"two":        `{"format":1} {}`,
		"format":     `{"format":2}`,
		"no id":      `{"format":1,"cases":[{"result":"invalid"}]}`,
		"no content": `{"format":1,"cases":[{"id":"a","result":"valid"}]}`,
		"no digits":  `{"format":1,"cases":[{"id":"a","result":"valid","bytes":"0"}]}`,
		"deep":       `{"format":1,"cases":[{"id":"a","result":"valid","deep":{"times":2,"before":"[","inner":"1","after":""}}]}`,
		"deeper":     `{"format":1,"cases":[{"id":"a","result":"valid","deep":{"times":2000000000,"before":"[","inner":"1","after":"]"}}]}`,
		"negative":   `{"format":1,"cases":[{"id":"a","result":"valid","deep":{"times":-1,"before":"[","inner":"1","after":"]"}}]}`,
	} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

// TestSchema: schema.json describes the files, and not any others.
func TestSchema(t *testing.T) {
	all := embedded(t)
	parse := func(text []byte) any {
		t.Helper()
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", parse(all[SchemaName])); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range all {
		if path.Ext(name) == ".json" && name != SchemaName {
			if err := schema.Validate(parse(text)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	good := `{"format":1,"schema":"a","title":"","program":"` + strings.Repeat("0", 64) + `","flags":{},"cases":[` +
		`{"id":"a/b","about":"c","row":"","source":"","type":"int","uses":["int"],"result":"valid","level":"must","bytes":"00","value":{"$type":"int","value":"1"}}]}`
	if err := schema.Validate(parse([]byte(good))); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"format":1`, `"format":2`},
		{`"level":"must"`, `"level":"never"`},
		{`"result":"valid"`, `"result":"invalid"`},
		{`"result":"valid"`, `"result":"acceptable"`},
		{`"bytes":"00"`, `"bytes":"0"`},
		{`"bytes":"00"`, `"bytes":"0X"`},
		{`"bytes":"00",`, ``},
		{`,"value":{"$type":"int","value":"1"}`, ``},
		{`{"$type":"int","value":"1"}`, `{"$type":"int","value":1}`},
		{`{"$type":"int","value":"1"}`, `{"$type":"Array","value":[1]}`},
		{`{"$type":"int","value":"1"}`, `5`},
		{`"id":"a/b"`, `"id":"a b"`},
		{`"uses":["int"]`, `"uses":["int","int"]`},
		{`"title":"",`, ``},
		{`"about":"c"`, `"about":"c","more":1`},
	} {
		text := strings.Replace(good, change[0], change[1], 1)
		if text == good || schema.Validate(parse([]byte(text))) == nil {
			t.Errorf("with %s in place of %s it is taken", change[1], change[0])
		}
	}
}

// TestReadme: the case that the README shows is one.
func TestReadme(t *testing.T) {
	text := string(embedded(t)["README.md"])
	_, text, _ = strings.Cut(text, "```json\n")
	text, _, ok := strings.Cut(text, "```")
	var shown Case
	if err := json.Unmarshal([]byte(text), &shown); err != nil || !ok {
		t.Fatal(err)
	}
	s, err := suites.Load("godot-4.4")
	if err != nil {
		t.Fatal(err)
	}
	encode := func(c Case) string {
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	i := slices.IndexFunc(s.Cases, func(c Case) bool { return c.ID == shown.ID })
	if i < 0 || encode(s.Cases[i]) != encode(shown) {
		t.Errorf("the case of the README is not one of godot-4.4: %s", shown.ID)
	}
}

// TestNotation: the values that the README shows are read, and written so.
func TestNotation(t *testing.T) {
	text := string(embedded(t)["README.md"])
	_, text, _ = strings.Cut(text, "## Values\n")
	_, text, _ = strings.Cut(text, "```\n")
	text, _, _ = strings.Cut(text, "```")
	lines := 0
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		shown, _, _ := strings.Cut(line, "   ")
		plain := strings.NewReplacer("[value, …]", `[{"$type": "Nil"}]`, "[key, value], …", `[{"$type": "Nil"}, {"$type": "Nil"}]`,
			`["name", value], …`, `["name", {"$type": "Nil"}]`, `"of": type`, `"of": "int"`, "[type, type]", `["int", null]`).Replace(shown)
		v, err := godot.ParseJSON([]byte(plain))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		again, err := godot.AppendJSONStyle(nil, v, godot.JSONStyle{Explicit: true})
		if err != nil || string(again) != strings.ReplaceAll(strings.ReplaceAll(plain, ": ", ":"), ", ", ",") {
			t.Errorf("%s is written as %s (%v)", plain, again, err)
		}
		lines++
	}
	if lines < 20 {
		t.Errorf("only %d values are shown", lines)
	}
	if godot.FirstOwn != 256 || interp.Record.String() != "record" {
		t.Error("the README says otherwise")
	}
}
