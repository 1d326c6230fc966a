package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// frame is a message as it goes over the wire.
func lspMessage(body string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

// A whole conversation over input and output, as an editor has it.
func TestLSP(t *testing.T) {
	conversation := ""
	for _, m := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`,
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","languageId":"octable","version":1,"text":"schema \"a\" {\n    root T\n}\n\ntype T {\n    | 0 | 4 | u32 | n | \"a number\"\n}\n"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"untitled:a"},"position":{"line":5,"character":20}}}`,
		`{"jsonrpc":"2.0","id":"three","method":"textDocument/definition","params":{"textDocument":{"uri":"untitled:a"},"position":{"line":1,"character":9}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"exit"}`,
	} {
		conversation += lspMessage(m)
	}
	out, errs, code := call(conversation, "lsp", "--stdio")
	if code != exitOK || errs != "" {
		t.Fatalf("exit status %d, %s", code, errs)
	}
	answers := map[string]string{}
	header := regexp.MustCompile(`^Content-Length: (\d+)\r\n(?:Content-Type: [^\r]*\r\n)?\r\n`)
	for out != "" {
		m := header.FindStringSubmatch(out)
		if m == nil {
			t.Fatalf("no message: %.200q", out)
		}
		n, _ := strconv.Atoi(m[1])
		out = out[len(m[0]):]
		var answer struct {
			ID     json.RawMessage
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal([]byte(out[:n]), &answer); err != nil {
			t.Fatal(err)
		}
		if answer.Error != nil {
			t.Errorf("%s: %s", answer.ID, answer.Error)
		}
		answers[string(answer.ID)] = string(answer.Result)
		out = out[n:]
	}
	for id, want := range map[string]string{"1": `"hoverProvider":true`, "2": `a number`, `"three"`: `"line":4,"character":5`, "4": "null"} {
		if !strings.Contains(answers[id], want) {
			t.Errorf("the answer to %s is %s", id, answers[id])
		}
	}
}

// An editor that goes, and one that makes no sense, end the command.
func TestLSPEnds(t *testing.T) {
	for _, input := range []string{"", "Content-Length: 9\r\n\r\n{}", "hello\n", "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n{}",
		lspMessage(`{"jsonrpc":"2.0","method":"exit"}`), lspMessage(strings.Repeat("[", 100000)), lspMessage(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`)} {
		if _, errs, code := call(input, "lsp"); code != exitRefused || strings.Contains(errs, "mistake in octable") {
			t.Errorf("%.40q: exit status %d, %s", input, code, errs)
		}
	}
}
