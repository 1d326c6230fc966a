package protocol

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compileSchema returns a definition of the schema file.
func compileSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("protocol.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("file:///protocol.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("file:///protocol.schema.json#/$defs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func valid(t *testing.T, s *jsonschema.Schema, line string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

// answers are lines, and their mistakes as answers to an operation; "" for a right one.
var answers = []struct{ line, to, wrong string }{
	{`{"id":1,"ok":true,"value":5,"used":8}`, "decode", ""},
	{`{"id":1,"ok":true,"value":null}`, "decode", ""},
	{`{"id":1,"ok":true,"value":{"$type":"Vector2","value":[1,"nan"]},"more":"of it"}`, "decode", ""},
	{`{"id":0,"error":"no","kind":"truncated","offset":4}`, "decode", ""},
	{`{"id":1,"ok":false,"error":"no"}`, "decode", ""},
	{`{"id":1,"unsupported":"Callable"}`, "encode", ""},
	{`{"id":1,"ok":true,"bytes":"0A0b"}`, "encode", ""},
	{`{"id":1,"ok":true,"bytes":""}`, "recode", ""},
	{`{"id":0,"hello":{"protocol":1,"name":"x","ops":["decode"],"specs":["godot-3"]}}`, "hello", ""},
	{`{"id":1}`, "decode", `none of "ok"`},
	{`{"id":1,"ok":false}`, "decode", `none of "ok"`},
	{`{"id":1,"error":""}`, "decode", `none of "ok"`},
	{`{"id":1,"ok":true,"error":"no","value":5}`, "decode", "error and ok"},
	{`{"id":1,"ok":true}`, "decode", `without the key "value"`},
	{`{"id":1,"ok":true,"value":5,"used":-1}`, "decode", `"used" is -1`},
	{`{"id":1,"ok":true,"bytes":"0"}`, "encode", "pairs of hexadecimal digits"},
	{`{"id":1,"ok":true,"bytes":"00 01"}`, "encode", "pairs of hexadecimal digits"},
	{`{"ok":true,"value":5}`, "decode", `this one has none`},
	{`{"id":"1","ok":true,"value":5}`, "decode", `the key "id" of an answer holds a string`},
	{`{"id":1.5,"ok":true,"value":5}`, "decode", `holds a number 1.5`},
	{`{"id":1,"ok":1,"value":5}`, "decode", `the key "ok" of an answer holds a number`},
	{`{"id":1,"ok":true,"value":NaN}`, "decode", `not well-formed JSON`},
	{`{"id":1,"ok":tr`, "decode", `not well-formed JSON`},
	{`{"id":1,"hello":{"protocol":1,"name":"x","ops":["decode"],"specs":["godot-3"]}}`, "decode", `has the key "hello"`},
	{`[1]`, "decode", "no JSON object"},
	{`print: 5`, "decode", "standard error"},
	{``, "decode", "an empty line"},
}

// check is what the runner finds wrong with a line.
func check(line string, op Op) string {
	a, err := ParseAnswer([]byte(line))
	if err == nil {
		err = a.Check(op)
	}
	if err == nil && a.Hello != nil {
		err = a.Hello.Check()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func TestAnswers(t *testing.T) {
	answer, toDecode := compileSchema(t, "answer"), compileSchema(t, "answerToDecode")
	for _, c := range answers {
		got := check(c.line, Op(c.to))
		if (got == "") != (c.wrong == "") || !strings.Contains(got, c.wrong) {
			t.Errorf("%s to %s: %q, not %q", c.line, c.to, got, c.wrong)
		}
		s := answer
		if c.to == "decode" {
			s = toDecode
		}
		if err := valid(t, s, c.line); (err == nil) != (c.wrong == "") {
			t.Errorf("%s to %s: the schema says %v", c.line, c.to, err)
		}
	}
}

func TestAbout(t *testing.T) {
	const good = `{"protocol":1,"name":"x","ops":["decode","encode","recode"],"specs":["godot-3"],"version":"1","language":"C","link":"l","unsupported":["RID"],"objects":true,"reals":"bits","nullOnError":true,"window":1,"notes":["n"]}`
	s := compileSchema(t, "about")
	for line, wrong := range map[string]string{
		good: "",
		strings.Replace(good, `"protocol":1`, `"protocol":2`, 1):         `"protocol" of hello is 2`,
		strings.Replace(good, `"name":"x"`, `"name":" "`, 1):             `no "name"`,
		strings.Replace(good, `"ops":["decode",`, `"ops":["read",`, 1):   `"read" among the "ops"`,
		strings.Replace(good, `["decode","encode","recode"]`, `[]`, 1):   `no "ops"`,
		strings.Replace(good, `"specs":["godot-3"]`, `"specs":[]`, 1):    `no "specs"`,
		strings.Replace(good, `"reals":"bits"`, `"reals":"float"`, 1):    `"reals" of hello is "float"`,
		strings.Replace(good, `"window":1`, `"window":-1`, 1):            `"window" of hello is -1`,
		strings.Replace(good, `,"specs":["godot-3"]`, ``, 1):             `no "specs"`,
		strings.Replace(good, `"objects":true`, `"objects":"yes"`, 1):    `holds a string`,
		strings.Replace(good, `"unsupported":["RID"]`, `"unknown":1`, 1): "",
	} {
		got := check(`{"id":0,"hello":`+line+`}`, Hello)
		if (got == "") != (wrong == "") || !strings.Contains(got, wrong) {
			t.Errorf("%s: %q, not %q", line, got, wrong)
		}
		if err := valid(t, s, line); (err == nil) != (wrong == "") {
			t.Errorf("%s: the schema says %v", line, err)
		}
	}
}

func TestRequests(t *testing.T) {
	s := compileSchema(t, "request")
	for _, r := range []Request{
		{Op: Hello},
		{ID: 1, Op: Decode, Spec: "godot-3"},
		{ID: 2, Op: Decode, Spec: "godot-3", Bytes: "00ff", Objects: true},
		{ID: 3, Op: Recode, Spec: "godot-3", Bytes: "00ff"},
		{ID: 4, Op: Encode, Spec: "godot-4.4+double", Value: json.RawMessage(`{"$type":"Nil"}`)},
	} {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(t, s, string(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{`{"op":"hello"}`, `{"id":1,"op":"hello","bytes":"00"}`, `{"id":1,"op":"decode","bytes":"00"}`, `{"id":1,"op":"decode","spec":"x","bytes":"0"}`,
		`{"id":1,"op":"encode","spec":"x"}`, `{"id":1,"op":"nonsense","spec":"x"}`, `{"id":1,"op":"decode","spec":"x","size":1}`} {
		if err := valid(t, s, line); err == nil {
			t.Errorf("%s passes", line)
		}
	}
}

// TestReadme checks that the lines in README.md are those of the protocol. The answer to each is that of our
// own codec, apart from its name and its words.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	request, answer := compileSchema(t, "request"), compileSchema(t, "answer")
	lines := regexp.MustCompile(`(?m)^([<>]) (.*)$`).FindAllStringSubmatch(string(text), -1)
	if len(lines) < 8 {
		t.Fatalf("%d lines", len(lines))
	}
	for i := 0; i < len(lines); i += 2 {
		if lines[i][1] != "<" || lines[i+1][1] != ">" {
			t.Fatalf("%q and %q are no request and its answer", lines[i][0], lines[i+1][0])
		}
		if err := valid(t, request, lines[i][2]); err != nil {
			t.Errorf("%s: %v", lines[i][2], err)
		}
		if err := valid(t, answer, lines[i+1][2]); err != nil {
			t.Errorf("%s: %v", lines[i+1][2], err)
		}
		var said bytes.Buffer
		if err := Serve(strings.NewReader(lines[i][2]), &said, Octable()); err != nil {
			t.Fatal(err)
		}
		var want, got Answer
		if err := json.Unmarshal([]byte(lines[i+1][2]), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(said.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if got.ID != want.ID || got.OK != want.OK || string(got.Value) != string(want.Value) || got.Bytes != want.Bytes || got.Used != want.Used || (got.Error != "") != (want.Error != "") || (got.Hello != nil) != (want.Hello != nil) {
			t.Errorf("%s is answered by %s", lines[i][2], said.String())
		}
	}
}

// TestServe: Serve writes an answer to any question.
func TestServe(t *testing.T) {
	s := compileSchema(t, "answer")
	var in strings.Builder
	for _, r := range []string{`{"id":0,"op":"hello"}`, `{"id":1,"op":"decode","spec":"godot-4"}`, `{"id":2,"op":"decode","spec":"nothing","bytes":"00"}`,
		`{"id":3,"op":"decode","spec":"godot-4","bytes":"0"}`, `{"id":4,"op":"encode","spec":"godot-4","value":{"$type":"?"}}`, `{"id":5,"op":"encode","spec":"godot-4"}`,
		`{"id":6,"op":"recode","spec":"godot-4","bytes":"0000000001"}`, `{"id":7,"op":"fly"}`, `{"id":8,"op":"decode","spec":"godot-4","bytes":"00000000"}`} {
		in.WriteString(r + "\n")
	}
	var out bytes.Buffer
	if err := Serve(strings.NewReader(in.String()), &out, Octable()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 9 {
		t.Fatalf("%d answers: %s", len(lines), out.String())
	}
	for i, want := range []string{`"hello":`, `"kind":"truncated","offset":0`, `"unsupported":"the schema`, `"error":`, `"error":`, `"error":`, `"bytes":"00000000","used":4`, `"unsupported":"the operation`, `"value":null`} {
		if err := valid(t, s, lines[i]); err != nil || !strings.Contains(lines[i], want) {
			t.Errorf("answer %d is %s, %v", i, lines[i], err)
		}
	}
	if err := Serve(strings.NewReader("{\n"), &out, Octable()); err == nil {
		t.Error("what is no request is taken")
	}
}
