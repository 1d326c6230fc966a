package lsp

import (
	"fmt"
	"strings"
	"testing"
)

const importing = `schema "importing" {
    root T
}

/// Messages of the base.
import "base" as other { secrets, real double }

type T {
    | 0 | N | other.Message | message | "a message"
    | N | L | other.string  | text    | "a text"
}
`

func TestImport(t *testing.T) {
	c := both(t)
	c.open("importing.oct", importing)
	c.texts["importing.oct"] = importing
	if d := c.diagnostics("importing.oct", 1); len(d) > 0 {
		t.Fatalf("%+v", d)
	}
	for mark, want := range map[string][]string{
		"| other.¦Message": {"**Message**, union", "3 arms by `kind`", "What is sent.", "declared at base.oct:23"},
		"| other.¦string":  {"**string**, type", "Text with its length."},
		"| ¦other.Message": {"**other**, import", "types of schema `base`", "the gate `secrets` is open", "real is `double`", "Messages of the base."},
		"{ ¦secrets,":      {"**secrets**, gate", "what is kept"},
		"real ¦double":     {"**double**, choice of option real"},
	} {
		var h hover
		if err := c.call("textDocument/hover", c.at("importing.oct", mark, 1), &h); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(h.Contents.Value, w) {
				t.Errorf("%s: %q is not in\n%s", mark, w, h.Contents.Value)
			}
		}
	}
	c.texts["importing.oct"] = importing
	for mark, want := range map[string]string{
		"| other.¦Message": "base.oct:23 Message",
		"| other.¦string":  "base.oct:17 string",
		"{ ¦secrets,":      "base.oct:7 secrets",
		"import \"¦base":   "base.oct:3 \"base\"",
		"real ¦double":     "base.oct:10 double",
	} {
		var l *location
		if err := c.call("textDocument/definition", c.at("importing.oct", mark, 1), &l); err != nil {
			t.Fatal(err)
		}
		if got := c.where(*l); got != want {
			t.Errorf("%s leads to %q, not %q", mark, got, want)
		}
	}
	for _, q := range []struct{ mark, to, want string }{
		{"| other.¦Message", "Packet", "base.oct 5, derived.oct 3, importing.oct 1"},
		{"| ¦other.string", "base", "base.oct 0, derived.oct 0, importing.oct 3"},
	} {
		var edit workspaceEdit
		if err := c.call("textDocument/rename", renameParams{c.at("importing.oct", q.mark, 1), q.to}, &edit); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range []string{"base.oct", "derived.oct", "importing.oct"} {
			got = append(got, fmt.Sprint(name, " ", len(edit.Changes[c.uri(name)])))
		}
		if s := strings.Join(got, ", "); s != q.want {
			t.Errorf("%s to %s changes %s, not %s", q.mark, q.to, s, q.want)
		}
	}
	// The imported file is changed in the editor.
	c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri("base.oct"), Version: 2}, []contentChange{{nil, strings.ReplaceAll(base, "Message", "Packet")}}})
	c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri("importing.oct"), Version: 2}, []contentChange{{nil, importing}}})
	if d := c.diagnostics("importing.oct", 2); len(d) != 1 || !strings.Contains(d[0].Message, `schema "base" has no type or union Message`) {
		t.Errorf("%+v", d)
	}
}
